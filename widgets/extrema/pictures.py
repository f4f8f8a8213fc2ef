"""Small figures of poses for the timeline: bones as strokes, left blue, right coral, all of a clip in one size."""

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

from model.arrays import Array, IntArray
from model.motion import Motion
from model.recent import Recent
from model.skeleton import Skeleton
from widgets.common.pose_views import picture_axes, poses_at
from widgets.common.small_figure import paint_pose, strokes
from widgets.common.theme import theme

MARGIN_PX = 4.0
_KEPT_PIXMAPS = 500


@dataclass(frozen=True, eq=False)
class PosePicture:
    """A pose as seen in its picture. points : (J, 2) metres, to the right of its middle and above the ground;
    half_m : half its width.
    """

    points: Array
    half_m: float


class PosePictures:
    """Poses of motions as pictures, worked out when they are first asked for."""

    def __init__(self) -> None:
        self._motions: WeakKeyDictionary[Motion, _Kept] = WeakKeyDictionary()  # which holds no motion
        self._drawn: Recent[tuple[object, ...], QPixmap] = Recent(_KEPT_PIXMAPS)

    def of(self, motion: Motion, frames: list[int], ground_m: float) -> list[PosePicture]:
        """The pictures of poses at whole frames."""
        kept = self._kept(motion)
        missing = np.array([frame for frame in frames if frame not in kept.pictures], dtype=np.intp)
        if len(missing):
            for frame, picture in zip(missing.tolist(), _made(motion, missing, ground_m), strict=True):
                kept.pictures[frame] = picture
                kept.top_m = max(kept.top_m, float(np.max(picture.points[:, 1])))
        return [kept.pictures[frame] for frame in frames]

    def height_m(self, motion: Motion) -> float:
        """How high the highest pose reaches of those that were asked for."""
        return max(self._kept(motion).top_m, 1e-3)

    def drawn(
        self, picture: PosePicture, skeleton: Skeleton, pixels_per_m: float, size: QSizeF, ratio: float
    ) -> QPixmap:
        """A picture of a size, its feet at the bottom, with a margin about it. Drawn once: strokes take their time."""
        key = (picture, round(pixels_per_m, 4), size.width(), size.height(), ratio, theme().name)
        return self._drawn.get(key, lambda: _drawn(picture, skeleton, pixels_per_m, size, ratio))

    def _kept(self, motion: Motion) -> "_Kept":
        return self._motions.setdefault(motion, _Kept())


@dataclass(eq=False)
class _Kept:
    """The pictures of a motion by their frames, and how high the highest reaches."""

    pictures: dict[int, PosePicture] = field(default_factory=dict)
    top_m: float = 0.0


def _drawn(picture: PosePicture, skeleton: Skeleton, pixels_per_m: float, size: QSizeF, ratio: float) -> QPixmap:
    room = size + QSizeF(2.0 * MARGIN_PX, 2.0 * MARGIN_PX)
    made = QPixmap((room * ratio).toSize())
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    with QPainter(made) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        foot = QPointF(MARGIN_PX + 0.5 * size.width(), MARGIN_PX + size.height())
        paint_pose(painter, picture.points, skeleton, foot, pixels_per_m)
    return made


def _made(motion: Motion, frames: IntArray, ground_m: float) -> list[PosePicture]:
    axes = picture_axes(motion, frames)
    world = poses_at(motion, frames).positions
    drawn = sorted({joint for stroke in strokes(motion.skeleton) for joint in (stroke.start, stroke.end)}) or [0]
    along = np.einsum("njc,nc->nj", (world - world[:, [0]])[..., [0, 2]], axes)
    along = along - 0.5 * (np.min(along[:, drawn], axis=1) + np.max(along[:, drawn], axis=1))[:, None]
    points = np.stack([along, world[..., 1] - ground_m], axis=-1)
    halves = np.max(np.abs(along[:, drawn]), axis=1).tolist()
    return [PosePicture(one, half) for one, half in zip(points, halves, strict=True)]
