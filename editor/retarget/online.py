"""Motion on another body one frame at a time, without looking ahead: for motion that is being made as it is shown.

The same as `carry`, but for what needs the future: a body sinks when a leg is too short the moment it is, and rises
again slowly; feet are held by how near they are to the ground, or as the caller says, who may know of contacts; and
nothing is evened out over time. Park et al. 2002, section 5.4.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import exp, sqrt

import numpy as np

from editor.posing.tuples import Quaternion, Vector, add, length, multiply, rotate, subtract
from editor.retarget.carry import Plan
from editor.retarget.plain import bend_limb, between, conjugate, scaled, unit
from editor.retarget.reaching import (
    DEPTH_ERROR_M,
    DEPTH_GROUND_M,
    FOOT_CARRIES,
    FOOT_FAR,
    FOOT_NEAR,
    HAND_GROUND,
    HAND_HEAD,
    SOFT_M,
    TOES_UP,
    End,
)  # fmt: skip
from model.arrays import Array
from model.contacts import FEET
from model.limbs import SOFT_ANGLE_RAD
from model.motion import Pose

# How slowly a body that sank rises again.
_RISE_S = 0.2
# Bones shorter than this point nowhere.
_SHORTEST_M = 1e-6
_SOFT_COSINE = float(np.cos(SOFT_ANGLE_RAD))
# The axes about which knees and elbows fold in the stance.
_HINGES: dict[str, Vector] = {
    "left_foot": (1.0, 0.0, 0.0),
    "right_foot": (1.0, 0.0, 0.0),
    "left_hand": (0.0, -1.0, 0.0),
    "right_hand": (0.0, 1.0, 0.0),
}


class Retargeter:
    """Puts the frames of a motion on another body, in their order."""

    def __init__(self, plan: Plan, frame_time_s: float, ground_m: float = 0.0, pivot: Array | None = None) -> None:
        """plan : of the two bodies; pivot : (3,) the place about which the way is scaled, the origin if not given."""
        self._plan = plan
        source, target = plan.source, plan.target
        self._parents = target.skeleton.parents
        self._offsets = _vectors(target.skeleton.offsets)
        self._source_parents = source.skeleton.parents
        self._source_offsets = _vectors(source.skeleton.offsets)
        self._needed = self._needed_joints()
        bones = [pair for end in plan.ends if end.source.bends is not None for pair in pairwise(end.source.bends)]
        self._limb_bones = [(one, below) for one, below in bones if self._source_parents[below] == one]
        self._follows: dict[int, list[tuple[int, float, Quaternion]]] = {
            one.joint: [
                (joint, share, conjugate(_quaternion(source.stance[joint])))
                for joint, share in zip(one.sources, one.shares, strict=True)
            ]
            for one in plan.follows
        }
        self._stance = [_quaternion(q) for q in target.stance]
        self._locals = [_quaternion(q) for q in plan.locals]
        self._centre_offset = _vector(target.centre_offset)
        self._hinges = {
            end.name: rotate(conjugate(self._stance[end.target.bends[0]]), _HINGES[end.name])
            for end in plan.ends
            if end.target.bends is not None
        }
        self._feet = {
            end.name: tuple(_vector(v) for v in (end.feet[0].planted, end.feet[1].planted, end.feet[1].ahead))
            for end in plan.ends
            if end.feet is not None
        }
        self._pivot = (0.0, ground_m, 0.0) if pivot is None else (float(pivot[0]), ground_m, float(pivot[2]))
        self._rise = exp(-frame_time_s / _RISE_S)
        self._sink = 0.0

    def frame(
        self,
        root_position: Array,
        local_rotations: Array,
        local_offsets: Array | None = None,
        held: Mapping[str, float] | None = None,
    ) -> Pose:
        """The next frame on the other body.

        root_position : (3,), local_rotations : (S, 4), local_offsets : (S, 3) of the source, its skeleton's if not
        given; held : by limb how surely it rests where it is, 0 to 1, for those of which that is known.
        """
        positions, rotations = self._source_pose(root_position, local_rotations, local_offsets)
        local, world = self._turned(rotations)
        root, places = self._placed(positions, world, local)
        lift = self._lift_on_hands(positions, rotations, places, held or {})
        if lift != 0.0:
            root, places = add(root, (0.0, lift, 0.0)), [add(place, (0.0, lift, 0.0)) for place in places]
        goals, weights = self._goals(positions, rotations, places, world, local, held or {})
        down = self._sunk(places, goals, weights)
        for end in self._plan.ends:
            self._reach(end, places, world, local, goals[end.name], down)
        return Pose(np.array([root[0], root[1] - down, root[2]]), np.array(local), self._plan.target.skeleton.offsets)

    def _needed_joints(self) -> list[int]:
        """The joints of the source that the target follows, or looks at, and those above them."""
        plan, parents = self._plan, self._plan.source.skeleton.parents
        wanted = {joint for one in plan.follows for joint in one.sources} | set(plan.source.centre)
        for end in plan.ends:
            wanted |= {end.source.end, *(end.source.bends or ()), *(end.heads[:1] if end.heads else ())}
        for joint in sorted(wanted, reverse=True):
            while joint >= 0:
                wanted.add(joint)
                joint = parents[joint]
        return sorted(wanted)

    def _source_pose(
        self, root_position: Array, local_rotations: Array, local_offsets: Array | None
    ) -> tuple[dict[int, Vector], dict[int, Quaternion]]:
        """World positions and rotations of the source's joints."""
        local = local_rotations.tolist()
        offsets = self._source_offsets if local_offsets is None else local_offsets.tolist()
        positions: dict[int, Vector] = {}
        rotations: dict[int, Quaternion] = {}
        for joint in self._needed:
            parent = self._source_parents[joint]
            if parent < 0:
                rotations[joint] = local[joint]
                positions[joint] = _vector(root_position) if joint == 0 else offsets[joint]
            else:
                above = rotations[parent]
                rotations[joint] = multiply(above, local[joint])
                positions[joint] = add(positions[parent], rotate(above, offsets[joint]))
        if local_offsets is not None:
            self._point_limbs(positions, rotations)
        return positions, rotations

    def _point_limbs(self, positions: Mapping[int, Vector], rotations: dict[int, Quaternion]) -> None:
        """Turn the joints of arms and legs so that bones of their usual length point where those of the source do."""
        for joint, below in self._limb_bones:
            usual = rotate(rotations[joint], self._source_offsets[below])
            seen = subtract(positions[below], positions[joint])
            if length(seen) > _SHORTEST_M:
                rotations[joint] = multiply(between(usual, seen), rotations[joint])

    def _turned(self, rotations: Mapping[int, Quaternion]) -> tuple[list[Quaternion], list[Quaternion]]:
        """Local and world rotations of the target's joints."""
        local: list[Quaternion] = []
        world: list[Quaternion] = []
        for joint, parent in enumerate(self._parents):
            follows = self._follows.get(joint)
            if follows is None:
                local.append(self._locals[joint])
                world.append(local[joint] if parent < 0 else multiply(world[parent], local[joint]))
                continue
            turn = multiply(rotations[follows[0][0]], follows[0][2])
            if len(follows) > 1:
                turn = _mean(turn, follows, rotations)
            here = multiply(turn, self._stance[joint])
            world.append(here)
            local.append(here if parent < 0 else multiply(conjugate(world[parent]), here))
        return local, world

    def _placed(
        self, positions: Mapping[int, Vector], world: list[Quaternion], local: list[Quaternion]
    ) -> tuple[Vector, list[Vector]]:
        """Where the target's root is, and its joints, before anything reaches."""
        places: list[Vector] = []
        for joint, parent in enumerate(self._parents):
            if parent < 0:
                places.append((0.0, 0.0, 0.0) if joint == 0 else self._offsets[joint])
            else:
                places.append(add(places[parent], rotate(world[parent], self._offsets[joint])))
        pelvis = self._plan.target.pelvis
        hips = self._plan.source.centre
        centre = scaled((sum(positions[j][0] for j in hips), sum(positions[j][1] for j in hips),
                         sum(positions[j][2] for j in hips)), 1.0 / len(hips))  # fmt: skip
        wanted = self._about_pivot(centre)
        root = subtract(subtract(wanted, places[pelvis]), rotate(world[pelvis], self._centre_offset))
        return root, [add(root, place) for place in places]

    def _about_pivot(self, place: Vector) -> Vector:
        """A place of the source, scaled."""
        (x, y, z), (px, py, pz), plan = place, self._pivot, self._plan
        return px + plan.scale * (x - px), py + plan.rise * (y - py), pz + plan.scale * (z - pz)

    def _lift_on_hands(
        self,
        positions: Mapping[int, Vector],
        rotations: Mapping[int, Quaternion],
        places: list[Vector],
        held: Mapping[str, float],
    ) -> float:
        """As `reaching.lift_on_hands`, for one frame."""
        on_feet, total, pull, ground = 0.0, 0.0, 0.0, self._pivot[1]
        for end in self._plan.ends:
            there, resting = positions[end.source.end], held.get(end.name, 0.0)
            if end.feet is not None:
                planted = add(there, rotate(rotations[end.source.end], self._feet[end.name][0]))
                above = planted[1] - end.feet[0].above_m - ground
                on_feet = max(on_feet, _fading(above / end.length_m, *FOOT_CARRIES), resting)
            else:
                weight = max(_fading((there[1] - ground) / end.length_m, *HAND_GROUND), resting)
                pull += weight * (self._about_pivot(there)[1] - places[end.target.end][1])
                total += weight
        return (1.0 - on_feet) * pull / max(total, 1.0)

    def _goals(
        self,
        positions: Mapping[int, Vector],
        rotations: Mapping[int, Quaternion],
        places: list[Vector],
        world: list[Quaternion],
        local: list[Quaternion],
        held: Mapping[str, float],
    ) -> tuple[dict[str, Vector], dict[str, float]]:
        """Where ankles and wrists go, and how much that matters for feet. Toes that must are bent in `local`."""
        goals: dict[str, Vector] = {}
        weights: dict[str, float] = {}
        hands = {end.name: end for end in self._plan.ends if end.feet is None}
        for end in self._plan.ends:
            if end.feet is None:
                (other,) = (name for name in _HINGES if name not in FEET and name != end.name)
                goals[end.name] = self._hand(end, hands.get(other), positions, places, held.get(end.name, 0.0))
            else:
                goals[end.name], weights[end.name] = self._foot(
                    end, positions, rotations, places, world, local, held.get(end.name, 0.0)
                )
        return goals, weights

    def _foot(
        self,
        end: End,
        positions: Mapping[int, Vector],
        rotations: Mapping[int, Quaternion],
        places: list[Vector],
        world: list[Quaternion],
        local: list[Quaternion],
        held: float,
    ) -> tuple[Vector, float]:
        """As `reaching._add_foot`, for one frame."""
        assert end.feet is not None
        theirs, ours = end.feet
        rise, ground = self._plan.rise, self._pivot[1]
        their_point, our_point, ahead = self._feet[end.name]
        ankle, turn = places[end.target.end], world[end.target.end]
        planted = add(positions[end.source.end], rotate(rotations[end.source.end], their_point))
        above = planted[1] - theirs.above_m - ground
        weight = max(_fading(above / end.length_m, FOOT_NEAR, FOOT_FAR), held)
        reached = rotate(turn, our_point)
        toes_up = _soft_positive(rotate(turn, ahead)[1], TOES_UP) - 0.25 * TOES_UP
        lift = ours.above_m - rise * theirs.above_m + (ours.ahead_m - rise * theirs.ahead_m) * toes_up
        wanted = add(self._about_pivot(planted), (0.0, lift, 0.0))
        place = add(ankle, scaled(subtract(subtract(wanted, reached), ankle), weight))
        depth = max(-above, 0.0) * (1.0 - _fading(-above, DEPTH_ERROR_M, DEPTH_GROUND_M))
        floor = ground - rise * depth
        place = add(place, (0.0, _soft_positive(floor - place[1] - min(reached[1], 0.0), SOFT_M), 0.0))
        if end.target.toe is not None and ours.toe_tip is not None:
            self._lift_toe(end.target.toe, _vector(ours.toe_tip), floor - place[1] - reached[1], world, local)
        return place, max(_fading(above / end.length_m, *FOOT_CARRIES), held)

    def _lift_toe(self, toe: int, tip: Vector, room: float, world: list[Quaternion], local: list[Quaternion]) -> None:
        """Bend a toe up whose tip would be under the floor; `local` is changed."""
        bone = rotate(world[toe], tip)
        deep = _soft_positive(room - bone[1], SOFT_M)
        if deep <= 0.0:
            return
        size = length(tip)
        high = max(-size, min(size, bone[1] + deep))
        flat = sqrt(max(size * size - high * high, 0.0)) / max(sqrt(bone[0] ** 2 + bone[2] ** 2), 1e-9)
        turned = multiply(between(bone, (bone[0] * flat, high, bone[2] * flat)), world[toe])
        local[toe] = multiply(conjugate(world[self._parents[toe]]), turned)

    def _hand(
        self, end: End, mirror: End | None, positions: Mapping[int, Vector], places: list[Vector], held: float
    ) -> Vector:
        """As `reaching.hand_goal`, for one frame."""
        here, there = places[end.target.end], positions[end.source.end]
        total = max(_fading((there[1] - self._pivot[1]) / end.length_m, *HAND_GROUND), held)
        pull = scaled(subtract(self._about_pivot(there), here), total)
        if mirror is not None:
            apart = subtract(there, positions[mirror.source.end])
            weight = _fading(length(apart) / end.length_m, *end.meeting)
            middle = scaled(add(here, places[mirror.target.end]), 0.5)
            pull = add(pull, scaled(subtract(add(middle, scaled(apart, 0.5 * end.scale)), here), weight))
            total += weight
        if end.heads is not None:
            apart = subtract(there, positions[end.heads[0]])
            weight = _fading(length(apart) / end.length_m, *HAND_HEAD)
            pull = add(pull, scaled(subtract(add(places[end.heads[1]], scaled(apart, end.scale)), here), weight))
            total += weight
        return add(here, scaled(pull, 1.0 / max(total, 1.0)))

    def _sunk(self, places: list[Vector], goals: Mapping[str, Vector], weights: Mapping[str, float]) -> float:
        """By how much the body is lower, for its legs to reach: at once, and slowly less."""
        wanted = 0.0
        for end in self._plan.ends:
            if end.feet is not None and end.target.bends is not None:
                wanted = max(wanted, weights[end.name] * _missing(places, end.target.bends, goals[end.name]))
        self._sink = max(wanted, self._sink * self._rise)
        return self._sink

    def _reach(
        self,
        end: End,
        places: list[Vector],
        world: list[Quaternion],
        local: list[Quaternion],
        goal: Vector,
        down: float,
    ) -> None:
        """Bend a limb to its goal; the end keeps how it is turned in the world. `local` is changed."""
        assert end.target.bends is not None
        root, middle, last = end.target.bends
        drop = (0.0, -down, 0.0)
        if down == 0.0 and goal == places[last]:
            return
        upper, lower = bend_limb(
            add(places[root], drop), add(places[middle], drop), add(places[last], drop), goal,
            rotate(world[root], self._hinges[end.name]),
        )  # fmt: skip
        parents = self._parents
        above = world[parents[root]] if parents[root] >= 0 else (1.0, 0.0, 0.0, 0.0)
        local[root] = multiply(conjugate(above), multiply(upper, world[root]))
        local[middle] = multiply(conjugate(multiply(upper, world[parents[middle]])), multiply(lower, world[middle]))
        local[last] = multiply(conjugate(multiply(lower, world[parents[last]])), world[last])


