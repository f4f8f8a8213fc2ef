"""Forms made from settings: every sort of value can be set, and what cannot be is refused."""

import math
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyledItemDelegate, QToolButton

from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.posing.edit import TargetPose, TargetPoses
from editor.timing.edit import Trim
from editor.walking.source import WalkAlongPath
from tests.widgets.desk import drag, show, type_into
from tests.widgets.kinds import Everything, Knob, Walk
from widgets.common.setting_kinds import FormContext, described, summary_of
from widgets.inspector import rows_editor
from widgets.inspector.settings_form import SettingsForm


class Heard:
    def __init__(self, form):
        self.said = []
        for name in ("changing", "changed", "refused"):
            getattr(form, name).connect(lambda value, name=name: self.said.append((name, value)))
        form.nudged.connect(lambda value, key: self.said.append(("nudged", value, key)))
        form.cancelled.connect(lambda: self.said.append(("cancelled", None)))

    @property
    def last(self):
        return self.said[-1]


@pytest.fixture
def made(application):
    return open_form(Everything())


def frames_s(frames, is_moment):
    """Frames of 1/30 s, of a take that begins ten seconds into its source."""
    return frames / 30.0 + (10.0 if is_moment else 0.0)


def open_form(value, **context):
    form = SettingsForm(value, FormContext(lambda: 1.25, lambda clip_id: f"clip {clip_id}", frames_s, **context))
    show(form, 320, 900)
    return form, Heard(form)


def test_only_settings_are_shown_and_all_of_them(made):
    form, _ = made
    assert list(form.editors) == [
        "amount", "angle_rad", "start_s", "count", "on", "how", "label", "knots", "knobs", "knob", "joints",
    ]  # fmt: skip


def test_angle_is_typed_in_degrees(made):
    form, heard = made
    type_into(form.editors["angle_rad"].field, "30")
    ((what, value),) = heard.said
    assert (what, value) == ("changed", Everything(angle_rad=value.angle_rad))
    assert value.angle_rad == pytest.approx(math.pi / 6.0)


def test_number_is_dragged_live_and_told_once_at_the_end(made):
    form, heard = made
    drag(form.editors["amount"].field, 60)
    assert [name for name, _ in heard.said].count("changed") == 1
    assert heard.said[0][0] == "changing"
    assert 0.5 < heard.said[0][1].amount < heard.last[1].amount


def test_whole_number_stays_whole(made):
    form, heard = made
    QTest.keyClick(form.editors["count"].field, Qt.Key.Key_Up)
    assert heard.last == ("nudged", Everything(count=4), "count")
    assert isinstance(heard.last[1].count, int)


def test_moment_is_taken_from_the_playhead_and_cleared(made):
    form, heard = made
    editor = form.editors["start_s"]
    QTest.mouseClick(editor.here_button, Qt.MouseButton.LeftButton)
    assert heard.last == ("changed", Everything(start_s=1.25))
    form.set_value(Everything(start_s=1.25))
    QTest.mouseClick(editor.field, Qt.MouseButton.LeftButton)
    QTest.keyClick(editor.field, Qt.Key.Key_Backspace)
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    assert heard.last == ("changed", Everything(start_s=None))


def test_switch_is_switched_by_key_and_mouse(made):
    form, heard = made
    QTest.keyClick(form.editors["on"].box, Qt.Key.Key_Space)
    assert heard.last == ("changed", Everything(on=False))


def test_choice_is_chosen_by_key_in_words(made):
    form, heard = made
    combo = form.editors["how"].combo
    assert [combo.itemText(place) for place in range(combo.count())] == ["Fast", "Very slow"]
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert heard.last == ("changed", Everything(how="very_slow"))


def test_text_is_typed(made):
    form, heard = made
    field = form.editors["label"].field
    QTest.keyClicks(field, "hop")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard.last == ("changed", Everything(label="hop"))


def test_knot_is_added_at_the_playhead_changed_and_removed(made):
    form, heard = made
    editor = form.editors["knots"]
    QTest.mouseClick(editor.add_button, Qt.MouseButton.LeftButton)
    assert heard.last == ("changed", Everything(knots=((1.25, 1.0),)))
    form.set_value(Everything(knots=((0.5, 2.0), (3.0, 4.0))))
    QTest.mouseClick(editor.add_button, Qt.MouseButton.LeftButton)
    assert heard.last == ("changed", Everything(knots=((0.5, 2.0), (1.25, 4.0), (3.0, 4.0))))
    form.set_value(Everything(knots=((0.5, 2.0), (1.25, 1.0))))
    assert editor.table.item(0, 0).text() == "0.50"
    editor.table.item(0, 1).setText("3")
    assert heard.last == ("changed", Everything(knots=((0.5, 3.0), (1.25, 1.0))))
    editor.table.selectRow(1)
    QTest.keyClick(editor.table, Qt.Key.Key_Delete)
    assert heard.last == ("changed", Everything(knots=((0.5, 2.0),)))


