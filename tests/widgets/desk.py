"""A document with everything that panels need, whose takes are worked out at once and on the same thread."""

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtTest import QTest

from editor.curves.keys import Keys
from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from editor.posing.adapt_to_ground import AdaptToGround
from editor.retarget.mapping import Pair
from editor.stack.evaluator import Evaluator, SourceError
from model.character import Character
from model.project import Project
from tests.activating import activate
from widgets.clips.file_parts import FilePart, ReportPart
from widgets.common.setting_kinds import EditorMaker
from widgets.exaggerate.share_curve import ShareCurveEditor
from widgets.ground.editing import GroundEditing
from widgets.ground.properties import GroundProperties
from widgets.inspector.contracts import EditSection, InspectorPage, JointSection, PathMeasure, SourceSection
from widgets.posing.limb_lengths import LimbLengths
from widgets.posing.pose_section import PoseSection
from widgets.posing.pose_values import PoseValues
from widgets.posing.posing import Posing
from widgets.retarget.setting_editors import CharacterEditor, MappingEditor
from widgets.walking.along import playhead_along_m


class AtOnce(QObject):
    """Stands in for `editor.document.jobs.Evaluations`."""

    evaluated = Signal(str, object)
    failed = Signal(str, str)

    def __init__(self):
        super().__init__()
        self.evaluator = Evaluator()

    def want(self, project, clip_id):
        try:
            return self.evaluator.stages(project, clip_id)
        except SourceError as error:
            self.failed.emit(clip_id, str(error))
            return None

    def is_waiting(self, clip_id):
        return False


@dataclass
class Desk:
    document: Document
    session: Session
    showing: Showing

    @property
    def project(self) -> Project:
        return self.document.project

    def layers(self, clip="1"):
        return self.project.clip(clip).layers

    def edits(self, clip="1"):
        return [layer.edit for layer in self.layers(clip)]

    @property
    def view(self):
        return self.session.view


def desk(project=None):
    document = Document(project)
    session = Session(document)
    made = AtOnce()
    showing = Showing(document, session, made)
    made.setParent(showing)
    return Desk(document, session, showing)


def inspector_parts(on):
    """What features bring to the Inspector."""
    posing = Posing(on.document, on.session, on.showing, on.showing)
    ground = GroundEditing(on.document, on.session, on.showing, AdaptToGround, on.showing)
    return (
        EditSection(PoseSection, 10),
        EditSection(lambda context: LimbLengths(), 20),
        JointSection(lambda: PoseValues(on.session, on.showing, posing)),
        InspectorPage("Ground", lambda: GroundProperties(ground), lambda view: view.ground_object is not None),
        SourceSection(FilePart, 10),
        SourceSection(ReportPart, 20),
        EditorMaker(lambda setting: setting.inner is Keys, ShareCurveEditor),
        EditorMaker(lambda setting: setting.inner is Character, CharacterEditor),
        EditorMaker(lambda setting: setting.row_type is Pair, MappingEditor),
        PathMeasure(lambda: playhead_along_m(on.session, on.showing)),
    )


def show(widget, width=320, height=640):
    """Put a widget on the screen, ready for mouse and keys."""
    widget.resize(width, height)
    widget.show()
    activate(widget)
    QTest.qWaitForWindowExposed(widget)
    return widget


def drag(widget, by, start=None, release=True, modifiers=Qt.KeyboardModifier.NoModifier):
    """Drag sideways with the left button."""
    start = start or QPoint(20, widget.height() // 2)
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, modifiers, start)
    for part in (0.3, 0.6, 1.0):
        move(widget, start + QPoint(round(part * by), 0), modifiers)
    if release:
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, modifiers, start + QPoint(by, 0))


def move(widget, position, modifiers=Qt.KeyboardModifier.NoModifier):
    """A movement with the left button down, which QTest's own does not have."""
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    where = QPointF(position)
    event = QMouseEvent(
        QEvent.Type.MouseMove, where, QPointF(widget.mapToGlobal(position)), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, modifiers,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def type_into(field, text):
    """Click a field, type, and press Enter."""
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=QPoint(10, field.height() // 2))
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def drop(widget, data, position, modifiers=Qt.KeyboardModifier.NoModifier):
    """Drop something on the viewport of a view, as the window system would. -> whether it was taken."""
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
    from PySide6.QtWidgets import QApplication

    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    buttons = Qt.MouseButton.LeftButton
    taken = False
    for event in (
        QDragEnterEvent(position, actions, data, buttons, modifiers),
        QDragMoveEvent(position, actions, data, buttons, modifiers),
        QDropEvent(QPointF(position), actions, data, buttons, modifiers),
    ):
        QApplication.sendEvent(widget, event)
        taken = event.isAccepted()
        if not taken:
            break
    return taken


def wait_for(application, done):
    end = time.monotonic() + 10.0
    while not done() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.002)
    assert done()
