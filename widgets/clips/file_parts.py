"""What the Inspector tells of the file that a clip came from: its facts, whether it is stale, what was found in it."""

from pathlib import PurePath

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from editor.clips.imported import ImportedFile, Staleness
from model.clip import Clip
from model.measures import METRES
from widgets.common.icons import icon
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.inspector.clip_properties import Facts
from widgets.inspector.contracts import SourcePart
from widgets.library.import_report import ImportReport

_STATES = {
    Staleness.CHANGED: "The file on disk has changed since it was read.",
    Staleness.MISSING: "The file is no longer there; what it held is kept with the project.",
    Staleness.UNCHECKED: "Not checked for changes: the file is large or on another computer. Reload checks it.",
}
_REPORT_HEIGHT = 24 * GRID


class FilePart(SourcePart):
    """The facts of a file."""

    title = "File"
    reload_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clip_id: str | None = None
        self._facts = Facts()
        self._state = PlainLabel()
        self._state.setWordWrap(True)
        self.reload_button = QPushButton("Reload")
        self.reload_button.setAccessibleName("Reload the file")
        self.reload_button.setToolTip("Read the file again; the edits stay")
        self.reload_button.clicked.connect(self.reload_wanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._facts)
        layout.addWidget(self._state)
        layout.addWidget(self.reload_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._show_icons()
        self.set_state(None)

    def show_clip(self, clip: Clip) -> str | None:
        if clip.id != self._clip_id:
            self._clip_id = clip.id
            self.set_state(None)
        if not isinstance(clip.source, ImportedFile):
            return None
        self._facts.show_facts(_file_facts(clip.source))
        return self.title

    def set_state(self, state: Staleness | None) -> None:
        """Say how the file is stale, or None: it is as it was."""
        self._state.setText(_STATES[state] if state is not None else "")
        self._state.setVisible(state is not None)
        self.reload_button.setEnabled(state != Staleness.MISSING)

    def on_looked(self, clip_id: str, state: Staleness | None) -> None:
        """Somebody looked at the file of a clip, perhaps not of this one."""
        if clip_id == self._clip_id:
            self.set_state(state)

    def _show_icons(self) -> None:
        self.reload_button.setIcon(icon("reload"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "reload_button"):
            self._show_icons()


class ReportPart(SourcePart):
    """What was found while a file was read."""

    title = "Import report"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = ImportReport(with_files=False)
        self.report.setFixedHeight(_REPORT_HEIGHT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.report)

    def show_clip(self, clip: Clip) -> str | None:
        source = clip.source
        if not isinstance(source, ImportedFile) or not source.problems:
            return None
        self.report.show_only(source.path, source.problems)
        return self.title


def _file_facts(source: ImportedFile) -> dict[str, str]:
    path, origin = PurePath(source.path), source.motion.origin
    facts = {"Name": path.name, "Folder": str(path.parent)}
    if origin is not None:
        unit = origin.unit.name if origin.unit.metres == 1.0 else f"{origin.unit.name} ({_metres(origin.unit.metres)})"
        facts |= {"Unit": unit, "Up axis": origin.up}
    if source.motion.rest is not None:
        facts["Rest pose"] = f"before frame {source.motion.first_frame}"
    return facts


def _metres(value: float) -> str:
    return METRES.format(value) if value >= 0.1 else f"{value:.4g} m"
