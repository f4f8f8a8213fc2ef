"""How far an edit reaches: how strongly, on which joints, when. The same for every edit."""

from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array
from model.contacts import Contacts, Mask, intervals
from model.motion import Motion
from model.rotation import slerp
from model.skeleton import JointRef, Skeleton
from model.type_hints import fit_fields, require_finite


@dataclass(frozen=True)
class Scope:
    """strength : 0 nothing of it, 1 all; joints : None for all; start_s, stop_s : source time, None for open ends;
    ease_s : over how long it fades in before start_s and out after stop_s.
    """

    strength: float = 1.0
    joints: tuple[JointRef, ...] | None = None
    start_s: float | None = None
    stop_s: float | None = None
    ease_s: float = 0.25

    def __post_init__(self) -> None:
        fit_fields(self)
        for name in ("start_s", "stop_s", "ease_s"):
            require_finite(getattr(self, name), name)
        if not 0.0 <= self.strength <= 1.0:
            raise ValueError(f"strength is {self.strength}; it must be 0 to 1")
        if self.ease_s < 0.0:
            raise ValueError(f"ease_s is {self.ease_s}; it must be 0 or more seconds")
        if self.start_s is not None and self.stop_s is not None and not self.start_s <= self.stop_s:
            raise ValueError(f"start_s is {self.start_s}, stop_s {self.stop_s}; a range must not run backwards")

    @property
    def is_everything(self) -> bool:
        """Whether an edit acts fully, everywhere and always."""
        return self.strength == 1.0 and self.joints is None and self.start_s is None and self.stop_s is None

    @property
    def is_nothing(self) -> bool:
        """Whether an edit has no effect at all."""
        return self.strength == 0.0 or self.joints == ()

    def weights(self, source_times_s: Array) -> Array:
        """(F,) how strongly the edit acts at moments of the source."""
        weights = np.full(source_times_s.shape, self.strength)
        if self.start_s is not None:
            weights *= _eased(source_times_s - self.start_s, self.ease_s)
        if self.stop_s is not None:
            weights *= _eased(self.stop_s - source_times_s, self.ease_s)
        return weights

    def joints_of(self, skeleton: Skeleton) -> Mask:
        """(J,) which joints of a skeleton the edit acts on."""
        if self.joints is None:
            return np.ones(len(skeleton), dtype=bool)
        mask = np.zeros(len(skeleton), dtype=bool)
        for ref in self.joints:
            joint = skeleton.resolve(ref)
            if joint is not None:
                mask[joint] = True
        return mask


EVERYTHING = Scope()


def _eased(inside_s: Array, ease_s: float) -> Array:
    """1 where `inside_s` is 0 or more, fading to 0 at -ease_s."""
    if ease_s == 0.0:
        return (inside_s >= 0.0).astype(np.float64)
    x = np.clip(1.0 + inside_s / ease_s, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def blended_motion(before: Motion, after: Motion, weights: Array, joints: Mask) -> Motion:
    """`before` turned into `after` by weights (F,), for the joints of a mask (J,). Frames and skeleton must agree.

    Where the weight is 0 the numbers are those of `before`, where it is 1 those of `after`, to the last bit. The root's
    place goes with the first joint.
    """
    if before.local_rotations.shape != after.local_rotations.shape:
        raise ValueError("before and after must have the same frames and joints")
    rotations = np.array(before.local_rotations)
    full, part = weights == 1.0, (weights > 0.0) & (weights < 1.0)
    np.copyto(rotations, after.local_rotations, where=(full[:, None] & joints)[..., None])
    if np.any(part):
        some = np.ix_(part, joints)
        rotations[some] = slerp(before.local_rotations[some], after.local_rotations[some], weights[part, None])
    roots, offsets = before.root_positions, before.local_offsets
    if joints[0]:
        roots = _mixed(before.root_positions, after.root_positions, weights[:, None])
    if not np.array_equal(before.local_offsets, after.local_offsets):
        amount = weights[:, None, None] * joints[:, None]
        offsets = _mixed(
            np.broadcast_to(before.local_offsets, (*rotations.shape[:2], 3)),
            np.broadcast_to(after.local_offsets, (*rotations.shape[:2], 3)),
            amount,
        )
    return replace(after, root_positions=roots, local_rotations=rotations, local_offsets=offsets)


def _mixed(before: Array, after: Array, weights: Array) -> Array:
    """Between the two, exactly either at weights 0 and 1."""
    mixed = before + weights * (after - before)
    return np.where(weights == 0.0, before, np.where(weights == 1.0, after, mixed))


def blended_contacts(before: Contacts, after: Contacts, weights: Array) -> Contacts:
    """The contacts of `after` where it counts for more than half, else those of `before`. weights : (F,)."""
    later = weights > 0.5
    limbs = {
        name: intervals(np.where(later, after.mask(name), before.mask(name)))
        for name in dict.fromkeys((*before.limbs, *after.limbs))
    }
    return Contacts(before.frames, limbs, after.ground_m if np.any(later) else before.ground_m)
