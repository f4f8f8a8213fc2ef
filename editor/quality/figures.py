"""The figures by which a motion is judged: sliding and sinking feet, pops, stretched bones, a path kept or left.

`measure` gives them all for one motion, against references where a figure compares; `seam` and `pose_match` judge
a joint between two motions and a pose that was asked for. Speeds and drifts are horizontal, along the floor.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb, limb_points, planted_point
from model.arrays import Array
from model.contacts import FEET, Contacts
from model.ground import Ground
from model.motion import Motion, Pose
from model.roles import Role
from model.rotation import angle_between, conjugate, multiply, to_rotation_vector
from model.smoothing import smoothed

# A toe under this height, on two adjacent frames, is expected to stand; these speeds are sliding, and sliding fast.
_LOW_M = 0.05
_SLIDING, _SLIDING_FAST = 0.2, 0.5
# The share of a contact, at either end, in which a foot rolls on and off.
_ROLL_SHARE = 0.2
# A root that follows a path sways from foot to foot, over so long where the contacts do not tell. Smoothed over so many
# of these a tenth of the sway is left, and bends stay where they are.
_CYCLE_S, _SWAY_CYCLES = 1.1, 1.5
# Steps that follow each other faster are contacts that flicker.
_SHORTEST_CYCLE_S = 0.5
# Below this speed a body goes nowhere, and has no heading.
_GOING_SPEED = 0.1


@dataclass(frozen=True)
class Quality:
    """The figures of a motion; None where one does not apply. Centimetres, degrees, per cent, m/s^3."""

    skate_ratio: float | None = None
    skate_ratio_fast: float | None = None
    contact_drift_mean_cm: float | None = None
    contact_drift_worst_cm: float | None = None
    penetration_cm: float | None = None
    seam_cm: float | None = None
    seam_angular_ratio: float | None = None
    path_error_mean_cm: float | None = None
    path_error_worst_cm: float | None = None
    heading_error_mean_deg: float | None = None
    stretch_percent: float | None = None
    jerk_p99: float | None = None
    jerk_ratio: float | None = None
    step_ratio: float | None = None
    pose_match_deg: float | None = None


def measure(
    motion: Motion,
    contacts: Contacts,
    references: Sequence[Motion] = (),
    path: Array | None = None,
    seam_frame: int | None = None,
    ground: Ground | None = None,
) -> Quality:
    """Every figure that can be had.

    contacts : of this motion, or of the reference that it was made from; references : what pops and jerk are held
    against; path : (N, 2) points x, z of a line on the floor that the root should follow; seam_frame : the first
    frame after a place where two motions were joined; ground : flat at the contacts' height if not given.
    """
    ground = ground or Ground(contacts.ground_m)
    if contacts.frames != motion.frames:
        raise ValueError(f"contacts are those of {contacts.frames} frames, the motion has {motion.frames}")
    skate, fast = skate_ratios(motion, ground)
    drifts = contact_drifts(motion, contacts)
    along, off, heading = (None, None, None) if path is None else path_errors(motion, path, contacts)
    jump, turn = (None, None) if seam_frame is None else seam(motion, seam_frame)
    return Quality(
        skate_ratio=skate,
        skate_ratio_fast=fast,
        contact_drift_mean_cm=100.0 * float(np.mean(drifts)) if len(drifts) else None,
        contact_drift_worst_cm=100.0 * float(np.max(drifts)) if len(drifts) else None,
        penetration_cm=penetration_cm(motion, ground),
        seam_cm=jump,
        seam_angular_ratio=turn,
        path_error_mean_cm=along,
        path_error_worst_cm=off,
        heading_error_mean_deg=heading,
        stretch_percent=stretch_percent(motion, references),
        jerk_p99=jerk_p99(motion),
        jerk_ratio=_ratio(jerk_p99, motion, references),
        step_ratio=_ratio(largest_step, motion, references),
    )


def contacts_to_judge(own: Contacts, motion: Motion, references: Sequence[Motion]) -> Contacts:
    """The contacts by which to judge a motion: those of the first reference that lasts as long, on our own ground.

    A foot that slides must not stop counting as a contact because it slides.
    """
    for reference in references:
        if abs(reference.duration_s - motion.duration_s) <= 1.5 * max(reference.frame_time_s, motion.frame_time_s):
            moments = np.arange(float(motion.frames)) * motion.frame_time_s / reference.frame_time_s
            return replace(find_contacts(reference).at(moments), ground_m=own.ground_m)
    return own


def skate_ratios(motion: Motion, ground: Ground | float) -> tuple[float | None, float | None]:
    """The shares of frames in which a low toe moves faster than 0.2 and 0.5 m/s. ground : or a flat one's height."""
    ground = ground if isinstance(ground, Ground) else Ground(ground)
    limbs = [limb for name in FEET if (limb := find_limb(motion.skeleton, name)) is not None]
    if not limbs or motion.frames < 2:
        return None, None
    toes = np.stack([planted_point(motion, limb) for limb in limbs], axis=1)
    low = toes[..., 1] - ground.heights(toes[..., [0, 2]]) < _LOW_M
    speed = _length(np.diff(toes[..., [0, 2]], axis=0)) / motion.frame_time_s
    speed = np.where(low[1:] & low[:-1], speed, 0.0)
    slides, fast = (float(np.mean(np.any(speed > limit, axis=1))) for limit in (_SLIDING, _SLIDING_FAST))
    return slides, fast


