"""Feet on slopes: a foot in contact tilts with the ground under it, and between contacts from one slope to the next."""

from dataclasses import replace

import numpy as np

from editor.posing.grounded.curves import Complex
from editor.posing.grounded.footing import Footing, Sole, heights_at
from model.arrays import Array
from model.ground import Ground
from model.rotation import from_rotation_vector, rotate

# How far before, behind and beside its middle the ground under a foot is looked at; where it is bent by more than that
# it is an edge, and steeper than that a wall: there the foot stays as it was.
_REACH_M, _ASIDE_M, _BENT_M, _STEEPEST = 0.09, 0.04, 0.006, 0.8
_LEVEL = 1e-6


def tilt_feet(footing: Footing, places: Complex, sole: Sole, ground: Ground, edited: Ground) -> Sole:
    """Set by how much a foot is tilted, and what that moves its ankle by in contact; give its sole so tilted.

    places : (F,) of the ankle in contact; ground : what it stood on; edited : what it stands on now. A contact is
    tilted as a whole about its toe, so that what rolls on the toe still does; in its middle the ankle stays.
    """
    frames = len(places)
    footing.tilts, footing.leans, footing.rises = np.zeros((0, 3)), np.zeros(frames, dtype=complex), np.zeros(frames)
    tilts = np.zeros(frames, dtype=np.complex128)
    turns = np.where(footing.mask, footing.contact_turns, footing.turns)
    for contact in footing.contacts:
        frame = (contact.start + contact.stop) // 2
        tip = complex(sole.reach[frame, min(2, sole.reach.shape[1] - 1)])
        size, turn = abs(tip), complex(np.exp(1j * turns[frame]))
        if size < _LEVEL:
            continue
        now = _slope(edited, places[frame], tip / size * turn, 0.5 * size)
        was = _slope(ground, footing.original[frame], tip / size, 0.5 * size)
        tilt = 0.0 if now is None or was is None else _as_turn(now) - _as_turn(was * turn)
        if abs(tilt) > _LEVEL:
            part = slice(contact.start, contact.stop)
            tilts[part] = tilt
            footing.leans[part], footing.rises[part] = _leaning(footing, sole, part, frame, turn, tilt)
    if not np.any(tilts):
        return sole
    footing.tilts = _vectors(footing.gaps.bridged(tilts, 0.0))
    return _tilted(sole, footing.tilts, turns, footing.rises)


def _leaning(
    footing: Footing, sole: Sole, part: slice, frame: int, turn: complex, tilt: complex
) -> tuple[Complex, Array]:
    """What a tilt about the toe moves the ankle by in the frames of a contact, (N,) along the floor and (N,) up, as
    against its middle frame.
    """
    toe = min(1, sole.reach.shape[1] - 1)
    pivot = footing.original[frame] + sole.reach[frame, toe]
    height = footing.original_heights[frame] + sole.heights[frame, toe]
    away, above = turn * (footing.original[part] - pivot), footing.original_heights[part] - height
    points = np.stack([away.imag, above, away.real], axis=-1)
    by = rotate(from_rotation_vector(_vectors(np.array([tilt]))), points) - points
    by = by - by[frame - part.start]
    return by[:, 2] + 1j * by[:, 0], by[:, 1]


def _vectors(tilts: Complex) -> Array:
    """(N, 3) rotation vectors that tip what is upright by angles toward z + i x (N,), against them."""
    return np.stack([-tilts.real, np.zeros(len(tilts)), tilts.imag], axis=-1)


def _slope(ground: Ground, ankle: complex, ahead: complex, middle_m: float) -> complex | None:
    """How the ground rises under a foot, toward z + i x; None where it is no plane there."""
    offsets = np.array([0.0, _REACH_M, -_REACH_M, 1j * _ASIDE_M, -1j * _ASIDE_M])
    looked_at = np.asarray(ankle + ahead * (middle_m + offsets), dtype=np.complex128)
    level, front, back, left, right = heights_at(ground, looked_at).tolist()
    bent = max(abs(front + back - 2.0 * level), abs(left + right - 2.0 * level))
    slope = ahead * complex((front - back) / (2.0 * _REACH_M), (left - right) / (2.0 * _ASIDE_M))
    return slope if bent < _BENT_M and abs(slope) < _STEEPEST else None


def _as_turn(slope: complex) -> complex:
    """The same direction, as long as the angle."""
    steep = abs(slope)
    return slope * float(np.arctan(steep)) / steep if steep > _LEVEL else 0.0


def _tilted(sole: Sole, tilts: Array, turns: Array, rises: Array) -> Sole:
    """A sole turned by rotation vectors (F, 3) about the ankle, after the foot's own turns (F,) about Y.

    rises : (F,) what the ankle goes up by itself. What a point must be lifted by is told from where it was above the
    ground: it has come nearer to it by what it sank.
    """
    along = np.exp(1j * turns)[:, None] * sole.reach
    points = np.stack([along.imag, sole.heights, along.real], axis=-1)
    points = rotate(from_rotation_vector(tilts)[:, None], points)
    reach = np.exp(-1j * turns)[:, None] * (points[..., 2] + 1j * points[..., 0])
    heights = points[..., 1]
    grounds = sole.grounds + heights - sole.heights + rises[:, None]
    return replace(sole, reach=np.asarray(reach, dtype=np.complex128), heights=heights, grounds=grounds)
