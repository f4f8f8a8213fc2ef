"""Arrows on the selected joint, or the pelvis: along an axis, in a plane, or across the view."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from editor.posing.drag import drag
from editor.posing.pose import Pin, Pose, Posed
from model.arrays import Array
from model.rotation import rotate
from widgets.posing.pose_tool import Drag, PoseTool
from widgets.viewport import glyphs, shapes
from widgets.viewport.camera import Camera, Size
from widgets.viewport.picking import polyline_px
from widgets.viewport.rays import along_line, on_plane, pixel_of
from widgets.viewport.scene import Label
from widgets.viewport.tool import REACH_PX, Handles, Hover, Pointer, place

_LONG_PX, _HEAD_PX = 76.0, 13.0
_INNER_PX, _OUTER_PX = 22.0, 36.0  # of the squares that move in a plane
_CENTRE_PX = 7.0
_EDGE_ON = 0.15  # a plane seen at less than this sine is too thin to use
_HEAD_ON = 0.985  # an arrow that points at the camera more than this cosine is too short
_NAMES = "XYZ"


@dataclass(frozen=True, eq=False)
class Arrow:
    """A handle. part : "axis", "plane" (square to the axis) or "view"; axis : 0, 1, 2."""

    part: str
    axis: int = -1

    @property
    def key(self) -> tuple[str, int]:
        return self.part, self.axis


@dataclass(frozen=True, eq=False)
class Gizmo:
    """Where arrows stand: centre (3,), axes (3, 3) rows, and how long a pixel is there."""

    centre: Array
    axes: Array
    pixel_m: float

    def corners(self, axis: int) -> Array:
        """(4, 3) the square that moves in the plane across an axis."""
        one, other = self.axes[(axis + 1) % 3], self.axes[(axis + 2) % 3]
        low, high = _INNER_PX * self.pixel_m, _OUTER_PX * self.pixel_m
        places = [(low, low), (high, low), (high, high), (low, high)]
        return np.stack([self.centre + a * one + b * other for a, b in places])

    def tip(self, axis: int) -> Array:
        return np.asarray(self.centre + _LONG_PX * self.pixel_m * self.axes[axis])


def gizmo_axes(pose: Pose, joint: int, local: bool) -> Array:
    """(3, 3) rows: the axes of a joint in the world, or the world's."""
    axes = np.eye(3)
    return np.asarray(rotate(pose.world.rotations[joint], axes)) if local else axes


class MoveTool(PoseTool[Arrow]):
    """Moves a joint; what follows is as when it is dragged by its round handle."""

    def handle_at(self, pointer: Pointer) -> Arrow | None:
        pose, joint = self.posing.pose, self.posing.joint
        if pose is None or joint is None:
            return None
        camera, size, pixel = pointer.camera, pointer.size, pointer.pixel
        gizmo = self._gizmo(pose, joint, camera, size)
        if np.max(np.abs(np.subtract(pixel, pixel_of(camera, gizmo.centre, size)))) <= _CENTRE_PX + 2.0:
            return Arrow("view")
        for axis in self._planes(gizmo, camera):
            if _inside(np.asarray(camera.project(gizmo.corners(axis), size)[0]), pixel):
                return Arrow("plane", axis)
        away = {
            axis: float(np.min(polyline_px(np.stack([gizmo.centre, gizmo.tip(axis)]), camera, pixel, size)))
            for axis in self._arrows(gizmo, camera)
        }
        best = min(away, key=lambda axis: away[axis], default=None)
        return Arrow("axis", best) if best is not None and away[best] <= REACH_PX else None

    def hover_of(self, handle: Arrow) -> Hover:
        joint = self.posing.joint
        part = "" if joint is None else self.posing.part(joint)
        whose = "its own" if self.posing.axes == "local" else "the world's"
        if handle.part == "view":
            return Hover(f"Drag to move the {part} across the view", Qt.CursorShape.SizeAllCursor)
        if handle.part == "plane":
            names = _NAMES.replace(_NAMES[handle.axis], "")
            return Hover(
                f"Drag to move the {part} along {whose} {names[0]} and {names[1]}", Qt.CursorShape.SizeAllCursor
            )
        return Hover(f"Drag to move the {part} along {whose} {_NAMES[handle.axis]}", Qt.CursorShape.SizeAllCursor)

    def dragging(self, handle: Arrow, start: Pose, pointer: Pointer) -> Drag | None:
        joint = self.posing.joint
        if joint is None:
            return None
        gizmo = self._gizmo(start, joint, pointer.camera, pointer.size)
        return _MoveDrag(handle, joint, start, self.posing.pins(start), gizmo, pointer, self.posing.part(joint))

    def handles(self, pose: Pose, camera: Camera, size: Size) -> Handles:
        joint = self.posing.joint
        if joint is None:
            return Handles()
        gizmo = self._gizmo(pose, joint, camera, size)
        if isinstance(self.drag, _MoveDrag):
            gizmo = Gizmo(pose.world.positions[self.drag.joint], self.drag.gizmo.axes, gizmo.pixel_m)
        lit, drawn = self.held or self.hovered, Handles(bare=place(gizmo.centre))
        for axis in self._planes(gizmo, camera):
            drawn = drawn + _plane(gizmo, axis, lit is not None and lit.key == ("plane", axis))
        for axis in sorted(self._arrows(gizmo, camera), key=lambda one: -float(gizmo.axes[one] @ -camera.axes[2])):
            drawn = drawn + _arrow(gizmo, axis, lit is not None and lit.key == ("axis", axis), camera, size)
        is_lit = lit is not None and lit.part == "view"
        middle = shapes.square(gizmo.centre, _CENTRE_PX - 2.0, camera, size)
        drawn = drawn + Handles(
            fills=shapes.filled(middle, glyphs.ink("accent" if is_lit else "text", 0.9)),
            lines=shapes.outline(middle, glyphs.ink("window", 0.9), 1.4),
        )
        return drawn + self._told(pose)

    def _told(self, pose: Pose) -> Handles:
        """How far it was moved."""
        if not isinstance(self.drag, _MoveDrag):
            return Handles()
        at = pose.world.positions[self.drag.joint]
        moved = float(np.linalg.norm(at - self.drag.gizmo.centre))
        line = glyphs.thread(self.drag.gizmo.centre, at, "text", 0.6)
        return Handles(lines=line, labels=(Label(f"{100.0 * moved:.1f} cm", place(at), strong=True),))

    def _gizmo(self, pose: Pose, joint: int, camera: Camera, size: Size) -> Gizmo:
        centre = pose.world.positions[joint]
        axes = gizmo_axes(pose, joint, self.posing.axes == "local")
        return Gizmo(centre, axes, shapes.metres_at(centre, 1.0, camera, size))

    def _arrows(self, gizmo: Gizmo, camera: Camera) -> list[int]:
        """The axes whose arrows are long enough on the screen."""
        return [axis for axis in range(3) if abs(float(gizmo.axes[axis] @ camera.axes[2])) < _HEAD_ON]

    def _planes(self, gizmo: Gizmo, camera: Camera) -> list[int]:
        return [axis for axis in range(3) if abs(float(gizmo.axes[axis] @ camera.axes[2])) > _EDGE_ON]


