"""`motionwright render FILE -o OUT.png`: a picture of a motion, drawn by the same renderer as the editor's viewport.

`--poses` draws its extreme poses side by side.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from editor.stack.verbs import add_output, add_reading, named, print_problems, read_options

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication, QImage

    from model.ground import Ground
    from model.motion import Motion

_CAMERAS = ("front", "side", "top", "three-quarter")
_THEMES = ("dark", "light")
_SCREENS = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
_SMALLEST, _LARGEST = 16, 4096  # pixels
_USUAL = (1280, 720)
_MOST_POSES = 200

EXAMPLE = "motionwright render walk.bvh -o walk.png --camera side"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    add_output(parser, "OUT.png", "the picture to write")
    parser.add_argument("--frame", type=int, metavar="N", help="the file's frame, from 0; the middle if not given")
    parser.add_argument("--camera", choices=_CAMERAS, default="three-quarter", help="from where it is seen")
    parser.add_argument("--poses", action="store_true", help="draw the extreme poses side by side, not one frame")
    parser.add_argument("--count", type=int, metavar="N", help="with --poses: how many at most; 16 if not given")
    parser.add_argument(
        "--size", metavar="WxH", help="pixels; 1280x720 if not given, with --poses what suits the figures"
    )
    parser.add_argument("--ground", metavar="GROUND.json", help="draw what stands on the ground")
    parser.add_argument("--theme", choices=_THEMES, default="dark", help="dark or light")
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from model.files.formats import read_motion
    from model.files.ground_file import read_ground

    if not parsed.poses and parsed.count is not None:
        raise ValueError("--count goes with --poses")
    if parsed.poses and parsed.ground is not None:
        raise ValueError("--ground and --poses cannot go together")
    if parsed.poses and parsed.frame is not None:
        raise ValueError("--frame and --poses cannot go together")
    if parsed.count is not None and not 1 <= parsed.count <= _MOST_POSES:
        raise ValueError(f"--count is {parsed.count}; it must be 1 to {_MOST_POSES}")
    size = None if parsed.size is None else named("--size", parse_size, parsed.size)
    if Path(parsed.output).suffix.lower() != ".png":
        raise ValueError(f"--output: {parsed.output} cannot be written yet, use .png")
    ground = None if parsed.ground is None else read_ground(parsed.ground)
    reading = read_motion(parsed.file, read_options(parsed))
    print_problems(parsed.file, reading.problems)
    frame = motion_frame(parsed.file, reading.motion, parsed.frame)
    if parsed.poses:
        image = render_poses(reading.motion, parsed.count, size, parsed.theme)
    else:
        image = render(reading.motion, frame, parsed.camera, size or _USUAL, parsed.theme, ground)
    write_png(image, parsed.output)
    return 0


def parse_size(text: str) -> tuple[int, int]:
    """Width and height of `1280x720`. Raises ValueError for anything else, and for sizes that nobody can mean."""
    width, cross, height = text.lower().partition("x")
    if not cross or not width.isdecimal() or not height.isdecimal():
        raise ValueError(f"{text} is no size: write it as 1280x720")
    size = int(width), int(height)
    if not all(_SMALLEST <= side <= _LARGEST for side in size):
        raise ValueError(f"{text} is out of range: sides may be {_SMALLEST} to {_LARGEST} pixels")
    return size


def motion_frame(path: str, motion: "Motion", frame: int | None) -> int:
    """The motion's frame that a frame of its file is. Raises ValueError naming the option where there is none."""
    if not motion.frames:
        raise ValueError(f"{path}: there is no frame to draw")
    if frame is None:
        return motion.frames // 2
    first, last = motion.first_frame, motion.first_frame + motion.frames - 1
    if not first <= frame <= last:
        raise ValueError(f"--frame is {frame}; the motion has frames {first} to {last}")
    return frame - first


def render(
    motion: "Motion", frame: int, camera: str, size: tuple[int, int], theme: str, ground: "Ground | None" = None
) -> "QImage":
    """A picture of a frame of a motion. ground : what stands on the motion's floor."""
    application = qt_application()
    from PySide6.QtCore import QSize

    from editor.contacts.detect import find_contacts
    from model.clip import Take
    from model.ground import FLAT
    from widgets.common.theme import THEMES
    from widgets.viewport.camera import Preset
    from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted
    from widgets.viewport.image import good_camera, picture

    assert application is not None
    contacts = find_contacts(motion, hands=True)
    stage = None if ground is None else ground.at_height(contacts.ground_m)
    moment = Moment(Take(motion, contacts, ground=stage), frame * motion.frame_time_s)
    scene = Composer().scene(Wanted(moment, ground=ground or FLAT), ViewOptions(), THEMES[theme])
    extent = QSize(*size)
    return picture(scene, good_camera(scene, motion, frame, extent, Preset(camera)), extent)


def render_poses(motion: "Motion", count: int | None, size: tuple[int, int] | None, theme: str) -> "QImage":
    """A picture of the extreme poses of a motion side by side."""
    application = qt_application()
    from PySide6.QtCore import QSize

    from editor.contacts.detect import find_contacts
    from editor.extrema.find import extremes_of
    from model.clip import Take
    from widgets.common.theme import THEMES
    from widgets.viewport.strip import chosen, pose_strip

    assert application is not None
    take = Take(motion, find_contacts(motion, hands=True))
    some = chosen(extremes_of(take).found, count)
    return pose_strip(take, some, THEMES[theme], None if size is None else QSize(*size))


def qt_application() -> "QGuiApplication":
    """The application that Qt needs before it draws; without a screen one that draws into memory."""
    if sys.platform.startswith("linux"):
        # Tried in this order: a display that is named need not be there.
        screens = [name for name, variable in _SCREENS.items() if os.environ.get(variable)]
        os.environ.setdefault("QT_QPA_PLATFORM", ";".join([*screens, "offscreen"]))
    from PySide6.QtGui import QGuiApplication

    present = QGuiApplication.instance()
    return present if isinstance(present, QGuiApplication) else QGuiApplication(["motionwright"])


def write_png(image: "QImage", path: str) -> None:
    """Write a picture whole or not at all."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImageWriter

    from model.files.saving import replacing

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(image)
    with replacing(path) as file:
        file.write(buffer.data().data())
