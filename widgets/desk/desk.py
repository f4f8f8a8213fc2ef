"""What a window gives to the features at work in it. Features know this, and nothing else of the window."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TypeVar

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from editor.document.document import Document
from editor.document.jobs import Jobs
from editor.document.session import Session
from editor.document.showing import Showing
from editor.stack.evaluator import Evaluator
from model.clip import Clip
from widgets.common.banner import Banner
from widgets.desk.contributions import Note
from widgets.timeline.timeline import Timeline
from widgets.viewport.tool_box import ToolBox
from widgets.viewport.viewport import Viewport

T = TypeVar("T")


class Desk(Protocol):
    """A window, as features see it."""

    document: Document
    session: Session
    showing: Showing
    jobs: Jobs
    evaluator: Evaluator
    viewport: Viewport
    timeline: Timeline
    tools: ToolBox
    banner: Banner

    @property
    def widget(self) -> QWidget:
        """The window, as the parent of dialogs and of what lives as long as it."""
        ...

    @property
    def clip(self) -> Clip | None:
        """The clip that is looked at."""
        ...

    @property
    def clips_added(self) -> SignalInstance:
        """Emitted with the id of the first of some clips that were read, after it was looked at."""
        ...

    @property
    def activated(self) -> SignalInstance:
        """Emitted when the user comes back to the window, perhaps from changing files."""
        ...

    def brought(self, kind: type[T]) -> tuple[T, ...]:
        """All that features have brought of a kind, in their order."""
        ...

    def action(self, name: str) -> QAction | None:
        """The action of a name; None where the feature that brings it is not there."""
        ...

    def trigger(self, name: str) -> None:
        """Do what an action does, where there is one of this name that can be done now."""
        ...

    def refresh_actions(self) -> None:
        """Let actions be asked again whether they can be done and are on. Changes of what is shown do so anyway."""
        ...

    def run(self, do: Callable[[], T]) -> T | None:
        """Do something; a ValueError is told to the user, and gives None."""
        ...

    def show_panel(self, name: str, focus: bool = True) -> None:
        """Open a panel, in front of others. focus : whether it gets the keyboard, if it asks for that."""
        ...

    def go_to_workspace(self, name: str) -> None:
        """Arrange the window for a task."""
        ...

    @property
    def workspace(self) -> str:
        """The name of the present workspace."""
        ...

    def show_hint(self, text: str) -> None:
        """Say in the status bar what the mouse would do."""
        ...

    def folder(self) -> Path:
        """Where file dialogs begin."""
        ...

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open clips, folders or a project."""
        ...

    def play_when_shown(self) -> None:
        """Play as soon as there is something to see."""
        ...

    def teach(self, notes: Iterable[Note]) -> None:
        """Lead the user through a lesson."""
        ...
