"""`motionwright walk --path PATH.json --style NAME=FILE …`: a walk along a path in one or more styles."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from editor.stack.verbs import add_output, add_reading, print_problems, read_options, write_output

if TYPE_CHECKING:
    from editor.walking.source import StyleBand
    from model.files.problems import ReadOptions
    from model.project import Project

# The id of what is made among those of the styles, which are their names: those are never empty.
_RESULT = ""

EXAMPLE = "motionwright walk --path path.json --style calm=walk.bvh --style fast=jog.bvh --switch 6:fast -o out.bvh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path", metavar="PATH.json", required=True, help='the path, {"points": [[x, z], …]}, or an .svg'
    )
    parser.add_argument(
        "--style", metavar="NAME=FILE", action="append", required=True,
        help="a clip that shows a style; the walk begins with the first, on whose body all others are put",
    )  # fmt: skip
    parser.add_argument(
        "--switch",
        metavar="METRES:NAME",
        action="append",
        default=[],
        help="go over into a style so far along the path",
    )
    for end, does in (("start", "begins"), ("stop", "ends")):
        parser.add_argument(
            f"--{end}",
            choices=("walking", "standing"),
            default="walking",
            help=f"how the walk {does}; walking if not given",
        )
    parser.add_argument("--ground", metavar="GROUND.json", help="what stands on the floor")
    add_output(parser)
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from editor.stack.evaluator import Evaluator, SourceError
    from editor.walking.source import WalkAlongPath
    from model.clip import Clip
    from model.files.formats import check_writable
    from model.files.path_file import read_drawn_path

    check_writable(parsed.output)
    path = read_drawn_path(parsed.path)
    files = _styles(parsed.style)
    bands = _bands(files, parsed.switch)
    project = _project(files, read_options(parsed), parsed.ground)
    walk = WalkAlongPath(path, bands, (), parsed.start, parsed.stop)
    project = project.with_clip(Clip(_RESULT, "walk", walk))
    try:
        stage = Evaluator().stages(project, _RESULT)[-1]
    except SourceError as error:
        raise ValueError(_blaming(str(error).partition(": ")[2], files, parsed.path)) from None
    for note in stage.notes:
        print(f"{parsed.output}: {note}", file=sys.stderr)
    motion = stage.take.motion
    write_output(parsed, motion)
    print(f"{parsed.output}: {motion.frames} frames, {motion.duration_s:.1f} s", file=sys.stderr)
    return 0


def _blaming(reason: str, files: dict[str, str], path: str) -> str:
    """A reason with the file that it is about: that of a style, where one is named, else that of the path."""
    for name, file in files.items():
        for mention in (f"the clip {name!r}", repr(name)):
            if mention in reason:
                return reason.replace(mention, f"{name} ({file})")
    return f"{path}: {reason}"


def _styles(told: list[str]) -> dict[str, str]:
    """The files of styles by name. Raises ValueError naming the option."""
    files: dict[str, str] = {}
    for one in told:
        name, equals, file = one.partition("=")
        if not equals or not name.strip() or not file:
            raise ValueError(f"--style: {one!r} is none; write it as NAME=FILE")
        if name.strip() in files:
            raise ValueError(f"--style: there are two named {name.strip()!r}")
        files[name.strip()] = file
    return files


def _bands(files: dict[str, str], switches: list[str]) -> "tuple[StyleBand, ...]":
    """The styles in the order in which they are walked. Raises ValueError naming the option."""
    from editor.walking.source import StyleBand

    bands = [StyleBand(next(iter(files)))]
    for one in switches:
        metres, colon, name = one.partition(":")
        try:
            at = float(metres)
        except ValueError:
            at = -1.0
        if not colon or not 0.0 <= at < 1e6:
            raise ValueError(f"--switch: {one!r} is none; write it as METRES:NAME")
        if name.strip() not in files:
            raise ValueError(f"--switch: there is no style {name.strip()!r}; there are {', '.join(files)}")
        bands.append(StyleBand(name.strip(), at))
    return tuple(bands)


def _project(files: dict[str, str], options: "ReadOptions", ground: str | None) -> "Project":
    """A project with the styles' clips, each with the name of its style for an id."""
    from editor.clips.imported import import_file
    from model.clip import Clip
    from model.files.ground_file import read_ground
    from model.ground import FLAT
    from model.project import Project

    clips = []
    for name, file in files.items():
        source = import_file(Path(file), options)
        print_problems(file, source.problems)
        clips.append(Clip(name, name, source))
    return Project(tuple(clips), ground=FLAT if ground is None else read_ground(ground))
