"""The menu of edits that can be put on a clip, grouped by what they are about."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget, QWidgetAction

from model.clip import Edit
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.setting_kinds import Described, can_be_added, described, sentences_of
from widgets.common.theme import GRID


class EditMenu(QMenu):
    """Every kind of edit. chosen : an edit with its defaults."""

    chosen = Signal(object)

    def __init__(self, kinds: Mapping[str, type[Edit]], parent: QWidget | None = None) -> None:
        super().__init__("Add edit", parent)
        self._kinds = kinds
        self.setToolTipsVisible(True)
        for group, members in grouped(kinds.values()):
            self._add_title(group)
            for kind in members:
                action = QAction(kind.title, self)
                action.setData(kind.kind)
                action.setToolTip(plain_tip(sentences_of(kind)))
                action.setStatusTip(sentences_of(kind))
                self.addAction(action)
        self.triggered.connect(self._on_triggered)

    def _add_title(self, text: str) -> None:
        """A heading; those of Qt's own are lost under a style sheet."""
        if self.actions():
            self.addSeparator()
        label = PlainLabel(text)
        label.setContentsMargins(GRID, GRID // 2, GRID, 0)
        label.setForegroundRole(label.foregroundRole().PlaceholderText)
        title = QWidgetAction(self)
        title.setDefaultWidget(label)
        title.setText(text)
        title.setEnabled(False)
        self.addAction(title)

    def _on_triggered(self, action: QAction) -> None:
        self.chosen.emit(self._kinds[action.data()]())


def grouped(edits: Iterable[type[Edit]]) -> Iterator[tuple[str, tuple[type[Edit], ...]]]:
    """The kinds of edits that need no arguments and can be filled in a form, in groups."""
    kinds = [kind for kind in edits if not any(_is_needed(one) for one in fields(kind)) and _is_fillable(kind)]
    names = list(dict.fromkeys(_group(kind) for kind in kinds))
    for name, some in groupby(sorted(kinds, key=lambda kind: names.index(_group(kind))), key=_group):
        yield name, tuple(some)


def _group(kind: type[Edit]) -> str:
    return kind.group or kind.title


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
