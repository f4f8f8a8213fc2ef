"""Exaggeration."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.exaggerate.edit import Exaggerate

    return (Exaggerate,)


def _commands() -> "tuple[Command, ...]":
    from editor.exaggerate import commands

    return commands_in(commands)


EXAGGERATE = CoreFeature(
    "exaggerate",
    edits=_edits,
    commands=_commands,
    needs=(
        "curves",
        "posing",
    ),
)
