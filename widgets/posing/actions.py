"""What the user can do to poses, and the bar of it over the viewport."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from editor.posing.edit import TargetPoses
from model.extremes import Extreme
from resources import samples
from widgets.common.pose_places import PosePlaces
from widgets.desk.contributions import Action, ExtremeMoments, Note
from widgets.desk.desk import Desk
from widgets.desk.tool_actions import TOOLS, tool_action
from widgets.posing.bar import PoseBar
from widgets.posing.lane import PoseLane
from widgets.posing.pose_tools import PoseTools
from widgets.posing.posing import Posing
from widgets.posing.repeating import Repeating
from widgets.viewport.tool_box import SELECT

_BAR = (
    ("world_axes", "pin"),
    ("auto_key", "add_pose", "repeat_pose"),
    ("grounded",),
    ("mirror_pose", "copy_pose", "paste_pose"),
)
_FIRST = ("tool_select", "tool_move", "tool_rotate", "tool_ik")
_LESSON = "walk"  # the sample that the lesson is about


class PosingActions(QObject):
    """Posing as a window has it: its state, tools, lane, bar and actions."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.posing = Posing(desk.document, desk.session, desk.showing, self)
        self.repeating = Repeating(desk.document, desk.session, self.posing, desk.jobs, self._extremes, self)
        self.tools = PoseTools(desk.viewport, desk.tools, self.posing, self.repeating, self)
        self.lane = PoseLane(desk.document, desk.session, desk.showing, self)
        self.lane.pose_wanted.connect(self.posing.add)
        self.lane.edit_wanted.connect(self.edit_pose)
        self.lane.repeat_wanted.connect(self.repeating.begin)
        self._connect()

    def make_bar(self) -> PoseBar:
        """The bar: tools of all features, and what this one brings."""
        for places in self._desk.brought(PosePlaces):
            self.posing.add_places(places)
        tools = [action.name for action in self._desk.brought(Action) if action.group == TOOLS]
        tools.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
        groups = [self._actions(names) for names in (tools, *_BAR)]
        self.bar = PoseBar(self.posing, self.repeating, groups)
        return self.bar

    def _actions(self, names: tuple[str, ...] | list[str]) -> list[QAction]:
        found = (self._desk.action(name) for name in names)
        return [action for action in found if action is not None]

    def _connect(self) -> None:
        desk, playback = self._desk, self._desk.timeline.playback
        for state in (self.posing, self.repeating):
            state.said.connect(desk.banner.say)
            state.changed.connect(desk.refresh_actions)
        self.posing.began.connect(playback.pause)
        playback.changed.connect(self._on_playback)

    def _extremes(self) -> tuple[Extreme, ...]:
        return tuple(extreme for brought in self._desk.brought(ExtremeMoments) for extreme in brought.extremes())

    def _on_playback(self) -> None:
        self.posing.set_asleep(self._desk.timeline.playback.playing)

    # Actions

    def actions(self) -> tuple[Action, ...]:
        """All that can be done."""
        posing, shown = self.posing, self._is_shown
        return (
            self._tool("move", "&Move", 120, "Move the selected joint with arrows", "W", "move"),
            self._tool("rotate", "&Rotate", 130, "Turn the selected joint with rings", "E", "rotate"),
            self._tool("ik", "&Drag the body", 140, "Drag hands, feet, pelvis or head; the rest follows", "R", "reach"),
            Action(
                "world_axes", "&World axes", "Pose", 210, "Move and turn along the world's axes, or the joint's own",
                self._use_world_axes, "X", "world_axes", checkable=True, is_checked=lambda: posing.axes == "world",
                synonyms="local global space gizmo",
            ),
            Action(
                "pin", "&Pin or let go", "Pose", 230, "Hold the hand or foot where it is while others move",
                self.tools.toggle_pin, "P", "pin", is_enabled=shown,
            ),
            Action(
                "auto_key", "&Auto-key", "Pose", 310, "Keep every drag at once; off: only when I is pressed",
                posing.set_auto_key, "", "auto_key", checkable=True, is_checked=lambda: posing.auto_key,
            ),
            Action(
                "edit_pose", "&Edit pose here", "Pose", 320, "Drag the figure at this frame; the motion follows",
                self.edit_pose, "Shift+E", is_enabled=shown,
            ),
            Action(
                "add_pose", "Add &target pose", "Pose", 330, "Keep the pose at this frame", posing.add, "I", "add_pose",
                is_enabled=shown, synonyms="keyframe insert key",
            ),
            Action(
                "repeat_pose", "Repeat at similar p&oses", "Pose", 340,
                "Put this pose at all similar extremes, mirrored at those of the other side", self._repeat, "Ctrl+R",
                "repeat_pose", is_enabled=shown,
            ),
            Action(
                "grounded", "Keep feet on the &ground", "Pose", 350,
                "Feet stay planted and the body moves with its steps; off: only joints turn", posing.set_grounded, "",
                "grounded", checkable=True, is_checked=lambda: posing.grounded, synonyms="foot plant lock contact",
            ),
            Action(
                "mirror_pose", "M&irror pose", "Pose", 410, "Exchange left and right at this frame", posing.mirror, "M",
                "mirror", is_enabled=shown, synonyms="flip swap sides",
            ),
            Action(
                "copy_pose", "&Copy pose", "Pose", 420, "Copy the pose, or the selected joints", posing.copy, "Ctrl+C",
                "copy_pose", is_enabled=shown,
            ),
            Action(
                "paste_pose", "Pas&te pose", "Pose", 430, "Put the copied pose at this frame", posing.paste, "Ctrl+V",
                "paste_pose", is_enabled=lambda: shown() and posing.can_paste,
            ),
            Action(
                "lesson", "Lesson: a &wider stance", "Help", 150,
                "Make the steps of a walk longer by one pose, in a minute", self.teach,
            ),
        )  # fmt: skip

    def _tool(self, name: str, text: str, at: int, tip: str, keys: str, icon: str) -> Action:
        return tool_action(self._desk, name, text, "Pose", at, tip, keys, icon)

    def _is_shown(self) -> bool:
        return self._desk.showing.current is not None

    def _use_world_axes(self, on: bool) -> None:
        self.posing.set_axes("world" if on else "local")

    def edit_pose(self) -> None:
        """Take hold of the figure at this frame: with the tool in use, or handles to drag it by."""
        self._desk.timeline.playback.pause()
        if self._desk.tools.name == SELECT:
            self._desk.trigger("tool_ik")
        self._desk.viewport.setFocus()

    def _repeat(self) -> None:
        """Show at which moments the pose would be repeated; the second time, repeat it there."""
        if not self.repeating.keep():
            self.repeating.begin()

    # The lesson

    def teach(self) -> None:
        """Show how a walk's stance is widened; on the sample where no clip is open."""
        if not self._desk.document.project.clips:
            self._desk.open_paths([path for path in samples() if path.stem == _LESSON])
        for moments in self._desk.brought(ExtremeMoments):
            moments.select(None)
        self._desk.teach(self._notes())

    def _notes(self) -> tuple[Note, ...]:
        desk = self._desk

        def is_at_extreme() -> bool:
            return any(moments.selected() is not None for moments in desk.brought(ExtremeMoments))

        def poses() -> int:
            """How many poses the clip's last edit of poses has, tried out or not."""
            clip = desk.session.view.clip
            layers = () if clip is None else desk.document.committed.clip(clip).layers
            return max((len(one.edit.poses) for one in layers if isinstance(one.edit, TargetPoses)), default=0)

        def keys(name: str) -> str:
            action = desk.action(name)
            return "" if action is None else action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

        first = poses()  # a clip may have some already

        return (
            Note(
                lambda: desk.timeline,
                "Let us make these steps longer. Go to a moment at which both feet are far apart: press "
                f"{keys('next_extreme')} or click a gold diamond.",
                is_at_extreme,
            ),
            Note(
                lambda: desk.viewport,
                f"Press {keys('edit_pose')}: handles appear. Drag the front foot a little forward and let go. The "
                "other foot holds, and the motion follows.",
                lambda: poses() > first,
            ),
            Note(
                lambda: self.bar,
                f"Press {keys('repeat_pose')} to see the same pose at all steps, mirrored for the other foot; press it "
                "again to keep them.",
                lambda: poses() > first + 1,
            ),
            Note(
                lambda: desk.timeline,
                "Space plays it: the steps are longer, and feet stay planted. Every pose can be moved, weakened or "
                f"removed in the lane Poses; {keys('undo')} undoes a step.",
            ),
        )
