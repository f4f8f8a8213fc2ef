"""What a clip is made of: the settings of a source that has some, and the facts of a file."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from model.clip import Clip, Source, Unknown, settings_of
from model.measures import FRAME_RATE, SECONDS
from model.motion import Motion
from widgets.common.elided import ElidedLabel
from widgets.common.number_field import tabular
from widgets.common.plain_label import PlainLabel
from widgets.common.setting_kinds import FormContext
from widgets.common.theme import GRID
from widgets.inspector.contracts import SourcePart
from widgets.inspector.section import Section
from widgets.inspector.settings_form import SettingsForm, form_label


class ClipProperties(QWidget):
    """A clip's source. Its signals are those of the settings form."""

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)

    def __init__(self, context: FormContext, parts: Sequence[SourcePart] = (), parent: QWidget | None = None) -> None:
        """parts : what features tell of sources."""
        super().__init__(parent)
        self._context = replace(context, read_s=float, meant_s=float)  # what a source says is in its own time
        self._clip: Clip | None = None
        self.form: SettingsForm | None = None
        self._form_place = QWidget()
        place = QVBoxLayout(self._form_place)
        place.setContentsMargins(0, 0, 0, 0)
        self._settings = Section("Source", self._form_place)
        self._facts = Facts()
        self._take = Section("Take", self._facts)
        self.parts = tuple(parts)
        self._sections = [Section(part.title, part) for part in self.parts]
        self._failure = PlainLabel()
        self._failure.setWordWrap(True)
        self._failure.setMinimumWidth(1)  # else a long path would widen the panel
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._failure)
        for section in (self._settings, self._take, *self._sections):
            layout.addWidget(section)

    def set_clip(self, clip: Clip, motion: Motion | None, failure: str | None = None) -> None:
        """Show a clip. motion : the finished take's, None while it is not known; failure : why there is none."""
        other = self._clip is None or self._clip.id != clip.id
        self._clip = clip
        self._show_settings(clip.source, other)
        for part, section in zip(self.parts, self._sections, strict=True):
            title = part.show_clip(clip)
            section.setVisible(title is not None)
            if title is not None:
                section.set_title(title)
        self._failure.setText(f"This clip cannot be shown. {failure}" if failure else "")
        self._failure.setVisible(failure is not None)
        self._take.setVisible(motion is not None)
        if motion is not None:
            self._facts.show_facts(_motion_facts(motion))

    def forget_clip(self) -> None:
        """Hold on to no clip: there is none to be shown."""
        self._clip = None

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


class Facts(QWidget):
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
