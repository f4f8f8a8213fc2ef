"""The edit that puts a clip on another body."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.retarget.carry import Plan, retargeted
from editor.retarget.character import built_in
from editor.retarget.mapping import Pair, unmoved
from model.arrays import Array
from model.character import Character
from model.clip import Context, Edit, Take, setting
from model.placing import pelvis_positions

_MOST_NAMES = 6


@dataclass(frozen=True)
class Retarget(Edit):
    """Puts the motion on another body. Steps become longer or shorter with its legs, and planted feet stay planted.

    It has no half strength: it is done, or at strength 0 not.
    """

    kind: ClassVar[str] = "retarget"
    title: ClassVar[str] = "Retarget"
    group: ClassVar[str] = "Body"
    reach: ClassVar[str] = "whole"

    to: Character = setting(built_in("average"), "Character", tip="The body that the motion is put on.")
    mapping: tuple[Pair, ...] = setting(
        (), "Mapping", tip="Joints that follow others than their roles and names say: each with the one it follows."
    )
    time_s: float = setting(0.0, "Stay where it is at", "s", tip="The moment at whose place the body stays.")

    def apply(self, take: Take, context: Context) -> Take:
        if context.strength == 0.0 or (self.to.is_body_of(take.motion) and not self.mapping):
            return take
        plan = Plan.of(take.motion, self.to, self.mapping, take.contacts)
        for pair in self.mapping:
            if self.to.skeleton.resolve(pair.target) is None:
                context.note(f"{self.to.name} has no {pair.target.name}: what the mapping says of it has no effect.")
            elif pair.source is not None and take.motion.skeleton.resolve(pair.source) is None:
                context.note(f"This body has no {pair.source.name}: what the mapping says of it has no effect.")
        alone = unmoved(self.to.skeleton, plan.follows)
        if alone:
            context.note(f"Nothing moves {_listed([self.to.skeleton.names[joint] for joint in alone])}.")
        motion = retargeted(take.motion, take.contacts, self.to, pivot=self._pivot(take, context), plan=plan)
        return replace(take, motion=motion)

    def _pivot(self, take: Take, context: Context) -> Array:
        """(3,) where the body is at the moment of the source at which it stays, or at the nearest that the take has."""
        if not take.motion.frames:
            return np.zeros(3)
        path = pelvis_positions(take.motion)
        at = float(np.clip(context.to_stage(self.time_s) / take.motion.frame_time_s, 0.0, take.motion.frames - 1.0))
        below = int(at)
        above = min(below + 1, take.motion.frames - 1)
        return np.asarray(path[below] + (at - below) * (path[above] - path[below]))


def _listed(names: list[str]) -> str:
    """Names in a row, of many the first."""
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
