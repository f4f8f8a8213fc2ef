"""The document: undo, working out a stack of edits, opening a project."""

import tempfile
from pathlib import Path

import numpy as np

from app.features import FEATURES
from editor.clips.imported import ImportedFile
from editor.contacts.detect import find_contacts
from editor.document.document import Document
from editor.placing.edit import Mirror
from editor.repair.smoothing import Smooth
from editor.stack.evaluator import Evaluator
from editor.stack.layers import add_edit, change_edit
from editor.timing.edit import Trim
from model.clip import Clip
from model.contacts import FEET
from model.files.problems import ReadOptions
from model.files.project_file import read_project, write_project
from model.motion import Motion
from model.project import Project
from model.rotation import from_rotation_vector, multiply
from model.skeleton import Skeleton
from tests.benchmarks.measuring import Report, seconds
from tests.clips import figure, stepping_figure

EDITS = FEATURES.edits
SOURCES = FEATURES.sources

FRAMES, FPS, JOINTS = 6_000, 30.0, 62


def crowded_figure() -> Skeleton:
    """The figure with fingers, until it has 62 joints."""
    plain = figure()
    names, parents, offsets = list(plain.names), list(plain.parents), list(plain.offsets)
    for n in range(JOINTS - len(plain)):
        side, sign = ("Left", 1.0) if n % 2 else ("Right", -1.0)
        names.append(f"{side}Finger{n // 2}")
        parents.append(plain.find(f"{side}Hand"))
        offsets.append(np.array([0.05 * sign, 0.01 * (n // 2 % 5), 0.0]))
    return Skeleton(
        tuple(names),
        tuple(parents),
        np.array(offsets),
        plain.end_sites,
        (*plain.roles, *[None] * (JOINTS - len(plain))),
    )


def long_walk() -> Motion:
    """Somebody who walks for minutes, swings arms and fingers, and was recorded with a little noise."""
    steps, _ = stepping_figure(seconds=FRAMES / FPS, fps=FPS)
    skeleton, rng = crowded_figure(), np.random.default_rng(4)
    time = np.arange(FRAMES)[:, None, None] / FPS
    swing = 0.1 * np.sin(7.7 * time + rng.uniform(0.0, 6.0, (JOINTS, 3)))  # at the pace of the steps
    swing[:, [n for n, name in enumerate(skeleton.names) if name == "Hips" or "Leg" in name or "Foot" in name]] = 0.0
    rotations = from_rotation_vector(swing + rng.normal(0.0, 0.002, swing.shape))
    plain = len(steps.skeleton)
    rotations[:, :plain] = multiply(rotations[:, :plain], steps.local_rotations)
    # In memory as files are read: what happens to one joint over time in one straight run.
    straight = np.moveaxis(np.ascontiguousarray(np.moveaxis(rotations, 0, -1)), -1, 0)
    return Motion(skeleton, 1.0 / FPS, steps.root_positions, straight, skeleton.offsets)


def run(report: Report) -> None:
    motion = long_walk()
    contacts = find_contacts(motion)  # warm
    project = Project((Clip("1", "Long", ImportedFile("long.bvh", "", ReadOptions(), (), motion)),), 2)
    document = Document(project)
    for edit in (Trim(1.0, 190.0), Mirror(), Smooth()):
        document.do(add_edit, "1", edit)

    report.title(f"Document, {JOINTS} joints x {FRAMES} frames")
    report.figure("contacts of the feet", sum(len(contacts.limbs[foot]) for foot in FEET))
    layer = document.project.clip("1").layers[0].id
    document.do(change_edit, "1", layer, Trim(2.0, 190.0))

    def back_and_forth() -> None:
        document.undo()
        document.redo()

    taken = seconds(back_and_forth) / 2.0
    report.time("undo or redo", taken)
    report.goal("seconds to undo", taken, at_most=0.02)

    evaluators = [Evaluator() for _ in range(5)]
    for evaluator in evaluators:
        evaluator.stages(document.project, "1", edits=0)
    taken = seconds(lambda: evaluators.pop().take(document.project, "1"), repeats=5)
    report.time("trim, mirror and smooth", taken)
    report.goal("seconds to work out trim, mirror and smooth", taken, at_most=0.15)

    with tempfile.TemporaryDirectory() as folder:
        path, kinds = Path(folder) / "long.mwright", FEATURES.kinds
        report.time("saving the project", seconds(lambda: write_project(document.project, path, kinds), repeats=3))
        taken = seconds(lambda: read_project(path, kinds), repeats=3)
        report.time("opening the project", taken)
        report.goal("seconds to open the project", taken, at_most=1.0)
