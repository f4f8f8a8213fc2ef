"""From the straight line to the path: the body follows it frame by frame, feet tread on it step by step.

r_o = r_m + q_m q^-1 (r - r^) for the body, whose offset from its reference line is turned into the path (Kim and Neff
2011, section 6.3, the misprint mended). A standing foot is placed by the path where it treads, as a whole, so that it
neither slides nor spins (section 7.1); swinging it follows the path from one tread to the next.
"""

from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.feet import Limb, find_limb, limb_points, planted_point
from editor.contacts.plant import envelope, flex_toes, near_contacts, reach
from editor.walking.balance import accelerations, centre_of_mass, lean_rad
from editor.walking.curve import Curve
from editor.walking.straight import yaw
from editor.walking.travel import Travel
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import FEET, Contact, intervals
from model.motion import Motion
from model.roles import Role
from model.rotation import conjugate, from_axis_angle, multiply, rotate, slerp
from model.smoothing import smoothed_rotations

# A foot's place is read over this part of its contact, away from rolling on and off.
_SETTLED = (0.25, 0.75)
# A knee turns to its foot by no more than this.
_MOST_SWIVEL_RAD = 0.8
# Short strides lift the feet less, but no less than this share.
_LEAST_LIFT = 0.5
# Arms and back swing less on strides shorter than this share, in proportion: nearer to their mean over this time.
_CALM_BELOW, _CALM_S = 0.7, 1.0


@dataclass(frozen=True, eq=False)
class OnPath:
    """A motion on a path; arc_m, lean_rad : (F,) how far along it is and how far it leans to the left."""

    motion: Motion
    arc_m: Array
    lean_rad: Array


def onto_path(straight: Take, ways_m: Array, times_s: Array, curve: Curve, travel: Travel) -> OnPath:
    """The straight walk on a path. ways_m : (F,) where its reference point is on the straight line; times_s : (F,)."""
    motion = straight.motion
    arc = travel.arc_at(ways_m)
    places, headings = curve.places(arc), curve.headings(arc)
    lean = _lean(motion, curve, arc, headings, times_s)
    turned = _body(motion, ways_m, travel.scales_at(arc), places, headings, lean)
    ends, held = {}, {}
    rotations = np.array(turned.local_rotations)
    world = turned.world
    for foot in FEET:
        limb = find_limb(motion.skeleton, foot)
        if limb is None or limb.bends is None or not straight.contacts.limbs.get(foot):
            continue
        ends[foot], foot_turns = _foot(motion, limb, straight.contacts.limbs[foot], curve, travel, ways_m)
        held[foot] = near_contacts(straight.contacts.mask(foot), motion.frame_time_s)
        above = world.rotations[:, motion.skeleton.parents[limb.end]]
        rotations[:, limb.end] = multiply(conjugate(above), foot_turns)
    facing = replace(turned, local_rotations=rotations)
    floor = np.zeros(motion.frames)
    reached = flex_toes(reach(facing, ends, held=held), dict.fromkeys(ends, floor))
    for foot in ends:
        reached = _swivelled(reached, motion, foot)
    return OnPath(reached, arc, lean)


def _body(motion: Motion, ways_m: Array, scales: Array, places: Array, headings: Array, lean: Array) -> Motion:
    """The body moved along the path and leaned about the place below it; legs hang from it as they did."""
    offset = motion.root_positions - ways_m[:, None] * np.array([0.0, 0.0, 1.0])
    offset = offset * np.stack([np.ones(len(scales)), np.ones(len(scales)), scales], axis=-1)
    leaned = from_axis_angle(np.array([0.0, 0.0, 1.0]), -lean)
    turn = multiply(yaw(headings), leaned)
    at = np.stack([places[:, 0], np.zeros(len(places)), places[:, 1]], axis=-1)
    rotations = _calmed(motion, scales)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return replace(motion, root_positions=at + rotate(turn, offset), local_rotations=rotations)


