"""A skeleton in its stance, measured: how high its hips are, how long its limbs, on which points its feet stand."""

from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import Limb, find_limb, tip_offset
from editor.retarget.stance import stance_positions
from model.arrays import Array
from model.contacts import FEET, HANDS
from model.roles import Role
from model.rotation import conjugate, rotate
from model.skeleton import Skeleton

# Bodies lower than this are none.
_LOWEST_M = 1e-3


@dataclass(frozen=True, eq=False)
class Foot:
    """What is known of a foot.

    planted : (3,) the point that stays in place while the foot rolls, in the ankle's frame: the toe joint, else the
    tip, else the ankle; above_m, ahead_m : how far it is over the sole and before the ankle in the stance; ahead :
    (3,) where the foot points then, in the ankle's frame; toe_tip : (3,) the tip in the frame of a toe that can bend,
    else None.
    """

    limb: Limb
    planted: Array
    above_m: float
    ahead_m: float
    ahead: Array
    toe_tip: Array | None


@dataclass(frozen=True, eq=False)
class Body:
    """stance : (J, 4) world rotations; centre : the joints between which the body's centre lies, its hips if there are
    such; centre_offset : (3,) that in the pelvis' frame; height_m : its height over the soles; lengths_m : of arms and
    legs, by the names of hands and feet.
    """

    skeleton: Skeleton
    stance: Array
    pelvis: int
    centre: tuple[int, ...]
    centre_offset: Array
    height_m: float
    feet: dict[str, Foot]
    lengths_m: dict[str, float]

    @staticmethod
    def of(skeleton: Skeleton, stance: Array) -> "Body":
        """Measure a skeleton that has a pelvis."""
        positions = stance_positions(skeleton, stance)
        pelvis = skeleton.joint(Role.PELVIS)
        assert pelvis is not None
        hips = [skeleton.joint(Role.LEFT_HIP), skeleton.joint(Role.RIGHT_HIP)]
        centre = tuple(joint for joint in hips if joint is not None) if None not in hips else (pelvis,)
        middle = np.mean(positions[list(centre)], axis=0)
        feet, soles, lengths = {}, [], {}
        for name in (*FEET, *HANDS):
            limb = find_limb(skeleton, name)
            if limb is None:
                continue
            if limb.bends is not None:
                lengths[name] = float(np.sum(np.linalg.norm(np.diff(positions[list(limb.bends)], axis=0), axis=-1)))
            if name in FEET:
                feet[name], lowest = _foot(skeleton, stance, positions, limb)
                soles.append(lowest)
        height = middle[1] - np.mean(soles) if soles else np.max(positions[:, 1]) - middle[1]
        return Body(
            skeleton,
            stance,
            pelvis,
            centre,
            rotate(conjugate(stance[pelvis]), middle - positions[pelvis]),
            max(float(height), _LOWEST_M),
            feet,
            lengths,
        )


def _foot(skeleton: Skeleton, stance: Array, positions: Array, limb: Limb) -> tuple[Foot, float]:
    """A foot, and how high its lowest point is in the stance."""
    ankle, tip = positions[limb.end], tip_offset(skeleton, limb)
    last = limb.end if limb.toe is None else limb.toe
    points = [ankle]
    if limb.toe is not None:
        points.append(positions[limb.toe])
    if tip is not None:
        points.append(positions[last] + rotate(stance[last], tip))
    lowest = float(min(point[1] for point in points))
    planted = points[1] if limb.toe is not None else points[-1]
    back = conjugate(stance[limb.end])
    bends = limb.toe is not None and tip is not None and float(np.linalg.norm(tip)) > 1e-4
    foot = Foot(
        limb,
        rotate(back, planted - ankle),
        float(planted[1]) - lowest,
        float(planted[2] - ankle[2]),
        rotate(back, np.array([0.0, 0.0, 1.0])),
        tip if bends else None,
    )
    return foot, lowest
