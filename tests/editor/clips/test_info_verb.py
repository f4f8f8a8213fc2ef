"""`motionwright info`."""

import json

import pytest

from model.files.bvh import write_bvh
from tests.calls import call
from tests.clips import data_name, needs_data, recorded, waving_figure


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


def test_info_as_json_holds_what_the_design_says(capsys, clip):
    status, out, err = call(capsys, "info", clip, "--json")
    told = json.loads(out)
    assert (status, err) == (0, "")
    assert told["frames"] == 31
    assert told["frame_time"] == pytest.approx(1 / 30)
    assert (told["unit"], told["up"]) == ("cm", "+Y")
    assert told["joints"][0] == {"name": "Hips", "parent": -1, "role": "pelvis"}
    assert told["joints"][8] == {"name": "LeftForeArm", "parent": 7, "role": "left_elbow"}
    assert all(set(problem) == {"severity", "line", "message"} for problem in told["problems"])


def test_info_counts_a_leading_rest_pose_as_a_frame(capsys, clip, tmp_path):
    lines = clip.read_text().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    lines.insert(first, " ".join(["0"] * len(lines[first].split())))
    (tmp_path / "rest.bvh").write_text("\n".join(lines))
    told = json.loads(call(capsys, "info", tmp_path / "rest.bvh", "--json")[1])
    assert (told["frames"], told["rest_pose"]) == (32, True)


def test_info_for_people_names_the_essentials(capsys, clip):
    status, out, _ = call(capsys, "info", clip)
    assert status == 0
    for words in ("31 at 30 fps", "cm", "+Y up", "LeftForeArm", "left_elbow", "unit: cm"):
        assert words in out


def test_guesses_can_be_overruled(capsys, clip):
    told = json.loads(call(capsys, "info", clip, "--json", "--from-unit", "mm", "--from-up=-z")[1])
    assert (told["unit"], told["up"]) == ("mm", "-Z")


def test_rate_and_skeleton_can_be_told(capsys, clip, tmp_path):
    assert call(capsys, "convert", clip, "-o", tmp_path / "there.amc")[0] == 0
    (tmp_path / "there.asf").rename(tmp_path / "else.where")
    status, _, err = call(capsys, "info", tmp_path / "there.amc")
    assert status == 2
    assert "needs the ASF file of its skeleton" in err
    told = call(
        capsys, "info", tmp_path / "there.amc", "--json", "--skeleton", tmp_path / "else.where", "--from-fps", "60"
    )
    assert json.loads(told[1])["frame_time"] == pytest.approx(1 / 60)


@needs_data
@pytest.mark.parametrize("path", recorded("quirks/bvh_*.bvh"), ids=data_name)
def test_info_on_odd_files(capsys, path):
    status, out, err = call(capsys, "info", path)
    assert status == (2 if "no_motion" in path.name or "small_walk" in path.name else 0)
    assert bool(out) != bool(err)
