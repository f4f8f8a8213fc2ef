"""The curve editor as the window has it: with a ruler like the timeline's, over the same part of the same take."""

from PySide6.QtCore import QObject

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from widgets.curves.curve_editor import CurveEditor
from widgets.timeline.axis import TimeAxis
from widgets.timeline.markers import Markers
from widgets.timeline.ruler import Ruler
from widgets.timeline.timeline import Timeline


def make_curve_editor(document: Document, session: Session, showing: Showing, timeline: Timeline) -> CurveEditor:
    """A curve editor whose time axis keeps to the timeline's."""
    axis = TimeAxis()
    markers = Markers(document, session, showing, axis)
    ruler = Ruler(axis, session, markers, _no_magnets)
    editor = CurveEditor(document, session, showing, axis, ruler)
    axis.setParent(editor)
    markers.setParent(editor)
    ruler.scrubbed.connect(timeline.playback.pause)
    AxisLink(timeline.axis, axis, editor)
    return editor


def _no_magnets() -> list[float]:
    return []


class AxisLink(QObject):
    """Keeps a second time axis to a first: the same take and unit, and in both directions the same part of it."""

    def __init__(self, first: TimeAxis, second: TimeAxis, parent: QObject) -> None:
        super().__init__(parent)
        self._first = first
        self._second = second
        self._is_busy = False
        first.changed.connect(self._on_first)
        second.changed.connect(self._on_second)
        self._on_first()

    def _on_first(self) -> None:
        if self._is_busy or not self._first.frames:
            return
        self._is_busy = True
        numbering = self._first.numbering
        self._second.set_unit(numbering.unit)
        self._second.set_take(self._first.frames, self._first.scale.frame_time_s, numbering.file_number)
        _show_same(self._first, self._second)
        self._is_busy = False

    def _on_second(self) -> None:
        if self._is_busy or not self._first.frames:
            return
        self._is_busy = True
        _show_same(self._second, self._first)
        self._is_busy = False


def _show_same(of: TimeAxis, on: TimeAxis) -> None:
    """Show on one axis the time that is seen of another, however wide either is."""
    if of.scale.is_fitted:
        on.fit()
        return
    on.zoom(on.scale.seen_s / of.scale.seen_s, 0.0)
    on.pan((of.scale.start_s - on.scale.start_s) * on.scale.pixels_per_s)
