"""The inspector: edits, scopes and sources are changed as a hand would, one step of undo each."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea

from app.features import FEATURES
from editor.clips.imported import ImportedFile, Staleness
from editor.contacts.correct import Correction
from editor.contacts.edit import ContactCorrections
from editor.gait.source import ProceduralGait
from editor.posing.edit import TargetPose, TargetPoses
from editor.repair.smoothing import Smooth
from editor.timing.edit import Trim
from model.clip import Clip, Layer, Unknown
from model.files.problems import Problem, ReadOptions, Severity
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from tests.clips import waving_figure
from tests.stacks import Broken, Cut, Failing, Lift, stack
from tests.widgets.desk import desk, drag, inspector_parts, show, type_into
from tests.widgets.kinds import Walk
from widgets.clips.file_parts import FilePart, ReportPart
from widgets.inspector.body_parts import body_parts
from widgets.inspector.inspector import Inspector
from widgets.posing.pose_section import PoseSection
from widgets.posing.pose_values import PoseValues

EDITS = FEATURES.edits


def opened(project, **view):
    on = desk(project)
    on.session.look(**view)
    return on, show(Inspector(on.document, on.session, on.showing, inspector_parts(on)), 320, 900)


def on_edit(*edits, layer="e0"):
    return opened(stack(*edits), layer=layer)


def test_typed_value_is_one_step_of_undo(application):
    on, inspector = on_edit(Lift(1.0))
    type_into(inspector.form.editors["by_m"].field, "120 cm")
    assert [edit.by_m for edit in on.edits()] == [pytest.approx(1.2)]
    assert on.document.undo_text == "Set lift by to 1.20 m"
    assert len(on.document.steps) == 1
    on.document.undo()
    assert inspector.form.editors["by_m"].field.text() == "1.00 m"


def test_drag_is_previewed_and_is_one_step_of_undo(application):
    on, inspector = on_edit(Lift(1.0))
    field = inspector.form.editors["by_m"].field
    drag(field, 40, release=False)
    assert on.document.is_previewing
    assert on.edits()[0].by_m == pytest.approx(1.1)
    assert on.document.committed.clip("1").layers[0].edit == Lift(1.0)
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton)
    assert on.edits()[0].by_m == pytest.approx(1.1)
    assert len(on.document.steps) == 1


def test_escape_in_a_drag_leaves_no_trace(application):
    on, inspector = on_edit(Lift(1.0))
    before = on.project
    drag(inspector.form.editors["by_m"].field, 40, release=False)
    QTest.keyClick(inspector.form.editors["by_m"].field, Qt.Key.Key_Escape)
    assert on.project is before
    assert on.document.steps == ()
    assert not on.document.is_previewing
    assert inspector.form.editors["by_m"].field.text() == "1.00 m"


def test_nudges_of_one_value_are_one_step(application):
    on, inspector = on_edit(Lift(1.0))
    for _ in range(3):
        QTest.keyClick(inspector.form.editors["by_m"].field, Qt.Key.Key_Up)
    assert [edit.by_m for edit in on.edits()] == [pytest.approx(1.03)]
    assert len(on.document.steps) == 1


def test_what_cannot_be_is_said_and_the_form_shows_what_is(application):
    on, inspector = on_edit(Trim(1.0, 1.5))
    field = inspector.form.editors["start_s"].field
    type_into(field, "1.8")
    assert "must not run backwards" in inspector.message.text
    assert inspector.message.isVisible()
    assert on.edits() == [Trim(1.0, 1.5)]
    assert field.text() == "1.00 s"
    type_into(field, "1.2")
    assert not inspector.message.isVisible()


def test_moment_is_that_of_the_source_under_the_playhead(application):
    on, inspector = opened(stack(Cut(0.5), Trim()), layer="e1", time_s=0.5)
    QTest.mouseClick(inspector.form.editors["start_s"].here_button, Qt.MouseButton.LeftButton)
    assert on.edits()[1].start_s == pytest.approx(1.0), "half a second into what is left after the cut"


def test_strength_is_dragged_and_its_step_says_so(application):
    on, inspector = on_edit(Lift(1.0))
    strength = inspector.layer_properties.scope.strength
    drag(strength, -strength.width() // 2, start=strength.rect().center())
    assert on.layers()[0].scope.strength == pytest.approx(0.5, abs=0.05)
    assert on.document.undo_text == "Set strength of lift to 50 %"


def test_range_is_set_from_the_playhead_and_backwards_refused(application):
    on, inspector = opened(stack(Lift(1.0)), layer="e0", time_s=1.0)
    scope = inspector.layer_properties.scope
    QTest.mouseClick(scope.start_here, Qt.MouseButton.LeftButton)
    ranged = on.layers()[0].scope
    assert ranged == Scope(start_s=ranged.start_s)
    assert ranged.start_s == pytest.approx(1.0)
    on.session.look(time_s=0.5)
    QTest.mouseClick(scope.stop_here, Qt.MouseButton.LeftButton)
    assert on.layers()[0].scope == ranged
    assert "backwards" in inspector.message.text
    type_into(scope.stop, "1.5 s")
    assert on.layers()[0].scope.stop_s == pytest.approx(1.5)


def test_edit_is_limited_to_parts_of_the_body(application):
    on, inspector = on_edit(Lift(1.0))
    mask = inspector.layer_properties.scope.joints
    parts = {button.text(): button for button in mask.parts}
    assert set(parts) == {"Trunk", "Head", "Left arm", "Right arm", "Left leg", "Right leg"}
    assert not any(button.isChecked() for button in parts.values())
    skeleton = on.showing.current.take.motion.skeleton
    QTest.keyClick(parts["Left arm"], Qt.Key.Key_Space)
    acting = on.layers()[0].scope.joints_of(skeleton)
    assert set(np.flatnonzero(acting)) == parts["Left arm"].part.joints
    assert parts["Left arm"].isChecked()
    QTest.keyClick(parts["Head"], Qt.Key.Key_Space)
    acting = on.layers()[0].scope.joints_of(skeleton)
    assert set(np.flatnonzero(acting)) == parts["Left arm"].part.joints | parts["Head"].part.joints
    for name in ("Left arm", "Head"):
        QTest.keyClick(parts[name], Qt.Key.Key_Space)
    assert on.layers()[0].scope == Scope(), "no part limits it any more"


def test_joints_are_marked_one_by_one_and_by_part(application):
    on, inspector = on_edit(Lift(1.0))
    mask = inspector.layer_properties.scope.joints
    mask.single.set_open(True)
    skeleton = on.showing.current.take.motion.skeleton
    elbow = skeleton.joint(Role.LEFT_ELBOW)
    assert mask.tree.item(elbow).checkState(0) == Qt.CheckState.Checked
    mask.tree.item(elbow).setCheckState(0, Qt.CheckState.Unchecked)
    application.processEvents()
    acting = on.layers()[0].scope.joints_of(skeleton)
    assert list(np.flatnonzero(~acting)) == [elbow]
    arm = mask.tree.item(elbow).parent()
    assert (arm.text(0), arm.checkState(0)) == ("Left arm", Qt.CheckState.PartiallyChecked)
    arm.setCheckState(0, Qt.CheckState.Unchecked)
    application.processEvents()
    acting = on.layers()[0].scope.joints_of(skeleton)
    (left_arm,) = (part for part in body_parts(skeleton) if part.label == "Left arm")
    assert set(np.flatnonzero(~acting)) == left_arm.joints
    assert len(on.document.steps) == 2, "a part with all of its joints is one step"
    on.document.undo()
    on.document.undo()
    assert mask.tree.item(elbow).checkState(0) == Qt.CheckState.Checked
    assert on.layers()[0].scope == Scope()


def test_mask_is_set_to_the_selected_joints(application):
    ref = JointRef("Head", Role.HEAD)
    on, inspector = opened(stack(Lift(1.0)), layer="e0", joints=(ref,))
    mask = inspector.layer_properties.scope.joints
    QTest.mouseClick(mask.from_selection, Qt.MouseButton.LeftButton)
    assert on.layers()[0].scope.joints == (ref,)
    QTest.mouseClick(mask.whole, Qt.MouseButton.LeftButton)
    assert on.layers()[0].scope.joints is None


def test_parts_of_a_body_share_no_joint_and_miss_none():
    skeleton = waving_figure(2).skeleton
    joints = [joint for part in body_parts(skeleton) for joint in part.joints]
    assert sorted(joints) == list(range(len(skeleton)))


def test_edit_on_the_whole_has_a_strength_and_no_range(application):
    _, inspector = on_edit(Cut(0.5))
    scope = inspector.layer_properties.scope
    assert scope.strength.isVisible()
    assert not scope.start.isVisible()
    assert not scope.joints.isVisible()


def test_selecting_another_edit_shows_its_settings(application):
    on, inspector = on_edit(Lift(1.0), Smooth(), layer="e0")
    on.session.look(layer="e1")
    assert "window_s" in inspector.form.editors
    type_into(inspector.form.editors["window_s"].field, "0.4")
    assert on.edits() == [Lift(1.0), Smooth(0.4)]


def test_unknown_edit_is_shown_and_left_alone(application):
    clip = Clip("1", "Clip", Walk(), (Layer("e0", Unknown("wings", "{}")),))
    _, inspector = opened(Project((clip,), 5), layer="e0")
    assert inspector.form is None


def test_source_with_settings_is_changed(application):
    on, inspector = opened(stack(source=Walk()))
    type_into(inspector.form.editors["seconds"].field, "3")
    assert on.project.clip("1").source == Walk(seconds=3.0)
    assert on.document.undo_text == "Set length of Clip to 3.00 s"


def test_gait_of_a_procedural_source_is_changed(application):
    on, inspector = opened(stack(source=ProceduralGait(seconds=1.0, fps=30.0)))
    gait = inspector.form.editors["gait"].form
    type_into(gait.editors["speed_m_s"].field, "7.2 km/h")
    assert on.project.clip("1").source.gait.speed_m_s == pytest.approx(2.0)
    type_into(gait.editors["step_width_m"].field, "20 cm")
    assert on.project.clip("1").source.gait.step_width_m == pytest.approx(0.2)


@pytest.fixture
def imported():
    problems = (Problem(Severity.WARNING, 12, "a hole was filled"),)
    return ImportedFile("somewhere/hop.bvh", "0", ReadOptions(), problems, waving_figure(30))


def test_file_shows_its_facts_problems_and_reload(application, imported):
    on, inspector = opened(stack(Lift(), source=imported))
    properties, file = inspector.clip_properties, inspector.part(FilePart)
    assert inspector.form is None
    assert [entry.message for entry in inspector.part(ReportPart).report.entries] == ["a hole was filled"]
    texts = [label.text() for label in properties.findChildren(QLabel) if label.isVisible()]
    assert "hop.bvh" in texts
    assert "30 frames, 0.967 s" in texts
    wanted = []
    file.reload_wanted.connect(lambda: wanted.append(True))
    QTest.mouseClick(file.reload_button, Qt.MouseButton.LeftButton)
    assert wanted == [True]
    file.on_looked("2", Staleness.MISSING)
    assert file.reload_button.isEnabled()
    file.on_looked("1", Staleness.MISSING)
    assert not file.reload_button.isEnabled()
    assert "no longer there" in file._state.text()
    on.session.look(layer="e0")
    assert inspector.form is not None


def test_without_a_clip_it_says_what_it_is_for(application):
    _, inspector = opened(Project())
    assert inspector._empty.isVisible()


def test_joints_come_forward_unless_an_edit_is_selected(application):
    on, inspector = on_edit(Lift(1.0))
    on.session.look(joints=(JointRef("Head", Role.HEAD),))
    assert inspector.tabs.currentIndex() == 0
    on.session.look(layer=None)
    on.session.look(joints=(JointRef("Neck", Role.NECK),))
    assert inspector.tabs.currentIndex() == 1
    on.session.look(layer="e0")
    assert inspector.tabs.currentIndex() == 0


def test_values_are_those_of_the_selected_joint_at_the_frame(application):
    on, inspector = opened(stack(Lift(1.0)))
    motion = on.showing.current.take.motion
    head = motion.skeleton.joint(Role.HEAD)
    on.session.look(joints=(motion.skeleton.ref(head),), time_s=1.0)
    x, y, z = 100.0 * motion.world.positions[30, head]
    shown = inspector.part(PoseValues).text
    assert shown.startswith("Head at frame 30")
    assert all(f"{axis} {value:.1f}" in shown for axis, value in zip("XYZ", (x, y, z), strict=True))
    on.session.look(joints=())
    assert not inspector.part(PoseValues).isVisible()


def test_form_follows_the_document_while_a_field_is_dragged(application):
    on, inspector = on_edit(Smooth())
    drag(inspector.form.editors["window_s"].field, 20, release=False)
    assert on.edits()[0].window_s > 0.15
    assert inspector.form.value == on.edits()[0]
    QTest.keyClick(inspector.form.editors["window_s"].field, Qt.Key.Key_Escape)
    assert on.edits() == [Smooth()]


def test_clip_that_cannot_be_shown_says_why(application):
    _, inspector = opened(stack(source=Failing()))
    texts = [label.text() for label in inspector.clip_properties.findChildren(QLabel) if label.isVisible()]
    assert any("the well is dry" in text for text in texts)


@pytest.mark.parametrize("kind", [None, *EDITS.values()], ids=lambda kind: "clip" if kind is None else kind.kind)
def test_nothing_is_cut_off_in_a_narrow_panel(application, kind):
    layers = () if kind is None else (Layer("e0", kind()),)
    clip = Clip("1", "Clip", ProceduralGait(seconds=0.5, fps=30.0), layers)
    _, inspector = opened(Project((clip,), 5), layer=None if kind is None else "e0")
    inspector.resize(inspector.minimumSizeHint().width(), 900)
    application.processEvents()
    area = inspector._pages.currentWidget()
    assert isinstance(area, QScrollArea)
    assert area.widget().width() <= area.viewport().width()
    for button in area.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.width() >= button.minimumSizeHint().width(), button.accessibleName()


def test_long_names_do_not_widen_the_panel(application):
    motion = waving_figure()
    path = "/folder_of_a_very_long_name_without_breaks_in_it" * 3 + "/take_of_a_long_name_without_breaks.bvh"
    clip = Clip("1", "Clip", ImportedFile(path, "0", ReadOptions(), (), motion))
    _, inspector = opened(Project((clip,), 5))
    assert inspector.minimumSizeHint().width() < 320
    shown = [label.toolTip() for label in inspector.clip_properties.findChildren(QLabel)]
    assert any(path.rsplit("/", 1)[0] in tip for tip in shown)


def test_failed_edit_says_why_over_its_form(application):
    on, inspector = on_edit(Broken(), Lift(1.0), Cut(0.1))
    notes = inspector.layer_properties.notes
    stage = on.showing.current.stages[1]
    assert stage.failed
    assert notes.isVisible()
    assert notes.text().endswith(stage.notes[0])
    assert notes.text().startswith("This edit could not be done")
    on.session.look(layer="e1")
    assert notes.text() == "lifted by 1.0", "a note of an edit that was done"
    on.session.look(layer="e2")
    assert not notes.isVisible()


def test_corrections_have_units_in_their_headings(application):
    _, inspector = on_edit(ContactCorrections((Correction("left_foot", 0.25, 0.5, True),)))
    table = inspector.form.editors["corrections"].table
    assert [table.horizontalHeaderItem(place).text() for place in range(4)] == [
        "Limb", "Start\n(s)", "Stop\n(s)", "Touches",
    ]  # fmt: skip
    assert [table.item(0, place).text() for place in range(3)] == ["left foot", "0.25", "0.50"]


def test_range_is_typed_as_frames_of_what_is_shown(application):
    on, inspector = opened(stack(Cut(0.5), Lift(1.0)), layer="e1")
    scope = inspector.layer_properties.scope
    frame_s = on.showing.current.take.motion.frame_time_s
    type_into(scope.start, "3f")
    assert on.layers()[1].scope.start_s == pytest.approx(0.5 + 3.0 * frame_s), "after what was cut"
    type_into(scope.ease, "2f")
    assert on.layers()[1].scope.ease_s == pytest.approx(2.0 * frame_s)


def test_pages_have_names(application):
    _, inspector = on_edit(Lift(1.0))
    assert inspector.tabs.accessibleName() == "Inspector"
    assert inspector.tabs.tabBar().accessibleName() == "Inspector pages"


def nods(*times_s, **more):
    head = JointRef("Head", Role.HEAD)
    return TargetPoses(tuple(TargetPose(time_s, ((head, (0.3, 0.0, 0.0)),), **more) for time_s in times_s))


def test_pose_at_the_playhead_is_shown_and_changed(application):
    on, inspector = opened(stack(nods(0.5, 1.0)), layer="e0", time_s=1.0)
    shown = inspector.part(PoseSection)
    assert shown.isVisible()
    assert shown.pose.time_s == 1.0
    type_into(shown.strength, "50")
    type_into(shown.before, "0.2 s")
    type_into(shown.after, "0.8 s")
    first, second = on.edits()[0].poses
    assert (second.strength, second.before_s, second.after_s) == (0.5, 0.2, 0.8)
    assert (first.strength, first.before_s, first.after_s) == (1.0, 0.5, 0.5)
    on.session.look(time_s=0.75)
    assert not shown.isVisible()
    on.session.look(time_s=0.5)
    assert shown.isVisible()
    assert shown.strength.text() == "100 %"


def test_strength_of_a_pose_is_dragged_as_one_step_and_escape_puts_it_back(application):
    on, inspector = opened(stack(nods(1.0)), layer="e0", time_s=1.0)
    field = inspector.part(PoseSection).strength
    before = on.project
    drag(field, -field.width() // 4, start=field.rect().center(), release=False)
    assert on.edits()[0].poses[0].strength < 0.9
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert on.project is before
    drag(field, -field.width() // 4, start=field.rect().center())
    assert on.edits()[0].poses[0].strength < 0.9
    assert len(on.document.steps) == 1


def test_pose_is_limited_to_parts_of_the_body(application):
    on, inspector = opened(stack(nods(1.0)), layer="e0", time_s=1.0)
    mask = inspector.part(PoseSection).joints
    parts = {button.text(): button for button in mask.parts}
    QTest.keyClick(parts["Left arm"], Qt.Key.Key_Space)
    joints = on.edits()[0].poses[0].joints
    assert joints
    assert all(ref.role != Role.HEAD for ref in joints)
    take, source = on.showing.current.take, on.showing.current.source
    np.testing.assert_array_equal(take.motion.local_rotations, source.motion.local_rotations)
    QTest.keyClick(parts["Head"], Qt.Key.Key_Space)
    assert not np.array_equal(on.showing.current.take.motion.local_rotations, source.motion.local_rotations)
    QTest.mouseClick(mask.whole, Qt.MouseButton.LeftButton)
    assert on.edits()[0].poses[0].joints is None


def test_click_on_a_row_goes_to_the_pose(application):
    on, inspector = opened(stack(nods(0.5, 1.0)), layer="e0", time_s=0.0)
    table = inspector.form.editors["poses"].table
    table.cellClicked.emit(1, 0)
    assert on.session.view.time_s == pytest.approx(1.0)
