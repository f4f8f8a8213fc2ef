"""Where feet and hands go on another body, and how much that matters.

A foot on or near the ground goes where the source's is, scaled with the body; high above it, its joint angles count.
The same holds for hands near the ground, near each other and near the head. The importance falls off with distance:
Shin, Lee, Gleicher and Shin 2001, as used by Park et al. 2002, section 5.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import Limb, find_limb
from editor.retarget.body import Body, Foot
from editor.retarget.stance import stance_positions
from model.arrays import Array
from model.contacts import FEET, HANDS, Contacts, Mask
from model.motion import Motion
from model.roles import Role
from model.rotation import between, conjugate, multiply, rotate

# Distances at which a place matters fully and not at all: feet over the ground in lengths of legs, hands over the
# ground, from each other and from the head in lengths of arms.
FOOT_NEAR, FOOT_FAR = 0.2, 0.6
FOOT_CARRIES = (0.05, 0.3)
HAND_GROUND = (0.3, 0.6)
HAND_HAND = (0.25, 0.65)
HAND_HEAD = (0.3, 0.65)
# Hands that are farther from each other than this share of the shoulders' breadth hang at the sides.
_HANGING = 0.9
# Over this much above and below the ground what keeps feet out of it sets in.
SOFT_M = 0.004
# What a foot of the source is in the ground by less than the first is an error, by more than the second the ground's.
DEPTH_ERROR_M, DEPTH_GROUND_M = 0.05, 0.1
# Within this, as a sine, a foot goes over from its ball to its heel.
TOES_UP = 0.3
# A foot that would be in the floor is lifted so long before and after, too.
_LIFT_S = 0.07
# A foot goes over into its contact, and out of it, within this time, where it is high above the floor.
_NEAR_S = 0.15
# What hands are moved by changes no faster than within this time.
_HAND_S = 0.08
# What feet of another length change of the way of an ankle, while they are in the air, changes no faster than this.
_FOOT_S = 0.04


@dataclass(frozen=True, eq=False)
class End:
    """A foot or hand that both bodies have.

    source, target : its limbs; feet : of feet, what is known of them; length_m : of the source's limb; scale : how much
    longer the target's is; heads : of both bodies, where they have such; meeting : at what distances, in lengths of
    the source's limb, it matters fully and not at all where it is from the other hand.
    """

    name: str
    source: Limb
    target: Limb
    feet: tuple[Foot, Foot] | None
    length_m: float
    scale: float
    heads: tuple[int, int] | None
    meeting: tuple[float, float] = HAND_HAND


@dataclass(frozen=True, eq=False)
class Goals:
    """places : (F, 3) of ankles and wrists by limb; held : (F,) how much those of feet matter; toes : (F, 4) local
    rotations of toe joints that had to bend.
    """

    places: Mapping[str, Array]
    held: Mapping[str, Array]
    toes: Mapping[int, Array]

    def with_toes(self, local_rotations: Array) -> Array:
        """(F, J, 4) local rotations with toes bent."""
        if not self.toes:
            return local_rotations
        result = np.array(local_rotations)
        for joint, turned in self.toes.items():
            result[:, joint] = turned
        return result


def find_ends(source: Body, target: Body) -> tuple[End, ...]:
    """The feet and hands that both bodies have and that the target can reach with."""
    ends = []
    one, other = source.skeleton.joint(Role.HEAD), target.skeleton.joint(Role.HEAD)
    heads = None if one is None or other is None else (one, other)
    broad_m = _HANGING * _shoulders_m(source)
    for name in (*FEET, *HANDS):
        here, there = find_limb(target.skeleton, name), find_limb(source.skeleton, name)
        if here is None or there is None or here.bends is None:
            continue
        length = source.lengths_m.get(name, 0.0)
        if length <= 0.0 or target.lengths_m[name] <= 0.0:
            continue
        feet = (source.feet[name], target.feet[name]) if name in FEET else None
        meeting = (HAND_HAND[0], min(HAND_HAND[1], max(broad_m / length, HAND_HAND[0] + 0.05)))
        ends.append(End(name, there, here, feet, length, target.lengths_m[name] / length, heads, meeting))
    return tuple(ends)


def _shoulders_m(body: Body) -> float:
    """How broad the shoulders of a body are; endless where it has not both."""
    left, right = body.skeleton.joint(Role.LEFT_SHOULDER), body.skeleton.joint(Role.RIGHT_SHOULDER)
    if left is None or right is None:
        return float("inf")
    places = stance_positions(body.skeleton, body.stance)
    return float(np.linalg.norm(places[left] - places[right]))


def goals(
    ends: tuple[End, ...], scales: Array, motion: Motion, carried: Motion, contacts: Contacts, pivot: Array
) -> Goals:
    """Where the ends of a motion go on another body. carried : the motion with its angles on that body; pivot : (3,)
    the place on the ground about which the body's way is scaled by `scales` (3,).
    """
    places: dict[str, Array] = {}
    held: dict[str, Array] = {}
    toes: dict[int, Array] = {}
    for end in ends:
        if end.feet is not None:
            _add_foot(end, scales, motion, carried, contacts, pivot, places, held, toes)
    hands = {end.name: end for end in ends if end.feet is None}
    for name, end in hands.items():
        resting = _near(contacts.mask(name), motion.frame_time_s)
        (mirror,) = (one for one in HANDS if one != name)
        place = hand_goal(
            end, hands.get(mirror), scales, motion.world.positions, carried.world.positions, pivot, resting
        )
        here = carried.world.positions[:, end.target.end]
        if np.any(place != here):
            places[name] = here + _evenly(place - here, _HAND_S, motion.frame_time_s)
    return Goals(places, held, toes)


def lift_on_hands(
    ends: tuple[End, ...], scales: Array, motion: Motion, carried: Motion, contacts: Contacts, pivot: Array
) -> Array | None:
    """(F,) how much higher the body is where it stands on its hands and not its feet, None where it never does.

    There arms are as straight as the source's, however long they are; on its feet, legs are. Parameters as of `goals`.
    """
    on_feet, total, pull = np.zeros(motion.frames), np.zeros(motion.frames), np.zeros(motion.frames)
    for end in ends:
        resting = _near(contacts.mask(end.name), motion.frame_time_s)
        there = motion.world.positions[:, end.source.end]
        if end.feet is not None:
            planted = there + rotate(motion.world.rotations[:, end.source.end], end.feet[0].planted)
            above = planted[:, 1] - end.feet[0].above_m - pivot[1]
            on_feet = np.maximum(on_feet, np.maximum(fading(above / end.length_m, *FOOT_CARRIES), resting))
        else:
            weight = np.maximum(fading((there[:, 1] - pivot[1]) / end.length_m, *HAND_GROUND), resting)
            wanted = pivot[1] + scales[1] * (there[:, 1] - pivot[1])
            pull, total = pull + weight * (wanted - carried.world.positions[:, end.target.end, 1]), total + weight
    lift = (1.0 - on_feet) * pull / np.maximum(total, 1.0)
    return _evenly(lift, _HAND_S, motion.frame_time_s) if np.any(lift != 0.0) else None


def _add_foot(
    end: End,
    scales: Array,
    motion: Motion,
    carried: Motion,
    contacts: Contacts,
    pivot: Array,
    places: dict[str, Array],
    held: dict[str, Array],
    toes: dict[int, Array],
) -> None:
    """Note where a foot goes; the three mappings are changed."""
    assert end.feet is not None
    theirs, ours = end.feet
    ankle, turn = carried.world.positions[:, end.target.end], carried.world.rotations[:, end.target.end]
    there = motion.world.positions[:, end.source.end]
    planted = there + rotate(motion.world.rotations[:, end.source.end], theirs.planted)
    above = planted[:, 1] - theirs.above_m - pivot[1]
    resting = _near(contacts.mask(end.name), motion.frame_time_s)
    weight = np.maximum(fading(above / end.length_m, FOOT_NEAR, FOOT_FAR), resting)
    reached = rotate(turn, ours.planted)
    wanted = pivot + scales * (planted - pivot)
    # A foot with its toes up stands on its heel: its ankle is as high as the source's, however long the foot.
    toes_up = rising(rotate(turn, ours.ahead)[:, 1])
    rise = scales[1]
    wanted[:, 1] += ours.above_m - rise * theirs.above_m + (ours.ahead_m - rise * theirs.ahead_m) * toes_up
    # A foot of another length that flaps in the air would make its leg flap.
    lever = wanted - reached - pivot - scales * (there - pivot)
    calm = (1.0 - resting)[:, None] * (_evenly(lever, _FOOT_S, motion.frame_time_s) - lever)
    place = ankle + weight[:, None] * (wanted - reached + calm - ankle)
    floor = pivot[1] - rise * ground_depth(-above)
    lowest = place[:, 1] + np.minimum(reached[:, 1], 0.0)
    place[:, 1] += evenly_lifted(floor - lowest, motion.frame_time_s)
    places[end.name] = place
    held[end.name] = np.maximum(fading(above / end.length_m, *FOOT_CARRIES), resting)
    if end.target.toe is not None and ours.toe_tip is not None:
        lifted = _lifted_toe(carried, end.target.toe, ours.toe_tip, floor - place[:, 1] - reached[:, 1])
        if lifted is not None:
            toes[end.target.toe] = lifted


def _lifted_toe(carried: Motion, toe: int, tip: Array, room: Array) -> Array | None:
    """(F, 4) local rotations of a toe bent up where its tip would be under the floor, None where it never is.

    room : (F,) the floor's height over the toe joint.
    """
    bone = rotate(carried.world.rotations[:, toe], tip)
    deep = soft_positive(room - bone[:, 1])
    if not np.any(deep > 0.0):
        return None
    length = float(np.linalg.norm(tip))
    high = np.clip(bone[:, 1] + deep, -length, length)
    flat = np.sqrt(np.maximum(length**2 - high**2, 0.0)) / np.maximum(np.hypot(bone[:, 0], bone[:, 2]), 1e-9)
    lifted = np.stack([bone[:, 0] * flat, high, bone[:, 2] * flat], axis=-1)
    above = carried.world.rotations[:, carried.skeleton.parents[toe]]
    turned = multiply(conjugate(above), multiply(between(bone, lifted), carried.world.rotations[:, toe]))
    return np.where((deep > 0.0)[:, None], turned, carried.local_rotations[:, toe])


def hand_goal(
    end: End, mirror: End | None, scales: Array, source: Array, carried: Array, pivot: Array, resting: Array | float
) -> Array:
    """(F, 3) where a wrist goes: where its angles put it, drawn to what it is near of.

    mirror : the other hand; source, carried : (F, J, 3) joints of the source and of the target; resting : (F,) 1 where
    it is known to rest on the ground.
    """
    here, there = carried[:, end.target.end], source[:, end.source.end]
    weight = np.maximum(fading((there[:, 1] - pivot[1]) / end.length_m, *HAND_GROUND), resting)
    pull, total = weight[:, None] * (pivot + scales * (there - pivot) - here), weight
    if mirror is not None:
        apart = there - source[:, mirror.source.end]
        weight = fading(_length(apart) / end.length_m, *end.meeting)
        middle = 0.5 * (here + carried[:, mirror.target.end])
        pull, total = pull + weight[:, None] * (middle + 0.5 * end.scale * apart - here), total + weight
    if end.heads is not None:
        apart = there - source[:, end.heads[0]]
        weight = fading(_length(apart) / end.length_m, *HAND_HEAD)
        pull, total = pull + weight[:, None] * (carried[:, end.heads[1]] + end.scale * apart - here), total + weight
    return np.asarray(here + pull / np.maximum(total, 1.0)[:, None])


def fading(distance: Array, near: float, far: float) -> Array:
    """1 up to the distance `near`, fading smoothly to 0 at `far`."""
    x = np.clip((far - distance) / (far - near), 0.0, 1.0)
    return np.asarray(x * x * x * (x * (6.0 * x - 15.0) + 10.0))


def soft_positive(x: Array, soft: float = SOFT_M) -> Array:
    """x where it is positive and 0 elsewhere, without a corner between."""
    near = np.clip(x, -soft, soft)
    return np.asarray(np.maximum(x - soft, 0.0) + (near + soft) ** 2 / (4.0 * soft))


def evenly_lifted(depth: Array, frame_time_s: float) -> Array:
    """(F,) by how much a foot is lifted that is by `depth` (F,) in the floor: enough, and not suddenly."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    deep = np.maximum(depth, 0.0)
    if not np.any(deep > 0.0):
        return deep
    half = max(1, round(_LIFT_S / frame_time_s))
    most = maximum_filter1d(deep, 2 * half + 1, mode="nearest")
    even = gaussian_filter1d(most, 0.5 * half, mode="nearest", truncate=2.0)
    return np.asarray(np.maximum(even, deep))


