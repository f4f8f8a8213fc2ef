"""Finding extremes: speed, how well they fit recorded steps, and the four measures compared as in Coleman 5.6.2."""

import numpy as np

from editor.extrema.find import ExtremaSettings, all_joints_measured, body_measured, selected
from editor.extrema.measures import Measure
from model.files.formats import read_motion
from model.motion import Motion
from model.retiming import frames_at_rate, sampled
from model.skeleton import Skeleton
from tests.benchmarks.measuring import Report, seconds
from tests.clips import DATA, figure, recorded
from tests.editor.extrema.recordings import RUNS, WALKS, sameness, step_scores
from tests.editor.extrema.swings import times

SHORT, LONG, JOINTS = 2_000, 20_000, 31

KINDS = (
    ("walk", "cmu-bvh/02_01.bvh"), ("run", "cmu-bvh/35_17.bvh"), ("jump", "cmu-bvh/16_01.bvh"),
    ("wave", "cmu-bvh/111_37.bvh"), ("stand", "cmu-bvh/77_02.bvh"), ("cartwheel", "cmu-bvh/49_06.bvh"),
)  # fmt: skip
MEASURES = (
    (Measure.VELOCITY, "max"), (Measure.VELOCITY, "min"), (Measure.ACCELERATION, "max"), (Measure.CURVATURE, "max"),
    (Measure.SPATIAL, "max"),
)  # fmt: skip


def run(report: Report) -> None:
    clips = [restless(frames) for frames in (SHORT, LONG)]
    for clip in clips:
        clip.world.positions.sum()  # kinematics are measured elsewhere
    report.title(f"Extremes of the body and of {JOINTS} joints ({SHORT} and {LONG} frames at 120 fps)")
    short, long = (seconds(lambda clip=clip: (body_measured(clip), all_joints_measured(clip)), 3) for clip in clips)
    report.time("short", short)
    report.time("long", long)
    report.time("long, the body alone", seconds(lambda: body_measured(clips[1]), 3))
    report.goal("seconds for 20,000 frames", long, at_most=3.0)
    report.goal("time a frame, long / short", long / short * SHORT / LONG, at_most=1.3)
    body = body_measured(clips[1])
    report.goal("ms to select anew, body", 1000.0 * seconds(lambda: selected(body, 0.7)), at_most=16.0)
    joints = all_joints_measured(clips[1])
    report.goal("ms to select anew, one joint", 1000.0 * seconds(lambda: selected(joints[5], 0.7)), at_most=16.0)
    fit(report)
    compare(report)


def fit(report: Report) -> None:
    """Whether extremes are the steps of recorded walks and runs, and stay at other rates and with noise."""
    if not recorded(*WALKS):
        return
    report.title("Extremes against the widest steps of recorded clips, within 0.1 s")
    for name, clips, least in (("walks", WALKS, 0.95), ("runs", RUNS, 0.9)):
        paths = recorded(*clips)
        scores = step_scores(paths)
        report.figure(f"steps in {len(paths)} {name}", float(scores.steps))
        report.goal(f"{name}: steps that are extremes", scores.recall, at_least=least)
        report.goal(f"{name}: extremes that are steps", scores.precision, at_least=least)
    same = sameness(recorded("cmu-acclaim/16_*.amc", "cmu-acclaim/35_*.amc", "cmu-bvh/[14]*_*.bvh"))
    report.goal("extremes that stay at 30 and 60 fps", same.at_other_rates, at_least=0.95)
    report.goal("extremes that stay with 2 mm of noise", same.with_noise, at_least=0.95)


def restless(frames: int) -> Motion:
    """A person of 31 joints who never rests, at 120 fps."""
    body, extra = figure(), JOINTS - len(figure())
    hand = body.find("LeftHand")
    names = (*body.names, *(f"Finger{n}" for n in range(extra)))
    offsets = np.concatenate([body.offsets, 0.05 + 0.01 * np.arange(3.0 * extra).reshape(extra, 3)])
    skeleton = Skeleton(names, (*body.parents, *[hand] * extra), offsets, roles=(*body.roles, *[None] * extra))
    rng = np.random.default_rng(7)
    knots = rng.normal(scale=0.35, size=(frames // 60 + 4, JOINTS, 3))
    from scipy.interpolate import make_interp_spline

    from model.rotation import from_rotation_vector

    turns = make_interp_spline(np.arange(len(knots)) * 60.0, knots)(np.arange(frames))
    return Motion(skeleton, 1.0 / 120.0, np.zeros((frames, 3)), from_rotation_vector(turns), offsets)


def compare(report: Report) -> None:
    """How many extremes the measures find in recorded motions of different kinds, and how many stay at 30 fps."""
    clips = [(kind, DATA / path) for kind, path in KINDS if (DATA / path).is_file()]
    if not clips:
        return
    report.title("Extremes (without holds), by measure: found / of these also found at 30 fps within a frame")
    print("  | kind | seconds | holds | " + " | ".join(f"{measure} {which}" for measure, which in MEASURES) + " |")
    print("  |---|---|---|" + "---|" * len(MEASURES))
    for kind, path in clips:
        motion = read_motion(path).motion
        slow = sampled(motion, frames_at_rate(motion, 30.0), 1.0 / 30.0)
        cells = []
        for measure, which in MEASURES:
            found, again = (
                times(selected(body_measured(one, ExtremaSettings(measure, which)))) for one in (motion, slow)
            )
            same = sum(bool(np.any(np.abs(again - one) <= 1.0 / 30.0 + 1e-9)) for one in found)
            cells.append(f"{len(found)} / {same}")
        holds = len(body_measured(motion).holds)
        print(f"  | {kind} | {motion.duration_s:.1f} | {holds} | " + " | ".join(cells) + " |", flush=True)
