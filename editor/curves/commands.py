"""Commands on the keys of a clip's curves."""

from dataclasses import replace

from editor.curves.edit import Curve, CurveKeys
from editor.stack.command import command
from editor.stack.layers import add_edit, change_edit
from model.project import Project


@command(lambda project, clip, curves, layer=None, what="Change keys": what)
def set_curves(
    project: Project, clip: str, curves: tuple[Curve, ...], layer: str | None = None, what: str = "Change keys"
) -> Project:
    """Put curves on channels of a clip, in the place of those that are there; a curve without keys takes them away.

    layer : the edit that holds them; without one the clip's topmost edit where that is of curve keys, else a new one.
    what : the sentence for the Undo menu.
    """
    present = project.clip(clip)
    if layer is None and present.layers and isinstance(present.layers[-1].edit, CurveKeys):
        layer = present.layers[-1].id
    edit = CurveKeys() if layer is None else present.layer(layer).edit
    if not isinstance(edit, CurveKeys):
        raise ValueError(f"layer {layer!r} holds no curve keys")
    given = {curve.channel: curve for curve in curves}
    kept = (given.pop(curve.channel, curve) for curve in edit.curves)
    changed = replace(edit, curves=tuple(curve for curve in (*kept, *given.values()) if len(curve.keys)))
    if layer is not None:
        return change_edit(project, clip, layer, changed)
    return add_edit(project, clip, changed) if changed.curves else project
