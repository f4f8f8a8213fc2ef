"""What the Undo menu says of a change: which setting of what, and to what it was set, in the units of the forms."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from model.character import Character
from model.clip import Setting, Unknown, settings_of
from model.measures import MOMENTS, PERCENT, SECONDS, in_words, measure_of, moment_in_words, settings_by_name
from model.project import Project
from model.scope import Scope


def moment(project: Project, clip: str, time_s: float) -> str:
    """A moment of a clip's source in words: "2.20 s", or "step 5" where its time counts steps."""
    source = project.clip(clip).source
    return moment_in_words(time_s, None if isinstance(source, Unknown) else source.step_s)


def poses_called(project: Project, clip: str, times_s: tuple[float, ...]) -> str:
    """ "pose at 2.20 s", or how many there are."""
    return f"pose at {moment(project, clip, times_s[0])}" if len(times_s) == 1 else f"{len(times_s)} poses"


def set_settings(
    called: Callable[[str], str], before: Any, after: Any, at: Callable[[float], str] = SECONDS.format
) -> str | None:
    """What "Set trim start to 0.50 s" says, where one setting of a source or edit is another; else None.

    called : from the label of a setting to what it is called in a sentence; at : moments of the source in words.
    """
    if type(before) is not type(after) or not is_dataclass(before) or not settings_of(before):
        return None
    return _set_record(called, before, after, at)


def _set_record(called: Callable[[str], str], before: Any, after: Any, at: Callable[[float], str]) -> str | None:
    changed = [one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)]
    settings = settings_by_name(type(before))
    if len(changed) != 1 or changed[0] not in settings:
        return None
    old, new = getattr(before, changed[0]), getattr(after, changed[0])
    if isinstance(new, Character):
        return f"Set {called(_within(settings[changed[0]].label))} to {new.name}"
    if is_dataclass(old) and type(old) is type(new):
        return _set_record(called, old, new, at)  # a record within it, whose own name says little
    setting = settings[changed[0]]
    if changed[0] in MOMENTS and new is not None:
        return f"Set {called(_within(setting.label))} to {at(new)}"
    return _set_one(called(_within(setting.label)), setting, old, new)


def set_scope(what: str, before: Scope, after: Scope, at: Callable[[float], str] = SECONDS.format) -> str:
    """How far an edit reaches now, or that it is another reach where more than one thing of it changed."""
    changed = [one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)]
    name = changed[0] if len(changed) == 1 else ""
    if name == "strength":
        return f"Set strength of {what} to {PERCENT.format(after.strength)}"
    if name == "ease_s":
        return f"Set ease of {what} to {SECONDS.format(after.ease_s)}"
    if name == "start_s":
        start = "the beginning" if after.start_s is None else at(after.start_s)
        return f"Let {what} act from {start}"
    if name == "stop_s":
        return f"Let {what} act to {'the end' if after.stop_s is None else at(after.stop_s)}"
    if name == "joints":
        return f"Let {what} act on {_counted(after.joints)}"
    return f"Change where {what} acts"


def _set_one(name: str, setting: Setting, old: Any, new: Any) -> str:
    if new is None:
        return f"Clear {name}"
    if isinstance(new, bool):
        return f"Switch {name} {'on' if new else 'off'}"
    if isinstance(new, int | float):
        return f"Set {name} to {measure_of(setting, isinstance(new, int)).format(new)}"
    if isinstance(new, str):
        return f"Set {name} to {in_words(new).lower() if setting.choices else new}"
    if isinstance(new, tuple) and isinstance(old, tuple) and len(new) != len(old):
        return f"Add to {name}" if len(new) > len(old) else f"Remove from {name}"
    return f"Change {name}"


def _counted(joints: tuple[object, ...] | None) -> str:
    if joints is None:
        return "the whole body"
    return "no joint" if not joints else "1 joint" if len(joints) == 1 else f"{len(joints)} joints"


def _within(label: str) -> str:
    """A label within a sentence: small, unless it begins with an abbreviation."""
    return label if label[:2].isupper() else f"{label[:1].lower()}{label[1:]}"
