"""Names and messages are shown as they are, whatever they hold: nothing of them is taken for HTML, and nothing in the
window grows with them."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import QAbstractListModel, QSize, Qt
from PySide6.QtGui import Qt as GuiQt  # which alone knows mightBeRichText
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QMenu,
    QMessageBox,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from editor.clips.imported import ImportedFile
from editor.placing.edit import Mirror
from editor.posing.edit import TargetPoses
from editor.retarget.character import built_in
from editor.retarget.edit import Retarget
from editor.stack.clips import duplicate_clip, rename_clip
from model.clip import Clip, Edit, Layer, Marker, Unknown
from model.files.problems import Problem, ReadOptions, Severity
from model.ground import Box, Ground
from model.project import Project
from tests.app.windows import painted_window, state_of, wait_for
from tests.clips import figure, waving_figure
from widgets.posing.posing import Posing

MARKUP = '<img src="nowhere.png"><b>x</b>'
NAMES = {"markup": MARKUP, "long": MARKUP + 20_000 * "W", "lines": MARKUP + 3000 * "\nW"}
SCREEN = QSize(1920, 1200)


@dataclass(frozen=True)
class Grumbling(Edit):
    """Says what it is given, as a note or as the reason why it does nothing."""

    kind: ClassVar[str] = "grumbling"
    title: ClassVar[str] = "Grumbling"
    words: str = ""
    fails: bool = False

    def apply(self, take, context):
        if self.fails:
            raise ValueError(self.words)
        context.note(self.words)
        return take


def project_of(name):
    """A project in which everything that can have a name has this one."""
    skeleton = figure()
    names = [f"{joint} {name}" if place in (3, 9) else joint for place, joint in enumerate(skeleton.names)]
    motion = waving_figure(60)
    motion = replace(motion, skeleton=replace(motion.skeleton, names=tuple(names)))
    problems = (Problem(Severity.WARNING, 3, name), Problem(Severity.NOTE, None, name))
    source = ImportedFile(f"/nowhere/{name}.bvh", "0", ReadOptions(), problems, motion)
    body = replace(built_in("child"), name=name)
    edits = (Mirror(), Grumbling(name), TargetPoses(), Unknown(name, "{}"), Retarget(body), Grumbling(name, fails=True))
    layers = tuple(Layer(f"{number}", edit) for number, edit in enumerate(edits, 10))
    markers = (Marker("20", 0.5, name),)
    clips = (
        Clip("1", name, source, layers[:3], markers),
        Clip("2", f"{name} 2", source, layers, markers),
        Clip("3", f"{name} 3", Unknown(name, "{}")),
    )
    return Project(clips, 30, Ground(boxes=(Box((1.0, 0.0), (1.0, 1.0), 0.2),)), (body,))


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path, (1600, 1000)) as made:
        yield made


def tips_of_items(view):
    """What an item view would show in tooltips, of every item."""
    model = view.model()
    waiting = [view.rootIndex()]
    while waiting:
        parent = waiting.pop()
        for row in range(model.rowCount(parent)):
            for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
                index = model.index(row, column, parent)
                for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole):
                    if isinstance(tip := index.data(role), str):
                        yield tip
            if not isinstance(model, QAbstractListModel) and model.hasChildren(model.index(row, 0, parent)):
                waiting.append(model.index(row, 0, parent))


def is_taken_for_html(tip):
    """Whether a tip would show what it holds as HTML; the paragraphs of `plain_tip` hold nothing but escaped text."""
    if not tip.startswith("<p>"):
        return GuiQt.mightBeRichText(tip)
    return "<" in tip.removeprefix("<p>").removesuffix("</p>").replace("</p><p>", "")


def complaints(widgets):
    """What is wrong with widgets, by name."""
    for widget in widgets:
        name = f"{type(widget).__module__}.{type(widget).__name__} {widget.objectName() or widget.accessibleName()!r}"
        tips = [widget.toolTip(), widget.statusTip(), widget.whatsThis()]
        tips += [tip for action in widget.actions() for tip in (action.toolTip(), action.statusTip())]
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) and widget.model():
            tips += tips_of_items(widget)
        for tip in tips:
            if is_taken_for_html(tip) or len(tip) > 20_000:
                yield f"{name}: tip {tip[:60]!r} of {len(tip)}"
        if isinstance(widget, QLabel) and MARKUP in widget.text() and widget.textFormat() != Qt.TextFormat.PlainText:
            yield f"{name}: label {widget.text()[:60]!r}"
        if isinstance(widget, QTextEdit | QTextBrowser) and widget.objectName() != "help":
            yield f"{name}: shows documents"
        if isinstance(widget, QAbstractButton | QComboBox | QLabel | QMenu) or widget.isVisible():
            for hint in (widget.sizeHint(), widget.minimumSizeHint()):
                if hint.width() > SCREEN.width() or hint.height() > SCREEN.height():
                    yield f"{name}: asks for {hint.width()} x {hint.height()}"


def look_at_everything(window):
    """Show one part of the window after the other, and complain of what is found."""
    found = []

    def look(where):
        QTest.qWait(30)
        seen = [widget for widget in QApplication.allWidgets() if not isinstance(widget.window(), QMessageBox)]
        found.extend(f"{where}: {told}" for told in complaints(seen))

    for workspace in window.workspaces.all:
        window.go_to_workspace(workspace.name)
        for dock in window.docks.values():
            dock.show()
            dock.raise_()
        look(workspace.name)
    window.go_to_workspace("Edit")
    for clip in window.document.project.clips:
        window.session.look(clip=clip.id, layer=None)
        wait_for(lambda: not window.jobs.running)
        for layer in clip.layers:
            window.session.look(layer=layer.id)
            QTest.qWait(5)
        look(f"edits of clip {clip.id}")
    window.session.look(clip="1", layer=None)
    wait_for(lambda: window.showing.current is not None)
    skeleton = window.showing.current.take.motion.skeleton
    window.session.look(joints=(skeleton.ref(9), skeleton.ref(3)))
    window.docks["Inspector"].raise_()
    look("joints")
    for menu in window.menus.values():
        menu.aboutToShow.emit()
    look("menus")
    return found


@pytest.mark.parametrize("kind", NAMES)
def test_names_are_neither_html_nor_wide_wherever_they_are_shown(window, kind, tmp_path):
    window.document.restart(project_of(NAMES[kind]), tmp_path / f"{MARKUP.replace('/', '')}.mwright")
    wait_for(lambda: not window.jobs.running)
    found = look_at_everything(window)
    assert not found, "\n".join(sorted(set(found)))
    assert window.size().width() <= SCREEN.width()
    assert window.size().height() <= SCREEN.height()


@pytest.mark.parametrize("kind", NAMES)
def test_messages_are_neither_html_nor_wide(window, kind):
    text = NAMES[kind]
    window.document.restart(project_of("walk"))
    wait_for(lambda: not window.jobs.running)
    window.session.look(clip="1")
    window.document.do(duplicate_clip, "1")
    window.document.do(rename_clip, "1", " ".join(text.split())[:255])
    found = []
    for tell in (
        window.banner.say,
        window.banner.warn,
        window.crashed,
        window.files.failed.emit,
        window.recovery.failed.emit,
        window.show_hint,
        lambda words: window.banner.offer(words, ((words, lambda: None),)),
        lambda words: state_of(window, Posing).said.emit(words),
        lambda words: window.files.reported.emit(words, (Problem(Severity.WARNING, 1, words),)),
        lambda words: window.jobs.start(words, lambda tell: QTest.qWait(0) or np.arange(3).sum()),
    ):
        tell(text)
        QTest.qWait(20)
        found += complaints(
            (*window.banner.findChildren(QWidget), window.banner, *window.statusBar().findChildren(QWidget))
        )
    window.docks["History"].show()
    window.docks["History"].raise_()
    QTest.qWait(20)
    found += complaints(QApplication.allWidgets())
    assert not found, "\n".join(sorted(set(found)))
    wait_for(lambda: not window.jobs.running)


def test_question_at_the_end_is_plain_text(window, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(
        QMessageBox,
        "exec",
        lambda box: shown.append((box.textFormat(), box.text())) or QMessageBox.StandardButton.Cancel,
    )
    window.document.restart(project_of("walk"), tmp_path / f"{MARKUP.replace('/', '')}.mwright", modified=True)
    assert not window.saving_actions.may_leave()
    ((textformat, text),) = shown
    assert "<b>" in text
    assert textformat == Qt.TextFormat.PlainText
