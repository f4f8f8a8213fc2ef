"""`motionwright stagger`."""

import json

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.quality.figures import contact_drifts, jerk_p99
from model.files.bvh import read_bvh, write_bvh
from tests.calls import call
from tests.clips import stepping_figure


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    write_bvh(stepping_figure(seconds=4.0)[0], path)
    return path


def test_succession_below_a_joint_is_written(capsys, clip, tmp_path):
    out = tmp_path / "late.bvh"
    status, _, err = call(capsys, "stagger", clip, "--succession", 0.05, "--joint", "left_hip", "-o", out)
    assert status == 0, err
    before, after = read_bvh(clip).motion, read_bvh(out).motion
    assert after.frames == before.frames
    knee, other = before.skeleton.find("LeftLeg"), before.skeleton.find("RightFoot")
    assert np.any(np.abs(after.local_rotations[:, knee] - before.local_rotations[:, knee]) > 1e-3)
    assert np.allclose(after.world.positions[:, other], before.world.positions[:, other], atol=1e-6)


def test_contacts_are_kept_where_that_is_asked_for(capsys, clip, tmp_path):
    drifts = {}
    for name, options in (("kept", ["--keep-contacts"]), ("free", [])):
        out = tmp_path / f"{name}.bvh"
        status, _, err = call(capsys, "stagger", clip, "--succession", 0.05, *options, "-o", out)
        assert status == 0, err
        motion, contacts = read_bvh(out).motion, find_contacts(read_bvh(clip).motion)
        drifts[name] = float(np.max(contact_drifts(motion, contacts)))
    before = float(np.max(contact_drifts(read_bvh(clip).motion, contacts)))
    assert drifts["kept"] <= before + 0.002 < drifts["free"]


def test_clip_is_softened_unless_that_is_not_wanted(capsys, clip, tmp_path):
    jerks = []
    for options in ([], ["--no-soften"]):
        out = tmp_path / "out.bvh"
        status, _, err = call(capsys, "stagger", clip, "--phase", 60, *options, "-o", out)
        assert status == 0, err
        jerks.append(jerk_p99(read_bvh(out).motion) / jerk_p99(read_bvh(clip).motion))
    assert jerks[0] < 1.3 < jerks[1]


def test_without_options_the_clip_is_written_as_it_is(capsys, clip, tmp_path):
    status, _, err = call(capsys, "stagger", clip, "-o", tmp_path / "same.bvh")
    assert status == 0, err
    before, after = read_bvh(clip).motion, read_bvh(tmp_path / "same.bvh").motion
    assert np.allclose(before.world.positions, after.world.positions, atol=1e-7)


def test_poses_and_knots_are_printed(capsys, clip):
    status, out, err = call(capsys, "stagger", clip, "--succession", 0.02, "--json")
    assert status == 0, err
    poses = json.loads(out)["poses"]
    assert poses
    knot = poses[1]["knots"][2]
    assert set(knot) == {"joint", "time", "to", "extremum"}
    assert knot["to"] - knot["time"] == pytest.approx(0.04, abs=0.005)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--joint", "tail", "-o", "x.bvh"], "tail"),
        (["--succession", "many", "-o", "x.bvh"], "many"),
        (["--succession", "9", "-o", "x.bvh"], "-0.5 and 0.5"),
        (["--seed", "-1", "-o", "x.bvh"], "seed"),
        ([], "-o"),
    ],
)
def test_wrong_calls_are_refused_with_a_reason(capsys, clip, options, word):
    status, _, err = call(capsys, "stagger", clip, *options)
    assert status == 2
    assert word in err
