"""Clips of files and sequences of clips."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Source


def _sources() -> "tuple[type[Source], ...]":
    from editor.clips.imported import ImportedFile
    from editor.clips.sequence import Sequence

    return ImportedFile, Sequence


def _commands() -> "tuple[Command, ...]":
    from editor.clips import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.clips.imported import import_file, with_roles
    from editor.clips.sequence import Part

    return import_file, with_roles, Part


def _info() -> VerbModule:
    from editor.clips import info_verb

    return info_verb


def _convert() -> VerbModule:
    from editor.clips import convert_verb

    return convert_verb


CLIPS = CoreFeature(
    "clips",
    sources=_sources,
    commands=_commands,
    values=_values,
    verbs=(
        Verb("info", "tell frames, rate, joints or points, roles, unit, axes and problems of a file", _info, place=10),
        Verb("convert", "write a motion in another format, rate or unit", _convert, place=20),
    ),
)
