"""Staggered poses."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit, Source


def _edits() -> "tuple[type[Edit], ...]":
    from editor.stagger.edit import Stagger

    return (Stagger,)


def _sources() -> "tuple[type[Source], ...]":
    from editor.stagger.source import StaggeredPosesSource

    return (StaggeredPosesSource,)


def _commands() -> "tuple[Command, ...]":
    from editor.stagger import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.stagger.by_hand import Round, StaggerChange
    from editor.stagger.source import StaggeredPose

    return Round, StaggerChange, StaggeredPose


def _verb() -> VerbModule:
    from editor.stagger import verb

    return verb


STAGGER = CoreFeature(
    "stagger",
    edits=_edits,
    sources=_sources,
    commands=_commands,
    values=_values,
    verbs=(
        Verb("stagger", "delay parts of the body against each other, around poses found in the clip", _verb, place=90),
    ),
    needs=("extrema",),
)
