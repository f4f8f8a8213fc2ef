"""What the user can do with clips of files and with several clips."""

from pathlib import Path

from PySide6.QtCore import QObject

from editor.clips.imported import ImportedFile, reloaded
from editor.clips.sequence import Part, Sequence
from editor.stack.clips import add_clip, set_source
from widgets.clips.file_parts import FilePart, ReportPart
from widgets.clips.stale_files import StaleFiles
from widgets.desk.contributions import Action
from widgets.desk.desk import Desk


class ClipActions(QObject):
    """Clips of files as a window has them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.stale_files = StaleFiles(desk.document, desk.session, desk.jobs, self)
        desk.activated.connect(self.stale_files.look)

    def actions(self) -> tuple[Action, ...]:
        """All that can be done."""
        desk = self._desk
        return (
            Action(
                "reload_clip", "&Reload file", "Clip", 140, "Read the clip's file again", self.reload_clip,
                is_enabled=lambda: desk.clip is not None and isinstance(desk.clip.source, ImportedFile),
            ),
            Action(
                "sequence", "&Join clips", "Clip", 195,
                "One clip of those compared with this one, each following the last", self.sequence,
                is_enabled=lambda: desk.clip is not None and bool(desk.session.view.compared),
                synonyms="concatenate append stitch",
            ),
        )  # fmt: skip

    def make_file_part(self) -> FilePart:
        part = FilePart()
        part.reload_wanted.connect(self.reload_clip)
        self.stale_files.told.connect(part.on_looked)
        return part

    def make_report_part(self) -> ReportPart:
        return ReportPart()

    def reload_clip(self) -> None:
        """Read the file of the clip that is looked at again."""
        clip = self._desk.clip
        if clip is None or not isinstance(clip.source, ImportedFile):
            return
        source = clip.source
        job = self._desk.jobs.start_reading(f"Reading {clip.name}", lambda tell: (clip.id, reloaded(source)))
        job.finished.connect(self._on_reloaded)
        job.failed.connect(self._on_failed)

    def _on_reloaded(self, read: tuple[str, ImportedFile]) -> None:
        clip_id, source = read
        document = self._desk.document
        if clip_id in document.project and document.do(set_source, clip_id, source):
            self._desk.banner.say(f"Read {Path(source.path).name} again")
        else:
            self._desk.banner.say("The file is as it was")

    def _on_failed(self, reason: str, details: str) -> None:
        self._desk.banner.warn(reason)

    def sequence(self) -> None:
        """Make one clip of the one that is looked at and those compared with it."""
        clip, desk = self._desk.clip, self._desk
        if clip is None:
            return
        parts = tuple(Part(one) for one in (clip.id, *desk.session.view.compared))
        if desk.run(lambda: desk.document.do(add_clip, Sequence(parts), f"{clip.name} and on")):
            desk.session.look(clip=desk.document.project.clips[-1].id)
