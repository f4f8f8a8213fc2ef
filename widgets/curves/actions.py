"""What the user can do with curves and keys."""

from PySide6.QtCore import QObject

from model.clip import Take
from model.skeleton import JointRef
from widgets.curves.panel import make_curve_editor
from widgets.curves.reduce_form import ReduceForm
from widgets.desk.contributions import Action, ExtremeMoments
from widgets.desk.desk import Desk

PANEL = "Curves"


class CurveActions(QObject):
    """The curve editor as a window has it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self._form: ReduceForm | None = None
        self.panel = make_curve_editor(desk.document, desk.session, desk.showing, desk.timeline)
        self.panel.import_wanted.connect(self._open)
        self.panel.reduce_wanted.connect(self.reduce_to_keys)
        self.panel.extremes_wanted.connect(self.keys_at_extremes)

    def actions(self) -> tuple[Action, ...]:
        return (
            Action(
                "reduce_to_keys", "Reduce to &keys…", "Edit", 210, "Few keys in the place of all the clip's frames",
                self.reduce_to_keys, is_enabled=lambda: self._desk.clip is not None,
                synonyms="simplify decimate bake keyframe",
            ),
        )  # fmt: skip

    def _open(self) -> None:
        self._desk.trigger("open")

    def reduce_to_keys(self) -> None:
        """Ask how many keys there shall be in the place of all frames."""
        desk, window = self._desk, self._desk.widget
        if self._form is None:
            self._form = ReduceForm(desk.document, desk.session, desk.showing, desk.jobs, window)
            self._form.made.connect(self._on_reduced)
            self._form.adjustSize()
            self._form.move(window.geometry().center() - self._form.rect().center())
        self._form.show()
        self._form.raise_()
        self._form.activateWindow()

    def _on_reduced(self) -> None:
        self._desk.show_panel(PANEL)

    def keys_at_extremes(self) -> None:
        """Put keys on the curves that are shown, where their joints are at their extremes."""
        shown = self._desk.showing.current
        refs = {track.channel.joint for track in self.panel.editing.edited_tracks}
        moments = next(iter(self._desk.brought(ExtremeMoments)), None)
        if shown is None or not refs or moments is None:
            return
        take, find = shown.take, moments.joint_finder()
        job = self._desk.jobs.start("Finding extremes of joints", lambda tell: (take, find(take.motion, refs)))
        job.finished.connect(self._on_moments)
        job.failed.connect(self._on_failed)

    def _on_moments(self, found: tuple[Take, dict[JointRef, tuple[float, ...]]]) -> None:
        shown, (take, moments_s) = self._desk.showing.current, found
        if shown is not None and shown.take is take:
            self.panel.insert_at_extremes(moments_s)

    def _on_failed(self, reason: str, details: str) -> None:
        self._desk.banner.warn(reason)
