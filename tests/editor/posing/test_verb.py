"""`motionwright pose`: edits and grounds from files, motions out."""

import json
from dataclasses import replace

import numpy as np
import pytest

from app.command_line import run
from editor.contacts.detect import find_contacts
from editor.posing.verb import read_edits
from editor.quality import figures as quality
from model.files.formats import read_motion
from model.files.problems import MotionFileError
from model.placing import turned
from resources import path_of

WALK = str(path_of("samples", "walk.bvh"))


@pytest.fixture
def pose(tmp_path):
    """Run the verb on the walk with edits, and a ground; the motion that it writes."""

    def call(edits, ground=None, clip=WALK, output="out.bvh"):
        (tmp_path / "edits.json").write_text(edits if isinstance(edits, str) else json.dumps(edits))
        arguments = ["pose", clip, "--edits", str(tmp_path / "edits.json"), "-o", str(tmp_path / output)]
        if ground is not None:
            (tmp_path / "ground.json").write_text(json.dumps(ground))
            arguments += ["--ground", str(tmp_path / "ground.json")]
        status = run(arguments)
        return read_motion(tmp_path / output).motion if status == 0 else status

    return call


def walk():
    return read_motion(WALK).motion


def test_no_poses_write_the_clip_as_it_was(pose, tmp_path):
    pose({"poses": []})
    assert (tmp_path / "out.bvh").read_bytes() == path_of("samples", "walk.bvh").read_bytes()


def test_poses_that_turn_the_body_turn_the_clip(pose):
    result = pose(
        {"poses": [{"frame": 30, "rotate": {"Hips": [0, 90, 0]}}, {"frame": 200, "rotate": {"pelvis": [0, 90, 0]}}]}
    )
    expected = turned(walk(), np.pi / 2, walk().root_positions[0], np.zeros(3))
    assert np.max(np.abs(result.world.positions - expected.world.positions)) < 1e-5


def test_pose_is_met_at_its_frame_and_planted_feet_stay(pose):
    crouch = {"LeftUpLeg": [-20, 0, 0], "RightUpLeg": [-20, 0, 0], "LeftLeg": [38, 0, 0], "RightLeg": [38, 0, 0]}
    result, before = pose({"poses": [{"frame": 180, "rotate": crouch, "before": 0.5, "after": 0.5}]}), walk()
    contacts = find_contacts(before)
    assert np.min(result.root_positions[180, 1] - before.root_positions[180, 1]) < -0.03
    drifts = quality.contact_drifts(result, contacts) - quality.contact_drifts(before, contacts)
    assert np.max(drifts) < 0.001
    assert quality.penetration_cm(result, contacts.ground_m) < 0.1
    assert np.allclose(result.local_rotations[:60], before.local_rotations[:60], atol=1e-6)


def test_pose_leaves_joints_alone_that_others_name(pose):
    poses = [
        {"frame": 100, "rotate": {"Head": [0, 30, 0]}},
        {"frame": 200},
        {"frame": 250, "rotate": {"Head": [0, 30, 0]}},
    ]
    result, before = pose({"poses": poses}), walk()
    head = before.skeleton.find("Head")
    off = np.abs(result.local_rotations[:, head] - before.local_rotations[:, head]).max(axis=-1)
    assert off[0] > 0.1
    assert off[200] < 1e-7
    assert off[-1] > 0.1


def test_ground_alone_is_enough_and_neither_is_refused(tmp_path, capsys):
    (tmp_path / "ground.json").write_text('{"boxes": [{"center": [0, 4], "size": [3, 1.2], "height": 0.15}]}')
    out = str(tmp_path / "out.bvh")
    assert run(["pose", WALK, "--ground", str(tmp_path / "ground.json"), "-o", out]) == 0
    assert np.max(read_motion(out).motion.root_positions[:, 1] - walk().root_positions[:, 1]) > 0.1
    assert run(["pose", WALK, "-o", out]) == 2
    assert "--edits or --ground must be given" in capsys.readouterr().err


def test_ground_lifts_the_feet_that_step_on_it(pose):
    ground = {"boxes": [{"center": [0, 4], "size": [3, 1.2], "height": 0.15}]}
    result, before = pose({"poses": []}, ground), walk()
    rise = result.root_positions[:, 1] - before.root_positions[:, 1]
    assert 0.08 < np.max(rise) < 0.2
    assert np.allclose(rise[[0, -1]], 0.0, atol=1e-6)


