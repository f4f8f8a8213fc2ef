"""Where the mouse is in the world: its ray against planes and lines."""

import numpy as np

from model.arrays import Array
from widgets.viewport.camera import Camera, Size

_ALONG = 1e-4  # a ray this nearly along a plane meets it nowhere useful
_FARTHEST_M = 200.0


def on_plane(camera: Camera, pixel: tuple[float, float], size: Size, point: Array, normal: Array) -> Array | None:
    """(3,) where the ray through a pixel meets the plane through a point (3,); None where it does not."""
    origin, direction = camera.ray(pixel, size)
    across = float(direction @ normal)
    if abs(across) < _ALONG:
        return None
    along = float((point - origin) @ normal) / across
    return np.asarray(origin + along * direction) if 0.0 < along < _FARTHEST_M else None


def along_line(camera: Camera, pixel: tuple[float, float], size: Size, point: Array, way: Array) -> float:
    """How far along a line from a point (3,) in the unit direction `way` (3,) the mouse is.

    On the screen: the place of the line's picture that is nearest to the pixel, so that the handle stays under the
    mouse even where the line nearly points at the camera.
    """
    here, there = pixel_of(camera, point, size), pixel_of(camera, point + 0.01 * way, size)
    picture = there - here
    length = float(np.linalg.norm(picture))
    if length < 1e-6:
        return 0.0
    ahead = picture / length
    nearest = here + float((np.asarray(pixel) - here) @ ahead) * ahead
    origin, direction = camera.ray((float(nearest[0]), float(nearest[1])), size)
    # The nearest point of the line to that ray, in closed form.
    apart = point - origin
    b = float(way @ direction)
    bottom = 1.0 - b * b
    if bottom < 1e-9:
        return 0.0
    return float(np.clip((b * float(direction @ apart) - float(way @ apart)) / bottom, -_FARTHEST_M, _FARTHEST_M))


def pixel_of(camera: Camera, point: Array, size: Size) -> Array:
    """(2,) where a point (3,) is seen."""
    return np.asarray(camera.project(point, size)[0])
