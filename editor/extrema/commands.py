"""Commands on the extreme poses of a clip. Times are of the clip's source.

Each is a correction in the edit that says which poses are extreme: of several the one that is named, or the last,
which decides. Where there is none, a new one is put at the bottom, where the source's own time runs. Its settings are
changed by `change_edit`.
"""

from dataclasses import replace

from editor.extrema.correct import ExtremeCorrection, What, with_correction, without_pin
from editor.extrema.edit import ExtremePoses
from editor.stack.command import command
from editor.stack.layers import add_edit, change_edit, switch_edit
from editor.stack.sentences import moment
from model.clip import Layer
from model.project import Project


@command(lambda project, clip, time_s, layer=None: f"Add extreme pose at {moment(project, clip, time_s)}")
def add_extreme(project: Project, clip: str, time_s: float, layer: str | None = None) -> Project:
    """Say that a pose is extreme."""
    return _corrected(project, clip, layer, ExtremeCorrection(What.ADDED, time_s))


@command(lambda project, clip, time_s, to_s, layer=None: f"Move extreme pose to {moment(project, clip, to_s)}")
def move_extreme(project: Project, clip: str, time_s: float, to_s: float, layer: str | None = None) -> Project:
    """Put the extreme at a moment to another one."""
    if time_s == to_s:
        return project
    return _corrected(project, clip, layer, ExtremeCorrection(What.MOVED, time_s, to_s))


@command(lambda project, clip, time_s, layer=None: f"Remove extreme pose at {moment(project, clip, time_s)}")
def remove_extreme(project: Project, clip: str, time_s: float, layer: str | None = None) -> Project:
    """Say that a pose is not extreme."""
    return _corrected(project, clip, layer, ExtremeCorrection(What.DELETED, time_s))


@command(
    lambda project, clip, time_s, pinned=True, layer=None: (
        f"{'Pin' if pinned else 'Unpin'} extreme pose at {moment(project, clip, time_s)}"
    )
)
def pin_extreme(project: Project, clip: str, time_s: float, pinned: bool = True, layer: str | None = None) -> Project:
    """Keep the extreme at a moment however few are wanted, or no longer."""
    if pinned:
        return _corrected(project, clip, layer, ExtremeCorrection(What.PINNED, time_s))
    found = extreme_layer(project, clip, layer)
    if found is None:
        return project
    edit = found.edit
    assert isinstance(edit, ExtremePoses)
    fewer = without_pin(edit.corrections, time_s, edit.tolerance_s)
    return change_edit(project, clip, found.id, replace(edit, corrections=fewer))


def extreme_layer(project: Project, clip: str, layer: str | None = None) -> Layer | None:
    """The clip's edit of this id that says which poses are extreme; else the one that decides, or None.

    That is the last of those that act; where none does, the last.
    """
    layers = [one for one in project.clip(clip).layers if isinstance(one.edit, ExtremePoses)]
    return max(layers, key=lambda one: (one.id == layer, one.acts, layers.index(one)), default=None)


def _corrected(project: Project, clip: str, layer: str | None, correction: ExtremeCorrection) -> Project:
    found = extreme_layer(project, clip, layer)
    if found is None or found.scope.is_nothing:  # a correction that nobody sees would be lost
        return add_edit(project, clip, ExtremePoses(corrections=(correction,)), place=0)
    assert isinstance(found.edit, ExtremePoses)
    edit = replace(found.edit, corrections=with_correction(found.edit.corrections, correction))
    return switch_edit(change_edit(project, clip, found.id, edit), clip, found.id, on=True)
