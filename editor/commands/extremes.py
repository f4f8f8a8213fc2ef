"""Commands on the extreme poses of a clip. Times are of the clip's source.

Each is a correction in the clip's first edit that says which poses are extreme; where there is none, a new one is put
at the bottom, where the source's own time runs. Its settings are changed by `change_edit`.
"""

from dataclasses import replace

from editor.commands.command import command
from editor.commands.layers import add_edit, change_edit, switch_edit
from editor.edits.extremes import ExtremePoses
from editor.extrema.correct import ExtremeCorrection, What, with_correction, without_pin
from model.clip import Layer
from model.project import Project


@command(lambda project, clip, time_s: f"Add extreme pose at {time_s:.2f} s")
def add_extreme(project: Project, clip: str, time_s: float) -> Project:
    """Say that a pose is extreme."""
    return _corrected(project, clip, ExtremeCorrection(What.ADDED, time_s))


@command(lambda project, clip, time_s, to_s: f"Move extreme pose to {to_s:.2f} s")
def move_extreme(project: Project, clip: str, time_s: float, to_s: float) -> Project:
    """Put the extreme at a moment to another one."""
    if time_s == to_s:
        return project
    return _corrected(project, clip, ExtremeCorrection(What.MOVED, time_s, to_s))


@command(lambda project, clip, time_s: f"Remove extreme pose at {time_s:.2f} s")
def remove_extreme(project: Project, clip: str, time_s: float) -> Project:
    """Say that a pose is not extreme."""
    return _corrected(project, clip, ExtremeCorrection(What.DELETED, time_s))


@command(lambda project, clip, time_s, pinned=True: f"{'Pin' if pinned else 'Unpin'} extreme pose at {time_s:.2f} s")
def pin_extreme(project: Project, clip: str, time_s: float, pinned: bool = True) -> Project:
    """Keep the extreme at a moment however few are wanted, or no longer."""
    if pinned:
        return _corrected(project, clip, ExtremeCorrection(What.PINNED, time_s))
    layer = extreme_layer(project, clip)
    if layer is None:
        return project
    edit = layer.edit
    assert isinstance(edit, ExtremePoses)
    fewer = without_pin(edit.corrections, time_s, edit.tolerance_s)
    return change_edit(project, clip, layer.id, replace(edit, corrections=fewer))


def extreme_layer(project: Project, clip: str) -> Layer | None:
    """The clip's first edit that says which poses are extreme, or None."""
    layers = (layer for layer in project.clip(clip).layers if isinstance(layer.edit, ExtremePoses))
    return next(layers, None)


def _corrected(project: Project, clip: str, correction: ExtremeCorrection) -> Project:
    layer = extreme_layer(project, clip)
    if layer is None:
        return add_edit(project, clip, ExtremePoses(corrections=(correction,)), place=0)
    assert isinstance(layer.edit, ExtremePoses)
    edit = replace(layer.edit, corrections=with_correction(layer.edit.corrections, correction))
    return switch_edit(change_edit(project, clip, layer.id, edit), clip, layer.id, on=True)
