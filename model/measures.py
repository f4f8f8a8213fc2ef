"""How numbers are shown to people and read back: radians as degrees, small lengths as centimetres, units named.

Values are in our own units (m, s, rad) everywhere else; this is the way to the label and back.
"""

import math
import re
from dataclasses import Field, dataclass, fields
from typing import Any

from model.clip import Setting, settings_of

# Spelling of a unit: what kind of quantity it is, and what one of it is in our own unit of that kind.
_UNITS: dict[str, tuple[str, float]] = {
    "m": ("m", 1.0),
    "cm": ("m", 0.01),
    "mm": ("m", 0.001),
    "km": ("m", 1000.0),
    "in": ("m", 0.0254),
    "ft": ("m", 0.3048),
    "s": ("s", 1.0),
    "ms": ("s", 0.001),
    "min": ("s", 60.0),
    "rad": ("rad", 1.0),
    "°": ("rad", math.pi / 180.0),
    "deg": ("rad", math.pi / 180.0),
    "rad/s": ("rad/s", 1.0),
    "°/s": ("rad/s", math.pi / 180.0),
    "deg/s": ("rad/s", math.pi / 180.0),
    "m/s": ("m/s", 1.0),
    "km/h": ("m/s", 1.0 / 3.6),
    "hz": ("Hz", 1.0),
    "%": ("%", 0.01),
}
_NUMBER = re.compile(r"\s*([-+\u2212]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$")
# Endings of names of fields, and the units that they stand for; longer ones first.
_ENDINGS = {"_rad_s": "rad/s", "_m_s": "m/s", "_rad": "rad", "_hz": "Hz", "_m": "m", "_s": "s"}
# Fields of these names are moments of the source; other times are lengths.
MOMENTS = ("time_s", "start_s", "stop_s", "to_s", "away_from_s")
# Lengths of settings whose range is no longer than this are read better in centimetres.
_SMALL_M = 1.0


@dataclass(frozen=True)
class Measure:
    """How a quantity is shown.

    unit : our own; suffix : what stands behind the number; factor : our value of one of it; most, least : decimals;
    step : by how much a key press changes the number that is shown.
    """

    unit: str = ""
    suffix: str = ""
    factor: float = 1.0
    most: int = 3
    least: int = 0
    step: float = 0.1

    def format(self, value: float) -> str:
        """A value of ours as people read it, with its unit."""
        return f"{self.number(value)} {self.suffix}".rstrip() if self.suffix != "°" else f"{self.number(value)}°"

    def number(self, value: float) -> str:
        """A value of ours as people read it, without its unit."""
        text = f"{value / self.factor:.{self.most}f}"
        whole, _, decimals = text.partition(".")
        decimals = decimals.rstrip("0").ljust(self.least, "0")
        text = f"{whole}.{decimals}" if decimals else whole
        return text[1:] if text.startswith("-") and not text.strip("-0.") else text

    def rounded(self, value: float) -> float:
        """The value that is shown, without what the decimals hide."""
        return round(value / self.factor, self.most) * self.factor

    def parse(self, text: str) -> float:
        """What somebody typed, in our unit: "12 cm", "30°", "1,5". Raises ValueError saying what is wrong."""
        found = _NUMBER.match(text)
        if found is None:
            raise ValueError(f"“{text.strip()}” is not a number")
        number = float(found[1].replace(",", ".").replace("\u2212", "-"))
        spelled = found[2]
        if not spelled or spelled == self.suffix:
            return number * self.factor
        kind, factor = _UNITS.get(spelled.lower(), (spelled, 1.0))
        if kind == "%" and self.unit in ("", "%"):
            return number * factor
        if kind.lower() != self.unit.lower():
            raise ValueError(f"“{spelled}” is not a unit of this value; {self._units()}")
        return number * factor

    def _units(self) -> str:
        known = [name for name, (kind, _) in _UNITS.items() if kind == self.unit]
        return f"use {', '.join(known)}" if known else "leave it out"


NUMBER = Measure()
PERCENT = Measure("", "%", 0.01, 0, 0, 5.0)
SECONDS = Measure("s", "s", 1.0, 3, 2, 0.05)
METRES = Measure("m", "m", 1.0, 3, 2, 0.01)
CENTIMETRES = Measure("m", "cm", 0.01, 1, 1, 0.5)
DEGREES = Measure("rad", "°", math.pi / 180.0, 1, 1, 1.0)
DEGREES_A_SECOND = Measure("rad/s", "°/s", math.pi / 180.0, 1, 1, 1.0)
FRAME_RATE = Measure("fps", "fps", 1.0, 3, 0, 1.0)
WHOLE = Measure("", "", 1.0, 0, 0, 1.0)


def measure_of(setting: Setting, whole: bool = False) -> Measure:
    """How the numbers of a setting are shown. whole : whether they are whole numbers."""
    if whole:
        return Measure(setting.unit, setting.unit, 1.0, 0, 0, 1.0)
    if setting.unit == "m":
        ends = [abs(end) for end in (setting.low, setting.high) if end is not None]
        return CENTIMETRES if setting.high is not None and max(ends) <= _SMALL_M else METRES
    known = {"rad": DEGREES, "rad/s": DEGREES_A_SECOND, "s": SECONDS, "fps": FRAME_RATE, "%": PERCENT}
    return known.get(setting.unit) or Measure(setting.unit, setting.unit, step=_step(setting))


def settings_by_name(kind: type) -> dict[str, Setting]:
    """The settings of a source or edit, by the names of their fields; of a record that has none, all its fields."""
    return {one.name: setting for one, setting in settings_of(kind)} or {
        one.name: setting_from_name(one) for one in fields(kind)
    }


def setting_from_name(one: Field[Any]) -> Setting:
    """What the name of a field says: `step_width_m` is a step width in metres."""
    for ending, unit in _ENDINGS.items():
        if one.name.endswith(ending):
            return Setting(in_words(one.name.removesuffix(ending)), unit)
    return Setting(in_words(one.name))


def moment_in_words(time_s: float, step_s: float | None) -> str:
    """A moment of a source: "2.20 s", or "step 5" where its time counts steps. step_s : how long each takes in it."""
    return f"{time_s:.2f} s" if step_s is None else f"step {step_number(time_s, step_s)}"


def step_number(time_s: float, step_s: float) -> int:
    """Which step a moment is in, counted from 1."""
    return max(math.floor(time_s / step_s + 1e-6), 0) + 1


def in_words(name: str) -> str:
    """A name of a program as people write it."""
    return name.replace("_", " ").capitalize()


def _step(setting: Setting) -> float:
    """A handy step for numbers of a range: about a fiftieth of it, as 1, 2 or 5 of a power of ten."""
    if setting.low is None or setting.high is None or not 0.0 < setting.high - setting.low < math.inf:
        return 0.1
    wanted = (setting.high - setting.low) / 50.0
    power = 10.0 ** math.floor(math.log10(wanted))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted * (1.0 + 1e-9))
