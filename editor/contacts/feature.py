"""Level floors, corrected contacts and feet that stand."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.contacts.edit import ContactCorrections, FootCleanUp, LevelFloor

    return LevelFloor, ContactCorrections, FootCleanUp


def _commands() -> "tuple[Command, ...]":
    from editor.contacts import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.contacts.correct import Correction

    return (Correction,)


def _verb() -> VerbModule:
    from editor.contacts import verb

    return verb


CONTACTS = CoreFeature(
    "contacts",
    edits=_edits,
    commands=_commands,
    values=_values,
    verbs=(Verb("contacts", "find the frames in which feet and hands rest on the ground", _verb, place=50),),
)
