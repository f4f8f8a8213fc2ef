"""Shows the clip that is looked at, and what is live, seen by a camera. Mouse and keys are the viewport's business."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from editor.document.document import Document
from editor.document.live import LiveFigure
from editor.document.session import Session, View
from editor.document.showing import Showing, Shown
from model.arrays import Array
from model.kinematics import WorldPose
from model.project import Project
from widgets.common.empty import EmptyState
from widgets.common.theme import theme
from widgets.viewport.camera import Camera, Preset, Size
from widgets.viewport.captions import Notes
from widgets.viewport.composing import Composer, ViewOptions, Wanted, framed_points, wanted_of
from widgets.viewport.holding import HeldKey
from widgets.viewport.live import is_other_figure, moment_of
from widgets.viewport.overlay import Overlay
from widgets.viewport.picture import Picture
from widgets.viewport.poses import front_yaw
from widgets.viewport.rig import CameraRig, followed_point, trailing_point
from widgets.viewport.scene import Label, Scene
from widgets.viewport.tool import Tool
from widgets.viewport.tool_slot import ToolSlot

_NO_GL = "OpenGL 3.3 is not available: simple drawing is used."
_WAITING = "Working out the clip …"
_ELSEWHERE_M = 0.5  # an edit that moves the body farther takes the camera along
_LARGE = 0.4  # of the view: a figure this large is large enough


class FigureView(QWidget):
    """Figures in 3D. `options` says what is shown, `rig` moves the camera, handles of the `tool` are drawn over."""

    options_changed = Signal(object)
    camera_changed = Signal(object)
    import_wanted = Signal()

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._options = ViewOptions()
        self._composer = Composer()
        self._preset: Preset | None = Preset.THREE_QUARTER
        self._scene: Scene | None = None
        self._drawn: Scene | None = None  # the last one, although it may no longer hold
        self._framed_clip: str | None = None
        self._hovered: int | None = None
        self._overlays: list[Overlay] = []
        self._seen: tuple[object, ...] = ()
        self._held_pose: tuple[WorldPose, WorldPose | None] | None = None
        self._pose_ghost: Callable[[], WorldPose | None] | None = None
        self._live: LiveFigure | None = None
        self._take_slot, self._live_slot = ToolSlot(), ToolSlot()
        self._named = False
        self._to_undo: Array | None = None  # (3,) how the camera stands apart while the source is held up
        self._framed: Camera | None = None  # where the camera was put, not by the user
        self.rig = CameraRig(self)
        self.rig.changed.connect(self._on_camera_changed)
        self.source_key = HeldKey(Qt.Key.Key_QuoteLeft, self)
        self.source_key.changed.connect(self._on_source_held)
        self._build()
        document.changed.connect(self._on_document_changed)
        session.changed.connect(self._on_session_changed)
        showing.changed.connect(self._on_showing_changed)
        self._on_showing_changed()

    def _build(self) -> None:
        self.setAccessibleName("3D view")
        self.setAccessibleDescription(
            "The figure. F frames the selection, A everything; 1, 3, 7 look from front, side, top; ` shows the source"
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self._stack = QStackedLayout(self)
        self._empty = EmptyState(
            "The figure of the selected clip stands here. Open a motion file to begin.",
            "Open clips…", self.import_wanted.emit, self,
        )  # fmt: skip
        self._picture = Picture(self._to_draw, self._labels, self)
        self._picture.replaced.connect(self.refresh)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._picture)

    # What is shown

    @property
    def options(self) -> ViewOptions:
        return self._options

    @options.setter
    def options(self, options: ViewOptions) -> None:
        before, self._options = self._options, options
        if before == options:
            return
        self._picture.want_painter(options.painter)
        self.rig.stand_by(self._body_point())
        self.refresh()
        self.options_changed.emit(options)

    def set_options(self, **changes: object) -> None:
        """Change some of the options: `set_options(trails=True)`."""
        self.options = replace(self._options, **changes)  # type: ignore[arg-type]

    def add_overlay(self, overlay: Overlay) -> None:
        """Show what a feature has to show about the figure."""
        self._overlays.append(overlay)
        overlay.changed.connect(self.refresh)

    def hold_pose(self, pose: WorldPose | None, before: WorldPose | None = None) -> None:
        """Let the figure stand otherwise than in its take, with a ghost of how it stood before; None: as in its take.

        What a hand does to the figure is seen at once so, while the take with it is still being worked out.
        """
        had, self._held_pose = self._held_pose is not None, None if pose is None else (pose, before)
        if had or pose is not None:
            self.refresh()

    def show_ghost_of(self, pose: Callable[[], WorldPose | None] | None) -> None:
        """Let a ghost stand beside the figure: asked for anew with every scene, None for none."""
        self._pose_ghost = pose
        self.refresh()

    def show_live(self, live: LiveFigure | None, tool: Tool | None = None) -> None:
        """Show a body that is steered now, as it stands at the end of its take, on its own skeleton and followed by the
        camera; None: no longer. Said again with every pose. No clip is needed.

        tool : takes the mouse instead of the clip's tool, which has no use while its figure is hidden.
        """
        slot, used = self._slot, self._slot.tool
        before, self._live = self._live, live
        if live is not None:
            _ = live.take.motion.world  # once for all that is drawn: of one frame it costs as much
        if tool is not self._live_slot.tool:
            self._live_slot.put(tool)
        if self._slot is not slot or self._slot.tool is not used:
            slot.cancel()
            self._hovered = None
            self.unsetCursor()
        if is_other_figure(before, live):
            self._meet_other()
        elif live is not None and self._options.follow:
            self._go_along()
        self.refresh()

    @property
    def shows_live_only(self) -> bool:
        """Whether a live figure stands in the place of the clip's."""
        return self._live is not None and (self._live.hides_take or self._showing.current is None)

    @property
    def scene(self) -> Scene:
        """What is drawn; made when it is first asked for."""
        if self._scene is None:
            self._scene = self._drawn = self._composed()
        return self._scene

    @property
    def uses_opengl(self) -> bool:
        return self._picture.uses_opengl

    @property
    def tool(self) -> Tool | None:
        return self._take_slot.tool

    @tool.setter
    def tool(self, tool: Tool | None) -> None:
        self._take_slot.put(tool)
        self.unsetCursor()
        self.refresh()

    @property
    def _slot(self) -> ToolSlot:
        """The tool that has the mouse now."""
        own = self.shows_live_only or self._live_slot.tool is not None
        return self._live_slot if own else self._take_slot

    def refresh(self) -> None:
        """Draw anew; what is drawn is worked out once, when it is painted."""
        self._scene = None
        self._picture.redraw()
        self._say()
        self._write_names()

    @property
    def shows_source(self) -> bool:
        """Whether the source stands in the place of the edited figure."""
        return self.source_key.held and self._showing.current is not None and not self.shows_live_only

    def _wanted(self) -> Wanted:
        view = self._session.view
        wanted = replace(
            wanted_of(self._showing.current, self._showing.compared, view.time_s),
            joints=view.joints,
            hovered=self._hovered,
            ghosts=tuple(ghost for one in self._overlays for ghost in one.ghosts(view.time_s, theme())),
            ground=self._document.project.ground,
            chosen=view.ground_object,
        )
        if self._held_pose is not None and wanted.edited is not None:
            pose, before = self._held_pose
            if len(pose.positions) == len(wanted.edited.take.motion.skeleton):  # else of a clip shown before
                wanted = replace(wanted, pose=pose, pose_before=before)
        elif self._pose_ghost is not None and wanted.edited is not None:
            ghost = self._pose_ghost()
            if ghost is not None and len(ghost.positions) == len(wanted.edited.take.motion.skeleton):
                wanted = replace(wanted, pose_before=ghost)
        wanted = wanted.as_source() if self.shows_source else wanted
        if self._live is None:
            return wanted
        return wanted.with_live(moment_of(self._live), self._live.hides_take)

    def _composed(self) -> Scene:
        scene = self._composer.scene(self._wanted(), self._options, theme())
        if self.shows_source:
            return scene
        for overlay in self._overlays:
            scene = overlay.draw(scene, self.camera, self._size()).over(scene)
        return self._slot.drawn_on(scene, self.camera, self._size())

    def _to_draw(self) -> tuple[Scene, Camera]:
        return self.scene, self.camera

    def _say(self) -> None:
        """Tell the captions what to write."""
        shown, note = self._showing.current, ""
        if shown is None and self._live is None:
            note = self._showing.failure or _WAITING
        elif self.shows_source:
            note = "Source"
        elif self._picture.lacks_opengl:
            note = _NO_GL
        name = "" if shown is None else shown.clip.name
        if self._live is not None and self.shows_live_only:
            name = self._live.name
        self._picture.say(Notes(self._preset, name, note), self.camera)

    def _labels(self) -> tuple[Label, ...]:
        return self.scene.labels

    def _write_names(self) -> None:
        """Let the captions write the names of joints where there are any, or were. It is let alone where not: drawing
        over OpenGL costs time.
        """
        view = self._session.view
        some = self._hovered is not None or bool(view.joints) or bool(view.compared) or self._slot.has_mouse
        named = self._options.names or some or (self._live is not None and not self.shows_live_only)
        if named or self._named:
            self._picture.captions.update()
        self._named = named

    # The camera

    @property
    def camera(self) -> Camera:
        return self.rig.camera

    def look_from(self, preset: Preset | str) -> None:
        """Look at the figure's front, side, …, as it stands now."""
        self._preset = Preset(preset)
        self.rig.set(self._seen_from(self._preset), smoothly=True)
        self._say()

    def _seen_from(self, preset: Preset) -> Camera:
        seen = self._wanted().edited if self._live is None else moment_of(self._live)
        yaw = 0.0
        if seen is not None:
            yaw = front_yaw(seen.take.motion, seen.time_s / seen.take.motion.frame_time_s)
        return self.rig.goal.at_preset(preset, yaw)

    def frame_all(self, smoothly: bool = True) -> None:
        """See all figures."""
        self.rig.set(self.rig.goal.framing(framed_points(self.scene), self._size()), smoothly)

    def frame_selection(self) -> None:
        """See the selected joints; where none is, all figures."""
        shown = None if self.shows_live_only else self._showing.current
        refs = self._session.view.joints
        joints = () if shown is None else tuple(shown.take.motion.skeleton.resolve(ref) for ref in refs)
        self._frame_joints([joint for joint in joints if joint is not None])

    def _frame_joints(self, joints: list[int]) -> None:
        points = framed_points(self.scene, self.scene.joints[joints] if joints else None)
        self.rig.set(self.rig.goal.framing(points, self._size()), smoothly=True)

    def _on_camera_changed(self, camera: Camera) -> None:
        if self._slot.tool is not None or any(overlay.follows_camera for overlay in self._overlays):
            self._scene = None  # handles keep their size on the screen
        self._picture.redraw()
        self._say()
        self.camera_changed.emit(camera)

    def _size(self) -> Size:
        return float(max(self.width(), 1)), float(max(self.height(), 1))

    def _body_point(self) -> Array | None:
        """Where the body is that the camera follows: the live one, if there is one."""
        if self._live is not None:
            return trailing_point(self._live.take.motion)
        seen = self._wanted().edited
        return None if seen is None else followed_point(seen.take.motion, seen.time_s)

    # What changed

    def _on_document_changed(self, before: Project, after: Project) -> None:
        self._choose_page()
        if before.ground is not after.ground:
            self.refresh()

    def _on_session_changed(self, before: View, after: View) -> None:
        if self._options.follow and before.time_s != after.time_s and before.clip == after.clip:
            self._go_along()
        self.refresh()

    def _go_along(self) -> None:
        """Follow the body; a camera that nobody moved still is one."""
        untouched = self._framed == self.camera
        self.rig.follow(self._body_point())
        self._framed = self.camera if untouched else None

    def _on_showing_changed(self) -> None:
        self._choose_page()
        shown = self._showing.current
        seen = _seen(shown, self._showing.compared)
        if shown is not None and _same(seen, self._seen):
            return  # such as other extremes of the same motion
        self._seen = seen
        self._scene = None
        clip = None if shown is None or self._live is not None else shown.clip.id  # what is live keeps the camera
        if clip is not None and self._framed_clip != clip:
            self._meet(clip)
        elif clip is not None:
            # An edit that moves the body a little is seen to; one that takes it elsewhere must not leave an empty view.
            # Not under a hand: what it holds stays where the mouse is.
            elsewhere = self.rig.distance_m(self._body_point()) > _ELSEWHERE_M
            if self._options.follow and elsewhere and not self._slot.has_mouse:
                self._go_along()
            self.rig.stand_by(self._body_point())
        self.refresh()

    def _meet(self, clip_id: str) -> None:
        """Look at a clip that was not shown before: the first from its front, others as the last one was.

        A camera that the user left at a part of the body stays there; it is moved where the figure would not be seen as
        a whole as the last one was, or be small.
        """
        first = self._framed_clip is None
        anew = first or self._framed == self.camera
        whole = self._drawn is not None and self._share_in_view(self._drawn)[1]
        self._framed_clip = clip_id
        self._hovered = self._to_undo = None
        if first:
            self._preset = Preset.THREE_QUARTER
        self.rig.hold()
        self.rig.follow(self._body_point())
        if self._preset is not None:
            self.rig.set(self._seen_from(self._preset))
        if anew or not self._is_seen_well(whole):
            self._frame_whole()

    def _meet_other(self) -> None:
        """Look at a live figure that was not shown before, or, where there is none any longer, at the clip again."""
        self._choose_page()
        self._to_undo = self._scene = None
        shown = self._showing.current
        if self._live is None and shown is not None:
            self._meet(shown.clip.id)
        elif self._live is None:
            self.rig.stand_by(None)
        else:
            self.rig.hold()
            self.rig.follow(self._body_point())
            if self._preset is not None:
                self.rig.set(self._seen_from(self._preset))
            self._frame_whole()

    def _frame_whole(self) -> None:
        """See all of what the camera follows, as a camera does that nobody moved."""
        if self._live is None:
            self.frame_all(smoothly=False)
        else:
            joints = self._live.take.motion.world.positions[-1]
            self.rig.set(self.rig.goal.framing(framed_points(self.scene, joints), self._size()))
        self._framed = self.camera

    def _is_seen_well(self, whole: bool) -> bool:
        """Whether the figure, or a part of it, is in the middle of the view, and large enough. whole : all of it."""
        points = self.scene.outline()
        if not len(points):
            return True
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        target, room = np.array(self.camera.target), 0.1 * (high - low)
        share, inside = self._share_in_view(self.scene)
        return bool(np.all((target > low - room) & (target < high + room))) and share > _LARGE and (inside or not whole)

    def _share_in_view(self, scene: Scene) -> tuple[float, bool]:
        """How much of the view's width or height the figures of a scene take, and whether all of them is in view."""
        size = np.array(self._size())
        pixels, depths = self.camera.project(scene.outline(), self._size())
        ahead = depths > self.camera.near_m
        if not np.any(ahead):
            return 0.0, False
        inside = np.all(ahead) and np.all((pixels >= 0.0) & (pixels <= size))
        return float(np.max(np.ptp(pixels[ahead], axis=0) / size)), bool(inside)

    def _choose_page(self) -> None:
        empty = not self._document.project.clips
        if empty:
            self._framed_clip = None
        empty = empty and self._live is None
        self._stack.setCurrentWidget(self._empty if empty else self._picture)

    def _on_source_held(self, held: bool) -> None:
        """Show the source, or no longer. The camera stays, so that the two can be told apart, unless the source stands
        elsewhere and would not be seen: then it goes there, and comes back.
        """
        self._slot.cancel()
        self._hovered = None
        edited = self.scene.joints
        self._scene = None
        before, now = self.rig.followed, self._body_point()
        apart = np.zeros(3) if before is None or now is None or not self._options.follow else now - before
        if held:
            away = self._way_to_unseen(edited)
            self._to_undo = away - apart
            self.rig.set(self.rig.goal.moved(away))
        elif self._to_undo is not None:
            self.rig.set(self.rig.goal.moved(apart - self._to_undo))
            self._to_undo = None
        self.rig.stand_by(now)
        self.refresh()

    def _way_to_unseen(self, joints: Array) -> Array:
        """(3,) from joints (J, 3) to the figure, where it is elsewhere and none of it is in view; zero where not."""
        pixels, depths = self.camera.project(self.scene.joints, self._size())
        seen = np.all((pixels > 0.0) & (pixels < np.array(self._size())), axis=-1) & (depths > self.camera.near_m)
        if np.any(seen) or not len(joints) or not len(self.scene.joints):
            return np.zeros(3)
        return np.asarray(self.scene.joints[0] - joints[0])

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._framed == self.camera:
            self._frame_whole()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_picture"):
            self.refresh()
            self._picture.captions.update()


def _seen(shown: Shown | None, compared: tuple[Shown, ...]) -> tuple[object, ...]:
    """What pictures of clips are made of, to be compared by identity."""
    return tuple(
        part
        for one in (shown, *compared)
        if one is not None
        for take in (one.take, one.source, one.final)
        for part in (
            one.clip.name,
            one.stage.time_map,
            one.stages[-1].time_map,
            take.motion,
            take.contacts,
            take.ground,
        )
    )


def _same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
