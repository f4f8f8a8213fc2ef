"""Extreme poses as an edit: found, corrected, and carried along by the edits after it."""

from dataclasses import replace

import numpy as np
import pytest

from editor.extrema.correct import ExtremeCorrection, What
from editor.extrema.edit import ExtremePoses
from editor.extrema.find import body_measured, selected
from editor.placing.edit import Place
from editor.timing.edit import Resample, Retime, Trim
from model.extremes import ExtremeKind
from model.scope import Scope
from tests.clips import stepping_figure
from tests.editor.evaluated import Asked, after, take_of


@pytest.fixture(scope="module")
def take():
    return take_of(stepping_figure(seconds=5.0, fps=60.0)[0])


def times(stage, kind=ExtremeKind.EXTREME):
    return np.array([one.time_s for one in stage.take.extremes.found if one.kind is kind])


def test_the_motion_stays_and_extremes_are_attached(take):
    stage = after(take, ExtremePoses())
    assert stage.take.motion is take.motion
    assert stage.take.contacts is take.contacts
    assert stage.take.extremes == selected(body_measured(take.motion))
    assert take.extremes is None


def test_no_strength_has_no_effect(take):
    assert after(take, (ExtremePoses(), Scope(strength=0.0))).take is take
    assert ExtremePoses().apply(take, Asked(strength=0.0)) is take


def test_settings_reach_the_kernels(take):
    few, many = (len(times(after(take, ExtremePoses(level=level)))) for level in (0.0, 1.0))
    assert few < many
    slow = after(take, ExtremePoses(measure="velocity", part="legs", window_s=0.3, filter="low-pass", filter_s=0.3))
    assert slow.take.extremes == selected(body_measured(take.motion, slow_settings()))


def slow_settings():
    return ExtremePoses(measure="velocity", part="legs", window_s=0.3, filter="low-pass", filter_s=0.3).settings


def test_a_part_that_the_body_has_not_is_told(take):
    nameless = replace(take.motion, skeleton=take.motion.skeleton.with_roles([None] * len(take.motion.skeleton)))
    with pytest.raises(ValueError, match="no arms"):
        ExtremePoses(part="arms").apply(take_of(nameless), Asked())


def test_corrections_hold_at_any_level(take):
    here = times(after(take, ExtremePoses()))
    edit = ExtremePoses(
        corrections=(
            ExtremeCorrection(What.ADDED, 1.234),
            ExtremeCorrection(What.DELETED, float(here[3]) + 0.03),
            ExtremeCorrection(What.PINNED, float(here[5])),
        )
    )
    for level in (0.0, 0.5, 1.0):
        found = times(after(take, replace(edit, level=level)))
        assert np.min(np.abs(found - 1.234)) < 1e-9
        assert np.min(np.abs(found - here[3])) > 0.03
        assert np.min(np.abs(found - here[5])) < 1e-9


def test_later_edits_carry_extremes_along(take):
    here = times(after(take, ExtremePoses()))
    assert np.allclose(times(after(take, ExtremePoses(), Place(1.0, 0.0, 2.0, turn_rad=0.3))), here)
    assert np.allclose(times(after(take, ExtremePoses(), Resample(30.0))), here)
    slower = after(take, ExtremePoses(), Retime(((0.0, 0.5),)))
    assert np.allclose(times(slower), 2.0 * here, atol=1e-6)
    assert times(slower, ExtremeKind.LAST) == pytest.approx(slower.take.motion.duration_s)


def test_a_trim_drops_those_outside(take):
    here = times(after(take, ExtremePoses()))
    trimmed = after(take, ExtremePoses(), Trim(1.0, 4.0))
    assert np.allclose(times(trimmed), here[(here >= 1.0) & (here <= 4.0)] - 1.0)
    assert times(trimmed, ExtremeKind.FIRST) == [0.0]
    assert times(trimmed, ExtremeKind.LAST) == pytest.approx([3.0])


def test_an_edit_within_a_scope_keeps_them_too(take):
    moved = after(take, ExtremePoses(), (Place(1.0, 0.0, 0.0), Scope(strength=0.5)))
    assert np.array_equal(times(moved), times(after(take, ExtremePoses())))


def test_corrections_speak_of_the_source_behind_a_trim(take):
    edit = ExtremePoses(corrections=(ExtremeCorrection(What.ADDED, 2.345), ExtremeCorrection(What.MOVED, 3.0, 3.111)))
    found = times(after(take, Trim(1.0, None), edit))
    for moment in (1.345, 2.111):
        assert np.min(np.abs(found - moment)) < 1e-9


def test_corrections_outside_what_is_left_are_dropped(take):
    edit = ExtremePoses(corrections=(ExtremeCorrection(What.ADDED, 0.5),))
    assert np.min(times(after(take, Trim(1.0, None), edit))) >= 0.0


def test_the_edit_that_comes_last_decides(take):
    twice = after(take, ExtremePoses(level=1.0), ExtremePoses(level=0.0))
    assert twice.take.extremes == after(take, ExtremePoses(level=0.0)).take.extremes
