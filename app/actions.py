"""Everything that the user can do, by name: what menus, shortcuts and the command palette are made of."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.settings import Settings
from widgets.common.icons import icon
from widgets.common.plain_label import plain_tip
from widgets.desk.contributions import Action


class Actions(QObject):
    """The actions of a window, each a QAction that the window owns."""

    def __init__(self, window: QWidget, settings: Settings, actions: Iterable[Action]) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._described: dict[str, Action] = {}
        self._actions: dict[str, QAction] = {}
        self._groups: dict[str, QActionGroup] = {}
        self._is_refreshing = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.refresh_now)
        for action in actions:
            self._add(action)
        self.refresh_now()
        window.installEventFilter(self)

    def _add(self, described: Action) -> None:
        assert described.name not in self._actions, f"there are two actions called {described.name}"
        action = QAction(described.text, self._window)
        action.setObjectName(described.name)
        action.setCheckable(described.checkable)
        if described.checkable:
            action.toggled.connect(partial(self._on_toggled, described))
        else:
            action.triggered.connect(lambda: described.do())
        if described.group:
            if described.group not in self._groups:
                self._groups[described.group] = QActionGroup(self)
            self._groups[described.group].addAction(action)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._described[described.name] = described
        self._actions[described.name] = action
        self._window.addAction(action)
        self._set_keys(described.name, self._settings.shortcuts().get(described.name, described.keys))
        if described.icon:
            action.setIcon(icon(described.icon))

    def _on_toggled(self, described: Action, checked: bool) -> None:
        if not self._is_refreshing:  # else it shows what is, and decides nothing
            described.do(checked)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def get(self, name: str) -> QAction | None:
        """The action of a name; None where there is none."""
        return self._actions.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self._actions

    def names(self) -> Iterable[str]:
        return tuple(self._actions)

    def described(self, name: str) -> Action:
        return self._described[name]

    # What can be done now

    def refresh(self) -> None:
        """Ask all actions whether they can be done and are on, at the next turn of the event loop."""
        if not self._timer.isActive():
            self._timer.start()

    def refresh_now(self, *_: object) -> None:
        """Ask all actions at once, such as before a menu is seen."""
        self._timer.stop()
        self._is_refreshing = True
        try:
            for name, described in self._described.items():
                action = self._actions[name]
                action.setEnabled(described.is_enabled())
                if described.is_checked is not None:
                    action.setChecked(described.is_checked())
        finally:
            self._is_refreshing = False

    # Shortcuts

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

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._timer.isActive():
            self.refresh_now()  # keys may come faster than turns of the event loop
        return super().eventFilter(watched, event)
