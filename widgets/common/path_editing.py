"""The path of a walk as hands edit it, wherever they do: on the canvas from above or on the floor of the viewport.

Places are x and z in metres. A gesture is previewed while it lasts, becomes one step when it is let go, and leaves no
trace when it is cancelled.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.commands.command import Command
from editor.commands.ground import change_ground_object
from editor.commands.walk import (
    add_walk_style,
    change_walk_style,
    draw_walk,
    move_walk_style,
    remove_walk_style,
    set_walk_path,
)
from editor.document import Document
from editor.locomotion.drawing import OnlineFilter
from editor.locomotion.fitting import fitted
from editor.locomotion.track import Place, Track
from editor.session import Session
from editor.showing import Showing
from editor.sources.imported import ImportedFile
from editor.sources.walk import StyleBand, WalkAlongPath, Walked, walked
from model.arrays import Array
from model.clip import Source
from model.ground import Grid, GroundObject, Mesh, ObjectName, moved, outline, told_name
from model.motion import Motion
from model.path import Path, PathPoint
from model.placing import pelvis_positions
from model.project import Project

_STRAIGHT = Path.through([(0.0, 0.0), (0.0, 6.0)])
# A gesture's points are taken this far apart; what stays within the second is none.
_STEP_M, _DOT_M = 0.02, 0.3


@dataclass(frozen=True)
class Band:
    """A style on the path: from where to where it goes. number : among the walk's styles."""

    number: int
    clip_id: str
    name: str
    from_m: float
    to_m: float


@dataclass(frozen=True)
class Grabbed:
    """What a hand could take hold of. kind : "point", "bulge", "border", "object" or "line"; number : which of its
    kind; at_m : of the line, how far along.
    """

    kind: str
    number: int = 0
    at_m: float = 0.0
    name: ObjectName | None = None


