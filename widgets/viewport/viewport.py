"""The viewport: turns the mouse and keys into camera moves, selections and what the tool does with them."""

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from widgets.viewport import navigation
from widgets.viewport.figure_view import FigureView
from widgets.viewport.picking import pick, selection_after
from widgets.viewport.tool import Hover, KeyPress, Pointer

_CLICK_PX = 4  # a press that moves farther is a drag
_MODIFIERS = {
    Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier,
    Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier,
    Qt.Key.Key_Alt: Qt.KeyboardModifier.AltModifier,
}


class Viewport(FigureView):
    """Figures in 3D that can be handled. `tool` gets the mouse first, then the camera."""

    hint_changed = Signal(str)  # what the mouse would do here

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        self._press: QPointF | None = None
        self._last = QPointF()
        self._drag: navigation.CameraDrag | None = None
        self._hint = ""
        super().__init__(document, session, showing, parent)
        self.setMouseTracking(True)

    # The mouse

    def _pointer(self, event: QMouseEvent, is_double: bool = False) -> Pointer:
        at = event.position()
        pixel = (at.x(), at.y())
        origin, direction = self.camera.ray(pixel, self._size())
        return Pointer(pixel, origin, direction, event.modifiers(), self.camera, self._size(), is_double)

    def joint_at(self, position: QPointF) -> int | None:
        """The joint of the shown figure under a place of the view."""
        scene = self.scene
        return pick(scene.solids, scene.joints, self.camera, (position.x(), position.y()), self._size())

    def _select(self, joint: int | None, adding: bool) -> None:
        shown = self._showing.current
        if self.shows_source or self.shows_live_only:
            return  # their joints may be others
        ref = None if joint is None or shown is None else shown.take.motion.skeleton.ref(joint)
        self._session.look(joints=selection_after(self._session.view.joints, ref, adding))

    def _hover(self, pointer: Pointer | None) -> None:
        """Say what the mouse would do, if it is anywhere: to a handle first, then to a joint."""
        over = None if self.shows_source else self._slot.hover(pointer)
        shown = None if self.shows_source or self.shows_live_only else self._showing.current
        seen = pointer is not None and over is None and shown is not None
        joint = self.joint_at(QPointF(*pointer.pixel)) if seen and pointer is not None else None
        if joint != self._hovered or self._slot.tool is not None:
            self._hovered = joint
            self.refresh()
        if over is None:
            self.unsetCursor()
        else:
            self.setCursor(over.cursor)
        name = None if joint is None or shown is None else shown.take.motion.skeleton.names[joint]
        self._hint_at(pointer, over, name)

    def _hint_at(self, pointer: Pointer | None, over: Hover | None, joint: str | None) -> None:
        nothing = self._showing.current is None and not self.shows_live_only
        hint = "" if pointer is None or nothing else "Drag orbits, wheel zooms"
        if joint is not None:
            hint = f"Click selects {joint}, Shift+click adds it"
        hint = hint if over is None else over.hint
        if hint != self._hint:
            self._hint = hint
            self.hint_changed.emit(hint)

    def _begin_drag(self, motion: navigation.Motion) -> None:
        self._drag = navigation.CameraDrag(motion, self.camera, self._preset, self.rig.followed)

    def _cancel_drag(self) -> None:
        """Put back what is being dragged: the tool's handle, or the camera."""
        if self._slot.has_mouse:
            self._slot.cancel()
            self.refresh()
        elif self._drag is not None:
            self._preset = self._drag.preset
            self.rig.set(self._drag.start_now(self.rig.followed))
            self._say()
        # The button is still down, but neither is set: until it comes up the mouse does nothing.
        self._press, self._drag = None, None

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._take_press(event, self._pointer(event))

    def _take_press(self, event: QMouseEvent, pointer: Pointer) -> None:
        if self._stack.currentWidget() is self._empty or self._drag is not None or self._press is not None:
            return
        self._last = event.position()
        motion = navigation.motion_of(event.button(), event.modifiers(), self._options.mouse)
        if motion is not None:
            self._begin_drag(motion)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._press = event.position()
            if not self.shows_source and self._slot.press(pointer):
                self.refresh()
        if motion is not None or self._press is not None:
            self.rig.hold()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._stack.currentWidget() is self._empty:
            return
        at = event.position()
        by, self._last = at - self._last, at
        if self._slot.has_mouse:
            self._slot.move(self._pointer(event))
            self.refresh()
            return
        if self._drag is None and self._press is not None:
            if (at - self._press).manhattanLength() < _CLICK_PX:
                return
            self._begin_drag(navigation.Motion.ORBIT)
            by = at - self._press
        if self._drag is None:
            if event.buttons() == Qt.MouseButton.NoButton:
                self._hover(self._pointer(event))
            return
        if self._drag.motion is navigation.Motion.ORBIT:
            self._preset = None
        self.rig.set(navigation.dragged(self.camera, self._drag.motion, by.x(), by.y(), self._size()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._slot.has_mouse:
            if event.button() != Qt.MouseButton.LeftButton:
                return
            self._slot.release(self._pointer(event))
            self.refresh()
        elif self._press is not None and self._drag is None and event.button() == Qt.MouseButton.LeftButton:
            adding = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._select(self.joint_at(event.position()), adding)
        self._press, self._drag = None, None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._stack.currentWidget() is not self._picture:
            return
        self._take_press(event, self._pointer(event, is_double=True))
        if self._slot.has_mouse or event.button() != Qt.MouseButton.LeftButton or self._drag is not None:
            return
        joint = self.joint_at(event.position())
        if joint is not None:
            self._press = None
            self._frame_joints([joint])

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._stack.currentWidget() is self._picture:
            self.rig.set(navigation.wheeled(self.camera, event.angleDelta().y() / 120.0))
            event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        if not self._slot.has_mouse:
            self._hover(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes_key(event):
            event.accept()
            return True
        return super().event(event)

    def _takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key must come here although it may be the shortcut of a menu."""
        if self._slot.has_mouse or (self._drag is not None and event.key() == Qt.Key.Key_Escape):
            return True
        return self._is_source_key(event) or self._slot.wants_key(_key_press(event))

    def _is_source_key(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_QuoteLeft and not event.modifiers()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = _key_press(event)
        if event.key() == Qt.Key.Key_Escape and (self._slot.has_mouse or self._drag is not None):
            self._cancel_drag()
        elif self._slot.has_mouse and event.key() in _MODIFIERS:
            self._slot.modify(event.modifiers() | _MODIFIERS[Qt.Key(event.key())])
            self.refresh()
        elif self._slot.wants_key(key):
            self._slot.press_key(key)
            self.refresh()
        elif self._slot.has_mouse:
            return
        elif self._is_source_key(event):
            if not event.isAutoRepeat():
                self.source_key.hold()
        elif not self._steer_by_key(event):
            super().keyPressEvent(event)

    def _steer_by_key(self, event: QKeyEvent) -> bool:
        """Move the camera. -> whether the key does."""
        preset = navigation.preset_key(event.key(), event.modifiers())
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if preset is not None:
            self.look_from(preset)
        elif event.key() == Qt.Key.Key_F and not held:
            self.frame_selection()
        elif event.key() == Qt.Key.Key_A and not held:
            self.frame_all()
        else:
            return False
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._slot.has_mouse and event.key() in _MODIFIERS:
            self._slot.modify(event.modifiers() & ~_MODIFIERS[Qt.Key(event.key())])
            self.refresh()
        else:
            super().keyReleaseEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._cancel_drag()
        self.source_key.let_go()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow() and self._slot.has_mouse:
            self._cancel_drag()  # nobody can tell whether the button comes up


def _key_press(event: QKeyEvent) -> KeyPress:
    return KeyPress(event.key(), event.modifiers(), event.text())
