"""Edits of where a clip takes place: mirrored, moved and turned, in place."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.contacts import Contacts
from model.mirror import mirrored
from model.placing import headings_rad, pelvis_positions, shifted, turned
from model.scope import blended_contacts, blended_motion
from model.smoothing import smoothed

# Turns smaller than this are rounding.
_NO_TURN_RAD = 1e-12
_OTHER_SIDE = {"left": "right", "right": "left"}


def _at(values: Array, take: Take, context: Context, time_s: float) -> Array:
    """What values (F, ...) are at a moment of the source, or at the nearest that the take has."""
    moment = float(np.clip(context.to_stage(time_s) / take.motion.frame_time_s, 0.0, take.motion.frames - 1.0))
    below = int(moment)
    above = min(below + 1, take.motion.frames - 1)
    return np.asarray(values[below] + (moment - below) * (values[above] - values[below]))


def _heading_at(take: Take, context: Context, time_s: float) -> float:
    """Where the body faces at a moment of the source, radians about Y."""
    return float(_at(np.unwrap(headings_rad(take.motion)), take, context, time_s))


@dataclass(frozen=True)
class Mirror(Edit):
    """Exchanges left and right. At half strength the body is halfway between itself and its image: symmetrical."""

    kind: ClassVar[str] = "mirror"
    title: ClassVar[str] = "Mirror"
    group: ClassVar[str] = "Place"
    reach: ClassVar[str] = "whole"

    across: str = setting(
        "body", "Across", choices=("body", "x", "z"),
        tip="The mirror: upright through the body and the way it faces, or through the origin across the X or Z axis.",
    )  # fmt: skip
    time_s: float = setting(0.0, "At", "s", tip="The moment at which the body stands in the mirror.")

    def apply(self, take: Take, context: Context) -> Take:
        if context.strength == 0.0 or take.motion.frames == 0:
            return take
        normal, point = self._plane(take, context)
        motion, contacts = mirrored(take.motion, normal, point), _swapped(take.contacts)
        if context.strength < 1.0:
            weights = np.full(take.motion.frames, context.strength)
            motion = blended_motion(take.motion, motion, weights, np.ones(len(motion.skeleton), dtype=bool))
            contacts = blended_contacts(take.contacts, contacts, weights)
        return Take(motion, contacts)

    def _plane(self, take: Take, context: Context) -> tuple[Array, Array]:
        """The mirror's normal and a point of it, (3,) each."""
        if self.across == "x":
            return np.array([1.0, 0.0, 0.0]), np.zeros(3)
        if self.across == "z":
            return np.array([0.0, 0.0, 1.0]), np.zeros(3)
        heading = _heading_at(take, context, self.time_s)
        point = _at(pelvis_positions(take.motion), take, context, self.time_s)
        return np.array([math.cos(heading), 0.0, -math.sin(heading)]), point


def _swapped(contacts: Contacts) -> Contacts:
    """The contacts with those of left and right limbs exchanged."""

    def other(limb: str) -> str:
        side, _, part = limb.partition("_")
        return f"{_OTHER_SIDE.get(side, side)}_{part}"

    return replace(contacts, limbs={limb: contacts.limbs[other(limb)] for limb in map(other, contacts.limbs)})


@dataclass(frozen=True)
class Place(Edit):
    """Moves a clip in space and turns it about where its body is at a moment. Strength takes a share of both."""

    kind: ClassVar[str] = "place"
    title: ClassVar[str] = "Place"
    group: ClassVar[str] = "Place"
    reach: ClassVar[str] = "whole"

    move_x_m: float = setting(0.0, "Move X", "m", tip="How far to the left of a figure that faces along Z.")
    move_y_m: float = setting(0.0, "Move Y", "m", tip="How far up; the ground goes along.")
    move_z_m: float = setting(0.0, "Move Z", "m", tip="How far along Z.")
    turn_rad: float = setting(
        0.0, "Turn", "rad", tip="By how much the clip is turned about its pivot; left is positive."
    )
    face_rad: float | None = setting(
        None, "Face", "rad", tip="Where the body faces at the pivot's moment, before the turn; 0 is along Z."
    )
    time_s: float = setting(
        0.0, "Pivot at", "s", tip="The moment at which the body stands on the pivot and faces as asked."
    )

    def apply(self, take: Take, context: Context) -> Take:
        if take.motion.frames == 0:
            return take
        move = context.strength * np.array([self.move_x_m, self.move_y_m, self.move_z_m])
        turn_rad = context.strength * self._turn_rad(take, context)
        if not np.any(move) and turn_rad == 0.0:
            return take
        pivot = _at(pelvis_positions(take.motion), take, context, self.time_s)
        motion = turned(take.motion, turn_rad, pivot, move)
        return Take(motion, replace(take.contacts, ground_m=take.contacts.ground_m + float(move[1])))

    def _turn_rad(self, take: Take, context: Context) -> float:
        turn_rad = self.turn_rad
        if self.face_rad is not None:
            turn_rad += math.remainder(self.face_rad - _heading_at(take, context, self.time_s), 2.0 * math.pi)
        return turn_rad if abs(turn_rad) > _NO_TURN_RAD else 0.0


@dataclass(frozen=True)
class InPlace(Edit):
    """Takes the travel over the floor out of a clip, as on a treadmill. At half strength half of the way is left.

    Feet then slide over the ground, so the clip has no contacts afterwards.
    """

    kind: ClassVar[str] = "in_place"
    title: ClassVar[str] = "In place"
    group: ClassVar[str] = "Place"
    reach: ClassVar[str] = "whole"

    keep: str = setting(
        "sway", "Keep", choices=("sway", "nothing"),
        tip="What stays of the pelvis' movement over the floor: its sway about the path, or nothing.",
    )  # fmt: skip
    window_s: float = setting(
        2.0,
        "Sway within",
        "s",
        0.1,
        20.0,
        tip="Movement that takes longer than this is travel, what is quicker is sway.",
    )
    time_s: float = setting(0.0, "Stay where it is at", "s", tip="The moment at whose place the body stays.")

    def apply(self, take: Take, context: Context) -> Take:
        if take.motion.frames == 0:
            return take
        path = pelvis_positions(take.motion) * np.array([1.0, 0.0, 1.0])
        if self.keep == "sway":
            path = smoothed(path, self.window_s / take.motion.frame_time_s)
        shifts = context.strength * (_at(path, take, context, self.time_s) - path)
        if not np.any(shifts):
            return take
        contacts = take.contacts
        if any(contacts.limbs.values()):
            context.note("Contacts are dropped: in place, feet slide over the ground.")
            contacts = replace(contacts, limbs=dict.fromkeys(contacts.limbs, ()))
        return Take(shifted(take.motion, shifts), contacts)