class PathEditing(QObject):
    """The walk that is looked at, and what a hand does to its path."""

    changed = Signal()
    said = Signal(str)

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._drawing = False
        self._selected: frozenset[int] = frozenset()
        self._filter: OnlineFilter | None = None
        self._raw: list[Place] = []
        self._drag: Callable[[Place, bool], None] | None = None
        self._tracked: tuple[Path, Track] | None = None
        self.usual_style: Callable[[], Source | None] = lambda: None  # what walks where no clip of the project can
        document.changed.connect(self._on_changed)
        session.changed.connect(self._on_changed)
        showing.changed.connect(self._on_changed)

    # What there is

    @property
    def clip_id(self) -> str | None:
        """The walk that is edited."""
        clip = self._session.view.clip
        if clip is None or clip not in self._document.project:
            return None
        return clip if isinstance(self._document.project.clip(clip).source, WalkAlongPath) else None

    @property
    def walk(self) -> WalkAlongPath | None:
        clip = self.clip_id
        source = None if clip is None else self._document.project.clip(clip).source
        return source if isinstance(source, WalkAlongPath) else None

    @property
    def project(self) -> Project:
        return self._document.project

    @property
    def path(self) -> Path:
        return self.walk.path if self.walk is not None else Path(())

    @property
    def track(self) -> Track:
        path = self.path
        if self._tracked is None or self._tracked[0] is not path:
            self._tracked = (path, Track.of(path))
        return self._tracked[1]

    @property
    def bands(self) -> tuple[Band, ...]:
        """The styles along the path, those that begin behind its end included: they are as long as nothing."""
        walk, length = self.walk, self.track.length_m
        if walk is None:
            return ()
        starts = [0.0, *(min(band.from_m, length) for band in walk.styles[1:]), length]
        return tuple(
            Band(n, band.clip_id, self._name(band.clip_id), starts[n], starts[n + 1])
            for n, band in enumerate(walk.styles)
        )

    def _name(self, clip_id: str) -> str:
        return self.project.clip(clip_id).name if clip_id in self.project else "gone"

    @property
    def result(self) -> Walked | None:
        """What the walk came to, the last one that was worked out."""
        shown = self._showing.current
        return walked(shown.source) if shown is not None and shown.clip.id == self.clip_id else None

    @property
    def failure(self) -> str | None:
        """Why the walk cannot be made."""
        return self._showing.failure if self.clip_id is not None else None

    @property
    def time_s(self) -> float:
        """The moment that is shown, in the walk's own time."""
        shown = self._showing.current
        time_s = self._session.view.time_s
        return time_s if shown is None else float(shown.stage.time_map.inverse()(time_s))

    @property
    def selected(self) -> frozenset[int]:
        """The points that are selected, by number."""
        return self._selected

    @property
    def drawing(self) -> bool:
        """Whether the next press begins a new path."""
        return self._drawing

    @property
    def gesture(self) -> Array:
        """(N, 2) what was drawn so far, smoothed as it came."""
        return self._filter.points if self._filter is not None else np.zeros((0, 2))

    @property
    def is_busy(self) -> bool:
        """Whether a hand holds something."""
        return self._drag is not None or self._filter is not None

    def set_drawing(self, on: bool) -> None:
        """Begin a new path with the next press, or take hold of what is there."""
        if on != self._drawing:
            self.cancel()
            self._drawing = on
            self.changed.emit()

    # What is under the hand

    def grabbed(self, place: Place, reach_m: float) -> Grabbed | None:
        """What can be taken hold of at a place."""
        path, here = self.path, np.array(place)
        if path.points:
            far = np.hypot(*(path.x_z - here).T)
            nearest = int(np.argmin(far))
            if far[nearest] <= reach_m:
                return Grabbed("point", nearest)
        for number, handle in self.bulge_handles:
            if np.hypot(*(np.array(handle) - here)) <= reach_m:
                return Grabbed("bulge", number)
        for band in self.bands[1:]:
            if np.hypot(*(np.array(self.track.place(band.from_m)) - here)) <= 1.2 * reach_m:
                return Grabbed("border", band.number)
        at_m, far_m = self.track.nearest(place)
        if far_m <= reach_m:
            return Grabbed("line", at_m=at_m)
        for name, one in reversed(self.project.ground.objects):
            corners = _corners(one)
            if corners is not None and _is_inside(here, corners):
                return Grabbed("object", name=name)
        return None

    @property
    def bulge_handles(self) -> list[tuple[int, Place]]:
        """The middles of arcs, each with the number of the point where it begins."""
        points, found = self.path.points, []
        for n, point in enumerate(points):
            if point.shape == "arc" and (self.path.closed or n + 1 < len(points)):
                end = points[(n + 1) % len(points)]
                x, z = end.x - point.x, end.z - point.z
                # The middle of an arc stands off its chord by half of it times the bulge, to the right where it
                # turns left.
                middle = (point.x + end.x) / 2 - 0.5 * point.bulge * z, (point.z + end.z) / 2 + 0.5 * point.bulge * x
                found.append((n, middle))
        return found

    # What a hand does

    def press(self, place: Place, reach_m: float, more: bool = False) -> bool:
        """A hand goes down. more : it adds to what is selected. -> whether there is something to hold."""
        self.cancel()
        if self._drawing:
            self._filter, self._raw = OnlineFilter(), []
            self._draw(place)
            return True
        what = self.grabbed(place, reach_m)
        if what is None or what.kind == "line":
            self._select(frozenset())
            return False
        if what.kind == "point":
            mine = self._selected if what.number in self._selected or more else frozenset()
            self._select(mine | {what.number})
            self._drag = self._moving_points(place)
        elif what.kind == "bulge":
            self._drag = self._bending(what.number)
        elif what.kind == "border":
            self._drag = self._moving_border(what.number)
        elif what.name is not None:
            self._session.look(ground_object=what.name)
            self._drag = self._moving_object(what.name, place)
        return True

    def move(self, place: Place, snap: bool = False) -> None:
        """The hand moves while it holds something. snap : to round values."""
        if self._filter is not None:
            self._draw(place)
        elif self._drag is not None:
            try:
                self._drag(place, snap)
            except ValueError:
                return  # as far as it goes

    def release(self) -> None:
        """The hand lets go."""
        if self._filter is not None:
            self._end_drawing()
        elif self._drag is not None:
            self._drag = None
            self._document.commit()

    def cancel(self) -> None:
        """Leave no trace of what is being done."""
        if self._filter is not None:
            self._filter = None
            self.changed.emit()
        if self._drag is not None:
            self._drag = None
            self._document.cancel()

    def _draw(self, place: Place) -> None:
        assert self._filter is not None
        if not self._raw or np.hypot(place[0] - self._raw[-1][0], place[1] - self._raw[-1][1]) >= _STEP_M:
            self._raw.append(place)
            self._filter.add(*place)
            self.changed.emit()

    def _end_drawing(self) -> None:
        points = np.array(self._raw)
        smooth = np.concatenate([self.gesture[:-1], points[-1:]])
        self._filter = None
        if np.hypot(*np.ptp(points, axis=0)) < _DOT_M:
            self.said.emit("That was a dot: hold the button and draw the way that is to be walked.")
            self.changed.emit()
            return
        self._drawing = False
        self._selected = frozenset()
        if self.draw_path(fitted(smooth)):
            self.changed.emit()

    def draw_path(self, path: Path) -> bool:
        """Give the walk another path, or make a walk where none is looked at. -> whether that could be done."""
        if self.clip_id is not None:
            return self._do(set_walk_path, self.clip_id, path, "Draw a path")
        style = self._style_for_new()
        if style is None:
            self.said.emit("There is no clip whose way of walking could be used: open one first.")
            return False
        if not self._do(draw_walk, path, ((0.0, style),)):
            return False
        self._session.look(clip=self.project.clips[-1].id)
        return True

    def _style_for_new(self) -> str | ImportedFile | None:
        """The clip that is looked at, if its body gets anywhere; else one that comes with the program."""
        clip, shown = self._session.view.clip, self._showing.current
        if clip is not None and shown is not None and shown.clip.id == clip and _travels(shown.final.motion):
            return clip
        usual = self.usual_style()
        return usual if isinstance(usual, ImportedFile) else None

    def _moving_points(self, start: Place) -> Callable[[Place, bool], None]:
        before, chosen = self.path, sorted(self._selected)
        what = f"Move point {chosen[0] + 1}" if len(chosen) == 1 else f"Move {len(chosen)} points"

        def move(place: Place, snap: bool) -> None:
            by = np.array(place) - start
            points = list(before.points)
            if snap:
                first = np.array([points[chosen[0]].x, points[chosen[0]].z])
                by = np.round((first + by) / 0.25) * 0.25 - first
            for n in chosen:
                points[n] = replace(points[n], x=points[n].x + float(by[0]), z=points[n].z + float(by[1]))
            self._preview_path(replace(before, points=tuple(points)), what)

        return move

    def _bending(self, number: int) -> Callable[[Place, bool], None]:
        before = self.path

        def move(place: Place, snap: bool) -> None:
            point, end = before.points[number], before.points[(number + 1) % len(before.points)]
            x, z = end.x - point.x, end.z - point.z
            chord = max(float(np.hypot(x, z)), 1e-6)
            middle = (point.x + end.x) / 2, (point.z + end.z) / 2
            off = (place[0] - middle[0]) * -z + (place[1] - middle[1]) * x
            bulge = float(np.clip(2.0 * off / chord**2, -2.0, 2.0))
            bulge = round(bulge * 8.0) / 8.0 if snap else bulge
            points = (*before.points[:number], replace(point, bulge=bulge), *before.points[number + 1 :])
            self._preview_path(replace(before, points=points), "Bend the path")

        return move

    def _moving_border(self, number: int) -> Callable[[Place, bool], None]:
        clip, track, bands = self.clip_id, self.track, self.bands
        low = bands[number - 1].from_m
        high = bands[number].to_m

        def move(place: Place, snap: bool) -> None:
            at_m, _ = track.nearest(place)
            at_m = round(at_m / 0.25) * 0.25 if snap else at_m
            self._document.preview(move_walk_style, clip, number, float(np.clip(at_m, low, high)))

        return move

    def _moving_object(self, name: ObjectName, start: Place) -> Callable[[Place, bool], None]:
        before = self.project.ground.object(name)

        def move(place: Place, snap: bool) -> None:
            by = np.array(place) - start
            by = np.round(by / 0.25) * 0.25 if snap else by
            self._document.preview(change_ground_object, name, moved(before, float(by[0]), float(by[1])))

        return move

    def _preview_path(self, path: Path, what: str) -> None:
        self._document.preview(set_walk_path, self.clip_id, path, what)

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
        path, track = self.path, self.track
        arcs = [track.nearest((point.x, point.z))[0] for point in path.points]
        after = max((n for n in range(len(arcs)) if arcs[n] <= at_m + 1e-6), default=0)
        x, z = track.place(at_m)
        before = path.points[after]
        bulge = float(np.tan(np.arctan(before.bulge) / 2.0))  # about a half of the arc to either side
        shape = before.shape
        new = (replace(before, bulge=bulge), PathPoint(x, z, shape, bulge))
        points = (*path.points[:after], *new, *path.points[after + 1 :])
        if self._do_path(replace(path, points=points), "Add a point to the path"):
            self._select(frozenset({after + 1}))

    def append_point(self, place: Place) -> None:
        """Go on to a place from the path's end."""
        path = self.path
        if path.points and not path.closed:
            shape = path.points[-2].shape if len(path.points) > 1 else "smooth"
            points = (*path.points[:-1], replace(path.points[-1], shape=shape), PathPoint(*place, shape))
            if self._do_path(replace(path, points=points), "Lengthen the path"):
                self._select(frozenset({len(points) - 1}))

    def delete_selected(self) -> None:
        """Remove the selected points; a path keeps two at least."""
        path = self.path
        kept = tuple(point for n, point in enumerate(path.points) if n not in self._selected)
        if not self._selected:
            return
        if len(kept) < 2:
            self.said.emit("A path needs two points at least.")
            return
        what = "Remove a point" if len(self._selected) == 1 else f"Remove {len(self._selected)} points"
        self._selected = frozenset()
        self._do_path(replace(path, points=kept, closed=path.closed and len(kept) > 2), what)

    def set_shape(self, shape: str) -> None:
        """Let the line go on in another shape from the selected points, or from all where none is selected."""
        path = self.path
        chosen = self._selected or frozenset(range(len(path.points)))
        points = tuple(
            replace(point, shape=shape, bulge=point.bulge or (0.3 if shape == "arc" else 0.0)) if n in chosen else point
            for n, point in enumerate(path.points)
        )
        told = {"straight": "Straighten the path", "smooth": "Smooth the path", "arc": "Make arcs of the path"}[shape]
        self._do_path(replace(path, points=points), told)

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
        path = self.path
        backwards = path.points[::-1]
        shapes = [backwards[(n + 1) % len(backwards)] for n in range(len(backwards))]
        points = tuple(
            replace(point, shape=before.shape, bulge=-before.bulge)
            for point, before in zip(backwards, shapes, strict=True)
        )
        self._do_path(replace(path, points=points), "Turn the path round")

    def nudge(self, x_m: float, z_m: float) -> None:
        """Move the selected points a little; several in a row are one step."""
        path = self.path
        if self._selected and self.clip_id is not None:
            points = tuple(
                replace(point, x=point.x + x_m, z=point.z + z_m) if n in self._selected else point
                for n, point in enumerate(path.points)
            )
            moved_path = replace(path, points=points)
            self._do(set_walk_path, self.clip_id, moved_path, "Move points of the path", merge="nudge the path")

    # Styles

    def add_style(self, clip_id: str, at_m: float) -> bool:
        """Let a clip's way of going begin at a place along the path. -> whether that could be done."""
        if self.clip_id is None or self.walk is None:
            return False
        if clip_id == self.clip_id:
            self.said.emit("A walk cannot be a style of itself.")
            return False
        if not self.walk.styles:
            return self._do(add_walk_style, self.clip_id, StyleBand(clip_id))
        return self._do(add_walk_style, self.clip_id, StyleBand(clip_id, max(at_m, 0.0)))

    def drop_clip(self, clip_id: str, at_m: float) -> None:
        """A clip is dropped at a place along the path: it becomes a style; without a path, a straight one is made."""
        if self.walk is not None:
            self.add_style(clip_id, at_m)
        elif self._do(draw_walk, _STRAIGHT, ((0.0, clip_id),)):
            self._session.look(clip=self.project.clips[-1].id)

    def remove_style(self, number: int) -> None:
        self._do(remove_walk_style, self.clip_id, number)

    def change_style(self, number: int, **changes: object) -> None:
        """Set what a band says: `loop`, `blend_s`."""
        if self.walk is not None:
            band = replace(self.walk.styles[number], **changes)  # type: ignore[arg-type]
            self._do(change_walk_style, self.clip_id, number, band)

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

    def _on_changed(self, *_: object) -> None:
        count = len(self.path.points)
        if any(n >= count for n in self._selected):
            self._selected = frozenset(n for n in self._selected if n < count)
        self.changed.emit()


def object_told(name: ObjectName) -> str:
    """What is said of an object of the ground under the mouse."""
    return f"{told_name(name)[:1].upper()}{told_name(name)[1:]}: drag to move it"


def _corners(one: GroundObject) -> Array | None:
    """(4, 2) the outline of an object that can be moved by hand, or None."""
    return None if isinstance(one, Grid | Mesh) else outline(one)


def _is_inside(place: Array, corners: Array) -> bool:
    """Whether a place (2,) lies in a convex outline (N, 2)."""
    ahead = np.roll(corners, -1, axis=0) - corners
    off = place - corners
    sides = ahead[:, 0] * off[:, 1] - ahead[:, 1] * off[:, 0]
    return bool(np.all(sides >= 0.0) or np.all(sides <= 0.0))


def _travels(motion: Motion) -> bool:
    """Whether a body gets anywhere: more than a step's length."""
    if not motion.frames:
        return False
    way = pelvis_positions(motion)[:, [0, 2]]
    return bool(np.hypot(*np.ptp(way, axis=0)) > 1.0)
