"""What the command palette finds: every action, every edit that can be put on a clip, and every setting of one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING

from app.actions import Actions
from model.clip import Edit, settings_of
from widgets.common.setting_kinds import sentences_of
from widgets.edits.edit_menu import grouped

if TYPE_CHECKING:
    from app.window import Window

# Words that people bring along from other programs, for what the settings say in ours.
_EDIT_SYNONYMS = {
    "foot": "skate slide lock plant ik",
    "smooth": "filter noise jitter butterworth",
    "trim": "cut crop shorten",
    "retime": "speed slow fast time warp stretch",
    "resample": "fps frame rate",
    "mirror": "flip",
    "place": "move rotate offset transform",
}


class Kind(IntEnum):
    """What an entry is about."""

    ACTION = 0
    EDIT = 1
    SETTING = 2


@dataclass(frozen=True, eq=False)
class Entry:
    """A line of the palette. kind : what comes first of what fits alike; place : where else it is found, which counts
    less; keys : its shortcut.
    """

    kind: Kind
    text: str
    place: str
    tip: str
    do: Callable[[], object]
    keys: str = ""
    synonyms: str = ""


def entries_of(window: "Window") -> Iterator[Entry]:
    """All that can be done now."""
    yield from _actions(window.actions_)
    if window.clip is not None:
        for _, kinds in grouped(window.edits.kinds.values()):
            for kind in kinds:
                yield from _edit(window, kind)


def _actions(actions: Actions) -> Iterator[Entry]:
    for name in actions.names():
        if actions[name].isEnabled():
            described = actions.described(name)
            yield Entry(
                Kind.ACTION, described.text.replace("&", ""), described.menu.replace("/", " "), described.tip,
                actions[name].trigger, actions.keys(name), described.synonyms,
            )  # fmt: skip


def _edit(window: "Window", kind: type[Edit]) -> Iterator[Entry]:
    words = " ".join(text for name, text in _EDIT_SYNONYMS.items() if name in f"{kind.kind} {kind.title}".lower())
    add = partial(_seen, window, partial(window.edits.add, kind()))
    yield Entry(Kind.EDIT, f"Add edit: {kind.title}", kind.group, sentences_of(kind), add, synonyms=words)
    go_to = partial(_seen, window, partial(window.edits.go_to_kind, kind))
    for _, setting in settings_of(kind):
        yield Entry(Kind.SETTING, f"{kind.title}: {setting.label}", kind.group, setting.tip, go_to)


def _seen(window: "Window", do: Callable[[], object]) -> None:
    """Do something to an edit, and show its settings."""
    do()
    window.show_panel("Inspector")
