"""`render`: pictures from the command line."""

import argparse
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.verbs import render
from model.files.bvh import write_bvh
from model.motion import Pose
from tests.clips import waving_figure

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


def call(*arguments):
    parser = argparse.ArgumentParser()
    render.add_arguments(parser)
    return render.run(parser.parse_args([str(argument) for argument in arguments]))


def test_picture_has_the_size_asked_for_and_shows_the_figure(application, clip, tmp_path):
    from PySide6.QtGui import QImage

    out = tmp_path / "out.png"
    assert call(clip, "-o", out, "--size", "200x120", "--camera", "front", "--frame", "15") == 0
    image = QImage(str(out))
    assert (image.width(), image.height()) == (200, 120)
    colours = [image.pixelColor(x, y) for x in range(0, 200, 2) for y in range(0, 120, 2)]
    assert any(colour.blue() > colour.red() + 60 for colour in colours)
    assert any(colour.red() > colour.blue() + 60 for colour in colours)


def test_cameras_and_themes_give_other_pictures(application, clip, tmp_path):
    pictures = set()
    for camera in ("front", "side", "top", "three-quarter"):
        for theme in ("dark", "light"):
            out = tmp_path / "out.png"
            assert call(clip, "-o", out, "--size", "64x48", "--camera", camera, "--theme", theme) == 0
            pictures.add(out.read_bytes())
    assert len(pictures) == 8


def test_ground_is_drawn_where_it_is_given(application, clip, tmp_path):
    ground = tmp_path / "ground.json"
    ground.write_text('{"boxes": [{"center": [0, 0], "size": [3, 3], "height": 0.3}]}')
    pictures = set()
    for more in ((), ("--ground", ground)):
        assert call(clip, "-o", tmp_path / "out.png", "--size", "64x48", *more) == 0
        pictures.add((tmp_path / "out.png").read_bytes())
    assert len(pictures) == 2
    with pytest.raises(ValueError, match="--ground and --poses cannot go together"):
        call(clip, "-o", tmp_path / "out.png", "--poses", "--ground", ground)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--frame", "31"), "--frame is 31; the motion has frames 0 to 30"),
        (("--frame", "-1"), "--frame is -1"),
        (("--size", "big"), "--size: big is no size"),
        (("--size", "9000x100"), "--size: 9000x100 is out of range"),
    ],
)
def test_wrong_options_are_named(clip, tmp_path, arguments, reason):
    with pytest.raises(ValueError, match=reason):
        call(clip, "-o", tmp_path / "out.png", *arguments)
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize("name", ["out.mp4", "out.gif", "out.jpg", "out"])
def test_other_kinds_of_files_are_refused(clip, tmp_path, name):
    with pytest.raises(ValueError, match=r"--output: .* cannot be written yet, use \.png"):
        call(clip, "-o", tmp_path / name)


def test_frames_are_those_of_the_file():
    motion = waving_figure(frames=31)
    rest = Pose(motion.root_positions[0], motion.local_rotations[0], motion.local_offsets)
    behind_a_rest_pose = replace(motion, rest=rest, first_frame=1)
    assert render.motion_frame("clip.bvh", behind_a_rest_pose, 1) == 0
    assert render.motion_frame("clip.bvh", behind_a_rest_pose, 31) == 30
    assert render.motion_frame("clip.bvh", behind_a_rest_pose, None) == 15
    with pytest.raises(ValueError, match="frames 1 to 31"):
        render.motion_frame("clip.bvh", behind_a_rest_pose, 0)
    with pytest.raises(ValueError, match="no frame"):
        render.motion_frame("clip.bvh", motion.sliced(0, 0), None)


def test_picture_is_drawn_without_a_display(clip, tmp_path):
    """In a process of its own: an application that has started cannot lose its display."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    code = (
        "import argparse, sys; from app.verbs import render; parser = argparse.ArgumentParser();"
        "render.add_arguments(parser); sys.exit(render.run(parser.parse_args(sys.argv[1:])))"
    )
    out = tmp_path / "out.png"
    call_line = [sys.executable, "-c", code, str(clip), "-o", str(out), "--size", "80x60"]
    subprocess.run(call_line, cwd=ROOT, env=environment, check=True)
    assert out.read_bytes().startswith(b"\x89PNG")


def test_poses_are_drawn_side_by_side(application, clip, tmp_path):
    from PySide6.QtGui import QImage

    out = tmp_path / "poses.png"
    assert call(clip, "--poses", "-o", out) == 0
    usual = QImage(str(out))
    assert usual.width() > 2 * usual.height()
    assert call(clip, "--poses", "--count", "3", "--size", "640x200", "--theme", "light", "-o", out) == 0
    sized = QImage(str(out))
    assert (sized.width(), sized.height()) == (640, 200)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--count", "3"), "--count goes with --poses"),
        (("--poses", "--frame", "3"), "--frame and --poses"),
        (("--poses", "--count", "0"), "--count is 0"),
    ],
)
def test_options_that_do_not_go_together_are_told(clip, tmp_path, options, told):
    with pytest.raises(ValueError, match=told):
        call(clip, *options, "-o", tmp_path / "out.png")
    assert not (tmp_path / "out.png").exists()
