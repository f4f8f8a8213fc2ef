"""The panel that puts clips on other bodies, driven with mouse and keys; asserted on the document."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox

from editor.contacts.detect import find_contacts
from editor.document.jobs import Jobs
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.gait.source import ProceduralGait
from editor.retarget.character import built_in
from editor.retarget.commands import retarget_to
from editor.retarget.edit import Retarget
from editor.retarget.mapping import Pair
from editor.stack.clips import add_clip
from editor.stack.evaluator import Evaluator
from model.clip import Clip, Source, Take
from model.files.bvh import write_bvh
from model.motion import rest_motion
from model.project import Project
from model.roles import Role
from model.skeleton import JointRef
from tests.editor.retarget.bodies import renamed
from tests.stacks import Made
from tests.widgets.desk import desk, move, show, wait_for
from widgets.retarget.bodies_view import SOURCE, TARGET, Shape, sides_of
from widgets.retarget.panel import RetargetPanel

LEFT = Qt.MouseButton.LeftButton
CHILD = built_in("child")


@dataclass(frozen=True)
class Bare(Source):
    """A walk on a body of which nothing is known."""

    kind: ClassVar = "bare"
    title: ClassVar = "Bare"

    def make(self, context):
        motion = renamed(generate(Gait(), 1.0, 30.0)[0])
        skeleton = motion.skeleton.with_roles([None] * len(motion.skeleton))
        motion = replace(motion, skeleton=skeleton)
        return Take(motion, find_contacts(motion))


@pytest.fixture
def place(application):
    made = desk(Project((Clip("1", "Walk", ProceduralGait()), Clip("2", "Other", Made())), 3))
    made.session.look(clip="1")
    jobs = Jobs()
    panel = RetargetPanel(made.document, made.session, made.showing, jobs, Evaluator())
    show(panel, 1200, 400)
    wait_for(application, lambda: panel._source is not None)
    made.panel = panel
    made.application = application
    yield made
    panel.close()
    jobs.close()


def choose(place, what):
    characters = place.panel.characters
    item = characters.item_of(what)
    characters.scrollToItem(item)
    QTest.mouseClick(characters.viewport(), LEFT, pos=characters.visualItemRect(item).center())


def on_child(place):
    choose(place, CHILD)
    return place.edits()[-1]


def joint(name):
    return CHILD.skeleton.find(name)


def at(place, which, name):
    """Where a joint is drawn, in whole pixels."""
    skeleton = CHILD.skeleton if which == TARGET else place.showing.current.source.motion.skeleton
    return place.panel.bodies.place_of(which, skeleton.find(name)).toPoint()


def test_click_on_a_character_puts_the_clip_on_it_and_selects_the_edit(place):
    choose(place, CHILD)
    assert place.edits() == [Retarget(CHILD)]
    assert place.view.layer == place.layers()[0].id
    assert place.document.undo_text == "Retarget Walk to child"
    assert place.showing.current.take.motion.skeleton is CHILD.skeleton
    assert place.panel.characters.item_of(CHILD).isSelected()


def test_another_click_changes_the_same_edit(place):
    choose(place, CHILD)
    choose(place, built_in("tall"))
    assert place.edits() == [Retarget(built_in("tall"))]
    assert place.document.undo()
    assert place.edits() == [Retarget(CHILD)]


def test_enter_chooses_the_character_that_the_arrow_keys_went_to(place):
    characters = place.panel.characters
    characters.setCurrentItem(characters.item_of(CHILD))
    characters.setFocus()
    QTest.keyClick(characters, Qt.Key.Key_Return)
    assert place.edits() == [Retarget(CHILD)]


def test_body_of_another_clip_is_looked_for_and_taken(place):
    choose(place, "2")
    wait_for(place.application, lambda: bool(place.edits()))
    (edit,) = place.edits()
    assert edit.to.name == "Other"
    assert edit.to.skeleton.names == Made().make(None).motion.skeleton.names


def test_body_of_a_file_is_taken_and_kept_in_one_step(place, tmp_path):
    write_bvh(rest_motion(CHILD.skeleton, frames=2), tmp_path / "hero.bvh")
    place.panel.put_on_file(tmp_path / "hero.bvh")
    wait_for(place.application, lambda: bool(place.edits()))
    assert [one.name for one in place.project.characters] == ["hero"]
    assert place.edits()[0].to == place.project.characters[0]
    assert len(place.document.steps) == 1
    kept = place.project.characters[0]
    characters = place.panel.characters
    characters.setCurrentItem(characters.item_of(kept))
    QTest.keyClick(characters, Qt.Key.Key_Delete)
    assert place.project.characters == ()
    assert place.edits()[0].to == kept, "clips stay on it"


def test_file_that_cannot_be_read_is_told(place, tmp_path):
    (tmp_path / "broken.bvh").write_text("nothing")
    place.panel.put_on_file(tmp_path / "broken.bvh")
    wait_for(place.application, lambda: "broken.bvh" in place.panel.told.text() and place.panel._reading is None)
    assert place.edits() == []


def test_drag_between_the_bodies_pairs_joints_in_one_step(place):
    on_child(place)
    bodies = place.panel.bodies
    start, end = at(place, SOURCE, "RightArm"), at(place, TARGET, "LeftArm")
    QTest.mousePress(bodies, LEFT, pos=start)
    for part in (0.3, 0.7, 1.0):
        move(bodies, start + (end - start) * part)
    QTest.mouseRelease(bodies, LEFT, pos=end)
    pair = Pair(JointRef("LeftArm", Role.LEFT_SHOULDER), JointRef("RightArm", Role.RIGHT_SHOULDER))
    assert place.edits()[-1].mapping == (pair,)
    assert place.document.undo_text == "Let LeftArm follow RightArm"
    assert place.panel.pairs.item_of(joint("LeftArm")).text(1) == "RightArm"
    assert place.panel.pairs.item_of(joint("LeftArm")).font(1).bold()
    assert place.document.undo()
    assert place.edits()[-1].mapping == ()


def test_drag_that_ends_nowhere_or_is_let_go_of_pairs_nothing(place):
    on_child(place)
    bodies = place.panel.bodies
    for escape in (False, True):
        start, end = at(place, SOURCE, "RightArm"), at(place, TARGET, "LeftArm")
        QTest.mousePress(bodies, LEFT, pos=start)
        move(bodies, end)
        if escape:
            key = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(bodies, key)
        QTest.mouseRelease(bodies, LEFT, pos=end if escape else QPoint(bodies.width() // 2, bodies.height() - 2))
    assert place.edits()[-1].mapping == ()


def test_click_on_a_joint_selects_its_pair_in_the_list(place):
    on_child(place)
    QTest.mouseClick(place.panel.bodies, LEFT, pos=at(place, TARGET, "RightLeg"))
    assert place.panel.pairs.currentItem() is place.panel.pairs.item_of(joint("RightLeg"))
    QTest.mouseClick(place.panel.bodies, LEFT, pos=at(place, SOURCE, "LeftLeg"))
    assert place.panel.pairs.currentItem() is place.panel.pairs.item_of(joint("LeftLeg"))


def pick_in_list(place, name, text):
    """Open the list of a row with Enter, and choose."""
    pairs = place.panel.pairs
    pairs.setCurrentItem(pairs.item_of(joint(name)))
    QTest.keyClick(pairs, Qt.Key.Key_Return)
    combo = pairs.findChildren(QComboBox)[-1]  # the last row's may not be gone yet
    combo.setCurrentIndex(combo.findText(text))
    combo.activated.emit(combo.currentIndex())


def test_list_of_a_row_says_what_a_joint_follows_and_delete_guesses_again(place):
    on_child(place)
    pick_in_list(place, "Head", "Nothing")
    assert place.edits()[-1].mapping == (Pair(JointRef("Head", Role.HEAD), None),)
    assert place.panel.pairs.item_of(joint("Head")).text(1) == "nothing"
    assert place.panel.told.text() == "1 joint follows nothing."
    assert place.showing.current.stages[-1].notes == ("Nothing moves Head.",)
    QTest.keyClick(place.panel.pairs, Qt.Key.Key_Delete)
    assert place.edits()[-1].mapping == ()
    assert place.document.undo_text == "Guess what Head follows"


def test_choosing_what_is_guessed_anyway_is_no_correction(place):
    on_child(place)
    pick_in_list(place, "Head", "Nothing")
    pick_in_list(place, "Head", "Head")
    assert place.edits()[-1].mapping == ()


def test_guess_again_forgets_all_corrections(place):
    on_child(place)
    assert not place.panel.guess_button.isEnabled()
    pick_in_list(place, "Head", "Nothing")
    pick_in_list(place, "Neck", "Nothing")
    place.panel.guess_button.click()
    assert place.edits()[-1].mapping == ()
    assert place.document.undo_text == "Guess which joint follows which"


def test_corrections_that_fit_no_joint_go_with_the_character(place):
    on_child(place)
    place.document.do(retarget_to, "1", CHILD, place.view.layer)
    pick_in_list(place, "Head", "Nothing")
    choose(place, built_in("tall"))
    assert place.edits()[-1].mapping == (Pair(JointRef("Head", Role.HEAD), None),), "it has a head, too"


def test_new_clips_are_listed_and_their_own_bodies_are_not(place):
    place.document.do(add_clip, Made(), "New")
    assert place.panel.characters.item_of(place.project.clips[-1].id).text() == "New"
    with pytest.raises(StopIteration):
        place.panel.characters.item_of("1")


def test_wheel_comes_nearer_to_what_is_under_it(place):
    on_child(place)
    bodies, hand = place.panel.bodies, at(place, TARGET, "LeftHand")
    apart = np.hypot(*(at(place, TARGET, "LeftArm") - hand).toTuple())
    event = QWheelEvent(
        QPointF(hand), QPointF(bodies.mapToGlobal(hand)), QPoint(), QPoint(0, 360), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(bodies, event)
    assert np.hypot(*(at(place, TARGET, "LeftHand") - hand).toTuple()) < 2.0
    assert np.hypot(*(at(place, TARGET, "LeftArm") - at(place, TARGET, "LeftHand")).toTuple()) > 1.5 * apart


def test_bodies_are_drawn_in_the_colours_of_their_sides(place):
    on_child(place)
    sides = dict(zip(CHILD.skeleton.names, sides_of(CHILD.skeleton), strict=True))
    assert (sides["LeftForeArm"], sides["RightToeBase"], sides["Spine1"]) == ("left", "right", "centre")
    assert sides["LeftThumb"] == "left", "it has no role, but hangs on the left hand"
    shape = Shape.of("child", CHILD.skeleton, CHILD.stance)
    assert 1.0 < shape.height_m < 1.2
    assert shape.points[joint("LeftHand"), 0] > 0.2 > -0.2 > shape.points[joint("RightHand"), 0]
    image = place.panel.bodies.grab().toImage()
    elbow = at(place, TARGET, "LeftForeArm")
    seen = image.pixelColor(elbow)
    assert seen.blue() > 1.3 * seen.red()


def test_without_a_clip_it_says_what_to_do(application):
    made, jobs = desk(Project()), Jobs()
    panel = show(RetargetPanel(made.document, made.session, made.showing, jobs, Evaluator()), 900, 300)
    assert not panel.characters.isEnabled()
    panel.put_on(CHILD)
    assert "Open a clip" in panel.told.text()
    panel.close()
    jobs.close()


def test_body_without_roles_is_drawn_and_can_be_paired(application):
    """What cannot be guessed is told, and a drag begins to mend it."""
    made, jobs = desk(Project((Clip("1", "Odd", Bare()),), 2)), Jobs()
    made.session.look(clip="1")
    panel = show(RetargetPanel(made.document, made.session, made.showing, jobs, Evaluator()), 1200, 400)
    wait_for(application, lambda: panel._source is not None)
    panel.put_on(CHILD)
    assert made.showing.current.stages[-1].failed
    assert panel.told.text().startswith(f"{len(CHILD.skeleton)} joints follow nothing")
    panel.bodies.paired.emit(joint("Hips"), 0)
    assert made.edits()[-1].mapping == (Pair(JointRef("Hips", Role.PELVIS), JointRef("Bone00")),)
    panel.close()
    jobs.close()
