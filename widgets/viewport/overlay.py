"""What an overlay of the viewport is: something that a feature shows about the figure, drawn with every scene."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from model.arrays import Array
from widgets.common.theme import Theme
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Scene
from widgets.viewport.tool import Handles


@dataclass(frozen=True, eq=False)
class Ghost:
    """The figure at another moment of the shown take. paints : (3, 4) colours of left limbs, right limbs and rest."""

    time_s: float
    paints: Array


class Overlay(QObject):
    """Derive from it, and say `changed` when what it shows is another. Nothing is asked while the source is held up."""

    changed = Signal()
    follows_camera = False  # whether `draw` gives something else where the camera moves

    def ghosts(self, now_s: float, theme: Theme) -> Sequence[Ghost]:
        """Where copies of the figure stand, at a moment of the shown take."""
        return ()

    def draw(self, scene: Scene, camera: Camera, size: Size) -> Handles:
        """What lies over a scene, seen through the figure; it takes no mouse."""
        return Handles()
