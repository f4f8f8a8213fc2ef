"""Commands on how high bodies are."""

from motionwright.editor.stack.command import command
from motionwright.editor.stack.layers import add_edit
from motionwright.model.project import Project

from .edit import Raise


@command(lambda project, clip, by_m: f"Raise {project.clip(clip).name} by {by_m:g} m")
def raise_clip(project: Project, clip: str, by_m: float) -> Project:
    """Put a clip higher above the floor."""
    return add_edit(project, clip, Raise(by_m))
