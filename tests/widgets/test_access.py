"""Everything can be reached by keys and is named for those who do not see it; themes change under open panels."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QLineEdit,
    QWidget,
)

from app.features import FEATURES
from editor.document.jobs import Jobs
from editor.gait.source import ProceduralGait
from editor.repair.smoothing import Smooth
from editor.timing.edit import Trim
from model.clip import Clip, Layer
from model.files.problems import Problem, Severity
from model.project import Project
from tests.stacks import stack
from tests.widgets.desk import desk, inspector_parts, show
from tests.widgets.kinds import Everything, Knob
from widgets.common.theme import DARK, LIGHT, apply_theme
from widgets.edits.edit_stack import EditStack
from widgets.edits.history import History
from widgets.inspector.inspector import Inspector
from widgets.library.import_report import ImportReport
from widgets.library.library import Library
from widgets.quality.chips import QualityChips

EDITS = FEATURES.edits

FULL = Everything(knots=((0.0, 1.0),), knobs=(Knob(1.0),), knob=Knob(0.0))


def panels(on, jobs):
    report = ImportReport()
    report.add("hop.bvh", (Problem(Severity.NOTE, None, "unit: cm"),))
    return (
        Library(on.document, on.session, on.showing),
        EditStack(on.document, on.session, on.showing, EDITS),
        Inspector(on.document, on.session, on.showing, inspector_parts(on)),
        History(on.document),
        QualityChips(on.document, on.session, on.showing, jobs),
        report,
    )


@pytest.fixture
def jobs(application):
    made = Jobs()
    yield made
    made.close()
    application.processEvents()


@pytest.mark.parametrize("layer", [None, "e0"])
def test_every_control_has_a_name_and_a_tip(application, jobs, layer):
    on = desk(stack(FULL, Smooth(), Trim(), source=ProceduralGait(seconds=0.5, fps=30.0)))
    on.session.look(layer=layer)
    checked = 0
    for panel in panels(on, jobs):
        show(panel)
        for child in panel.findChildren(QWidget):
            if not is_control(child):
                continue
            checked += 1
            text = child.text() if isinstance(child, QAbstractButton) else ""
            where = f"{type(panel).__name__}: {type(child).__name__}"
            assert child.accessibleName() or text, where
            if isinstance(child, QAbstractButton | QLineEdit | QComboBox | QAbstractItemView):
                assert child.toolTip(), f"{where} {child.accessibleName()}"
    assert checked > 20


def is_control(child):
    """Whether somebody can put the focus on a widget; not the parts that Qt makes inside others."""
    inner = child.objectName().startswith("qt_") or isinstance(child.parent(), QAbstractScrollArea | QLineEdit)
    inner = inner or child.parent().inherits("QComboBoxPrivateContainer") or "Scroll" in child.objectName()
    scroll = type(child).__name__ in ("QScrollBar", "QHeaderView", "QTabBar", "QSplitterHandle", "QTableCornerButton")
    by_keys = bool(child.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_keys and not inner and not scroll and child.focusProxy() is None


def test_every_button_and_field_is_reached_by_tab(application, jobs):
    on = desk(stack(FULL, source=ProceduralGait(seconds=0.5, fps=30.0)))
    on.session.look(layer="e0")
    for panel in panels(on, jobs):
        show(panel)
        for child in panel.findChildren(QAbstractButton) + panel.findChildren(QLineEdit):
            inner = child.objectName().startswith("qt_") or isinstance(child.parent(), QLineEdit | QAbstractItemView)
            dismissed = child.accessibleName() == "Dismiss message"
            if not inner and not dismissed and "Corner" not in type(child).__name__:
                assert child.focusPolicy() & Qt.FocusPolicy.TabFocus, (type(panel).__name__, child.accessibleName())


@pytest.mark.parametrize("kind", EDITS.values(), ids=lambda kind: kind.kind)
def test_every_kind_of_edit_opens_in_the_inspector(application, kind):
    clip = Clip("1", "Clip", ProceduralGait(seconds=0.5, fps=30.0), (Layer("e0", kind()),))
    on = desk(Project((clip,), 5))
    on.session.look(layer="e0")
    inspector = show(Inspector(on.document, on.session, on.showing, inspector_parts(on)))
    assert inspector.layer_properties.isVisible()
    inspector.grab()


def test_theme_changes_under_open_panels(application, jobs):
    on = desk(stack(FULL, Smooth()))
    on.session.look(layer="e0")
    shown = [show(panel) for panel in panels(on, jobs)]
    style, palette = application.styleSheet(), application.palette()
    try:
        for theme in (LIGHT, DARK):
            apply_theme(application, theme)
            application.processEvents()
            for panel in shown:
                panel.grab()
    finally:
        application.setStyleSheet(style)
        application.setPalette(palette)
