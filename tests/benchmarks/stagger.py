"""Staggered poses: speed, exactness over recorded clips, and how well what is asked for is what joints do."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb, planted_point
from editor.extrema.measures import without_trembling
from editor.extrema.parts import joint_points
from editor.quality import figures as quality
from editor.stagger.edit import StageTiming, Stagger
from editor.stagger.finding import evidence_in, joint_weights, picked
from editor.stagger.transitions import Transitions
from model.arrays import Array
from model.clip import Take
from model.contacts import FEET, Contacts
from model.files.formats import read_motion
from model.files.problems import MotionFileError
from model.motion import Motion
from model.rotation import angle_between
from tests.benchmarks.extrema import restless
from tests.benchmarks.measuring import Report, seconds
from tests.clips import DATA
from tests.editor.evaluated import Asked
from tests.editor.stagger.pendulum import FPS, pendulum

LATE_S = 0.05
# Extrema are looked for this near to where they are asked to be: half the window in which the finder wants them alone.
_NEAR_S = 1.0 / 12.0
WALKS_AND_RUNS = (
    *(
        f"cmu-bvh/{name}.bvh"
        for name in (
            "02_01", "35_01", "35_17", "16_15", "16_45", "09_01", "104_19", "16_21", "104_11", "104_44",
        )
    ),
    *(
        f"cmu-acclaim/{name}.amc"
        for name in (
            "16_16", "16_15", "16_58", "16_47", "16_22", "16_21", "16_36", "16_35", "16_45", "16_46", "35_01", "35_17",
            "35_18", "35_22", "07_01", "09_01", "07_04", "104_19", "35_29", "35_20", "35_05", "07_11",
        )
    ),
)  # fmt: skip
# So many clips are told of one by one: those that jerk most.
_TOLD = 12


def run(report: Report) -> None:
    speed(report)
    known_stagger(report)
    if not DATA.is_dir():
        print("  the recorded clips (../shared/data) are not here: the rest is left out")
        return
    round_trip(report)
    poses_per_step(report)
    edits(report)


def speed(report: Report) -> None:
    report.title("Staggered poses of 31 joints at 120 fps")
    short, long = restless(2_500), restless(5_000)
    for clip in (short, long):
        clip.world.positions.sum()
    taken, half = (seconds(lambda clip=clip: converted(clip), 3) for clip in (long, short))
    report.time("5,000 frames converted: found, fitted, displaced", taken)
    report.goal("seconds for 5,000 frames", taken, at_most=2.0)
    report.goal("time a frame, 5,000 / 2,500", 0.5 * taken / half, at_most=1.3)
    clip = restless(2_000)
    take = Take(clip, Contacts(clip.frames, {}, 0.0))
    edit, asked = Stagger(LATE_S, keep_contacts=False), Asked()
    edit.apply(take, asked)
    again = seconds(lambda: Stagger(0.03, 1.5, 0.02, keep_contacts=False).apply(take, asked))
    report.time("2,000 frames evaluated anew", again)
    kept = seconds(lambda: Stagger(0.03, 1.5, 0.02).apply(take, asked))
    report.time("2,000 frames evaluated anew, contacts kept", kept)
    report.goal("times a second, 2,000 frames", 1.0 / again, at_least=20.0)
    report.goal("times a second, 2,000 frames, contacts kept", 1.0 / kept, at_least=20.0)


def converted(motion: Motion) -> Transitions:
    """A motion as staggered poses, splines and displacement maps."""
    knots = picked(evidence_in(motion)).poses.knots_s
    joints = len(motion.skeleton)
    ends = np.zeros((1, joints)), np.full((1, joints), max(motion.duration_s, motion.frame_time_s))
    return Transitions.of(motion, tuple(range(joints)), np.concatenate([ends[0], knots, ends[1]]))


def known_stagger(report: Report) -> None:
    report.title("A pendulum built with a known stagger")
    worst = 0.0
    for late in ((0, 6, 12), (0, 10, 20), (0, -8, 5), (0, 15, 30)):
        poses = picked(evidence_in(pendulum(late=late))).poses
        inside = (poses.times_s > 0.7) & (poses.times_s < 7.8)
        apart = (poses.knots_s - poses.knots_s[:, :1])[inside] * FPS
        worst = max(worst, float(np.max(np.abs(apart - late))))
    report.goal("frames off the stagger it was built with, worst", worst, at_most=1.0)


def recorded() -> Iterator[tuple[Path, Motion]]:
    """Every motion file that can be read, of those that have frames to speak of."""
    for path in sorted((*DATA.rglob("*.bvh"), *DATA.rglob("*.amc"))):
        if "quirks" in path.parts:
            continue
        try:
            motion = read_motion(path).motion
        except MotionFileError:
            continue
        if 2 < motion.frames <= 6_000:
            yield path, motion


def round_trip(report: Report) -> None:
    report.title("Recorded clips as staggered poses and back")
    worst, clips, unchanged = 0.0, 0, 0
    for _, motion in recorded():
        again = converted(motion).values()
        worst = max(worst, float(np.max(angle_between(again, motion.local_rotations))))
        take = Take(motion, Contacts(motion.frames, {}, 0.0))
        unchanged += Stagger(0.0, 2.0, level=1.0).apply(take, Asked()) is take
        clips += 1
    report.figure("clips", clips)
    report.goal("radians off, worst, in units of 1e-9", worst / 1e-9, at_most=1.0)
    report.goal("share of clips that an edit without effect leaves alone", unchanged / clips, at_least=1.0)


def poses_per_step(report: Report) -> None:
    report.title("One pose a step, walks and runs, at the usual level")
    hits, poses, steps = 0, 0, 0
    for name in WALKS_AND_RUNS:
        if not (DATA / name).exists():
            continue
        motion = read_motion(DATA / name).motion
        contacts = find_contacts(motion)
        strikes = strikes_of(contacts, motion)
        if len(strikes) < 2:
            continue
        near = 0.4 * float(np.median(np.diff(strikes)))
        found = picked(evidence_in(motion, contacts)).poses.times_s
        found = found[(found >= strikes[0] - near) & (found <= strikes[-1] + near)]
        hits += matched(found, strikes, near)
        poses, steps = poses + len(found), steps + len(strikes)
    report.figure("steps", steps)
    report.goal("precision", hits / max(poses, 1), at_least=0.95)
    report.goal("recall", hits / max(steps, 1), at_least=0.95)


def strikes_of(contacts: Contacts, motion: Motion) -> Array:
    """(N,) when feet are set down, not within a tenth of a second of the clip's ends, which cut the pose off."""
    moments = [one.start * motion.frame_time_s for foot in FEET for one in contacts.limbs.get(foot, ())]
    return np.sort([one for one in moments if 0.1 < one < motion.duration_s - 0.1])


