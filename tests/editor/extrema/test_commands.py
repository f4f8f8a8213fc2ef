"""Commands on extreme poses."""

import pytest

from editor.extrema.commands import add_extreme, extreme_layer, move_extreme, pin_extreme, remove_extreme
from editor.extrema.correct import ExtremeCorrection, What
from editor.extrema.edit import ExtremePoses
from editor.stack.layers import add_edit, set_scope, switch_edit
from model.clip import Clip, Layer
from model.project import Project
from model.scope import Scope
from tests.stacks import Lift, Made


@pytest.fixture
def project():
    return Project((Clip("1", "Walk", Made(), (Layer("2", Lift(1.0)),)),), 5)


def corrections(project):
    return extreme_layer(project, "1").edit.corrections


@pytest.mark.parametrize(
    ("command", "arguments", "correction"),
    [
        (add_extreme, (0.5,), ExtremeCorrection(What.ADDED, 0.5)),
        (move_extreme, (0.5, 0.7), ExtremeCorrection(What.MOVED, 0.5, 0.7)),
        (remove_extreme, (0.5,), ExtremeCorrection(What.DELETED, 0.5)),
        (pin_extreme, (0.5,), ExtremeCorrection(What.PINNED, 0.5)),
    ],
)
def test_the_first_correction_makes_an_edit_at_the_bottom(project, command, arguments, correction):
    changed = command(project, "1", *arguments)
    layers = changed.clip("1").layers
    assert [type(layer.edit) for layer in layers] == [ExtremePoses, Lift]
    assert corrections(changed) == (correction,)
    assert project.clip("1").layers[0].id == "2", "the project before was changed"


def test_further_corrections_join_it_and_switch_it_on(project):
    project = add_edit(project, "1", ExtremePoses(level=0.8))
    layer = extreme_layer(project, "1")
    project = add_extreme(switch_edit(project, "1", layer.id, on=False), "1", 0.5)
    project = remove_extreme(project, "1", 1.0)
    assert extreme_layer(project, "1").on
    assert extreme_layer(project, "1").edit.level == 0.8
    assert [one.what for one in corrections(project)] == ["added", "deleted"]
    assert len(project.clip("1").layers) == 2


def test_of_several_edits_the_one_that_decides_is_corrected(project):
    """That is the last that acts, as for the evaluator."""
    project = add_edit(add_edit(project, "1", ExtremePoses(level=0.1)), "1", ExtremePoses(level=0.9))
    first, last = (layer.id for layer in project.clip("1").layers[1:])
    assert extreme_layer(project, "1").id == last
    assert extreme_layer(project, "1", first).id == first
    assert extreme_layer(switch_edit(project, "1", last, on=False), "1").id == first
    changed = add_extreme(project, "1", 0.5)
    assert [bool(layer.edit.corrections) for layer in changed.clip("1").layers[1:]] == [False, True]
    named = pin_extreme(project, "1", 0.5, layer=first)
    assert [bool(layer.edit.corrections) for layer in named.clip("1").layers[1:]] == [True, False]
    unpinned = pin_extreme(named, "1", 0.5, pinned=False, layer=first)
    assert unpinned.clip("1") == project.clip("1")


def test_correction_goes_into_an_edit_that_can_be_seen(project):
    project = add_edit(project, "1", ExtremePoses())
    project = set_scope(project, "1", extreme_layer(project, "1").id, Scope(strength=0.0))
    changed = add_extreme(project, "1", 0.5)
    assert extreme_layer(changed, "1").acts
    assert corrections(changed) == (ExtremeCorrection(What.ADDED, 0.5),)


def test_a_drag_taken_up_again_is_one_correction(project):
    project = move_extreme(project, "1", 0.5, 0.7)
    project = move_extreme(project, "1", 0.7, 0.9)
    assert corrections(project) == (ExtremeCorrection(What.MOVED, 0.5, 0.9),)


def test_unpinning_takes_the_pin_out(project):
    pinned = pin_extreme(project, "1", 0.5)
    assert corrections(pin_extreme(pinned, "1", 0.52, pinned=False)) == ()


def test_what_changes_nothing_gives_the_same_project(project):
    assert move_extreme(project, "1", 0.5, 0.5) is project
    assert pin_extreme(project, "1", 0.5, pinned=False) is project
    pinned = pin_extreme(project, "1", 0.5)
    assert pin_extreme(pinned, "1", 0.5) is pinned
    assert pin_extreme(pinned, "1", 1.5, pinned=False) is pinned


def test_wrong_times_are_refused(project):
    with pytest.raises(ValueError, match="time_s"):
        add_extreme(project, "1", float("inf"))
