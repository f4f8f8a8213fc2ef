"""Keys on channels of joints."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.curves.edit import CurveKeys

    return (CurveKeys,)


def _commands() -> "tuple[Command, ...]":
    from editor.curves import commands

    return commands_in(commands)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.curves.channels import Channel
    from editor.curves.edit import Curve
    from editor.curves.keys import Key, Keys

    return Channel, Curve, Key, Keys


CURVES = CoreFeature("curves", edits=_edits, commands=_commands, values=_values)