def _calmed(motion: Motion, scales: Array) -> Array:
    """(F, J, 4) local rotations, a copy: above the legs nearer to their mean over a second where strides are short."""
    rotations = np.array(motion.local_rotations)
    share = np.clip(scales / _CALM_BELOW, 0.0, 1.0)
    short = intervals(share < 1.0)
    skeleton = motion.skeleton
    legs = {joint for side in ("LEFT", "RIGHT") for joint in skeleton.subtree(skeleton.joint(Role[f"{side}_HIP"]) or 0)}
    upper = [joint for joint in range(1, len(skeleton)) if joint not in legs]
    if not short or not upper:
        return rotations
    window = max(3.0, _CALM_S / motion.frame_time_s)
    for span in short:
        first, last = max(0, span.start - round(window)), min(motion.frames, span.stop + round(window))
        part = rotations[first:last][:, upper]
        mean = smoothed_rotations(part, 2.0 * window)
        rotations[first:last][:, upper] = slerp(mean, part, share[first:last, None])
    return rotations


def _foot(
    motion: Motion, limb: Limb, contacts: tuple[Contact, ...], curve: Curve, travel: Travel, ways_m: Array
) -> tuple[Array, Array]:
    """Where a foot's ankle goes (F, 3), and how it is turned in the world (F, 4)."""
    points, turns = limb_points(motion, limb), motion.world.rotations[:, limb.end]
    ankle, toe, lowest = points[:, 0], planted_point(motion, limb), np.min(points[..., 1], axis=1)
    treads, levels = [], []
    for contact in contacts:
        length = contact.stop - contact.start
        settled = slice(contact.start + int(_SETTLED[0] * length), contact.start + int(np.ceil(_SETTLED[1] * length)))
        treads.append(float(np.mean(toe[settled, 2])))
        levels.append(-float(np.percentile(lowest[settled], 25)))
    tread, arc = np.array(treads), travel.arc_at(np.array(treads))
    swings = _Swings.of(contacts, motion.frames)
    line, along, rise, aside = swings.carried(np.stack([tread, arc, levels, _outward(curve, arc)]))
    rise = rise - swings.lowered(contacts, ankle[:, 1], tread, arc)
    deep = np.maximum(-np.min(points[:, :2, 1], axis=1) - rise, 0.0)
    if np.any(deep > 0.0):
        rise = rise + envelope(deep, motion.frame_time_s)
    turn = yaw(curve.headings(along))
    local = np.stack([ankle[:, 0] + aside, ankle[:, 1] + rise, ankle[:, 2] - line], axis=-1)
    places = curve.places(along)
    at = np.stack([places[:, 0], np.zeros(len(places)), places[:, 1]], axis=-1)
    return np.asarray(at + rotate(turn, local)), multiply(turn, turns)


def _swivelled(motion: Motion, straight: Motion, name: str) -> Motion:
    """The motion with a leg turned about the line from hip to ankle, so that the knee points where the foot does and
    the ankle is twisted no more than on the straight line. Foot and hip stay where and as they are (section 7.1).
    """
    limb = find_limb(motion.skeleton, name)
    assert limb is not None
    assert limb.bends is not None
    hip, _, ankle = limb.bends
    world, parents = motion.world, motion.skeleton.parents
    axis = world.positions[:, ankle] - world.positions[:, hip]
    axis = axis / np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-9)
    shin = world.rotations[:, parents[ankle]]
    kept = multiply(shin, straight.local_rotations[:, ankle])
    turned = multiply(world.rotations[:, ankle], conjugate(kept))
    twist = 2.0 * np.arctan2(np.sum(turned[:, 1:] * axis, axis=-1), turned[:, 0])
    twist = np.arctan2(np.sin(twist), np.cos(twist))
    swivel = from_axis_angle(axis, _MOST_SWIVEL_RAD * np.tanh(twist / _MOST_SWIVEL_RAD))
    rotations = np.array(motion.local_rotations)
    above = conjugate(world.rotations[:, parents[hip]])
    rotations[:, hip] = multiply(above, multiply(swivel, world.rotations[:, hip]))
    rotations[:, ankle] = multiply(conjugate(multiply(swivel, shin)), world.rotations[:, ankle])
    return replace(motion, local_rotations=rotations)


