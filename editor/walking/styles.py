"""Styles from clips: each clip's loop, at one rate and on the body of the first."""

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from editor.retarget.carry import retargeted
from editor.retarget.character import character_of
from editor.walking.candidates import NoLoopError, ranked
from editor.walking.loops import make_loop
from editor.walking.straight import prepared, with_fixed_limbs
from editor.walking.timeline import Style
from model.clip import Take
from model.skeleton import Skeleton

# Bodies whose bones differ by less than this are the same.
_SAME_BONE_M = 1e-4
# Loops of takes, for the body and rate of a take. Takes never change: a path that is dragged asks for the same ones.
_KNOWN: WeakKeyDictionary[Take, WeakKeyDictionary[Take, dict[int, Style]]] = WeakKeyDictionary()


def styles_of(takes: Sequence[tuple[str, Take]], choices: Sequence[int] | None = None) -> tuple[Style, ...]:
    """The styles of clips, by name, all of the first one's body and rate.

    choices : which of its loops each clip shows, 0 the best. Raises NoLoopError naming the clip that has none.
    """
    first = takes[0][1]
    choices = choices or [0] * len(takes)
    return tuple(_style(name, take, first, choice) for (name, take), choice in zip(takes, choices, strict=True))


def _style(name: str, take: Take, first: Take, choice: int) -> Style:
    known = _KNOWN.setdefault(first, WeakKeyDictionary()).setdefault(take, {})
    if choice not in known:
        try:
            ready = prepared(_on_body_of(take, first), first.motion.fps)
            candidates = ranked(ready)
            loop = make_loop(ready, candidates[min(choice, len(candidates) - 1)])
        except NoLoopError as error:
            raise NoLoopError(f"{name} has no loop: {error}") from None
        known[choice] = Style.of(name, loop, candidates)
    return known[choice]


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
