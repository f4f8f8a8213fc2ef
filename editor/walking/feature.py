"""Walks along a path."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Source


def _sources() -> "tuple[type[Source], ...]":
    from editor.walking.source import WalkAlongPath

    return (WalkAlongPath,)


def _commands() -> "tuple[Command, ...]":
    from editor.walking import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.walking.source import StyleBand
    from model.path import Path, PathPoint

    return StyleBand, Path, PathPoint


def _loop() -> VerbModule:
    from editor.walking import loop_verb

    return loop_verb


def _walk() -> VerbModule:
    from editor.walking import walk_verb

    return walk_verb


WALKING = CoreFeature(
    "walking",
    sources=_sources,
    commands=_commands,
    values=_values,
    verbs=(
        Verb("loop", "find the part of a walk or run that plays over and over", _loop, place=120),
        Verb("walk", "walk along a path in the styles of clips that go straight", _walk, place=130),
    ),
    needs=("ground",),
)
