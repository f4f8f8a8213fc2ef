"""What the Undo menu says of changed settings and scopes."""

import math
from dataclasses import replace

import pytest

from editor.document.document import Document
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.placing.edit import Mirror, Place
from editor.repair.smoothing import Smooth
from editor.stack.clips import add_clip, set_source
from editor.stack.layers import add_edit, change_edit, set_scope
from editor.timing.edit import Resample, Retime, Trim
from model.scope import Scope
from model.skeleton import JointRef


def said(edit, then):
    """What the menu says when an edit becomes another of its kind."""
    document = Document()
    document.do(add_clip, ProceduralGait(), "Walk")
    document.do(add_edit, "1", edit)
    document.do(change_edit, "1", "2", then)
    return document.undo_text


def said_of_scope(scope, then):
    document = Document()
    document.do(add_clip, ProceduralGait(), "Walk")
    document.do(add_edit, "1", Smooth(), scope=scope)
    document.do(set_scope, "1", "2", then)
    return document.undo_text


@pytest.mark.parametrize(
    ("edit", "then", "sentence"),
    [
        (Trim(), Trim(start_s=0.5), "Set trim start to 0.50 s"),
        (Trim(0.5, 2.0), Trim(0.5), "Clear trim stop"),
        (Trim(), Trim(0.5, 2.0), "Change trim"),
        (Resample(30.0), Resample(24.0), "Set resample frame rate to 24 fps"),
        (Retime(), Retime(((0.0, 2.0),)), "Add to retime speed curve"),
        (Retime(((0.0, 2.0), (1.0, 1.0))), Retime(((0.0, 2.0),)), "Remove from retime speed curve"),
        (Retime(((0.0, 2.0),)), Retime(((0.0, 3.0),)), "Change retime speed curve"),
    ],
)
def test_change_of_an_edit_is_said_with_its_value(edit, then, sentence):
    assert said(edit, then) == sentence


def test_angles_are_said_in_degrees():
    place = Place()
    turned = replace(place, turn_rad=math.radians(30.0))
    assert said(place, turned).endswith("to 30.0°")


def test_edit_that_becomes_another_kind_is_said_to_change():
    assert said(Mirror(), Smooth()) == "Change mirror"


@pytest.mark.parametrize(
    ("scope", "then", "sentence"),
    [
        (Scope(), Scope(strength=0.5), "Set strength of smooth to 50 %"),
        (Scope(), Scope(start_s=0.25), "Let smooth act from 0.25 s"),
        (Scope(start_s=0.25), Scope(), "Let smooth act from the beginning"),
        (Scope(), Scope(stop_s=1.0), "Let smooth act to 1.00 s"),
        (Scope(stop_s=1.0), Scope(), "Let smooth act to the end"),
        (Scope(stop_s=1.0), Scope(stop_s=1.0, ease_s=0.5), "Set ease of smooth to 0.50 s"),
        (Scope(), Scope(joints=()), "Let smooth act on no joint"),
        (Scope(), Scope(joints=(JointRef("Head"),)), "Let smooth act on 1 joint"),
        (Scope(joints=()), Scope(), "Let smooth act on the whole body"),
        (Scope(), Scope(strength=0.5, stop_s=1.0), "Change where smooth acts"),
    ],
)
def test_change_of_a_scope_is_said_in_plain_words(scope, then, sentence):
    assert said_of_scope(scope, then) == sentence


def test_setting_within_a_record_of_a_source_is_said():
    document = Document()
    document.do(add_clip, ProceduralGait(), "Walk")
    document.do(set_source, "1", ProceduralGait(gait=Gait(step_width_m=0.2)))
    assert document.undo_text == "Set step width of Walk to 20.0 cm"
