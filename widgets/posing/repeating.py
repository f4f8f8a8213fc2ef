"""One pose put at all moments like its own, mirrored at those of the other side: shown first, then kept or dropped.

It is state of the session. What it would make is tried out in the document, so that timeline and viewport show which
moments are meant; one may go about in time and look, and take in more of them or fewer.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session, View
from editor.posing.commands import set_poses
from editor.posing.edit import TargetPose
from editor.posing.similar import ALIKE, Alike, find_alike, repeated
from model.extremes import Extreme
from widgets.posing.posing import Posing
from widgets.posing.target_place import TargetPlace


class Repeating(QObject):
    """`begin`, then any number of `take_in` and `set_mirrored`, then `keep` or `drop`."""

    changed = Signal()  # whether something is tried out, or what
    said = Signal(str)

    def __init__(
        self,
        document: Document,
        session: Session,
        posing: Posing,
        jobs: Jobs,
        extremes: Callable[[], tuple[Extreme, ...]],
        parent: QObject | None = None,
    ) -> None:
        """extremes : the extreme poses of what is shown."""
        super().__init__(parent)
        self._document, self._session = document, session
        self._posing, self._jobs, self._extremes = posing, jobs, extremes
        self._job: Job | None = None
        self._place: TargetPlace | None = None
        self._pose: TargetPose | None = None
        self._alike: tuple[Alike, ...] = ()  # most alike first
        self._count = 0
        self._mirrored = True
        self._is_ours = False
        document.changed.connect(self._on_project_changed)
        session.changed.connect(self._on_view_changed)

    # What there is

    @property
    def is_on(self) -> bool:
        """Whether something is tried out."""
        return self._pose is not None and bool(self._alike)

    @property
    def chosen(self) -> tuple[Alike, ...]:
        """The moments that are meant, most alike first; of the take that the poses are laid over."""
        return self._offered[: self._count]

    @property
    def can_be_more(self) -> bool:
        return self._count < len(self._offered)

    @property
    def can_be_fewer(self) -> bool:
        return self._count > 1

    @property
    def mirrored(self) -> bool:
        """Whether moments of the other side are meant too."""
        return self._mirrored

    @property
    def told(self) -> str:
        """What would be done, in words."""
        other = sum(one.mirrored for one in self.chosen)
        count = len(self.chosen)
        places = f"{count} similar pose{'' if count == 1 else 's'}"
        return f"Repeat at {places}, {other} mirrored" if other else f"Repeat at {places}"

    @property
    def _offered(self) -> tuple[Alike, ...]:
        return tuple(one for one in self._alike if self._mirrored or not one.mirrored)

    # What hands do

    def begin(self) -> None:
        """Look for moments like the one at the playhead, where there must be a target pose."""
        self.drop()
        place = self._posing.place
        edit = place.edit if isinstance(place, TargetPlace) else None
        pose = edit.pose_at(place.time_s) if edit is not None and isinstance(place, TargetPlace) else None
        if not isinstance(place, TargetPlace) or pose is None or place.layer is None:
            self.said.emit("There is no target pose at this frame: pose the figure first, then repeat that.")
            return
        if self._job is not None:
            return
        self._place, self._pose = place, pose
        motion, at_s = place.take.motion, place.frame * place.take.motion.frame_time_s
        extremes_s = tuple(one.time_s for one in self._extremes() if not one.is_end)
        self._job = self._jobs.start("Looking for similar poses", lambda tell: find_alike(motion, at_s, extremes_s))
        self._job.over.connect(self._on_found)

    def take_in(self, by: int) -> None:
        """Take in so many more moments, the next in likeness, or for by < 0 fewer."""
        self._choose(min(max(self._count + by, 1), len(self._offered)))

    def set_mirrored(self, on: bool) -> None:
        """Take in moments of the other side, or not."""
        if on != self._mirrored:
            self._mirrored = on
            self._choose(sum(one.distance <= ALIKE for one in self._offered))

    def keep(self) -> bool:
        """Make it a step. -> whether there was something."""
        if not self.is_on:
            return False
        self._forget()
        return self._ours(self._document.commit)

    def drop(self) -> None:
        """Put everything back."""
        if self.is_on:
            self._forget()
            self._ours(self._document.cancel)

    # How

    def _on_found(self, job: Job) -> None:
        self._job = None
        place, pose = self._place, self._pose
        if place is None or pose is None:
            return  # something else came meanwhile
        self._alike = tuple(job.result) if isinstance(job.result, tuple) else ()
        near = sum(one.distance <= ALIKE for one in self._offered)
        if not self._offered:
            self._forget()
            self.said.emit("No other pose of this clip is like this one.")
        else:
            self._choose(max(near, 1))

    def _choose(self, count: int) -> None:
        """Try out so many of the moments."""
        place, pose = self._place, self._pose
        if place is None or pose is None or place.layer is None:
            return
        self._count = min(count, len(self._offered))
        at_s = place.frame * place.take.motion.frame_time_s
        to_source = place.time_map.inverse()
        pairs = [(float(to_source(one.time_s)), one) for one in self.chosen]
        poses = repeated(pose, place.take, at_s, pairs)
        clip, layer = place.clip, place.layer
        if poses:
            self._ours(lambda: self._document.preview(set_poses, clip, layer, poses, pose.time_s))
        else:
            self._ours(self._document.cancel)
        self.changed.emit()

    def _ours(self, do: object) -> bool:
        assert callable(do)
        self._is_ours = True
        try:
            return bool(do())
        finally:
            self._is_ours = False

    def _forget(self) -> None:
        self._place = self._pose = None
        self._alike, self._count = (), 0
        self.changed.emit()

    def _on_project_changed(self, *_: object) -> None:
        if not self._is_ours and self._pose is not None:
            self._forget()  # somebody else changed what was tried out

    def _on_view_changed(self, before: View, after: View) -> None:
        if self._pose is not None and (before.clip, before.layer) != (after.clip, after.layer) and not self._is_ours:
            self.drop()
            if self._pose is not None:
                self._forget()
