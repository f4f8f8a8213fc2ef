"""The features together: taken out one by one, and joined by one that the tests bring."""

import re

import numpy as np
import pytest

from app.features import FEATURES
from editor.clips.imported import import_file
from editor.document.document import Document
from editor.stack.contributions import CoreFeatures
from model.files.bvh import read_bvh, write_bvh
from model.files.project_file import read_project, write_project
from tests.calls import call
from tests.clips import waving_figure
from tests.raising.feature import RAISING
from tests.scripts import replayed

WITH_RAISING = CoreFeatures((*FEATURES, RAISING))


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


def listed(capsys, features):
    """The verbs in the help of the command line."""
    status, out, _ = call(capsys, "--help", features=features)
    assert status == 0
    return re.findall(r"^    (\w+)", out, flags=re.M)


@pytest.mark.parametrize("feature", list(FEATURES), ids=lambda feature: feature.name)
def test_command_line_without_a_feature_lacks_its_verbs(capsys, clip, feature):
    left = FEATURES.without(feature.name)
    gone = [verb for verb in FEATURES.verbs if verb not in left.verbs]
    assert {verb.name for verb in feature.verbs} <= {*gone}
    assert listed(capsys, left) == [verb for verb in FEATURES.verbs if verb not in gone]
    for verb in gone:
        status, out, err = call(capsys, verb, clip, features=left)
        assert (status, out) == (2, "")
        assert f"invalid choice: {verb!r}" in err
    for verb in {"info", "contacts", "extrema"} - {*gone}:
        assert call(capsys, verb, clip, features=left)[0] == 0


def test_verb_of_a_feature_of_the_tests_works_as_any(capsys, clip, tmp_path):
    assert listed(capsys, WITH_RAISING)[-3:] == ["render", "raise", "batch"]
    status, out, _ = call(capsys, "raise", "--help", features=WITH_RAISING)
    assert status == 0
    assert "Put a motion higher above the floor." in out
    assert out.endswith("example:\n  motionwright raise walk.bvh --by 0.5 -o high.bvh\n")
    high = tmp_path / "high.bvh"
    status, out, err = call(capsys, "raise", clip, "--by", 0.25, "-o", high, features=WITH_RAISING)
    assert (status, out) == (0, ""), err
    before, after = (read_bvh(path).motion.root_positions for path in (clip, high))
    np.testing.assert_allclose(after - before, np.tile([0.0, 0.25, 0.0], (31, 1)), atol=1e-6)


def test_verb_of_a_feature_of_the_tests_fails_as_any(capsys, clip):
    for arguments, reason in (
        ((clip, "-o", clip), "is not replaced: choose another name, or replace it with --force"),
        ((clip, "--by", 99, "-o", "out.bvh"), "by_m is 99.0"),
        (("absent.bvh", "-o", "out.bvh"), "absent.bvh: cannot be read"),
        ((clip,), "the following arguments are required: -o/--output"),
    ):
        status, out, err = call(capsys, "raise", *arguments, features=WITH_RAISING)
        assert (status, out) == (2, "")
        assert reason in err


def test_edit_and_command_of_a_feature_of_the_tests_are_done_undone_saved_and_replayed(clip, tmp_path):
    document = Document()
    document.do(WITH_RAISING.commands["add_clip"], import_file(clip), "Wave")
    start = document.project
    document.restart(start)
    document.do(WITH_RAISING.commands["raise_clip"], start.clips[0].id, 0.25)
    assert document.undo_text == "Raise Wave by 0.25 m"
    raised = document.project
    assert raised.clips[0].layers[0].edit == WITH_RAISING.edits["raise_body"](0.25)
    assert replayed(document, start) == raised
    write_project(raised, tmp_path / "raised.mwright", WITH_RAISING.kinds)
    opened = read_project(tmp_path / "raised.mwright", WITH_RAISING.kinds)
    assert opened.problems == ()
    assert opened.project.clips[0].layers == raised.clips[0].layers
    document.undo()
    assert document.project is start
