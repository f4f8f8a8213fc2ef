"""The settings of a retarget edit in a form: a character from a list, and a mapping that a panel of its own shows."""

from typing import Any

from PySide6.QtWidgets import QToolButton, QWidget

from editor.retarget.character import BUILT_IN, built_in
from model.character import Character
from widgets.common.plain_label import PlainLabel, one_line, plain_tip
from widgets.common.setting_kinds import Described, FormContext
from widgets.inspector.setting_editors import Editor, QuietCombo

PANEL = "Retarget"
_MORE = "more"


class CharacterEditor(Editor):
    """One of the characters that come with the program or are kept in the project; more are in the panel."""

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self._value: Character | None = None
        self.combo = QuietCombo(self)
        self.combo.activated.connect(self._on_activated)
        self._add(self.combo)

    def set_value(self, value: Any) -> None:
        self._value = value
        kept = self._context.characters()
        listed = [*(built_in(name) for name in BUILT_IN), *kept]
        if value not in listed:
            listed.append(value)
        self.combo.clear()
        for one in listed:
            self.combo.addItem(one.name.capitalize() if one.name in BUILT_IN else one_line(one.name), one)
        self.combo.insertSeparator(self.combo.count())
        self.combo.addItem("Other bodies…", _MORE)
        self.combo.setCurrentIndex(listed.index(value))

    def _on_activated(self, index: int) -> None:
        chosen = self.combo.itemData(index)
        if isinstance(chosen, Character):
            if chosen != self._value:
                self._on_changed(chosen)
            return
        self.set_value(self._value)
        self._context.open_panel(PANEL)


class MappingEditor(Editor):
    """How much of a mapping was set by hand, and a button that opens the panel where it is."""

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self.label = PlainLabel(parent=self)
        self.button = QToolButton(self)
        self.button.setText("Show…")
        self.button.setToolTip(plain_tip(f"{what.setting.tip} Shows both bodies, to see and correct it."))
        self.button.clicked.connect(self._on_clicked)
        self._add(self.button)
        self._layout.insertWidget(0, self.label, 1)
        self._layout.setStretch(1, 0)

    def set_value(self, value: Any) -> None:
        joints = "joint" if len(value) == 1 else "joints"
        self.label.setText(f"{len(value)} {joints} set by hand" if value else "As guessed")

    def _on_clicked(self) -> None:
        self._context.open_panel(PANEL)
