"""Where curves, keys and handles are on the screen, and what of them is under the mouse. Knows nothing of widgets."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from editor.curves.channels import Channel
from editor.curves.editing import Spot, at_moments, by_channel
from model.arrays import Array
from model.contacts import Mask
from widgets.curves.axis import Scale
from widgets.curves.tracks import Board, Track
from widgets.curves.value_scale import ValueScale

KEY_PX = 8.0
HANDLE_PX = 6.0
_GRAB_PX = 7.0
_CURVE_GRAB_PX = 5.0
_MOST_HANDLES = 60  # more would be a thicket
BOX_MARGIN_PX = 14.0
_GRIP_PX = 8.0


@dataclass(frozen=True)
class Handle:
    """The end of a key's tangent. side : "in" or "out"; source_per_shown : how fast the source's time runs there."""

    spot: Spot
    side: str
    at: QPointF
    key_at: QPointF
    source_per_shown: float


@dataclass(frozen=True)
class Grip:
    """A handle of the box round the selected keys. part : which edges it moves, of "left", "right", "top", "bottom"."""

    part: tuple[str, ...]
    rect: QRectF


@dataclass(frozen=True, eq=False)
class Layout:
    """What is seen, and how it is laid out: time along x, degrees or centimetres up y."""

    board: Board
    visible: tuple[Track, ...]
    selected: frozenset[Spot]
    active: frozenset[Channel]
    times: Scale
    values: ValueScale

    @cached_property
    def chosen(self) -> list[tuple[Track, Mask]]:
        """The tracks with selected keys, and which of their keys these are."""
        moments = by_channel(self.selected)
        return [
            (track, at_moments(track.keys, moments[track.channel]))
            for track in self.visible
            if track.channel in moments and len(track.keys)
        ]

    def key_points(self, track: Track) -> Array:
        """(K, 2) where a track's keys are."""
        x = self.times.x_of(0.0) + track.times_s * self.times.pixels_per_s
        shown = track.key_values / track.measure.factor
        return np.stack([x, self.values.height_px - (shown - self.values.low) / self.values.per_px], axis=-1)

    def key_at(self, point: QPointF) -> Spot | None:
        """The key under the mouse, the nearest, and of those that are selected before the others."""
        best: tuple[float, Spot] | None = None
        for track in self.visible:
            if not len(track.keys):
                continue
            away = self.key_points(track) - (point.x(), point.y())
            far = np.hypot(away[:, 0], away[:, 1])
            place = int(np.argmin(far))
            spot = Spot(track.channel, track.keys.keys[place].time_s)
            distance = float(far[place]) - (1.0 if spot in self.selected else 0.0)
            if far[place] <= _GRAB_PX and (best is None or distance < best[0]):
                best = (distance, spot)
        return None if best is None else best[1]

    def keys_in(self, rect: QRectF) -> Iterator[Spot]:
        """The keys within a rectangle."""
        for track in self.visible:
            if len(track.keys):
                at = self.key_points(track)
                inside = (at[:, 0] >= rect.left()) & (at[:, 0] <= rect.right())
                inside &= (at[:, 1] >= rect.top()) & (at[:, 1] <= rect.bottom())
                for place in np.flatnonzero(inside):
                    yield Spot(track.channel, track.keys.keys[place].time_s)

    def track_at(self, point: QPointF) -> Track | None:
        """The track whose curve is under the mouse; where several are, an active one first, then the nearest."""
        reach = np.arange(-3.0, 3.1, 1.0)
        times = np.array([self.times.time_at(point.x() + by) for by in reach])
        best: tuple[float, Track] | None = None
        for track in self.visible:
            shown = track.value_at(times) / track.measure.factor
            y = self.values.height_px - (shown - self.values.low) / self.values.per_px
            away = max(float(np.min(y)) - point.y(), point.y() - float(np.max(y)), 0.0)
            away = min(away, float(np.min(np.hypot(y - point.y(), reach))))
            order = away - (100.0 if track.channel in self.active else 0.0)
            if away <= _CURVE_GRAB_PX and (best is None or order < best[0]):
                best = (order, track)
        return None if best is None else best[1]

    def handles(self) -> list[Handle]:
        """The tangents of the selected keys: a third of the way to the neighbours, where there are any."""
        if len(self.selected) > _MOST_HANDLES:
            return []
        made = []
        for track, mask in self.chosen:
            at = self.key_points(track)
            for place in np.flatnonzero(mask):
                made += self._handles_of(track, int(place), QPointF(*at[place]))
        return made

    def _handles_of(self, track: Track, place: int, key_at: QPointF) -> list[Handle]:
        key, times = track.keys.keys[place], track.times_s
        made = []
        for side, other, slopes in (("in", place - 1, track.keys.slopes[0]), ("out", place + 1, track.keys.slopes[1])):
            if not 0 <= other < len(times) or (side == "out" and key.tangent == "stepped"):
                continue
            by_s = (times[other] - times[place]) / 3.0
            by_source_s = (track.keys.times_s[other] - key.time_s) / 3.0
            rise = slopes[place] * by_source_s / track.measure.factor
            along = QPointF(by_s * self.times.pixels_per_s, -rise / self.values.per_px)
            spot = Spot(track.channel, key.time_s)
            made.append(Handle(spot, side, key_at + along, key_at, float(by_source_s / by_s)))
        return made

    def handle_at(self, point: QPointF) -> Handle | None:
        near = [(_distance(handle.at, point), handle) for handle in self.handles()]
        far, handle = min(near, key=lambda one: one[0], default=(np.inf, None))
        return handle if far <= _GRAB_PX else None

    def box(self) -> QRectF | None:
        """The rectangle round the selected keys, where there are at least two."""
        points = [self.key_points(track)[mask] for track, mask in self.chosen]
        at = np.concatenate(points) if points else np.zeros((0, 2))
        if len(at) < 2:
            return None
        (left, top), (right, bottom) = at.min(axis=0), at.max(axis=0)
        return QRectF(left, top, right - left, bottom - top)

    def grips(self) -> list[Grip]:
        """What the box is scaled by: in time where it has a width, in value where it has a height."""
        box = self.box()
        if box is None:
            return []
        round_ = box.adjusted(-BOX_MARGIN_PX, -BOX_MARGIN_PX, BOX_MARGIN_PX, BOX_MARGIN_PX)
        middle = round_.center()
        places: list[tuple[tuple[str, ...], float, float]] = []
        if box.width() > 1.0:
            places += [(("left",), round_.left(), middle.y()), (("right",), round_.right(), middle.y())]
        if box.height() > 1.0:
            places += [(("top",), middle.x(), round_.top()), (("bottom",), middle.x(), round_.bottom())]
        if len(places) == 4:
            places += [
                ((side, end), round_.left() if side == "left" else round_.right(),
                 round_.top() if end == "top" else round_.bottom())
                for side in ("left", "right") for end in ("top", "bottom")
            ]  # fmt: skip
        return [Grip(part, QRectF(x - _GRIP_PX / 2, y - _GRIP_PX / 2, _GRIP_PX, _GRIP_PX)) for part, x, y in places]

    def grip_at(self, point: QPointF) -> Grip | None:
        return next((grip for grip in self.grips() if grip.rect.adjusted(-2, -2, 2, 2).contains(point)), None)


def _distance(one: QPointF, other: QPointF) -> float:
    return float(np.hypot(one.x() - other.x(), one.y() - other.y()))
