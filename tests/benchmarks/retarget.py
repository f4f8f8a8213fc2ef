"""Motions on other bodies: how well they get there and back between all makes of skeletons, and how fast."""

from collections.abc import Mapping

import numpy as np

from editor.contacts.detect import find_contacts
from editor.gait.figure import Build, figure
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality import figures as quality
from editor.retarget.carry import Plan, retargeted
from editor.retarget.character import BUILT_IN, built_in, character_from, character_of
from editor.retarget.online import Retargeter
from model.character import Character
from model.files.formats import read_motion
from model.motion import Motion
from model.rotation import IDENTITY
from tests.benchmarks.bvh import thirty_one_joints
from tests.benchmarks.measuring import Report, seconds
from tests.clips import DATA, stepping_figure
from tests.editor.retarget.bodies import added_drift_cm, end_errors_cm, jerk_ratio, plane_errors_deg

RECORDED = {
    "CMU": "cmu-bvh/16_15.bvh",
    "ACCAD": "other-bvh/accad_male1/Male1_B3_Walk.bvh",
    "Bandai": "other-bvh/bandai/dataset-1_walk_normal_001.bvh",
    "100STYLE": "other-bvh/100style_rushed_reference.bvh",
    "LAFAN1": "other-bvh/lafan1_walk4_subject1.bvh",
    "Rokoko": "other-bvh/rokoko_jesse_dance.bvh",
    "Neuron": "other-bvh/neuron_milad_6ch_all_joints.bvh",
}
OWN = "own"
# Movements that ask more of a body than walking.
MOVEMENTS = {
    "run": "cmu-bvh/16_45.bvh",
    "jump": "cmu-bvh/16_01.bvh",
    "signals": "cmu-bvh/13_26.bvh",
    "rough": "cmu-bvh/36_04.bvh",
    "cartwheel": "cmu-bvh/49_06.bvh",
    "sidestep": "other-bvh/accad_male1/Male1_C24_QuickSideStepLeft.bvh",
    "backward": "other-bvh/accad_male1/Male1_C07_RunBack.bvh",
    "wave": "other-bvh/bandai/dataset-2_wave-both-hands_active_001.bvh",
    "old": "other-bvh/bandai/dataset-1_walk_old_001.bvh",
    "kneeling": "other-bvh/20tab_test_mocapbank.bvh",
}


def run(report: Report) -> None:
    makes = {OWN: generate(Gait(), 6.0, 60.0)[0], **clips(RECORDED)}
    characters = bodies(makes)
    matrix(report, "body", makes, characters, FIGURES)
    others = clips(MOVEMENTS)
    if others:
        matrix(report, "movement", others, characters, OF_MOVEMENTS)
    speed(report)


def clips(paths: Mapping[str, str]) -> dict[str, Motion]:
    """The recorded clips that are there, of so many frames at most."""
    found = {}
    for name, path in paths.items():
        if (DATA / path).is_file():
            motion = read_motion(DATA / path).motion
            found[name] = motion if motion.frames <= 900 else motion.sliced(300, 900)
    return found


def bodies(motions: dict[str, Motion]) -> dict[str, Character]:
    """The body of each clip, those that come with the program, and ours with limbs a third longer and shorter."""
    found = {name: character_of(name, motion) for name, motion in motions.items()}
    found |= {name: built_in(name) for name in BUILT_IN}
    for name, build in {
        "legs -30 %": Build(leg=0.7),
        "legs +30 %": Build(leg=1.3),
        "arms -30 %": Build(arm=0.7),
        "arms +30 %": Build(arm=1.3),
    }.items():
        found[name] = character_from(name, figure(1.75, build))
    return found


# What is measured of each pair of bodies, and what it should be at most.
FIGURES = {
    "there and back: ankles, wrists and head, mean, cm": 2.0,
    "planes in which limbs bend, 99th percentile, degrees": 10.0,
    "drift of planted feet beyond the source's, scaled, worst, cm": 0.2,
    "depth under the ground, worst, cm": 0.3,
    "jerk over the source's, scaled": 1.3,
}
# Arms that carry the body, or reach for what they reached for, bend as they must; and feet on rough ground roll much.
OF_MOVEMENTS = {
    **FIGURES,
    "planes in which limbs bend, 99th percentile, degrees": None,
    "jerk over the source's, scaled": 1.4,
}


def matrix(
    report: Report,
    what_goes: str,
    motions: dict[str, Motion],
    characters: dict[str, Character],
    figures: Mapping[str, float | None],
) -> None:
    found = np.zeros((len(figures), len(motions), len(characters)))
    for row, (name, motion) in enumerate(motions.items()):
        contacts = find_contacts(motion, hands=True)
        for column, character in enumerate(characters.values()):
            plan = Plan.of(motion, character, (), contacts)
            there = retargeted(motion, contacts, character, plan=plan)
            back = retargeted(there, contacts, character_of(name, motion, contacts))
            found[:, row, column] = (
                np.mean(end_errors_cm(motion, back)),
                np.percentile(plane_errors_deg(motion, there), 99),
                added_drift_cm(motion, there, contacts, plan.scale),
                quality.penetration_cm(there, contacts.ground_m),
                jerk_ratio(motion, there, plan),
            )
    for (what, limit), table in zip(figures.items(), found, strict=True):
        report.title(f"From each {what_goes} (rows) to each body: {what}")
        print(" " * 11 + "".join(f"{name:>11}" for name in characters))
        for name, row_of in zip(motions, table, strict=True):
            print(f"  {name:<9}" + "".join(f"{value:11.2f}" for value in row_of))
        if limit is not None:
            report.goal(f"each {what_goes}, worst of all pairs: {what}", float(np.max(table)), at_most=limit)


def speed(report: Report) -> None:
    report.title("Retargeting 5,000 frames of 31 joints")
    walk, _ = stepping_figure(seconds=5000 / 60.0)
    skeleton = thirty_one_joints(2).skeleton
    rotations = np.tile(IDENTITY, (walk.frames, len(skeleton), 1))
    rotations[:, : len(walk.skeleton)] = walk.local_rotations

    def fresh() -> Motion:
        return Motion(skeleton, walk.frame_time_s, walk.root_positions, rotations, skeleton.offsets)

    contacts, child = find_contacts(fresh(), hands=True), built_in("child")
    whole = seconds(lambda: retargeted(fresh(), contacts, child))
    report.time("whole", whole)
    online = Retargeter(Plan.of(fresh(), child, (), contacts), walk.frame_time_s, contacts.ground_m)
    single = seconds(lambda: [online.frame(walk.root_positions[f], rotations[f]) for f in range(300)]) / 300.0
    report.time("frame by frame, one frame", single)
    report.goal("whole, seconds", whole, at_most=0.5)
    report.goal("frame by frame, milliseconds", 1000.0 * single, at_most=1.0)