def rising(sine: Array) -> Array:
    """How much toes point up, as a sine, softly: 0 for a flat foot, and hardly less where they point down."""
    return soft_positive(sine, TOES_UP) - 0.25 * TOES_UP


def ground_depth(depth: Array) -> Array:
    """How much of what a foot is below the ground is ground that lies deeper, and no error."""
    return np.asarray(np.maximum(depth, 0.0) * (1.0 - fading(depth, DEPTH_ERROR_M, DEPTH_GROUND_M)))


def _evenly(moves: Array, over_s: float, frame_time_s: float) -> Array:
    """Moves (F, ...) without what is sudden: hands pass by faces faster than arms can be drawn there."""
    from scipy.ndimage import gaussian_filter1d

    return np.asarray(gaussian_filter1d(moves, over_s / frame_time_s, axis=0, mode="nearest"))


def _near(resting: Mask, frame_time_s: float) -> Array:
    """(F,) 1 where a limb rests, fading to 0 before and after."""
    if not np.any(resting):
        return np.zeros(len(resting))
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    half = max(1, round(_NEAR_S / frame_time_s))
    wide = maximum_filter1d(resting.astype(np.float64), 2 * half + 1, mode="nearest")
    once = uniform_filter1d(wide, 2 * (half // 2) + 1, mode="nearest")
    return np.asarray(uniform_filter1d(once, 2 * (half // 2) + 1, mode="nearest"))


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))
