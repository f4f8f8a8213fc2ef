"""The root of everything a user makes: clips, the ground they go on, and characters to put them on. Never changed, only
replaced; what did not change is shared.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from model.character import Character
from model.clip import Clip
from model.ground import FLAT, Ground


@dataclass(frozen=True)
class Project:
    """Clips, in the order in which the user sees them. next_id : the number of the next new clip or edit.

    ground : what stands on the floor, whose height is 0 here: every clip brings its own floor, as high as it was found.
    characters : bodies that were kept to put clips on, beside those that come with the program.
    """

    clips: tuple[Clip, ...] = ()
    next_id: int = 1
    ground: Ground = FLAT
    characters: tuple[Character, ...] = ()

    def __post_init__(self) -> None:
        ids = [clip.id for clip in self.clips]
        if len(ids) != len(set(ids)):
            raise ValueError("clips: two of them have the same id")
        names = [character.name for character in self.characters]
        if len(names) != len(set(names)):
            raise ValueError("characters: two of them have the same name")

    @cached_property
    def _by_id(self) -> dict[str, Clip]:
        return {clip.id: clip for clip in self.clips}

    def __contains__(self, clip_id: str) -> bool:
        return clip_id in self._by_id

    def clip(self, clip_id: str) -> Clip:
        """The clip with this id. Raises ValueError where there is none."""
        try:
            return self._by_id[clip_id]
        except KeyError:
            raise ValueError(f"there is no clip {clip_id!r}") from None

    def new_ids(self, count: int = 1) -> tuple["Project", tuple[str, ...]]:
        """Ids that were never used in this project, and the project that knows it."""
        ids = tuple(str(self.next_id + n) for n in range(count))
        return replace(self, next_id=self.next_id + count), ids

    def with_clip(self, clip: Clip) -> "Project":
        """The project with a clip replaced by one of the same id, or added at the end."""
        if clip.id not in self:
            return replace(self, clips=(*self.clips, clip))
        if self.clip(clip.id) is clip:
            return self
        return replace(self, clips=tuple(clip if one.id == clip.id else one for one in self.clips))

    def without(self, clip_ids: Iterable[str]) -> "Project":
        """The project without some clips."""
        gone = set(clip_ids)
        return replace(self, clips=tuple(clip for clip in self.clips if clip.id not in gone))

    def users_of(self, clip_id: str) -> tuple[Clip, ...]:
        """The clips that are made of this one, directly."""
        return tuple(clip for clip in self.clips if clip_id in clip.clips_used())

    def depends_on(self, clip_id: str) -> Iterator[str]:
        """The ids of all clips that a clip is made of, directly or through others; itself if there is a circle."""
        seen: set[str] = set()
        waiting = list(self.clip(clip_id).clips_used())
        while waiting:
            one = waiting.pop()
            if one not in seen and one in self:
                seen.add(one)
                yield one
                waiting.extend(self.clip(one).clips_used())
