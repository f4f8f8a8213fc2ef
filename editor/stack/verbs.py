"""What modules of verbs share: options, what they say, and how results and problems are written and printed."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from model.limits import MOST_FPS

if TYPE_CHECKING:
    from model.files.problems import Problem, ReadOptions
    from model.motion import Motion
    from model.skeleton import Skeleton
    from model.units import Unit

_T = TypeVar("_T")


def add_output(
    parser: argparse.ArgumentParser, metavar: str = "OUT", does: str = "the file to write", required: bool = True
) -> None:
    """The option that names the file to write, and the one that lets it replace what is otherwise left unchanged."""
    parser.add_argument("-o", "--output", metavar=metavar, required=required, help=does)
    add_force(parser, metavar)


def add_force(parser: argparse.ArgumentParser, metavar: str = "OUT") -> None:
    parser.add_argument(
        "--force", action="store_true", help=f"let {metavar} replace an input, or a skeleton that other files may need"
    )


def check_output(parsed: argparse.Namespace) -> None:
    """Raise, before any work, where the file to write is in no folder, is no file, or is named as an input too."""
    from model.files.saving import check_target

    if getattr(parsed, "output", None) is not None:
        check_target(parsed.output, () if getattr(parsed, "force", False) else _inputs(parsed))


def _inputs(parsed: argparse.Namespace) -> Iterator[str]:
    """Everything in a call that may name a file to be read: values of options, also those written as NAME=FILE."""
    for option, value in vars(parsed).items():
        if option != "output":
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str):
                    yield text
                    yield text.partition("=")[2]


def write_output(
    parsed: argparse.Namespace, motion: "Motion", unit: "Unit | None" = None, up: str | None = None
) -> None:
    """Write a motion to where the call says, what the format could not carry printed."""
    from model.files.formats import write_motion

    problems = write_motion(motion, parsed.output, unit, up, replace_skeleton=parsed.force)
    print_problems(parsed.output, problems)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Options that overrule what a reader guesses."""
    group = parser.add_argument_group("reading")
    group.add_argument("--from-unit", metavar="U", help="the file's unit: m, cm, mm, in, ft, cmu or metres")
    group.add_argument(
        "--from-up", metavar="AXIS", help="the file's up axis: x, y, z, or with a minus as in --from-up=-z"
    )
    group.add_argument("--from-fps", type=frame_rate, metavar="N", help="the file's frames a second")
    group.add_argument("--skeleton", metavar="S.asf", help="the skeleton of an .amc file, if not found beside it")
    group.add_argument("--radians", action="store_true", help="the file's angles are radians")


def read_options(parsed: argparse.Namespace) -> "ReadOptions":
    """What the reading options say. Raises ValueError naming the option."""
    from model.files.problems import ReadOptions
    from model.units import parse_unit, parse_up

    return ReadOptions(
        unit=named("--from-unit", parse_unit, parsed.from_unit),
        up=named("--from-up", parse_up, parsed.from_up),
        radians=parsed.radians,
        frame_time_s=None if parsed.from_fps is None else 1.0 / parsed.from_fps,
        skeleton=parsed.skeleton,
    )


def named(option: str, parse: Callable[[str], _T], text: str | None) -> _T | None:
    """The parsed value of an option, None where it was not given; ValueError names the option."""
    if text is None:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None


def find_joint(skeleton: "Skeleton", wanted: str) -> int:
    """The joint of this name, or of this role. Raises ValueError where there is none."""
    from model.roles import Role

    if wanted in skeleton.names:
        return skeleton.names.index(wanted)
    joint = skeleton.joint(Role(wanted)) if wanted in set(Role) else None
    if joint is None:
        raise ValueError(f"--joint: there is no joint named {wanted!r}; {_instead(skeleton, wanted)}")
    return joint


def _instead(skeleton: "Skeleton", wanted: str) -> str:
    """What may have been meant by a name."""
    from difflib import get_close_matches

    known = {name.lower(): name for name in (*(role for role in skeleton.roles if role), *skeleton.names)}
    near = get_close_matches(wanted.lower().replace(" ", "_"), known, n=1)
    return f"did you mean {known[near[0]]}?" if near else "`motionwright info` lists them"


def frame_rate(text: str) -> float:
    """For argparse: frames a second, of any camera that there is."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of frames per second") from None
    if not 0.1 <= value <= 100_000.0:
        raise argparse.ArgumentTypeError(f"{text} frames a second are none: use 0.1 to 100000")
    return value


def rate_to_make(text: str) -> float:
    """For argparse: frames a second that a motion is resampled to."""
    value = frame_rate(text)
    if value > MOST_FPS:
        raise argparse.ArgumentTypeError(f"{text} frames a second are too many to make: use 0.1 to {MOST_FPS:g}")
    return value


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def print_problems(path: str, problems: Iterable["Problem"]) -> None:
    """Problems on standard error, a line each."""
    for problem in problems:
        place = f"{path}:{problem.line}" if problem.line else path
        print(f"{place}: {problem.severity}: {problem.message}", file=sys.stderr)
