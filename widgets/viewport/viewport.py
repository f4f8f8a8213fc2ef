"""The viewport: shows the clip that is looked at, and turns the mouse and keys into camera moves and selections."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from editor.document import Document
from editor.session import Session, View
from editor.showing import Showing
from model.arrays import Array
from widgets.common.empty import EmptyState
from widgets.common.theme import theme
from widgets.viewport import navigation
from widgets.viewport.camera import Camera, Preset, Size
from widgets.viewport.composing import Composer, ViewOptions, framed_points, wanted_of
from widgets.viewport.gl_platform import abilities
from widgets.viewport.overlay import Notes, Overlay
from widgets.viewport.painter_view import PainterView
from widgets.viewport.picking import pick, selection_after
from widgets.viewport.poses import front_yaw
from widgets.viewport.rig import CameraRig, followed_point
from widgets.viewport.scene import Label, Scene
from widgets.viewport.tool import Pointer, Tool

if TYPE_CHECKING:
    from widgets.viewport.gl_view import GlView

    View3D = GlView | PainterView

_NO_GL = "OpenGL 3.3 is not available: simple drawing is used."
_WAITING = "Working out the clip …"
_CLICK_PX = 4  # a press that moves farther is a drag
_ELSEWHERE_M = 0.5  # an edit that moves the body farther takes the camera along


class Viewport(QWidget):
    """Figures in 3D. `options` says what is shown, `rig` moves the camera, `tool` gets the mouse first."""

    options_changed = Signal(object)
    camera_changed = Signal(object)
    hint_changed = Signal(str)  # what the mouse would do here
    import_wanted = Signal()

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._options = ViewOptions()
        self._composer = Composer()
        self._preset: Preset | None = Preset.THREE_QUARTER
        self._scene: Scene | None = None
        self._framed_clip: str | None = None
        self._hovered: int | None = None
        self._key_times_s: tuple[float, ...] = ()
        self._tool: Tool | None = None
        self._tool_has_mouse = False
        self._press: QPointF | None = None
        self._last = QPointF()
        self._dragging: navigation.Motion | None = None
        self._hint = ""
        self._named = False
        self._framed: Camera | None = None  # where the camera was put, not by the user
        self._gl_failed = False
        self.rig = CameraRig(self)
        self.rig.changed.connect(self._on_camera_changed)
        self._build()
        document.changed.connect(self._on_document_changed)
        session.changed.connect(self._on_session_changed)
        showing.changed.connect(self._on_showing_changed)
        self._on_showing_changed()

    def _build(self) -> None:
        self.setAccessibleName("3D view")
        self.setAccessibleDescription(
            "The figure. F frames the selection, A everything; 1, 3, 7 look from front, side, top"
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(160, 120)
        self._stack = QStackedLayout(self)
        self._empty = EmptyState(
            "The figure of the selected clip stands here. Open a motion file to begin.",
            "Open clips…", self.import_wanted.emit, self,
        )  # fmt: skip
        self._stage = QWidget(self)
        self._stage.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._room = QVBoxLayout(self._stage)
        self._room.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._stage)
        self._view: View3D | None = None
        self._make_view()
        self._overlay = Overlay(self._labels, self._stage)

    # What is shown

    @property
    def options(self) -> ViewOptions:
        return self._options

    @options.setter
    def options(self, options: ViewOptions) -> None:
        before, self._options = self._options, options
        if before == options:
            return
        if before.painter != options.painter:
            self._make_view()
        self.rig.stand_by(self._body_point())
        self.refresh()
        self.options_changed.emit(options)

    def set_options(self, **changes: object) -> None:
        """Change some of the options: `set_options(trails=True)`."""
        self.options = replace(self._options, **changes)  # type: ignore[arg-type]

    @property
    def key_times_s(self) -> tuple[float, ...]:
        """Moments of the shown take at which ghosts stand where the option asks for them."""
        return self._key_times_s

    @key_times_s.setter
    def key_times_s(self, times_s: tuple[float, ...]) -> None:
        self._key_times_s = times_s
        self.refresh()

    @property
    def scene(self) -> Scene:
        """What is drawn; made when it is first asked for."""
        if self._scene is None:
            self._scene = self._composed()
        return self._scene

    @property
    def uses_opengl(self) -> bool:
        return not isinstance(self._view, PainterView)

    @property
    def tool(self) -> Tool | None:
        return self._tool

    @tool.setter
    def tool(self, tool: Tool | None) -> None:
        if self._tool is not None:
            self._tool.cancel()
        self._tool, self._tool_has_mouse = tool, False
        self.refresh()

    def refresh(self) -> None:
        """Draw anew; what is drawn is worked out once, when it is painted."""
        self._scene = None
        self._redraw()
        self._say()
        self._write_names()

    def _composed(self) -> Scene:
        view = self._session.view
        wanted = replace(
            wanted_of(self._showing.current, self._showing.compared, view.time_s),
            joints=view.joints,
            hovered=self._hovered,
            key_times_s=self._key_times_s,
        )
        scene = self._composer.scene(wanted, self._options, theme())
        if self._tool is not None:
            lines, dots = self._tool.draw(scene, self.camera, self._size())
            scene = replace(scene, front_lines=scene.front_lines + lines, front_dots=scene.front_dots + dots)
        return scene

    def _redraw(self) -> None:
        if self._view is not None:
            self._view.redraw()

    def _to_draw(self) -> tuple[Scene, Camera]:
        return self.scene, self.camera

    def _make_view(self) -> None:
        """The view that suits the machine and the options, in the place of the one before."""
        view: View3D
        if self._options.painter or self._gl_failed or not abilities().available:
            view = PainterView(self._to_draw, self._stage)
        else:
            from widgets.viewport.gl_view import GlView

            view = GlView(self._to_draw, self._stage)
            view.failed.connect(self._on_gl_failed, Qt.ConnectionType.QueuedConnection)
        before, self._view = self._view, view
        self._room.addWidget(view)
        view.lower()
        if before is not None:
            before.free()
            before.hide()
            before.deleteLater()

    def _say(self) -> None:
        """Tell the overlay what to write."""
        shown, note = self._showing.current, ""
        if shown is None:
            note = self._showing.failure or _WAITING
        elif self._lacks_gl():
            note = _NO_GL
        self._overlay.say(Notes(self._preset, "" if shown is None else shown.clip.name, note), self.camera)

    def _labels(self) -> tuple[Label, ...]:
        return self.scene.labels

    def _write_names(self) -> None:
        """Let the overlay write the names of joints where there are any, or were. It is let alone where not: drawing
        over OpenGL costs time.
        """
        named = self._options.names or self._hovered is not None or bool(self._session.view.joints)
        if named or self._named:
            self._overlay.update()
        self._named = named

    def _lacks_gl(self) -> bool:
        """Whether simple drawing is used although nobody asked for it."""
        return not self._options.painter and not self.uses_opengl

    # The camera

    @property
    def camera(self) -> Camera:
        return self.rig.camera

    def look_from(self, preset: Preset | str) -> None:
        """Look at the figure's front, side, …, as it stands now."""
        self._preset = Preset(preset)
        shown, yaw = self._showing.current, 0.0
        if shown is not None:
            motion = shown.take.motion
            yaw = front_yaw(motion, self._session.view.time_s / motion.frame_time_s)
        self.rig.set(self.rig.goal.at_preset(self._preset, yaw), smoothly=True)
        self._say()

    def frame_all(self, smoothly: bool = True) -> None:
        """See all figures."""
        self.rig.set(self.rig.goal.framing(framed_points(self.scene), self._size()), smoothly)

    def frame_selection(self) -> None:
        """See the selected joints; where none is, all figures."""
        shown = self._showing.current
        refs = self._session.view.joints
        joints = () if shown is None else tuple(shown.take.motion.skeleton.resolve(ref) for ref in refs)
        self._frame_joints([joint for joint in joints if joint is not None])

    def _frame_joints(self, joints: list[int]) -> None:
        points = framed_points(self.scene, self.scene.joints[joints] if joints else None)
        self.rig.set(self.rig.goal.framing(points, self._size()), smoothly=True)

    def _on_camera_changed(self, camera: Camera) -> None:
        if self._tool is not None:
            self._scene = None  # handles keep their size on the screen
        self._redraw()
        self._say()
        self.camera_changed.emit(camera)

    def _size(self) -> Size:
        return float(max(self.width(), 1)), float(max(self.height(), 1))

    def _body_point(self) -> Array | None:
        """Where the body is that the camera follows."""
        shown = self._showing.current
        return None if shown is None else followed_point(shown.take.motion, self._session.view.time_s)

    # What changed

    def _on_document_changed(self, before: object, after: object) -> None:
        self._choose_page()

    def _on_session_changed(self, before: View, after: View) -> None:
        if self._options.follow and before.time_s != after.time_s and before.clip == after.clip:
            self.rig.follow(self._body_point())
        self.refresh()

    def _on_showing_changed(self) -> None:
        self._choose_page()
        shown = self._showing.current
        self._scene = None
        if shown is not None and self._framed_clip != shown.clip.id:
            self._meet(shown.clip.id)
        elif shown is not None:
            # An edit that moves the body a little is seen to; one that takes it elsewhere must not leave an empty view.
            far = self.rig.distance_m(self._body_point()) > _ELSEWHERE_M
            (self.rig.follow if self._options.follow and far else self.rig.stand_by)(self._body_point())
        self.refresh()

    def _meet(self, clip_id: str) -> None:
        """Look at a clip that was not shown before: the first from its front, others as the last one was."""
        first = self._framed_clip is None
        self._framed_clip = clip_id
        self._hovered = None
        self.rig.stand_by(self._body_point())
        if first:
            self.look_from(Preset.THREE_QUARTER)
        self.frame_all(smoothly=False)
        self._framed = self.camera

    def _choose_page(self) -> None:
        empty = not self._document.project.clips
        if empty:
            self._framed_clip = None
        self._stack.setCurrentWidget(self._empty if empty else self._stage)

    def _on_gl_failed(self, reason: str) -> None:
        self._gl_failed = True
        self._make_view()
        self.refresh()

    # The mouse

    def _pointer(self, event: QMouseEvent) -> Pointer:
        at = event.position()
        pixel = (at.x(), at.y())
        origin, direction = self.camera.ray(pixel, self._size())
        return Pointer(pixel, origin, direction, event.modifiers(), self.camera, self._size())

    def joint_at(self, position: QPointF) -> int | None:
        """The joint of the shown figure under a place of the view."""
        scene = self.scene
        return pick(scene.solids, scene.joints, self.camera, (position.x(), position.y()), self._size())

    def _select(self, joint: int | None, adding: bool) -> None:
        shown = self._showing.current
        ref = None if joint is None or shown is None else shown.take.motion.skeleton.ref(joint)
        self._session.look(joints=selection_after(self._session.view.joints, ref, adding))

    def _hover(self, position: QPointF | None) -> None:
        joint = None if position is None or self._showing.current is None else self.joint_at(position)
        if joint != self._hovered:
            self._hovered = joint
            self.refresh()
        shown, hint = self._showing.current, ""
        if position is not None and shown is not None:
            name = None if joint is None else shown.take.motion.skeleton.names[joint]
            hint = "Drag orbits, wheel zooms" if name is None else f"Click selects {name}, Shift+click adds it"
        if hint != self._hint:
            self._hint = hint
            self.hint_changed.emit(hint)

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._stack.currentWidget() is self._empty or self._dragging is not None or self._press is not None:
            return
        self._last = event.position()
        motion = navigation.motion_of(event.button(), event.modifiers(), self._options.mouse)
        if motion is not None:
            self._dragging = motion
        elif event.button() == Qt.MouseButton.LeftButton:
            self._tool_has_mouse = self._tool is not None and self._tool.press(self._pointer(event))
            self._press = event.position()
        if motion is not None or self._press is not None:
            self.rig.hold()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._stack.currentWidget() is self._empty:
            return
        at = event.position()
        by, self._last = at - self._last, at
        if self._tool is not None and self._dragging is None and (self._tool_has_mouse or self._press is None):
            self._tool.move(self._pointer(event))
            self.refresh()
        if self._tool_has_mouse:
            return
        if self._dragging is None and self._press is not None:
            if (at - self._press).manhattanLength() < _CLICK_PX:
                return
            self._dragging, by = navigation.Motion.ORBIT, at - self._press
        if self._dragging is None:
            self._hover(at)
            return
        if self._dragging is navigation.Motion.ORBIT:
            self._preset = None
        self.rig.set(navigation.dragged(self.camera, self._dragging, by.x(), by.y(), self._size()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._tool_has_mouse and self._tool is not None and event.button() == Qt.MouseButton.LeftButton:
            self._tool.release(self._pointer(event))
            self.refresh()
        elif self._press is not None and self._dragging is None and event.button() == Qt.MouseButton.LeftButton:
            adding = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._select(self.joint_at(event.position()), adding)
        self._press, self._dragging, self._tool_has_mouse = None, None, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._stack.currentWidget() is self._stage and event.button() == Qt.MouseButton.LeftButton:
            joint = self.joint_at(event.position())
            if joint is not None:
                self._frame_joints([joint])

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._stack.currentWidget() is self._stage:
            self.rig.set(navigation.wheeled(self.camera, event.angleDelta().y() / 120.0))
            event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        preset = navigation.preset_key(event.key(), event.modifiers())
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if preset is not None:
            self.look_from(preset)
        elif event.key() == Qt.Key.Key_F and not held:
            self.frame_selection()
        elif event.key() == Qt.Key.Key_A and not held:
            self.frame_all()
        elif event.key() == Qt.Key.Key_Escape and self._tool_has_mouse and self._tool is not None:
            self._tool.cancel()
            self._tool_has_mouse, self._press = False, None
            self.refresh()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._overlay.setGeometry(self.rect())
        self._overlay.raise_()
        if self._framed is not None and self._framed == self.camera:
            self.frame_all(smoothly=False)
            self._framed = self.camera

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_overlay"):
            self.refresh()
            self._overlay.update()
