"""Drag anything: round handles at hands, feet, pelvis, chest and head, small ones at elbows and knees, and one before
the face to look at. Pins hold what shall stay."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import Qt

from editor.posing.body import axes_of, body_of
from editor.posing.drag import drag, look_at
from editor.posing.pose import Pin, Pose, Posed
from model.arrays import Array
from model.roles import Role
from model.rotation import IDENTITY, rotate
from widgets.posing.pose_tool import Drag, PoseTool
from widgets.viewport import glyphs
from widgets.viewport.camera import Camera, Size
from widgets.viewport.picking import points_px
from widgets.viewport.rays import on_plane, pixel_of
from widgets.viewport.scene import Label
from widgets.viewport.tool import Handles, Hover, Pointer, place

Kind = Literal["reach", "swivel", "look", "pin"]

_SIZES_PX = {"reach": 13.0, "swivel": 8.0, "look": 9.0}
_ROOM_PX = 4.0  # a handle can be grabbed this far outside of it
_LOCK_REACH_PX = 7.0
_LOOK_M = 0.45  # how far before the face the handle to look at is
_TELL_M = 0.005  # what is missed by more is told


@dataclass(frozen=True, eq=False)
class Grip:
    """A handle: what it does to which joint, and where it is (3,)."""

    joint: int
    kind: Kind
    position: Array

    @property
    def key(self) -> tuple[int, str]:
        return self.joint, self.kind


class IkTool(PoseTool[Grip]):
    """Moves in the plane through the handle that faces the camera."""

    def handle_at(self, pointer: Pointer) -> Grip | None:
        pose = self.posing.pose
        if pose is None:
            return None
        grips = grips_of(pose)
        if not grips:
            return None
        lock = self._lock_at(grips, pointer)
        if lock is not None:
            return lock
        away = points_px(np.stack([one.position for one in grips]), pointer.camera, pointer.pixel, pointer.size)
        reach = np.array([0.5 * _SIZES_PX[one.kind] + _ROOM_PX for one in grips])
        # Of handles that lie over each other the nearer to the mouse, small ones first.
        within = np.where(away <= reach, away / reach, np.inf)
        best = int(np.argmin(within))
        return grips[best] if np.isfinite(within[best]) else None

    def _lock_at(self, grips: tuple[Grip, ...], pointer: Pointer) -> Grip | None:
        """The padlock under the mouse: of a pinned joint, or of the one whose handle is lit."""
        with_lock = {*self.posing.pinned, None if self.hovered is None else self.hovered.joint}
        shown = [one for one in grips if one.kind == "reach" and one.joint in with_lock]
        if not shown:
            return None
        places = np.stack([glyphs.lock_place(one.position, pointer.camera, pointer.size) for one in shown])
        away = points_px(places, pointer.camera, pointer.pixel, pointer.size)
        best = int(np.argmin(away))
        return Grip(shown[best].joint, "pin", places[best]) if away[best] <= _LOCK_REACH_PX else None

    def hover_of(self, handle: Grip) -> Hover:
        part = self.posing.part(handle.joint)
        pinned = handle.joint in self.posing.pinned
        if handle.kind == "pin":
            use = f"Click lets go of the {part}" if pinned else f"Click pins the {part} where it is"
            return Hover(use, Qt.CursorShape.PointingHandCursor)
        if handle.kind == "look":
            return Hover("Drag to let the head look there", Qt.CursorShape.OpenHandCursor)
        if handle.kind == "swivel":
            return Hover(f"Drag to swivel the {part}; the ends of the limb stay", Qt.CursorShape.OpenHandCursor)
        pin = "P lets go of it" if pinned else "P pins it"
        return Hover(f"Drag to move the {part} \u00b7 {pin}", Qt.CursorShape.OpenHandCursor)

    def dragging(self, handle: Grip, start: Pose, pointer: Pointer) -> Drag | None:
        if handle.kind == "pin":
            return None
        return _GripDrag(handle, start, self.posing.pins(start), pointer, self.posing.part(handle.joint))

    def clicked(self, handle: Grip) -> None:
        if handle.kind == "pin":
            self.posing.toggle_pin(handle.joint)
        else:
            self.posing.select(handle.joint)

    def dropped(self, handle: Grip) -> None:
        self.posing.select(handle.joint)

    def handles(self, pose: Pose, camera: Camera, size: Size) -> Handles:
        drawn, held = Handles(), self.held
        lit = held or self.hovered
        pinned = self.posing.pinned
        for grip in sorted(grips_of(pose), key=lambda one: -float(_depth(camera, one.position))):
            is_lit = lit is not None and lit.key == grip.key
            if grip.kind == "look":
                drawn = drawn + self._look_handle(grip, pose, is_lit)
                continue
            drawn = drawn + glyphs.grip(grip.position, _colour(pose, grip.joint), _SIZES_PX[grip.kind], is_lit)
            is_near = lit is not None and lit.joint == grip.joint and held is None
            if grip.kind == "reach" and (grip.joint in pinned or is_near):
                on_lock = lit is not None and lit.kind == "pin" and lit.joint == grip.joint
                drawn = drawn + glyphs.padlock(grip.position, grip.joint in pinned, on_lock, camera, size)
        return drawn + self._miss()

    def _look_handle(self, grip: Grip, pose: Pose, lit: bool) -> Handles:
        """The handle to look at, joined with the head; in the hand it is where the mouse is."""
        at = grip.position
        if isinstance(self.drag, _GripDrag) and self.drag.grip.kind == "look" and self.drag.goal is not None:
            at = self.drag.goal
        eyes = _eyes(pose, grip.joint)
        line = Handles(lines=glyphs.thread(eyes, at, "text", 0.9 if lit else 0.45, 1.4))
        return line + glyphs.grip(at, "centre", _SIZES_PX["look"], lit)

    def _miss(self) -> Handles:
        """What the hand wants and cannot have: a line from the joint to the goal, and how far it is."""
        drag_, posed = self.drag, self.posed
        if posed is None or not isinstance(drag_, _GripDrag) or drag_.grip.kind != "reach" or drag_.goal is None:
            return Handles()
        joint = drag_.grip.joint
        missed = next((one.distance_m for one in posed.misses if one.joint == joint), 0.0)
        if missed < _TELL_M:
            return Handles()
        label = Label(f"{100.0 * missed:.0f} cm out of reach", place(drag_.goal), strong=True)
        line = glyphs.thread(posed.pose.world.positions[joint], drag_.goal, "warning", 0.9)
        return Handles(lines=line, labels=(label,))


class _GripDrag:
    """A handle in the hand: the place of the ray in the plane that faced the camera when it was taken."""

    def __init__(self, grip: Grip, start: Pose, pins: tuple[Pin, ...], pointer: Pointer, part: str) -> None:
        self.grip = grip
        self.goal: Array | None = None
        self._start, self._pins = start, pins
        self._normal = pointer.camera.axes[2]
        self._off = np.subtract(pointer.pixel, pixel_of(pointer.camera, grip.position, pointer.size))
        self._last = Posed(start)
        self.what = {"look": "Turn head to look", "swivel": f"Swivel {part}"}.get(grip.kind, f"Move {part}")

    def pose_at(self, pointer: Pointer) -> Posed:
        x, y = np.subtract(pointer.pixel, self._off)
        goal = on_plane(pointer.camera, (float(x), float(y)), pointer.size, self.grip.position, self._normal)
        if goal is None:
            return self._last
        self.goal = goal
        if self.grip.kind == "look":
            # The head turns about its joint, below the eyes; what they look at is as far below.
            lift = _eyes(self._start, self.grip.joint) - self._start.world.positions[self.grip.joint]
            self._last = look_at(self._start, goal - lift)
        else:
            self._last = drag(self._start, self.grip.joint, goal, self._pins)
        return self._last


def grips_of(pose: Pose) -> tuple[Grip, ...]:
    """The handles of a body. One without limbs has a handle at each joint."""
    body, skeleton, positions = body_of(pose.skeleton), pose.skeleton, pose.world.positions
    swivels = [limb.joints[1] for limb in body.limbs]
    ends = [limb.joints[2] for limb in body.limbs]
    core = [skeleton.joint(role) for role in (Role.PELVIS, Role.CHEST, Role.HEAD)]
    named = [*ends, *(joint for joint in core if joint is not None)]
    reach = list(dict.fromkeys(named)) if named else list(range(len(skeleton)))
    grips = [Grip(joint, "reach", positions[joint]) for joint in reach]
    grips += [Grip(joint, "swivel", positions[joint]) for joint in swivels]
    if body.neck:
        head = body.neck[-1]
        face = pose.face
        if face is None:
            face = axes_of(skeleton, skeleton.rest_positions(), IDENTITY).forward
        ahead = rotate(pose.world.rotations[head], face)
        grips.append(Grip(head, "look", np.asarray(_eyes(pose, head) + _LOOK_M * ahead)))
    return tuple(grips)


def _eyes(pose: Pose, head: int) -> Array:
    """(3,) about where the eyes are: where the head's bone ends, else at its joint."""
    tips = [site.offset for site in pose.skeleton.end_sites if site.joint == head]
    if not tips:
        return np.asarray(pose.world.positions[head])
    return np.asarray(pose.world.positions[head] + 0.5 * rotate(pose.world.rotations[head], tips[0]))


def _depth(camera: Camera, position: Array) -> float:
    return float((position - camera.eye) @ -camera.axes[2])


def _colour(pose: Pose, joint: int) -> str:
    role = pose.skeleton.roles[joint]
    side = "" if role is None else role.value.split("_")[0]
    return side if side in ("left", "right") else "centre"
