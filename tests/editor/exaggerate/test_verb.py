"""`motionwright exaggerate`."""

import numpy as np
import pytest

from app.command_line import run
from model.files.formats import read_motion
from model.placing import pelvis_positions
from resources import path_of

WALK = path_of("samples", "walk.bvh")


def exaggerate(tmp_path, *arguments):
    out = tmp_path / "out.bvh"
    status = run(["exaggerate", str(WALK), *arguments, "-o", str(out)])
    return status, (read_motion(out).motion if out.exists() else None)


def way(motion):
    return float(np.linalg.norm(pelvis_positions(motion)[-1] - pelvis_positions(motion)[0]))


@pytest.mark.parametrize("options", [(), ("--space", "rotation"), ("--scope", "joints"), ("--bias", "0.8")])
def test_steps_become_longer_and_shorter(tmp_path, capsys, options):
    before = read_motion(WALK).motion
    for amount, longer in (("1.6", True), ("0.5", False)):
        status, motion = exaggerate(tmp_path, "--amount", amount, *options)
        assert status == 0
        assert (way(motion) > way(before)) == longer
        assert motion.frames == before.frames
    assert "spatial extent" in capsys.readouterr().err


def test_amount_1_writes_the_very_numbers(tmp_path):
    status, motion = exaggerate(tmp_path, "--amount", "1")
    assert status == 0
    before = read_motion(WALK).motion
    assert np.array_equal(motion.local_rotations, before.local_rotations)
    assert np.array_equal(motion.root_positions, before.root_positions)


def test_parts_and_kept_legs_leave_the_way_as_it_is(tmp_path):
    status, motion = exaggerate(tmp_path, "--amount", "2", "--keep-legs", "--part", "left-arm=0")
    assert status == 0
    before = read_motion(WALK).motion
    assert np.allclose(motion.root_positions, before.root_positions, atol=1e-6)
    assert np.max(np.abs(motion.local_rotations - before.local_rotations)) > 0.01


def test_cartoon_filter_can_be_compared(tmp_path):
    assert exaggerate(tmp_path, "--amount", "1.5", "--cartoon")[0] == 0


@pytest.mark.parametrize(("arguments", "told"), [
    (("--amount", "-1"), "amount is -1.0"), (("--amount", "2", "--bias", "2"), "bias is 2.0"),
    (("--amount", "2", "--space", "time"), "one of cartesian, rotation"),
    (("--amount", "2", "--scope", "leg"), "one of body, joints, cartoon"),
    (("--amount", "2", "--part", "tail=1"), "--part: 'tail=1' must look like"),
    (("--amount", "2", "--part", "head=x"), "--part: 'x' is no number"),
    (("--amount", "nan"), "amount"),
])  # fmt: skip
def test_wrong_calls_are_refused_with_a_sentence(tmp_path, capsys, arguments, told):
    status, motion = exaggerate(tmp_path, *arguments)
    assert status == 2
    assert motion is None
    assert told in capsys.readouterr().err


def test_body_without_feet_is_exaggerated_too(tmp_path, capsys):
    from model.files.formats import write_motion
    from tests.editor.exaggerate.pendulums import pendulum

    write_motion(pendulum().motion, tmp_path / "pendulum.bvh")
    assert run(["exaggerate", str(tmp_path / "pendulum.bvh"), "--amount", "2", "-o", str(tmp_path / "out.bvh")]) == 0
    assert "extreme poses" in capsys.readouterr().err
