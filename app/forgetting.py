"""Forgets what was computed of a project once another takes its place."""

from PySide6.QtCore import QObject

from editor.document.document import Document
from editor.document.jobs import Jobs
from editor.stack.evaluator import Evaluator
from model.recent import forget_recent


class Forgetting(QObject):
    """Clears what all views share: the evaluator's cache and small lookups. What a view keeps, it forgets itself."""

    def __init__(self, document: Document, evaluator: Evaluator, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evaluator = evaluator
        self._jobs = jobs
        document.leaving.connect(self._on_leaving)
        document.restarted.connect(self._on_restarted)

    def _on_leaving(self) -> None:
        self._jobs.cancel_computing()
        self._evaluator.forget_all()

    def _on_restarted(self) -> None:
        forget_recent()
