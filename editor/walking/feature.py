"""Walks along a path."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, commands_in

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


WALKING = CoreFeature("walking", sources=_sources, commands=_commands, values=_values, needs=("ground",))
