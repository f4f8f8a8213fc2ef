"""Which buttons and keys move the camera, and how far. Two ways of using the mouse: Blender's and Maya's."""

import math
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import Qt

from model.arrays import Array
from widgets.viewport.camera import Camera, Preset, Size

_RAD_PER_PX = math.radians(0.4)
_ZOOM_PER_STEP, _ZOOM_PER_PX = 0.88, 0.994

Button, Modifier = Qt.MouseButton, Qt.KeyboardModifier


class Motion(Enum):
    """What dragging does to the camera."""

    ORBIT = "orbits"
    PAN = "pans"
    ZOOM = "zooms"


def motion_of(button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, mouse: str) -> Motion | None:
    """What a drag with a button does; None where it is not the camera's. A plain left button is a click first."""
    if mouse == "maya":
        if not modifiers & Modifier.AltModifier:
            return None
        return {
            Button.LeftButton: Motion.ORBIT, Button.MiddleButton: Motion.PAN, Button.RightButton: Motion.ZOOM
        }.get(button)  # fmt: skip
    if button != Button.MiddleButton:
        return None
    if modifiers & Modifier.ShiftModifier:
        return Motion.PAN
    return Motion.ZOOM if modifiers & Modifier.ControlModifier else Motion.ORBIT


@dataclass(frozen=True, eq=False)
class CameraDrag:
    """A drag of the camera. camera, preset : as they were when it began; body : (3,) where the followed body was."""

    motion: Motion
    camera: Camera
    preset: Preset | None
    body: Array | None

    def start_now(self, body: Array | None) -> Camera:
        """The camera to go back to, now that the body that it goes along with is at (3,)."""
        return self.camera if body is None or self.body is None else self.camera.moved(body - self.body)


def dragged(camera: Camera, motion: Motion, right_px: float, down_px: float, size: Size) -> Camera:
    """The camera after the mouse moved."""
    if motion is Motion.ORBIT:
        return camera.orbited(-right_px * _RAD_PER_PX, down_px * _RAD_PER_PX)
    if motion is Motion.PAN:
        return camera.panned(right_px, down_px, size)
    return camera.zoomed(_ZOOM_PER_PX ** (right_px - down_px))


def wheeled(camera: Camera, steps: float) -> Camera:
    """The camera after the wheel turned by some steps, away from the user to come nearer."""
    return camera.zoomed(_ZOOM_PER_STEP**steps)


def preset_key(key: int, modifiers: Qt.KeyboardModifier) -> Preset | None:
    """The preset that a key asks for: 1, 3, 7 for front, side and top, with Ctrl from opposite, 0 for three-quarter."""
    other = bool(modifiers & Modifier.ControlModifier)
    presets = {
        Qt.Key.Key_1: (Preset.FRONT, Preset.BACK),
        Qt.Key.Key_3: (Preset.SIDE, Preset.OTHER_SIDE),
        Qt.Key.Key_7: (Preset.TOP, Preset.BOTTOM),
        Qt.Key.Key_0: (Preset.THREE_QUARTER, Preset.THREE_QUARTER),
    }
    found = presets.get(Qt.Key(key)) if key in {one.value for one in presets} else None
    return None if found is None else found[1 if other else 0]
