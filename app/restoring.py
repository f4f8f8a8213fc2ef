"""Offers what was autosaved by a process that died, and opens it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.recovery import Orphan
from model.files.problems import MotionFileError
from model.files.project_file import ProjectReading, read_project

if TYPE_CHECKING:
    from app.window import Window


class Restoring(QObject):
    """Looks for orphaned autosaves beside the interface, and offers them one after the other in the banner."""

    looked = Signal(bool)  # whether there is something to restore

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._orphans: list[Orphan] = []

    def look(self) -> None:
        """Look for what was left behind, and offer it."""
        recovery = self._window.recovery
        job = self._window.jobs.start_reading("Looking for unsaved work", lambda tell: recovery.orphans())
        job.finished.connect(self._on_found)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)

    def offer(self, orphan: Orphan) -> None:
        """Offer what an autosave kept of work that was not saved."""
        name = orphan.original.name if orphan.original is not None else "a new project"
        said = f"Motionwright did not close properly. Unsaved work on {name} was kept."
        action = "Restore"
        if orphan.is_superseded:
            said = f"There is an autosave of {name}, but {name} was saved elsewhere or later and may be newer."
            action = "Open as copy"
        buttons = ((action, lambda: self._restore(orphan)), ("Discard", lambda: self._discard(orphan)))
        self._window.banner.warn(said, buttons)

    def _restore(self, orphan: Orphan) -> None:
        if not self._window.saving_actions.may_leave():
            self.offer(orphan)
            return
        kinds = self._window.files.kinds
        job = self._window.jobs.start_reading(
            "Restoring unsaved work", lambda tell: (orphan, read_project(orphan.file, kinds))
        )
        job.finished.connect(self._on_read)
        job.failed.connect(self._on_failed)

    def _discard(self, orphan: Orphan) -> None:
        self._window.recovery.discard(orphan)
        self._offer_next()

    def _offer_next(self) -> None:
        if self._orphans:
            self.offer(self._orphans.pop(0))

    def _on_found(self, orphans: tuple[Orphan, ...]) -> None:
        self._orphans = list(orphans)
        self.looked.emit(bool(orphans))
        self._offer_next()

    def _on_read(self, read: tuple[Orphan, ProjectReading]) -> None:
        orphan, reading = read
        as_copy = orphan.is_superseded or not reading.is_whole
        try:
            self._window.recovery.adopt(orphan, as_copy)
        except MotionFileError as error:
            self._window.banner.warn(str(error))
            return
        self._window.files.restore(reading, orphan.original, orphan.state, as_copy)

    def _on_failed(self, reason: str, details: str) -> None:
        self._window.banner.warn(reason)

    def _on_cancelled(self) -> None:
        self.looked.emit(False)
