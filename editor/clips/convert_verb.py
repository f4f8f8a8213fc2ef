"""`motionwright convert IN -o OUT`: from any readable to any writable format."""

import argparse
from collections.abc import Callable
from typing import TypeVar

from editor.stack.verbs import add_output, add_reading, named, print_problems, rate_to_make, read_options, write_output

_T = TypeVar("_T")

EXAMPLE = "motionwright convert walk.bvh -o walk_30fps.bvh --fps 30 --unit cm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help="a motion file")
    add_output(parser)
    parser.add_argument("--fps", type=rate_to_make, metavar="N", help="resample to N frames a second")
    parser.add_argument("--unit", metavar="U", help="write lengths in m, cm, mm, in, ft, cmu or metres")
    parser.add_argument("--up", metavar="AXIS", help="write with this axis up: y, z, …")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from model.files.formats import check_writable, holds_points, read_motion, read_points, write_points
    from model.units import parse_unit, parse_up

    check_writable(parsed.output)
    unit = named("--unit", parse_unit, parsed.unit)
    up = named("--up", parse_up, parsed.up)
    options = read_options(parsed)
    if holds_points(parsed.file):
        points = read_points(parsed.file, options)
        print_problems(parsed.file, points.problems)
        tracks = points.tracks if parsed.fps is None else _at_rate(parsed, points.tracks.resampled)
        print_problems(parsed.output, write_points(tracks, parsed.output, unit, up))
        return 0
    reading = read_motion(parsed.file, options)
    print_problems(parsed.file, reading.problems)
    motion = reading.motion if parsed.fps is None else _at_rate(parsed, reading.motion.resampled)
    write_output(parsed, motion, unit, up)
    return 0


def _at_rate(parsed: argparse.Namespace, resampled: Callable[[float], _T]) -> _T:
    """What the file holds at the rate that is asked for. Raises ValueError naming file and option."""
    try:
        return resampled(parsed.fps)
    except ValueError as error:
        raise ValueError(f"{parsed.file}, --fps: {error}") from None
