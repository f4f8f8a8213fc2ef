"""What features bring to the Inspector: parts of its pages, pages of their own, and what forms ask."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from editor.document.session import View
from editor.document.showing import Shown
from editor.stack.command import Command
from model.clip import Clip, Layer
from model.skeleton import JointRef
from widgets.common.setting_kinds import FormContext


@dataclass(frozen=True, eq=False)
class EditRequest:
    """A command on the edit that is shown. arguments : those after clip and edit."""

    command: Command
    arguments: tuple[object, ...]


@dataclass(frozen=True, eq=False)
class ShownEdit:
    """The edit that the Inspector shows. shown : its clip, None while that is not evaluated; joints : selected ones."""

    layer: Layer
    shown: Shown | None
    joints: tuple[JointRef, ...]

    @property
    def marks(self) -> tuple[tuple[float, str], ...]:
        """What the edit tells of single moments of the source."""
        if self.shown is None:
            return ()
        place = self.shown.clip.place_of(self.layer.id) + 1
        return self.shown.stages[place].marks if place < len(self.shown.stages) else ()


class EditPart(QWidget):
    """A part of an edit's page, for edits of some kinds. It changes nothing itself, but says what it requests.

    changing : while something is dragged; changed : at the end of it; nudged : after a small step, with a name by which
    steps of one kind can be told; cancelled : what was told by `changing` is void; refused : why something cannot be.
    """

    title = "More"

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)

    def show_edit(self, edit: ShownEdit) -> str | None:
        """Show an edit, at the playhead. -> the title over it; None where there is nothing to be shown."""
        raise NotImplementedError


class SourcePart(QWidget):
    """A part of a clip's page, for sources of some kinds."""

    title = "More"

    def show_clip(self, clip: Clip) -> str | None:
        """Show a clip. -> the title over it; None where there is nothing to be shown."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class EditSection:
    """Brought by features: makes a part of an edit's page."""

    make: Callable[[FormContext], EditPart]
    at: int


@dataclass(frozen=True, eq=False)
class SourceSection:
    """Brought by features: makes a part of a clip's page."""

    make: Callable[[], SourcePart]
    at: int


@dataclass(frozen=True, eq=False)
class InspectorPage:
    """Brought by features: a page instead of the clip's or the edit's. is_wanted : whether it is to be seen."""

    title: str
    make: Callable[[], QWidget]
    is_wanted: Callable[[View], bool]


@dataclass(frozen=True, eq=False)
class JointSection:
    """Brought by features: what is seen of the selected joint below the skeleton."""

    make: Callable[[], QWidget]


@dataclass(frozen=True, eq=False)
class PathMeasure:
    """Brought by features: how far along its path the shown clip is at the playhead, in metres; None for no path."""

    along_m: Callable[[], float | None]
