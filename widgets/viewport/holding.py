"""A key that does something as long as it is held, wherever in the window the keyboard is."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

_GONE = (QEvent.Type.ApplicationStateChange, QEvent.Type.WindowDeactivate)


class HeldKey(QObject):
    """Watches for the key's release only while it is held: a filter on all events costs time."""

    changed = Signal(bool)

    def __init__(self, key: Qt.Key, owner: QWidget) -> None:
        super().__init__(owner)
        self._key = key
        self._held = False
        shortcut = QShortcut(QKeySequence(key), owner)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(self.hold)

    @property
    def held(self) -> bool:
        return self._held

    def hold(self) -> None:
        """The key went down."""
        if not self._held:
            self._held = True
            _application().installEventFilter(self)
            self.changed.emit(True)

    def let_go(self) -> None:
        """The key came up, or nobody can tell any longer."""
        if self._held:
            self._held = False
            _application().removeEventFilter(self)
            self.changed.emit(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if event.key() == self._key and not event.isAutoRepeat():
                self.let_go()
        elif event.type() in _GONE:
            self.let_go()
        return False


def _application() -> QCoreApplication:
    application = QCoreApplication.instance()
    assert application is not None
    return application
