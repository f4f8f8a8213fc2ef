"""Commands on the edits of a clip."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from editor.stack import sentences
from editor.stack.command import command
from model.clip import Clip, Edit, Layer, Unknown
from model.project import Project
from model.scope import EVERYTHING, Scope


def title_of(edit: Edit | Unknown) -> str:
    """What the user reads for an edit."""
    return edit.kind if isinstance(edit, Unknown) else edit.title


def _title(project: Project, clip: str, layer: str) -> str:
    return title_of(project.clip(clip).layer(layer).edit).lower()


def _change(project: Project, clip: str, layer: str, edit: Edit) -> str:
    what, before = _title(project, clip, layer), project.clip(clip).layer(layer).edit
    at = partial(sentences.moment, project, clip)
    return sentences.set_settings(lambda label: f"{what} {label}", before, edit, at) or f"Change {what}"


@command(lambda project, clip, edit, place=None, scope=EVERYTHING: f"Add {title_of(edit).lower()}")
def add_edit(project: Project, clip: str, edit: Edit, place: int | None = None, scope: Scope = EVERYTHING) -> Project:
    """Put an edit on a clip: on top of the others, or at a place in the stack."""
    present = project.clip(clip)
    _check_used(project, clip, edit)
    project, (new,) = project.new_ids()
    layers = list(present.layers)
    layers.insert(len(layers) if place is None else min(max(place, 0), len(layers)), Layer(new, edit, scope=scope))
    return project.with_clip(replace(present, layers=tuple(layers)))


@command(lambda project, clip, layer, edit: _change(project, clip, layer, edit))
def change_edit(project: Project, clip: str, layer: str, edit: Edit) -> Project:
    """Give an edit other parameters."""
    _check_used(project, clip, edit)
    return _changed(project, clip, layer, lambda one: replace(one, edit=edit))


@command(
    lambda project, clip, layer, scope: sentences.set_scope(
        _title(project, clip, layer),
        project.clip(clip).layer(layer).scope,
        scope,
        partial(sentences.moment, project, clip),
    )
)
def set_scope(project: Project, clip: str, layer: str, scope: Scope) -> Project:
    """Set strength, joints and range of an edit."""
    return _changed(project, clip, layer, lambda one: replace(one, scope=scope))


@command(lambda project, clip, layer, on: f"Switch {_title(project, clip, layer)} {'on' if on else 'off'}")
def switch_edit(project: Project, clip: str, layer: str, on: bool) -> Project:
    """Switch an edit on or off."""
    return _changed(project, clip, layer, lambda one: replace(one, on=on))


@command(lambda project, clip, layer, place: f"Move {_title(project, clip, layer)}")
def move_edit(project: Project, clip: str, layer: str, place: int) -> Project:
    """Put an edit at another place in the stack, counted without it."""
    present = project.clip(clip)
    moved = present.layer(layer)
    others = [one for one in present.layers if one is not moved]
    place = min(max(place, 0), len(others))
    return _with_layers(project, present, (*others[:place], moved, *others[place:]))


@command(
    lambda project, clip, layers: (
        f"Remove {_title(project, clip, layers[0]) if len(layers) == 1 else f'{len(layers)} edits'}"
    )
)
def remove_edits(project: Project, clip: str, layers: tuple[str, ...]) -> Project:
    """Take edits off a clip."""
    present = project.clip(clip)
    gone = {present.layer(layer).id for layer in layers}
    return _with_layers(project, present, tuple(one for one in present.layers if one.id not in gone))


@command(
    lambda project, source, layers, target: (
        f"Copy {len(layers)} edits to {project.clip(target).name}"
        if len(layers) != 1
        else f"Copy {_title(project, source, layers[0])} to {project.clip(target).name}"
    )
)
def copy_edits(project: Project, source: str, layers: tuple[str, ...], target: str) -> Project:
    """Put copies of a clip's edits on top of another's, in their order. They find joints by role, then by name."""
    present = project.clip(source)
    copied = [one for one in present.layers if one.id in {present.layer(layer).id for layer in layers}]
    for one in copied:
        if isinstance(one.edit, Edit):
            _check_used(project, target, one.edit)
    if not copied:
        return project
    project, ids = project.new_ids(len(copied))
    onto = project.clip(target)
    copies = tuple(replace(one, id=id_) for one, id_ in zip(copied, ids, strict=True))
    return project.with_clip(replace(onto, layers=(*onto.layers, *copies)))


def _changed(project: Project, clip: str, layer: str, change: Callable[[Layer], Layer]) -> Project:
    present = project.clip(clip)
    place = present.place_of(layer)
    new = change(present.layers[place])
    return _with_layers(project, present, (*present.layers[:place], new, *present.layers[place + 1 :]))


def _with_layers(project: Project, clip: Clip, layers: tuple[Layer, ...]) -> Project:
    return project if layers == clip.layers else project.with_clip(replace(clip, layers=layers))


def _check_used(project: Project, clip: str, edit: Edit) -> None:
    """Raise ValueError where an edit looks at clips that are not there, or that are made of this one."""
    for used in edit.clips_used():
        project.clip(used)
        if used == clip or clip in project.depends_on(used):
            raise ValueError(f"{project.clip(used).name!r} is itself made of this clip")
