"""What the other actions of the window do: history, clips, workspaces and help."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app import VERSION
from app.command_palette import CommandPalette
from app.help import Help
from app.palette_entries import entries_of
from app.shortcut_editor import ShortcutEditor
from app.tour import Tour
from editor.clips.commands import set_role
from editor.stack.clips import delete_clips, duplicate_clip
from widgets.common.plain_label import menu_text
from widgets.desk.contributions import Action, HelpPage, Note, Workspace

if TYPE_CHECKING:
    from app.window import Window


class Doing(QObject):
    """Actions that belong to no feature, and what they open."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._palette: CommandPalette | None = None
        self._shortcuts: ShortcutEditor | None = None
        self._help: Help | None = None
        self._tour: Tour | None = None
        window.document.history_changed.connect(self._on_history_changed)

    def actions(self, workspaces: Iterable[Workspace]) -> tuple[Action, ...]:
        document, has_clip = self._window.document, self._has_clip
        return (
            Action("undo", "&Undo", "Edit", 110, "Undoes the last step", document.undo, "Ctrl+Z", "undo",
                   is_enabled=lambda: document.undo_text is not None),
            Action("redo", "&Redo", "Edit", 120, "Do the step again", document.redo, "Ctrl+Shift+Z", "redo",
                   is_enabled=lambda: document.redo_text is not None),
            Action("duplicate_clip", "&Duplicate clip", "Clip", 120, "A copy of the clip with its edits",
                   self.duplicate_clip, "Ctrl+D", is_enabled=has_clip),
            Action("delete_clip", "De&lete clip", "Clip", 130, "Remove the clip from the project", self.delete_clip,
                   is_enabled=has_clip),
            *(
                Action(f"workspace_{one.name}", f"Workspace {one.name}", "Window", 110 + number, one.tip,
                       partial(self._window.go_to_workspace, one.name), f"Ctrl+{number}" if number < 10 else "")
                for number, one in enumerate(workspaces, 1)
            ),
            Action("reset_workspace", "&Reset workspace", "Window", 190, "Arrange the workspace as it comes",
                   self.reset_workspace),
            Action("palette", "&Command palette…", "Help", 110, "Find a command by typing", self.palette,
                   "Ctrl+Shift+P", synonyms="search find"),
            Action("help", "&Help", "Help", 120, "How things are done", self.help, "F1", "help"),
            Action("shortcuts", "&Shortcuts…", "Help", 130, "See and change shortcuts", self.shortcuts,
                   synonyms="keys hotkeys"),
            Action("tour", "&Tour", "Help", 140, "A short walk round the window", self.tour),
            Action("about", "&About Motionwright", "Help", 160, "Version and licence", self.about),
        )  # fmt: skip

    def _has_clip(self) -> bool:
        return self._window.clip is not None

    def tell_history(self) -> None:
        """Let undo and redo say what they would undo and redo."""
        document, actions = self._window.document, self._window.actions_
        for name, text in (("undo", document.undo_text), ("redo", document.redo_text)):
            words = actions.described(name).text
            actions[name].setText(words if text is None else f"{words} “{menu_text(text)}”")

    def _on_history_changed(self) -> None:
        self.tell_history()
        self._window.actions_.refresh_now()

    # Clips

    def duplicate_clip(self) -> None:
        if (clip := self._window.clip) is not None:
            document = self._window.document
            document.do(duplicate_clip, clip.id)
            places = [one.id for one in document.project.clips]
            self._window.session.look(clip=places[places.index(clip.id) + 1])

    def delete_clip(self) -> None:
        if (clip := self._window.clip) is not None:
            self._window.run(lambda: self._window.document.do(delete_clips, (clip.id,)))

    def set_role(self, joint: int, role: object) -> None:
        """Say what a joint is to the body."""
        if (clip := self._window.clip) is not None:
            named = None if role is None else str(role)
            self._window.run(lambda: self._window.document.do(set_role, clip.id, joint, named))

    # The window and help

    def reset_workspace(self) -> None:
        self._window.workspaces.reset()

    def palette(self) -> None:
        self._window.actions_.refresh_now()
        if self._palette is None:
            self._palette = CommandPalette(self._window)
        self._palette.open_over(self._window, entries_of(self._window))

    def help(self) -> None:
        if self._help is None:
            self._help = Help(self._window.actions_, self._window.brought(HelpPage), self._window)
        self._help.open_for(QApplication.widgetAt(self._window.cursor().pos()))

    def shortcuts(self) -> None:
        if self._shortcuts is None:
            self._shortcuts = ShortcutEditor(self._window.actions_, self._window)
        self._shortcuts.show()
        self._shortcuts.raise_()

    def tour(self) -> None:
        self._made_tour().begin()

    def teach(self, notes: Iterable[Note]) -> None:
        """Lead the user through a lesson."""
        self._made_tour().teach(notes)

    def _made_tour(self) -> Tour:
        if self._tour is None:
            self._tour = Tour(self._window)
        return self._tour

    def about(self) -> None:
        self._window.banner.say(f"Motionwright {VERSION}, free software under the MIT licence")
