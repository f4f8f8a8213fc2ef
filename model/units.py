"""Lengths and axes of files, and how to guess them from the body they describe.

Inside Motionwright there are metres and Y is up; here is the only way in and out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.arrays import Array


@dataclass(frozen=True)
class Unit:
    """A unit of length: its short name and what one of it is in metres."""

    name: str
    metres: float


METRE = Unit("m", 1.0)
DECIMETRE = Unit("dm", 0.1)  # MakeHuman's
CENTIMETRE = Unit("cm", 0.01)
MILLIMETRE = Unit("mm", 0.001)
INCH = Unit("in", 0.0254)
FOOT = Unit("ft", 0.3048)
# The Carnegie Mellon database writes inches divided by 0.45.
CMU = Unit("cmu", 0.0254 / 0.45)

UNITS = (METRE, CENTIMETRE, MILLIMETRE, INCH, FOOT, CMU, DECIMETRE)

# The rotation that stands a file's up axis on Y: row n tells which file axis, with which sign,
# becomes our axis n. All are proper rotations, so handedness and left/right are kept.
_TO_Y_UP: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    "+Y": ((0, 1), (1, 1), (2, 1)),
    "-Y": ((0, 1), (1, -1), (2, -1)),
    "+Z": ((0, 1), (2, 1), (1, -1)),
    "-Z": ((0, 1), (2, -1), (1, 1)),
    "+X": ((1, -1), (0, 1), (2, 1)),
    "-X": ((1, 1), (0, -1), (2, 1)),
}
UP_AXES = tuple(_TO_Y_UP)

_PERSON_M = 1.7
# How far (in log size) a unit is held back: the rarer it is in real files, the better it has to fit.
_RARITY = {"m": 0.0, "cm": 0.0, "mm": 0.1, "in": 0.2, "ft": 0.4, "cmu": 0.25, "dm": 0.25}


def parse_unit(text: str) -> Unit:
    """The unit a person named: m, dm, cm, mm, in, ft, cmu, or a number of metres; ValueError otherwise."""
    for unit in UNITS:
        if text.strip().lower() == unit.name:
            return unit
    try:
        metres = float(text)
    except ValueError:
        metres = 0.0
    if not (np.isfinite(metres) and 1e-9 <= metres <= 1e9):
        names = ", ".join(unit.name for unit in UNITS)
        raise ValueError(f"{text!r} is not a unit: use {names} or a positive number of metres")
    return Unit(f"{metres:g} m", metres)


def parse_up(text: str) -> str:
    """The up axis a person named: y, z, x, or with a sign; ValueError otherwise."""
    axis = text.strip().upper()
    axis = axis if axis.startswith(("+", "-")) else "+" + axis
    if axis not in _TO_Y_UP:
        raise ValueError(f"{text!r} is not an axis: use x, y, z, -x, -y or -z")
    return axis


def to_y_up(vectors: Array, up: str) -> Array:
    """Vectors of a file with this up axis, in our axes. vectors : (..., 3). Exact."""
    if up == "+Y":
        return vectors
    return np.stack([sign * vectors[..., axis] for axis, sign in _TO_Y_UP[up]], axis=-1)


def from_y_up(vectors: Array, up: str) -> Array:
    """Our vectors in the axes of a file with this up axis: undoes `to_y_up`. vectors : (..., 3)."""
    if up == "+Y":
        return vectors
    result = np.empty_like(vectors)
    for ours, (axis, sign) in enumerate(_TO_Y_UP[up]):
        result[..., axis] = sign * vectors[..., ours]
    return result


def rotations_to_y_up(rotations: Array, up: str) -> Array:
    """The same rotations seen in our axes. rotations : (..., 4). Exact."""
    if up == "+Y":
        return rotations
    return np.concatenate([rotations[..., :1], to_y_up(rotations[..., 1:], up)], axis=-1)


def rotations_from_y_up(rotations: Array, up: str) -> Array:
    """Undoes `rotations_to_y_up`. rotations : (..., 4)."""
    if up == "+Y":
        return rotations
    return np.concatenate([rotations[..., :1], from_y_up(rotations[..., 1:], up)], axis=-1)


def guess_unit(stature: float, names: Sequence[str]) -> Unit:
    """The unit in which a body `stature` units tall is nearest to a person.

    Known units compete by distance in log size; rarer ones need to fit better, and CMU's is held
    back only where the joints do not carry that database's names.
    """
    if not (np.isfinite(stature) and stature > 0.0):
        return CENTIMETRE
    lowered = {name.lower() for name in names}
    from_cmu = {"lhipjoint", "rhipjoint"} <= lowered
    cost = {
        unit: abs(np.log(stature * unit.metres / _PERSON_M)) + (0.0 if unit is CMU and from_cmu else _RARITY[unit.name])
        for unit in UNITS
    }
    return min(UNITS, key=lambda unit: cost[unit])


def guess_up(upward: Array) -> str:
    """The file axis along which bodies stand. upward : (F, 3) directions from feet to head.

    The mean over the clip decides, so that a bow or a cartwheel does not; no clear answer gives +Y.
    """
    lengths = np.sqrt(np.sum(upward * upward, axis=-1, keepdims=True))
    usable = lengths[..., 0] > 0.0
    if not np.any(usable):
        return "+Y"
    mean = np.mean(upward[usable] / lengths[usable], axis=0)
    axis = int(np.argmax(np.abs(mean)))
    if abs(mean[axis]) < 0.3:
        return "+Y"
    return ("+" if mean[axis] > 0 else "-") + "XYZ"[axis]
