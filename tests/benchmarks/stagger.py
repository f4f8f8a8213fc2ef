"""Staggered poses: speed, exactness over recorded clips, and how well what is asked for is what joints do."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from editor import quality
from editor.contacts.detect import find_contacts
from editor.edits.stagger import StageTiming, Stagger
from editor.extrema.measures import without_trembling
from editor.extrema.parts import joint_points
from editor.stagger.finding import evidence_in, joint_weights, picked
from editor.stagger.poses import depths_below
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
MIXED = (
    "cmu-bvh/02_01.bvh", "cmu-bvh/35_17.bvh", "cmu-bvh/16_15.bvh", "cmu-bvh/111_37.bvh", "cmu-bvh/16_01.bvh",
    "cmu-bvh/49_06.bvh", "cmu-bvh/18_08.bvh", "cmu-bvh/104_19.bvh", "cmu-acclaim/16_45.amc", "cmu-acclaim/16_58.amc",
    "other-bvh/lafan1_walk4_subject1.bvh", "other-bvh/sfu_0005_Walking001_cut.bvh",
    "cmu-bvh/13_26.bvh", "cmu-bvh/104_12.bvh", "cmu-bvh/104_41.bvh", "cmu-acclaim/35_22.amc", "cmu-acclaim/137_29.amc",
    "other-bvh/bandai/dataset-1_walk_old_001.bvh", "other-bvh/accad_male1/Male1_B3_Walk.bvh",
    "other-bvh/accad_male1/Male1_C03_Run.bvh", "other-bvh/100style_rushed_reference.bvh",
)  # fmt: skip


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
    edit = Stagger(LATE_S, keep_contacts=False)
    edit.apply(take, Asked())
    again = seconds(lambda: Stagger(0.03, 1.5, 0.02, keep_contacts=False).apply(take, Asked()))
    report.time("2,000 frames evaluated anew", again)
    kept = seconds(lambda: Stagger(0.03, 1.5, 0.02).apply(take, Asked()))
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


def edits(report: Report) -> None:
    report.title(f"Succession of {LATE_S} s a level, recorded clips")
    print(f"  {'':<40}{'jerk':>8}{'kept':>8}{'drift cm':>10}{'kept':>8}{'free':>8}{'moved':>8}")
    jerks, drifts, moved = [], [], []
    for name in MIXED:
        motion = read_motion(DATA / name).motion
        take = Take(motion, find_contacts(motion, hands=True))
        free, kept = (Stagger(LATE_S, keep_contacts=one).apply(take, Asked()).motion for one in (False, True))
        ratios = [quality.jerk_p99(one) / quality.jerk_p99(motion) for one in (free, kept)]
        worst = [100.0 * float(np.max(quality.contact_drifts(one, take.contacts))) for one in (motion, kept, free)]
        share = moved_as_asked(take, free)
        print(f"  {name:<40}{ratios[0]:8.2f}{ratios[1]:8.2f}{worst[0]:10.2f}{worst[1]:8.2f}{worst[2]:8.2f}{share:8.0%}")
        jerks += ratios
        drifts.append(worst[1] - worst[0])
        moved.append(share)
    report.goal("jerk ratio, worst", max(jerks), at_most=1.5)
    report.goal("cm of drift beyond the source's with contacts kept, worst", max(drifts), at_most=0.2)
    report.goal("share of joint extrema that moved as asked within a frame", float(np.mean(moved)), at_least=0.95)


def moved_as_asked(take: Take, edited: Motion) -> float:
    """The share of joints' extrema that are as much later as was asked for, within a frame.

    An extremum is where what a joint moves, in the axes of its parent and without trembling, is farthest out in the
    direction in which it swings there. Of knots that are not stopped by others; joints count by how much they move.
    """
    motion = take.motion
    plan = Stagger(LATE_S).plan(take, StageTiming())
    depths = depths_below(motion.skeleton, 0)
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
    return hits / max(count, 1e-9)


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
