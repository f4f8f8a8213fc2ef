"""Numbers as people read and type them."""

import math

import pytest

from model.clip import Setting
from model.measures import CENTIMETRES, DEGREES, METRES, NUMBER, PERCENT, SECONDS, measure_of


@pytest.mark.parametrize(
    ("measure", "value", "text"),
    [
        (METRES, 1.75, "1.75 m"),
        (METRES, 0.0, "0.00 m"),
        (METRES, 1.2345, "1.234 m"),
        (CENTIMETRES, 0.125, "12.5 cm"),
        (DEGREES, math.radians(30.0), "30.0°"),
        (DEGREES, -1e-9, "0.0°"),
        (SECONDS, 6.0, "6.00 s"),
        (PERCENT, 0.6, "60 %"),
        (NUMBER, 3.0, "3"),
    ],
)
def test_value_is_shown_with_unit_and_decimals_of_its_measure(measure, value, text):
    assert measure.format(value) == text


@pytest.mark.parametrize(
    ("measure", "text", "value"),
    [
        (METRES, "12 cm", 0.12),
        (METRES, "2", 2.0),
        (CENTIMETRES, "2", 0.02),
        (CENTIMETRES, "0,5 m", 0.5),
        (METRES, "6 ft", 1.8288),
        (DEGREES, "30°", math.pi / 6.0),
        (DEGREES, "30", math.pi / 6.0),
        (DEGREES, "0.5 rad", 0.5),
        (DEGREES, " -45 deg ", -math.pi / 4.0),
        (SECONDS, "250ms", 0.25),
        (SECONDS, "1.5 min", 90.0),
        (PERCENT, "40", 0.4),
        (PERCENT, "40%", 0.4),
        (NUMBER, "40 %", 0.4),
        (NUMBER, "\u22121e-2", -0.01),
    ],
)
def test_typed_text_is_read_in_its_unit(measure, text, value):
    assert measure.parse(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("measure", "text", "reason"),
    [(METRES, "ten", "not a number"), (METRES, "30°", "use m, cm"), (SECONDS, "2 m", "use s"), (NUMBER, "2 m", "unit")],
)
def test_typed_text_that_is_no_value_is_refused_with_a_reason(measure, text, reason):
    with pytest.raises(ValueError, match=reason):
        measure.parse(text)


@pytest.mark.parametrize("measure", [METRES, CENTIMETRES, DEGREES, SECONDS, PERCENT, NUMBER])
def test_shown_text_reads_back_as_the_value_shown(measure):
    for value in (0.0, 0.25, 0.5, 1.0, -0.75):
        assert measure.parse(measure.format(value)) == pytest.approx(measure.rounded(value))


def test_settings_choose_how_they_are_shown():
    assert measure_of(Setting("Turn", "rad")) is DEGREES
    assert measure_of(Setting("Lift", "m", 0.0, 0.5)) is CENTIMETRES
    assert measure_of(Setting("Move", "m")) is METRES
    assert measure_of(Setting("Move", "m", -10.0, 10.0)) is METRES
    assert measure_of(Setting("Count"), whole=True).format(3) == "3"
    assert measure_of(Setting("Amount", "", 0.0, 5.0)).step == pytest.approx(0.1)
    assert measure_of(Setting("Weight", "kg")).format(2.5) == "2.5 kg"
