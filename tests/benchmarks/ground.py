"""Clips on other ground: how well walks, runs and jumps go over boxes, stairs and ramps, and with other limbs."""

from dataclasses import astuple, fields

import numpy as np

from editor.posing.edit import TargetPoses
from editor.posing.lengths import limb_bones, with_lengths
from editor.quality import figures as quality
from model.ground import Box, Ground
from model.motion import Motion
from tests.benchmarks.measuring import Report, seconds
from tests.clips import DATA, stepping_figure
from tests.editor.posing.grounded.asking import Clip
from tests.editor.posing.grounded.obstacles import KINDS, GroundFigures, flipped, in_the_way, judged

SAMPLES = ("walk", "walk_fast", "run", "jog", "sneak", "march", "happy")
CLIPS = {
    "CMU walk": "cmu-bvh/02_01", "CMU slow walk": "cmu-bvh/16_15", "CMU walk 90": "cmu-bvh/16_17",
    "CMU run": "cmu-bvh/16_45", "CMU jog": "cmu-bvh/35_17", "CMU jump": "cmu-bvh/16_01",
    "CMU zombie": "cmu-bvh/104_41",
    "CMU walk to run": "cmu-bvh/127_04", "ACCAD walk": "other-bvh/accad_male1/Male1_B3_Walk",
    "ACCAD run": "other-bvh/accad_male1/Male1_C03_Run",
    "ACCAD run to walk": "other-bvh/accad_male1/Male1_C04_RunToWalk",
    "Bandai walk": "other-bvh/bandai/dataset-1_walk_normal_001",
    "Bandai old": "other-bvh/bandai/dataset-1_walk_old_001",
    "Bandai run": "other-bvh/bandai/dataset-2_run_normal_001", "100STYLE rushed": "other-bvh/100style_rushed_reference",
    "LAFAN1 walk": "other-bvh/lafan1_walk4_subject1",
}  # fmt: skip
LONGEST, DRAGGED = 900, 6_000
LIMBS = {
    "short legs and arms": {"legs": 0.6, "arms": 0.6},
    "long legs": {"legs": 1.3},
    "one short leg": {"left leg": 0.9},
    "short spine": {"spine": 0.7},
}
GOALS = {"deeper_cm": 0.1, "drift_cm": 0.1, "floating_cm": 1.0, "flipped": 0.0, "jerk_ratio": 1.5}


def clips() -> dict[str, Clip]:
    """The clips by name; long ones are cut."""
    found = {f"our {name}": Clip.sample(name) for name in SAMPLES}
    if not DATA.is_dir():
        print("  the recorded clips (../shared/data) are not here: no figures of them")
        return found
    return found | {name: Clip.of(_cut(Clip.read(DATA / f"{path}.bvh").motion)) for name, path in CLIPS.items()}


def _cut(motion: Motion) -> Motion:
    return motion if motion.frames <= LONGEST else motion.sliced(0, LONGEST)


def run(report: Report) -> None:
    report.title("Over boxes, stairs and ramps, the worst frame of each clip; cm beyond the source")
    names = [one.name for one in fields(GroundFigures)]
    print(f"  {'clip':<18}{'ground':<10}" + "".join(f"{name:>16}" for name in names))
    worst = dict.fromkeys(names, 0.0)
    missed: dict[str, int] = dict.fromkeys(names, 0)
    count = 0
    for name, clip in clips().items():
        for kind in KINDS:
            _, told = judged(clip, in_the_way(clip, kind))
            print(f"  {name:<18}{kind:<10}" + "".join(f"{value:16.3f}" for value in astuple(told)), flush=True)
            count += 1
            for figure in names:
                value = getattr(told, figure)
                worst[figure] = max(worst[figure], value)
                missed[figure] += figure in GOALS and value > GOALS[figure] + 1e-9
    for figure, limit in GOALS.items():
        report.goal(
            f"cases of {count} with {figure} over {limit:g} (worst {worst[figure]:.2f})", missed[figure], at_most=0
        )
    _limbs(report)
    walk = Clip.sample("walk")
    stairs = in_the_way(walk, "stairs")
    report.title("Speed")
    report.time(f"{walk.motion.frames} frames up stairs", seconds(lambda: walk.solve(ground=stairs)))
    motion, _ = stepping_figure(seconds=DRAGGED / 60.0)
    long = Clip.of(motion)
    long.motion.world.positions.sum()  # kinematics of the source are known while a box is dragged
    box = Box((0.0, float(motion.root_positions[DRAGGED // 2, 2])), (3.0, 1.2), 0.2)
    ground = Ground(long.contacts.ground_m).adding(box)
    taken = seconds(lambda: long.solve(ground=ground))
    report.time(f"a box under {DRAGGED} frames", taken)
    report.goal("updates a second against 20 while it is dragged", 1.0 / taken / 20.0, at_least=1.0)


def _limbs(report: Report) -> None:
    """Clips on bodies with other limbs (figure 6.15)."""
    report.title("Short and long limbs, the worst frame of each clip; cm beyond the source")
    heads = ("deeper_cm", "drift_cm", "flipped", "jerk_ratio", "step_ratio")
    print(f"  {'clip':<18}{'limbs':<22}" + "".join(f"{head:>12}" for head in heads))
    missed, count = dict.fromkeys(heads, 0), 0
    for name, clip in clips().items():
        for told, factors in LIMBS.items():
            result = clip.solve(*resizing(clip, factors).poses).motion
            before, after = (quality.contact_drifts(motion, clip.contacts) for motion in (clip.motion, result))
            figures = quality.measure(result, clip.contacts, [clip.motion])
            drift = 100.0 * float(np.max(after - before, initial=0.0))
            bent = flipped(clip.motion, result)
            row = (clip.deeper_cm(result), drift, bent, figures.jerk_ratio or 0.0, figures.step_ratio or 0.0)
            print(f"  {name:<18}{told:<22}" + "".join(f"{value:12.3f}" for value in row), flush=True)
            count += 1
            for head, value in zip(heads, row, strict=True):
                missed[head] += head in GOALS and value > GOALS[head] + 1e-9
    for head in heads:
        if head in GOALS:
            report.goal(f"cases of {count} with {head} over {GOALS[head]:g}", missed[head], at_most=0)


def resizing(clip: Clip, factors: dict[str, float]) -> TargetPoses:
    """The edit that makes limbs longer or shorter."""
    edit, skeleton = TargetPoses(grounded=True), clip.motion.skeleton
    bones = limb_bones(skeleton)
    for limb, factor in factors.items():
        edit = with_lengths(edit, [skeleton.ref(joint) for joint in bones.get(limb, ())], factor)
    return edit
