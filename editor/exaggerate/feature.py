"""Exaggeration."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.exaggerate.edit import Exaggerate

    return (Exaggerate,)


def _commands() -> "tuple[Command, ...]":
    from editor.exaggerate import commands

    return commands_in(commands)


def _verb() -> VerbModule:
    from editor.exaggerate import verb

    return verb


EXAGGERATE = CoreFeature(
    "exaggerate",
    edits=_edits,
    commands=_commands,
    verbs=(
        Verb(
            "exaggerate",
            "make a motion larger or more subtle: move its extreme poses apart or together",
            _verb,
            place=100,
        ),
    ),
    needs=("curves", "posing"),
)
