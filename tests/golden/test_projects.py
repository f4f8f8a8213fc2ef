"""Projects that an earlier version saved, beside the arrays to which they evaluated: they open whole, and still do."""

from pathlib import Path

import numpy as np
import pytest

from app.files import KINDS
from editor.stack.evaluator import Evaluator
from model.files.project_file import read_project, write_project

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
    assert again.read_bytes() == path.read_bytes()
