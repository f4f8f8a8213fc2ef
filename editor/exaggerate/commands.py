"""Commands on exaggerations."""

from editor.exaggerate.edit import Exaggerate
from editor.posing.edit import TargetPose, TargetPoses
from editor.stack.command import command
from editor.stack.layers import change_edit
from model.project import Project


@command(lambda project, clip, layer, poses: f"Make {len(poses)} target poses of exaggerate")
def exaggerate_by_poses(project: Project, clip: str, layer: str, poses: tuple[TargetPose, ...]) -> Project:
    """Put target poses in the place of an exaggeration, to be refined by hand; `Exaggerate.as_poses` makes them."""
    if not isinstance(project.clip(clip).layer(layer).edit, Exaggerate):
        raise ValueError(f"the edit {layer!r} exaggerates nothing")
    if not poses:
        raise ValueError("poses: there are none, and nothing would be left of the exaggeration")
    return change_edit(project, clip, layer, TargetPoses(poses, grounded=True))
