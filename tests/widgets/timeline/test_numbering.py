"""How moments are called, and what can be typed."""

from dataclasses import dataclass, replace

import pytest

from model.motion import Origin
from model.units import METRE
from tests.clips import waving_figure
from widgets.timeline.numbering import Numbering, Unit, file_number_of


@pytest.mark.parametrize(("unit", "text"), [(Unit.FRAMES, "41"), (Unit.SECONDS, "1.367 s"), (Unit.FILE, "58")])
def test_moment_is_called_by_unit_and_read_back(unit, text):
    numbering = Numbering(unit, 1 / 30, file_number=17)
    assert numbering.text(41 / 30) == text
    assert numbering.time_of(text) == pytest.approx(41 / 30, abs=1e-3)


def test_moment_between_frames_is_not_called_a_frame():
    assert Numbering(Unit.FRAMES, 1 / 30).text(41.5 / 30) == "41.50"


def test_seconds_can_be_typed_in_any_unit():
    numbering = Numbering(Unit.FRAMES, 1 / 30)
    assert numbering.time_of(" 1.5 s ") == pytest.approx(1.5)
    assert numbering.time_of("1,5s") == pytest.approx(1.5)
    assert numbering.time_of("45") == pytest.approx(1.5)


@pytest.mark.parametrize("text", ["", "s", "frame 4", "nan", "1e999"])
def test_what_is_no_number_is_no_moment(text):
    assert Numbering(Unit.FRAMES, 1 / 30).time_of(text) is None


@pytest.mark.parametrize(("step", "text"), [(1.0, "2 s"), (0.5, "2.0 s"), (0.02, "2.00 s"), (60.0, "2 s")])
def test_tick_has_the_decimals_that_its_step_needs(step, text):
    assert Numbering(Unit.SECONDS, 1 / 30).tick_text(2.0, step) == text


@dataclass(frozen=True)
class Detail:
    first_number: int


def test_file_says_what_its_first_frame_is_called():
    motion = replace(waving_figure(5), first_frame=3)
    assert file_number_of(motion) == 3
    layout = tuple(() for _ in motion.skeleton.names)
    origin = Origin("walk.amc", METRE, "y", layout, motion.root_positions, format="acclaim", detail=Detail(1))
    assert file_number_of(replace(motion, origin=origin)) == 4
