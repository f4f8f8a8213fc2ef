"""Commands on the ground that a project's clips go on, and on what stands there."""

from collections.abc import Sequence
from dataclasses import fields, replace

from editor.stack.command import command
from model.ground import Ground, GroundObject, ObjectName, kind_of, told_name
from model.project import Project

# What is said where only these fields of an object change.
_VERBS = (
    ({"center"}, "Move"),
    ({"start", "end"}, "Move"),
    ({"offset_m"}, "Move"),
    ({"origin"}, "Move"),
    ({"yaw_rad"}, "Turn"),
    ({"height_m"}, "Set the height of"),
    ({"heights_m"}, "Set the heights of"),
    ({"size_m", "center"}, "Resize"),
    ({"width_m"}, "Set the width of"),
    ({"rise_m"}, "Set the rise of"),
    ({"count"}, "Set the number of steps of"),
    ({"start", "yaw_rad"}, "Turn"),
    ({"start", "depth_m", "width_m"}, "Resize"),
)


@command(lambda project, ground, what="Change the ground": what)
def set_ground(project: Project, ground: Ground, what: str = "Change the ground") -> Project:
    """Put another ground under all clips. what : the sentence for the Undo menu."""
    if ground.height_m != 0.0:
        raise ValueError("ground: its floor must be at 0; every clip brings a floor of its own height")
    return _with(project, ground)


@command(lambda project, added: f"Add {'stairs' if kind_of(added) == 'stairs' else f'a {kind_of(added)}'}")
def add_ground_object(project: Project, added: GroundObject) -> Project:
    """Put an object on the ground."""
    return _with(project, project.ground.adding(added))


@command(lambda project, name, changed: f"{_verb(project.ground.object(name), changed)} {told_name(name)}")
def change_ground_object(project: Project, name: ObjectName, changed: GroundObject) -> Project:
    """Give an object on the ground another place, size or height. name : its kind, and its number among those."""
    return _with(project, project.ground.changing(name, changed))


@command(lambda project, names: f"Remove {_all_told(names)}")
def remove_ground_objects(project: Project, names: tuple[ObjectName, ...]) -> Project:
    """Take objects off the ground."""
    return _with(project, project.ground.without(names)) if names else project


def _with(project: Project, ground: Ground) -> Project:
    return project if ground == project.ground else replace(project, ground=ground)


def _verb(before: GroundObject, after: GroundObject) -> str:
    if type(before) is not type(after):
        return "Change"
    changed = {one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)}
    return next((verb for names, verb in _VERBS if changed <= names), "Change")


def _all_told(names: Sequence[ObjectName]) -> str:
    return told_name(names[0]) if len(names) == 1 else f"{len(names)} objects from the ground"
