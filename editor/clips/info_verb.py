"""`motionwright info FILE`: what is in a file."""

import argparse
from typing import TYPE_CHECKING, Any

from editor.stack.verbs import add_reading, print_json, read_options

if TYPE_CHECKING:
    from model.files.problems import Problem, Reading
    from model.files.trajectories import TracksReading
    from model.motion import Motion

EXAMPLE = "motionwright info walk.bvh --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from model.files.formats import holds_points, read_motion, read_points

    options = read_options(parsed)
    if holds_points(parsed.file):
        points = read_points(parsed.file, options)
        told: Any = points_as_json(points) if parsed.json else points_as_text(parsed.file, points)
    else:
        motion = read_motion(parsed.file, options)
        told = as_json(motion) if parsed.json else as_text(parsed.file, motion)
    if parsed.json:
        print_json(told)
    else:
        print(told)
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
        "problems": _problems_as_json(reading.problems),
    }


def points_as_json(reading: "TracksReading") -> dict[str, Any]:
    """The document that `--json` prints for a file of points; gaps are [start, stop) frames."""
    tracks = reading.tracks
    return {
        "frames": tracks.frames,
        "frame_time": tracks.frame_time_s,
        "unit": tracks.unit.name,
        "up": tracks.up,
        "points": [
            {"name": name, "gaps": [list(gap) for gap in gaps]}
            for name, gaps in zip(tracks.names, tracks.gaps(), strict=True)
        ],
        "problems": _problems_as_json(reading.problems),
    }


def _problems_as_json(problems: "tuple[Problem, ...]") -> list[dict[str, Any]]:
    return [{"severity": problem.severity, "line": problem.line, "message": problem.message} for problem in problems]


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
    return "\n".join(lines + _notes(reading.problems))


def points_as_text(path: str, reading: "TracksReading") -> str:
    """What is in a file of points, for people."""
    tracks = reading.tracks
    lines = [
        path,
        f"  frames    {tracks.frames} at {tracks.fps:.4g} fps, {tracks.duration_s:.2f} s",
        f"  unit      {tracks.unit.name} (1 = {tracks.unit.metres:.6g} m), {tracks.up} up",
        f"  points    {len(tracks.names)}",
    ]
    width = min(max((len(name) for name in tracks.names), default=0), 60)
    for name, gaps in zip(tracks.names, tracks.gaps(), strict=True):
        missing = sum(stop - start for start, stop in gaps)
        unseen = f"not seen in {missing} frames ({len(gaps)} gaps)" if gaps else ""
        lines.append(f"    {name:<{width}}  {unseen}".rstrip())
    return "\n".join(lines + _notes(reading.problems))


def _notes(problems: "tuple[Problem, ...]") -> list[str]:
    """What was assumed or repaired, a line each."""
    lines = ["  notes"] if problems else []
    for problem in problems:
        place = f"line {problem.line}: " if problem.line else ""
        lines.append(f"    {problem.severity}: {place}{problem.message}")
    return lines


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