@pytest.mark.parametrize("text", ["60f", "60 frames", "60 F"])
def test_moment_is_typed_as_a_frame(made, text):
    form, heard = made
    type_into(form.editors["start_s"].field, text)
    assert heard.last == ("changed", Everything(start_s=12.0))


def test_moments_are_read_and_typed_in_seconds_where_the_source_counts_steps(application):
    pace = [2.0]
    clock = {"read_s": lambda time_s: pace[0] * time_s, "meant_s": lambda time_s: time_s / pace[0]}
    form, heard = open_form(Everything(start_s=1.5, knots=((0.5, 2.0), (3.0, 4.0))), **clock)
    field, table = form.editors["start_s"].field, form.editors["knots"].table
    assert field.text() == "3.00 s"
    assert [table.item(row, 0).text() for row in range(2)] == ["1.00", "6.00"]
    assert [table.item(row, 1).text() for row in range(2)] == ["2", "4"]
    type_into(field, "5")
    assert heard.last[1].start_s == 2.5
    type_into(field, "60f")
    assert heard.last[1].start_s == 12.0
    table.item(0, 0).setText("1.4")
    assert heard.last[1].knots == ((0.7, 2.0), (3.0, 4.0))
    QTest.mouseClick(form.editors["start_s"].here_button, Qt.MouseButton.LeftButton)
    assert heard.last[1].start_s == 1.25
    pace[0] = 3.0  # the walk has become slower; the edit is the same
    form.set_value(form.value)
    assert field.text() == "4.50 s"
    assert table.item(0, 0).text() == "1.50"


def test_places_along_a_path_are_metres_whatever_the_clock(application):
    clock = {"read_s": lambda time_s: 2.0 * time_s, "meant_s": lambda time_s: 0.5 * time_s}
    form, heard = open_form(WalkAlongPath(speeds=((2.0, 0.8),)), **clock, along_m=lambda: 1.25)
    editor = form.editors["speeds"]
    assert editor.table.horizontalHeaderItem(0).text() == "Along (m)"
    assert editor.table.item(0, 0).text() == "2.00"
    editor.table.item(0, 0).setText("2.5")
    assert heard.last[1].speeds == ((2.5, 0.8),)
    QTest.mouseClick(editor.add_button, Qt.MouseButton.LeftButton)
    assert heard.last[1].speeds == ((1.25, 0.8), (2.0, 0.8))


def test_length_is_typed_in_frames_and_other_numbers_are_not(application):
    form, heard = open_form(Walk())
    type_into(form.editors["seconds"].field, "45f")
    assert heard.last == ("changed", Walk(seconds=1.5))
    form, heard = open_form(Everything())
    type_into(form.editors["amount"].field, "1f")
    assert heard.last[0] == "refused"


@pytest.mark.parametrize("text", ["11", "often"])
def test_knot_that_cannot_be_is_refused_and_put_back(application, text):
    form, heard = open_form(Everything(knots=((0.5, 2.0),)))
    table = form.editors["knots"].table
    table.item(0, 1).setText(text)
    assert "changed" not in [one[0] for one in heard.said]
    assert "refused" in [one[0] for one in heard.said]
    assert table.item(0, 1).text() == "2"


def test_records_are_rows_whose_numbers_can_be_changed(application):
    form, heard = open_form(Everything(knobs=(Knob(1.0), Knob(2.0, 0.25))))
    editor = form.editors["knobs"]
    header = editor.table.horizontalHeader().model()
    titles = [header.headerData(place, Qt.Orientation.Horizontal) for place in range(4)]
    assert titles == ["Start\n(s)", "Reach\n(m)", "Bend\n(°)", "Count"]
    assert not editor.add_button.isVisible(), "a record with fields that a row cannot hold is made elsewhere"
    editor.table.item(1, 1).setText("40 cm")
    assert heard.last == ("changed", Everything(knobs=(Knob(1.0), Knob(2.0, 0.4))))


