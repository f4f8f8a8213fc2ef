"""`motionwright loop`."""

import json

import pytest

from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality.figures import seam
from model.files.bvh import read_bvh, write_bvh
from tests.calls import call


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    for name, speed in (("walk", 1.3), ("stand", 0.0)):
        write_bvh(generate(Gait(speed, seed=2), 6.0)[0], folder / f"{name}.bvh")
    return folder


def test_loop_is_told_as_json(capsys, clips):
    status, out, _ = call(capsys, "loop", clips / "walk.bvh", "--json")
    told = json.loads(out)
    assert status == 0
    assert 0 <= told["start"] < told["stop"] <= 360
    assert told["steps"] % 2 == 0
    assert told["speed"] == pytest.approx(1.3, abs=0.1)
    assert told["seam_cm"] < 0.5
    assert told["candidates"][0]["start"] == told["start"]


def test_written_loop_plays_over_and_over(capsys, clips, tmp_path):
    status, out, err = call(capsys, "loop", clips / "walk.bvh", "-o", tmp_path / "loop.bvh", "--times", 3)
    assert (status, out) == (0, "")
    assert "steps" in err
    motion = read_bvh(tmp_path / "loop.bvh").motion
    assert seam(motion, motion.frames // 3)[0] < 0.5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("loop", "stand.bvh"), "has no loop: it stands"),
        (("loop", "walk.bvh", "--choice", "99"), "--choice"),
        (("loop", "walk.bvh", "--times", "0"), "--times"),
    ],
)
def test_wrong_calls_are_refused_with_a_reason(capsys, clips, monkeypatch, arguments, says):
    monkeypatch.chdir(clips)
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
