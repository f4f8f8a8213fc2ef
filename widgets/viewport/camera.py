"""The camera: it turns about a target. Owns all mathematics between the world and pixels; knows nothing of Qt.

Pixels are logical ones, x to the right and y down, from the upper left corner of a view of `size` (width, height).
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from model.arrays import Array

Size = tuple[float, float]

_STEEPEST_RAD = math.pi / 2
_NEAREST_M, _FARTHEST_M = 0.05, 2000.0
_ROOM = 1.18  # how much more than the box is seen when it is framed


class Preset(StrEnum):
    """From where to look, as seen by a figure that faces forward."""

    FRONT = "front"
    BACK = "back"
    SIDE = "side"
    OTHER_SIDE = "other side"
    TOP = "top"
    BOTTOM = "bottom"
    THREE_QUARTER = "three-quarter"


# Yaw and pitch. The side is the figure's right, so that a walk goes from left to right.
_ANGLES_DEG = {
    Preset.FRONT: (0.0, 4.0),
    Preset.BACK: (180.0, 4.0),
    Preset.SIDE: (-90.0, 4.0),
    Preset.OTHER_SIDE: (90.0, 4.0),
    Preset.TOP: (0.0, 90.0),
    Preset.BOTTOM: (0.0, -90.0),
    Preset.THREE_QUARTER: (-38.0, 14.0),
}


@dataclass(frozen=True)
class Camera:
    """Where from and how it is looked.

    At yaw 0 the camera stands on the +Z side of its target, at a quarter turn on the +X side; pitch is how far it
    looks down. fov_rad : the angle of view across the shorter side of the picture.
    """

    target: tuple[float, float, float] = (0.0, 0.9, 0.0)
    distance_m: float = 4.5
    yaw_rad: float = math.radians(-38.0)
    pitch_rad: float = math.radians(14.0)
    fov_rad: float = math.radians(32.0)

    @cached_property
    def axes(self) -> Array:
        """(3, 3) rows: the unit vectors to the right, up, and back towards the camera."""
        yaw, pitch = self.yaw_rad, self.pitch_rad
        right = np.array([math.cos(yaw), 0.0, -math.sin(yaw)])
        back = np.array([math.sin(yaw) * math.cos(pitch), math.sin(pitch), math.cos(yaw) * math.cos(pitch)])
        return np.stack([right, np.cross(back, right), back])

    @cached_property
    def eye(self) -> Array:
        """(3,) where the camera is."""
        return np.asarray(np.array(self.target) + self.distance_m * self.axes[2])

    @property
    def near_m(self) -> float:
        return max(0.02, 0.02 * self.distance_m)

    @property
    def far_m(self) -> float:
        return 200.0 + 40.0 * self.distance_m

    # Matrices, as OpenGL wants them multiplied: clip = projection @ view @ (x, y, z, 1)

    @cached_property
    def view_matrix(self) -> Array:
        """(4, 4) from the world to the camera, which looks along -Z."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes
        matrix[:3, 3] = -self.axes @ self.eye
        return matrix

    def projection_matrix(self, size: Size) -> Array:
        """(4, 4) from the camera to clip space."""
        across, up = self._slopes(size)
        near, far = self.near_m, self.far_m
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = 1.0 / across, 1.0 / up
        matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix

    def matrix(self, size: Size) -> Array:
        """(4, 4) from the world to clip space."""
        return np.asarray(self.projection_matrix(size) @ self.view_matrix)

    # Between the world and pixels

    def project(self, world_positions: Array, size: Size) -> tuple[Array, Array]:
        """Pixels (..., 2) and depths (...) in metres in front of the camera; pixels mean nothing where depth is not
        positive. world_positions : (..., 3).
        """
        seen = (world_positions - self.eye) @ self.axes.T
        depths = -seen[..., 2]
        safe = np.where(np.abs(depths) < 1e-9, 1e-9, depths)[..., None]
        across, up = self._slopes(size)
        share = seen[..., :2] / safe / np.array([across, up])
        pixels = (share * [0.5, -0.5] + 0.5) * np.array(size)
        return np.asarray(pixels), np.asarray(depths)

    def ray(self, pixel: tuple[float, float], size: Size) -> tuple[Array, Array]:
        """Where the ray through a pixel starts, (3,), and its unit direction, (3,)."""
        across, up = self._slopes(size)
        x, y = 2.0 * pixel[0] / size[0] - 1.0, 1.0 - 2.0 * pixel[1] / size[1]
        direction = np.array([x * across, y * up, -1.0]) @ self.axes
        return self.eye, direction / np.linalg.norm(direction)

    def pixels_per_metre(self, depths: Array | float, size: Size) -> Array:
        """How large a metre across the view is at a depth."""
        return np.asarray(0.5 * size[1] / self._slopes(size)[1] / np.maximum(depths, 1e-6))

    def _slopes(self, size: Size) -> tuple[float, float]:
        """Half the picture's width and height at one metre's distance."""
        width, height = max(size[0], 1.0), max(size[1], 1.0)
        shorter = math.tan(0.5 * self.fov_rad)
        return shorter * max(width / height, 1.0), shorter * max(height / width, 1.0)

    # Other cameras

    def orbited(self, yaw_rad: float, pitch_rad: float) -> "Camera":
        """Turned about the target; never over the top."""
        pitch = min(max(self.pitch_rad + pitch_rad, -_STEEPEST_RAD), _STEEPEST_RAD)
        return replace(self, yaw_rad=_wrapped(self.yaw_rad + yaw_rad), pitch_rad=pitch)

    def panned(self, right_px: float, down_px: float, size: Size) -> "Camera":
        """Moved so that what is at the target's distance follows the mouse."""
        metres = 1.0 / float(self.pixels_per_metre(self.distance_m, size))
        return self.moved(-right_px * metres * self.axes[0] + down_px * metres * self.axes[1])

    def moved(self, by: Array) -> "Camera":
        """Moved with its target by (3,) metres."""
        return self.aimed(np.array(self.target) + by)

    def aimed(self, target: Array) -> "Camera":
        """Looking from the same side at another target (3,)."""
        x, y, z = (float(value) for value in target)
        return replace(self, target=(x, y, z))

    def zoomed(self, factor: float) -> "Camera":
        """At `factor` times the distance."""
        return replace(self, distance_m=min(max(self.distance_m * factor, _NEAREST_M), _FARTHEST_M))

    def at_preset(self, preset: Preset, front_yaw_rad: float = 0.0) -> "Camera":
        """Looking from a side of a figure whose front is seen from `front_yaw_rad`."""
        yaw, pitch = (math.radians(angle) for angle in _ANGLES_DEG[preset])
        return replace(self, yaw_rad=_wrapped(front_yaw_rad + yaw), pitch_rad=pitch)

    def framing(self, points: Array, size: Size, least_m: float = 0.05) -> "Camera":
        """The camera that sees all points (N, 3) from the same side, at no less than `least_m` across."""
        if not len(points):
            return self
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        middle = 0.5 * (low + high)
        corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        seen = (corners - middle) @ self.axes.T
        half = np.maximum(np.abs(seen[:, :2]), 0.5 * least_m)
        # Each corner asks for the distance at which it is just inside.
        distances = seen[:, 2] + np.max(half / np.array(self._slopes(size)), axis=-1)
        distance = min(max(_ROOM * float(np.max(distances)), _NEAREST_M), _FARTHEST_M)
        return replace(self.aimed(middle), distance_m=distance)

    def towards(self, other: "Camera", part: float) -> "Camera":
        """On the way to another camera, `part` from 0 to 1, turning the shorter way."""
        turn = _wrapped(other.yaw_rad - self.yaw_rad)
        x, y, z = (a + part * (b - a) for a, b in zip(self.target, other.target, strict=True))
        return Camera(
            (x, y, z),
            self.distance_m * (other.distance_m / self.distance_m) ** part,
            _wrapped(self.yaw_rad + part * turn),
            self.pitch_rad + part * (other.pitch_rad - self.pitch_rad),
            self.fov_rad + part * (other.fov_rad - self.fov_rad),
        )


def _wrapped(angle_rad: float) -> float:
    """The same angle within half a turn of zero."""
    return math.remainder(angle_rad, 2.0 * math.pi)
