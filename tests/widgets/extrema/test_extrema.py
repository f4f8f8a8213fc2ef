"""Extremes as the views share them: found once, picked at once, in the time of what is shown."""

import pytest
from PySide6.QtWidgets import QApplication

from editor.extrema.commands import add_extreme
from editor.extrema.correct import What
from editor.extrema.edit import ExtremePoses
from editor.extrema.find import extremes_of
from editor.placing.edit import Mirror
from editor.stack.layers import add_edit, change_edit, switch_edit
from editor.timing.edit import Trim
from model.extremes import ExtremeKind
from tests.widgets.extrema.desk import FPS, desk

FOUND = [7, 22, 37, 52, 74]


def same_as_the_take(made):
    """Whether what is shown at once is what the evaluator works out."""
    return made.extrema.extremes == extremes_of(made.showing.current.final).found


def test_extremes_of_a_clip_without_an_edit_are_found_with_the_usual_settings(application):
    made = desk()
    assert made.frames == FOUND
    assert same_as_the_take(made)
    assert [one.kind for one in made.extrema.extremes][-2:] == [ExtremeKind.HOLD, ExtremeKind.LAST]


def test_nothing_is_known_without_a_clip(application):
    made = desk(source=False)
    assert made.extrema.extremes == ()
    assert made.extrema.basis is None
    assert made.jobs.started == 0


@pytest.mark.parametrize("level", [0.0, 0.2, 0.5, 1.0])
def test_another_level_is_picked_at_once_without_measuring_again(application, level):
    made = desk(ExtremePoses())
    before = made.jobs.started
    made.document.preview(change_edit, "1", "e0", ExtremePoses(level=level))
    assert made.jobs.started == before
    assert same_as_the_take(made)
    assert len(made.extrema.extremes) == made.extrema.count_at(level)


def test_another_measure_is_not_measured_twice(application):
    made = desk(ExtremePoses())
    before = made.jobs.started
    made.document.do(change_edit, "1", "e0", ExtremePoses(measure="velocity"))
    assert made.jobs.started == before, "the edit has done it"
    assert same_as_the_take(made)


def test_another_motion_is_measured_anew(application):
    made = desk()
    made.document.do(add_edit, "1", Mirror())
    assert made.extrema.measured is None
    assert made.frames == FOUND, "the old ones stay until then"
    made.settle()
    assert same_as_the_take(made)


def test_extremes_are_found_once_and_shown_although_no_cache_has_room_for_them(application):
    made = desk()
    made.showing.evaluator._cache.budget_bytes = 10
    before = made.jobs.started
    made.document.do(add_edit, "1", Mirror())
    made.settle()
    for _ in range(20):
        QApplication.processEvents()
    assert same_as_the_take(made)
    assert made.jobs.started == before + 1


def test_part_that_the_body_does_not_have_is_told(application, monkeypatch):
    made = desk()
    monkeypatch.setattr(
        "widgets.extrema.extrema.body_measured", lambda *_: (_ for _ in ()).throw(ValueError("no arms"))
    )
    made.document.do(add_edit, "1", ExtremePoses(part="arms"), 0)
    made.settle()
    assert made.extrema.failure == "no arms"
    assert made.extrema.extremes == ()


def test_times_are_those_of_what_is_shown_after_a_trim(application):
    made = desk(ExtremePoses(), Trim(start_s=0.5))
    assert made.frames == [22 - 15, 37 - 15, 52 - 15, 74 - 15]
    made.extrema.add(1.0)
    assert made.showing.current.clip.layers[0].edit.corrections[-1].time_s == pytest.approx(1.5)
    assert 30.0 in made.frames
    assert same_as_the_take(made)


def test_correction_makes_the_edit_at_the_bottom(application):
    made = desk(Trim(start_s=0.5))
    made.settle()
    made.extrema.remove(made.at(22 - 15))
    layers = made.document.project.clip("1").layers
    assert [type(layer.edit) for layer in layers] == [ExtremePoses, Trim]
    made.settle()
    assert 22 - 15 not in made.frames


def test_edit_that_is_switched_off_is_not_used(application):
    made = desk(ExtremePoses(level=0.0))
    assert made.frames == [7, 74]
    made.document.do(switch_edit, "1", "e0", on=False)
    made.settle()
    assert made.frames == FOUND


