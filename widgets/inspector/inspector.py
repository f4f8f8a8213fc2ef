"""The inspector: what is selected, with its parameters. An edit, or the clip; and beside it the body's joints."""

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.stack.clips import set_source
from editor.stack.command import Command
from editor.stack.layers import change_edit, set_scope
from model.character import Character
from model.clip import Clip, Layer
from model.skeleton import Skeleton
from widgets.common.edit_notes import told_by
from widgets.common.empty import EmptyState
from widgets.common.message import Message
from widgets.common.setting_kinds import EditorMaker, FormContext
from widgets.common.theme import GRID
from widgets.inspector.clip_properties import ClipProperties
from widgets.inspector.contracts import (
    EditRequest,
    EditSection,
    InspectorPage,
    JointSection,
    PathMeasure,
    ShownEdit,
    SourceSection,
)
from widgets.inspector.layer_properties import LayerProperties
from widgets.inspector.playhead import frame_source_s, frames_long_s, playhead_source_s
from widgets.inspector.settings_form import SettingsForm
from widgets.inspector.skeleton_tree import SkeletonTree

T = TypeVar("T")
_PROPERTIES, _SKELETON = 0, 1
_EMPTY, _CLIP, _EDIT, _OTHERS = 0, 1, 2, 3  # pages; those of features come last
# The least width of a page; a form that needs more gets it, up to where it would crowd out the rest of the window.
_LEAST_WIDTH = 28 * GRID
_MOST_NEEDED_WIDTH = 40 * GRID


