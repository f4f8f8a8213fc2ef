"""Edits of a clip on its ground: a level floor, feet that stand, contacts set right by hand."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.contacts.correct import Correction, correct
from editor.contacts.level import How, level_floor, recommend_levelling
from editor.contacts.plant import clean_feet
from model.clip import Context, Edit, Take, setting
from model.scope import blended_motion

# Less than this is rounding.
_EXACT_M = 1e-9


@dataclass(frozen=True)
class LevelFloor(Edit):
    """Puts a clip on level ground at a height. Strength is the share of the way there."""

    kind: ClassVar[str] = "level_floor"
    title: ClassVar[str] = "Level floor"
    group: ClassVar[str] = "Ground"
    reach: ClassVar[str] = "whole"

    how: str = setting(
        "automatic", "Take out", choices=("automatic", *(how.value for how in How)),
        tip="What is wrong with the floor: its height alone, a drift over time, a tilt in space, both, or what fits.",
    )  # fmt: skip
    ground_m: float = setting(0.0, "Ground", "m", tip="The height that the floor gets.")

    def apply(self, take: Take, context: Context) -> Take:
        if context.strength == 0.0 or take.motion.frames == 0:
            return take
        levelled = level_floor(take.motion, take.contacts, self._way(take, context), self.ground_m)
        before, after = take.motion, levelled.motion
        moved_m = float(np.max(np.abs(after.world.positions - before.world.positions)))
        if moved_m < _EXACT_M and abs(self.ground_m - take.contacts.ground_m) < _EXACT_M:
            return take
        ground_m = self.ground_m
        if context.strength < 1.0:
            weights = np.full(before.frames, context.strength)
            after = blended_motion(before, after, weights, np.ones(len(before.skeleton), dtype=bool))
            ground_m = take.contacts.ground_m + context.strength * (ground_m - take.contacts.ground_m)
        return Take(after, replace(take.contacts, ground_m=ground_m))

    def _way(self, take: Take, context: Context) -> How:
        if self.how != "automatic":
            return How(self.how)
        recommended = recommend_levelling(take.motion, take.contacts)
        context.note(recommended.reason)
        return recommended.how


@dataclass(frozen=True)
class FootCleanUp(Edit):
    """Keeps feet in their places as long as they stand on the ground, and out of it."""

    kind: ClassVar[str] = "foot_clean_up"
    title: ClassVar[str] = "Foot clean-up"
    group: ClassVar[str] = "Ground"

    def apply(self, take: Take, context: Context) -> Take:
        motion = clean_feet(take.motion, take.contacts)
        return take if motion is take.motion else Take(motion, take.contacts)


@dataclass(frozen=True)
class ContactCorrections(Edit):
    """Sets right when feet and hands touch the ground. It has no half strength: it is done, or at strength 0 not."""

    kind: ClassVar[str] = "contact_corrections"
    title: ClassVar[str] = "Contact corrections"
    group: ClassVar[str] = "Ground"
    reach: ClassVar[str] = "whole"

    corrections: tuple[Correction, ...] = setting(
        (),
        "Corrections",
        tip="Stretches of time in which a limb touches the ground or does not, each over those before.",
    )

    def moments_s(self) -> tuple[float, ...]:
        return tuple(one.start_s for one in self.corrections)

    def apply(self, take: Take, context: Context) -> Take:
        if context.strength == 0.0 or not self.corrections:
            return take
        here = [
            replace(one, start_s=float(context.to_stage(one.start_s)), stop_s=float(context.to_stage(one.stop_s)))
            for one in self.corrections
        ]
        contacts = correct(take.contacts, here, take.motion.frame_time_s)
        changed = any(contacts.limbs[limb] != take.contacts.limbs.get(limb, ()) for limb in contacts.limbs)
        return Take(take.motion, contacts) if changed else take
