"""`motionwright contacts`."""

import json

import pytest

from model.files.bvh import write_bvh
from tests.calls import call
from tests.clips import waving_figure
from tests.model.files.bvh_text import SMALL


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


def test_contacts_count_frames_of_the_file(capsys, clip, tmp_path):
    status, out, _ = call(capsys, "contacts", clip, "--json")
    assert status == 0
    told = json.loads(out)
    assert told["limbs"] == {"left_foot": [[0, 31]], "right_foot": [[0, 31]], "left_hand": [], "right_hand": []}
    assert told["ground"] == pytest.approx(0.01, abs=0.02)
    lines = clip.read_text().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    lines.insert(first, " ".join(["0"] * len(lines[first].split())))
    (tmp_path / "rest.bvh").write_text("\n".join(lines))
    told = json.loads(call(capsys, "contacts", tmp_path / "rest.bvh", "--json")[1])
    assert told["limbs"]["left_foot"] == [[1, 32]]
    text = call(capsys, "contacts", clip)[1]
    assert "left foot   1 contacts: 0-30" in text
    assert "in the air  0 times" in text


def test_contacts_of_a_body_without_feet_say_so(capsys, tmp_path):
    (tmp_path / "thing.bvh").write_text(SMALL)
    status, _, err = call(capsys, "contacts", tmp_path / "thing.bvh")
    assert status == 2
    assert "has no feet" in err
