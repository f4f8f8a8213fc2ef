"""`motionwright convert`."""

import json

import numpy as np
import pytest

from model.files.bvh import read_bvh, write_bvh
from tests.calls import call
from tests.clips import waving_figure


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


def test_convert_keeps_the_numbers(capsys, clip, tmp_path):
    out = tmp_path / "out.bvh"
    status, printed, _ = call(capsys, "convert", clip, "-o", out)
    assert (status, printed) == (0, "")
    assert out.read_text() == clip.read_text()


def test_convert_resamples_and_changes_unit_and_axes(capsys, clip, tmp_path):
    out = tmp_path / "out.bvh"
    status, *_ = call(capsys, "convert", clip, "-o", out, "--fps", "15", "--unit", "m", "--up", "z")
    assert status == 0
    before, after = read_bvh(clip).motion, read_bvh(out).motion
    assert (after.origin.unit.name, after.origin.up, after.frames) == ("m", "+Z", 16)
    np.testing.assert_allclose(after.world.positions, before.world.positions[::2], atol=1e-7)


@pytest.mark.parametrize("extension", [".amc", ".gltf", ".glb"])
def test_convert_to_another_format_and_back_keeps_the_joints(capsys, clip, tmp_path, extension):
    there, back = tmp_path / f"there{extension}", tmp_path / "back.bvh"
    assert call(capsys, "convert", clip, "-o", there)[0] == 0
    assert call(capsys, "convert", there, "-o", back)[0] == 0
    before, after = read_bvh(clip).motion, read_bvh(back).motion
    assert after.skeleton.names == before.skeleton.names
    assert after.frame_time_s == pytest.approx(before.frame_time_s, rel=1e-12)
    np.testing.assert_allclose(after.world.positions, before.world.positions, atol=1e-4)


@pytest.mark.parametrize("extension", [".csv", ".trc", ".c3d"])
def test_convert_to_points_writes_where_the_joints_are(capsys, clip, tmp_path, extension):
    there, back = tmp_path / f"there{extension}", tmp_path / "back.csv"
    assert call(capsys, "convert", clip, "-o", there)[0] == 0
    assert call(capsys, "convert", there, "-o", back, "--unit", "m")[0] == 0
    told = json.loads(call(capsys, "info", back, "--json")[1])
    assert told["points"][0] == {"name": "Hips", "gaps": []}
    assert told["frames"] == 31
    text = call(capsys, "info", there)[1]
    assert "points    22" in text
    first = back.read_text().splitlines()[-31].split(",")
    np.testing.assert_allclose([float(v) for v in first[1:4]], read_bvh(clip).motion.root_positions[0], atol=1e-4)


def test_rate_that_makes_too_many_frames_of_a_slow_file_is_refused(capsys, tmp_path):
    write_bvh(waving_figure(frames=90), tmp_path / "slow.bvh")
    call_of = ["convert", tmp_path / "slow.bvh", "-o", tmp_path / "o.bvh", "--from-fps", "0.1", "--fps", "1000"]
    status, _, err = call(capsys, *call_of)
    assert status == 2
    assert "slow.bvh, --fps: A frame rate of 1000 fps would make 890,000 frames of 22 joints; 363,636 are the" in err
