"""The camera of a view over time: where it is, how it gets elsewhere, and how it goes along with a figure."""

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from model.arrays import Array
from model.motion import Motion
from model.roles import Role
from widgets.viewport.camera import Camera
from widgets.viewport.poses import frames_at, world_at

_MOVE_MS = 220
_SMOOTH_S = np.linspace(-0.4, 0.4, 9)
_LATELY_S = np.linspace(-0.8, 0.0, 9)
_MOST_BEHIND_M = 0.35


class CameraRig(QObject):
    """Moves a camera, smoothly where `animated` says so."""

    changed = Signal(object)  # the camera

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.animated = True
        self._camera = self._from = self._to = Camera()
        self._followed: Array | None = None
        self._move = QVariantAnimation(self)
        self._move.setDuration(_MOVE_MS)
        self._move.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._move.setStartValue(0.0)
        self._move.setEndValue(1.0)
        self._move.valueChanged.connect(self._on_moved)

    @property
    def camera(self) -> Camera:
        return self._camera

    @property
    def goal(self) -> Camera:
        """Where the camera is, or is going to be."""
        return self._to if self._is_moving() else self._camera

    @property
    def followed(self) -> Array | None:
        """(3,) where the body was last seen."""
        return self._followed

    def set(self, camera: Camera, smoothly: bool = False) -> None:
        """Look from elsewhere, at once or within a moment."""
        self._move.stop()
        if smoothly and self.animated:
            self._from, self._to = self._camera, camera
            self._move.start()
        else:
            self._show(camera)

    def hold(self) -> None:
        """Stay where the camera is by now."""
        self._move.stop()

    def stand_by(self, point: Array | None) -> None:
        """Follow from here on. point : (3,) where the followed body is."""
        self._followed = point

    def follow(self, point: Array | None) -> None:
        """Go along with a body that is at (3,) now."""
        if point is not None and self._followed is not None and np.any(np.abs(point - self._followed) > 1e-9):
            self.set(self.goal.moved(point - self._followed))
        self._followed = point

    def distance_m(self, point: Array | None) -> float:
        """How far a body is from where it was followed to."""
        if point is None or self._followed is None:
            return 0.0
        return float(np.linalg.norm(point - self._followed))

    def _is_moving(self) -> bool:
        return self._move.state() == QVariantAnimation.State.Running

    def _on_moved(self, part: float) -> None:
        self._show(self._from.towards(self._to, float(part)))

    def _show(self, camera: Camera) -> None:
        if camera != self._camera:
            self._camera = camera
            self.changed.emit(camera)


def followed_point(motion: Motion, time_s: float) -> Array | None:
    """(3,) where the body is on the ground about a moment, without the sway of its steps; y is zero."""
    if not motion.frames:
        return None
    pelvis = motion.skeleton.joint(Role.PELVIS) or 0
    # Near the ends the span shrinks to both sides alike: the camera then neither runs ahead nor lags behind.
    room = min(max(time_s, 0.0), max(motion.duration_s - time_s, 0.0))
    spans = np.clip(_SMOOTH_S, -room, room)
    positions = world_at(motion, frames_at(motion, time_s + spans)).positions[:, pelvis]
    x, _, z = np.nan_to_num(np.mean(positions, axis=0))
    return np.array([x, 0.0, z])


def trailing_point(motion: Motion) -> Array:
    """(3,) where to look for a body whose last frame is now: where it lately was on the ground, without the sway of its
    steps, but not far behind it; y is zero. The motion must have frames.
    """
    pelvis = motion.skeleton.joint(Role.PELVIS) or 0
    frames = frames_at(motion, motion.duration_s + _LATELY_S)
    places = np.nan_to_num(world_at(motion, frames).positions[:, pelvis]) * [1.0, 0.0, 1.0]
    behind = places[-1] - np.mean(places, axis=0)
    far_m = float(np.linalg.norm(behind))
    return np.asarray(places[-1] - behind * min(1.0, _MOST_BEHIND_M / max(far_m, 1e-9)))
