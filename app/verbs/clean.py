"""`motionwright clean FILE -o OUT`: feet that stand still where they stand."""

import argparse
import sys

from app.verbs.common import Verbs, add_reading, add_verb, print_problems, read_options, read_with_feet


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "clean", "stop planted feet from sliding and sinking",
        "motionwright clean walk.bvh -o walk_clean.bvh", run,
    )  # fmt: skip
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the file to write")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from editor import quality
    from editor.contacts.plant import clean_feet
    from model.files.formats import check_writable, write_motion

    check_writable(parsed.output)
    motion, contacts = read_with_feet(parsed.file, read_options(parsed))
    cleaned = clean_feet(motion, contacts)
    print_problems(parsed.output, write_motion(cleaned, parsed.output))
    before, after = (quality.measure(one, contacts, [motion]) for one in (motion, cleaned))
    if before.contact_drift_worst_cm is None or after.contact_drift_worst_cm is None:
        print(f"{parsed.output}: no foot rests on the ground: nothing was changed", file=sys.stderr)
    else:
        print(
            f"{parsed.output}: planted feet drift {after.contact_drift_worst_cm:.2f} cm at most, "
            f"{before.contact_drift_worst_cm:.2f} cm before",
            file=sys.stderr,
        )
    return 0