class _MoveDrag:
    """An arrow, a square or the middle in the hand."""

    def __init__(
        self,
        handle: Arrow,
        joint: int,
        start: Pose,
        pins: tuple[Pin, ...],
        gizmo: Gizmo,
        pointer: Pointer,
        part: str,
    ) -> None:
        self.joint, self.gizmo = joint, gizmo
        self.what = f"Move {part}"
        self._handle, self._start, self._pins = handle, start, pins
        self._normal = pointer.camera.axes[2] if handle.part == "view" else gizmo.axes[handle.axis]
        self._from = self._place(pointer)
        self._last = Posed(start)

    def _place(self, pointer: Pointer) -> Array | None:
        """Where the mouse is on the arrow's line or in the plane."""
        camera, size, centre = pointer.camera, pointer.size, self.gizmo.centre
        if self._handle.part == "axis":
            way = self.gizmo.axes[self._handle.axis]
            return np.asarray(centre + along_line(camera, pointer.pixel, size, centre, way) * way)
        return on_plane(camera, pointer.pixel, size, centre, self._normal)

    def pose_at(self, pointer: Pointer) -> Posed:
        here = self._place(pointer)
        if here is None or self._from is None:
            return self._last
        self._last = drag(self._start, self.joint, self.gizmo.centre + here - self._from, self._pins)
        return self._last


def _arrow(gizmo: Gizmo, axis: int, lit: bool, camera: Camera, size: Size) -> Handles:
    colour = glyphs.ink("text") if lit else glyphs.axis_colour(axis)
    tip = gizmo.tip(axis)
    start = gizmo.centre + 0.14 * (tip - gizmo.centre)
    head = shapes.arrow_head(tip, gizmo.axes[axis], _HEAD_PX, camera, size)
    shaft = shapes.polyline(np.stack([start, 0.5 * (head[1] + head[2])]), colour, 4.0 if lit else 2.8)
    rim = shapes.polyline(np.stack([start, 0.5 * (head[1] + head[2])]), glyphs.ink("window", 0.5), 5.0)
    return Handles(lines=rim + shaft, fills=shapes.filled(head, colour))


def _plane(gizmo: Gizmo, axis: int, lit: bool) -> Handles:
    corners = gizmo.corners(axis)
    colour = glyphs.axis_colour(axis, 0.75 if lit else 0.35)
    return Handles(
        fills=shapes.filled(corners, colour), lines=shapes.outline(corners, glyphs.axis_colour(axis, 0.9), 1.4)
    )


def _inside(corners: Array, pixel: tuple[float, float]) -> bool:
    """Whether a pixel is in a convex shape (K, 2)."""
    along = np.roll(corners, -1, axis=0) - corners
    away = np.asarray(pixel) - corners
    side = along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]
    return bool(np.all(side >= 0.0) or np.all(side <= 0.0))
