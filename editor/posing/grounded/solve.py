"""The solver: a motion, its contacts and target poses in, the motion that follows them out.

Coleman 2012, section 6.6: match the poses, find root and contacts, then the feet's ways, then the legs (M^p, M^r, M^f
and M there). Every step is closed form and vectorised over frames.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from editor.posing.grounded.airborne import Swings
from editor.posing.grounded.asked import BODY, FLIGHT, Override, PoseChange, Solution, Turn
from editor.posing.grounded.bending import Reach, bend_limbs, straightness
from editor.posing.grounded.footing import Footing, Sole, find_footings, limbs_in_contact, on_floor, yaw
from editor.posing.grounded.posed import PosedJoints
from editor.posing.grounded.root import TENT_S, Moments, flown_root, moved_over_feet, risen_root, shifted_root
from editor.posing.grounded.slopes import tilt_feet
from editor.posing.grounded.swing import (
    FootPath,
    cleared,
    floor_under,
    foot_path,
    held_back,
    lift_contacts,
    place_contacts,
)
from model.arrays import Array
from model.contacts import FEET, Contact, Contacts, Mask
from model.ground import Ground
from model.ground import bounds as object_bounds
from model.motion import Motion
from model.placing import shifted
from model.roles import Role
from model.rotation import angle_between, conjugate, from_axis_angle, from_rotation_vector, multiply, slerp

# Poses and contacts that differ by less agree.
_APART_M, _APART_RAD, _LOWER_M = 0.002, math.radians(1.0), 0.0001
_UP = np.array([0.0, 1.0, 0.0])
_FOOT_M = 0.4  # no point of a foot or hand is farther from its ankle or wrist


def solve(
    motion: Motion, contacts: Contacts, change: PoseChange, ground: Ground | None = None, edited: Ground | None = None
) -> Solution:
    """The motion that passes through target poses with its feet on the ground.

    ground : what the motion stands on, flat at the contacts' height if not given; edited : what it shall stand on, the
    same if not given. Only the frames that the change reaches are worked on; behind them the body goes on as it did,
    where it has got to.
    """
    ground = ground or Ground(contacts.ground_m)
    edited = edited or ground
    if not motion.frames or (change.is_nothing and edited == ground):
        return Solution(motion, contacts)
    if change.is_nothing:
        start, stop = _on_other_ground(motion, contacts, ground, edited)
    elif change.lengths or not (ground.is_flat and edited == ground):
        start, stop = 0, motion.frames
    else:
        start, stop = _affected(motion, contacts, change)
    if start >= stop:
        return Solution(motion, contacts)
    part = motion if (start, stop) == (0, motion.frames) else motion.sliced(start, stop)
    solver = _Solver(part, _cut(contacts, start, stop), _moved(change, start, stop), ground, edited)
    solved = solver.solved()
    overrides = tuple(replace(one, frame=one.frame + start) for one in solver.overrides)
    if edited.height_m != contacts.ground_m:
        contacts = replace(contacts, ground_m=edited.height_m)
    return Solution(_joined(motion, solved, start, stop), contacts, overrides, (start, stop))


def _affected(motion: Motion, contacts: Contacts, change: PoseChange) -> tuple[int, int]:
    """The frames outside of which nothing changes but the body's place: where poses fade, and all of the contacts and
    swings that begin or end there.
    """
    margin = 2 * int(TENT_S / motion.frame_time_s) + 3
    spans = _spans(change, motion.frames, margin)
    return _with_whole_steps(contacts, spans[0][0], spans[-1][1])


def _on_other_ground(motion: Motion, contacts: Contacts, ground: Ground, edited: Ground) -> tuple[int, int]:
    """The frames outside of which feet and hands are not near anything that is new on the ground or gone from it."""
    if ground.height_m != edited.height_m:
        return 0, motion.frames
    before, after = ({one for _, one in each.objects} for each in (ground, edited))
    limbs = limbs_in_contact(motion.skeleton, contacts).values()
    places = motion.world.positions[:, [limb.end for limb in limbs]][..., [0, 2]]
    near = np.zeros(motion.frames, dtype=bool)
    for low, high in map(object_bounds, before ^ after):
        near |= np.any(np.all((places > low - _FOOT_M) & (places < high + _FOOT_M), axis=-1), axis=-1)
    at = np.flatnonzero(near)
    if not len(at):
        return 0, 0
    margin = 2 * int(TENT_S / motion.frame_time_s) + 3
    return _with_whole_steps(contacts, int(at[0]) - margin, int(at[-1]) + 1 + margin)


def _with_whole_steps(contacts: Contacts, start: int, stop: int) -> tuple[int, int]:
    """The frames with all of the contacts and swings that begin or end there."""
    start, stop = max(start, 0), min(stop, contacts.frames)
    first, last = start, stop
    for held in contacts.limbs.values():
        first = min(first, max((one.start for one in held if one.start <= start), default=0 if held else start))
        last = max(last, min((one.stop for one in held if one.stop >= stop), default=contacts.frames if held else stop))
    return max(first, 0), min(last, contacts.frames)


def _spans(change: PoseChange, frames: int, margin: int = 0) -> list[tuple[int, int]]:
    """The intervals of frames in which poses act, in order and apart, within the motion."""
    spans = [(turn.start, turn.stop) for turn in change.turns if np.any(turn.vectors)]
    for target in change.targets:
        early, late = target.frame - target.before, target.frame + target.after
        spans.append((math.floor(max(early, -margin)), math.ceil(min(late, frames + margin)) + 1))
    merged: list[tuple[int, int]] = []
    for start, stop in sorted((max(a - margin, 0), min(b + margin, frames)) for a, b in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        elif start < stop:
            merged.append((start, stop))
    return merged


def _cut(contacts: Contacts, start: int, stop: int) -> Contacts:
    limbs = {
        name: tuple(
            Contact(max(one.start, start) - start, min(one.stop, stop) - start)
            for one in held
            if one.stop > start and one.start < stop
        )
        for name, held in contacts.limbs.items()
    }
    return Contacts(stop - start, limbs, contacts.ground_m)


def _moved(change: PoseChange, start: int, stop: int) -> PoseChange:
    """The change as frames [start, stop) see it."""
    if start == 0 and all(turn.stop <= stop for turn in change.turns):
        return change
    turns = []
    for turn in change.turns:
        low, high = max(turn.start, start), min(turn.stop, stop)
        if low < high:
            turns.append(Turn(turn.joints, low - start, turn.vectors[low - turn.start : high - turn.start]))
    targets = tuple(replace(one, frame=one.frame - start) for one in change.targets if start <= one.frame < stop)
    return PoseChange(targets, tuple(turns), change.lengths)


def _joined(motion: Motion, part: Motion, start: int, stop: int) -> Motion:
    """The motion with frames [start, stop) replaced, and the body moved along behind them."""
    return part if (start, stop) == (0, motion.frames) else motion.with_frames(start, part)


class _Solver:
    """The steps on one run of frames."""

    def __init__(self, motion: Motion, contacts: Contacts, change: PoseChange, ground: Ground, edited: Ground) -> None:
        self._motion, self._contacts, self._change = motion, contacts, change
        self._ground, self._edited = ground, edited
        self._same_ground = ground.is_flat and edited == ground
        self._tent = TENT_S / motion.frame_time_s
        self._quiet, self._moments = _moments(change, motion.frames, self._tent)
        self.overrides: tuple[Override, ...] = ()

    def solved(self) -> Motion:
        motion = self._resized()
        asked = _posed(motion.local_rotations, self._change.turns)
        limbs = limbs_in_contact(motion.skeleton, self._contacts)
        rotations = self._without_toes(asked, [limb.end for limb in limbs.values()])
        pelvis = motion.skeleton.joint(Role.PELVIS) or 0
        posed = PosedJoints.above_ends(motion, rotations, [pelvis, *(limb.end for limb in limbs.values())])
        footings = find_footings(self._motion, self._contacts, posed)
        move, flown, soles = self._root(footings, posed)
        over = moved_over_feet(self._change, footings, posed, motion.frames)
        move = move + over
        paths = self._paths(footings, move, over, flown, soles)
        reaches = [self._reach(footing, path, posed) for footing, path in zip(footings, paths, strict=True)]
        self.overrides = self._overridden(footings, reaches, posed, move - over)
        bent, moved = bend_limbs(rotations, posed, move, reaches, self._moments.targets, motion.frame_time_s)
        self.overrides += self._lowered(move[:, 1] - moved[:, 1]) + self._kept_in_flight(footings)
        move = moved
        swings = Swings(motion, posed, move, footings, self._change.targets)
        bent = swings.restored(bent, asked, rotations)
        self.overrides += tuple(swings.overrides)
        bent = swings.lifted(bent, self._motion, self._ground, self._edited)
        return shifted(replace(motion, local_rotations=bent), move)

    def _without_toes(self, asked: Array, ends: Sequence[int]) -> Array:
        """The rotations asked for with all below ankles and wrists as it was: contacts keep the foot's own motion. They
        are changed themselves where no target is there to be met by what was asked for.
        """
        skeleton = self._motion.skeleton
        below = {joint for end in ends for joint in skeleton.subtree(end)[1:]}
        turned = [joint for turn in self._change.turns for joint in turn.joints if joint in below]
        if not turned:
            return asked
        rotations = np.array(asked) if self._change.targets else asked
        rotations[:, turned] = self._motion.local_rotations[:, turned]
        return rotations

    def _resized(self) -> Motion:
        """The motion with bones of other lengths."""
        if not self._change.lengths:
            return self._motion
        motion = self._motion
        factors = np.ones(len(motion.skeleton))
        for joint, factor in self._change.lengths:
            factors[joint] *= factor
        offsets = motion.local_offsets * factors[:, None]
        skeleton = replace(motion.skeleton, offsets=motion.skeleton.offsets * factors[:, None])
        rest = motion.rest
        if rest is not None:
            rest = replace(rest, local_offsets=rest.local_offsets * factors[:, None])
        return replace(motion, skeleton=skeleton, local_offsets=offsets, rest=rest)

    def _root(self, footings: Sequence[Footing], posed: PosedJoints) -> tuple[Array, Array, list[Sole]]:
        """(F, 3) the root's move, (F,) how much of it is up in flight, and the soles where ground matters (6.6.2)."""
        motion, moments = self._motion, self._moments
        soles = [] if self._same_ground else [Sole.of(motion, footing, self._ground) for footing in footings]
        for footing in footings:
            chosen = [moments.within(one.start, one.stop) for one in footing.contacts]
            footing.turn_contacts(chosen)
        pelvis = motion.skeleton.joint(Role.PELVIS) or 0
        turn = yaw(multiply(posed.rotation(pelvis), conjugate(motion.world.rotations[:, pelvis])))
        way, posed_way = on_floor(motion.world.positions[:, pelvis]), on_floor(posed.position(pelvis))
        shift = shifted_root(way, posed_way, turn, footings, moments, self._quiet, self._tent)
        for n, footing in enumerate(footings):
            if soles:
                places = footing.asked + shift
                places = places + place_contacts(footing, places, moments)
                if footing.name in FEET:
                    soles[n] = tilt_feet(footing, places, soles[n], self._ground, self._edited)
                lift_contacts(footing, places, soles[n], self._edited)
            else:
                footing.lifts = np.zeros(motion.frames)
        rise = risen_root(footings, moments, self._quiet & self._same_ground, self._tent)
        touching = np.zeros(motion.frames, dtype=bool)
        for footing in footings:
            touching |= footing.mask
        by_pose = self._same_ground and not self._change.lengths
        flown = flown_root(self._change.targets, touching, rise if by_pose else np.zeros(motion.frames))
        return np.stack([shift.imag, rise + flown, shift.real], axis=-1), flown, soles

    def _paths(
        self, footings: Sequence[Footing], move: Array, over: Array, flown: Array, soles: Sequence[Sole]
    ) -> list[FootPath]:
        """The ankles' ways (6.6.3). over : (F, 3) what of the root's move leaves contacts in their places."""
        paths = []
        for n, footing in enumerate(footings):
            places = footing.asked + on_floor(move)
            kept = on_floor(over)
            apart = place_contacts(footing, places - kept, self._moments) - np.where(footing.mask, kept, 0.0)
            if len(footing.tilts):
                apart = apart + footing.leans
            heights = footing.asked_heights + move[:, 1]
            path = foot_path(footing, places, heights, apart, flown, self._motion.frame_time_s)
            if soles or np.any(path.led < 1.0):
                sole = soles[n] if soles else Sole.of(self._motion, footing, self._ground)
                floor = floor_under(path.places, path.turns, sole, self._edited)
                waiting = held_back(path, floor, footing, self._motion.frame_time_s)
                if waiting is not path:
                    path, floor = waiting, floor_under(waiting.places, waiting.turns, sole, self._edited)
                heights = cleared(path.heights, floor, footing, self._motion.frame_time_s)
                path = replace(path, heights=heights)
            paths.append(path)
        return paths

    def _reach(self, footing: Footing, path: FootPath, posed: PosedJoints) -> Reach:
        """Where a limb's end goes, in the world."""
        end = footing.limb.end
        turns = multiply(from_axis_angle(_UP, path.turns), self._motion.world.rotations[:, end])
        if len(footing.tilts):
            turns = multiply(from_rotation_vector(footing.tilts), turns)
        free = path.led < 1.0
        if np.any(free):
            turns[free] = slerp(posed.rotation(end)[free], turns[free], path.led[free])
        places = np.stack([path.places.imag, path.heights, path.places.real], axis=-1)
        was = straightness(*(self._motion.world.positions[:, joint] for joint in footing.bends))
        return Reach(footing.bends, places, turns, footing.mask, was)

    def _overridden(
        self, footings: Sequence[Footing], reaches: Sequence[Reach], posed: PosedJoints, move: Array
    ) -> tuple[Override, ...]:
        """Where contacts put feet elsewhere than target poses do. That they are turned elsewhere counts if a pose turns
        the foot itself: otherwise it goes with the leg, which nobody asked for.
        """
        frames = np.array(self._moments.targets, dtype=np.intp)
        turned = {frame: self._change.turned_at(frame) for frame in self._moments.targets}
        found = []
        for footing, reach in zip(footings, reaches, strict=True):
            at = frames[footing.mask[frames]]
            end = footing.limb.end
            distances = np.linalg.norm(reach.places[at] - posed.position(end)[at] - move[at], axis=-1)
            angles = angle_between(reach.turns[at], posed.rotation(end)[at])
            foot = {*self._motion.skeleton.subtree(end)}
            for frame, distance, angle in zip(at.tolist(), distances.tolist(), angles.tolist(), strict=True):
                if not turned[frame] & foot:
                    angle = 0.0
                if distance > _APART_M or angle > _APART_RAD:
                    found.append(Override(footing.name, frame, distance, angle))
        return tuple(found)

    def _lowered(self, lower: Array) -> tuple[Override, ...]:
        """Targets at which the body must be lower (F,) than they have it: feet could not reach the ground beside."""
        return tuple(
            Override(BODY, frame, float(lower[frame]), 0.0)
            for frame in self._moments.targets
            if lower[frame] > _LOWER_M
        )

    def _kept_in_flight(self, footings: Sequence[Footing]) -> tuple[Override, ...]:
        """Targets that would move the body along the ground while nothing touches it."""
        found = []
        for target in self._change.targets:
            away = math.hypot(target.move_m[0], target.move_m[2])
            if footings and away > _APART_M and not any(one.mask[target.frame] for one in footings):
                found.append(Override(FLIGHT, target.frame, away, 0.0))
        return tuple(found)


