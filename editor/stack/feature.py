"""What is done to clips, edits and markers of any kind."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, commands_in

if TYPE_CHECKING:
    from editor.stack.command import Command


def _commands() -> "tuple[Command, ...]":
    from editor.stack import clips, layers, markers

    return commands_in(clips, layers, markers)


def _values() -> "tuple[Callable[..., Any], ...]":
    from model.files.problems import ReadOptions
    from model.ground import Box, Grid, Ground, Mesh, Ramp
    from model.roles import Role
    from model.scope import Scope
    from model.skeleton import JointRef
    from model.units import Unit

    return Box, Grid, Ground, Mesh, Ramp, Role, Scope, JointRef, ReadOptions, Unit


STACK = CoreFeature("stack", commands=_commands, values=_values)
