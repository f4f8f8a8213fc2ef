"""Rings about the selected joint, or the pelvis: one an axis, and an outer one about the line of sight."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from editor.posing.drag import turn
from editor.posing.pose import Pin, Pose, Posed
from model.arrays import Array
from widgets.posing.move_tool import gizmo_axes
from widgets.posing.pose_tool import Drag, PoseTool
from widgets.viewport import glyphs, shapes
from widgets.viewport.camera import Camera, Size
from widgets.viewport.picking import polyline_px
from widgets.viewport.rays import on_plane, pixel_of
from widgets.viewport.scene import Label
from widgets.viewport.tool import REACH_PX, Handles, Hover, Pointer, place

_RADIUS_PX, _OUTER_PX = 72.0, 86.0
_VIEW = 3  # the ring about the line of sight
_NAMES = ("X", "Y", "Z", "the line of sight")
_FLAT = 0.2  # a ring seen at less than this sine is turned by moving along it
_SNAP_RAD = np.radians(5.0)
_CORNERS = 96


@dataclass(frozen=True, eq=False)
class Ring:
    """A circle about an axis of the joint. axis : 0, 1, 2, or 3 for the line of sight; normal : (3,) unit."""

    axis: int
    centre: Array
    normal: Array
    radius_m: float

    def points(self) -> Array:
        return shapes.ring(self.centre, self.normal, self.radius_m, _CORNERS)


class RotateTool(PoseTool[Ring]):
    """Turns a joint about its own axes or the world's."""

    def handle_at(self, pointer: Pointer) -> Ring | None:
        pose, joint = self.posing.pose, self.posing.joint
        if pose is None or joint is None:
            return None
        best: tuple[float, Ring | None] = (REACH_PX, None)
        for ring in self._rings(pose, joint, pointer.camera, pointer.size):
            points = ring.points()
            away = polyline_px(points, pointer.camera, pointer.pixel, pointer.size)
            if ring.axis != _VIEW:
                away = np.where(_is_front(points, ring.centre, pointer.camera)[:-1], away, np.inf)
            # The outer ring must be hit better than the others, where they meet.
            least = float(np.min(away)) + (0.5 if ring.axis == _VIEW else 0.0)
            if least < best[0]:
                best = (least, ring)
        return best[1]

    def hover_of(self, handle: Ring) -> Hover:
        joint = self.posing.joint
        part = "" if joint is None else self.posing.part(joint)
        whose = "" if handle.axis == _VIEW else "its own " if self.posing.axes == "local" else "the world's "
        return Hover(
            f"Drag to turn the {part} about {whose}{_NAMES[handle.axis]} \u00b7 Ctrl snaps to 5\u00b0",
            Qt.CursorShape.OpenHandCursor,
        )

    def dragging(self, handle: Ring, start: Pose, pointer: Pointer) -> Drag | None:
        joint = self.posing.joint
        if joint is None:
            return None
        return _RingDrag(handle, joint, start, self.posing.pins(start), pointer, self.posing.part(joint))

    def handles(self, pose: Pose, camera: Camera, size: Size) -> Handles:
        joint = self.posing.joint
        if joint is None:
            return Handles()
        if isinstance(self.drag, _RingDrag):
            return self.drag.drawn(camera, size)
        lit, drawn = self.hovered, Handles(bare=place(pose.world.positions[joint]))
        for ring in self._rings(pose, joint, camera, size):
            drawn = drawn + _ring(ring, lit is not None and lit.axis == ring.axis, camera)
        return drawn

    def _rings(self, pose: Pose, joint: int, camera: Camera, size: Size) -> list[Ring]:
        centre = pose.world.positions[joint]
        metre = shapes.metres_at(centre, 1.0, camera, size)
        axes = gizmo_axes(pose, joint, self.posing.axes == "local")
        rings = [Ring(axis, centre, axes[axis], _RADIUS_PX * metre) for axis in range(3)]
        sight = camera.eye - centre
        return [*rings, Ring(_VIEW, centre, sight / np.linalg.norm(sight), _OUTER_PX * metre)]


