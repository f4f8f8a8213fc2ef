"""`motionwright exaggerate FILE --amount E -o OUT`: extreme poses moved apart or together."""

import argparse
import sys
from dataclasses import replace
from typing import Any

from editor.stack.verbs import add_output, add_reading, named, print_problems, read_options, write_output

_PARTS = ("head", "trunk", "left-arm", "right-arm", "left-leg", "right-leg")

EXAMPLE = "motionwright exaggerate walk.bvh --amount 2 -o big_walk.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument(
        "--amount", metavar="E", type=float, required=True,
        help="how far apart extreme poses get: 1 changes nothing, 2 is twice as far, 0.5 half as far",
    )  # fmt: skip
    parser.add_argument("--space", default="cartesian", help="cartesian (plausible, the default) or rotation")
    parser.add_argument("--scope", default="body", help="body: extreme poses (the default); joints: each on its own")
    parser.add_argument(
        "--bias", metavar="B", type=float, default=0.5,
        help="1 moves each pose away from the one before, 0 from the one after; 0.5 from both",
    )  # fmt: skip
    parser.add_argument(
        "--part", metavar="PART=W", action="append", default=[],
        help=f"how much of the amount a part gets, 0 to 2; may be repeated; parts: {', '.join(_PARTS)}",
    )  # fmt: skip
    parser.add_argument("--keep-legs", action="store_true", help="leave legs and pelvis, and so the way, as they are")
    parser.add_argument("--jumps", action="store_true", help="make jumps higher, or lower, as well")
    parser.add_argument("--cartoon", action="store_true", help="use the cartoon animation filter instead, to compare")
    add_output(parser)
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from editor.contacts.detect import find_contacts
    from editor.exaggerate.change import extreme_frames
    from editor.exaggerate.edit import Exaggerate
    from editor.exaggerate.extent import body_extent
    from editor.exaggerate.motion import exaggerated
    from editor.extrema.find import extremes_of
    from model.clip import Take
    from model.files.formats import check_writable, read_motion

    check_writable(parsed.output)
    weights: Any = dict(named("--part", _part, one) or ("", 0.0) for one in parsed.part)
    edit = Exaggerate(
        parsed.amount, "cartoon" if parsed.cartoon else parsed.scope, parsed.space, parsed.bias,
        keep_legs=parsed.keep_legs, jumps=parsed.jumps, **weights,
    )  # fmt: skip
    reading = read_motion(parsed.file, read_options(parsed))
    print_problems(parsed.file, reading.problems)
    motion = reading.motion
    result = take = Take(motion, find_contacts(motion, hands=True))
    if motion.frames > 1 and edit.amount != 1.0:
        take = replace(take, extremes=extremes_of(take))  # found once
        result = exaggerated(take, edit.amounts, edit.scope, jumps=edit.jumps)
        frames = extreme_frames(take)
        before, after = (body_extent(one.motion, frames) for one in (take, result))
        print(
            f"{parsed.output}: {len(frames)} extreme poses; spatial extent {before:.2f} m before, {after:.2f} m after",
            file=sys.stderr,
        )
    write_output(parsed, result.motion)
    return 0


def _part(text: str) -> tuple[str, float]:
    """A part of the body and its weight. Raises ValueError."""
    name, equals, weight = text.partition("=")
    if not equals or name not in _PARTS:
        raise ValueError(f"{text!r} must look like left-arm=0.5; parts are {', '.join(_PARTS)}")
    try:
        return name.replace("-", "_"), float(weight)
    except ValueError:
        raise ValueError(f"{weight!r} is no number") from None
