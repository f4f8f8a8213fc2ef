"""What a place is at which a figure is posed by hand: features whose poses can be changed so each have a kind of it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from editor.posing.pose import Pose
from editor.stack.command import Command

# A pose this near to a frame, in frames, is that frame's.
NEAR = 0.5

Call = tuple[Command, tuple[object, ...]]


@dataclass(frozen=True, eq=False)
class Place(ABC):
    """A frame of a clip, and the edit that takes the pose made there. layer : its id, None for a new one; shown_s : the
    frame's moment in the take that is shown.
    """

    clip: str
    layer: str | None
    frame: int
    shown_s: float

    @property
    @abstractmethod
    def seen(self) -> Pose:
        """The pose that is seen there, before anything is done to it."""

    @property
    @abstractmethod
    def unposed(self) -> Pose | None:
        """What the pose is compared with: as it is there without the edit, or None."""

    @property
    def refusal(self) -> str | None:
        """Why no further pose can be added here; None where one can."""
        return None

    @property
    def stands_in(self) -> bool:
        """Whether what is seen is not in the take, so that views must be told of it."""
        return False

    @property
    def ghost(self) -> Pose | None:
        """What views show beside the pose where it has been changed."""
        return None

    @property
    @abstractmethod
    def grounded(self) -> bool | None:
        """Whether feet stay planted; None where there is no edit yet."""

    @abstractmethod
    def ground(self, on: bool) -> Call:
        """The command that lets feet stay planted, or not."""

    @abstractmethod
    def kept(self, wanted: Pose, seen: Pose, what: str, grounded: bool) -> Call:
        """The command that makes the figure stand there as wanted. seen : what the hand began with; what : the words
        for it; grounded : whether a new edit keeps feet planted.
        """