class _RingDrag:
    """A ring in the hand. angle_rad : how far it is turned, any number of turns."""

    def __init__(self, ring: Ring, joint: int, start: Pose, pins: tuple[Pin, ...], pointer: Pointer, part: str) -> None:
        self.what = f"Turn {part}"
        self.angle_rad = 0.0
        self._ring, self._joint, self._start, self._pins = ring, joint, start, pins
        self._flat = abs(float(_sight(ring.centre, pointer.camera) @ ring.normal)) < _FLAT
        self._from = self._grabbed(pointer)
        self._start_pixel = np.asarray(pointer.pixel)
        self._exact = self._last_rad = 0.0
        self._last_rad = self._raw(pointer)

    def _grabbed(self, pointer: Pointer) -> Array:
        """(3,) from the centre to the place of the ring that was taken."""
        points = self._ring.points()
        away = polyline_px(points, pointer.camera, pointer.pixel, pointer.size)
        if self._ring.axis != _VIEW:
            away = np.where(_is_front(points, self._ring.centre, pointer.camera)[:-1], away, np.inf)
        return np.asarray(points[int(np.argmin(away))] - self._ring.centre)

    def _raw(self, pointer: Pointer) -> float:
        """The angle at which the mouse is, up to whole turns."""
        if self._flat:
            # Seen from the side: so far along the ring's picture as the mouse went.
            centre = self._ring.centre
            ahead = centre + self._from + 0.01 * np.cross(self._ring.normal, self._from)
            here = pixel_of(pointer.camera, centre + self._from, pointer.size)
            way = pixel_of(pointer.camera, ahead, pointer.size) - here
            length = max(float(np.linalg.norm(way)), 1e-6)
            return float((np.asarray(pointer.pixel) - self._start_pixel) @ way / length) / _RADIUS_PX
        place = on_plane(pointer.camera, pointer.pixel, pointer.size, self._ring.centre, self._ring.normal)
        if place is None:
            return self._last_rad
        away = place - self._ring.centre
        return float(np.arctan2(away @ np.cross(self._ring.normal, self._from), away @ self._from))

    def pose_at(self, pointer: Pointer) -> Posed:
        raw = self._raw(pointer)
        step = raw - self._last_rad
        self._last_rad = raw
        if not self._flat:
            step -= 2.0 * np.pi * round(step / (2.0 * np.pi))
        self._exact += step
        snaps = bool(pointer.modifiers & Qt.KeyboardModifier.ControlModifier)
        self.angle_rad = round(self._exact / _SNAP_RAD) * _SNAP_RAD if snaps else self._exact
        return turn(self._start, self._joint, self.angle_rad * self._ring.normal, "world", self._pins)

    def drawn(self, camera: Camera, size: Size) -> Handles:
        """The ring with what it was turned by as a filled arc, and the angle in degrees."""
        ring = self._ring
        tone = glyphs.ink("accent") if ring.axis == _VIEW else glyphs.axis_colour(ring.axis)
        arc = shapes.arc(ring.centre, self._from, ring.normal, _within_turn(self.angle_rad), _CORNERS)
        sector = np.concatenate([ring.centre[None], arc])
        pale = np.array([*tone[:3], 0.28])
        lines = shapes.polyline(ring.points(), np.array([*tone[:3], 0.9]), 2.2)
        for end in (arc[0], arc[-1]):
            lines = lines + shapes.polyline(np.stack([ring.centre, end]), tone, 1.8)
        return Handles(
            lines=lines,
            fills=shapes.filled(sector, pale),
            labels=(Label(f"{np.degrees(self.angle_rad):.1f}\u00b0", place(arc[-1]), strong=True),),
            bare=place(ring.centre),
        )


def _within_turn(angle_rad: float) -> float:
    """What is drawn of an angle: the turns are not told apart."""
    return float(np.fmod(angle_rad, 2.0 * np.pi))


def _sight(centre: Array, camera: Camera) -> Array:
    away = camera.eye - centre
    return np.asarray(away / np.linalg.norm(away))


def _is_front(points: Array, centre: Array, camera: Camera) -> Array:
    """(P,) whether points of a ring are on its side towards the camera."""
    return np.asarray((points - centre) @ _sight(centre, camera) > -1e-3 * np.linalg.norm(points[0] - centre))


def _ring(ring: Ring, lit: bool, camera: Camera) -> Handles:
    points = ring.points()
    if ring.axis == _VIEW:
        return Handles(lines=shapes.polyline(points, glyphs.ink("text", 0.95 if lit else 0.45), 3.2 if lit else 1.8))
    tone = glyphs.ink("text") if lit else glyphs.axis_colour(ring.axis)
    colours = np.tile(tone, (len(points), 1))
    colours[:, 3] = np.where(_is_front(points, ring.centre, camera), 1.0, 0.16)
    rim = np.tile(glyphs.ink("window"), (len(points), 1))
    rim[:, 3] = 0.45 * colours[:, 3]
    return Handles(lines=shapes.polyline(points, rim, 4.6) + shapes.polyline(points, colours, 3.8 if lit else 2.6))
