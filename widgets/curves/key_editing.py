"""The keys that are edited: which are seen and selected, and everything that is done to them, as commands.

Widgets draw `board` and call what hands want; nothing here draws.
"""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, Signal

from editor.curves.channels import Channel
from editor.curves.commands import set_curves
from editor.curves.edit import Curve
from editor.curves.editing import (
    Copied,
    Curves,
    Edited,
    Snap,
    Spot,
    as_it_is,
    at_moments,
    by_channel,
    change_keys,
    copy_keys,
    delete_keys,
    insert_key,
    key_at,
    merged,
    move_keys,
    paste_keys,
    present,
    pull,
    scale_keys,
    set_slope,
    set_tangents,
)
from editor.curves.keys import Key, Keys
from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from model.contacts import Mask
from widgets.curves.tracks import Board, Track, board_of, joint_names, target_of

REACH_S = 0.25


class KeyEditing(QObject):
    """Reads document, session and showing; turns what hands do into previews and steps."""

    changed = Signal()  # tracks or their keys
    channels_changed = Signal()  # which tracks there are
    marked = Signal()  # what is selected, hidden or active

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._showing = showing
        self.board = Board()
        self.selected: frozenset[Spot] = frozenset()
        self.active: frozenset[Channel] = frozenset()  # the rows chosen in the list
        self.hidden: frozenset[Channel] = frozenset()
        self.solo: frozenset[Channel] = frozenset()
        self.as_vectors = False
        self.snaps_time = True
        self.snaps_value = False
        self.reach_s = REACH_S
        self._is_awake = True
        self._copied: tuple[Copied, ...] = ()
        self._held: Curves | None = None  # the keys as they were when a hand took hold of them
        self._is_ours = False  # the document changes by our own doing
        self._is_trying = False  # what the document tries out is ours
        self._series = 0  # nudges of the keys that are selected now are one step, those of others another
        self._held_layer: str | None = None
        self._held_selected: frozenset[Spot] = frozenset()
        document.changed.connect(self._on_project_changed)
        showing.changed.connect(self._on_changed)
        session.changed.connect(self._on_view_changed)
        self._refresh()

    # What there is

    @property
    def visible(self) -> tuple[Track, ...]:
        """The tracks that are drawn."""
        channels = {track.channel for track in self.board.tracks}
        solo = self.solo & channels
        return tuple(
            track
            for track in self.board.tracks
            if (track.channel in solo if solo else track.channel not in self.hidden)
        )

    @property
    def edited_tracks(self) -> tuple[Track, ...]:
        """The tracks that a key without a mouse is for: the active ones, else all that are seen."""
        active = tuple(track for track in self.visible if track.channel in self.active)
        return active or self.visible

    @property
    def curves(self) -> Curves:
        """The keys of all channels of the board, and of the edit."""
        known = {curve.channel: curve.keys for curve in self._edit_curves()}
        return {**{track.channel: Keys() for track in self.board.tracks}, **known}

    @property
    def is_holding(self) -> bool:
        return self._held is not None

    @property
    def can_paste(self) -> bool:
        return bool(self._copied)

    def chosen(self) -> list[tuple[Track, Mask]]:
        """The tracks with selected keys, and which of their keys these are."""
        moments = by_channel(self.selected)
        return [
            (track, at_moments(track.keys, moments[track.channel]))
            for track in self.board.tracks
            if track.channel in moments and len(track.keys)
        ]

    def snap(self, free: bool = False) -> Snap:
        """Where moments of the source are put: on frames of the shown take, unless that is not wanted."""
        return as_it_is if free or not self.snaps_time else self.board.nearest_frame

    # Selecting

    def select(self, spots: Iterable[Spot]) -> None:
        """Select these keys and no others."""
        self.selected = frozenset(spots)
        self._series += 1
        self.marked.emit()

    def select_all(self) -> None:
        self.select(Spot(track.channel, key.time_s) for track in self.visible for key in track.keys.keys)

    def activate(self, channels: Iterable[Channel]) -> None:
        """Make channels the ones that keys are put on."""
        self.active = frozenset(channels)
        self.marked.emit()

    def show_channels(self, hidden: Iterable[Channel], solo: Iterable[Channel]) -> None:
        """Hide channels, or show only some."""
        self.hidden, self.solo = frozenset(hidden), frozenset(solo)
        seen = {track.channel for track in self.visible}
        self.selected = frozenset(spot for spot in self.selected if spot.channel in seen)
        self.marked.emit()

    def set_vectors(self, on: bool) -> None:
        """Show turning as rotation vectors instead of Euler angles."""
        self.as_vectors = on
        self._refresh()

    def set_awake(self, awake: bool) -> None:
        """Follow what happens, or not while nobody looks."""
        is_new = awake and not self._is_awake
        self._is_awake = awake
        if is_new:
            self._refresh()

    # At once

    def insert(self, channels: Iterable[Channel], time_s: float) -> None:
        """Put keys at a moment of the shown take, which leave the curves as they are."""
        at_s = self.snap()(self.board.to_source(time_s))
        curves = self.curves
        made = {channel: insert_key(curves[channel], at_s) for channel in channels}
        if made:
            self._do(Edited(made, frozenset(Spot(channel, at_s) for channel in made)), "Insert", count=len(made))

    def insert_many(self, moments_s: Mapping[Channel, Iterable[float]]) -> None:
        """Put keys at moments of the shown take, on each channel at its own, which leave the curves as they are."""
        snap, curves = self.snap(), self.curves
        made: dict[Channel, Keys] = {}
        spots: set[Spot] = set()
        for channel, times_s in moments_s.items():
            for at_s in (snap(self.board.to_source(time_s)) for time_s in times_s):
                made[channel] = insert_key(made.get(channel, curves[channel]), at_s)
                spots.add(Spot(channel, at_s))
        if made:
            self._do(Edited(made, frozenset(spots)), "Insert", count=len(spots))

    def delete(self) -> None:
        """Delete what is selected."""
        spots = present(self.curves, self.selected)
        if spots:
            self._do(delete_keys(self.curves, spots), "Delete", count=len(spots))

    def nudge(self, frames: int, units: float) -> None:
        """Move what is selected by frames, and by degrees or centimetres."""
        spots = present(self.curves, self.selected)
        if spots:
            board, by_s, snap = self.board, frames * self.board.frame_time_s, self.snap()

            def stepped(time_s: float) -> float:  # frames are those of the shown take, however fast it runs
                return snap(board.to_source(board.to_shown(time_s - by_s) + by_s))

            merge = f"move keys {self._series}"
            self._do(self._moved(self.curves, spots, by_s, units, stepped), "Move", len(spots), merge)

    def scale_by(self, factor_s: float, factor: float) -> None:
        """Scale what is selected by factors: in time about the playhead, in value about the mean; offsets become
        stronger or weaker.
        """
        spots = present(self.curves, self.selected)
        if not spots:
            return
        at_s, parts = self.board.to_source(self._session.view.time_s), []
        for track, own in self._grouped(spots):
            keys = [key_at(track.keys, spot.time_s) for spot in own]
            values = [key.value for key in keys if key is not None]
            middle = sum(values) / len(values) if track.absolute and values else 0.0
            parts.append(scale_keys(self.curves, own, (at_s, middle), (factor_s, factor), self.snap()))
        self._do(merged(*parts), "Scale", len(spots), f"scale keys {self._series}")

    def set_tangent(self, tangent: str) -> None:
        """Give what is selected another tangent."""
        spots = present(self.curves, self.selected)
        if spots:
            done = set_tangents(self.curves, spots, tangent)
            self._do(done, f"Make {tangent}", count=len(spots))

    def copy(self) -> None:
        """Remember what is selected."""
        spots = present(self.curves, self.selected)
        if spots:
            self._copied = copy_keys(self.curves, spots)

    def paste(self) -> None:
        """Put what was copied where the playhead is: onto the active channels, else the same ones."""
        at_s = self.snap()(self.board.to_source(self._session.view.time_s))
        onto = [track.channel for track in self.edited_tracks]
        done = paste_keys(self.curves, self._copied, at_s, onto)
        if done.curves:
            self._do(done, "Paste", count=len(done.spots))

    # While a hand holds something. Each goes out from the keys as they were when it took hold, and does nothing any
    # more where somebody else changed the project meanwhile.

    def hold(self) -> None:
        self._held = self.curves
        self._held_layer, self._held_selected = self._session.view.layer, self.selected

    def move(self, spots: frozenset[Spot], by_s: float, units: float, free: bool = False) -> None:
        """Move keys. by_s : of the source; units : degrees or centimetres."""
        if self._held is None:
            return
        spots = present(self._held, spots)
        self._try(self._moved(self._held, spots, by_s, units, self.snap(free)), "Move", len(spots))

    def scale(
        self, spots: frozenset[Spot], pivot: tuple[float, float], factors: tuple[float, float], free: bool = False
    ) -> None:
        """Spread keys. pivot : a moment of the source, and in degrees or centimetres the value for keys that are no
        offsets; offsets become stronger or weaker.
        """
        if self._held is None:
            return
        parts = []
        for track, own in self._grouped(spots):
            value = pivot[1] * track.measure.factor if track.absolute else 0.0
            parts.append(scale_keys(self._held, own, (pivot[0], value), factors, self.snap(free)))
        self._try(merged(*parts), "Scale", len(spots))

    def pull(self, channel: Channel, source_s: float, units: float, free: bool = False) -> None:
        """Lift a curve at a moment of the source; what is beyond the reach stays."""
        if self._held is None:
            return
        track = self.board.track(channel)
        if track is None:
            return
        snap = self.snap(free)
        at_s = snap(source_s)
        keys = pull(self._held.get(channel, Keys()), at_s, self._stepped(units, track), self.reach_s, snap)
        self._try(Edited({channel: keys}, frozenset([Spot(channel, at_s)])), "Pull", 1)

    def turn(self, spot: Spot, side: str, slope: float) -> None:
        """Turn a key's tangent. slope : in our own unit, a second."""
        if self._held is None:
            return
        keys = set_slope(self._held[spot.channel], spot.time_s, slope, side)
        self._try(Edited({spot.channel: keys}, self.selected), "Turn tangent of", 1)

    def change(self, change: Callable[[Key], Key], what: str) -> None:
        """Put the selected keys through a function: numbers that are typed or dragged."""
        if self._held is None:
            return
        spots = present(self._held, self._held_selected)
        self._try(change_keys(self._held, spots, change), what, len(spots))

    def move_to(self, time_s: float) -> None:
        """Move the selected keys so that the first is at a moment of the shown take."""
        if self._held is None:
            return
        spots = present(self._held, self._held_selected)
        if spots:
            by_s = self.snap()(self.board.to_source(time_s)) - min(spot.time_s for spot in spots)
            self._try(self._moved(self._held, spots, by_s, 0.0, self.snap()), "Move", len(spots))

    def let_go(self) -> None:
        """Make what was tried out a step."""
        self._held = None
        if self._stop_trying():
            self._document.commit()
            self._show_target()

    def put_back(self) -> None:
        """Leave everything as it was before a hand took hold of it."""
        if self._held is None:
            return
        self._held = None
        if self._stop_trying():
            self._document.cancel()
        self._session.look(layer=self._held_layer)
        self.select(present(self.curves, self._held_selected))

    # How

    def _edit_curves(self) -> tuple[Curve, ...]:
        clip_id = self._session.view.clip
        if clip_id is None or clip_id not in self._document.project:
            return ()
        return target_of(self._document.project.clip(clip_id), self._session.view).edit.curves

    def _grouped(self, spots: Iterable[Spot]) -> list[tuple[Track, list[Spot]]]:
        """Keys by their tracks."""
        moments = by_channel(spots)
        return [
            (track, [Spot(track.channel, moment) for moment in moments[track.channel]])
            for track in self.board.tracks
            if track.channel in moments
        ]

    def _stepped(self, units: float, track: Track) -> float:
        """Degrees or centimetres in our own unit, in whole steps where that is wanted."""
        return (round(units) if self.snaps_value else units) * track.measure.factor

    def _moved(self, curves: Curves, spots: Iterable[Spot], by_s: float, units: float, snap: Snap) -> Edited:
        return merged(
            *(move_keys(curves, own, by_s, self._stepped(units, track), snap) for track, own in self._grouped(spots))
        )

    def _call(self, edited: Edited) -> tuple[str, tuple[Curve, ...], str | None]:
        """What `set_curves` is called with."""
        view, absolute = self._session.view, {curve.channel: curve.absolute for curve in self._edit_curves()}
        assert view.clip is not None
        curves = tuple(Curve(channel, keys, absolute.get(channel, False)) for channel, keys in edited.curves.items())
        return view.clip, curves, target_of(self._document.committed.clip(view.clip), view).layer_id

    def _sentence(self, edited: Edited, verb: str, count: int) -> str:
        whose = joint_names(list(edited.curves))
        if verb == "Pull":
            return f"Pull curve of {whose}"
        if verb.endswith(" of"):
            return f"{verb} {whose}"
        many = "key" if count == 1 else f"{count} keys"
        if verb.startswith("Make "):
            return f"Make {many} of {whose} {verb.removeprefix('Make ')}"
        return f"{verb} {many} of {whose}"

    def _try(self, edited: Edited, verb: str, count: int) -> None:
        if not edited.curves:
            return
        if not self.board.target.is_seen:
            self._session.look(layer=None)  # what is edited is what is seen
        clip, curves, layer = self._call(edited)
        self.selected = edited.spots
        self._is_ours = True
        try:
            self._document.preview(set_curves, clip, curves, layer, what=self._sentence(edited, verb, count))
        except ValueError:
            return  # what cannot be is not shown; the hand goes on
        finally:
            self._is_ours = False
        self._is_trying = True

    def _stop_trying(self) -> bool:
        """-> whether there is something of ours to be kept or put back. What others try out is theirs."""
        tried, self._is_trying = self._is_trying, False
        return tried and self._document.is_previewing

    def _do(self, edited: Edited, verb: str, count: int, merge: str | None = None) -> None:
        if not self.board.target.is_seen:
            self._session.look(layer=None)
        clip, curves, layer = self._call(edited)
        self.selected = edited.spots
        what = self._sentence(edited, verb, count)
        self._document.do(set_curves, clip, curves, layer, what=what, merge=merge)
        self._show_target()

    def _show_target(self) -> None:
        """Select the edit that holds the keys, so that what is edited is what is shown."""
        view = self._session.view
        if view.clip is not None and view.clip in self._document.project:
            layer = target_of(self._document.project.clip(view.clip), view).layer_id
            if layer is not None and layer != view.layer:
                self._session.look(layer=layer)
        self._refresh()

    def _on_project_changed(self, *_: object) -> None:
        if not self._is_ours:
            self._held, self._is_trying = None, False
        self._refresh()

    def _on_changed(self) -> None:
        self._refresh()

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer, before.joints) != (after.clip, after.layer, after.joints):
            self._refresh()

    def _refresh(self) -> None:
        """Read everything anew; what was worked out is remembered."""
        if not self._is_awake:
            return
        shown = self._showing.current
        channels = [track.channel for track in self.board.tracks]
        if shown is None or not shown.take.motion.frames:
            self.board = Board()
        else:
            self.board = board_of(shown, self._session.view, self.as_vectors)
        if self._held is None:
            on_board = {track.channel for track in self.board.tracks}
            kept = present(self.curves, self.selected)
            self.selected = frozenset(spot for spot in kept if spot.channel in on_board)
        if channels != [track.channel for track in self.board.tracks]:
            self.channels_changed.emit()
        self.changed.emit()