def _moments(change: PoseChange, frames: int, tent: float) -> tuple[Mask, Moments]:
    """(F,) the frames that no pose changes, and the moments at which the body must fit its contacts.

    Where a fade has ended, and the tent behind it, the motion should be as it was: that is an anchor.
    """
    quiet = np.ones(frames, dtype=bool)
    targets = tuple(sorted({min(max(one.frame, 0), frames - 1) for one in change.targets}))
    if change.lengths:
        return ~quiet, Moments(targets, ())
    spans = _spans(change, frames)
    for start, stop in spans:
        quiet[start:stop] = False
    margin = int(tent) + 1
    anchors = set()
    for start, stop in spans:
        for frame in (start - 1 - margin, stop + margin):
            if 0 <= frame < frames and quiet[frame]:
                anchors.add(frame)
    return quiet, Moments(targets, tuple(sorted(anchors - set(targets))))


def _posed(rotations: Array, turns: Sequence[Turn]) -> Array:
    """Local rotations (F, J, 4) with joints turned."""
    result = np.array(rotations)
    for turn in turns:
        part = slice(turn.start, turn.stop)
        for n, joint in enumerate(turn.joints):
            vectors, own = turn.vectors[:, n], result[part, joint]
            moved = np.any(vectors != 0.0, axis=-1, keepdims=True)  # elsewhere the very numbers stay
            result[part, joint] = np.where(moved, multiply(from_rotation_vector(vectors), own), own)
    return result
