"""The main window: puts document, views and actions together. What happens is decided elsewhere."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QImage
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
from app.curve_panel import make_curve_editor
from app.dock_tabs import DockTabs
from app.dock_titles import DockTitles
from app.doing import Doing
from app.extreme_actions import ExtremeActions
from app.features import core_features
from app.files import Files
from app.forgetting import Forgetting
from app.ground_actions import GroundActions
from app.menus import build_menus
from app.posing_actions import PosingActions
from app.recovery import Recovery
from app.restoring import Restoring
from app.saving_actions import SavingActions
from app.settings import Settings
from app.stagger_actions import StaggerActions
from app.stale_files import StaleFiles
from app.status import Status
from app.thumbnails import Thumbnails
from app.walk_actions import WalkActions
from app.workspaces import WORKSPACES, Workspaces
from editor.document.document import Document
from editor.document.jobs import Evaluations, Jobs
from editor.document.session import Session
from editor.document.showing import Showing
from editor.stack.evaluator import Evaluator
from model.files.problems import Problem, Severity
from widgets.common.banner import Banner
from widgets.common.extrema import Extrema
from widgets.common.ground_editing import GroundEditing
from widgets.common.path_editing import PathEditing
from widgets.common.plain_label import LONGEST, one_line, plain_tip
from widgets.common.posing import Posing
from widgets.panels.edit_stack import EditStack
from widgets.panels.exaggerate import ExaggeratePanel
from widgets.panels.extremes import ExtremesPanel
from widgets.panels.history import History
from widgets.panels.import_report import ImportReport
from widgets.panels.inspector import Inspector
from widgets.panels.library import Library
from widgets.panels.quality_chips import QualityChips
from widgets.path_canvas.walk_panel import WalkPanel
from widgets.retarget.retarget_panel import RetargetPanel
from widgets.timeline.timeline import Timeline
from widgets.viewport.viewport import Viewport

_KEEP_MS = 10_000
_DOCKS = (
    "Library",
    "Edits",
    "Inspector",
    "Extremes",
    "Exaggerate",
    "History",
    "Timeline",
    "Curves",
    "Retarget",
    "Path",
    "Report",
)


class Window(QMainWindow):
    """One document and everything that shows it."""

    def __init__(self, settings: Settings, recovery_folder: Path | None = None) -> None:
        super().__init__()
        self.settings = settings
        self._is_closed = False
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
        self.files = Files(self.document, self.evaluator, self.jobs, self)
        self.recovery = Recovery(self.document, self.files.kinds, folder=recovery_folder, parent=self)

        self.forgetting = Forgetting(self.document, self.evaluator, self.jobs, self)

        self._make_views()
        self._make_docks()
        self.actions_ = Actions(self, settings)
        self.saving_actions = SavingActions(self)
        self.posing_actions = PosingActions(self)
        self.extreme_actions = ExtremeActions(self)
        self.ground_actions = GroundActions(self)
        self.walk_actions = WalkActions(self)
        self.stagger_actions = StaggerActions(self)
        self.doing = Doing(self)
        self.restoring = Restoring(self)
        self.extreme_actions.refresh()
        self.walk_actions.refresh()
        self.menus = build_menus(self.menuBar(), self.actions_)
        self._middle.insertWidget(0, self.posing_actions.make_bar())
        self._middle.insertWidget(1, self.ground_actions.make_bar())
        self._make_tool_bar()
        self.doing.fill_menus()
        self.setStatusBar(Status(self.session, self.showing, self.jobs, self))
        self.workspaces = Workspaces(self, self.docks, settings)
        self._connect()
        self._tell_title()

    # Making

    def _take_place(self) -> None:
        """Be where the window was left, or fill most of the screen."""
        kept = self.settings.geometry()
        if kept is None or not self.restoreGeometry(kept):
            screen = self.screen().availableSize()
            self.resize(min(1440, screen.width()), min(900, screen.height()))

    def _make_views(self) -> None:
        shared = (self.document, self.session, self.showing)
        self.posing = Posing(*shared, self)
        self.ground_editing = GroundEditing(*shared, self)
        self.path_editing = PathEditing(*shared, self)
        self.extrema = Extrema(*shared, self.jobs, self)
        self.viewport = Viewport(*shared)
        self.timeline = Timeline(*shared)
        self.curves = make_curve_editor(*shared, self.timeline)
        self.library = Library(*shared)
        self.edits = EditStack(*shared, core_features().edits)
        self.inspector = Inspector(*shared, self.posing, self.ground_editing)
        self.extremes = ExtremesPanel(self.document, self.showing, self.extrema)
        self.exaggerate = ExaggeratePanel(*shared, self.jobs)
        self.history = History(self.document)
        self.retarget = RetargetPanel(*shared, self.jobs, self.evaluator)
        self.path = WalkPanel(self.path_editing, self.session, self.showing)
        self.report = ImportReport()
        self.chips = QualityChips(self.document, self.session, self.showing, self.jobs)
        self.thumbnails = Thumbnails(self.document, self.evaluator, self.jobs, self)
        self.stale_files = StaleFiles(self.document, self.session, self.jobs, self)
        for view, page in (
            (self.viewport, "viewport"),
            (self.timeline, "timeline"),
            (self.curves, "curves"),
            (self.library, "library"),
            (self.edits, "edits"),
            (self.inspector, "inspector"),
            (self.extremes, "extremes"),
            (self.exaggerate, "exaggerate"),
            (self.retarget, "retarget"),
            (self.path, "walk"),
            (self.chips, "quality"),
        ):
            view.setProperty("help", page)
        middle = QWidget()
        self.banner = Banner(middle)
        self.banner.lie_over(self.viewport)
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self._middle.addWidget(self.viewport, 1)
        self.setCentralWidget(middle)

    def _make_docks(self) -> None:
        views = (
            self.library, self.edits, self.inspector, self.extremes, self.exaggerate, self.history, self.timeline,
            self.curves,
            self.retarget, self.path, self.report,
        )  # fmt: skip
        self.docks: dict[str, QDockWidget] = {}
        for name, view in zip(_DOCKS, views, strict=True):
            dock = QDockWidget(name, self)
            dock.setObjectName(name)
            dock.setWidget(view)
            self.docks[name] = dock
            self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
            dock.hide()  # until the workspace arranges them: all in a column they are taller than screens
        DockTitles(self, self.docks.values())
        DockTabs(self, self.docks.values())

    def _make_tool_bar(self) -> None:
        bar = QToolBar("Workspaces")
        bar.setObjectName("workspaces")
        bar.setMovable(False)
        bar.toggleViewAction().setEnabled(False)
        self.workspace_buttons = QButtonGroup(self)
        for workspace in WORKSPACES:
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
        bar.addWidget(self.chips)
        self.addToolBar(bar)

    def _connect(self) -> None:
        self.document.history_changed.connect(self._tell_title)
        self.document.modified_changed.connect(self._tell_title)
        self.files.said.connect(self.banner.say)
        self.files.failed.connect(self.banner.warn)
        self.files.reported.connect(self._on_reported)
        self.files.opened.connect(self._on_opened)
        self.files.skeleton_wanted.connect(self._on_skeleton_wanted)
        self.files.clips_added.connect(self._on_clips_added)
        self.files.clips_added.connect(self.walk_actions.on_clips_added)  # which may lead the eye elsewhere
        self.files.project_opened.connect(self._tell_title)
        self.recovery.failed.connect(self.banner.warn)
        self.thumbnails.made.connect(self._on_thumbnail)
        self.stale_files.told.connect(self.inspector.set_file_state)
        self.workspace_buttons.buttonClicked.connect(self._on_workspace)
        for view in (self.library, self.viewport, self.timeline, self.curves):
            view.import_wanted.connect(self.doing.open)
        self.docks["Curves"].visibilityChanged.connect(self.curves.editing.set_awake)
        self.docks["Exaggerate"].visibilityChanged.connect(self.exaggerate.set_awake)
        self.docks["Retarget"].visibilityChanged.connect(self.retarget.set_awake)
        self.curves.reduce_wanted.connect(self.doing.reduce_to_keys)
        self.viewport.hint_changed.connect(self.show_hint)
        self.library.files_dropped.connect(self._on_files_dropped)
        self.library.new_walk_wanted.connect(self.doing.new_walk)
        self.inspector.role_chosen.connect(self.doing.set_role)
        self.inspector.reload_wanted.connect(self.doing.reload_clip)
        self.inspector.panel_wanted.connect(self._on_panel_wanted)
        self.retarget.file_wanted.connect(self.doing.retarget_to_file)
        self.exaggerate.ghost_wanted.connect(self.actions_["ghosts"].toggle)

    # What is heard

    def _on_reported(self, path: str, problems: tuple[Problem, ...]) -> None:
        self.report.add(path, problems)
        if any(problem.severity == Severity.WARNING for problem in problems):
            self.docks["Report"].show()

    def _on_opened(self, paths: tuple[Path, ...]) -> None:
        self.settings.add_recent_files(paths)
        self.doing.fill_recent()

    def _on_skeleton_wanted(self, paths: tuple[Path, ...]) -> None:
        first = paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
        self.banner.warn(
            f"{first}: the skeleton is in an ASF file, which is not beside it. Choose it, or drop both together.",
            (("Choose the skeleton…", lambda: self.doing.choose_skeleton(paths)),),
        )

    def _on_clips_added(self, clip_id: str) -> None:
        self.session.look(clip=clip_id)
        self.docks["Library"].show()

    def _on_thumbnail(self, clip_id: str, image: QImage) -> None:
        self.library.set_thumbnail(clip_id, image)

    def show_hint(self, text: str) -> None:
        """Say in the status bar what the mouse would do."""
        self.statusBar().showMessage(one_line(text, LONGEST))

    def _on_workspace(self, button: QToolButton) -> None:
        self.go_to_workspace(button.text())

    def _on_panel_wanted(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()

    def go_to_workspace(self, name: str) -> None:
        """Arrange the window for a task, as the user left it there; the next start begins with it."""
        self.workspaces.switch(name)
        for button in self.workspace_buttons.buttons():
            button.setChecked(button.text() == self.workspaces.current.name)
        self.settings.workspace = self.workspaces.current.name
        self.stagger_actions.set_timing(self.workspaces.current.name == "Timing")

    def _on_files_dropped(self, paths: list[str]) -> None:
        self.doing.open_paths([Path(path) for path in paths])

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
            self.doing.open_paths(paths)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and not self._is_closed:
            self.stale_files.look()  # the user may have been elsewhere, changing files
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
