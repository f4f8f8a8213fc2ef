"""What is put in a clip's way, and how well the clip takes it (Coleman 2012, figures 6.16 and 6.17)."""

from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import Limb, find_limb, heel_offset, limb_points
from editor.quality import figures as quality
from model.contacts import FEET
from model.ground import Box, Ground, Ramp, Stairs, end_of
from model.motion import Motion
from model.roles import Role
from model.rotation import conjugate, rotate
from tests.editor.posing.grounded.asking import Clip

KINDS = ("box", "hurdle", "platform", "stairs", "ramp", "hill")
_BENT_RAD = np.radians(12.0)


def in_the_way(clip: Clip, kind: str, share: float = 0.45) -> Ground:
    """Something across the way that a clip goes, after a share of it; on the clip's own floor."""
    motion = clip.motion
    pelvis = motion.skeleton.joint(Role.PELVIS) or 0
    places = motion.world.positions[:, pelvis][:, [0, 2]]
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])

    def at(part: float) -> np.ndarray:
        return places[min(int(np.searchsorted(gone, part * gone[-1])), len(places) - 1)]

    along = at(min(share + 0.12, 1.0)) - at(max(share - 0.12, 0.0))
    ahead = along / max(float(np.hypot(*along)), 1e-9)
    yaw, here = float(np.arctan2(*ahead)), at(share)

    def place(away_m: float) -> tuple[float, float]:
        x, z = (here + away_m * ahead).tolist()
        return x, z

    floor = Ground(clip.contacts.ground_m)
    if kind == "box":
        return floor.adding(Box(place(0.0), (3.0, 1.2), 0.2, yaw))
    if kind == "hurdle":
        return floor.adding(Box(place(0.0), (3.0, 0.12), 0.15, yaw))
    if kind == "platform":
        return floor.adding(Box(place(10.0), (8.0, 20.0), 0.25, yaw))
    if kind == "stairs":
        flight = Stairs(place(-0.5), yaw, 4, 0.4, 0.12, 3.0)
        x, z = np.array(end_of(flight)) + 10.0 * ahead
        return floor.adding(flight, Box((float(x), float(z)), (8.0, 20.0), 0.48, yaw))
    if kind == "ramp":
        return floor.adding(Ramp(place(-1.2), place(1.2), 3.0, (0.0, 0.4)), Box(place(11.2), (8.0, 20.0), 0.4, yaw))
    assert kind == "hill"
    return floor.adding(Ramp(place(-1.2), place(0.0), 3.0, (0.0, 0.25)), Ramp(place(0.0), place(1.2), 3.0, (0.25, 0.0)))


@dataclass(frozen=True)
class GroundFigures:
    """How a clip takes what is in its way. lifted_cm : how high the body gets; deeper_cm, drift_cm : how much deeper
    feet are under the ground, and how much farther they drift in contact, than in the source; floating_cm : how far a
    foot in contact is above the ground at its lowest, heel included, beyond what it was; flipped : frames in which a
    knee bends the other way.
    """

    lifted_cm: float
    deeper_cm: float
    drift_cm: float
    floating_cm: float
    flipped: int
    jerk_ratio: float
    step_ratio: float
    stretch_percent: float


def judged(clip: Clip, ground: Ground) -> tuple[Motion, GroundFigures]:
    """The clip on other ground, and how well it goes there."""
    result = clip.solve(ground=ground).motion
    figures = quality.measure(result, clip.contacts, [clip.motion], ground=ground)
    before, after = (quality.contact_drifts(motion, clip.contacts) for motion in (clip.motion, result))
    return result, GroundFigures(
        100.0 * float(np.max(result.root_positions[:, 1] - clip.motion.root_positions[:, 1])),
        clip.deeper_cm(result, ground),
        100.0 * float(np.max(after - before, initial=0.0)),
        floating_cm(clip, result, ground),
        flipped(clip.motion, result),
        figures.jerk_ratio or 0.0,
        figures.step_ratio or 0.0,
        figures.stretch_percent or 0.0,
    )


def floating_cm(clip: Clip, result: Motion, ground: Ground) -> float:
    """How far the lowest point of a foot in contact, heel included, is above the ground at its lowest, more than it
    was.
    """
    worst = 0.0
    for name, held, limb in clip.limbs():
        if name not in FEET:
            continue
        was, mask = limb_points(clip.motion, limb), clip.contacts.mask(name)
        heel = heel_offset(clip.motion.world.rotations[:, limb.end], was, mask)
        was, now = (_with_heel(motion, limb, heel) for motion in (clip.motion, result))
        above = now[..., 1] - ground.heights(now[..., [0, 2]])
        for one in held:
            part = slice(one.start, one.stop)
            over = float(np.min(above[part])) - float(np.min(was[part, :, 1] - clip.contacts.ground_m))
            worst = max(worst, over)
    return 100.0 * worst


def _with_heel(motion: Motion, limb: Limb, heel: np.ndarray | None) -> np.ndarray:
    points = limb_points(motion, limb)
    if heel is None:
        return points
    back = points[:, 0] + rotate(motion.world.rotations[:, limb.end], heel)
    return np.concatenate([points, back[:, None]], axis=1)


def flipped(before: Motion, after: Motion) -> int:
    """In how many frames a knee that is bent bends the other way than it did, seen from its thigh."""
    count = 0
    for name in FEET:
        limb = find_limb(before.skeleton, name)
        if limb is None or limb.bends is None:
            continue
        axes = []
        for motion in (before, after):
            hip, knee, ankle = (motion.world.positions[:, joint] for joint in limb.bends)
            axis = np.cross(knee - hip, ankle - knee)
            sine = np.linalg.norm(axis, axis=-1) / (
                np.linalg.norm(knee - hip, axis=-1) * np.linalg.norm(ankle - knee, axis=-1) + 1e-12
            )
            axis = rotate(conjugate(motion.world.rotations[:, limb.bends[0]]), axis)
            axes.append((axis / np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-12), sine))
        (was, bent), (now, still) = axes
        both = (bent > np.sin(_BENT_RAD)) & (still > np.sin(_BENT_RAD))
        count += int(np.sum(both & (np.sum(was * now, axis=-1) < 0.0)))
    return count
