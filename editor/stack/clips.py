"""Commands on whole clips."""

from dataclasses import replace

from editor.stack.command import command
from editor.stack.sentences import set_settings
from model.clip import Clip, Source, unique_name
from model.project import Project

_LONGEST_NAME = 255  # characters, as of a file


def _named(project: Project, clip: str) -> str:
    return project.clip(clip).name


def _change(project: Project, clip: str, source: Source) -> str:
    present = project.clip(clip)
    told = set_settings(lambda label: f"{label} of {present.name}", present.source, source)
    return told or f"Change the source of {present.name}"


@command(lambda project, source, name, place=None: f"Add {name}")
def add_clip(project: Project, source: Source, name: str, place: int | None = None) -> Project:
    """A new clip, at the end or at a place in the library; its name is made one of its own."""
    project, (new,) = project.new_ids()
    _check_used(project, new, source)
    name = unique_name(_checked_name(name), [clip.name for clip in project.clips])
    return _inserted(project, Clip(new, name, source), place)


@command(lambda project, sources, names: f"Add {names[0] if len(names) == 1 else f'{len(names)} clips'}")
def add_clips(project: Project, sources: tuple[Source, ...], names: tuple[str, ...]) -> Project:
    """Several new clips at the end, in one step."""
    for source, name in zip(sources, names, strict=True):
        project = add_clip(project, source, name)
    return project


@command(lambda project, clip, name: f"Rename {_named(project, clip)} to {name.strip()}")
def rename_clip(project: Project, clip: str, name: str) -> Project:
    """Give a clip another name."""
    present, name = project.clip(clip), _checked_name(name)
    if name == present.name:
        return project
    if any(name == other.name for other in project.clips):
        raise ValueError(f"there is another clip named {name!r}")
    return project.with_clip(replace(present, name=name))


@command(lambda project, clip: f"Duplicate {_named(project, clip)}")
def duplicate_clip(project: Project, clip: str) -> Project:
    """A copy of a clip, right after it."""
    present = project.clip(clip)
    project, (new, *ids) = project.new_ids(1 + len(present.layers) + len(present.markers))
    of_layers, of_markers = ids[: len(present.layers)], ids[len(present.layers) :]
    layers = tuple(replace(layer, id=id_) for layer, id_ in zip(present.layers, of_layers, strict=True))
    markers = tuple(replace(marker, id=id_) for marker, id_ in zip(present.markers, of_markers, strict=True))
    name = unique_name(f"{present.name} copy", [one.name for one in project.clips])
    copy = Clip(new, name, present.source, layers, markers)
    return _inserted(project, copy, project.clips.index(project.clip(clip)) + 1)


@command(lambda project, clips: f"Delete {_named(project, clips[0]) if len(clips) == 1 else f'{len(clips)} clips'}")
def delete_clips(project: Project, clips: tuple[str, ...]) -> Project:
    """Remove clips. Raises ValueError where clips that stay are made of them."""
    for clip in clips:
        users = [user.name for user in project.users_of(clip) if user.id not in clips]
        if users:
            told = ", ".join(repr(name) for name in users)
            raise ValueError(f"{_named(project, clip)!r} is used by {told}; take it out there first")
        project.clip(clip)
    return project.without(clips) if clips else project


@command(lambda project, clip, place: f"Move {_named(project, clip)} in the library")
def move_clip(project: Project, clip: str, place: int) -> Project:
    """Put a clip at another place in the library, counted without it."""
    present = project.clip(clip)
    others = [one for one in project.clips if one is not present]
    place = min(max(place, 0), len(others))
    clips = (*others[:place], present, *others[place:])
    return project if clips == project.clips else replace(project, clips=clips)


@command(lambda project, clip, source: _change(project, clip, source))
def set_source(project: Project, clip: str, source: Source) -> Project:
    """Give a clip another source under the same edits: a reloaded file, other settings."""
    present = project.clip(clip)
    if source == present.source:
        return project
    _check_used(project, clip, source)
    return project.with_clip(replace(present, source=source))


def _inserted(project: Project, clip: Clip, place: int | None) -> Project:
    clips = list(project.clips)
    clips.insert(len(clips) if place is None else min(max(place, 0), len(clips)), clip)
    return replace(project, clips=tuple(clips))


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise ValueError("a clip needs a name")
    if len(name) > _LONGEST_NAME:
        raise ValueError(f"a clip's name has at most {_LONGEST_NAME} characters, not {len(name)}")
    return name


def _check_used(project: Project, clip: str, source: Source) -> None:
    """Raise ValueError where a source uses clips that are not there, or that are made of this one."""
    for used in source.clips_used():
        project.clip(used)
        if used == clip or clip in project.depends_on(used):
            raise ValueError(f"{_named(project, used)!r} is itself made of this clip")
