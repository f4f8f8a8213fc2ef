"""The edit that lets a clip step onto what stands on the ground."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.posing.grounded.adapting import ground_for
from editor.posing.grounded.asked import PoseChange
from editor.posing.grounded.solve import solve
from model.clip import Context, Edit, Take
from model.scope import blended_motion


@dataclass(frozen=True)
class AdaptToGround(Edit):
    """Lets the body step onto what stands on the project's ground. At half strength it goes half as high.

    The clip's own floor stays where it is; objects stand on it.
    """

    kind: ClassVar[str] = "adapt_to_ground"
    title: ClassVar[str] = "Adapt to ground"
    group: ClassVar[str] = "Ground"
    reach: ClassVar[str] = "whole"

    def uses_ground(self) -> bool:
        return True

    def apply(self, take: Take, context: Context) -> Take:
        if context.strength == 0.0 or take.motion.frames == 0:
            return take
        ground = ground_for(take, context.ground)
        if ground is None:
            context.note("Nothing stands on the ground near this clip's way.")
            return take
        solved = solve(take.motion, take.contacts, PoseChange(), take.ground, ground)
        motion = solved.motion
        if motion is take.motion:
            return take
        if context.strength < 1.0:
            weights, joints = np.full(motion.frames, context.strength), np.ones(len(motion.skeleton), dtype=bool)
            motion = blended_motion(take.motion, motion, weights, joints)
        return replace(take, motion=motion, contacts=solved.contacts, extremes=None, ground=ground)
