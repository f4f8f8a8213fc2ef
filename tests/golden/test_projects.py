"""Projects that an earlier version saved, beside the arrays to which they evaluated: they open whole, and still do."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from app.features import FEATURES
from editor.stack.evaluator import Evaluator
from model.files.project_file import read_project, write_project

KINDS = FEATURES.kinds
PROJECTS = sorted(Path(__file__).parent.glob("projects/*.mwright"))


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.stem)
def test_saved_project_evaluates_as_when_it_was_saved(path):
    reading = read_project(path, KINDS)
    assert reading.problems == ()
    evaluator, expected = Evaluator(), np.load(path.with_suffix(".npz"))
    for clip in reading.project.clips:
        stages = evaluator.stages(reading.project, clip.id)
        assert not any(stage.failed for stage in stages)
        motion = stages[-1].take.motion
        for name in ("root_positions", "local_rotations"):
            np.testing.assert_allclose(getattr(motion, name), expected[f"{clip.id}_{name}"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.stem)
def test_saved_project_is_saved_again_as_it_was(path, tmp_path):
    again = tmp_path / path.name
    write_project(read_project(path, KINDS).project, again, KINDS)
    before, after = zipfile.ZipFile(path), zipfile.ZipFile(again)
    assert before.namelist() == after.namelist()
    for name in before.namelist():
        if name.endswith(".json"):
            assert holds(json.loads(after.read(name)), json.loads(before.read(name))), name
        else:
            assert after.read(name) == before.read(name), name


def holds(after, before):
    """Whether a value of JSON is another, but for fields that came later and say nothing."""
    if isinstance(before, dict):
        later = set(after) - set(before)
        return (
            set(before) <= set(after)
            and not any(after[name] for name in later)
            and all(holds(after[name], before[name]) for name in before)
        )
    if isinstance(before, list):
        return len(after) == len(before) and all(map(holds, after, before))
    return after == before


def test_a_lost_field_would_be_seen():
    assert holds({"a": 1, "b": None}, {"a": 1})
    assert not holds({"a": 1, "b": 2}, {"a": 1})
    assert not holds({"b": [1]}, {"b": [1, 2]})
    assert not holds({}, {"a": 1})