def _outward(curve: Curve, arc: Array) -> Array:
    """(C,) how far to the left of the path a foot treads at places (C,) along it, so that on a bend the path runs
    between the treads and the middles of the lines between them, which cut it off.
    """
    if len(arc) < 2:
        return np.zeros(len(arc))
    step = 0.5 * np.gradient(arc)
    bend = (curve.headings(arc + step) - curve.headings(arc - step)) / np.maximum(2.0 * step, 1e-6)
    return np.asarray(-bend * step * step / 11.0)


@dataclass(frozen=True, eq=False)
class _Swings:
    """Which contacts each frame lies between. before, after : (F,) their numbers; part : (F,) how much of the swing
    from one to the other is over, 0 while the foot stands.
    """

    before: IntArray
    after: IntArray
    part: Array

    @staticmethod
    def of(contacts: tuple[Contact, ...], frames: int) -> "_Swings":
        starts = np.array([contact.start for contact in contacts], dtype=np.float64)
        stops = np.array([contact.stop - 1 for contact in contacts], dtype=np.float64)
        at = np.arange(float(frames))
        before = np.clip(np.searchsorted(starts, at, side="right") - 1, 0, len(contacts) - 1)
        after = np.minimum(before + 1, len(contacts) - 1)
        gap = np.maximum(starts[after] - stops[before], 1.0)
        return _Swings(before, after, np.clip((at - stops[before]) / gap, 0.0, 1.0))

    def carried(self, values: Array) -> Array:
        """(K, F) values (K, C) of contacts held while a foot stands, passing over smoothly while it swings."""
        u = self.part
        share = u * u * u * (u * (6.0 * u - 15.0) + 10.0)
        return np.asarray(values[:, self.before] + share * (values[:, self.after] - values[:, self.before]))

    def lowered(self, contacts: tuple[Contact, ...], ankle_m: Array, tread: Array, arc: Array) -> Array:
        """(F,) by how much a swinging foot is lifted less where its stride is shorter than the loop's own.

        ankle_m : (F,) its height; tread, arc : (C,) where it treads on the straight line and on the path. Section 7.2.
        """
        ways = np.maximum(tread[self.after] - tread[self.before], 1e-6)
        scales = np.clip((arc[self.after] - arc[self.before]) / ways, _LEAST_LIFT, 1.0)
        leaves = ankle_m[[contact.stop - 1 for contact in contacts]][self.before]
        lands = ankle_m[[contact.start for contact in contacts]][self.after]
        lift = np.maximum(ankle_m - leaves - self.part * (lands - leaves), 0.0)
        return np.asarray((1.0 - scales) * lift * np.sin(np.pi * self.part) ** 2)


def _lean(motion: Motion, curve: Curve, arc: Array, headings: Array, times_s: Array) -> Array:
    """(F,) how far the body leans to the left."""
    step_s = times_s[1] - times_s[0]

    def places_at(times: Array) -> Array:
        at = (times - times_s[0]) / step_s
        below = np.clip(at.astype(np.intp), 0, len(arc) - 2)
        return curve.places(arc[below] + (at - below) * (arc[below + 1] - arc[below]))

    pushed = accelerations(places_at, times_s)
    sideways = pushed[:, 0] * np.cos(headings) - pushed[:, 1] * np.sin(headings)  # left of (sin, cos) is (cos, -sin)
    height = float(np.mean(centre_of_mass(motion)[:, 1]))
    return lean_rad(sideways, curve.curvatures(arc), height)
