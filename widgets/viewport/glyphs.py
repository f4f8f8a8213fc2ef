"""How handles look: round grips, padlocks, lines, and the colours of the axes."""

import numpy as np

from model.arrays import Array
from widgets.common.theme import theme
from widgets.viewport import shapes
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Dots, Lines, rgba
from widgets.viewport.tool import Handles

_LOCK_PX = 5.0  # half the width of a padlock
_LOCK_AWAY_PX = (-18.0, 11.0)  # of a padlock from its handle, right and up: the name of a joint stands at its right


def axis_colour(axis: int, opacity: float = 1.0) -> Array:
    """(4,) the colour of X, Y or Z."""
    return rgba((theme().axis_x, theme().axis_y, theme().axis_z)[axis], opacity)


def ink(name: str, opacity: float = 1.0) -> Array:
    """(4,) a colour of the theme in use."""
    return rgba(getattr(theme(), name), opacity)


def grip(position: Array, fill: str, size_px: float, lit: bool, opacity: float = 1.0) -> Handles:
    """A round handle with a dark and a light rim, so that it stands out from figure and ground alike."""
    size_px = size_px + 3.0 if lit else size_px
    rim = "accent" if lit else "text"
    colours = np.stack([ink("window", 0.9 * opacity), ink(rim, opacity), ink(fill, opacity)])
    sizes = np.array([size_px + 5.0, size_px + 2.0, size_px - 1.0])
    return Handles(dots=Dots(np.tile(position, (3, 1)), colours, sizes))


def lock_place(position: Array, camera: Camera, size: Size) -> Array:
    """(3,) where the padlock of a handle stands."""
    metre = shapes.metres_at(position, 1.0, camera, size)
    right, up = _LOCK_AWAY_PX
    return np.asarray(position + metre * (right * camera.axes[0] + up * camera.axes[1]))


def padlock(position: Array, closed: bool, lit: bool, camera: Camera, size: Size) -> Handles:
    """A small padlock beside a handle: closed where the joint is pinned, open and faint where it could be."""
    at = lock_place(position, camera, size)
    metre = shapes.metres_at(at, 1.0, camera, size)
    right, up = metre * camera.axes[0], metre * camera.axes[1]
    colour, rim = ink("accent" if lit else "text", 1.0 if closed or lit else 0.75), ink("window")
    # An open shackle stands beside the body, on one foot.
    foot, centre = 0.6 * _LOCK_PX * right, at + (0.0 if closed else 1.2 * _LOCK_PX) * right
    bow = shapes.arc(centre + 0.7 * _LOCK_PX * up, foot, camera.axes[2], np.pi, 32)
    end = centre - foot + (0.2 if closed else 0.6) * _LOCK_PX * up
    bow = np.concatenate([(centre + foot + 0.2 * _LOCK_PX * up)[None], bow, end[None]])
    body = _box(at, _LOCK_PX, right, up)
    return Handles(
        fills=shapes.filled(_box(at, _LOCK_PX + 1.5, right, up), rim) + shapes.filled(body, colour),
        lines=shapes.polyline(bow, rim, 4.2) + shapes.polyline(bow, colour, 1.8),
    )


def _box(at: Array, half_px: float, right: Array, up: Array) -> Array:
    """(4, 3) the body of a padlock. right, up : (3,) a pixel long."""
    high = half_px - 0.8 * _LOCK_PX
    return np.stack([
        at - half_px * (right + up), at + half_px * (right - up), at + half_px * right + high * up,
        at - half_px * right + high * up,
    ])  # fmt: skip


def thread(start: Array, end: Array, name: str, opacity: float = 0.8, width_px: float = 1.6) -> Lines:
    """A thin line between two places (3,)."""
    return Lines(start[None], end[None], ink(name, opacity)[None], np.array([width_px]))
