"""Commands that put clips on other bodies, say which joint follows which, and keep characters."""

from dataclasses import replace

from editor.retarget.edit import Retarget
from editor.retarget.mapping import Pair, corrected
from editor.stack.command import command
from editor.stack.layers import add_edit, change_edit
from model.character import Character
from model.project import Project
from model.skeleton import JointRef


@command(
    lambda project, clip, character, layer=None, keep=False: f"Retarget {project.clip(clip).name} to {character.name}"
)
def retarget_to(
    project: Project, clip: str, character: Character, layer: str | None = None, keep: bool = False
) -> Project:
    """Put a clip on a character: by an edit that is there, else by a new one on top of the others.

    Of what was said of single joints, what the character has no joint for is dropped. keep : keep the character in the
    project, too.
    """
    if keep:
        project = add_character(project, character)
    if layer is None:
        return add_edit(project, clip, Retarget(character))
    edit = _edit(project, clip, layer)
    kept = tuple(pair for pair in edit.mapping if character.skeleton.resolve(pair.target) is not None)
    return change_edit(project, clip, layer, replace(edit, to=character, mapping=kept))


@command(
    lambda project, clip, layer, joint, follows: (
        f"Let {joint.name} follow {'nothing' if follows is None else follows.name}"
    )
)
def set_follows(project: Project, clip: str, layer: str, joint: JointRef, follows: JointRef | None) -> Project:
    """Say which joint of the clip a joint of the character follows; None for none."""
    edit = _edit(project, clip, layer)
    pair = Pair(joint, follows)
    if pair in edit.mapping:
        return project
    return change_edit(project, clip, layer, replace(edit, mapping=corrected(edit.mapping, pair)))


@command(
    lambda project, clip, layer, joints=(): (
        f"Guess what {joints[0].name} follows" if len(joints) == 1 else "Guess which joint follows which"
    )
)
def guess_follows(project: Project, clip: str, layer: str, joints: tuple[JointRef, ...] = ()) -> Project:
    """Forget what was said of some joints of the character, or of all, so that what they follow is guessed again."""
    edit = _edit(project, clip, layer)
    kept = tuple(pair for pair in edit.mapping if joints and pair.target not in joints)
    return change_edit(project, clip, layer, replace(edit, mapping=kept))


@command(lambda project, character: f"Keep character {character.name}")
def add_character(project: Project, character: Character) -> Project:
    """Keep a character in the project, in the place of one of the same name."""
    if character in project.characters:
        return project
    others = tuple(one for one in project.characters if one.name != character.name)
    return replace(project, characters=(*others, character))


@command(lambda project, name: f"Remove character {name}")
def remove_character(project: Project, name: str) -> Project:
    """Keep a character no longer. Clips that are on its body stay so."""
    kept = tuple(one for one in project.characters if one.name != name)
    if len(kept) == len(project.characters):
        raise ValueError(f"there is no character {name!r}")
    return replace(project, characters=kept)


def _edit(project: Project, clip: str, layer: str) -> Retarget:
    edit = project.clip(clip).layer(layer).edit
    if not isinstance(edit, Retarget):
        raise ValueError(f"edit {layer!r} does not put the clip on another body")
    return edit