def _missing(places: list[Vector], joints: tuple[int, int, int], goal: Vector) -> float:
    """How much lower the hip must be for its leg to reach, no straighter than it was or 170 degrees."""
    hip, knee, ankle = (places[joint] for joint in joints)
    if goal[1] >= hip[1]:
        return 0.0
    a, b = length(subtract(knee, hip)), length(subtract(ankle, knee))
    longest = max(sqrt(a * a + b * b - 2.0 * a * b * _SOFT_COSINE), length(subtract(ankle, hip)))
    across = (goal[0] - hip[0]) ** 2 + (goal[2] - hip[2]) ** 2
    return max(hip[1] - goal[1] - sqrt(max(longest * longest - across, 0.0)), 0.0)


def _mean(
    first: Quaternion, follows: list[tuple[int, float, Quaternion]], rotations: Mapping[int, Quaternion]
) -> Quaternion:
    """The mean of what several joints have turned by since their stance, `first` being the first of them."""
    share = follows[0][1]
    w, x, y, z = (share * value for value in first)
    for joint, share, stance in follows[1:]:
        turn = multiply(rotations[joint], stance)
        alike = turn[0] * first[0] + turn[1] * first[1] + turn[2] * first[2] + turn[3] * first[3]
        share = share if alike >= 0.0 else -share
        w, x, y, z = w + share * turn[0], x + share * turn[1], y + share * turn[2], z + share * turn[3]
    return unit((w, x, y, z))


def _fading(distance: float, near: float, far: float) -> float:
    """1 up to the distance `near`, fading smoothly to 0 at `far`."""
    x = (far - distance) / (far - near)
    if x <= 0.0:
        return 0.0
    return 1.0 if x >= 1.0 else x * x * x * (x * (6.0 * x - 15.0) + 10.0)


def _soft_positive(x: float, soft: float) -> float:
    """x where it is positive and 0 elsewhere, without a corner between."""
    if x <= -soft:
        return 0.0
    return x if x >= soft else (x + soft) ** 2 / (4.0 * soft)


def _vector(v: Array) -> Vector:
    return float(v[0]), float(v[1]), float(v[2])


def _vectors(rows: Array) -> list[Vector]:
    return [_vector(row) for row in rows]


def _quaternion(q: Array) -> Quaternion:
    return float(q[0]), float(q[1]), float(q[2]), float(q[3])
