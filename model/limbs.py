"""Two-bone limbs: bend a leg or an arm so that its end meets a target. The one place that does it.

Closed form and vectorised over frames. The limb keeps the plane it bends in. Near full extension it
may stretch by a fraction of a per cent instead of snapping straight: a knee within a few degrees of
straight turns arbitrarily fast for a small move of the ankle (Kovar et al. 2002; Coleman 2012, 6.6.4).
"""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.kinematics import WorldPose
from model.rotation import IDENTITY, between, conjugate, from_axis_angle, multiply, perpendicular, rotate

# The inner angle of the middle joint from which stretching sets in, and which bending never passes.
SOFT_ANGLE_RAD = np.radians(170.0)
LIMIT_ANGLE_RAD = np.radians(175.0)
# Bent less than the first a limb folds as its hinge does, bent more than the second in its own plane.
_NEARLY_STRAIGHT_RAD = np.radians([10.0, 25.0])
# How much longer a limb may become.
MAX_STRETCH = 0.005


@dataclass(frozen=True, eq=False)
class LimbSolution:
    """How to turn a limb, in world space.

    upper, lower : (..., 4) world rotations to apply after those of the upper and lower bone;
    stretch : (...) factor on the length of both bones, 1 or slightly above; end : (..., 3) where the
    limb's end then is: the target, unless that is out of reach.
    """

    upper: Array
    lower: Array
    stretch: Array
    end: Array


def solve_limb(
    root: Array,
    middle: Array,
    end: Array,
    target: Array,
    bend_axis: Array | None = None,
    max_stretch: float = MAX_STRETCH,
    centre: Array | None = None,
) -> LimbSolution:
    """Bend a limb so that its end meets the target.

    root, middle, end : (..., 3) present world positions of hip, knee and ankle (or shoulder, elbow,
    wrist); target : (..., 3). bend_axis : (..., 3) world axis about which a straight limb bends, or one
    pressed a little past straight, pointing so that the middle joint's fold is a positive turn of the lower
    bone; without it the limb bends as it is bent, a straight one about some perpendicular. A limb already
    straighter than the limits keeps its own angle as limit. A limb whose end is at its target is not touched at
    all, to the last bit.

    centre : (..., 3) the world direction about which the limb usually moves. Without it the limb swings the shortest
    way, and about its own line as it happens to come: an arm that hangs turns right round when its target passes
    overhead. With it, how it lies depends on where the target is, smoothly everywhere but straight opposite of the
    centre.
    """
    upper_bone, lower_bone = middle - root, end - middle
    upper_length, lower_length = _length(upper_bone), _length(lower_bone)
    reach = target - root
    wanted = _length(reach)
    present = _length(end - root)

    # Distances from root to end at the soft and hard limits, never stricter than the present pose.
    soft = np.maximum(_span(upper_length, lower_length, SOFT_ANGLE_RAD), present)
    hard = np.maximum(_span(upper_length, lower_length, LIMIT_ANGLE_RAD), soft)
    room = hard - soft
    beyond = np.maximum(wanted - soft, 0.0)
    eased = room * -np.expm1(-beyond / np.where(room > 0.0, room, 1.0))
    span = np.where(beyond > 0.0, soft + eased, wanted)
    span = np.maximum(span, np.abs(upper_length - lower_length))
    stretch = np.clip(wanted / np.where(span > 0.0, span, 1.0), 1.0, 1.0 + max_stretch)

    # Fold the middle joint to that span, then swing the whole limb to the target.
    axis = _fold_axis(upper_bone, lower_bone, np.pi - _inner_angle(upper_length, lower_length, present), bend_axis)
    folding = from_axis_angle(axis, _fold(upper_bone, lower_bone, axis, span))
    folded_end = upper_bone + rotate(folding, lower_bone)
    swing = between(folded_end, reach) if centre is None else _swing(folded_end, end - root, reach, centre)
    upper, lower = swing, multiply(swing, folding)
    reached = root + stretch[..., None] * rotate(swing, folded_end)

    still = np.all(end == target, axis=-1)
    return LimbSolution(
        np.where(still[..., None], IDENTITY, upper),
        np.where(still[..., None], IDENTITY, lower),
        np.where(still, 1.0, stretch),
        np.where(still[..., None], end, reached),
    )


def _swing(folded_end: Array, present: Array, reach: Array, centre: Array) -> Array:
    """The rotation that takes a folded limb to its target by way of a centre.

    No choice of turns can be smooth on all of the sphere of directions; this one, the shortest turn from the centre to
    wherever the limb points, is so everywhere but opposite of the centre. What folding did to the limb's direction is
    taken back first, in the plane in which it folds.
    """
    level = between(folded_end, present)
    return multiply(multiply(between(centre, reach), between(present, centre)), level)


