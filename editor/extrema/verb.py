"""`motionwright extrema FILE`: the extreme poses of a body, or the extrema of one joint."""

import argparse
from typing import TYPE_CHECKING, Any

from editor.stack.verbs import add_reading, find_joint, print_json, print_problems, read_options

if TYPE_CHECKING:
    from model.extremes import Extremes
    from model.motion import Motion

EXAMPLE = "motionwright extrema walk.bvh --joint LeftUpLeg --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument(
        "--measure", choices=("spatial", "velocity", "acceleration", "curvature"), default="spatial",
        help="what is looked at (spatial: how far a pose is from those around it)",
    )  # fmt: skip
    parser.add_argument(
        "--extreme", choices=("max", "min"),
        help="its largest or its smallest values (the smallest of velocity, the largest of all else)",
    )  # fmt: skip
    parser.add_argument(
        "--part", default="whole body", metavar="PART",
        help="of the body: whole body, upper body, legs, arms, left leg, right leg, left arm, right arm (whole body)",
    )  # fmt: skip
    parser.add_argument("--joint", metavar="NAME", help="a joint by its name or role, as left_knee (the whole body)")
    parser.add_argument(
        "--window", type=_window, default=1.0 / 6.0, metavar="S",
        help="seconds in all, half before and half after, that an extreme is beyond (1/6)",
    )  # fmt: skip
    parser.add_argument(
        "--level", type=_level, default=0.5, metavar="L", help="from 0 for few to 1 for every small change (0.5)"
    )
    parser.add_argument(
        "--filter", choices=("none", "laplacian", "low-pass"), default="none",
        help="smooths positions before they are measured (none)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_reading(parser)


def _window(text: str) -> float:
    """For argparse: a length of time."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds") from None
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} seconds are no window: it must be longer than 0")
    return value


def _level(text: str) -> float:
    """For argparse: a place on the slider from few to many."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is no level: it must be between 0 and 1")
    return value


def run(parsed: argparse.Namespace) -> int:
    from editor.extrema.filters import Filter, FilterKind
    from editor.extrema.find import ExtremaSettings, body_measured, joint_measured, selected
    from editor.extrema.measures import Measure
    from editor.extrema.parts import PARTS, WHOLE_BODY
    from model.files.formats import read_motion

    if parsed.part not in PARTS:
        raise ValueError(f"--part: {parsed.part!r} is no part of a body; it must be one of {', '.join(PARTS)}")
    if parsed.joint is not None and parsed.part != WHOLE_BODY:
        raise ValueError("--joint and --part exclude each other: a joint is looked at alone")
    reading = read_motion(parsed.file, read_options(parsed))
    print_problems(parsed.file, reading.problems)
    motion = reading.motion
    settings = ExtremaSettings(
        Measure(parsed.measure), parsed.extreme or "automatic", parsed.part, parsed.window,
        Filter(FilterKind(parsed.filter)),
    )  # fmt: skip
    if parsed.joint is None:
        joint, found = None, body_measured(motion, settings)
    else:
        index = find_joint(motion.skeleton, parsed.joint)
        joint, found = motion.skeleton.names[index], joint_measured(motion, index, settings)
    extremes = selected(found, parsed.level)
    if parsed.json:
        print_json(as_json(motion, extremes, joint))
    else:
        print(as_text(parsed.file, motion, extremes, joint or parsed.part))
    return 0


def as_json(motion: "Motion", extremes: "Extremes", joint: str | None) -> dict[str, Any]:
    """The document that `--json` prints: frames and times of the file, a leading rest pose counted."""
    return {
        "extrema": [
            {
                "frame": frame,
                "time": frame * motion.frame_time_s,
                "kind": one.kind.value,
                "prominence": one.prominence,
                "joint": joint,
            }
            for one, frame in zip(extremes.found, _file_frames(motion, extremes), strict=True)
        ]
    }


def as_text(path: str, motion: "Motion", extremes: "Extremes", of: str) -> str:
    """The same for people. of : the joint, or the part of the body."""
    lines = [path, f"  {of}: {len(extremes.found)} extremes"]
    lines.append("  frame     time  kind     prominence")
    for one, frame in zip(extremes.found, _file_frames(motion, extremes), strict=True):
        line = f"  {frame:5}  {frame * motion.frame_time_s:5.2f} s  {one.kind.value:<9}{one.prominence:10.2f}"
        if one.start_s is not None and one.stop_s is not None:
            line += f"  for {one.stop_s - one.start_s:.2f} s"
        lines.append(line)
    return "\n".join(lines)


def _file_frames(motion: "Motion", extremes: "Extremes") -> list[int]:
    return [round(one.time_s / motion.frame_time_s) + motion.first_frame for one in extremes.found]
