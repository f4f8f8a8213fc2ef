"""Commands on walks along a path: the path itself, the styles on it and where each begins."""

from dataclasses import replace
from pathlib import PurePath as FilePath

from editor.clips.imported import ImportedFile
from editor.stack.clips import add_clip, set_source
from editor.stack.command import command
from editor.walking.rounding import check_line
from editor.walking.source import StyleBand, WalkAlongPath
from editor.walking.track import Track
from model.path import Path
from model.project import Project


def _walk(project: Project, clip: str) -> WalkAlongPath:
    present = project.clip(clip)
    if not isinstance(present.source, WalkAlongPath):
        raise ValueError(f"{present.name!r} is no walk along a path")
    return present.source


def _style_name(project: Project, clip: str, number: int) -> str:
    styles = _walk(project, clip).styles
    if not 0 <= number < len(styles):
        raise ValueError(f"number is {number}; the walk has {len(styles)} styles")
    return project.clip(styles[number].clip_id).name


@command(lambda project, path, styles, name="Path walk": "Draw a path")
def draw_walk(
    project: Project, path: Path, styles: tuple[tuple[float, str | ImportedFile], ...], name: str = "Path walk"
) -> Project:
    """A new clip that walks along a path. styles : from how many metres on, whose way of going it takes: that of a
    clip, or of a file that becomes one.
    """
    check_line(path.line(), path.closed)
    bands = []
    for from_m, style in styles:
        if isinstance(style, ImportedFile):
            project = add_clip(project, style, FilePath(style.path).stem)
            style = project.clips[-1].id
        project.clip(style)
        bands.append(StyleBand(style, from_m))
    return add_clip(project, WalkAlongPath(path, tuple(bands)), name)


@command(lambda project, clip, path, what="Change the path": what)
def set_walk_path(project: Project, clip: str, path: Path, what: str = "Change the path") -> Project:
    """Walk along another path. what : the sentence for the Undo menu."""
    check_line(path.line(), path.closed)
    return set_source(project, clip, replace(_walk(project, clip), path=path))


@command(lambda project, clip, path: "Draw a path")
def redraw_walk(project: Project, clip: str, path: Path) -> Project:
    """Walk along a path that was drawn anew: styles and speeds keep their share of it."""
    check_line(path.line(), path.closed)
    walk = _walk(project, clip)
    share = Track.of(path).length_m / max(Track.of(walk.path).length_m, 1e-9)
    styles = tuple(replace(band, from_m=share * band.from_m) for band in walk.styles)
    speeds = tuple((share * at_m, factor) for at_m, factor in walk.speeds)
    return set_source(project, clip, replace(walk, path=path, styles=styles, speeds=speeds))


@command(lambda project, clip, style: f"Walk as {project.clip(style.clip_id).name} from {style.from_m:.2f} m")
def add_walk_style(project: Project, clip: str, style: StyleBand) -> Project:
    """Add a style to a walk, from where it says to where the next begins."""
    walk = _walk(project, clip)
    return set_source(project, clip, replace(walk, styles=(*walk.styles, style)))


@command(lambda project, clip, number, style: f"Change {_style_name(project, clip, number)} on the path")
def change_walk_style(project: Project, clip: str, number: int, style: StyleBand) -> Project:
    """Replace a style of a walk: by another clip, another of its loops, another length of its fade."""
    _style_name(project, clip, number)
    walk = _walk(project, clip)
    styles = (*walk.styles[:number], style, *walk.styles[number + 1 :])
    return set_source(project, clip, replace(walk, styles=styles))


@command(lambda project, clip, number, from_m: f"Move {_style_name(project, clip, number)} to {from_m:.2f} m")
def move_walk_style(project: Project, clip: str, number: int, from_m: float) -> Project:
    """Let a style begin elsewhere along the path. The first begins at the start."""
    _style_name(project, clip, number)
    if number == 0:
        raise ValueError("number is 0; the first style begins where the path does")
    walk = _walk(project, clip)
    return change_walk_style(project, clip, number, replace(walk.styles[number], from_m=max(from_m, 0.0)))


@command(lambda project, clip, number: f"Remove {_style_name(project, clip, number)} from the path")
def remove_walk_style(project: Project, clip: str, number: int) -> Project:
    """Take a style out of a walk; the one before it goes on."""
    _style_name(project, clip, number)
    walk = _walk(project, clip)
    if len(walk.styles) == 1:
        raise ValueError("the walk's only style cannot be taken out")
    return set_source(project, clip, replace(walk, styles=walk.styles[:number] + walk.styles[number + 1 :]))