def test_correction_shows_the_edit_where_one_before_it_was_looked_at(application):
    made = desk(Trim(start_s=0.0, stop_s=2.9), ExtremePoses())
    made.session.look(layer="e0")
    made.settle()
    assert made.extrema.basis.layer is None
    made.extrema.add(1.5)
    assert made.session.view.layer is None
    made.settle()
    assert 45.0 in made.frames


def corrected(made):
    """Which edits have corrections."""
    return [layer.id for layer in made.document.project.clip("1").layers if getattr(layer.edit, "corrections", ())]


def test_of_two_edits_hands_change_the_one_that_is_seen(application):
    made = desk(ExtremePoses(level=0.0), ExtremePoses(level=0.5))
    assert made.frames == FOUND
    made.extrema.remove(made.at(22))
    assert corrected(made) == ["e1"]
    assert 22 not in made.frames
    made.document.undo()
    made.session.look(layer="e0")
    made.settle()
    assert made.frames == [7, 74]
    made.extrema.add(1.0)
    assert corrected(made) == ["e0"]
    assert made.session.view.layer == "e0"
    assert made.frames == [7, 30, 74]


def test_of_two_edits_the_one_that_acts_is_changed(application):
    made = desk(ExtremePoses(), ExtremePoses(level=0.0))
    made.document.do(switch_edit, "1", "e1", on=False)
    made.settle()
    assert made.frames == FOUND
    made.extrema.add(1.0)
    assert corrected(made) == ["e0"]
    assert 30.0 in made.frames


def test_steps_go_from_extreme_to_extreme(application):
    made = desk()
    for by, frame in ((1, 7), (1, 22), (-1, 7), (-1, 0), (-1, 0)):
        made.extrema.step(by)
        assert made.session.view.time_s * FPS == pytest.approx(frame)
    made.session.look(time_s=30 / FPS)
    made.extrema.step(1)
    assert made.extrema.selected == made.at(37)


def test_what_a_hand_did_is_known_of_each_extreme(application):
    made = desk()
    made.extrema.add(30 / FPS)
    made.extrema.pin(made.at(52), True)
    made.extrema.move(made.at(7), 9 / FPS)
    told = {round(one.time_s * FPS): made.extrema.set_by(one) for one in made.extrema.extremes if not one.is_end}
    assert told == {9: What.MOVED, 22: None, 30: What.ADDED, 37: None, 52: What.PINNED, 74: None}


def test_extreme_that_was_moved_goes_back_where_it_was_found(application):
    made = desk()
    before = made.extrema.extremes
    made.extrema.move(made.at(22), 26 / FPS)
    assert 26 in made.frames
    made.extrema.put_back(made.at(26))
    assert made.extrema.extremes == before
    assert made.extrema.selected == made.at(22)


def test_extreme_that_was_added_stays_one_when_it_is_moved(application):
    made = desk()
    made.extrema.add(30 / FPS)
    made.extrema.move(made.at(30), 32 / FPS)
    assert made.frames == [7, 22, 32, 37, 52, 74]
    assert made.extrema.set_by(made.at(32)) is What.ADDED


def test_selection_is_lost_with_the_clip(application):
    made = desk()
    made.extrema.select(made.at(22))
    made.document.undo()
    made.document.do(add_extreme, "1", 1.0)
    assert made.extrema.selected == made.at(22)
    made.document.restart(made.document.project.__class__(()))
    assert made.extrema.selected is None


def test_joints_are_found_only_when_they_are_wanted(application):
    made = desk()
    assert made.extrema.joint_extremes() is None
    before = made.jobs.started
    made.extrema.want_joints(True)
    assert made.jobs.started == before, "not before hands rest"
    made.extrema._timer.start(0)
    while made.extrema.joint_extremes() is None:
        application.processEvents()
    skeleton = made.showing.current.take.motion.skeleton
    found = made.extrema.joint_extremes()
    hip = [round(one.time_s * FPS) for one in found[skeleton.find("LeftUpLeg")].found if not one.is_end]
    arm = [one for one in found[skeleton.find("LeftArm")].found if not one.is_end and not one.is_hold]
    assert hip[:3] == [7, 22, 37]
    assert not arm
