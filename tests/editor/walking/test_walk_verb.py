"""`motionwright walk`."""

import json

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality.figures import contact_drifts, path_errors
from model.files.bvh import read_bvh, write_bvh
from tests.calls import call


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    for name, speed in (("walk", 1.3), ("slow", 0.8), ("stand", 0.0)):
        write_bvh(generate(Gait(speed, seed=2), 6.0)[0], folder / f"{name}.bvh")
    (folder / "path.json").write_text(json.dumps({"points": [[0, 0], [0, 5], [3, 8]]}))
    (folder / "far.json").write_text('{"points":[[0,0],[0,100000]]}')
    (folder / "dot.json").write_text(json.dumps({"points": [[0, 0], [0, 0.05]]}))
    (folder / "ground.json").write_text(json.dumps({"boxes": [{"center": [0, 3], "size": [2, 1], "height": 0.12}]}))
    return folder


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("walk", "--path", "far.json", "--style", "a=walk.bvh", "-o", "out.bvh"),
            "far.json: the path is 100,000 m long; a walk can have 10,000 m at most. Draw a shorter one",
        ),
        (("walk", "--path", "path.json", "--style", "walk.bvh", "-o", "out.bvh"), "NAME=FILE"),
        (("walk", "--path", "path.json", "--style", "a=stand.bvh", "-o", "out.bvh"), ": a (stand.bvh) has no loop"),
        (("walk", "--path", "path.json", "--style", "a=walk.bvh", "--switch", "b", "-o", "out.bvh"), "METRES:NAME"),
        (("walk", "--path", "path.json", "--style", "a=walk.bvh", "--switch", "2:b", "-o", "out.bvh"), "no style 'b'"),
        (("walk", "--path", "path.json", "--style", "a=walk.bvh", "--style", "a=slow.bvh", "-o", "out.bvh"), "two"),
        (("walk", "--path", "dot.json", "--style", "a=walk.bvh", "-o", "out.bvh"), "5 cm long"),
        (("walk", "--path", "none.json", "--style", "a=walk.bvh", "-o", "out.bvh"), "none.json"),
        (("walk", "--path", "path.json", "--style", "a=none.bvh", "-o", "out.bvh"), "none.bvh"),
    ],
)
def test_wrong_calls_are_refused_with_a_reason(capsys, clips, monkeypatch, arguments, says):
    monkeypatch.chdir(clips)
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
    assert not (clips / "out.bvh").exists()


def test_walk_follows_the_path_in_both_styles(capsys, clips, tmp_path):
    status, out, err = call(
        capsys, "walk", "--path", clips / "path.json", "--style", f"walk={clips / 'walk.bvh'}",
        "--style", f"slow={clips / 'slow.bvh'}", "--switch", "4:slow", "-o", tmp_path / "out.bvh",
    )  # fmt: skip
    assert (status, out) == (0, ""), err
    motion = read_bvh(tmp_path / "out.bvh").motion
    mean, _, heading = path_errors(motion, np.array([[0.0, 0.0], [0.0, 5.0], [3.0, 8.0]]))
    assert mean < 5.0
    assert heading < 8.0
    assert np.max(contact_drifts(motion, find_contacts(motion))) < 0.006


def test_walk_steps_onto_the_ground_it_is_given(capsys, clips, tmp_path):
    status, _, err = call(
        capsys, "walk", "--path", clips / "path.json", "--style", f"walk={clips / 'walk.bvh'}",
        "--ground", clips / "ground.json", "-o", tmp_path / "out.bvh",
    )  # fmt: skip
    assert status == 0, err
    motion = read_bvh(tmp_path / "out.bvh").motion
    on = np.abs(motion.root_positions[:, 2] - 3.0) < 0.2
    before = motion.root_positions[:, 2] < 1.5
    assert np.mean(motion.root_positions[on, 1]) - np.mean(motion.root_positions[before, 1]) > 0.05
