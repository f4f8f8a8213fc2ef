"""The shape of a body: the rounded parts that stand for the bones of a skeleton, as arrays."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from model.arrays import Array, IntArray
from model.motion import Motion
from model.roles import Role
from model.skeleton import Skeleton
from widgets.viewport.modelling import CENTRE, LEFT, RIGHT
from widgets.viewport.person import Person


@dataclass(frozen=True, eq=False)
class Body:
    """The parts of a skeleton as arrays; P parts.

    joints : (P,) whose rotation moves the part; anchors_* : (2 P,) starts, then ends; sides : (P, 3) in the joint's
    frame; shapes : (P, 10) as of `Solids`; paints : (P,) LEFT, RIGHT or CENTRE; joint_paints : (J,).
    """

    joints: IntArray
    anchors_a: IntArray
    anchors_b: IntArray
    anchor_parts: Array
    anchor_offsets: Array
    sides: Array
    shapes: Array
    paints: IntArray
    joint_paints: IntArray


def make_body(motion: Motion) -> Body:
    """The body that moves in a motion. What the rest pose does not tell is judged from some of its frames."""
    maker = Person(motion, joint_sides(motion.skeleton))
    parts = maker.parts()
    anchors = [part.start for part in parts] + [part.end for part in parts]
    return Body(
        _ints(part.joint for part in parts),
        _ints(anchor.a for anchor in anchors),
        _ints(anchor.b for anchor in anchors),
        np.array([anchor.part for anchor in anchors]).reshape(-1, 1),
        np.array([anchor.offset for anchor in anchors]).reshape(-1, 3),
        np.array([part.side for part in parts]).reshape(-1, 3),
        np.array([part.shape for part in parts]).reshape(-1, 10),
        _ints(part.paint for part in parts),
        maker.paints,
    )


def joint_sides(skeleton: Skeleton) -> IntArray:
    """(J,) LEFT for the left arm and leg and all below, RIGHT for the right, CENTRE for the rest."""
    sides: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        role = skeleton.roles[joint]
        above = sides[parent] if parent >= 0 else CENTRE
        if role is None or role in (Role.LEFT_CLAVICLE, Role.RIGHT_CLAVICLE):
            sides.append(above)
        else:
            sides.append(LEFT if role.startswith("left_") else RIGHT if role.startswith("right_") else CENTRE)
    return _ints(sides)


def _ints(values: Iterable[int]) -> IntArray:
    return np.array(list(values), dtype=np.intp)