def test_record_within_is_switched_on_with_its_defaults_and_changed(made):
    form, heard = made
    group = form.editors["knob"]
    QTest.keyClick(group.switch, Qt.Key.Key_Space)
    assert heard.last == ("changed", Everything(knob=Knob(0.0)))
    form.set_value(Everything(knob=Knob(0.0)))
    type_into(group.form.editors["bend_rad"].field, "90°")
    what, value = heard.last
    assert (what, value) == ("changed", Everything(knob=Knob(0.0, bend_rad=value.knob.bend_rad)))
    assert value.knob.bend_rad == pytest.approx(math.pi / 2.0)
    form.set_value(Everything())
    assert group.form is None


def test_value_without_an_editor_is_shown_as_text(made):
    form, _ = made
    assert form.editors["joints"].label.text() == "frozenset()"


def test_value_from_outside_is_shown_without_a_word(made):
    form, heard = made
    form.set_value(Everything(amount=0.25, count=5, how="very_slow", on=False, knots=((0.0, 1.0),)))
    assert heard.said == []
    assert form.editors["amount"].field.text() == "0.25"
    assert form.editors["how"].combo.currentText() == "Very slow"
    assert not form.editors["on"].box.isChecked()
    assert form.editors["knots"].table.rowCount() == 1


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (Everything(), "0.5"),
        (Everything(amount=0.75), "0.75"),
        (Everything(angle_rad=math.pi / 2.0), "Angle 90.0°"),
        (Everything(how="very_slow"), "How Very slow"),
        (Everything(knots=((0.0, 1.0), (1.0, 2.0))), "Knots: 2"),
        (Everything(on=False), "On: off"),
        (Trim(), ""),
        (Trim(0.5), "from 0.50 s"),
        (Trim(stop_s=2.0), "up to 2.00 s"),
        (Trim(0.5, 2.0), "0.50 – 2.00 s"),  # noqa: RUF001
    ],
)
def test_most_important_value_is_the_first_that_was_set(edit, text):
    assert summary_of(edit) == text


def test_fields_without_settings_are_described_by_their_names():
    start, reach, bend, count = described(Knob)
    assert (start.setting.label, start.setting.unit, start.is_moment) == ("Start", "s", True)
    assert (reach.setting.label, reach.setting.unit) == ("Reach", "m")
    assert (bend.setting.unit, bend.optional, bend.inner) == ("rad", True, float)
    assert (count.setting.unit, count.inner) == ("", int)


def test_long_record_shows_the_rest_when_it_is_unfolded(application):
    form, heard = open_form(ProceduralGait())
    gait = form.editors["gait"].form
    assert "hunch_rad" not in gait.editors
    QTest.keyClick(gait.more.findChild(QToolButton), Qt.Key.Key_Space)
    type_into(gait.editors["hunch_rad"].field, "10°")
    assert heard.last[1].gait.hunch_rad == pytest.approx(math.radians(10.0))
    assert set(gait.editors) == {one.name for one in fields(Gait)}


def test_only_cells_that_show_something_else_are_made_again(application, monkeypatch):
    """Tables of a hundred rows are filled at every step of an edit."""
    made_for = []
    monkeypatch.setattr(
        rows_editor,
        "_item",
        lambda column, value, make=rows_editor._item: made_for.append(value) or make(column, value),
    )
    knots = tuple((float(row), 2.0) for row in range(100))
    form, _ = open_form(replace(Everything(), knots=knots))
    assert len(made_for) == 200
    made_for.clear()
    form.set_value(replace(Everything(), knots=(*knots[:50], (50.0, 7.0), *knots[51:])))
    assert made_for == [7.0]
    made_for.clear()
    form.set_value(replace(Everything(), knots=knots[:40]))
    form.set_value(replace(Everything(), knots=knots[:42]))
    assert made_for == [40.0, 2.0, 41.0, 2.0]
    made_for.clear()
    table = form.editors["knots"].table
    table.item(3, 1).setText("many")
    assert table.item(3, 1).text() == "2", "what was refused is put back"
    assert made_for == [3.0, 2.0]


def test_columns_are_fitted_once_and_not_for_every_cell(application, monkeypatch):
    measured = []

    def measure(delegate, option, index):
        measured.append(index.row())
        return QStyledItemDelegate.sizeHint(delegate, option, index)

    monkeypatch.setattr(rows_editor._NumberDelegate, "sizeHint", measure, raising=False)
    form, _ = open_form(TargetPoses(tuple(TargetPose(float(moment)) for moment in range(60))))
    table = form.editors["poses"].table
    measured.clear()
    form.set_value(TargetPoses(tuple(TargetPose(0.5 + moment, before_s=0.3) for moment in range(60))))
    QTest.qWait(20)
    assert 0 < len(measured) <= 4 * table.rowCount() * table.columnCount()
