"""Clips on other bodies."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.retarget.edit import Retarget

    return (Retarget,)


def _commands() -> "tuple[Command, ...]":
    from editor.retarget import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.retarget.character import built_in
    from editor.retarget.mapping import Pair
    from model.character import Character, CharacterJoint

    return built_in, Pair, Character, CharacterJoint


def _verb() -> VerbModule:
    from editor.retarget import verb

    return verb


RETARGET = CoreFeature(
    "retarget",
    edits=_edits,
    commands=_commands,
    values=_values,
    verbs=(Verb("retarget", "put the motion on another body", _verb, place=110),),
)
