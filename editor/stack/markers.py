"""Commands on the markers of a clip. Times are of the clip's source."""

from collections.abc import Sequence
from dataclasses import replace

from editor.stack.command import command
from editor.stack.sentences import moment
from model.clip import Marker
from model.project import Project


def _called(project: Project, clip: str, marker: str) -> str:
    """ "marker" and its name, if it has one."""
    return f"marker {project.clip(clip).marker(marker).name}".rstrip()


@command(lambda project, clip, time_s, name="": f"Add marker at {moment(project, clip, time_s)}")
def add_marker(project: Project, clip: str, time_s: float, name: str = "") -> Project:
    """Mark a moment of a clip."""
    present = project.clip(clip)
    project, (new,) = project.new_ids()
    marker = Marker(new, time_s, _tidy(name))
    return project.with_clip(replace(present, markers=(*present.markers, marker)))


@command(
    lambda project, clip, marker, time_s: f"Move {_called(project, clip, marker)} to {moment(project, clip, time_s)}"
)
def move_marker(project: Project, clip: str, marker: str, time_s: float) -> Project:
    """Put a marker at another moment."""
    return _changed(project, clip, replace(project.clip(clip).marker(marker), time_s=time_s))


@command(
    lambda project, clip, marker, name: (
        f"Name marker {_tidy(name)}" if _tidy(name) else f"Remove the name of {_called(project, clip, marker)}"
    )
)
def rename_marker(project: Project, clip: str, marker: str, name: str) -> Project:
    """Give a marker another name, or none."""
    return _changed(project, clip, replace(project.clip(clip).marker(marker), name=_tidy(name)))


@command(lambda project, clip, markers: f"Remove {_all_called(project, clip, markers)}")
def remove_markers(project: Project, clip: str, markers: tuple[str, ...]) -> Project:
    """Remove markers from a clip."""
    present = project.clip(clip)
    gone = {present.marker(marker).id for marker in markers}
    if not gone:
        return project
    return project.with_clip(replace(present, markers=tuple(one for one in present.markers if one.id not in gone)))


def _all_called(project: Project, clip: str, markers: Sequence[str]) -> str:
    return _called(project, clip, markers[0]) if len(markers) == 1 else f"{len(markers)} markers"


def _changed(project: Project, clip: str, marker: Marker) -> Project:
    """The project with a marker in the place of the one of the same id."""
    present = project.clip(clip)
    if present.marker(marker.id) == marker:
        return project
    return project.with_clip(
        replace(present, markers=tuple(marker if one.id == marker.id else one for one in present.markers))
    )


def _tidy(name: str) -> str:
    return " ".join(name.split())
