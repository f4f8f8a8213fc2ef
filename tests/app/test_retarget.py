"""`motionwright retarget`."""

import numpy as np
import pytest

from app.command_line import run
from editor.gait.figure import figure
from editor.retarget.character import built_in
from model.files.bvh import read_bvh, write_bvh
from model.files.formats import read_motion, write_motion
from model.motion import rest_motion
from tests.clips import stepping_figure


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    write_bvh(stepping_figure(seconds=2.0)[0], path)
    return path


def call(capsys, *arguments):
    status = run([str(argument) for argument in arguments])
    return (status, *capsys.readouterr())


def test_character_of_the_program_is_named(capsys, clip, tmp_path):
    status, out, err = call(capsys, "retarget", clip, "--to", "short legs", "-o", tmp_path / "out.bvh")
    assert (status, out) == (0, "")
    assert "short legs" in err
    written = read_bvh(tmp_path / "out.bvh").motion
    assert written.skeleton.names == built_in("short legs").skeleton.names
    assert np.allclose(written.skeleton.offsets[1:], built_in("short legs").skeleton.offsets[1:], atol=1e-5)
    assert written.frames == read_bvh(clip).motion.frames


@pytest.mark.parametrize("name", ["body.bvh", "body.amc", "body.glb", "body.asf"])
def test_body_of_any_motion_file_is_taken(capsys, clip, tmp_path, name):
    write_motion(rest_motion(figure(1.4), frames=2), tmp_path / name.replace(".asf", ".amc"))
    status, _, err = call(capsys, "retarget", clip, "--to", tmp_path / name, "-o", tmp_path / "out.bvh")
    assert status == 0, err
    body, written = read_motion(tmp_path / name).motion.skeleton, read_bvh(tmp_path / "out.bvh").motion
    assert written.skeleton.names == body.names
    assert np.allclose(written.skeleton.offsets[1:], body.offsets[1:], atol=1e-4)


def test_same_body_is_written_as_it_is(capsys, clip, tmp_path):
    status, _, _ = call(capsys, "retarget", clip, "--to", clip, "-o", tmp_path / "out.bvh")
    assert status == 0
    one, other = read_bvh(clip).motion, read_bvh(tmp_path / "out.bvh").motion
    assert np.allclose(one.world.positions, other.world.positions, atol=1e-6)


def test_unknown_character_is_refused_with_those_there_are(capsys, clip, tmp_path):
    status, _, err = call(capsys, "retarget", clip, "--to", "giant", "-o", tmp_path / "out.bvh")
    assert status == 2
    assert "child" in err
    assert not (tmp_path / "out.bvh").exists()


def test_missing_file_is_told(capsys, clip, tmp_path):
    status, _, err = call(capsys, "retarget", clip, "--to", tmp_path / "none.bvh", "-o", tmp_path / "out.bvh")
    assert status == 2
    assert "none.bvh" in err


def test_help_shows_an_example(capsys):
    status, out, _ = call(capsys, "retarget", "--help")
    assert status == 0
    assert "example:\n  motionwright retarget" in out
