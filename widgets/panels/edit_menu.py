"""The menu of edits that can be put on a clip, grouped by what they are about."""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QWidget, QWidgetAction

from editor.kinds import EDITS
from model.clip import Edit
from widgets.common.theme import GRID
from widgets.panels.layer_properties import sentences_of
from widgets.panels.rows_editor import can_be_added
from widgets.panels.setting_kinds import Described, described

# What the modules of edits are about; others form groups of their own names.
_GROUPS = {
    "timing": "Time",
    "placing": "Place",
    "repairing": "Clean up",
    "smoothing": "Clean up",
    "ground": "Ground",
    "target_poses": "Pose",
    "retarget": "Body",
}


class EditMenu(QMenu):
    """Every kind of edit. chosen : an edit with its defaults."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Add edit", parent)
        self.setToolTipsVisible(True)
        for group, kinds in grouped():
            self._add_title(group)
            for kind in kinds:
                action = QAction(kind.title, self)
                action.setData(kind.kind)
                action.setToolTip(sentences_of(kind))
                action.setStatusTip(sentences_of(kind))
                self.addAction(action)
        self.triggered.connect(self._on_triggered)

    def _add_title(self, text: str) -> None:
        """A heading; those of Qt's own are lost under a style sheet."""
        if self.actions():
            self.addSeparator()
        label = QLabel(text)
        label.setContentsMargins(GRID, GRID // 2, GRID, 0)
        label.setForegroundRole(label.foregroundRole().PlaceholderText)
        title = QWidgetAction(self)
        title.setDefaultWidget(label)
        title.setText(text)
        title.setEnabled(False)
        self.addAction(title)

    def _on_triggered(self, action: QAction) -> None:
        self.chosen.emit(EDITS[action.data()]())


def grouped() -> Iterator[tuple[str, tuple[type[Edit], ...]]]:
    """The kinds of edits that need no arguments and can be filled in a form, in groups."""
    kinds = [kind for kind in EDITS.values() if not any(_is_needed(one) for one in fields(kind)) and _is_fillable(kind)]
    names = list(dict.fromkeys(_group(kind) for kind in kinds))
    for name, some in groupby(sorted(kinds, key=lambda kind: names.index(_group(kind))), key=_group):
        yield name, tuple(some)


def _group(kind: type[Edit]) -> str:
    module = kind.__module__.rsplit(".", 1)[-1]
    return _GROUPS.get(module, module.replace("_", " ").capitalize())


def _is_fillable(kind: type[Edit]) -> bool:
    """Whether the inspector can make the edit do something.

    One that holds nothing but records, and switches for how they act, and starts without any records, would be a dead
    end here: its table can change and remove records, but not make them. Such edits are put on a clip where their
    records are made: contacts in the timeline, poses in the viewport.
    """
    values = [(what, getattr(kind(), what.name)) for what in described(kind)]
    reached = [value for what, value in values if not _is_out_of_reach(what, value)]
    return len(reached) == len(values) or any(not isinstance(value, bool) for value in reached)


def _is_out_of_reach(what: Described, value: object) -> bool:
    return what.row_type is not None and value == () and not can_be_added(what.row_type)


def _is_needed(one: object) -> bool:
    return getattr(one, "default", None) is MISSING and getattr(one, "default_factory", None) is MISSING
