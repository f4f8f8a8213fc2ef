"""Golden cases of pose editing, each a folder of `posing`: edits.json as `motionwright pose` takes it, case.json with
the clip and the figures that must hold. The verb does the work, and what is measured is the file that it wrote."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.command_line import run
from editor.contacts.detect import find_contacts
from editor.quality import figures as quality
from model.contacts import FEET
from model.files.formats import read_motion, write_motion
from resources import path_of
from tests.clips import DATA, jumping_figure
from tests.editor.posing.grounded.asking import Clip

CASES = sorted(path.parent for path in Path(__file__).parent.glob("posing/*/case.json"))
# Files hold angles to a millionth of a degree or so: what is read again is not the very same.
_WRITTEN_CM = 0.02


def source(name, tmp_path):
    """The file of a clip: a sample's, a made one's, or a recorded one's; skips where the last is not there."""
    kind, _, rest = name.partition("/")
    if kind == "samples":
        return path_of("samples", f"{rest}.bvh")
    if kind == "recorded":
        if not DATA.is_dir():
            pytest.skip("the recorded clips (../shared/data) are not here")
        return DATA / f"{rest}.bvh"
    path = tmp_path / f"{rest}.bvh"
    write_motion({"jump": jumping_figure}[rest]()[0], str(path))
    return path


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_golden_case(folder, tmp_path, capsys):
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    path, out = source(case["clip"], tmp_path), tmp_path / "out.bvh"
    assert run(["pose", str(path), "--edits", str(folder / "edits.json"), "-o", str(out)]) == 0
    before, after = (read_motion(one).motion for one in (path, out))
    clip = Clip(before, find_contacts(before, hands=True))
    assert before.frames == after.frames
    drifts = [quality.contact_drifts(one, clip.contacts) for one in (after, before)]
    assert 100.0 * np.max(drifts[0] - drifts[1]) < 0.1 + _WRITTEN_CM
    assert clip.deeper_cm(after) < 0.1 + _WRITTEN_CM
    assert clip.slips_cm(after) < 0.3
    measured = quality.measure(after, clip.contacts, [before])
    assert measured.stretch_percent < 0.2
    check_figures(case["figures"], before, after, measured)


def check_figures(figures, before, after, measured):
    roots = before.root_positions, after.root_positions
    lower = 100.0 * (roots[0][:, 1] - roots[1][:, 1])
    assert measured.jerk_ratio < figures["jerk_ratio"]
    if "travel" in figures:
        way = [np.linalg.norm((one[-1] - one[0])[[0, 2]]) for one in roots]
        low, high = figures["travel"]
        assert low < way[1] / way[0] < high
    if "lower_cm" in figures:
        low, high = figures["lower_cm"]
        assert low < np.max(lower) < high
    if "higher_cm" in figures:
        low, high = figures["higher_cm"]
        assert low < np.max(-lower) < high
    if "still_moves" in figures:
        sway = [np.max(np.ptp(one.world.positions, axis=0)) for one in (before, after)]
        assert sway[1] > figures["still_moves"] * sway[0]


def test_every_case_has_edits_and_its_feet_are_watched():
    assert len(CASES) >= 6
    assert all((folder / "edits.json").is_file() for folder in CASES)
    assert set(FEET) == {"left_foot", "right_foot"}
