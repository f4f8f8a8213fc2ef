"""Saving as the user asks for it, and what is asked back."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app.files import free_path
from model.files.project_file import EXTENSION
from widgets.desk.contributions import Action

if TYPE_CHECKING:
    from app.window import Window


class SavingActions(QObject):
    """Saving, and whether what is open may go."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        window.files.conflicted.connect(self._on_conflict)
        window.files.save_failed.connect(self._on_save_failed)

    def actions(self) -> tuple[Action, ...]:
        return (
            Action("save", "&Save", "File", 210, "Save the project", self.save, "Ctrl+S", "save"),
            Action("save_as", "Save &as…", "File", 220, "Save the project under another name", self.save_as,
                   "Ctrl+Shift+S"),
        )  # fmt: skip

    def save(self) -> None:
        path = self._window.document.path
        if path is None:
            self.save_as()
        else:
            self._window.files.save(path)

    def save_as(self) -> None:
        path = self._ask_path()
        if path is not None:
            self._window.files.save(path)

    def _ask_path(self) -> Path | None:
        proposed = self._window.files.proposed_path or self._window.document.path
        start = str(proposed or self._window.folder() / f"Untitled{EXTENSION}")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save the project", start, f"Motionwright (*{EXTENSION})")
        if not name:
            return None
        return Path(name) if Path(name).suffix else Path(name).with_suffix(EXTENSION)

    def may_leave(self) -> bool:
        """Whether what is open may go: it is saved, or the user says so."""
        document = self._window.document
        if not document.modified:
            return True
        box = QMessageBox(self._window)
        box.setWindowTitle("Unsaved changes")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Save the changes to {document.path.name if document.path else 'the new project'}?")
        button = QMessageBox.StandardButton
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        answer = box.exec()
        if answer == button.Save:
            path = document.path or self._ask_path()
            if path is None:
                return False
            self._window.files.save(path)
            while self._window.files.is_saving:  # once more where the user is asked about a conflict
                QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            return not document.modified
        return answer == button.Discard

    def _on_conflict(self, path: Path) -> None:
        """Ask what to do with a file that another program changed since it was opened."""
        box = QMessageBox(QMessageBox.Icon.Warning, "The file was changed", "", parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"{path.name} was changed by another window or program since you opened or saved it here.")
        box.setInformativeText("Overwrite replaces what was saved there. Save as keeps both.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        save_as = box.addButton("Save as…", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save_as)
        box.exec()
        if box.clickedButton() == overwrite:
            self._window.files.save(path, overwrite=True)
        elif box.clickedButton() == save_as:
            self._window.files.proposed_path = free_path(path, "copy")
            self.save_as()

    def _on_save_failed(self, reason: str) -> None:
        self._window.banner.warn(reason, (("Save as…", self.save_as),))
