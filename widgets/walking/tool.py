"""The tool that draws a walk's path on the floor of the viewport, and pulls its points about there."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from model.arrays import Array
from widgets.viewport import glyphs, shapes
from widgets.viewport.camera import Camera, Size
from widgets.viewport.rays import on_plane
from widgets.viewport.scene import Lines, Scene
from widgets.viewport.tool import Handles, Hover, KeyPress, Pointer
from widgets.walking.path_editing import PathEditing
from widgets.walking.path_hits import PLACING, object_told
from widgets.walking.style_colours import style_colour

_UP = np.array([0.0, 1.0, 0.0])
_REACH_PX, _POINT_PX, _BORDER_PX = 9.0, 8.0, 14.0
_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
_HINTS = {
    "point": "Drag moves this point of the path; Ctrl snaps, Delete removes it",
    "bulge": "Drag bends the arc",
    "border": "Drag along the path: here the style begins",
    "line": "Double click adds a point",
}


class PathTool:
    """What `PathEditing` has in the hand, where the mouse meets the floor."""

    def __init__(self, editing: PathEditing) -> None:
        self._editing = editing
        self._hovered: tuple[str, int] | None = None

    # The mouse

    def hover(self, pointer: Pointer | None) -> Hover | None:
        self._hovered = None
        place = None if pointer is None else self._place(pointer)
        if pointer is None or place is None:
            return None
        if self._editing.drawing or self._editing.walk is None:
            return Hover("Hold the button and draw the way to walk on the floor", Qt.CursorShape.CrossCursor)
        if self._editing.placing is not None:
            return Hover(PLACING[self._editing.placing], Qt.CursorShape.CrossCursor)
        what = self._editing.grabbed(place, self._reach(pointer, place))
        if what is None or what.kind == "line":
            return None if what is None else Hover(_HINTS["line"], Qt.CursorShape.ArrowCursor)
        self._hovered = (what.kind, what.number)
        return Hover(object_told(what.name) if what.name is not None else _HINTS[what.kind])

    def press(self, pointer: Pointer) -> bool:
        place = self._place(pointer)
        if place is None:
            return False
        if self._editing.walk is None and not self._editing.makes_something:
            self._editing.set_drawing(True)
        reach = self._reach(pointer, place)
        if pointer.is_double and not self._editing.makes_something:
            what = self._editing.grabbed(place, reach)
            if what is not None and what.kind == "line":
                self._editing.insert_point(what.at_m)
                return True
        return self._editing.press(place, reach, bool(pointer.modifiers & Qt.KeyboardModifier.ShiftModifier))

    def move(self, pointer: Pointer) -> None:
        place = self._place(pointer)
        if place is not None:
            self._editing.move(place, bool(pointer.modifiers & Qt.KeyboardModifier.ControlModifier))

    def release(self, pointer: Pointer) -> None:
        self._editing.release()

    def cancel(self) -> None:
        self._editing.cancel()

    def wants_key(self, key: KeyPress) -> bool:
        if key.key == Qt.Key.Key_Escape:
            return self._editing.makes_something or bool(self._editing.selected)
        return key.key in _KEYS and bool(self._editing.selected or self._editing.object_selected)

    def press_key(self, key: KeyPress) -> None:
        if key.key != Qt.Key.Key_Escape:
            self._editing.delete_selected()
        elif self._editing.makes_something:
            self._editing.set_drawing(False)
        else:
            self._editing.select(None)

    def _place(self, pointer: Pointer) -> tuple[float, float] | None:
        """Where the mouse meets the floor."""
        at = on_plane(pointer.camera, pointer.pixel, pointer.size, np.zeros(3), _UP)
        return None if at is None else (float(at[0]), float(at[2]))

    def _reach(self, pointer: Pointer, place: tuple[float, float]) -> float:
        """How far a hand reaches about a place, metres: more where the floor is seen from the side."""
        spot = np.array([place[0], 0.0, place[1]])
        return shapes.metres_at(spot, _REACH_PX, pointer.camera, pointer.size)

    # Drawing

    def draw(self, scene: Scene, camera: Camera, size: Size) -> Handles:
        editing, track = self._editing, self._editing.track
        handles = Handles()
        clips = list(dict.fromkeys(band.clip_id for band in editing.bands))
        for band in editing.bands:
            if band.to_m > band.from_m:
                tone = _rgba(style_colour(clips.index(band.clip_id)))
                handles += Handles(lines=_line(track.part(band.from_m, band.to_m), tone, 3.0))
        if len(editing.gesture) > 1:
            handles += Handles(lines=_line(editing.gesture, glyphs.ink("accent"), 3.0))
        for band in editing.bands[1:]:
            lit = self._hovered == ("border", band.number)
            place = _floor(np.array([track.place(band.from_m)]))[0]
            handles += glyphs.grip(place, "extreme", _BORDER_PX - 3.0, lit)
        for number, place_of in editing.bulge_handles:
            handles += glyphs.grip(_floor(np.array([place_of]))[0], "muted", 7.0, self._hovered == ("bulge", number))
        for number, spot in enumerate(_floor(editing.path.x_z)):
            fill = "accent" if number in editing.selected else "panel"
            handles += glyphs.grip(spot, fill, _POINT_PX, self._hovered == ("point", number))
        return handles


def _floor(x_z: Array) -> Array:
    """(N, 3) places (N, 2) a little above the floor."""
    return np.stack([x_z[:, 0], np.full(len(x_z), 0.005), x_z[:, 1]], axis=-1)


def _line(x_z: Array, tone: Array, width_px: float) -> Lines:
    return shapes.polyline(_floor(x_z), tone, width_px)


def _rgba(tone: QColor) -> Array:
    return np.array(tone.getRgbF())
