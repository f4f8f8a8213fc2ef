"""Copies of the figure as it passes through a staggered pose."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject

from widgets.common.theme import Theme
from widgets.stagger.lane import StaggerLane
from widgets.viewport.composing import figure_paints
from widgets.viewport.overlay import Ghost, Overlay

_COPIES = 5


class StaggerGhosts(Overlay):
    """From the first to the last joint that gets into the pose nearest to the playhead, fainter the earlier."""

    def __init__(self, lane: StaggerLane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._is_on = False
        lane.changed.connect(self._on_changed)

    @property
    def is_on(self) -> bool:
        return self._is_on

    def set_on(self, on: bool) -> None:
        self._is_on = on
        self.changed.emit()

    def times_s(self, now_s: float) -> tuple[float, ...]:
        """The moments at which copies stand."""
        columns = self._lane.columns if self._is_on else None
        if columns is None or not len(columns.centres):
            return ()
        pose = int(np.argmin(np.abs(columns.centres - now_s)))
        knots = columns.knots[pose, list(columns.joints)]
        return tuple(np.linspace(np.min(knots), np.max(knots), _COPIES).tolist())

    def ghosts(self, now_s: float, theme: Theme) -> Sequence[Ghost]:
        found, times_s = [], self.times_s(now_s)
        for place, at_s in enumerate(times_s, 1):
            own = figure_paints(theme)
            own[:, 3] = 0.12 + 0.28 * place / len(times_s)
            found.append(Ghost(at_s, own))
        return found

    def _on_changed(self) -> None:
        if self._is_on:
            self.changed.emit()
