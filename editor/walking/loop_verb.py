"""`motionwright loop FILE [-o OUT] [--json]`: the loop sequence of a locomotion clip."""

import argparse
import sys
from typing import TYPE_CHECKING

from editor.contacts.reading import read_with_feet
from editor.stack.verbs import add_output, add_reading, print_json, read_options, write_output

if TYPE_CHECKING:
    from editor.walking.candidates import Candidate
    from editor.walking.loops import Loop
    from model.motion import Motion

EXAMPLE = "motionwright loop walk.bvh -o walk_loop.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file of somebody who walks or runs about straight")
    add_output(parser, does="the file to write the loop to, going along", required=False)
    parser.add_argument(
        "--choice", type=int, default=0, metavar="N", help="which of the possible loops, 0 being the best"
    )
    parser.add_argument(
        "--times", type=int, default=1, metavar="N", help="how often it is played in OUT; once if not given"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from editor.walking.candidates import NoLoopError, ranked
    from editor.walking.loops import make_loop
    from editor.walking.straight import prepared
    from model.clip import Take
    from model.files.formats import check_writable

    if parsed.output is not None:
        check_writable(parsed.output)
    if not 1 <= parsed.times <= 1000:
        raise ValueError(f"--times is {parsed.times}; it must be 1 to 1000")
    motion, contacts = read_with_feet(parsed.file, read_options(parsed))
    try:
        ready = prepared(Take(motion, contacts), motion.fps)
        candidates = ranked(ready)
    except NoLoopError as error:
        raise ValueError(f"{parsed.file} has no loop: {error}") from None
    if not 0 <= parsed.choice < len(candidates):
        raise ValueError(f"--choice is {parsed.choice}; there are loops 0 to {len(candidates) - 1}")
    loop = make_loop(ready, candidates[parsed.choice])
    if parsed.output is not None:
        write_output(parsed, _as_file(loop, motion, parsed.times))
    if parsed.json:
        print_json(_told(loop, candidates, motion.first_frame))
    else:
        print(
            _as_text(parsed.file, loop, candidates, motion.first_frame),
            file=sys.stderr if parsed.output else sys.stdout,
        )
    return 0


def _as_file(loop: "Loop", source: "Motion", times: int) -> "Motion":
    """The loop played so many times, written as the file that it is from."""
    from editor.walking.source import as_file_of

    return as_file_of(source, loop.travelling(times).motion)


def _told(loop: "Loop", candidates: "tuple[Candidate, ...]", first_frame: int) -> dict[str, object]:
    return {
        "start": loop.candidate.start + first_frame,
        "stop": loop.candidate.stop + first_frame,
        "steps": loop.steps,
        "speed": loop.speed_m_s,
        "seam_cm": loop.seam_cm,
        "seam_angular_ratio": loop.seam_angular_ratio,
        "foot": loop.candidate.foot,
        "advance": loop.advance_m,
        "candidates": [
            {
                "start": one.start + first_frame,
                "stop": one.stop + first_frame,
                "steps": one.steps,
                "apart_cm": 100.0 * one.seam_m,
                "missed_cm": 100.0 * one.misses_m,
            }
            for one in candidates
        ],
    }


def _as_text(path: str, loop: "Loop", candidates: "tuple[Candidate, ...]", first_frame: int) -> str:
    start, stop = loop.candidate.start + first_frame, loop.candidate.stop + first_frame
    foot = "left" if loop.candidate.foot.startswith("left") else "right"
    others = len(candidates) - 1
    return (
        f"{path}: frames {start} to {stop}, {loop.steps} steps from a stance of the {foot} foot to another, "
        f"{loop.speed_m_s:.2f} m/s, seam {loop.seam_cm:.2f} cm"
        + (f"; {others} other loops are possible (--choice)" if others > 0 else "")
    )
