"""The main window: puts document, views and actions together. What happens is decided elsewhere."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import (
    QButtonGroup,
    QDockWidget,
    QMainWindow,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.actions import Actions
from app.dock_tabs import DockTabs
from app.dock_titles import DockTitles
from app.doing import Doing
from app.feature import Features
from app.features import all_features
from app.file_actions import FileActions
from app.files import Files
from app.forgetting import Forgetting
from app.help import SHORTCUTS
from app.menus import build_menus, in_menu_order
from app.recovery import Recovery
from app.restoring import Restoring
from app.saving_actions import SavingActions
from app.settings import Settings
from app.status import Status
from app.thumbnails import Thumbnails
from app.view_actions import ViewActions
from app.workspaces import EDIT, Workspaces
from editor.document.document import Document
from editor.document.jobs import Evaluations, Jobs
from editor.document.session import Session
from editor.document.showing import Showing
from editor.stack.evaluator import Evaluator
from model.clip import Clip
from model.files.problems import Problem, Severity
from widgets.common.banner import Banner
from widgets.common.plain_label import LONGEST, one_line, plain_tip
from widgets.desk.contributions import (
    Action,
    Area,
    Bar,
    FileKind,
    HelpPage,
    Menu,
    Note,
    Panel,
    TimelineLane,
    ToolBarItem,
    Workspace,
)
from widgets.edits.edit_stack import EditStack
from widgets.edits.history import History
from widgets.inspector.inspector import Inspector
from widgets.library.import_report import ImportReport
from widgets.library.library import Library
from widgets.timeline.timeline import Timeline
from widgets.viewport.overlay import Overlay
from widgets.viewport.tool_box import ToolBox, ViewportTool
from widgets.viewport.viewport import Viewport

T = TypeVar("T")
_KEEP_MS = 10_000
_PAGES = (
    HelpPage("start", "Getting started", 10),
    HelpPage("viewport", "Viewport", 20),
    HelpPage("timeline", "Timeline", 50),
    HelpPage("edits", "Edits", 110),
    HelpPage("library", "Library", 130),
    HelpPage("inspector", "Inspector", 140),
    HelpPage("window", "Window", 160),
    HelpPage(SHORTCUTS, "Shortcuts", 170),
)


class Window(QMainWindow):
    """One document and everything that shows it."""

    clips_added = Signal(str)
    activated = Signal()

    def __init__(
        self, settings: Settings, recovery_folder: Path | None = None, features: Features | None = None
    ) -> None:
        """features : those at work in it, if not all that there are."""
        super().__init__()
        features = features or all_features()
        self.settings = settings
        self._is_closed = False
        self._brought: list[object] = []
        self._broken: list[str] = []
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self._take_place()

        self.document = Document(parent=self)
        self.session = Session(self.document, self)
        self.jobs = Jobs(self)
        self.evaluator = Evaluator()
        self.evaluations = Evaluations(self.evaluator, self.jobs, self)
        self.showing = Showing(self.document, self.session, self.evaluations, self)
        self.files = Files(self.document, self.evaluator, self.jobs, features.core.kinds, self)
        self.recovery = Recovery(self.document, self.files.kinds, folder=recovery_folder, parent=self)
        self.forgetting = Forgetting(self.document, self.evaluator, self.jobs, self)

        self._make_middle()
        self._begin(features)
        self._make_views(features)
        self.saving_actions = SavingActions(self)
        self.file_actions = FileActions(self)
        self.view_actions = ViewActions(self)
        self.doing = Doing(self)
        self.restoring = Restoring(self)
        self._make_docks()
        self.workspaces = Workspaces(self, self.docks, self.brought(Panel), (EDIT, *self.brought(Workspace)), settings)
        self._make_actions()
        self._make_tool_bar()
        self.setStatusBar(Status(self.session, self.showing, self.jobs, self))
        self._connect()
        self._tell_title()
        for reason in self._broken:
            self.banner.warn(reason)

    # Making

    def _take_place(self) -> None:
        """Be where the window was left, or fill most of the screen."""
        kept = self.settings.geometry()
        if kept is None or not self.restoreGeometry(kept):
            screen = self.screen().availableSize()
            self.resize(min(1440, screen.width()), min(900, screen.height()))

    def _make_middle(self) -> None:
        """The hosts that features are given from the start: viewport, timeline and banner."""
        shared = (self.document, self.session, self.showing)
        self.viewport = Viewport(*shared)
        self.viewport.setProperty("help", "viewport")
        self.tools = ToolBox(self.viewport, self)
        self.timeline = Timeline(*shared)
        middle = QWidget()
        self.banner = Banner(middle)
        self.banner.lie_over(self.viewport)
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self._middle.addWidget(self.viewport, 1)
        self.setCentralWidget(middle)

    def _begin(self, features: Features) -> None:
        """Let every feature make what it brings; one of others that cannot costs only itself."""
        self._brought += _PAGES
        for feature in features:
            if feature.visible is None:
                continue
            try:
                self._brought += tuple(feature.visible.begin(self))
            except Exception as error:
                if feature.package is None:
                    raise
                self._broken.append(f"{feature.package} does not work here: {type(error).__name__}: {error}")

    def _make_views(self, features: Features) -> None:
        shared = (self.document, self.session, self.showing)
        self.library = Library(*shared)
        self.edits = EditStack(*shared, features.core.edits)
        self.inspector = Inspector(*shared, self._brought)
        self.history = History(self.document)
        self.report = ImportReport()
        self.thumbnails = Thumbnails(self.document, self.evaluator, self.jobs, self)
        self._brought += (
            Panel("Library", self.library, Area.LEFT, 10, help="library"),
            Panel("Edits", self.edits, Area.LEFT, 20, help="edits"),
            Panel("Inspector", self.inspector, Area.RIGHT, 30, help="inspector"),
            Panel("History", self.history, Area.RIGHT, 60),
            Panel("Timeline", self.timeline, Area.BOTTOM, 70, help="timeline"),
            Panel("Report", self.report, Area.BOTTOM, 110),
        )
        for tool in self.brought(ViewportTool):
            self.tools.add(tool)
        for overlay in self.brought(Overlay):
            self.viewport.add_overlay(overlay)
        for lane in self.brought(TimelineLane):
            self.timeline.add_lane(lane.lane, lane.at)
            lane.lane.changed.connect(self._show_lanes)
        self._show_lanes()
        self.files.further = self.brought(FileKind)

    def _show_lanes(self) -> None:
        """Show the lanes that have a meaning now."""
        for lane in self.brought(TimelineLane):
            self.timeline.show_lane(lane.lane, lane.is_shown())

    def _make_docks(self) -> None:
        self.docks: dict[str, QDockWidget] = {}
        for panel in sorted(self.brought(Panel), key=lambda one: one.at):
            if panel.help:
                panel.widget.setProperty("help", panel.help)
            dock = QDockWidget(panel.name, self)
            dock.setObjectName(panel.name)
            dock.setWidget(panel.widget)
            self.docks[panel.name] = dock
            self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
            dock.hide()  # until the workspace arranges them: all in a column they are taller than screens
            if panel.set_awake is not None:
                dock.visibilityChanged.connect(panel.set_awake)
        DockTitles(self, self.docks.values())
        DockTabs(self, self.docks.values())

    def _make_actions(self) -> None:
        own = (self.file_actions, self.saving_actions, self.view_actions)
        self._brought += (action for one in own for action in one.actions())
        self._brought += self.doing.actions(self.workspaces.all)
        menus = self.brought(Menu)
        self.actions_ = Actions(self, self.settings, in_menu_order(self.brought(Action), menus))
        self.doing.tell_history()
        self.menus = build_menus(self.menuBar(), self.actions_, menus)
        self.file_actions.fill_menus()
        for dock in self.docks.values():
            self.menus["Window"].addAction(dock.toggleViewAction())
        for place, bar in enumerate(sorted(self.brought(Bar), key=lambda one: one.at)):
            widget = bar.make()
            widget.setProperty("help", bar.help)
            self._middle.insertWidget(place, widget)

    def _make_tool_bar(self) -> None:
        bar = QToolBar("Workspaces")
        bar.setObjectName("workspaces")
        bar.setMovable(False)
        bar.toggleViewAction().setEnabled(False)
        self.workspace_buttons = QButtonGroup(self)
        for workspace in self.workspaces.all:
            button = QToolButton()
            button.setText(workspace.name)
            button.setCheckable(True)
            button.setToolTip(plain_tip(workspace.tip))
            button.setAccessibleName(f"Workspace {workspace.name}")
            self.workspace_buttons.addButton(button)
            bar.addWidget(button)
        stretch = QWidget()
        stretch.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(stretch)
        for item in sorted(self.brought(ToolBarItem), key=lambda one: one.at):
            item.widget.setProperty("help", item.help)
            bar.addWidget(item.widget)
        self.addToolBar(bar)

    def _connect(self) -> None:
        self.document.history_changed.connect(self._tell_title)
        self.document.modified_changed.connect(self._tell_title)
        self.session.changed.connect(self.refresh_actions)
        self.showing.changed.connect(self.refresh_actions)
        self.files.said.connect(self.banner.say)
        self.files.failed.connect(self.banner.warn)
        self.files.reported.connect(self._on_reported)
        self.files.opened.connect(self._on_opened)
        self.files.skeleton_wanted.connect(self._on_skeleton_wanted)
        self.files.clips_added.connect(self._on_clips_added)
        self.files.project_opened.connect(self._tell_title)
        self.recovery.failed.connect(self.banner.warn)
        self.thumbnails.made.connect(self._on_thumbnail)
        self.workspace_buttons.buttonClicked.connect(self._on_workspace)
        for view in (self.library, self.viewport, self.timeline):
            view.import_wanted.connect(self.file_actions.open)
        self.viewport.hint_changed.connect(self.show_hint)
        self.viewport.options_changed.connect(self.refresh_actions)
        self.tools.changed.connect(self.refresh_actions)
        self.library.files_dropped.connect(self._on_files_dropped)
        self.library.new_walk_wanted.connect(self._on_new_walk_wanted)
        self.inspector.role_chosen.connect(self.doing.set_role)
        self.inspector.panel_wanted.connect(self._on_panel_wanted)

    # What features see of it

    @property
    def widget(self) -> QWidget:
        return self

    @property
    def clip(self) -> Clip | None:
        view, project = self.session.view, self.document.project
        return project.clip(view.clip) if view.clip is not None and view.clip in project else None

    @property
    def workspace(self) -> str:
        return self.workspaces.current.name

    def brought(self, kind: type[T]) -> tuple[T, ...]:
        return tuple(one for one in self._brought if isinstance(one, kind))

    def action(self, name: str) -> QAction | None:
        return self.actions_.get(name)

    def trigger(self, name: str) -> None:
        self.actions_.refresh_now()
        action = self.action(name)
        if action is not None:
            action.trigger()

    def refresh_actions(self, *_: object) -> None:
        if hasattr(self, "actions_"):  # features may change before they have all begun
            self.actions_.refresh()

    def run(self, do: Callable[[], T]) -> T | None:
        try:
            return do()
        except ValueError as error:
            self.banner.warn(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return None

    def show_panel(self, name: str, focus: bool = True) -> None:
        if name not in self.docks:
            return
        self.docks[name].show()
        self.docks[name].raise_()
        panel = next(one for one in self.brought(Panel) if one.name == name)
        if focus and panel.focus is not None:
            panel.focus.setFocus()

    def folder(self) -> Path:
        return self.file_actions.folder()

    def open_paths(self, paths: Iterable[Path]) -> None:
        self.file_actions.open_paths(paths)

    def teach(self, notes: Iterable[Note]) -> None:
        self.doing.teach(notes)

    # What is heard

    def _on_reported(self, path: str, problems: tuple[Problem, ...]) -> None:
        self.report.add(path, problems)
        if any(problem.severity == Severity.WARNING for problem in problems):
            self.docks["Report"].show()

    def _on_opened(self, paths: tuple[Path, ...]) -> None:
        self.settings.add_recent_files(paths)
        self.file_actions.fill_recent()

    def _on_skeleton_wanted(self, paths: tuple[Path, ...]) -> None:
        first = paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
        self.banner.warn(
            f"{first}: the skeleton is in an ASF file, which is not beside it. Choose it, or drop both together.",
            (("Choose the skeleton…", lambda: self.file_actions.choose_skeleton(paths)),),
        )

    def _on_clips_added(self, clip_id: str) -> None:
        self.session.look(clip=clip_id)
        self.docks["Library"].show()
        self.clips_added.emit(clip_id)

    def _on_thumbnail(self, clip_id: str, image: QImage) -> None:
        self.library.set_thumbnail(clip_id, image)

    def show_hint(self, text: str) -> None:
        """Say in the status bar what the mouse would do."""
        self.statusBar().showMessage(one_line(text, LONGEST))

    def _on_workspace(self, button: QToolButton) -> None:
        self.go_to_workspace(button.text())

    def _on_panel_wanted(self, name: str) -> None:
        self.show_panel(name, focus=False)

    def go_to_workspace(self, name: str) -> None:
        """Arrange the window for a task, as the user left it there; the next start begins with it."""
        self.workspaces.switch(name)
        for button in self.workspace_buttons.buttons():
            button.setChecked(button.text() == self.workspaces.current.name)
        self.settings.workspace = self.workspaces.current.name

    def _on_files_dropped(self, paths: list[str]) -> None:
        self.open_paths([Path(path) for path in paths])

    def _on_new_walk_wanted(self) -> None:
        self.trigger("new_walk")

    def _tell_title(self, *_: object) -> None:
        name = self.document.path.name if self.document.path is not None else "Untitled"
        self.setWindowTitle(f"{name}[*] - Motionwright")
        self.setWindowModified(self.document.modified)

    def crashed(self, reason: str) -> None:
        """Tell of a bug of ours, and save what can be saved."""
        self.document.cancel()
        told = f"Something went wrong, and nothing of your work is lost: {reason}. An autosave was written."
        if self.banner.isVisible() and self.banner.text == told:
            return  # what breaks whenever it is drawn would be told, and so drawn, without end
        self.recovery.autosave()
        self.banner.warn(told)

    def keep_for_recovery(self) -> None:
        """Autosave what is not saved and wait until it is on the disk, to end without asking."""
        self._is_closed = True
        if self.document.modified:
            written: list[bool] = []
            self.recovery.autosaved.connect(lambda: written.append(True))
            self.recovery.autosave()
            waited = QElapsedTimer()
            waited.start()
            while not written and waited.elapsed() < _KEEP_MS:
                QCoreApplication.processEvents()
        self.jobs.close()

    @property
    def is_at_work(self) -> bool:
        """Whether threads are still at work, although the window is closed."""
        return self.jobs.is_at_work or self.recovery.is_at_work

    def after_layout(self, do: Callable[[], object]) -> None:
        """Do something once the window has its size."""
        QTimer.singleShot(0, self, do)

    def play_when_shown(self) -> None:
        """Play as soon as there is something to see."""
        if self.showing.current is not None:
            self.timeline.playback.play()
        else:
            self.showing.changed.connect(self.play_when_shown, Qt.ConnectionType.SingleShotConnection)

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open_paths(paths)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and not self._is_closed:
            self.activated.emit()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.saving_actions.may_leave():
            event.ignore()
            return
        if not self._is_closed:
            self._is_closed = True
            self.workspaces.remember()
            self.settings.set_geometry(self.saveGeometry())
            self.settings.sync()
            self.jobs.close()
            self.recovery.close()
            self.files.close()
        event.accept()
