"""Displacement maps: a change laid over a motion, and the difference between two motions.

`apply` is Coleman's D + M (the change acts after the motion, in the parent's frame) and `difference`
his M - M0: `apply(difference(m, m0), m0)` is m. Coleman 2012, section 4.4.
"""

from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array
from model.motion import Motion
from model.rotation import IDENTITY, conjugate, multiply, power
from model.splines import rotation_spline, vector_spline


@dataclass(frozen=True, eq=False)
class Displacement:
    """A change over frames: root translations (F, 3), local rotations (F, J, 4), offsets (F, J, 3) or None.

    One frame of it, with F = 1, is a difference pose.
    """

    root_translations: Array
    local_rotations: Array
    local_translations: Array | None = None


def difference(motion: Motion, base: Motion) -> Displacement:
    """The change that makes `motion` of `base`. Frames and joints must agree."""
    if motion.local_rotations.shape != base.local_rotations.shape:
        raise ValueError(
            f"motion and base differ in frames or joints: {motion.local_rotations.shape[:2]} "
            f"and {base.local_rotations.shape[:2]}"
        )
    translations = None
    if not np.array_equal(motion.local_offsets, base.local_offsets):
        translations = motion.local_offsets - base.local_offsets
    return Displacement(
        motion.root_positions - base.root_positions,
        multiply(motion.local_rotations, conjugate(base.local_rotations)),
        translations,
    )


def apply(displacement: Displacement, base: Motion, strength: Array | float = 1.0) -> Motion:
    """`base` with the change laid over it. strength : () or (F,), 0 none of it and 1 all."""
    amount = np.asarray(strength, dtype=np.float64)
    rotations = displacement.local_rotations
    if amount.ndim or float(amount) != 1.0:
        rotations = power(rotations, amount[..., None])
    offsets = base.local_offsets
    if displacement.local_translations is not None:
        offsets = offsets + amount[..., None, None] * displacement.local_translations
    return replace(
        base,
        root_positions=base.root_positions + amount[..., None] * displacement.root_translations,
        local_rotations=multiply(rotations, base.local_rotations),
        local_offsets=offsets,
    )


def between_poses(knot_frames: Array, knots: Displacement, frames: int, joints: int) -> Displacement:
    """A displacement map that passes through difference poses at given frames, smooth between.

    knot_frames : (K,) rising, may be fractional; knots : K difference poses. Before the first and
    after the last knot their values are held; no knots give no change.
    """
    if len(knot_frames) == 0:
        return Displacement(np.zeros((frames, 3)), np.tile(IDENTITY, (frames, joints, 1)))
    times = np.arange(frames, dtype=np.float64)
    translations = None
    if knots.local_translations is not None:
        translations = vector_spline(knot_frames, knots.local_translations, times)
    return Displacement(
        vector_spline(knot_frames, knots.root_translations, times),
        rotation_spline(knot_frames, knots.local_rotations, times),
        translations,
    )
