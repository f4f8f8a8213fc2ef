"""The tool for what stands on the ground: objects are drawn up on the floor, moved, and pulled at their grips."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from editor.ground.shaping import Grip, drawn_up, grips, pulled, snapped_move
from model.arrays import Array
from model.ground import Box, Grid, GroundObject, Mesh, ObjectName, Point, Ramp, Stairs, end_of, moved, told_name
from model.measures import CENTIMETRES, DEGREES, METRES
from widgets.ground.editing import SELECT, GroundEditing
from widgets.viewport import glyphs, shapes
from widgets.viewport.camera import Camera, Size
from widgets.viewport.picking import hit_distances, points_px, polyline_px
from widgets.viewport.rays import along_line, on_plane
from widgets.viewport.scene import Label, Scene
from widgets.viewport.tool import REACH_PX, Handles, Hover, KeyPress, Pointer, place

_UP = np.array([0.0, 1.0, 0.0])
_STILL_PX = 3.0
_ARROW_PX, _HEAD_PX = 44.0, 12.0
_GRIP_PX = 10.0
_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_CURSORS = {
    "side": Qt.CursorShape.SizeAllCursor, "end": Qt.CursorShape.SizeAllCursor, "height": Qt.CursorShape.SizeVerCursor,
    "turn": Qt.CursorShape.PointingHandCursor,
}  # fmt: skip
_TO_DRAW = {
    "box": "Drag on the floor to draw a box; a click puts one of a metre there",
    "stairs": "Drag on the floor from the first step to the last; a click puts four steps there",
    "ramp": "Drag on the floor from the low end to the high one; a click puts one of two metres there",
}


@dataclass(frozen=True, eq=False)
class _Held:
    """What is in the hand. name : the object, None for one that is being drawn up; grip : None to move all of it; at :
    (3,) where the press was on the plane that the drag goes in, above the floor; grabbed : (3,) from there to the grip.
    """

    pointer: Pointer
    name: ObjectName | None
    start: GroundObject | None
    grip: Grip | None
    at: Array
    grabbed: Array


class GroundTool:
    """Objects on the floor under the mouse. Previews while it moves, commits when it is let go."""

    def __init__(self, editing: GroundEditing) -> None:
        self._editing = editing
        self._scene: Scene | None = None
        self._hovered: Grip | ObjectName | None = None
        self._held: _Held | None = None
        self._moves = False
        self._drawn: GroundObject | None = None  # what the drag shows

    # The mouse

    def hover(self, pointer: Pointer | None) -> Hover | None:
        self._hovered = None
        if pointer is None:
            return None
        if self._editing.mode != SELECT:
            return Hover(f"{_TO_DRAW[self._editing.mode]}. Ctrl snaps, Esc ends", Qt.CursorShape.CrossCursor)
        grip = self._grip_at(pointer)
        if grip is not None:
            self._hovered = grip
            return Hover(f"Drag to {grip.told}; Ctrl snaps", _CURSORS[grip.kind])
        found = self._object_at(pointer)
        if found is None:
            return None
        name = self._hovered = found[0]
        if name == self._editing.name:
            return Hover(f"Drag moves {told_name(name)}; Ctrl snaps, Delete removes it", Qt.CursorShape.SizeAllCursor)
        return Hover(f"Click selects {told_name(name)}, drag moves it", Qt.CursorShape.PointingHandCursor)

    def press(self, pointer: Pointer) -> bool:
        self._moves, self._drawn = False, None
        self._held = self._taken(pointer)
        return self._held is not None

    def _taken(self, pointer: Pointer) -> _Held | None:
        editing, nowhere = self._editing, np.zeros(3)
        if editing.mode != SELECT:
            at = self._on_floor(pointer, 0.0)
            return None if at is None else _Held(pointer, None, None, None, at, nowhere)
        grip, name, one = self._grip_at(pointer), editing.name, editing.selected
        if grip is not None and name is not None:
            held = _Held(pointer, name, one, grip, np.array(grip.place), nowhere)
            at = self._pulled_to(held, pointer)
            return None if at is None else _Held(pointer, name, one, grip, at, np.array(grip.place) - at)
        found = self._object_at(pointer)
        if found is None:
            return None
        name, hit = found
        return _Held(pointer, name, editing.ground.object(name), None, hit, nowhere)

    def move(self, pointer: Pointer) -> None:
        held = self._held
        if held is None:
            return
        away = np.subtract(pointer.pixel, held.pointer.pixel)
        if not self._moves and float(np.hypot(*away)) < _STILL_PX:
            return
        if not self._moves and held.name is not None:
            self._editing.select(held.name)
        self._moves = True
        self._show(held, pointer)

    def _show(self, held: _Held, pointer: Pointer) -> None:
        snap = bool(pointer.modifiers & Qt.KeyboardModifier.ControlModifier)
        if held.name is None:
            to = self._on_floor(pointer, 0.0)
            if to is not None:
                self._drawn = self._new(held, to, snap)
                self._editing.try_adding(self._drawn)
            return
        assert held.start is not None
        if held.grip is not None:
            to = self._pulled_to(held, pointer)
            if to is not None:
                x, y, z = (to + held.grabbed).tolist()
                self._drawn = pulled(held.start, held.grip.part, (x, y, z), snap)
        else:
            to = self._on_floor(pointer, float(held.at[1]))
            if to is not None:
                x, z = (to - held.at)[[0, 2]].tolist()
                if snap:
                    x, z = snapped_move(_anchor(held.start), x, z)
                self._drawn = moved(held.start, x, z)
        if self._drawn is not None:
            self._editing.try_change(held.name, self._drawn)

    def release(self, pointer: Pointer) -> None:
        held, moves, drawn = self._held, self._moves, self._drawn
        self._held, self._moves, self._drawn = None, False, None
        if held is None:
            return
        if held.name is None:
            snap = bool(pointer.modifiers & Qt.KeyboardModifier.ControlModifier)
            self._editing.add(drawn if drawn is not None else self._new(held, held.at, snap))
        elif moves:
            self._editing.commit()
        elif held.grip is None:
            self._editing.select(held.name)

    def _new(self, held: _Held, to: Array, snap: bool) -> GroundObject:
        start, stop = _floor_place(held.at), _floor_place(to)
        return drawn_up(self._editing.mode, start, stop, self._editing.way_yaw, snap)

    def cancel(self) -> None:
        if self._moves:
            self._editing.cancel()
        self._held, self._moves, self._drawn = None, False, None

    # Keys

    def wants_key(self, key: KeyPress) -> bool:
        if key.key == Qt.Key.Key_Escape:
            return self._editing.mode != SELECT or self._editing.selected is not None
        return key.key in _KEYS and self._editing.selected is not None and self._held is None

    def press_key(self, key: KeyPress) -> None:
        if key.key in _KEYS:
            self._editing.remove()
        elif self._editing.mode != SELECT:
            self._editing.set_mode(SELECT)
        else:
            self._editing.select(None)

    # What is under the mouse

    def _on_floor(self, pointer: Pointer, height_m: float) -> Array | None:
        """(3,) where the mouse is at a height above the floor, above the floor; None where it is not."""
        floor = self._editing.floor_m * _UP
        met = on_plane(pointer.camera, pointer.pixel, pointer.size, floor + height_m * _UP, _UP)
        return None if met is None else met - floor

    def _pulled_to(self, held: _Held, pointer: Pointer) -> Array | None:
        """(3,) where the mouse has a grip, above the floor."""
        assert held.grip is not None
        where = np.array(held.grip.place)
        if held.grip.kind != "height":
            return self._on_floor(pointer, float(where[1]))
        above = where + self._editing.floor_m * _UP
        return np.asarray(where + along_line(pointer.camera, pointer.pixel, pointer.size, above, _UP) * _UP)

    def _grip_at(self, pointer: Pointer) -> Grip | None:
        one = self._editing.selected
        if one is None:
            return None
        up = self._editing.floor_m * _UP
        best: tuple[float, Grip] | None = None
        for grip in grips(one):
            at = np.array(grip.place) + up
            if grip.kind == "height":
                line = _arrow(at, pointer.camera, pointer.size)
                away = float(np.min(polyline_px(line, pointer.camera, pointer.pixel, pointer.size)))
            else:
                away = float(points_px(at[None], pointer.camera, pointer.pixel, pointer.size)[0]) - 0.3 * _GRIP_PX
            if away <= REACH_PX and (best is None or away < best[0]):
                best = (away, grip)
        return None if best is None else best[1]

    def _object_at(self, pointer: Pointer) -> tuple[ObjectName, Array] | None:
        """The object under the mouse, and (3,) where it is hit, above the floor; None where the figure hides it."""
        if self._scene is None:
            return None
        hit = self._scene.terrain.hit(pointer.origin, pointer.direction)
        objects = self._editing.ground.objects
        if hit is None or hit[0] >= len(objects):
            return None
        bodies = hit_distances(self._scene.solids, pointer.origin, pointer.direction)
        if len(bodies) and float(np.min(bodies)) < hit[1]:
            return None
        where = pointer.origin + hit[1] * pointer.direction - self._editing.floor_m * _UP
        return objects[hit[0]][0], np.asarray(where)

    # What is drawn

    def draw(self, scene: Scene, camera: Camera, size: Size) -> Handles:
        self._scene = scene
        drawn = Handles()
        one = self._editing.selected
        held = self._held
        if isinstance(self._hovered, tuple) and self._hovered != self._editing.name and held is None:
            drawn = drawn + self._outlined(scene, self._hovered)
        if one is not None and self._editing.mode == SELECT:
            drawn = drawn + self._grips(one, camera, size)
        if self._drawn is not None:
            drawn = drawn + self._told(self._drawn, held)
        return drawn

    def _outlined(self, scene: Scene, name: ObjectName) -> Handles:
        names = [each for each, _ in self._editing.ground.objects]
        if name not in names:
            return Handles()
        edges = scene.terrain.edges[scene.terrain.edge_owners == names.index(name)][:400]
        lines = Handles()
        for edge in edges:
            lines = lines + Handles(lines=shapes.polyline(edge, glyphs.ink("accent", 0.9), 1.6))
        return lines

    def _grips(self, one: GroundObject, camera: Camera, size: Size) -> Handles:
        up, drawn = self._editing.floor_m * _UP, Handles()
        held = None if self._held is None or self._held.grip is None else self._held.grip.part
        lit = held or (self._hovered.part if isinstance(self._hovered, Grip) else None)
        all_of_it = grips(one)
        for grip in all_of_it:
            at, is_lit = np.array(grip.place) + up, grip.part == lit
            if grip.kind == "turn":
                inner = _turned_from(one) + at[1] * _UP
                drawn = drawn + Handles(lines=glyphs.thread(inner, at, "text", 0.7))
                drawn = drawn + glyphs.grip(at, "extreme", _GRIP_PX, is_lit)
            elif grip.kind == "height":
                drawn = drawn + _drawn_arrow(_arrow(at, camera, size), is_lit, camera, size)
            else:
                drawn = drawn + glyphs.grip(at, "accent" if grip.kind == "side" else "contact", _GRIP_PX, is_lit)
        return drawn

    def _told(self, one: GroundObject, held: _Held | None) -> Handles:
        """How large, how high or where it is now."""
        grip = None if held is None else held.grip
        x, z = _anchor(one)
        at = (
            np.array([x, 0.0, z])
            if grip is None
            else next((np.array(each.place) for each in grips(one) if each.part == grip.part), np.zeros(3))
        )
        text = told_shape(one, None if grip is None else grip.kind, held is not None and held.name is not None)
        return Handles(labels=(Label(text, place(at + self._editing.floor_m * _UP), strong=True),))


def told_shape(one: GroundObject, kind: str | None, is_old: bool) -> str:
    """What is said of an object while it is changed. kind : of the grip, None: all of it; is_old : it was there."""
    if kind == "turn" and isinstance(one, Box | Stairs):
        return DEGREES.format(one.yaw_rad)
    if kind == "height" and isinstance(one, Box | Stairs):
        return CENTIMETRES.format(one.height_m if isinstance(one, Box) else one.count * one.rise_m)
    if kind == "height" and isinstance(one, Ramp):
        return " to ".join(CENTIMETRES.format(height) for height in one.heights_m)
    if kind is None and is_old:
        x, z = _anchor(one)
        return f"x {METRES.format(x)}, z {METRES.format(z)}"
    if isinstance(one, Box):
        return " by ".join(METRES.format(size) for size in one.size_m)
    if isinstance(one, Stairs):
        return f"{one.count} steps of {METRES.format(one.depth_m)}, {METRES.format(one.width_m)} wide"
    if isinstance(one, Ramp):
        long_m = float(np.hypot(one.end[0] - one.start[0], one.end[1] - one.start[1]))
        return f"{METRES.format(long_m)}, {METRES.format(one.width_m)} wide"
    return ""


def _anchor(one: GroundObject) -> Point:
    """The place by which an object is told and snapped."""
    if isinstance(one, Box):
        return one.center
    if isinstance(one, Grid):
        return one.origin
    if isinstance(one, Mesh):
        return one.offset_m[0], one.offset_m[2]
    return one.start


def _turned_from(one: GroundObject) -> Array:
    """(3,) where the line to the grip that turns an object begins, on the floor."""
    x, z = one.center if isinstance(one, Box) else end_of(one) if isinstance(one, Stairs | Ramp) else (0.0, 0.0)
    return np.array([x, 0.0, z])


def _floor_place(at: Array) -> Point:
    return float(at[0]), float(at[2])


def _arrow(at: Array, camera: Camera, size: Size) -> Array:
    """(2, 3) an arrow up from a place, as long everywhere on the screen."""
    pixel = shapes.metres_at(at, 1.0, camera, size)
    return np.stack([at + 0.25 * _ARROW_PX * pixel * _UP, at + _ARROW_PX * pixel * _UP])


def _drawn_arrow(line: Array, lit: bool, camera: Camera, size: Size) -> Handles:
    colour = glyphs.ink("text") if lit else glyphs.axis_colour(1)
    head = shapes.arrow_head(line[1], _UP, _HEAD_PX, camera, size)
    shaft = np.stack([line[0], 0.5 * (head[1] + head[2])])
    rim = shapes.polyline(shaft, glyphs.ink("window", 0.5), 5.0)
    return Handles(lines=rim + shapes.polyline(shaft, colour, 4.0 if lit else 2.8), fills=shapes.filled(head, colour))
