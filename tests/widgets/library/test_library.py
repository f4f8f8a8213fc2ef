"""The library: clips are looked at, compared, renamed, duplicated, deleted and reordered."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from model.clip import Clip, Layer
from model.project import Project
from tests.stacks import After, Failing, Lift, Made
from tests.widgets.desk import desk, drop, show
from widgets.common.carried_edits import CarriedEdits
from widgets.library.clip_list import CLIP_ROLE
from widgets.library.library import Library


@pytest.fixture
def made(application):
    return opened(
        Clip("1", "Walk", Made(), (Layer("e0", Lift(1.0)), Layer("e1", Lift(2.0)))),
        Clip("2", "Run", Made()),
        Clip("3", "Walk twice", After("1")),
    )


def opened(*clips):
    on = desk(Project(clips, 10))
    return on, show(Library(on.document, on.session, on.showing))


def names(on):
    return [clip.name for clip in on.project.clips]


def rect(panel, place):
    return panel.list.visualItemRect(panel.list.item(place))


def click(panel, place, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, modifiers, rect(panel, place).center())


def editor(panel):
    return panel.list.findChild(QLineEdit)


def test_click_looks_at_a_clip_and_is_no_step(made):
    on, panel = made
    click(panel, 1)
    assert on.view.clip == "2"
    assert on.document.steps == ()


def test_arrow_keys_look_at_clips(made):
    on, panel = made
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert on.view.clip == "3"


def test_control_click_shows_a_clip_beside_and_no_longer(made):
    on, panel = made
    click(panel, 1, Qt.KeyboardModifier.ControlModifier)
    click(panel, 2, Qt.KeyboardModifier.ControlModifier)
    assert (on.view.clip, on.view.compared) == ("1", ("2", "3"))
    assert panel.list.item(1).data(CLIP_ROLE).compared
    assert "shown beside" in panel.list.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    click(panel, 1, Qt.KeyboardModifier.ControlModifier)
    assert on.view.compared == ("3",)
    click(panel, 0, Qt.KeyboardModifier.ControlModifier)
    assert on.view.compared == ("3",), "the clip itself is not beside itself"


def test_menu_shows_clips_beside_for_those_without_a_mouse(made):
    on, panel = made
    menu = panel.menu_for("1")
    beside = next(action.menu() for action in menu.actions() if action.text() == "Show beside")
    assert [action.text() for action in beside.actions()] == ["Run", "Walk twice"]
    beside.actions()[0].trigger()
    assert on.view.compared == ("2",)


def test_f2_renames_in_place(application, made):
    on, panel = made
    click(panel, 1)
    QTest.keyClick(panel.list, Qt.Key.Key_F2)
    QTest.keyClicks(editor(panel), "Jog")
    QTest.keyClick(editor(panel), Qt.Key.Key_Return)
    application.processEvents()  # the view takes it a moment later
    assert names(on) == ["Walk", "Jog", "Walk twice"]
    assert on.document.undo_text == "Rename Run to Jog"


def test_double_click_renames_and_escape_does_not(application, made):
    on, panel = made
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=rect(panel, 1).center())
    QTest.mouseDClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=rect(panel, 1).center())
    QTest.keyClicks(editor(panel), "Jog")
    QTest.keyClick(editor(panel), Qt.Key.Key_Escape)
    application.processEvents()
    assert names(on) == ["Walk", "Run", "Walk twice"]
    assert on.document.steps == ()


def test_name_that_is_taken_is_refused_in_place(application, made):
    on, panel = made
    click(panel, 1)
    QTest.keyClick(panel.list, Qt.Key.Key_F2)
    QTest.keyClicks(editor(panel), "Walk")
    QTest.keyClick(editor(panel), Qt.Key.Key_Return)
    application.processEvents()  # the view takes it a moment later
    assert names(on) == ["Walk", "Run", "Walk twice"]
    assert "another clip named" in panel.message.text
    assert panel.message.isVisible()


def test_delete_removes_the_clip_and_looks_at_the_next(made):
    on, panel = made
    click(panel, 1)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert names(on) == ["Walk", "Walk twice"]
    assert on.view.clip == "3"
    assert on.document.undo_text == "Delete Run"


def test_clip_in_use_is_not_deleted_and_the_panel_says_who_uses_it(made):
    on, panel = made
    click(panel, 0)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert names(on) == ["Walk", "Run", "Walk twice"]
    assert "'Walk' is used by 'Walk twice'" in panel.message.text
    click(panel, 1)
    assert not panel.message.isVisible()


def test_control_d_duplicates_and_looks_at_the_copy(made):
    on, panel = made
    click(panel, 0)
    QTest.keyClick(panel.list, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert names(on) == ["Walk", "Walk copy", "Run", "Walk twice"]
    assert on.project.clip(on.view.clip).name == "Walk copy"


def test_alt_arrows_move_a_clip(made):
    on, panel = made
    click(panel, 0)
    QTest.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert names(on) == ["Run", "Walk", "Walk twice"]
    assert on.view.clip == "1"
    QTest.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(on) == ["Walk", "Run", "Walk twice"]


@pytest.mark.parametrize(
    ("dragged", "before", "order"),
    [("1", 2, "Run, Walk, Walk twice"), ("3", 0, "Walk twice, Walk, Run"), ("1", 3, "Run, Walk twice, Walk")],
)
def test_dragged_clip_is_put_where_it_is_dropped(made, dragged, before, order):
    on, panel = made
    data = QMimeData()
    data.setData("application/x-motionwright-clip", dragged.encode())
    last = before == panel.list.count()
    where = rect(panel, before - 1).bottom() - 2 if last else rect(panel, before).top() + 2
    assert drop(panel.list.viewport(), data, QPoint(100, where))
    assert ", ".join(names(on)) == order


def test_edits_dropped_on_a_clip_are_copied_to_it(made):
    on, panel = made
    data = CarriedEdits("1", ("e0", "e1")).to_mime()
    assert drop(panel.list.viewport(), data, rect(panel, 1).center())
    assert on.edits("2") == [Lift(1.0), Lift(2.0)]
    assert on.document.undo_text == "Copy 2 edits to Run"


def test_dropped_files_are_told(application, made):
    _, panel = made
    told = []
    panel.files_dropped.connect(told.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("hop.bvh"), QUrl("https://example.org/x.bvh")])
    assert drop(panel.list.viewport(), data, QPoint(100, 400))
    assert told == [["hop.bvh"]]
    assert drop(panel, data, QPoint(10, 10))
    assert len(told) == 2


def test_search_hides_what_it_does_not_find(made):
    on, panel = made
    QTest.keyClicks(panel.search, "wALK")
    assert [panel.list.isRowHidden(place) for place in range(3)] == [False, True, False]
    panel.search.clear()
    assert not any(panel.list.isRowHidden(place) for place in range(3))
    assert on.view.clip == "1"


def test_thumbnail_is_drawn_where_a_placeholder_was(application, made):
    _, panel = made
    red = QImage(160, 120, QImage.Format.Format_RGB32)
    red.fill(QColor("#c00000"))
    place = rect(panel, 1)
    spot = QPoint(place.left() + 14, place.center().y())

    def colour_there():
        return panel.list.viewport().grab().toImage().pixelColor(spot)

    assert colour_there() != QColor("#c00000")
    panel.set_thumbnail("2", red)
    ratio = panel.devicePixelRatioF()
    assert panel.list.viewport().grab().toImage().pixelColor(spot * ratio) == QColor("#c00000")
    panel.set_thumbnail("gone", red)  # of a clip that was deleted meanwhile


def test_clip_says_what_it_is_made_of(made):
    _, panel = made
    assert panel.list.item(0).data(CLIP_ROLE).about == "Made, 2 edits"
    assert panel.list.item(1).data(CLIP_ROLE).about == "Made"


def test_empty_library_offers_to_open_clips(application):
    _, panel = opened()
    wanted = []
    panel.import_wanted.connect(lambda: wanted.append("import"))
    panel.new_walk_wanted.connect(lambda: wanted.append("walk"))
    assert panel.empty.isVisible()
    assert not panel.list.isVisible()
    QTest.mouseClick(panel.empty.button, Qt.MouseButton.LeftButton)
    for action in panel.add_menu.actions():
        action.trigger()
    assert wanted == ["import", "import", "walk"]


def test_picture_that_comes_while_somebody_types_a_name_leaves_the_text(application, made):
    _, panel = made
    click(panel, 1)
    QTest.keyClick(panel.list, Qt.Key.Key_F2)
    QTest.keyClicks(editor(panel), "Jo")
    panel.set_thumbnail("2", QImage(16, 12, QImage.Format.Format_RGB32))
    assert editor(panel).text() == "Jo"


def test_clip_that_cannot_be_shown_says_why(application):
    _, panel = opened(Clip("1", "Dry", Failing()))
    assert "the well is dry" in panel.list.item(0).toolTip()
    assert "the well is dry" in panel.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_escape_takes_the_search_out_and_then_leaves_it(application, made):
    _, panel = made
    panel.search.setFocus()
    QTest.keyClicks(panel.search, "walk")
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert panel.search.text() == ""
    assert not any(panel.list.isRowHidden(place) for place in range(3))
    assert panel.search.hasFocus()
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert panel.list.hasFocus()
