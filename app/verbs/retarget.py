"""`motionwright retarget IN --to SKELETON -o OUT`: the motion on another body."""

import argparse
import sys
from typing import TYPE_CHECKING

from app.verbs.common import Verbs, add_reading, add_verb, print_problems, read_options

if TYPE_CHECKING:
    from model.character import Character
    from model.motion import Origin


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "retarget", "put the motion on another body",
        "motionwright retarget walk.bvh --to child -o child_walk.bvh", run,
    )  # fmt: skip
    parser.add_argument("file", metavar="IN", help="a motion file")
    parser.add_argument(
        "--to", metavar="SKELETON", required=True,
        help="a motion file of that body, an .asf, or one of: average, child, tall, stocky, 'short legs'",
    )  # fmt: skip
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the file to write")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from dataclasses import replace

    from editor import quality
    from editor.contacts.detect import find_contacts
    from editor.retarget.carry import retargeted
    from model.files.formats import check_writable, read_motion, write_motion

    check_writable(parsed.output)
    reading = read_motion(parsed.file, read_options(parsed))
    print_problems(parsed.file, reading.problems)
    motion = reading.motion
    character, origin = _read_body(parsed.to)
    contacts = find_contacts(motion, hands=True)
    result = motion
    if not character.is_body_of(motion):
        result = replace(retargeted(motion, contacts, character), origin=_for_frames(origin, motion.frames))
    print_problems(parsed.output, write_motion(result, parsed.output))
    drifts = quality.contact_drifts(result, contacts)
    steps = f", planted feet drift {100.0 * float(drifts.max()):.2f} cm at most" if len(drifts) else ""
    print(f"{parsed.output}: on the body of {character.name}{steps}", file=sys.stderr)
    return 0


def _read_body(name: str) -> "tuple[Character, Origin | None]":
    """The body that is meant, and how its file writes bodies. Raises MotionFileError or ValueError."""
    from pathlib import Path

    from editor.retarget.character import BUILT_IN, built_in, character_of
    from model.files.formats import read_motion

    if name in BUILT_IN:
        return built_in(name), None
    if not Path(name).suffix:
        raise ValueError(f"--to: {name!r} is neither a motion file nor one of {', '.join(BUILT_IN)}")
    reading = read_motion(name)
    print_problems(name, reading.problems)
    return character_of(Path(name).stem, reading.motion), reading.motion.origin


def _for_frames(origin: "Origin | None", frames: int) -> "Origin | None":
    """A file's unit, axes and layout, for a motion of so many frames that has nothing of its numbers."""
    from dataclasses import replace

    import numpy as np

    if origin is None:
        return None
    return replace(origin.without_numbers(), channels=np.zeros((frames, 0)))
