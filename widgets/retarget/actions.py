"""What the user can do to put clips on other bodies."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from model.files.formats import READABLE
from widgets.desk.contributions import Action
from widgets.desk.desk import Desk
from widgets.retarget.panel import RetargetPanel
from widgets.retarget.setting_editors import PANEL


class RetargetActions(QObject):
    """Retargeting as a window has it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.panel = RetargetPanel(desk.document, desk.session, desk.showing, desk.jobs, desk.evaluator)
        self.panel.file_wanted.connect(self.put_on_file)

    def actions(self) -> tuple[Action, ...]:
        return (
            Action(
                "retarget", "Re&target to…", "Clip", 150,
                "Put the clip on another body, and see which joint follows which", self.show,
                is_enabled=lambda: self._desk.clip is not None, synonyms="character skeleton rig transfer",
            ),
        )  # fmt: skip

    def show(self) -> None:
        """Show the panel with the bodies that the clip can be put on."""
        self._desk.show_panel(PANEL)

    def put_on_file(self) -> None:
        """Put the clip on the body of a file."""
        kinds = " ".join(f"*{one}" for one in (*READABLE, ".asf"))
        name, _ = QFileDialog.getOpenFileName(self._desk.widget, "Body of a file", "", f"Bodies ({kinds});;All (*)")
        if name:
            self.panel.put_on_file(name)
