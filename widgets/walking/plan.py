"""The floor seen from above on pixels: zoom, pan, and where its grid lies. Knows nothing of Qt.

+X goes to the right and +Z down, as in the viewport's top view.
"""

from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array

Place = tuple[float, float]
_LEAST_PX_M, _MOST_PX_M = 2.0, 600.0
# Lines of the grid stand this far apart, metres, and no nearer than so many pixels.
_STEPS_M = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_LINES_PX = 14.0


@dataclass(frozen=True)
class Plan:
    """What part of the floor is seen. centre : x, z in the middle; size : of the view, pixels."""

    centre: Place = (0.0, 3.0)
    pixels_per_m: float = 60.0
    size: tuple[float, float] = (400.0, 400.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pixels_per_m", float(np.clip(self.pixels_per_m, _LEAST_PX_M, _MOST_PX_M)))

    def to_px(self, places: Array) -> Array:
        """(..., 2) where places (..., 2) are drawn."""
        return np.asarray((np.asarray(places) - self.centre) * self.pixels_per_m + 0.5 * np.array(self.size))

    def to_m(self, x_px: float, y_px: float) -> Place:
        """The place under a pixel."""
        return (
            self.centre[0] + (x_px - 0.5 * self.size[0]) / self.pixels_per_m,
            self.centre[1] + (y_px - 0.5 * self.size[1]) / self.pixels_per_m,
        )

    def panned(self, x_px: float, y_px: float) -> "Plan":
        """The plan moved along with a hand."""
        x, z = self.centre
        return replace(self, centre=(x - x_px / self.pixels_per_m, z - y_px / self.pixels_per_m))

    def zoomed(self, factor: float, x_px: float, y_px: float) -> "Plan":
        """Nearer or farther; the place under a pixel stays there."""
        fixed = self.to_m(x_px, y_px)
        nearer = replace(self, pixels_per_m=self.pixels_per_m * factor)
        x, z = nearer.to_m(x_px, y_px)
        return replace(nearer, centre=(nearer.centre[0] + fixed[0] - x, nearer.centre[1] + fixed[1] - z))

    def framing(self, places: Array, room_px: float = 28.0) -> "Plan":
        """The plan with places (N, 2) in view."""
        if not len(places):
            return replace(self, centre=(0.0, 0.0), pixels_per_m=60.0)
        low, high = np.min(places, axis=0), np.max(places, axis=0)
        free = np.maximum(np.array(self.size) - 2.0 * room_px, 20.0)
        scale = float(np.min(free / np.maximum(high - low, 0.5)))
        x, z = (0.5 * (low + high)).tolist()
        return replace(self, centre=(x, z), pixels_per_m=min(scale, 150.0))

    def shows(self, places: Array) -> bool:
        """Whether all of some places (N, 2) are in view."""
        pixels = self.to_px(places)
        return bool(np.all(pixels >= 0.0) and np.all(pixels <= np.array(self.size)))

    @property
    def grid_m(self) -> float:
        """How far apart the fine lines of the grid are."""
        return next((step for step in _STEPS_M if step * self.pixels_per_m >= _LINES_PX), _STEPS_M[-1])

    def lines(self, axis: int, step_m: float) -> Array:
        """(N,) the x (axis 0) or z (axis 1) of grid lines in view."""
        half = 0.5 * self.size[axis] / self.pixels_per_m
        low, high = self.centre[axis] - half, self.centre[axis] + half
        return np.asarray(np.arange(np.ceil(low / step_m), np.floor(high / step_m) + 1.0) * step_m)
