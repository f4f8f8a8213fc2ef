"""What the program remembers of its user between starts: theme, layouts, recent files, shortcuts."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from model.files.remote import names_server

_MOST_RECENT = 12


class Settings:
    """Typed access to the user's settings. A value that cannot be understood counts as absent."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings()

    @property
    def theme(self) -> str:
        return str(self._store.value("theme", "dark"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def mouse(self) -> str:
        """The preset of mouse buttons: "blender" or "maya"."""
        return str(self._store.value("mouse", "blender"))

    @mouse.setter
    def mouse(self, name: str) -> None:
        self._store.setValue("mouse", name)

    @property
    def workspace(self) -> str:
        """The workspace that was used last."""
        return str(self._store.value("workspace", ""))

    @workspace.setter
    def workspace(self, name: str) -> None:
        self._store.setValue("workspace", name)

    @property
    def tour_seen(self) -> bool:
        return str(self._store.value("tour_seen", "false")).lower() == "true"

    @tour_seen.setter
    def tour_seen(self, seen: bool) -> None:
        self._store.setValue("tour_seen", "true" if seen else "false")

    def recent_files(self) -> list[Path]:
        """Files opened lately, the last first, as far as they still are there."""
        kept = self._store.value("recent_files", [])
        names = [kept] if isinstance(kept, str) else list(kept) if isinstance(kept, list | tuple) else []
        # Whether something is on another machine is seen when it is opened, not whenever a menu is filled.
        return [Path(name) for name in names if isinstance(name, str) and (names_server(name) or Path(name).is_file())]

    def add_recent_files(self, paths: Iterable[Path]) -> None:
        """Put files first among those opened lately."""
        new = [str(path.absolute()) for path in paths][:_MOST_RECENT]
        others = [str(one) for one in self.recent_files() if str(one) not in new]
        self._store.setValue("recent_files", [*new, *others][:_MOST_RECENT])

    def clear_recent_files(self) -> None:
        self._store.remove("recent_files")

    def shortcuts(self) -> dict[str, str]:
        """The shortcuts that the user changed: by action, as text; empty for none."""
        self._store.beginGroup("shortcuts")
        try:
            return {key: str(self._store.value(key)) for key in self._store.childKeys()}
        finally:
            self._store.endGroup()

    def set_shortcut(self, action: str, keys: str | None) -> None:
        """Remember a shortcut, or with None that it is the usual one."""
        if keys is None:
            self._store.remove(f"shortcuts/{action}")
        else:
            self._store.setValue(f"shortcuts/{action}", keys)

    def layout(self, name: str) -> QByteArray | None:
        """How the user left a workspace."""
        kept = self._store.value(f"layouts/{name}")
        return kept if isinstance(kept, QByteArray) and not kept.isEmpty() else None

    def set_layout(self, name: str, state: QByteArray | None) -> None:
        if state is None:
            self._store.remove(f"layouts/{name}")
        else:
            self._store.setValue(f"layouts/{name}", state)

    def geometry(self) -> QByteArray | None:
        """Where the window was left."""
        kept = self._store.value("geometry")
        return kept if isinstance(kept, QByteArray) and not kept.isEmpty() else None

    def set_geometry(self, state: QByteArray) -> None:
        self._store.setValue("geometry", state)

    def sync(self) -> None:
        self._store.sync()
