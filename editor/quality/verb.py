"""`motionwright quality FILE`: the figures by which a motion is judged."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from editor.contacts.reading import read_with_feet
from editor.stack.verbs import add_reading, print_json, read_options

if TYPE_CHECKING:
    from editor.quality.figures import Quality

# What is printed for people: figure, words, unit, digits.
_LINES = (
    ("skate_ratio", "toes sliding while low", "of frames", 3),
    ("skate_ratio_fast", "  faster than 0.5 m/s", "of frames", 3),
    ("contact_drift_mean_cm", "drift of planted toes, mean", "cm", 2),
    ("contact_drift_worst_cm", "  worst", "cm", 2),
    ("penetration_cm", "deepest under the ground", "cm", 2),
    ("seam_cm", "jump at the seam", "cm", 2),
    ("seam_angular_ratio", "  in angular velocity", "x usual", 2),
    ("path_error_mean_cm", "distance from the path, mean", "cm", 1),
    ("path_error_worst_cm", "  worst", "cm", 1),
    ("heading_error_mean_deg", "  heading, mean", "degrees", 1),
    ("stretch_percent", "bones stretched by", "%", 2),
    ("jerk_p99", "jerk, 99th percentile", "m/s3", 0),
    ("jerk_ratio", "  against the reference", "x", 2),
    ("step_ratio", "largest step, against the reference", "x", 2),
    ("pose_match_deg", "pose against the one asked for", "degrees", 2),
)

EXAMPLE = "motionwright quality walk_clean.bvh --reference walk.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument("--path", metavar="PATH.json", help="the path that was to be followed")
    parser.add_argument(
        "--reference", metavar="FILE", action="append", default=[],
        help="a clip that it was made from, for jerk, steps, stretch and contacts; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--seam", type=int, metavar="FRAME", help="the first frame after a place where clips were joined"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from editor.quality.figures import contacts_to_judge, measure
    from model.files.formats import read_motion
    from model.files.path_file import read_path

    options = read_options(parsed)
    path = None if parsed.path is None else read_path(parsed.path)
    motion, own = read_with_feet(parsed.file, options)
    references = [read_motion(name, options).motion for name in parsed.reference]
    seam_frame = None if parsed.seam is None else parsed.seam - motion.first_frame
    if seam_frame is not None and not 2 <= seam_frame <= motion.frames - 2:
        raise ValueError(f"--seam is {parsed.seam}: there must be two frames of the clip on either side of it")
    figures = measure(motion, contacts_to_judge(own, motion, references), references, path, seam_frame)
    if parsed.json:
        print_json(asdict(figures))
    else:
        print(as_text(parsed.file, figures))
    return 0


def as_text(path: str, figures: "Quality") -> str:
    """The figures that apply, for people."""
    lines = [path]
    for name, words, unit, digits in _LINES:
        value = getattr(figures, name)
        if value is not None:
            lines.append(f"  {words:<36}{value:8.{digits}f} {unit}")
    return "\n".join(lines)
