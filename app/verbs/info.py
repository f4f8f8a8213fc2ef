"""`motionwright info FILE`: what is in a file."""

import argparse
from typing import TYPE_CHECKING, Any

from app.verbs.common import Verbs, add_reading, add_verb, print_json, read_options

if TYPE_CHECKING:
    from model.files.problems import Reading
    from model.motion import Motion


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "info", "tell frames, rate, joints, roles, unit, axes and problems of a file",
        "motionwright info walk.bvh --json", run,
    )  # fmt: skip
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from model.files.formats import read_motion

    reading = read_motion(parsed.file, read_options(parsed))
    if parsed.json:
        print_json(as_json(reading))
    else:
        print(as_text(parsed.file, reading))
    return 0


def as_json(reading: "Reading") -> dict[str, Any]:
    """The document that `--json` prints. Frames count a leading rest pose."""
    motion = reading.motion
    skeleton = motion.skeleton
    return {
        "frames": motion.first_frame + motion.frames,
        "frame_time": motion.frame_time_s,
        "unit": motion.origin.unit.name if motion.origin else "m",
        "up": motion.origin.up if motion.origin else "+Y",
        "rest_pose": motion.rest is not None,
        "joints": [
            {"name": name, "parent": parent, "role": role}
            for name, parent, role in zip(skeleton.names, skeleton.parents, skeleton.roles, strict=True)
        ],
        "problems": [
            {"severity": problem.severity, "line": problem.line, "message": problem.message}
            for problem in reading.problems
        ],
    }


def as_text(path: str, reading: "Reading") -> str:
    """The same for people."""
    motion = reading.motion
    lines = [
        path,
        f"  frames    {motion.first_frame + motion.frames} at {motion.fps:.4g} fps, "
        f"{motion.duration_s:.2f} s" + (", the first a rest pose" if motion.rest else ""),
    ]
    if motion.origin is not None:
        unit = motion.origin.unit
        lines.append(f"  unit      {unit.name} (1 = {unit.metres:.6g} m), {motion.origin.up} up")
    lines.append(f"  size      {_size(motion)}")
    lines.append(f"  joints    {len(motion.skeleton)}, {len(motion.skeleton.end_sites)} tips")
    lines += _tree(motion)
    if reading.problems:
        lines.append("  notes")
    for problem in reading.problems:
        place = f"line {problem.line}: " if problem.line else ""
        lines.append(f"    {problem.severity}: {place}{problem.message}")
    return "\n".join(lines)


def _size(motion: "Motion") -> str:
    """How tall the figure stands and how far it gets, over the clip."""
    import numpy as np

    from model.roles import Role

    positions = motion.world.positions
    height = float(np.max(np.ptp(positions[..., 1], axis=1)))
    pelvis = positions[:, motion.skeleton.joint(Role.PELVIS) or 0]
    way = float(np.sum(np.linalg.norm(np.diff(pelvis[:, [0, 2]], axis=0), axis=1)))
    return f"{height:.2f} m from the lowest joint to the highest; travels {way:.2f} m"


def _tree(motion: "Motion") -> list[str]:
    """The skeleton as an indented tree with roles."""
    skeleton = motion.skeleton
    depths: list[int] = []
    for parent in skeleton.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    labels = ["  " * min(depth, 20) + name for depth, name in zip(depths, skeleton.names, strict=True)]
    width = min(max(len(label) for label in labels), 60)
    return [f"    {label:<{width}}  {role or ''}".rstrip() for label, role in zip(labels, skeleton.roles, strict=True)]
