"""Bodies higher above the floor."""

from motionwright.editor.stack.contributions import CoreFeature, Verb, commands_in


def _edits():
    from .edit import Raise

    return (Raise,)


def _commands():
    from . import commands

    return commands_in(commands)


def _verb():
    from . import verb

    return verb


RAISING = CoreFeature(
    "raising",
    edits=_edits,
    commands=_commands,
    verbs=(Verb("raise", "put a motion higher above the floor", _verb),),
    needs=("clips",),
)
