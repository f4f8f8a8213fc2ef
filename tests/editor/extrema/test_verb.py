"""`motionwright extrema` as a person or a script calls it."""

import json

import numpy as np
import pytest

from model.files.bvh import write_bvh
from tests.calls import call
from tests.clips import DATA, needs_data, random_motion, stepping_figure
from tests.editor.extrema.swings import matched, standing, widest_steps


@pytest.fixture(scope="module")
def walk():
    return stepping_figure(seconds=4.0)[0]


@pytest.fixture
def clip(tmp_path, walk):
    path = tmp_path / "walk.bvh"
    write_bvh(walk, path)
    return path


def told(capsys, *arguments):
    status, out, _ = call(capsys, "extrema", *arguments, "--json")
    assert status == 0
    return json.loads(out)["extrema"]


def test_json_holds_what_the_design_says(capsys, clip, walk):
    found = told(capsys, clip)
    assert all(set(one) == {"frame", "time", "kind", "prominence", "joint"} for one in found)
    assert (found[0]["kind"], found[-1]["kind"]) == ("first", "last")
    assert (found[0]["frame"], found[-1]["frame"]) == (0, walk.frames - 1)
    assert all(one["joint"] is None and 0.0 <= one["prominence"] <= 1.0 for one in found)
    assert [one["time"] for one in found] == pytest.approx([one["frame"] / 60.0 for one in found], rel=1e-4)
    steps = widest_steps(walk)
    extremes = [one["time"] for one in found if one["kind"] == "extreme"]
    assert np.all(matched(steps[(steps > 0.3) & (steps < 3.7)], extremes, 0.1))


def test_a_leading_rest_pose_counts_as_a_frame(capsys, tmp_path):
    clip = tmp_path / "wave.bvh"
    write_bvh(random_motion(90), clip)
    lines = clip.read_text().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    lines.insert(first, " ".join(["0"] * len(lines[first].split())))
    (tmp_path / "rest.bvh").write_text("\n".join(lines))
    plain, rest = told(capsys, clip), told(capsys, tmp_path / "rest.bvh")
    assert [one["frame"] for one in rest] == [one["frame"] + 1 for one in plain]


def test_one_joint_by_name_or_role(capsys, clip):
    named = told(capsys, clip, "--joint", "LeftUpLeg")
    assert {one["joint"] for one in named} == {"LeftUpLeg"}
    assert named == told(capsys, clip, "--joint", "left_hip")
    assert named != told(capsys, clip, "--joint", "RightUpLeg")


def test_measure_extreme_and_window_have_an_effect(capsys, clip):
    slow, fast = (told(capsys, clip, "--measure", "velocity", "--extreme", one) for one in ("min", "max"))
    assert slow != fast
    assert slow == told(capsys, clip, "--measure", "velocity")
    assert len(told(capsys, clip, "--window", "3")) < len(told(capsys, clip))
    assert told(capsys, clip, "--window", str(1 / 6)) == told(capsys, clip)


def test_part_level_and_filter_have_an_effect(capsys, clip):
    usual = told(capsys, clip)
    assert len(told(capsys, clip, "--level", "0")) <= len(usual) <= len(told(capsys, clip, "--level", "1"))
    assert told(capsys, clip, "--part", "right arm") != usual
    assert told(capsys, clip, "--filter", "laplacian") != usual


def test_people_read_a_table(capsys, clip, tmp_path):
    status, out, _ = call(capsys, "extrema", clip)
    assert status == 0
    assert "whole body: " in out
    assert "first" in out
    write_bvh(standing(), tmp_path / "stand.bvh")
    assert "hold" in call(capsys, "extrema", tmp_path / "stand.bvh")[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--joint", "Tail"), "--joint: there is no joint named 'Tail'; `motionwright info` lists them"),
        (("--joint", "leftupleg"), "--joint: there is no joint named 'leftupleg'; did you mean LeftUpLeg?"),
        (("--joint", "left kne"), "did you mean left_knee?"),
        (("--window", "0"), "--window: 0 seconds are no window: it must be longer than 0"),
        (("--window", "wide"), "--window: 'wide' is no number of seconds"),
        (("--window", "nan"), "--window: nan seconds are no window"),
        (("--measure", "beauty"), "invalid choice"),
        (("--part", "tail"), "--part: 'tail' is no part of a body; it must be one of whole body"),
        (("--part", "arms", "--joint", "LeftUpLeg"), "--joint and --part exclude each other"),
        (("--level", "2"), "--level: 2 is no level: it must be between 0 and 1"),
        (("--level", "most"), "--level: 'most' is no number"),
    ],
)
def test_wrong_calls_are_refused_with_the_reason(capsys, clip, arguments, reason):
    status, out, err = call(capsys, "extrema", clip, *arguments)
    assert (status, out) == (2, "")
    assert reason in err


def test_help_has_an_example(capsys):
    status, out, _ = call(capsys, "extrema", "--help")
    assert status == 0
    assert "example:\n  motionwright extrema" in out


def test_batch_repeats_it(capsys, clip):
    status, out, _ = call(capsys, "batch", "extrema", "--over", clip.parent, "--jobs", "1", "--json")
    assert status == 0
    assert json.loads(out)["files"][0]["result"]["extrema"]


@needs_data
def test_recorded_rest_pose_is_counted(capsys):
    found = told(capsys, DATA / "cmu-bvh" / "02_01.bvh")
    assert found[0]["frame"] == 1