def contact_drifts(motion: Motion, contacts: Contacts) -> Array:
    """(C,) for each contact of a foot how far its toe gets from where it is on average, in its middle 60 %; metres."""
    drifts = []
    for name in FEET:
        limb = find_limb(motion.skeleton, name)
        if limb is None:
            continue
        toe = planted_point(motion, limb)[:, [0, 2]]
        for contact in contacts.limbs.get(name, ()):
            margin = int(_ROLL_SHARE * (contact.stop - contact.start))
            middle = toe[contact.start + margin : contact.stop - margin]
            drifts.append(float(np.max(_length(middle - np.mean(middle, axis=0)))))
    return np.array(drifts)


def penetration_cm(motion: Motion, ground: Ground | float) -> float | None:
    """How deep any point of a foot gets under the ground, 0 if none does. ground : or a flat one's height."""
    ground = ground if isinstance(ground, Ground) else Ground(ground)
    deepest = [
        float(np.max(ground.heights(points[..., [0, 2]]) - points[..., 1], initial=0.0))
        for name in FEET
        if (limb := find_limb(motion.skeleton, name)) is not None
        for points in (limb_points(motion, limb),)
    ]
    return 100.0 * max(deepest) if deepest and motion.frames else None


def seam(motion: Motion, frame: int) -> tuple[float, float]:
    """How badly frames before and after `frame` join: the jump of a joint beyond what its movement explains, in cm,
    and the jump in a joint's angular velocity, as a multiple of the 99th percentile of such jumps in the clip.
    """
    if not 2 <= frame <= motion.frames - 2:
        raise ValueError(f"a seam at frame {frame} needs two frames on either side; the motion has {motion.frames}")
    steps = np.diff(motion.world.positions[frame - 2 : frame + 2], axis=0)
    jump = 100.0 * float(np.max(_length(steps[1] - 0.5 * (steps[0] + steps[2]))))
    turns = to_rotation_vector(multiply(motion.local_rotations[1:], conjugate(motion.local_rotations[:-1])))
    changes = _length(np.diff(turns, axis=0))
    usual = float(np.percentile(np.max(changes, axis=1), 99))
    here = float(np.max(changes[frame - 2 : frame]))
    return jump, here / usual if usual > 0.0 else 0.0


def path_errors(motion: Motion, path: Array, contacts: Contacts | None = None) -> tuple[float, float, float | None]:
    """Mean and worst distance of the smoothed root from a path, in cm, and its mean heading error, in degrees.

    path : (N, 2) points x, z, N >= 2; contacts : tell how long a cycle of two steps takes, over which a body sways. The
    heading error is the mean over the way, not over time: who turns slowly on the spot goes nowhere. None for a body
    that never goes anywhere.
    """
    if path.ndim != 2 or path.shape[1] != 2 or len(path) < 2:
        raise ValueError(f"path has shape {path.shape}; it must hold two points or more, (N, 2)")
    window = _SWAY_CYCLES * _cycle_s(motion, contacts) / motion.frame_time_s
    root = smoothed(_pelvis(motion)[:, [0, 2]], window, keep_peaks=True)
    distance, tangent = nearest_on(path, root)
    heading = None
    if motion.frames > 1:
        velocity = np.gradient(root, motion.frame_time_s, axis=0)
        going = _length(velocity) > _GOING_SPEED
        if np.any(going):
            v, t = velocity[going], tangent[going]
            off = np.arctan2(v[:, 0] * t[:, 1] - v[:, 1] * t[:, 0], np.sum(v * t, axis=-1))
            heading = float(np.degrees(np.average(np.abs(off), weights=_length(v))))
    return 100.0 * float(np.mean(distance)), 100.0 * float(np.max(distance)), heading


