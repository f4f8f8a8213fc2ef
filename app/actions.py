"""Everything that the user can do, by name: what menus, shortcuts and the command palette are made of."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.settings import Settings
from widgets.common.icons import icon
from widgets.common.plain_label import plain_tip


@dataclass(frozen=True)
class Described:
    """An action as the user meets it. menu : "File", "View/Ghosts"; keys : the usual shortcut, as text."""

    name: str
    text: str
    menu: str
    tip: str
    keys: str = ""
    icon: str = ""
    checkable: bool = False


class Actions(QObject):
    """The actions of a window, each a QAction that the window owns."""

    def __init__(self, window: QWidget, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._described: dict[str, Described] = {}
        self._actions: dict[str, QAction] = {}

    def add(self, described: Described, do: Callable[..., object]) -> QAction:
        """Add an action. do : called with whether it is checked, if it is checkable, else with nothing."""
        action = QAction(described.text, self._window)
        action.setObjectName(described.name)
        action.setCheckable(described.checkable)
        if described.checkable:
            action.toggled.connect(lambda checked: do(checked))
        else:
            action.triggered.connect(lambda: do())
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._described[described.name] = described
        self._actions[described.name] = action
        self._window.addAction(action)
        self._set_keys(described.name, self._settings.shortcuts().get(described.name, described.keys))
        if described.icon:
            action.setIcon(icon(described.icon))
        return action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __contains__(self, name: str) -> bool:
        return name in self._actions

    def names(self) -> Iterable[str]:
        return tuple(self._actions)

    def described(self, name: str) -> Described:
        return self._described[name]

    def keys(self, name: str) -> str:
        """The shortcut of an action as it is now, as people write it."""
        return self._actions[name].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def clash(self, name: str, keys: str) -> str | None:
        """The action that has these keys already, if another one does."""
        wanted = QKeySequence(keys)
        if wanted.isEmpty():
            return None
        return next((other for other, one in self._actions.items() if other != name and one.shortcut() == wanted), None)

    def change_keys(self, name: str, keys: str) -> None:
        """Give an action another shortcut and remember it. Raises ValueError where another action has it."""
        other = self.clash(name, keys)
        if other is not None:
            raise ValueError(f"{keys} already means “{self._described[other].text.replace('&', '').rstrip('…')}”")
        usual = QKeySequence(keys) == QKeySequence(self._described[name].keys)
        self._settings.set_shortcut(name, None if usual else keys)
        self._set_keys(name, keys)

    def reset_keys(self) -> None:
        """All shortcuts as they usually are."""
        for name, described in self._described.items():
            self._settings.set_shortcut(name, None)
            self._set_keys(name, described.keys)

    def redraw_icons(self) -> None:
        """Icons in the colours of the theme in use."""
        for name, described in self._described.items():
            if described.icon:
                self._actions[name].setIcon(icon(described.icon))

    def _set_keys(self, name: str, keys: str) -> None:
        action, described = self._actions[name], self._described[name]
        action.setShortcut(QKeySequence(keys))
        shown = self.keys(name)
        action.setToolTip(plain_tip(f"{described.tip}  {shown}" if shown else described.tip))
        action.setStatusTip(described.tip)
