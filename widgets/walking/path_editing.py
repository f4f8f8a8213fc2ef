"""The path of a walk as hands edit it, wherever they do: on the canvas from above or on the floor of the viewport.

Places are x and z in metres. A gesture is previewed while it lasts, becomes one step when it is let go, and leaves no
trace when it is cancelled.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from editor.clips.imported import ImportedFile
from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.ground.commands import remove_ground_objects
from editor.ground.shaping import KINDS
from editor.stack.clips import set_source
from editor.stack.command import Command
from editor.walking.commands import (
    add_walk_style,
    change_walk_style,
    draw_walk,
    redraw_walk,
    remove_walk_style,
    set_walk_path,
)
from editor.walking.drawing import travels
from editor.walking.fitting import fitted
from editor.walking.path_shaping import (
    lengthened,
    reshaped,
    turned_round,
    with_point_at,
    with_points_moved,
    without_points,
)
from editor.walking.source import StyleBand
from editor.walking.track import Place
from model.arrays import Array
from model.clip import Source
from model.ground import ObjectName
from model.path import Path
from model.project import Project
from widgets.walking.freehand import Freehand
from widgets.walking.path_drags import PathDrag, bending, moving_border, moving_object, moving_points, putting_down
from widgets.walking.path_hits import Grabbed, bulge_handles, grabbed
from widgets.walking.shown_walk import ShownWalk

_STRAIGHT = Path.through([(0.0, 0.0), (0.0, 6.0)])
_DRAW, _SELECT = "draw", "select"


@dataclass(frozen=True, eq=False)
class _Tried:
    """A style that was just taken, as long as it is not known whether it can be walked. project : with it; path : what
    was drawn for it, if it was the first.
    """

    project: Project
    path: Path | None = None


class PathEditing(ShownWalk):
    """The walk that is looked at, and what a hand does to its path."""

    changed = Signal()
    said = Signal(str)
    begun = Signal()  # a new walk is looked at

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(document, session, showing, parent)
        self._mode = _SELECT  # or _DRAW, or the kind of object that the next press puts on the ground
        self._selected: frozenset[int] = frozenset()
        self._freehand: Freehand | None = None
        self._drawn = np.zeros((0, 2))  # a gesture that is being made a path
        self._drag: PathDrag | None = None
        self._tried: _Tried | None = None
        self.usual_style: Callable[[], Source | None] = lambda: None  # what walks where no clip of the project can
        # Who does what takes long, and says what to do with what came of it.
        self.run: Callable[[Callable[[], object], Callable[[object], None]], None] = lambda work, then: then(work())
        document.changed.connect(self._on_changed)
        session.changed.connect(self._on_view_changed)
        showing.changed.connect(self._on_shown)

    # What there is

    @property
    def selected(self) -> frozenset[int]:
        """The points that are selected, by number."""
        return self._selected

    @property
    def drawing(self) -> bool:
        """Whether the next press begins a new path."""
        return self._mode == _DRAW

    @property
    def placing(self) -> str | None:
        """What the next press puts on the ground: "box", "stairs" or "ramp"."""
        return self._mode if self._mode in KINDS else None

    @property
    def makes_something(self) -> bool:
        """Whether the next press draws a path or puts something on the ground."""
        return self._mode != _SELECT

    @property
    def gesture(self) -> Array:
        """(N, 2) what was drawn so far, smoothed as it came."""
        return self._freehand.points if self._freehand is not None else self._drawn

    @property
    def is_busy(self) -> bool:
        """Whether a hand holds something."""
        return self._drag is not None or self._freehand is not None

    def set_drawing(self, on: bool) -> None:
        """Begin a new path with the next press, or take hold of what is there."""
        self._set_mode(_DRAW if on else _SELECT)

    def set_placing(self, kind: str | None) -> None:
        """Put an object on the ground with the next press, or take hold of what is there."""
        assert kind is None or kind in KINDS
        self._set_mode(kind or _SELECT)

    def _set_mode(self, mode: str) -> None:
        if mode != self._mode:
            self.cancel()
            self._mode = mode
            self.changed.emit()

    # What is under the hand

    def grabbed(self, place: Place, reach_m: float) -> Grabbed | None:
        """What can be taken hold of at a place."""
        return grabbed(self.path, self.track, self.bands, self.project.ground, place, reach_m)

    @property
    def bulge_handles(self) -> list[tuple[int, Place]]:
        """The middles of arcs, each with the number of the point where it begins."""
        return bulge_handles(self.path)

    # What a hand does

    def press(self, place: Place, reach_m: float, more: bool = False) -> bool:
        """A hand goes down. more : it adds to what is selected. -> whether there is something to hold."""
        self.cancel()
        if self.drawing:
            self._freehand = Freehand()
            self._draw(place)
            return True
        if self.placing is not None:
            self._drag = putting_down(self._document, self.placing, place, self.track.heading_near(place))
            self._drag(place, False)
            return True
        what = self.grabbed(place, reach_m)
        if what is None or what.kind == "line":
            self._select(frozenset())
            return False
        if what.kind == "point":
            mine = self._selected if what.number in self._selected or more else frozenset()
            self._select(mine | {what.number})
            self._drag = moving_points(self._document, self._walk_id, self.path, sorted(self._selected), place)
        elif what.kind == "bulge":
            self._drag = bending(self._document, self._walk_id, self.path, what.number)
        elif what.kind == "border":
            self._drag = moving_border(self._document, self._walk_id, self.track, self.bands, what.number)
        elif what.name is not None:
            self._session.look(ground_object=what.name)
            self._drag = moving_object(self._document, what.name, place)
        return True

    def move(self, place: Place, snap: bool = False) -> None:
        """The hand moves while it holds something. snap : to round values."""
        if self._freehand is not None:
            self._draw(place)
        elif self._drag is not None:
            try:
                self._drag(place, snap)
            except ValueError:
                return  # as far as it goes

    def release(self) -> None:
        """The hand lets go."""
        if self._freehand is not None:
            self._end_drawing()
        elif self._drag is not None:
            self._drag = None
            self._document.commit()
            if self.placing is not None:
                kind = self.placing
                count = sum(1 for (other, _), _ in self.project.ground.objects if other == kind)
                self._set_mode(_SELECT)
                self._session.look(ground_object=(kind, count - 1))

    def cancel(self) -> None:
        """Leave no trace of what is being done."""
        if self._freehand is not None:
            self._freehand = None
            self.changed.emit()
        if self._drag is not None:
            self._drag = None
            self._document.cancel()

    def _draw(self, place: Place) -> None:
        assert self._freehand is not None
        if self._freehand.add(place):
            self.changed.emit()

    def _end_drawing(self) -> None:
        assert self._freehand is not None
        drawn, self._freehand = self._freehand, None
        smooth = drawn.whole
        if drawn.is_dot:
            self.said.emit("That was a dot: hold the button and draw the way that is to be walked.")
            self.changed.emit()
            return
        self._mode, self._selected, self._drawn = _SELECT, frozenset(), smooth
        self.changed.emit()
        clip, style = self.clip_id, self._style_for_new()

        def work() -> object:
            return fitted(smooth), (style or self.usual_style()) if clip is None else None

        def then(made: object) -> None:
            self.forget_drawing()
            assert isinstance(made, tuple)
            self._take_path(clip, *made)

        self.run(work, then)

    def forget_drawing(self) -> None:
        """No longer show a gesture that was being made a path."""
        self._drawn = np.zeros((0, 2))
        self.changed.emit()

    def begin_straight(self) -> None:
        """A straight way to begin with, for who has no mouse."""
        self._set_mode(_SELECT)
        clip, style = self.clip_id, self._style_for_new()
        self._take_path(clip, _STRAIGHT, (style or self.usual_style()) if clip is None else None)

    def _take_path(self, clip: str | None, path: Path, style: str | Source | None) -> None:
        """Give a walk another path; without one, make one in a style."""
        self.cancel()
        if clip is not None:
            if clip in self.project:
                self._do(redraw_walk, clip, path)
        elif not isinstance(style, str | ImportedFile):
            self.said.emit("There is no clip whose way of walking could be used: open one first.")
        elif self._do(draw_walk, path, ((0.0, style),)):
            tried = _Tried(self.project, path)
            self._session.look(clip=self.project.clips[-1].id)
            if isinstance(style, str):
                self._try(tried)
            self.begun.emit()

    def _style_for_new(self) -> str | None:
        """The clip that is looked at, if its body gets anywhere."""
        clip, shown = self._session.view.clip, self._showing.current
        if clip is not None and shown is not None and shown.clip.id == clip and travels(shown.final.motion):
            return clip
        return None

    def put_down(self, kind: str, place: Place) -> None:
        """Put an object of usual size on the ground, along the path."""
        self.set_placing(kind)
        self.press(place, 0.0)
        self.release()

    # Points

    def _select(self, numbers: frozenset[int]) -> None:
        if numbers != self._selected:
            self._selected = numbers
            self.changed.emit()

    def select_all(self) -> None:
        self._select(frozenset(range(len(self.path.points))))

    def select(self, number: int | None) -> None:
        """Select one point, or none."""
        self._select(frozenset() if number is None else frozenset({number}))

    def insert_point(self, at_m: float) -> None:
        """Add a point on the line, which stays about as it is."""
        path, number = with_point_at(self.path, at_m)
        if self._do_path(path, "Add a point to the path"):
            self._select(frozenset({number}))

    def append_point(self, place: Place) -> None:
        """Go on to a place from the path's end."""
        if (
            self.path.points
            and not self.path.closed
            and self._do_path(lengthened(self.path, place), "Lengthen the path")
        ):
            self._select(frozenset({len(self.path.points) - 1}))

    def delete_selected(self) -> None:
        """Remove the selected points, of which a path keeps two at least; without any, the selected object."""
        if not self._selected:
            self._remove_object()
            return
        path = without_points(self.path, self._selected)
        if len(path.points) < 2:
            self.said.emit("A path needs two points at least.")
            return
        what = "Remove a point" if len(self._selected) == 1 else f"Remove {len(self._selected)} points"
        self._selected = frozenset()
        self._do_path(path, what)

    @property
    def object_selected(self) -> ObjectName | None:
        """What of the ground is selected and could be removed."""
        name = self._session.view.ground_object
        return name if name is not None and name in dict(self.project.ground.objects) else None

    def _remove_object(self) -> None:
        name = self.object_selected
        if name is not None:
            self._do(remove_ground_objects, (name,))

    def set_shape(self, shape: str) -> None:
        """Let the line go on in another shape from the selected points, or from all where none is selected."""
        chosen = self._selected or frozenset(range(len(self.path.points)))
        told = {"straight": "Straighten the path", "smooth": "Smooth the path", "arc": "Make arcs of the path"}[shape]
        self._do_path(reshaped(self.path, chosen, shape), told)

    def toggle_closed(self) -> None:
        """Join the path's end to its start, or part them."""
        path = self.path
        if len(path.points) < 3 and not path.closed:
            self.said.emit("A path needs three points to be closed.")
            return
        what = "Open the path" if path.closed else "Close the path"
        self._do_path(replace(path, closed=not path.closed), what)

    def reverse(self) -> None:
        """Walk the path the other way."""
        self._do_path(turned_round(self.path), "Reverse path")

    def nudge(self, x_m: float, z_m: float) -> None:
        """Move the selected points a little; several in a row are one step."""
        if self._selected and self.clip_id is not None:
            path = with_points_moved(self.path, self._selected, (x_m, z_m))
            self._do(set_walk_path, self.clip_id, path, "Move points of the path", merge="nudge the path")

    # Styles

    def add_style(self, clip_id: str, at_m: float) -> bool:
        """Let a clip's way of going begin at a place along the path. -> whether that could be done."""
        if self.clip_id is None or self.walk is None:
            return False
        if clip_id == self.clip_id:
            self.said.emit("A walk cannot be a style of itself.")
            return False
        from_m = max(at_m, 0.0) if self.walk.styles else 0.0
        if not self._do(add_walk_style, self.clip_id, StyleBand(clip_id, from_m)):
            return False
        self._try(_Tried(self.project))
        return True

    def drop_clip(self, clip_id: str, at_m: float) -> None:
        """A clip is dropped at a place along the path: it becomes a style; without a path, a straight one is made."""
        if self.walk is not None:
            self.add_style(clip_id, at_m)
        elif self._do(draw_walk, _STRAIGHT, ((0.0, clip_id),)):
            tried = _Tried(self.project)
            self._session.look(clip=self.project.clips[-1].id)
            self._try(tried)
            self.begun.emit()

    def remove_style(self, number: int) -> None:
        self._do(remove_walk_style, self.clip_id, number)

    def change_style(self, number: int, **changes: object) -> None:
        """Set what a band says: `loop`, `blend_s`."""
        if self.walk is not None:
            band = replace(self.walk.styles[number], **changes)  # type: ignore[arg-type]
            self._do(change_walk_style, self.clip_id, number, band)

    def set_ends(self, *, starts: str | None = None, stops: str | None = None) -> None:
        """Whether the walk begins or ends "standing" or "walking"; None leaves it as it is."""
        walk = self.walk
        if walk is not None:
            changed = replace(walk, starts=starts or walk.starts, stops=stops or walk.stops)
            self._do(set_source, self.clip_id, changed)

    def _try(self, tried: _Tried) -> None:
        """Watch whether a style can be walked."""
        self._tried = tried
        QTimer.singleShot(0, self, self._judge_tried)

    def _judge_tried(self) -> None:
        """Give a style back that cannot be walked, and say why."""
        tried, failure = self._tried, self.failure
        if tried is None or self._document.project is not tried.project or failure is None or self._showing.is_late:
            return
        self._tried = None
        assert self.clip_id is not None
        reason = failure.removeprefix(f"{self._name(self.clip_id)!r}: ")
        self._document.undo()
        if tried.path is None:
            self.said.emit(f"{reason}. It was taken off the path again.")
            return
        self.said.emit(f"{reason}. A sample lends its way of walking instead.")
        path = tried.path
        self.run(self.usual_style, lambda style: self._take_path(None, path, style))  # type: ignore[arg-type]

    # How

    def _do_path(self, path: Path, what: str) -> bool:
        return self.clip_id is not None and self._do(set_walk_path, self.clip_id, path, what)

    def _do(self, command: Command, *arguments: object, merge: str | None = None) -> bool:
        try:
            self._document.do(command, *arguments, merge=merge)
        except ValueError as error:
            text = str(error)
            self.said.emit(f"{text[:1].upper()}{text[1:]}.")
            return False
        return True

    def _on_shown(self) -> None:
        if self._tried is not None:
            if self.failure is not None:
                QTimer.singleShot(0, self, self._judge_tried)  # not amidst what others are told now
            elif self.result is not None and not self._showing.is_late:
                self._tried = None
        self.changed.emit()

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.clip != after.clip:
            self._selected = frozenset()
        if (before.clip, before.layer, before.ground_object) != (after.clip, after.layer, after.ground_object):
            self.changed.emit()  # time goes on too often for that

    def _on_changed(self, *_: object) -> None:
        count = len(self.path.points)
        if any(n >= count for n in self._selected):
            self._selected = frozenset(n for n in self._selected if n < count)
        self.changed.emit()
