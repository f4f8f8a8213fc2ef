"""What stands on the floor."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command


def _commands() -> "tuple[Command, ...]":
    from editor.ground import commands

    return commands_in(commands)


GROUND = CoreFeature("ground", commands=_commands)
