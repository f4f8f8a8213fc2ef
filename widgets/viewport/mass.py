"""The centre of mass of a body, from published shares of its segments.

Masses and centres: Winter 2009, Biomechanics and Motor Control of Human Movement, table 4.1 (after Dempster).
"""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.roles import Role
from model.skeleton import Skeleton


@dataclass(frozen=True)
class _Segment:
    """Share of the mass, and how far its centre is from the first joints' middle to the last ones' middle."""

    mass: float
    centre: float
    first: tuple[Role, ...]
    last: tuple[Role, ...]


def _segments() -> tuple[_Segment, ...]:
    trunk = _Segment(
        0.497, 0.5, (Role.LEFT_HIP, Role.RIGHT_HIP), (Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER)
    )  # fmt: skip
    found = [trunk, _Segment(0.081, 1.0, (Role.NECK,), (Role.HEAD,))]
    for side in ("LEFT", "RIGHT"):
        for mass, centre, first, last in (
            (0.028, 0.436, "SHOULDER", "ELBOW"),
            (0.016, 0.430, "ELBOW", "WRIST"),
            (0.006, 0.0, "WRIST", "WRIST"),  # rigs differ in how far their hands reach
            (0.100, 0.433, "HIP", "KNEE"),
            (0.0465, 0.433, "KNEE", "ANKLE"),
            (0.0145, 0.5, "ANKLE", "TOE"),
        ):
            found.append(_Segment(mass, centre, (Role[f"{side}_{first}"],), (Role[f"{side}_{last}"],)))
    return tuple(found)


_SEGMENTS = _segments()
# Of less of the body than this the centre would say nothing.
_ENOUGH = 0.8


def joint_masses(skeleton: Skeleton) -> Array | None:
    """(J,) how much each joint counts for the centre of mass, together one; None where too few roles are known."""
    shares = np.zeros(len(skeleton))
    for segment in _SEGMENTS:
        first, last = ([skeleton.joint(role) for role in roles] for roles in (segment.first, segment.last))
        if None in last:  # a foot without toes, a head that is only a neck
            last = first
        if None in first:
            continue
        for joints, part in ((first, 1.0 - segment.centre), (last, segment.centre)):
            for joint in joints:
                assert joint is not None
                shares[joint] += segment.mass * part / len(joints)
    total = float(np.sum(shares))
    return shares / total if total >= _ENOUGH else None


def centre_of_mass(masses: Array, positions: Array) -> Array:
    """(..., 3) the centre of joints at (..., J, 3) with shares (J,) of the mass."""
    return np.asarray(np.einsum("j,...jc->...c", masses, positions))
