"""`motionwright retarget`."""

import numpy as np
import pytest

from editor.gait.figure import figure
from editor.retarget.character import built_in
from model.files.bvh import read_bvh, write_bvh
from model.files.formats import read_motion, write_motion
from model.motion import rest_motion
from model.skeleton import Skeleton
from model.units import UNITS
from tests.calls import call
from tests.clips import stepping_figure


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    write_bvh(stepping_figure(seconds=2.0)[0], path)
    return path


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


def test_character_of_the_program_is_written_in_the_unit_and_axes_of_the_motion(capsys, tmp_path):
    motion = stepping_figure(seconds=2.0)[0]
    write_bvh(motion, tmp_path / "inches.bvh", next(one for one in UNITS if one.name == "in"), "+Z")
    status, _, _ = call(capsys, "retarget", tmp_path / "inches.bvh", "--to", "tall", "-o", tmp_path / "out.bvh")
    assert status == 0
    written = read_bvh(tmp_path / "out.bvh").motion
    assert (written.origin.unit.name, written.origin.up) == ("in", "+Z")


def test_bones_of_an_asf_that_turn_about_one_axis_lose_nothing_of_the_motion(capsys, clip, tmp_path):
    body = rest_motion(figure(1.4), frames=2)
    write_motion(body, tmp_path / "body.amc")
    lines = (tmp_path / "body.asf").read_text().splitlines()
    stiff = lines.index("    name LeftLeg")
    place = next(n for n in range(stiff, len(lines)) if lines[n].strip().startswith("dof"))
    lines[place] = "    dof rx"
    (tmp_path / "body.asf").write_text("\n".join(lines) + "\n")
    to = tmp_path / "body.asf"
    amc, bvh = tmp_path / "out.amc", tmp_path / "out.bvh"
    for out in (amc, bvh):
        status, _, err = call(capsys, "retarget", clip, "--to", to, "-o", out)
        assert status == 0
        assert "lost" not in err
    one, other = read_motion(amc).motion, read_motion(bvh).motion
    assert np.allclose(one.world.positions, other.world.positions, atol=1e-5)


def test_bodies_that_have_nothing_in_common_are_refused_by_name(capsys, clip, tmp_path):
    write_bvh(rest_motion(Skeleton(("a", "b"), (-1, 0), np.zeros((2, 3))), frames=2), tmp_path / "thing.bvh")
    thing = tmp_path / "thing.bvh"
    for one, other in ((thing, "child"), (clip, thing)):
        status, _, err = call(capsys, "retarget", one, "--to", other, "-o", tmp_path / "out.bvh")
        assert status == 2
        assert "thing" in err
        assert "roles" in err
        assert not (tmp_path / "out.bvh").exists()


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
