"""How the body gives way: turns of the trunk and a move of the pelvis, the least that lets every limb reach.

A limb does not care how the body gets there: it needs its upper joint no farther from its goal than it is long. So
arms and legs stay out of this; what is left is a small problem with few unknowns. The handle is led to its goal in
some strides along a straight line; each makes the smallest turns and moves, weighed by how easily they are made, that
bring it on and keep what must be kept (damped least squares: Wampler 1986; Nakamura and Hanafusa 1986). One minimum
over the whole way would be no better and would jump: a spine that is pressed buckles this way or that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from editor.posing.body import ancestors
from editor.posing.pose import Pose
from editor.posing.tuples import (
    Quaternion,
    Vector,
    add,
    cross,
    from_rotation_vector,
    length,
    multiply,
    rotate,
    subtract,
)
from model.arrays import Array
from model.contacts import Mask

# How much a stride spares the unknowns, in square metres: for what must be; for wishes, and for each metre that it
# wants. The last bounds the force on the body: one that pins hold back comes to rest and does not swing about them.
_HARD, _SOFT, _PER_METRE = 1e-9, 1e-5, 0.05
# ... and at least so many times the square of how easily the root moves.
_PER_EASE = 1.2
# In how many strides the goal is reached, and how many more make up for what was not straight; then pins alone. Arms
# that are straight and pinned on both sides leave hardly any room, and it takes long to find back into it.
_STRIDES, _MORE, _LAST = 8, 5, 40
# A stride is no longer than so many times its share of the way: what is out of reach is not jumped at.
_LONGEST = 1.5
_DONE_M = 1e-7
_AXES: tuple[Vector, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Turning:
    """A joint that may turn. ease_rad : how easily; limit_rad : how far at most."""

    joint: int
    ease_rad: float
    limit_rad: float


@dataclass(frozen=True)
class Wish:
    """Where a joint should be: between low_m and high_m from a place in the world; must : before all that need not."""

    joint: int
    place: Vector
    low_m: float = 0.0
    high_m: float = 0.0
    must: bool = True


@dataclass(frozen=True)
class _Row:
    """A condition on the unknowns to first order: value + gradient (x' - x) <= 0, or = 0."""

    value: float
    gradient: list[float]
    equal: bool
    must: bool

    @property
    def is_met(self) -> bool:
        return self.value < _DONE_M and (not self.equal or self.value > -_DONE_M)


def settle(pose: Pose, turnings: Sequence[Turning], move_ease_m: float, wishes: Sequence[Wish]) -> Pose:
    """The pose with the least turns of some joints, and move of its root, for which the wishes hold as far as possible.

    move_ease_m : how easily the root moves, 0 for not at all.
    """
    if not wishes or not (turnings or move_ease_m):
        return pose
    problem = _Problem(pose, turnings, move_ease_m, wishes)
    unknowns = np.zeros(3 + 3 * len(turnings))
    rows = problem.rows(unknowns)
    if all(row.is_met for row in rows):
        return pose
    shares = [_LONGEST / _STRIDES * max(abs(row.value), 1e-3) for row in rows]
    for stride in range(_STRIDES + _MORE):
        left = max(_STRIDES - stride, 1)
        values = [
            row.value if row.must else min(max(row.value / left, -share), share)
            for row, share in zip(rows, shares, strict=True)
        ]
        unknowns = unknowns - problem.eases * _pull(rows, values, problem.eases)
        rows = problem.rows(unknowns)
        if left == 1 and all(row.is_met for row in rows):
            break
    for _ in range(_LAST):
        musts = [row for row in rows if row.must and not row.is_met]
        if not musts:
            break
        unknowns = unknowns - problem.eases * _pull(musts, [row.value for row in musts], problem.eases)
        rows = problem.rows(unknowns)
    return problem.posed(unknowns)


def _pull(rows: list[_Row], values: list[float], eases: Array) -> Array:
    """How the rows together pull at the unknowns so that each changes by its value, inequalities only if they must.

    There is one force a row, which may only pull where the row is an inequality; which of them do is found by trying.
    """
    gradients, wanted = np.array([row.gradient for row in rows]), np.array(values)
    matrix = (gradients * eases) @ gradients.T
    bound = max(_PER_METRE, _PER_EASE * float(eases[0])) if any(row.must for row in rows) else 0.0
    spared = [_HARD if row.must else _SOFT + bound * abs(value) for row, value in zip(rows, values, strict=True)]
    matrix[np.diag_indices(len(rows))] += spared
    equal = np.array([row.equal for row in rows])
    return np.asarray(gradients.T @ _forces(matrix, wanted, equal))


def _forces(matrix: Array, wanted: Array, equal: Mask) -> Array:
    """The forces f (N,) for which matrix f = wanted, but f >= 0 and matrix f >= wanted where rows are inequalities.

    Which of them pull is found by block principal pivoting: all that are wrong change at once while that helps, then
    one at a time, which always ends (Judice and Pires 1994). The matrix is positive definite: there is one answer.
    """
    active = equal | (wanted > 0.0)
    fewest, patience = len(wanted) + 1, 3
    forces = np.zeros(len(wanted))
    for _ in range(40):
        chosen = np.flatnonzero(active)
        forces = np.zeros(len(wanted))
        if len(chosen) == 1:
            forces[chosen] = wanted[chosen] / matrix[chosen, chosen]
        elif len(chosen):
            forces[chosen] = np.linalg.solve(matrix[chosen[:, None], chosen], wanted[chosen])
        wrong = np.flatnonzero(~equal & np.where(active, forces < 0.0, wanted - matrix @ forces > 1e-12))
        if not len(wrong):
            break
        if len(wrong) < fewest:
            fewest, patience = len(wrong), 3
        elif patience:
            patience -= 1
        else:
            wrong = wrong[-1:]
        active[wrong] = ~active[wrong]
    return np.where(equal, forces, np.maximum(forces, 0.0))


class _Problem:
    """The unknowns are the root's move, then for each turning a vector in its parent's frame, which its limit bends."""

    def __init__(self, pose: Pose, turnings: Sequence[Turning], move_ease_m: float, wishes: Sequence[Wish]) -> None:
        self._pose, self._turnings, self._wishes = pose, turnings, wishes
        self._above = [set(ancestors(pose.skeleton, wish.joint)) for wish in wishes]
        needed = set().union(*self._above, {wish.joint for wish in wishes})
        self._joints = sorted(needed)
        self._local = pose.local_rotations.tolist()
        self._offsets = pose.local_offsets.tolist()
        self._root: Vector = tuple(pose.root_position.tolist())
        self._place = {turning.joint: n for n, turning in enumerate(turnings)}
        self.eases = np.repeat([move_ease_m**2, *(turning.ease_rad**2 for turning in turnings)], 3)
        self._limits = [turning.limit_rad for turning in turnings]

    def turns(self, unknowns: Array) -> list[Vector]:
        """For each turning its rotation vector: the unknown's, bent to stay within the limit."""
        return [turn for _, _, _, turn in self._bends(unknowns)]

    def rows(self, unknowns: Array) -> list[_Row]:
        """Every wish as conditions, about the unknowns as they are."""
        bends = self._bends(unknowns)
        positions, above = self._forward(unknowns, [turn for _, _, _, turn in bends])
        rows = []
        for wish, carried in zip(self._wishes, self._above, strict=True):
            apart = subtract(positions[wish.joint], wish.place)
            size = length(apart)
            if wish.high_m == 0.0:
                for axis, direction in enumerate(_AXES):
                    gradient = self._gradient(wish.joint, carried, direction, positions, above, bends)
                    rows.append(_Row(apart[axis], gradient, True, wish.must))
                continue
            x, y, z = apart
            size = max(size, 1e-9)
            gradient = self._gradient(wish.joint, carried, (x / size, y / size, z / size), positions, above, bends)
            rows.append(_Row(size - wish.high_m, gradient, False, wish.must))
            if wish.low_m > 0.0:
                rows.append(_Row(wish.low_m - size, [-one for one in gradient], False, wish.must))
        return rows

    def posed(self, unknowns: Array) -> Pose:
        """The pose that the unknowns make."""
        rotations = np.array(self._pose.local_rotations)
        for turning, vector in zip(self._turnings, self.turns(unknowns), strict=True):
            if any(vector):
                rotations[turning.joint] = multiply(from_rotation_vector(vector), self._local[turning.joint])
        return self._pose.with_rotations(rotations, self._pose.root_position + unknowns[:3])

    def _forward(self, unknowns: Array, vectors: list[Vector]) -> tuple[dict[int, Vector], dict[int, Quaternion]]:
        """Where the joints are that matter, and how the parent of each is turned."""
        move: Vector = tuple(unknowns[:3].tolist())
        positions: dict[int, Vector] = {}
        rotations: dict[int, Quaternion] = {-1: (1.0, 0.0, 0.0, 0.0)}
        above: dict[int, Quaternion] = {}
        for joint in self._joints:
            parent = self._pose.skeleton.parents[joint]
            above[joint] = rotations[parent]
            local = self._local[joint]
            if joint in self._place:
                local = multiply(from_rotation_vector(vectors[self._place[joint]]), local)
            if parent < 0:
                positions[joint] = add(self._root, move) if joint == 0 else self._offsets[joint]
            else:
                positions[joint] = add(positions[parent], rotate(rotations[parent], self._offsets[joint]))
            rotations[joint] = multiply(rotations[parent], local)
        return positions, above

    def _bends(self, unknowns: Array) -> list[tuple[float, float, Vector, Vector]]:
        """How turns follow their unknowns: d turn = (a - b u u^T) du, for each turning a, b, u and the turn."""
        bends = []
        for vector, limit in zip(unknowns[3:].reshape(-1, 3).tolist(), self._limits, strict=True):
            x, y, z = vector
            root = sqrt(1.0 + (x * x + y * y + z * z) / limit**2)
            bends.append((1.0 / root, 1.0 / (limit**2 * root**3), (x, y, z), (x / root, y / root, z / root)))
        return bends

    def _gradient(
        self,
        joint: int,
        carried: set[int],
        direction: Vector,
        positions: dict[int, Vector],
        above: dict[int, Quaternion],
        bends: list[tuple[float, float, Vector, Vector]],
    ) -> list[float]:
        """How far a joint goes in a direction for each of the unknowns."""
        # A thing with a root of its own does not go with the body.
        gradient = [*direction] if joint == 0 or 0 in carried else [0.0, 0.0, 0.0]
        for turning, (a, b, u, turned) in zip(self._turnings, bends, strict=True):
            if turning.joint not in carried:
                gradient += (0.0, 0.0, 0.0)
                continue
            w, x, y, z = above[turning.joint]
            lever = cross(subtract(positions[joint], positions[turning.joint]), direction)
            lx, ly, lz = rotate((w, -x, -y, -z), lever)
            lx, ly, lz = _through_turn(turned, (lx, ly, lz))
            inward = b * (lx * u[0] + ly * u[1] + lz * u[2])
            gradient += (a * lx - inward * u[0], a * ly - inward * u[1], a * lz - inward * u[2])
        return gradient


def _through_turn(turn: Vector, lever: Vector) -> Vector:
    """What a turning moment on a joint is to its rotation vector: by the transposed left Jacobian of the exponential
    map, l - (1 - cos a) / a^2 t x l + (a - sin a) / a^3 t x (t x l)."""
    square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]
    first, second = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0  # turns are small enough for two terms
    once = cross(turn, lever)
    twice = cross(turn, once)
    return (
        lever[0] - first * once[0] + second * twice[0],
        lever[1] - first * once[1] + second * twice[1],
        lever[2] - first * once[2] + second * twice[2],
    )
