"""The bar over the viewport."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from tests.widgets.extrema.desk import JobsAtOnce
from tests.widgets.posing.hands import hand
from widgets.common.icons import icon
from widgets.extrema.extrema import Extrema
from widgets.posing.bar import PoseBar
from widgets.posing.repeating import Repeating


def bar(on, width):
    owner = QWidget()
    groups = [[QAction(icon("move"), f"{group} {n}", owner) for n in range(3)] for group in range(4)]
    for group in groups:
        for action in group:
            action.setObjectName(action.text())
    jobs = JobsAtOnce()
    extrema = Extrema(on.document, on.session, on.shows, jobs)
    repeating = Repeating(on.document, on.session, on.posing, jobs, lambda: extrema.extremes, owner)
    made = PoseBar(on.posing, repeating, groups)
    made.owner = owner
    made.resize(width, 40)
    made.show()
    return made


def pend(on):
    on.posing.set_auto_key(False)
    pose = on.posing.pose
    on.posing.apply(pose.with_rotations(pose.local_rotations, pose.root_position + 0.1), "Move")


def test_chip_is_shown_while_a_pose_is_not_kept(application):
    on = hand()
    made = bar(on, 900)
    assert not made.chip.isVisible()
    pend(on)
    assert made.chip.isVisible()
    made.keep_button.click()
    assert not made.chip.isVisible()
    assert len(on.document.steps) == 1


def test_narrow_bar_leaves_out_the_last_groups_and_never_the_chip(application):
    on = hand()
    made = bar(on, 420)
    pend(on)
    application.processEvents()
    assert made.minimumSizeHint().width() < 200
    assert made.buttons["0 0"].isVisible()
    assert not made.buttons["3 0"].isVisible()
    for button in (made.keep_button, made.drop_button):
        assert button.isVisible()
        assert made.rect().contains(button.geometry().translated(made.chip.pos()))
    made.resize(900, 40)
    assert made.buttons["3 0"].isVisible()


def test_buttons_have_names(application):
    made = bar(hand(), 900)
    assert all(button.accessibleName() for button in made.buttons.values())
