"""Extreme poses."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.extrema.edit import ExtremePoses

    return (ExtremePoses,)


def _commands() -> "tuple[Command, ...]":
    from editor.extrema import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.extrema.correct import ExtremeCorrection, What

    return ExtremeCorrection, What


def _verb() -> VerbModule:
    from editor.extrema import verb

    return verb


EXTREMA = CoreFeature(
    "extrema",
    edits=_edits,
    commands=_commands,
    values=_values,
    verbs=(Verb("extrema", "find extreme poses and holds, or the extrema of one joint", _verb, place=40),),
)
