"""Small pictures of clips for the library, drawn beside the interface, again when a clip changes."""

from PySide6.QtCore import QObject, QTimer, Signal

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.stack.evaluator import Evaluator
from model.clip import Clip
from model.project import Project
from widgets.viewport.image import thumbnail

_REST_MS = 400  # after a change, before pictures are drawn again


class Thumbnails(QObject):
    """Draws one picture at a time, of clips whose source or edits changed."""

    made = Signal(str, object)  # the clip's id, a QImage

    def __init__(self, document: Document, evaluator: Evaluator, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._evaluator = evaluator
        self._jobs = jobs
        self._drawn: dict[str, Clip] = {}
        self._job: Job | None = None
        self._drawing: Clip | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._next)
        document.changed.connect(self._on_changed)

    def redraw(self) -> None:
        """Draw all pictures again: in another theme."""
        self._drawn.clear()
        self._timer.start()

    def _on_changed(self, before: Project, after: Project) -> None:
        for gone in [clip_id for clip_id in self._drawn if clip_id not in after]:
            del self._drawn[gone]
        self._timer.start()

    def _next(self) -> None:
        project = self._document.committed
        if self._job is not None:
            return
        for clip in project.clips:
            drawn = self._drawn.get(clip.id)
            if drawn is None or (drawn.source, drawn.layers) != (clip.source, clip.layers):
                self._start(project, clip)
                return

    def _start(self, project: Project, clip: Clip) -> None:
        self._drawing = self._drawn[clip.id] = clip
        evaluator, clip_id = self._evaluator, clip.id
        self._job = self._jobs.start(
            f"Drawing {clip.name}", lambda tell: thumbnail(evaluator.take(project, clip_id, tell))
        )
        self._job.over.connect(self._on_over)

    def _on_over(self, job: Job) -> None:
        if job.result is not None and self._drawing is not None:
            self.made.emit(self._drawing.id, job.result)
        self._job = self._drawing = None
        if not self._timer.isActive():  # nothing changed meanwhile
            self._next()