class Inspector(QWidget):
    """Shows the selected edit, else the clip; a second tab shows the skeleton and the selected joint's values."""

    role_chosen = Signal(int, object)  # a joint, and the role that a person gives it, or None
    panel_wanted = Signal(str)  # that a setting is seen in, by name

    def __init__(
        self,
        document: Document,
        session: Session,
        showing: Showing,
        brought: Iterable[object] = (),
        parent: QWidget | None = None,
    ) -> None:
        """brought : by features, of which those that `contracts` names are taken."""
        super().__init__(parent)
        self._document = document
        self._session = session
        self._showing = showing
        self._brought = tuple(brought)
        context = FormContext(
            self._moment_s,
            self._clip_name,
            self._frames_s,
            self._characters,
            self.panel_wanted.emit,
            self._length_s,
            self._skeleton_shown,
            showing.read_s,
            showing.meant_s,
            self._along_m,
            self._all(EditorMaker),
        )
        self.message = Message()
        edit_sections = sorted(self._all(EditSection), key=lambda section: section.at)
        source_sections = sorted(self._all(SourceSection), key=lambda section: section.at)
        self.layer_properties = LayerProperties(context, [section.make(context) for section in edit_sections])
        self.clip_properties = ClipProperties(context, [section.make() for section in source_sections])
        self.skeleton = SkeletonTree(session, showing)
        self._further = self._all(InspectorPage)
        self._further_pages = [page.make() for page in self._further]
        self._empty = EmptyState("Select a clip or an edit to see and change what it is made of.")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        for page in (self.clip_properties, self.layer_properties, *self._further_pages):
            self._pages.addWidget(_Scrolling(page))
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Inspector")
        self.tabs.tabBar().setAccessibleName("Inspector pages")
        joints = QSplitter(Qt.Orientation.Vertical)
        joints.setChildrenCollapsible(False)
        joints.addWidget(self.skeleton)
        self._joint_parts = [section.make() for section in self._all(JointSection)]
        for part in self._joint_parts:
            joints.addWidget(part)
        joints.setStretchFactor(0, 1)
        self.tabs.addTab(self._pages, "Clip")
        self.tabs.addTab(joints, "Skeleton")
        self.tabs.setTabToolTip(_PROPERTIES, "What the selected edit, or the clip, is made of")
        self.tabs.setTabToolTip(_SKELETON, "The joints of the body, their roles, and where the selected one is")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.message)
        layout.addWidget(self.tabs)
        self._connect()
        self._refresh()

    @property
    def form(self) -> SettingsForm | None:
        """The form of settings that is shown."""
        return self.layer_properties.form if self._layer is not None else self.clip_properties.form

    def part(self, kind: type[T]) -> T:
        """The part of this kind, of those that features brought."""
        parts = (*self.layer_properties.parts, *self.clip_properties.parts, *self._further_pages, *self._joint_parts)
        return next(part for part in parts if isinstance(part, kind))

    def _all(self, kind: type[T]) -> tuple[T, ...]:
        return tuple(one for one in self._brought if isinstance(one, kind))

    # How

    def _connect(self) -> None:
        for properties, changing, changed, nudged in (
            (self.layer_properties, self._on_edit_changing, self._on_edit_changed, self._on_edit_nudged),
            (self.layer_properties.scope, self._on_scope_changing, self._on_scope_changed, self._on_scope_nudged),
            (self.clip_properties, self._on_source_changing, self._on_source_changed, self._on_source_nudged),
        ):
            properties.changing.connect(changing)
            properties.changed.connect(changed)
            properties.nudged.connect(nudged)
            properties.cancelled.connect(self._document.cancel)
            properties.refused.connect(self.message.say)
        self.layer_properties.moment_chosen.connect(self._on_moment_chosen)
        for part in self.layer_properties.parts:
            part.changing.connect(self._on_requesting)
            part.changed.connect(self._on_requested)
            part.nudged.connect(self._on_request_nudged)
            part.cancelled.connect(self._document.cancel)
            part.refused.connect(self.message.say)
        for widget in (*self._further_pages, *self._joint_parts):
            if hasattr(widget, "refused"):
                widget.refused.connect(self.message.say)
        self.skeleton.role_chosen.connect(self.role_chosen)
        self._document.changed.connect(self._refresh)
        self._showing.changed.connect(self._refresh)
        self._session.changed.connect(self._on_view_changed)

    @property
    def _clip(self) -> Clip | None:
        clip = self._session.view.clip
        return self._document.project.clip(clip) if clip is not None and clip in self._document.project else None

    @property
    def _layer(self) -> Layer | None:
        clip, layer = self._clip, self._session.view.layer
        if clip is None or layer is None:
            return None
        return next((one for one in clip.layers if one.id == layer), None)

    def _skeleton_shown(self) -> Skeleton | None:
        shown = self._showing.current
        return None if shown is None else shown.take.motion.skeleton

    def _moment_s(self) -> float:
        return playhead_source_s(self._session, self._showing)

    def _along_m(self) -> float | None:
        found = (measure.along_m() for measure in self._all(PathMeasure))
        return next((metres for metres in found if metres is not None), None)

    def _frames_s(self, frames: float, is_moment: bool) -> float | None:
        return frame_source_s(frames, self._showing) if is_moment else frames_long_s(frames, self._showing)

    def _length_s(self) -> float:
        shown = self._showing.current
        return 0.0 if shown is None else shown.source_s(shown.source.motion.duration_s)

    def _clip_name(self, clip_id: str) -> str:
        return self._document.project.clip(clip_id).name if clip_id in self._document.project else "gone"

    def _characters(self) -> tuple[Character, ...]:
        return self._document.project.characters

    def _refresh(self, *_: object) -> None:
        clip, layer, shown = self._clip, self._layer, self._showing.current
        motion = None if shown is None else shown.final.motion
        if layer is not None:
            skeleton = None if motion is None else motion.skeleton
            self.layer_properties.set_layer(layer, skeleton, self._session.view.joints)
            assert clip is not None
            self.layer_properties.notes.show_notes(*told_by(self._showing, clip, layer))
            self._show_parts()
        elif clip is not None:
            self.clip_properties.set_clip(clip, motion, self._showing.failure)
        else:
            self.clip_properties.forget_clip()
        further = self._further_wanted(self._session.view)
        page = _EMPTY if clip is None else _CLIP if layer is None else _EDIT
        self._pages.setCurrentIndex(page if further is None else _OTHERS + further)
        title = "Clip" if layer is None else "Edit"
        self.tabs.setTabText(_PROPERTIES, title if further is None else self._further[further].title)

    def _further_wanted(self, view: View) -> int | None:
        """Which page of a feature is to be seen; None for none."""
        return next((place for place, page in enumerate(self._further) if page.is_wanted(view)), None)

    def _show_parts(self) -> None:
        """Show what features tell of the edit, at the playhead."""
        layer = self._layer
        if layer is not None:
            self.layer_properties.show_parts(ShownEdit(layer, self._showing.current, self._session.view.joints))

    def _on_moment_chosen(self, source_s: float) -> None:
        shown = self._showing.current
        if shown is not None:
            frame = shown.frame_at(float(shown.stage.time_map(source_s)))
            self._session.look(time_s=frame * shown.take.motion.frame_time_s)

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.time_s != after.time_s:
            self._show_parts()
        if (before.clip, before.layer) != (after.clip, after.layer):
            self.message.clear()
        chosen = after.layer is not None and before.layer != after.layer
        if chosen or (after.ground_object != before.ground_object and self._further_wanted(after) is not None):
            self.tabs.setCurrentIndex(_PROPERTIES)
        elif before.joints != after.joints and after.joints and after.layer is None:
            self.tabs.setCurrentIndex(_SKELETON)
        seen = (after.clip, after.layer, after.joints, after.ground_object)
        if (before.clip, before.layer, before.joints, before.ground_object) != seen:
            self._refresh()

    def _try(self, command: Command, *arguments: object) -> bool:
        """Show what a command would do. -> whether it can be done."""
        try:
            self._document.preview(command, *arguments)
        except ValueError as error:
            self.message.say(str(error))
            return False
        return True

    def _finish(self, command: Command, *arguments: object) -> None:
        if self._try(command, *arguments):
            self.message.clear()
            self._document.commit()
        else:
            self._document.cancel()
        self._refresh()

    def _nudge(self, merge: str, command: Command, *arguments: object) -> None:
        try:
            self._document.do(command, *arguments, merge=merge)
            self.message.clear()
        except ValueError as error:
            self.message.say(str(error))
        self._refresh()

    @property
    def _place(self) -> tuple[str, str]:
        """The ids of the clip and the edit that are shown."""
        view = self._session.view
        assert view.clip is not None
        assert view.layer is not None
        return view.clip, view.layer

    def _on_edit_changing(self, edit: object) -> None:
        self._try(change_edit, *self._place, edit)

    def _on_edit_changed(self, edit: object) -> None:
        self._finish(change_edit, *self._place, edit)

    def _on_edit_nudged(self, edit: object, name: str) -> None:
        self._nudge(f"edit {self._place[1]} {name}", change_edit, *self._place, edit)

    def _on_scope_changing(self, scope: object) -> None:
        self._try(set_scope, *self._place, scope)

    def _on_scope_changed(self, scope: object) -> None:
        self._finish(set_scope, *self._place, scope)

    def _on_scope_nudged(self, scope: object, name: str) -> None:
        self._nudge(f"scope {self._place[1]} {name}", set_scope, *self._place, scope)

    def _on_requesting(self, request: EditRequest) -> None:
        self._try(request.command, *self._place, *request.arguments)

    def _on_requested(self, request: EditRequest) -> None:
        self._finish(request.command, *self._place, *request.arguments)

    def _on_request_nudged(self, request: EditRequest, name: str) -> None:
        self._nudge(f"{name} {self._place[1]}", request.command, *self._place, *request.arguments)

    def _on_source_changing(self, source: object) -> None:
        self._try(set_source, self._session.view.clip, source)

    def _on_source_changed(self, source: object) -> None:
        self._finish(set_source, self._session.view.clip, source)

    def _on_source_nudged(self, source: object, name: str) -> None:
        self._nudge(f"source {self._session.view.clip} {name}", set_source, self._session.view.clip, source)


class _Scrolling(QScrollArea):
    """A widget that scrolls up and down where it does not fit; never so narrow that it is cut off sideways."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inner = QWidget()
        layout = QVBoxLayout(self._inner)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.addWidget(widget)
        layout.addStretch(1)
        self.setWidget(self._inner)

    def minimumSizeHint(self) -> QSize:
        size = super().minimumSizeHint()
        needed = self._inner.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(min(max(needed, _LEAST_WIDTH), _MOST_NEEDED_WIDTH), size.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()  # other contents may need another width
        return super().eventFilter(watched, event)