def matched(found: Array, wanted: Array, near: float) -> int:
    """How many of the wanted moments have one found near them, each used once."""
    free = list(found)
    hits = 0
    for moment in wanted:
        best = min(free, key=lambda one: abs(one - moment), default=None)
        if best is not None and abs(best - moment) <= near:
            free.remove(best)
            hits += 1
    return hits


@dataclass(frozen=True)
class Judged:
    """What a succession did to a clip. jerks : the ratios of jerk, with joints free and with contacts kept; drift_cm :
    how much more feet drift then, contacts kept; prints_cm : how far feet stand from where they stood, likewise;
    moved : the share of extrema that moved as asked, joints free.
    """

    name: str
    fps: float
    jerks: tuple[float, float]
    drift_cm: float
    prints_cm: float
    moved: float


def edits(report: Report) -> None:
    report.title(f"Succession of {LATE_S} s a level, all recorded clips")
    with ProcessPoolExecutor() as pool:
        judged = [one for one in pool.map(judge, (path for path, _ in recorded()), chunksize=4) if one is not None]
    print(f"  {'those that jerk most':<60}{'fps':>5}{'free':>8}{'kept':>8}{'moved':>8}")
    for one in sorted(judged, key=lambda one: -max(one.jerks))[:_TOLD]:
        print(f"  {one.name:<60}{one.fps:5.0f}{one.jerks[0]:8.2f}{one.jerks[1]:8.2f}{one.moved:8.0%}")
    jerks = np.array([one.jerks for one in judged])
    report.figure("clips", len(judged))
    report.figure("jerk ratio, median, free", float(np.median(jerks[:, 0])))
    report.figure("jerk ratio, median, contacts kept", float(np.median(jerks[:, 1])))
    report.goal("share of clips whose jerk ratio is under 1.5, free", float(np.mean(jerks[:, 0] < 1.5)), at_least=0.99)
    report.goal("share of clips whose jerk ratio is under 1.5, kept", float(np.mean(jerks[:, 1] < 1.5)), at_least=0.99)
    report.goal("jerk ratio, worst", float(np.max(jerks)), at_most=1.5)
    drift = max(one.drift_cm for one in judged)
    report.goal("cm of drift beyond the source's with contacts kept, worst", drift, at_most=0.2)
    stood = float(np.mean([one.prints_cm < 1.0 for one in judged]))
    report.goal("share of clips whose feet stand within a cm of where they stood", stood, at_least=0.99)
    moved = float(np.nanmean([one.moved for one in judged]))
    report.goal("share of joint extrema that moved as asked within a frame", moved, at_least=0.95)


