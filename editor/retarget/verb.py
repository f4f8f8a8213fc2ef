"""`motionwright retarget IN --to SKELETON -o OUT`: the motion on another body."""

import argparse
import sys
from typing import TYPE_CHECKING

from editor.stack.verbs import add_output, add_reading, print_problems, read_options, write_output

if TYPE_CHECKING:
    from model.character import Character
    from model.motion import Origin

EXAMPLE = "motionwright retarget walk.bvh --to child -o child_walk.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help="a motion file")
    parser.add_argument(
        "--to", metavar="SKELETON", required=True,
        help="a motion file of that body, an .asf, or one of: average, child, tall, stocky, 'short legs'",
    )  # fmt: skip
    add_output(parser)
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from dataclasses import replace

    from editor.contacts.detect import find_contacts
    from editor.quality import figures as quality
    from editor.retarget.carry import retargeted
    from model.files.formats import check_writable, read_motion

    check_writable(parsed.output)
    reading = read_motion(parsed.file, read_options(parsed))
    print_problems(parsed.file, reading.problems)
    motion = reading.motion
    character, origin = _read_body(parsed.to)
    contacts = find_contacts(motion, hands=True)
    result = motion
    unit, up = None, None
    if not character.is_body_of(motion):
        try:
            result = retargeted(motion, contacts, character)
        except ValueError as error:
            raise ValueError(f"{parsed.file}, --to {parsed.to}: {error}") from error
        result = replace(result, origin=_for_frames(origin, motion.frames))
        if origin is None and motion.origin is not None:  # a body of ours has no unit of its own
            unit, up = motion.origin.unit, motion.origin.up
    write_output(parsed, result, unit, up)
    drifts = [100.0 * quality.contact_drifts(one, contacts) for one in (motion, result)]
    told = f"{parsed.output}: on the body of {character.name}"
    if all(map(len, drifts)):
        told += f"; planted feet drift {drifts[1].mean():.2f} cm on average, {drifts[0].mean():.2f} cm in {parsed.file}"
    print(told, file=sys.stderr)
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
    """A file's unit, axes and layout, for a motion of so many frames that has nothing of its numbers.

    Bones that turn about one axis only could not carry it: in files that are written with their skeleton, as AMC are,
    they turn freely.
    """
    from dataclasses import replace

    import numpy as np

    from model.files.acclaim import AcclaimDetail

    if origin is None:
        return None
    origin = replace(origin.without_numbers(), channels=np.zeros((frames, 0)))
    if isinstance(origin.detail, AcclaimDetail):
        detail = origin.detail.turning_freely()
        origin = replace(origin, detail=detail, layout=detail.rig.layout)
    return origin
