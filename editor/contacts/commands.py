"""The command on contacts."""

from dataclasses import replace

from editor.contacts.correct import Correction
from editor.contacts.edit import ContactCorrections
from editor.stack.command import command
from editor.stack.layers import add_edit, change_edit, switch_edit
from model.project import Project


@command(lambda project, clip, corrections: "Correct contacts" if len(corrections) > 1 else "Correct contact")
def correct_contacts(project: Project, clip: str, corrections: tuple[Correction, ...]) -> Project:
    """Say when limbs touch the ground: added to the clip's first edit that does, or to a new one at the bottom."""
    if not corrections:
        return project
    for layer in project.clip(clip).layers:
        if isinstance(layer.edit, ContactCorrections):
            more = replace(layer.edit, corrections=(*layer.edit.corrections, *corrections))
            return switch_edit(change_edit(project, clip, layer.id, more), clip, layer.id, on=True)
    return add_edit(project, clip, ContactCorrections(corrections), place=0)
