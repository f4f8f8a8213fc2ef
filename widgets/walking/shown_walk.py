"""The walk that is looked at, as it is: its path, its styles along that, and what came of it."""

from PySide6.QtCore import QObject

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from editor.walking.report import WalkReport
from editor.walking.source import WalkAlongPath
from editor.walking.timeline import Fade
from editor.walking.track import Track
from model.path import Path
from model.project import Project
from widgets.walking.path_hits import Band


class ShownWalk(QObject):
    """Reads what document, session and showing have of a walk."""

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._tracked: tuple[Path, Track] | None = None

    @property
    def clip_id(self) -> str | None:
        """The walk that is edited."""
        clip = self._session.view.clip
        if clip is None or clip not in self._document.project:
            return None
        return clip if isinstance(self._document.project.clip(clip).source, WalkAlongPath) else None

    @property
    def _walk_id(self) -> str:
        """The walk that is edited, where there is one."""
        assert self.clip_id is not None
        return self.clip_id

    @property
    def walk(self) -> WalkAlongPath | None:
        clip = self.clip_id
        source = None if clip is None else self._document.project.clip(clip).source
        return source if isinstance(source, WalkAlongPath) else None

    @property
    def project(self) -> Project:
        return self._document.project

    @property
    def path(self) -> Path:
        return self.walk.path if self.walk is not None else Path(())

    @property
    def track(self) -> Track:
        path = self.path
        if self._tracked is None or self._tracked[0] is not path:
            self._tracked = (path, Track.of(path))
        return self._tracked[1]

    @property
    def bands(self) -> tuple[Band, ...]:
        """The styles along the path, those that begin behind its end included: they are as long as nothing."""
        walk, length = self.walk, self.track.length_m
        if walk is None:
            return ()
        starts = [0.0, *(min(band.from_m, length) for band in walk.styles[1:]), length]
        return tuple(
            Band(n, band.clip_id, self._name(band.clip_id), starts[n], starts[n + 1])
            for n, band in enumerate(walk.styles)
        )

    def _name(self, clip_id: str) -> str:
        return self.project.clip(clip_id).name if clip_id in self.project else "gone"

    @property
    def result(self) -> WalkReport | None:
        """What the walk came to, the last one that was worked out."""
        shown = self._showing.current
        return shown.source.report(WalkReport) if shown is not None and shown.clip.id == self.clip_id else None

    @property
    def failure(self) -> str | None:
        """Why the walk cannot be made."""
        return self._showing.failure if self.clip_id is not None else None

    @property
    def time_s(self) -> float:
        """The moment that is shown, in the walk's own time."""
        shown = self._showing.current
        time_s = self._session.view.time_s
        return time_s if shown is None else float(shown.from_source.inverse()(time_s))

    @property
    def fades(self) -> dict[int, Fade]:
        """How the walk fades into its bands, by their numbers; bands that go on as the one before have none."""
        walk, result = self.walk, self.result
        if walk is None or result is None:
            return {}
        kinds = [(band.clip_id, band.loop) for band in walk.styles]
        changes = [n for n in range(1, len(kinds)) if kinds[n] != kinds[n - 1]]
        return dict(zip(changes, result.fades, strict=False))  # those beyond the path's end have none
