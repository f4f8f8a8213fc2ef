"""Styles from clips: each clip's loop, at one rate and on the body of the first."""

from dataclasses import replace

import numpy as np

from editor.retarget.carry import retargeted
from editor.retarget.character import character_of
from editor.walking.candidates import ranked
from editor.walking.loops import make_loop
from editor.walking.straight import prepared, with_fixed_limbs
from editor.walking.timeline import Style
from model.clip import Take
from model.skeleton import Skeleton

# Bodies whose bones differ by less than this are the same.
_SAME_BONE_M = 1e-4


def style_of(take: Take, first: Take, choice: int = 0) -> Style:
    """The style of a take, of the body and rate of the first one's of a walk.

    choice : which of its loops it shows, 0 the best. Raises NoLoopError saying why it has none.
    """
    ready = prepared(_on_body_of(take, first), first.motion.fps)
    candidates = ranked(ready)
    return Style.of(make_loop(ready, candidates[min(choice, len(candidates) - 1)]), candidates)


def _on_body_of(take: Take, first: Take) -> Take:
    """A take on the body of another."""
    if take is first:
        return take
    own, theirs = with_fixed_limbs(first.motion), with_fixed_limbs(take.motion)
    if _same(own.skeleton, theirs.skeleton):
        return take
    body = character_of("the first style", own, first.contacts)
    carried = retargeted(take.motion, take.contacts, body)
    return Take(replace(carried, skeleton=own.skeleton, local_offsets=own.local_offsets), take.contacts)


def _same(one: Skeleton, other: Skeleton) -> bool:
    """Whether two bodies are one."""
    alike = one.names == other.names and one.parents == other.parents
    return alike and float(np.max(np.abs(one.offsets[1:] - other.offsets[1:]), initial=0.0)) < _SAME_BONE_M
