"""`motionwright stagger FILE -o OUT`: the timing between the parts of a body, changed."""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.verbs import (
    add_output,
    add_reading,
    find_joint,
    print_json,
    print_problems,
    read_options,
    write_output,
)

if TYPE_CHECKING:
    from editor.stagger.plan import Plan
    from model.motion import Motion

EXAMPLE = "motionwright stagger walk.bvh --succession 0.05 --joint chest --keep-contacts -o loose.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument(
        "--succession", type=_number(-0.5, 0.5), default=0.0, metavar="S",
        help="seconds by which each joint is later than the one it hangs on; negative leads (0)",
    )  # fmt: skip
    parser.add_argument(
        "--nonlinearity", type=_number(0.2, 4.0), default=1.0, metavar="L",
        help="above 1 the ends of limbs drag more and more (1)",
    )  # fmt: skip
    parser.add_argument(
        "--random", type=_number(0.0, 0.5), default=0.0, metavar="T",
        help="up to how many seconds each joint is earlier or later by chance (0)",
    )  # fmt: skip
    parser.add_argument("--seed", type=_seed, default=1, metavar="N", help="another number gives another chance (1)")
    parser.add_argument(
        "--scale", type=_number(-2.0, 4.0), default=1.0, metavar="X",
        help="how much of the stagger that the clip has: 0 brings poses together, 2 doubles it (1)",
    )  # fmt: skip
    parser.add_argument(
        "--phase", type=_number(-180.0, 180.0), default=0.0, metavar="DEG",
        help="instead of time: the part of a swing, in degrees, by which each joint is later (0)",
    )  # fmt: skip
    parser.add_argument("--joint", metavar="NAME", help="the joint, by name or role, from which on (the whole body)")
    parser.add_argument(
        "--level", type=_number(0.0, 1.0), default=0.5, metavar="X", help="few poses, 0, to many, 1 (0.5)"
    )
    parser.add_argument("--keep-contacts", action="store_true", help="feet stay where they stand")
    parser.add_argument(
        "--no-soften", action="store_true", help="leave what gets more sudden than the clip usually is as it is"
    )
    add_output(parser, required=False)
    parser.add_argument("--json", action="store_true", help="print the poses and their knots as one JSON document")
    add_reading(parser)


def _number(low: float, high: float) -> Callable[[str], float]:
    """For argparse: a number within a range."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not within {low:g} and {high:g}")
        return value

    return parse


def _seed(text: str) -> int:
    """For argparse: a number for chance."""
    if not text.isascii() or not text.isdigit() or not int(text) <= 9999:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to 9999")
    return int(text)


def run(parsed: argparse.Namespace) -> int:
    from math import radians

    from editor.clips.imported import import_file
    from editor.stack.evaluator import Evaluator
    from editor.stagger.edit import StageTiming, Stagger
    from model.clip import Clip, Layer
    from model.files.formats import check_writable
    from model.project import Project

    if parsed.output is None and not parsed.json:
        raise ValueError("-o names the file to write; without it, --json prints the poses that are found")
    if parsed.output is not None:
        check_writable(parsed.output)
    source = import_file(parsed.file, read_options(parsed))
    print_problems(parsed.file, source.problems)
    skeleton = source.motion.skeleton
    edit = Stagger(
        succession_s=parsed.succession,
        nonlinearity=parsed.nonlinearity,
        random_s=parsed.random,
        seed=parsed.seed,
        scale=parsed.scale,
        joint=None if parsed.joint is None else skeleton.ref(find_joint(skeleton, parsed.joint)),
        keep_contacts=parsed.keep_contacts,
        soften=not parsed.no_soften,
        level=parsed.level,
        phase_rad=radians(parsed.phase),
    )
    clip = Clip("1", parsed.file, source, (Layer("2", edit),))
    evaluator = Evaluator()
    before, after = evaluator.stages(Project((clip,)), "1")
    for note in after.notes:
        print(f"{parsed.output or parsed.file}: {note}", file=sys.stderr)
    if after.failed:
        return 1
    if parsed.output is not None:
        write_output(parsed, after.take.motion)
    if parsed.json:
        print_json(as_json(before.take.motion, edit.plan(before.take, StageTiming(), evaluator.derived)))
    return 0


def as_json(motion: "Motion", plan: "Plan") -> dict[str, Any]:
    """The document that `--json` prints: frames and times of the file, a leading rest pose counted."""
    start_s = motion.first_frame * motion.frame_time_s
    poses = []
    for n, time_s in enumerate(plan.after.times_s.tolist()):
        knots = [
            {
                "joint": name,
                "time": before + start_s,
                "to": after + start_s,
                "extremum": bool(plan.found.with_extremum[n, joint]),
            }
            for joint, (name, before, after) in enumerate(
                zip(
                    motion.skeleton.names,
                    plan.before_s[n + 1].tolist(),
                    plan.after_s[n + 1].tolist(),
                    strict=True,
                )
            )
        ]
        frame = round(float(plan.found.poses.times_s[n]) / motion.frame_time_s) + motion.first_frame
        poses.append({"frame": frame, "time": time_s + start_s, "knots": knots})
    return {"poses": poses}
