"""`motionwright contacts FILE`: when feet and hands rest on the ground."""

import argparse
from typing import TYPE_CHECKING, Any

from editor.contacts.reading import read_with_feet
from editor.stack.verbs import add_reading, print_json, read_options

if TYPE_CHECKING:
    from model.contacts import Contacts
    from model.motion import Motion

EXAMPLE = "motionwright contacts walk.bvh --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    motion, contacts = read_with_feet(parsed.file, read_options(parsed), hands=True)
    if parsed.json:
        print_json(as_json(motion, contacts))
    else:
        print(as_text(parsed.file, motion, contacts))
    return 0


def as_json(motion: "Motion", contacts: "Contacts") -> dict[str, Any]:
    """The document that `--json` prints: [start, stop) frames of the file, a leading rest pose counted."""
    first = motion.first_frame
    return {
        "ground": contacts.ground_m,
        "limbs": {
            limb: [[contact.start + first, contact.stop + first] for contact in found]
            for limb, found in contacts.limbs.items()
        },
    }


def as_text(path: str, motion: "Motion", contacts: "Contacts") -> str:
    """The same for people."""
    lines = [path, f"  ground      {100.0 * contacts.ground_m:.1f} cm"]
    for limb, found in contacts.limbs.items():
        spans = ", ".join(f"{c.start + motion.first_frame}-{c.stop + motion.first_frame - 1}" for c in found)
        lines.append(
            f"  {limb.replace('_', ' '):<12}{len(found)} contacts: {spans}"
            if found
            else f"  {limb.replace('_', ' '):<12}none"
        )
    flights = contacts.flights()
    share = sum(flight.stop - flight.start for flight in flights) / max(motion.frames, 1)
    lines.append(f"  in the air  {len(flights)} times, {100.0 * share:.0f} % of the time")
    return "\n".join(lines)