def stretch_percent(motion: Motion, references: Sequence[Motion] = ()) -> float | None:
    """The largest change of a bone's length: against the first reference with such joints, else the rest pose.

    Bones above the pelvis are none: some files travel on them.
    """
    skeleton = motion.skeleton
    joints = list(skeleton.subtree(skeleton.joint(Role.PELVIS) or 0)[1:])
    like = next((other for other in references if other.skeleton.names == skeleton.names), None)
    lengths = _length(motion.local_offsets[..., joints, :])
    if like is None:
        base = _length(skeleton.offsets[joints])
    else:
        base = _length(like.local_offsets[..., joints, :])
        if base.ndim == 2 and len(base) != motion.frames:
            base = np.median(base, axis=0)
    long = base > 1e-4
    change = np.where(long, lengths / np.where(long, base, 1.0) - 1.0, 0.0)
    return 100.0 * float(np.max(np.abs(change))) if change.size else None


def jerk_p99(motion: Motion) -> float | None:
    """The 99th percentile of the jerk of joints against the root, m/s^3."""
    if motion.frames < 4:
        return None
    jerk = np.diff(_about_root(motion), 3, axis=0)
    return float(np.percentile(_length(jerk), 99)) / motion.frame_time_s**3


def largest_step(motion: Motion) -> float | None:
    """The largest movement of a joint between two frames, against the root, in metres."""
    if motion.frames < 2:
        return None
    return float(np.max(_length(np.diff(_about_root(motion), axis=0))))


def pose_match_deg(pose: Pose, wanted: Pose) -> float:
    """The mean angle between the joints of a pose and of the one asked for."""
    return float(np.degrees(np.mean(angle_between(pose.local_rotations, wanted.local_rotations))))


def _ratio(figure: Callable[[Motion], float | None], motion: Motion, references: Sequence[Motion]) -> float | None:
    """A figure of the motion over the largest of the references', all at the lowest rate among them."""
    if not references:
        return None
    slowest = max((motion, *references), key=lambda one: one.frame_time_s)
    ours, *theirs = (
        figure(one if one.frame_time_s > 0.999 * slowest.frame_time_s else one.resampled(slowest.fps))
        for one in (motion, *references)
    )
    most = max((value for value in theirs if value is not None), default=0.0)
    return None if ours is None or most <= 0.0 else float(ours / most)


def _pelvis(motion: Motion) -> Array:
    """(F, 3) where the body's centre is; the pelvis, for files may travel on it and not on the root."""
    return motion.world.positions[:, motion.skeleton.joint(Role.PELVIS) or 0]


def _about_root(motion: Motion) -> Array:
    """(F, J, 3) the joints' places against the pelvis."""
    return np.asarray(motion.world.positions - _pelvis(motion)[:, None])


def _cycle_s(motion: Motion, contacts: Contacts | None) -> float:
    """How long a foot usually takes from one of its strikes to the next."""
    limbs = {} if contacts is None else contacts.limbs
    apart = [np.diff([one.start for one in limbs.get(foot, ())]) for foot in FEET]
    frames = np.concatenate(apart)
    return max(float(np.median(frames)) * motion.frame_time_s, _SHORTEST_CYCLE_S) if len(frames) else _CYCLE_S


def nearest_on(path: Array, points: Array) -> tuple[Array, Array]:
    """Distances (F,) of points (F, 2) from a line through path (N, 2), and its unit tangents (F, 2) there."""
    along = np.diff(path, axis=0)
    length = _length(along)
    path, along, length = path[:-1][length > 0], along[length > 0], length[length > 0]
    if not len(path):
        raise ValueError("path: all its points are the same")
    distance, tangent = np.empty(len(points)), np.empty((len(points), 2))
    chunk = max(1, 1_000_000 // len(path))
    for start in range(0, len(points), chunk):
        some = points[start : start + chunk, None]
        part = np.clip(np.sum((some - path) * along, axis=-1) / (length * length), 0.0, 1.0)
        apart = _length(some - path - part[..., None] * along)
        nearest = np.argmin(apart, axis=1)
        distance[start : start + chunk] = apart[np.arange(len(nearest)), nearest]
        tangent[start : start + chunk] = (along / length[:, None])[nearest]
    return distance, tangent


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))
