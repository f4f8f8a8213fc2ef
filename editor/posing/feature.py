"""Target poses, and steps onto objects."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, Verb, VerbModule, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.posing.adapt_to_ground import AdaptToGround
    from editor.posing.edit import TargetPoses

    return TargetPoses, AdaptToGround


def _commands() -> "tuple[Command, ...]":
    from editor.posing import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.posing.edit import TargetPose

    return (TargetPose,)


def _verb() -> VerbModule:
    from editor.posing import verb

    return verb


POSING = CoreFeature(
    "posing",
    edits=_edits,
    commands=_commands,
    values=_values,
    verbs=(
        Verb("pose", "bring the body into target poses; the motion follows, feet stay on the ground", _verb, place=80),
    ),
)
