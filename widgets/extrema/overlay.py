"""Ghosts of the figure at its extreme poses."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from widgets.common.theme import Theme
from widgets.extrema.extrema import Extrema
from widgets.viewport.composing import figure_paints
from widgets.viewport.overlay import Ghost, Overlay
from widgets.viewport.scene import rgb

_MOST = 8


class ExtremeGhosts(Overlay):
    """Copies at the extremes nearest to the playhead, fainter the farther away."""

    def __init__(self, extrema: Extrema, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._extrema = extrema
        self._is_on = False
        extrema.changed.connect(self._on_changed)

    @property
    def is_on(self) -> bool:
        return self._is_on

    def set_on(self, on: bool) -> None:
        self._is_on = on
        self.changed.emit()

    def ghosts(self, now_s: float, theme: Theme) -> Sequence[Ghost]:
        if not self._is_on:
            return ()
        times_s = (extreme.time_s for extreme in self._extrema.extremes)
        away = sorted((abs(at_s - now_s), at_s) for at_s in times_s if abs(at_s - now_s) > 1e-6)[:_MOST]
        paints = figure_paints(theme)
        paints[:, :3] = 0.35 * paints[:, :3] + 0.65 * rgb(theme.extreme)
        found = []
        for apart_s, at_s in away:
            own = paints.copy()
            own[:, 3] = 0.5 - 0.36 * apart_s / away[-1][0]
            found.append(Ghost(at_s, own))
        return found

    def _on_changed(self) -> None:
        if self._is_on:
            self.changed.emit()
