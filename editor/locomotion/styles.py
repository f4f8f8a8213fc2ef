"""Styles from clips: each clip's loop, at one rate and on the body of the first."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from editor.locomotion.loops import NoLoopError, make_loop, ranked
from editor.locomotion.straight import prepared, with_fixed_limbs
from editor.locomotion.timeline import Style
from editor.retarget.carry import retargeted
from editor.retarget.character import character_of
from model.clip import Take
from model.motion import Motion

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
        known[choice] = Style.of(name, loop)
    return known[choice]


def _on_body_of(take: Take, first: Take) -> Take:
    """A take on the body of another."""
    if take is first:
        return take
    body = character_of("the first style", with_fixed_limbs(first.motion), first.contacts)
    if body.is_body_of(with_fixed_limbs(take.motion)):
        return take
    return Take(_like(retargeted(take.motion, take.contacts, body), first.motion), take.contacts)


def _like(motion: Motion, first: Motion) -> Motion:
    """The motion with the very skeleton of another, which is that of its body."""
    from dataclasses import replace

    return replace(motion, skeleton=first.skeleton, local_offsets=with_fixed_limbs(first).local_offsets)
