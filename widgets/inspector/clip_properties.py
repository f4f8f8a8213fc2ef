"""What a clip is made of: the settings of a source that has some, and the facts of a file."""

from dataclasses import replace
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QPushButton, QVBoxLayout, QWidget

from editor.clips.imported import ImportedFile, Staleness
from model.clip import Clip, Source, Unknown, settings_of
from model.measures import FRAME_RATE, METRES, SECONDS
from model.motion import Motion
from widgets.common.elided import ElidedLabel
from widgets.common.icons import icon
from widgets.common.number_field import tabular
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.inspector.section import Section
from widgets.inspector.setting_kinds import FormContext
from widgets.inspector.settings_form import SettingsForm, form_label
from widgets.library.import_report import ImportReport

_FILE_STATES = {
    Staleness.CHANGED: "The file on disk has changed since it was read.",
    Staleness.MISSING: "The file is no longer there; what it held is kept with the project.",
    Staleness.UNCHECKED: "Not checked for changes: the file is large or on another computer. Reload checks it.",
}
_REPORT_HEIGHT = 24 * GRID


class ClipProperties(QWidget):
    """A clip's source. Its signals are those of the settings form; reload_wanted : read the file again."""

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)
    reload_wanted = Signal()

    def __init__(self, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = replace(context, read_s=float, meant_s=float)  # what a source says is in its own time
        self._clip: Clip | None = None
        self.form: SettingsForm | None = None
        self._form_place = QWidget()
        place = QVBoxLayout(self._form_place)
        place.setContentsMargins(0, 0, 0, 0)
        self._settings = Section("Source", self._form_place)
        self._facts = _Facts()
        self._take = Section("Take", self._facts)
        self._file_facts = _Facts()
        self._state = PlainLabel()
        self._state.setWordWrap(True)
        self.reload_button = QPushButton("Reload")
        self.reload_button.setAccessibleName("Reload the file")
        self.reload_button.setToolTip("Read the file again; the edits stay")
        self.reload_button.clicked.connect(self.reload_wanted)
        file_content = QWidget()
        file_layout = QVBoxLayout(file_content)
        file_layout.setContentsMargins(0, 0, 0, 0)
        file_layout.setSpacing(GRID // 2)
        file_layout.addWidget(self._file_facts)
        file_layout.addWidget(self._state)
        file_layout.addWidget(self.reload_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._file = Section("File", file_content)
        self.report = ImportReport(with_files=False)
        self.report.setFixedHeight(_REPORT_HEIGHT)
        self._report = Section("Import report", self.report)
        self._failure = PlainLabel()
        self._failure.setWordWrap(True)
        self._failure.setMinimumWidth(1)  # else a long path would widen the panel
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._failure)
        for section in (self._settings, self._take, self._file, self._report):
            layout.addWidget(section)
        self._show_icons()
        self.set_file_state(None)

    def set_clip(self, clip: Clip, motion: Motion | None, failure: str | None = None) -> None:
        """Show a clip. motion : the finished take's, None while it is not known; failure : why there is none."""
        other = self._clip is None or self._clip.id != clip.id
        self._clip = clip
        if other:
            self.set_file_state(None)
        self._show_settings(clip.source, other)
        self._show_file(clip.source)
        self._failure.setText(f"This clip cannot be shown. {failure}" if failure else "")
        self._failure.setVisible(failure is not None)
        self._take.setVisible(motion is not None)
        if motion is not None:
            self._facts.show_facts(_motion_facts(motion))

    def forget_clip(self) -> None:
        """Hold on to no clip: there is none to be shown."""
        self._clip = None

    def set_file_state(self, state: Staleness | None) -> None:
        """Say how the clip's file is stale, or None: it is as it was."""
        self._state.setText(_FILE_STATES[state] if state is not None else "")
        self._state.setVisible(state is not None)
        self.reload_button.setEnabled(state != Staleness.MISSING)

    def _show_settings(self, source: Source | Unknown, other: bool) -> None:
        has_settings = isinstance(source, Source) and bool(settings_of(source))
        if self.form is not None and (other or type(self.form.value) is not type(source)):
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        if has_settings and self.form is None:
            self.form = SettingsForm(source, self._context, self._form_place)
            self.form.changing.connect(self.changing)
            self.form.changed.connect(self.changed)
            self.form.nudged.connect(self.nudged)
            self.form.cancelled.connect(self.cancelled)
            self.form.refused.connect(self.refused)
            place = self._form_place.layout()
            assert place is not None
            place.addWidget(self.form)
        elif self.form is not None:
            self.form.set_value(source)
        self._settings.setVisible(has_settings)
        self._settings.set_title(source.kind if isinstance(source, Unknown) else source.title)

    def _show_file(self, source: Any) -> None:
        is_file = isinstance(source, ImportedFile)
        self._file.setVisible(is_file)
        self._report.setVisible(is_file and bool(source.problems))
        if is_file:
            self._file_facts.show_facts(_file_facts(source))
            self.report.show_only(source.path, source.problems)

    def _show_icons(self) -> None:
        self.reload_button.setIcon(icon("reload"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icons()


class _Facts(QWidget):
    """Names and values, to read and to copy."""

    def __init__(self) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(GRID)
        self._form.setVerticalSpacing(GRID // 2)
        self._labels: dict[str, ElidedLabel] = {}

    def show_facts(self, facts: dict[str, str]) -> None:
        """Show these and no others."""
        if tuple(facts) != tuple(self._labels):
            while self._form.rowCount():
                self._form.removeRow(0)
            self._labels = {}
            for name in facts:
                label = ElidedLabel()
                label.setFont(tabular(label.font()))
                label.setAccessibleName(name)
                self._labels[name] = label
                self._form.addRow(form_label(name, label), label)
        for name, text in facts.items():
            self._labels[name].setText(text)


def _motion_facts(motion: Motion) -> dict[str, str]:
    return {
        "Length": f"{motion.frames} frames, {SECONDS.format(motion.duration_s)}",
        "Frame rate": FRAME_RATE.format(motion.fps),
        "Joints": str(len(motion.skeleton)),
    }


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
