"""Forgets what was computed of a project once another takes its place."""

from PySide6.QtCore import QObject

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.stack.evaluator import Evaluator
from model.recent import forget_recent


class Forgetting(QObject):
    """Clears the caches that all views share. What single views keep, they forget themselves."""

    def __init__(self, document: Document, evaluator: Evaluator, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evaluator = evaluator
        self._jobs = jobs
        self._is_due = False  # whether work on the project before still goes on, and may keep something
        document.leaving.connect(self._on_leaving)
        document.restarted.connect(self._on_restarted)
        jobs.ended.connect(self._on_ended)

    def _on_leaving(self) -> None:
        self._is_due = bool(self._jobs.running)
        self._jobs.cancel_computing()
        self._evaluator.forget_all()

    def _on_restarted(self) -> None:
        forget_recent()

    def _on_ended(self, job: Job) -> None:
        if self._is_due and not self._jobs.running:
            self._is_due = False
            forget_recent()