def turn_limb(
    parents: tuple[int, ...],
    local_rotations: Array,
    world: WorldPose,
    joints: tuple[int, int, int],
    solution: LimbSolution,
) -> Array:
    """Local rotations with a limb turned as solved; the end joint keeps its world orientation.

    Stretch is not applied: whoever wants the end to meet its target exactly scales the offsets of the joints below
    `root` down to the end by it.

    local_rotations : (..., J, 4); joints : the limb's root, middle and end joint, which may have
    further joints (twist bones) between them. Frames that the solution leaves alone keep their numbers.
    """
    root, middle, end = joints
    result = np.array(local_rotations)
    moved = ~np.all((solution.upper == IDENTITY) & (solution.lower == IDENTITY), axis=-1)[..., None]

    def set_local(joint: int, above: Array, wanted: Array) -> None:
        local = multiply(conjugate(above), wanted)
        result[..., joint, :] = np.where(moved, local, local_rotations[..., joint, :])

    def world_of(joint: int) -> Array:
        if joint < 0:
            return np.broadcast_to(IDENTITY, (*local_rotations.shape[:-2], 4))
        return world.rotations[..., joint, :]

    set_local(root, world_of(parents[root]), multiply(solution.upper, world_of(root)))
    set_local(
        middle,
        multiply(solution.upper, world_of(parents[middle])),
        multiply(solution.lower, world_of(middle)),
    )
    set_local(end, multiply(solution.lower, world_of(parents[end])), world_of(end))
    return result


def _cross(a: Array, b: Array) -> Array:
    """The vector product; numpy's own spends most of its time on deciding which axes are meant."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))


def _span(a: Array, b: Array, angle_rad: float) -> Array:
    """Distance between the far ends of bones a and b that meet at this inner angle."""
    return np.asarray(np.sqrt(a * a + b * b - 2.0 * a * b * np.cos(angle_rad)))


def _inner_angle(a: Array, b: Array, span: Array) -> Array:
    """The angle at which bones a and b meet when their far ends are `span` apart.

    By half angles, tan^2(angle/2) = (s - a)(s - b) ... : accurate near straight and near folded, where
    the cosine rule loses half the digits.
    """
    wide = np.maximum(span * span - (a - b) ** 2, 0.0)
    narrow = np.maximum((a + b) ** 2 - span * span, 0.0)
    return np.asarray(2.0 * np.arctan2(np.sqrt(wide), np.sqrt(narrow)))


def _fold(upper_bone: Array, lower_bone: Array, axis: Array, span: Array) -> Array:
    """The angle by which to turn the lower bone about the axis so that the limb's ends are `span` apart.

    Turned by t, the bones' product is A cos t + B sin t + C; of the two angles that make it fit, the one that folds
    the limb about the axis in the positive sense. By half angles, accurate near straight.
    """
    along = np.sum(upper_bone * axis, axis=-1) * np.sum(lower_bone * axis, axis=-1)
    a = np.sum(upper_bone * lower_bone, axis=-1) - along
    b = np.sum(upper_bone * _cross(axis, lower_bone), axis=-1)
    wanted = 0.5 * (span * span - np.sum(upper_bone**2, axis=-1) - np.sum(lower_bone**2, axis=-1)) - along
    most = np.hypot(a, b)
    fold = 2.0 * np.arctan2(np.sqrt(np.maximum(most - wanted, 0.0)), np.sqrt(np.maximum(most + wanted, 0.0)))
    return np.asarray(np.arctan2(b, a) + fold)


def _fold_axis(upper_bone: Array, lower_bone: Array, bent_rad: Array, bend_axis: Array | None) -> Array:
    """Unit axis about which the lower bone folds against the upper one.

    A limb that is clearly bent folds in its own plane. One near straight has none, or one that recording errors turn
    from frame to frame: it folds as its hinge does, where that is given.
    """
    own = _bend_axis(upper_bone, lower_bone, bend_axis)
    if bend_axis is None:
        return own
    hinge = _bend_axis(upper_bone, upper_bone, bend_axis)
    share = np.clip((bent_rad - _NEARLY_STRAIGHT_RAD[0]) / np.ptp(_NEARLY_STRAIGHT_RAD), 0.0, 1.0)
    share = (share * share * (3.0 - 2.0 * share))[..., None]
    axis = share * own + (1.0 - share) * hinge
    length = _length(axis)[..., None]
    return np.where(length > 1e-6, axis / np.where(length > 1e-6, length, 1.0), hinge)


def _bend_axis(upper_bone: Array, lower_bone: Array, fallback: Array | None) -> Array:
    """Unit axis about which the lower bone folds against the upper one."""
    axis = _cross(upper_bone, lower_bone)
    length = _length(axis)[..., None]
    bent = length > 1e-6 * (_length(upper_bone) * _length(lower_bone))[..., None]
    if fallback is None:
        spare = perpendicular(upper_bone)
    else:
        along = upper_bone / np.maximum(_length(upper_bone)[..., None], 1e-150)
        spare = fallback - np.sum(fallback * along, axis=-1, keepdims=True) * along
        size = _length(spare)[..., None]
        spare = np.where(size > 1e-9, spare / np.where(size > 1e-9, size, 1.0), perpendicular(upper_bone))
    return np.where(bent, axis / np.where(bent, length, 1.0), spare)
