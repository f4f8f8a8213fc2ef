"""`motionwright clean`."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from model.files.bvh import read_bvh, write_bvh
from tests.calls import call
from tests.clips import sliding_figure


@pytest.fixture
def skating_clip(tmp_path):
    path = tmp_path / "skating.bvh"
    write_bvh(sliding_figure(), path)
    return path


def test_clean_writes_feet_that_stand(capsys, skating_clip, tmp_path):
    out = tmp_path / "clean.bvh"
    status, printed, err = call(capsys, "clean", skating_clip, "-o", out)
    assert (status, printed) == (0, "")
    assert float(re.search(r"planted feet drift ([\d.]+) cm at most", err)[1]) < 0.2
    told = json.loads(call(capsys, "quality", out, "--reference", skating_clip, "--json")[1])
    before = json.loads(call(capsys, "quality", skating_clip, "--json")[1])
    assert told["contact_drift_worst_cm"] < 0.2 < 0.5 < before["contact_drift_worst_cm"]
    assert before["jerk_ratio"] is None
    assert told["jerk_ratio"] < 1.3


def test_clean_levels_and_repairs_when_asked(capsys, skating_clip, tmp_path):
    motion = read_bvh(skating_clip).motion
    rise = np.outer(np.arange(motion.frames) / motion.frames, [0.0, 0.06, 0.0])
    rotations = motion.local_rotations.copy()
    rotations[90, 8] = [0.0, 1.0, 0.0, 0.0]
    tilted = replace(motion, root_positions=motion.root_positions + rise + 0.3, local_rotations=rotations)
    write_bvh(tilted, tmp_path / "tilted.bvh")
    status, _, err = call(capsys, "clean", tmp_path / "tilted.bvh", "-o", tmp_path / "out.bvh", "--level", "--repair")
    assert status == 0
    assert "frame 90: LeftForeArm jumps by" in err
    assert "The floor is tilted by 1." in err or "The floor drifts by" in err
    told = json.loads(call(capsys, "quality", tmp_path / "out.bvh", "--json")[1])
    assert told["penetration_cm"] < 0.6
    assert json.loads(call(capsys, "contacts", tmp_path / "out.bvh", "--json")[1])["ground"] == pytest.approx(
        0, abs=0.01
    )
