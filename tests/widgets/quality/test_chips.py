"""The chips: what is measured, how it is judged, and the way to the worst frame."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from editor.contacts.detect import find_contacts
from editor.document.jobs import Jobs
from editor.quality.figures import Quality, measure
from editor.quality.worst_frames import WorstFrames
from editor.stack.layers import change_edit
from model.clip import Source, Take
from model.project import Project
from tests.clips import Y, stepping_figure
from tests.stacks import Lift, stack
from tests.widgets.desk import desk, show, wait_for
from widgets.quality.chips import FIGURES, Chip, Measured, QualityChips


@dataclass(frozen=True)
class Stepping(Source):
    kind: ClassVar = "stepping"
    title: ClassVar = "Stepping"

    def make(self, context):
        motion, _ = stepping_figure(3.0)
        return Take(motion, find_contacts(motion))


@pytest.fixture
def made(application):
    jobs = Jobs()
    on = desk(stack(Lift(0.0), source=Stepping()))
    panel = show(QualityChips(on.document, on.session, on.showing, jobs), 600, 40)
    yield on, panel
    jobs.close()
    application.processEvents()


def chip(panel, name):
    return next(one for one in panel.chips if one.figure.name == name)


def test_chips_show_what_the_figures_say(application, made):
    on, panel = made
    assert not any(one.isVisible() for one in panel.chips), "nothing is measured yet"
    wait_for(application, lambda: panel.measured is not None)
    source = on.showing.current.source
    assert panel.measured.before == measure(source.motion, source.contacts)
    assert chip(panel, "Drift").isVisible()
    assert chip(panel, "Drift").text().endswith(" cm")
    assert chip(panel, "Drift").verdict == "good"


def test_sunken_feet_are_poor_and_the_chip_leads_to_the_deepest_frame(application, made):
    on, panel = made
    on.document.do(change_edit, "1", "e0", Lift(-0.2))
    wait_for(application, lambda: panel.measured is not None and chip(panel, "Depth").verdict == "poor")
    assert "→" in chip(panel, "Depth").text()
    assert "poor" in chip(panel, "Depth").accessibleName()
    take = on.showing.current.take
    QTest.mouseClick(chip(panel, "Depth"), Qt.MouseButton.LeftButton)
    frame = round(on.view.time_s / take.motion.frame_time_s)
    feet = [joint for joint, name in enumerate(take.motion.skeleton.names) if "Foot" in name or "Toe" in name]
    heights = np.min(take.motion.world.positions[:, feet, 1], axis=1)
    assert heights[frame] == pytest.approx(np.min(heights), abs=1e-3)


def test_quick_changes_are_measured_once_at_the_end(application, made):
    on, panel = made
    wait_for(application, lambda: panel.measured is not None)
    started = []
    panel._jobs.started.connect(started.append)
    for depth in (-0.1, -0.2, -0.3):
        on.document.preview(change_edit, "1", "e0", Lift(depth))
    wait_for(application, lambda: panel.measured.shown is on.showing.current.take)
    assert len(started) == 1
    assert panel.measured.after.penetration_cm > 25.0


def test_chips_go_with_the_clip(application, made):
    on, panel = made
    wait_for(application, lambda: panel.measured is not None)
    on.document.restart(Project())
    assert not any(one.isVisible() for one in panel.chips)


def shown(figure, before, after):
    """The chip of a figure, with a source and something made of it."""
    motion, _ = stepping_figure(0.5)
    source = Take(motion, find_contacts(motion))
    other = replace(source, motion=replace(motion, root_positions=motion.root_positions + Y))
    made = Chip(next(one for one in FIGURES if one.name == figure))
    made.show_figure(Measured(source, other, before, after, WorstFrames()))
    return made


@pytest.mark.parametrize(
    ("figure", "before", "after", "verdict"),
    [
        ("Drift", Quality(contact_drift_worst_cm=1.0), Quality(contact_drift_worst_cm=2.5), "good"),
        ("Drift", Quality(contact_drift_worst_cm=1.0), Quality(contact_drift_worst_cm=5.0), "fair"),
        ("Drift", Quality(contact_drift_worst_cm=9.0), Quality(contact_drift_worst_cm=8.0), "poor"),
        ("Slide", Quality(skate_ratio=0.3), Quality(skate_ratio=0.3), "good"),
        ("Slide", Quality(skate_ratio=0.1), Quality(skate_ratio=0.18), "fair"),
        ("Slide", Quality(skate_ratio=0.1), Quality(skate_ratio=0.4), "poor"),
        ("Depth", Quality(penetration_cm=5.0), Quality(penetration_cm=0.0), "good"),
        ("Jerk", Quality(jerk_p99=900.0), Quality(jerk_p99=950.0, jerk_ratio=1.05), "good"),
        ("Jerk", Quality(jerk_p99=900.0), Quality(jerk_p99=2700.0, jerk_ratio=3.0), "poor"),
    ],
)
def test_verdicts_follow_the_figures(application, figure, before, after, verdict):
    assert shown(figure, before, after).verdict == verdict


def test_figure_that_does_not_apply_is_not_shown(application):
    assert not shown("Drift", Quality(), Quality()).isVisibleTo(None)


def test_before_and_after_are_told_only_where_they_differ(application):
    same = shown("Depth", Quality(penetration_cm=1.01), Quality(penetration_cm=1.02))
    assert same.text() == "Depth 1.0 cm"
    other = shown("Slide", Quality(skate_ratio=0.18), Quality(skate_ratio=0.04))
    assert other.text() == "Slide 18 → 4 %"


def sunk(by_m):
    motion, _ = stepping_figure(2.0)
    lower = replace(motion, root_positions=motion.root_positions - by_m * Y)
    return Take(lower, find_contacts(motion))


def test_given_takes_are_judged_instead_of_what_is_shown(application, made):
    on, panel = made
    wait_for(application, lambda: panel.measured is not None)
    given = [sunk(0.0)]
    panel.judge(lambda: given[-1])
    assert not any(one.isVisible() for one in panel.chips), "nothing of it is measured yet"
    wait_for(application, lambda: panel.measured is not None)
    assert panel.measured.shown is given[0]
    assert chip(panel, "Depth").verdict == "good"
    given.append(sunk(0.1))
    on.document.do(change_edit, "1", "e0", Lift(-0.3))
    wait_for(application, lambda: panel.measured.shown is given[1])
    assert chip(panel, "Depth").verdict == "poor"
    assert panel.measured.after.penetration_cm == pytest.approx(10.0, abs=2.0)
    time_s = on.view.time_s
    QTest.mouseClick(chip(panel, "Depth"), Qt.MouseButton.LeftButton)
    assert on.view.time_s == time_s, "its frames are none of the clip's"
    assert "Click" not in chip(panel, "Depth").toolTip()
    panel.judge(None)
    wait_for(application, lambda: panel.measured is not None)
    assert panel.measured.shown is on.showing.current.take
    assert "Click" in chip(panel, "Depth").toolTip()


def test_given_take_is_measured_once_and_compared_with_its_reference(application, made):
    _, panel = made
    wait_for(application, lambda: panel.measured is not None)
    started, asked = [], []
    panel._jobs.started.connect(started.append)
    reference, take = sunk(0.0), sunk(0.05)
    panel.judge(lambda: asked.append(1) or take, reference)
    wait_for(application, lambda: len(asked) > 2)
    assert len(started) == 1
    assert panel.measured.source is reference
    assert "→" in chip(panel, "Depth").text()


def test_nothing_given_shows_nothing_and_no_clip_is_needed(application):
    jobs = Jobs()
    on = desk(Project())
    panel = show(QualityChips(on.document, on.session, on.showing, jobs), 600, 40)
    given = [None]
    panel.judge(lambda: given[0])
    QTest.qWait(700)
    assert not any(one.isVisible() for one in panel.chips)
    given[0] = sunk(0.0)
    wait_for(application, lambda: chip(panel, "Drift").isVisible())
    jobs.close()
    application.processEvents()
