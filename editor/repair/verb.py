"""`motionwright clean FILE -o OUT`: feet that stand still where they stand."""

import argparse
import sys
from typing import TYPE_CHECKING

from editor.contacts.reading import read_with_feet
from editor.stack.verbs import add_output, add_reading, read_options, write_output

if TYPE_CHECKING:
    from model.contacts import Contacts
    from model.motion import Motion

EXAMPLE = "motionwright clean walk.bvh -o walk_clean.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    add_output(parser)
    parser.add_argument(
        "--level", action="store_true", help="first put a floor that drifts or tilts level, at height 0"
    )
    parser.add_argument("--repair", action="store_true", help="first make zeroed, frozen and spiking frames anew")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from editor.contacts.plant import clean_feet
    from editor.quality import figures as quality
    from model.files.formats import check_writable

    check_writable(parsed.output)
    motion, contacts = read_with_feet(parsed.file, read_options(parsed))
    if parsed.repair:
        motion, contacts = _repaired(parsed.file, motion, contacts)
    if parsed.level:
        motion, contacts = _levelled(parsed.file, motion, contacts)
    cleaned = clean_feet(motion, contacts)
    write_output(parsed, cleaned)
    before, after = (quality.measure(one, contacts, [motion]) for one in (motion, cleaned))
    if before.contact_drift_worst_cm is None or after.contact_drift_worst_cm is None:
        print(f"{parsed.output}: no foot rests on the ground: no foot was moved", file=sys.stderr)
    else:
        print(
            f"{parsed.output}: planted feet drift {after.contact_drift_worst_cm:.2f} cm at most, "
            f"{before.contact_drift_worst_cm:.2f} cm before",
            file=sys.stderr,
        )
    return 0


def _repaired(path: str, motion: "Motion", contacts: "Contacts") -> "tuple[Motion, Contacts]":
    """The motion without its bad frames, each told; contacts are looked for again where there were any."""
    from editor.contacts.detect import find_contacts
    from editor.repair.frames import find_bad_frames, repair_frames

    spans = find_bad_frames(motion).spans
    if not spans:
        return motion, contacts
    for span in spans:
        first = span.start + motion.first_frame
        print(f"{path}: frame {first}: {span.reason} Made anew.", file=sys.stderr)
    motion = repair_frames(motion, spans)
    return motion, find_contacts(motion)


def _levelled(path: str, motion: "Motion", contacts: "Contacts") -> "tuple[Motion, Contacts]":
    """The motion on level ground, by the way that fits it."""
    from editor.contacts.level import level_floor, recommend_levelling

    advice = recommend_levelling(motion, contacts)
    print(f"{path}: {advice.reason}", file=sys.stderr)
    levelled = level_floor(motion, contacts, advice.how)
    return levelled.motion, levelled.contacts
