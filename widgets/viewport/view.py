"""What the ways of drawing have in common: a widget that asks for a scene and a camera when it is painted."""

from collections.abc import Callable

from widgets.viewport.camera import Camera
from widgets.viewport.scene import Scene

Source = Callable[[], tuple[Scene, Camera]]
