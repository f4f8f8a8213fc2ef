"""What the length of a clip costs: time and memory of each verb and edit at doubled lengths.

Each is measured in a process of its own, for the most memory that a process had is known once only. The clip is a made
walk of 31 joints, repeated; a cost that grows with the clip alone doubles with it.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, cast

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.edit import LevelFloor
from editor.contacts.plant import clean_feet
from editor.curves.reduce import Tolerance, reduce_to_keys
from editor.exaggerate.edit import Exaggerate
from editor.extrema.edit import ExtremePoses
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.posing.edit import TargetPose, TargetPoses
from editor.quality import figures as quality
from editor.repair.edit import RepairFrames
from editor.repair.smoothing import Smooth
from editor.retarget.carry import retargeted
from editor.retarget.character import built_in
from editor.stack.evaluator import Evaluator
from editor.stagger.edit import Stagger
from editor.timing.edit import Retime
from editor.walking.candidates import ranked
from editor.walking.loops import find_loop, make_loop
from editor.walking.source import StyleBand, WalkAlongPath
from editor.walking.straight import prepared
from model.clip import Clip, Context, Edit, Layer, Source, Take
from model.motion import Motion
from model.path import Path
from model.project import Project
from model.roles import Role
from model.rotation import IDENTITY, from_rotation_vector, multiply
from model.skeleton import JointRef, Skeleton
from tests.benchmarks.measuring import Report

LENGTHS = (25_000, 50_000, 100_000, 200_000)
JOINTS = 31
# What a process may need for the longest clip; and how many times the cost of half the clip. Time is measured once in
# processes that begin with cold caches, so that it wants some room.
_MOST_GB, _MOST_RATIO = 2.0, 2.6


def run(report: Report) -> None:
    for name in TASKS:
        report.title(f"{name}: {JOINTS} joints")
        costs = [_in_process(name, frames) for frames in LENGTHS]
        for frames, (taken_s, peak_gb) in zip(LENGTHS, costs, strict=True):
            print(f"  {frames:>9,} frames {taken_s:10.2f} s {peak_gb:10.2f} GB", flush=True)
        for what, place in (("time", 0), ("memory", 1)):
            ratios = [later[place] / earlier[place] for earlier, later in pairwise(costs)]
            report.goal(f"{name}: {what} at twice the length", ratios[-1], at_most=_MOST_RATIO)
        report.goal(f"{name}: GB at {LENGTHS[-1]:,} frames", costs[-1][1], at_most=_MOST_GB)


def long_walk(frames: int) -> Take:
    """Somebody who walks straight on for so many frames at 60 a second, no two cycles quite alike."""
    walk, contacts = generate(Gait(1.35, seed=2), 8.0, 60.0)
    loop = find_loop(Take(walk, contacts))
    take = loop.travelling(frames // loop.frames + 1)
    motion = _with_fingers(take.motion)
    rng = np.random.default_rng(1)
    rotations = np.array(motion.local_rotations)
    knots = np.arange(0, motion.frames + 45, 45)
    for joint in (motion.skeleton.find(name) for name in ("Spine1", "Head", "LeftArm", "RightArm", "LeftForeArm")):
        sway = rng.normal(scale=0.05, size=(len(knots), 3))
        between = np.stack([np.interp(np.arange(motion.frames), knots, axis) for axis in sway.T], axis=-1)
        rotations[:, joint] = multiply(rotations[:, joint], from_rotation_vector(between))
    made = replace(motion, local_rotations=rotations).sliced(0, frames)
    return Take(replace(made, first_frame=0), take.contacts.at(np.arange(float(frames))))


def _with_fingers(motion: Motion) -> Motion:
    """The motion on a body of `JOINTS` joints, those that it lacks at rest on its hands."""
    skeleton = motion.skeleton
    more = JOINTS - len(skeleton)
    hands = [skeleton.find(name) for name in ("LeftHand", "RightHand")]
    offsets = np.concatenate([skeleton.offsets, np.tile([0.0, -0.08, 0.0], (more, 1))])
    body = Skeleton(
        (*skeleton.names, *(f"Finger{n}" for n in range(more))),
        (*skeleton.parents, *(hands[n % 2] for n in range(more))),
        offsets,
        skeleton.end_sites,
        (*skeleton.roles, *[None] * more),
    )
    at_rest = np.broadcast_to(IDENTITY, (motion.frames, more, 4))
    rotations = np.concatenate([motion.local_rotations, at_rest], axis=1)
    return replace(motion, skeleton=body, local_rotations=rotations, local_offsets=offsets, origin=None)


@dataclass(frozen=True)
class _Made(Source):
    """A take that is there already, as a source."""

    kind: ClassVar[str] = "made"
    title: ClassVar[str] = "Made"

    take: Any

    def make(self, context: Context) -> Take:
        return cast(Take, self.take)


def _edited(*edits: Edit) -> Callable[[Take], None]:
    """Edits put on a clip and evaluated, as in the window."""

    def evaluate(take: Take) -> None:
        layers = tuple(Layer(f"{n}", edit) for n, edit in enumerate(edits))
        project = Project((Clip("clip", "clip", _Made(take), layers),))
        stages = Evaluator().stages(project, "clip")
        assert not any(stage.failed for stage in stages), [stage.notes for stage in stages]

    return evaluate


def _loop(take: Take) -> None:
    ready = prepared(take, take.motion.fps)
    make_loop(ready, ranked(ready)[0])


def _quality(take: Take) -> None:
    quality.measure(take.motion, take.contacts, [take.motion])


def _reduced(take: Take) -> None:
    times_s = np.arange(float(take.motion.frames)) * take.motion.frame_time_s
    reduce_to_keys(take.motion, times_s, Tolerance(degrees=1.0))


def _walked(take: Take) -> None:
    """A walk along a path that takes as many frames as the clip has."""
    style = Take(take.motion.sliced(0, 600), take.contacts.at(np.arange(600.0)))
    length_m = 1.35 * take.motion.duration_s
    turns = max(int(length_m / 400.0), 1)
    side_m = length_m / turns
    points = [(20.0 * n, side_m * (n % 2 != back)) for n in range(turns) for back in (0, 1)]
    walk = WalkAlongPath(Path.through(points, "straight"), (StyleBand("style"),))
    project = Project((Clip("style", "style", _Made(style)), Clip("walk", "walk", walk)))
    Evaluator().stages(project, "walk")


_WIDE = TargetPose(2.0, ((JointRef("LeftArm", Role.LEFT_SHOULDER), (0.0, 0.0, 0.5)),))
TASKS: dict[str, Callable[[Take], None]] = {
    "contacts": lambda take: _none(find_contacts(take.motion, hands=True)),
    "clean": lambda take: _none(clean_feet(take.motion, take.contacts)),
    "repair and level": _edited(RepairFrames(), LevelFloor()),
    "extrema": _edited(ExtremePoses()),
    "extrema, curvature": _edited(ExtremePoses(measure="curvature")),
    "pose": _edited(TargetPoses((_WIDE,), grounded=True)),
    "exaggerate": _edited(Exaggerate(2.0)),
    "exaggerate joints": _edited(Exaggerate(2.0, "joints")),
    "exaggerate cartoon": _edited(Exaggerate(2.0, "cartoon")),
    "stagger": _edited(Stagger(0.05)),
    "loop": _loop,
    "retarget": lambda take: _none(retargeted(take.motion, take.contacts, built_in("child"))),
    "quality": _quality,
    "smooth": _edited(Smooth()),
    "retime": _edited(Retime(((0.0, 1.5),))),
    "reduce": _reduced,
    "walk": _walked,
}


def _none(_: object) -> None:
    pass


def _in_process(name: str, frames: int) -> tuple[float, float]:
    """Seconds and gigabytes of one of them, in a process of its own."""
    call = [sys.executable, "-m", "tests.benchmarks.growth", name, str(frames)]
    taken_s, peak_gb = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
    return taken_s, peak_gb


def _measure(name: str, frames: int) -> None:
    """Print seconds and gigabytes: those of the whole process, with the clip that it works on."""
    take = long_walk(frames)
    start = time.process_time()
    TASKS[name](take)
    taken_s = time.process_time() - start
    print(json.dumps([taken_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6]))


if __name__ == "__main__":
    _measure(sys.argv[1], int(sys.argv[2]))
