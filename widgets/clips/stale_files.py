"""Whether the file of the clip that is looked at is still what was read: checked beside the interface."""

from PySide6.QtCore import QObject, Signal

from editor.clips.imported import ImportedFile, Staleness, is_stale
from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session


class StaleFiles(QObject):
    """Looks when another clip is chosen, and when it is told to."""

    told = Signal(str, object)  # the clip's id; how its file is stale, None where it is not

    def __init__(self, document: Document, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._jobs = jobs
        self._looked: tuple[str, ImportedFile] | None = None
        self._job: Job | None = None
        session.changed.connect(self._on_changed)
        document.changed.connect(self._on_changed)
        document.restarted.connect(self._on_restarted)

    def look(self) -> None:
        """Look again at the file of the clip that is looked at."""
        clip_id = self._session.view.clip
        if clip_id is None or self._job is not None or clip_id not in self._document.project:
            return
        source = self._document.project.clip(clip_id).source
        if not isinstance(source, ImportedFile):
            return
        self._looked = (clip_id, source)
        self._job = self._jobs.start_reading(
            f"Looking at {source.path}", lambda tell: (clip_id, is_stale(source, unasked=True))
        )
        self._job.finished.connect(self._on_finished)
        self._job.over.connect(self._on_over)

    def _on_changed(self, *_: object) -> None:
        clip_id = self._session.view.clip
        if clip_id is None or clip_id not in self._document.project:
            return
        source = self._document.project.clip(clip_id).source
        if self._looked is None or self._looked[0] != clip_id or self._looked[1] is not source:
            self.look()

    def _on_restarted(self) -> None:
        if self._session.view.clip is None:
            self._looked = None

    def _on_finished(self, found: tuple[str, Staleness | None]) -> None:
        self.told.emit(*found)

    def _on_over(self, job: Job) -> None:
        self._job = None
        self._on_changed()