def test_lengths_change_the_body_that_is_written(pose):
    result = pose({"poses": [{"frame": 10, "lengths": {"LeftLeg": 0.5, "RightLeg": 0.5}}]})
    knee = result.skeleton.find("LeftLeg")
    assert np.allclose(result.skeleton.offsets[knee], 0.5 * walk().skeleton.offsets[knee], atol=1e-6)


def test_what_contacts_take_from_a_pose_is_told(pose, capsys):
    both = find_contacts(walk())
    frame = int(np.flatnonzero(both.mask("left_foot") & both.mask("right_foot"))[20])
    pose({"poses": [{"frame": frame, "rotate": {"LeftLeg": [50, 0, 0]}, "before": 0.3, "after": 0.3}]})
    assert "overrides the pose by" in capsys.readouterr().err


@pytest.mark.parametrize(("edits", "reason"), [
    ("{", "is not JSON"), ({}, "edits look like"), ({"poses": [1]}, "pose 0 is no object"),
    ({"poses": [{"frame": 1}], "more": 1}, "edits look like"),
    ({"poses": [{"frame": 9999}]}, "frame of pose 0 must be a whole number, 0 to 359"),
    ({"poses": [{"frame": 1.5}]}, "whole number"), ({"poses": [{"frame": 1}, {"frame": 1}]}, "same frame"),
    ({"poses": [{"frame": 1, "rotate": {"Tail": [0, 0, 0]}}]}, "no joint named 'Tail'"),
    ({"poses": [{"frame": 1, "rotate": {"Head": [0, 0]}}]}, "three numbers"),
    ({"poses": [{"frame": 1, "rotate": {"Head": [0, 0, "a"]}}]}, "must be a number"),
    ({"poses": [{"frame": 1, "rotate": []}]}, "must look like"), ({"poses": [{"frame": 1, "turn": {}}]}, "'turn'"),
    ({"poses": [{"frame": 1, "lengths": {"Head": 0}}]}, "lengths"), ("[" * 9999, "is not JSON"),
    ({"poses": [{"frame": 1, "before": 0}]}, "'before' of pose 0 is 0"),
    ('{"poses": [{"frame": 1, "before": NaN}]}', "is not JSON"),
    ('{"poses": [{"frame": 1, "before": ' + "9" * 5000 + "}]}", "number is infinity"),
    ({"poses": [{"frame": 1, "rotate": {"x" * 9999: [0, 0, 0]}}]}, "no joint named 'xxx"),
])  # fmt: skip
def test_wrong_edits_are_refused_with_a_sentence(pose, capsys, edits, reason):
    assert pose(edits) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "edits.json" in told
    assert reason in told


def test_edits_in_utf_16_are_read(tmp_path):
    (tmp_path / "edits.json").write_text('{"poses": [{"frame": 1, "rotate": {"Head": [0, 90, 0]}}]}', "utf-16")
    (read,) = read_edits(tmp_path / "edits.json", walk())
    assert read.offsets[0][1] == pytest.approx((0.0, np.pi / 2, 0.0))


def test_poses_that_speak_of_very_many_joints_are_refused_with_the_limit(tmp_path):
    everyone = {name: [0, 1, 0] for name in walk().skeleton.names}
    edits = {"poses": [{"frame": 0, "rotate": everyone}, *({"frame": n} for n in range(1, 9000))]}
    (tmp_path / "edits.json").write_text(json.dumps(edits))
    motion = walk()
    many = replace(
        motion,
        root_positions=np.resize(motion.root_positions, (9000, 3)),
        local_rotations=np.resize(motion.local_rotations, (9000, *motion.local_rotations.shape[1:])),
        origin=None,
    )
    with pytest.raises(MotionFileError, match=r"9,000 poses turn .* joints; the limit is 200,000"):
        read_edits(tmp_path / "edits.json", many)


def test_wrong_ground_is_refused_with_a_sentence(pose, capsys):
    assert pose({"poses": []}, {"boxes": [{}]}) == 2
    assert "ground.json: box 0 has no 'center'" in capsys.readouterr().err