def judge(path: Path) -> Judged | None:
    """What the succession does to a file; None where nothing in it moves."""
    motion = read_motion(path).motion
    usual = quality.jerk_p99(motion)
    if not usual:
        return None
    take = Take(motion, find_contacts(motion, hands=True))
    free, kept = (Stagger(LATE_S, keep_contacts=one).apply(take, Asked()).motion for one in (False, True))
    drifts = [np.max(quality.contact_drifts(one, take.contacts), initial=0.0) for one in (motion, kept)]
    jerks = (quality.jerk_p99(free) or 0.0) / usual, (quality.jerk_p99(kept) or 0.0) / usual
    name, drift_cm = path.relative_to(DATA).as_posix(), 100.0 * float(drifts[1] - drifts[0])
    return Judged(name, motion.fps, jerks, drift_cm, 100.0 * moved_prints(take, kept), moved_as_asked(take, free))


def moved_prints(take: Take, edited: Motion) -> float:
    """How far feet stand at the most from where they stood, in metres."""
    found = [0.0]
    for name in FEET:
        limb = find_limb(take.motion.skeleton, name)
        if limb is None:
            continue
        old, new = (planted_point(one, limb)[:, [0, 2]] for one in (take.motion, edited))
        for one in take.contacts.limbs.get(name, ()):
            part = slice(one.start, one.stop)
            found.append(float(np.linalg.norm(np.mean(new[part] - old[part], axis=0))))
    return max(found)


def moved_as_asked(take: Take, edited: Motion) -> float:
    """The share of joints' extrema that are as much later as was asked for, within a frame.

    An extremum is where what a joint moves, in the axes of its parent and without trembling, is farthest out in the
    direction in which it swings there. Of knots that are not stopped by others; joints count by how much they move.
    Not a number where no extremum is.
    """
    motion = take.motion
    edit = Stagger(LATE_S)
    plan, (depths, _) = edit.plan(take, StageTiming()), edit.chosen(motion.skeleton)
    weights = joint_weights(motion)
    hits, count = 0.0, 0.0
    chosen = plan.found.with_extremum & ~plan.stopped & (depths > 0.0)
    for joint in np.flatnonzero(np.any(chosen, axis=0)).tolist():
        before, after = (_calm_points(one, joint) for one in (motion, edited))
        for n in np.flatnonzero(chosen[:, joint]):
            start_s, goal_s = plan.before_s[n + 1, joint], plan.after_s[n + 1, joint]
            swing = _swing(before, start_s / motion.frame_time_s, 2.0 * _NEAR_S / motion.frame_time_s)
            old, new = (
                _farthest(points @ swing, at / motion.frame_time_s, _NEAR_S / motion.frame_time_s)
                for points, at in ((before, start_s), (after, goal_s))
            )
            if old is None:
                continue  # it turns there without going back
            count += weights[joint]
            if new is not None and abs((new - old) * motion.frame_time_s - (goal_s - start_s)) <= motion.frame_time_s:
                hits += weights[joint]
    return hits / count if count else np.nan


def _calm_points(motion: Motion, joint: int) -> Array:
    """(F, 3 P) the points that a joint moves, in the axes of its parent, without trembling."""
    points = joint_points(motion, joint, in_parent=True)
    return without_trembling(points, motion.frame_time_s).reshape(motion.frames, -1)


def _swing(points: Array, at: float, reach: float) -> Array:
    """(3 P,) the direction in which points (F, 3 P) are out at a frame, against both sides of it."""
    here, low, high = np.clip(np.rint([at, at - reach, at + reach]).astype(int), 0, len(points) - 1)
    away = points[here] - 0.5 * (points[low] + points[high])
    return away / max(float(np.linalg.norm(away)), 1e-12)


def _farthest(values: Array, at: float, reach: float) -> float | None:
    """The frame near another in which values (F,) are largest, between frames; None where they still rise."""
    low, high = max(int(np.ceil(at - reach)), 0), min(int(np.floor(at + reach)), len(values) - 1)
    top = low + int(np.argmax(values[low : high + 1]))
    if top in (low, high):
        return None
    before, here, after = values[top - 1 : top + 2]
    bend = before - 2.0 * here + after
    return top + (0.5 * (before - after) / bend if bend else 0.0)
