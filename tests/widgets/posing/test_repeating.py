"""One pose at all moments like its own: shown first, more of them or fewer, then kept or dropped."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from editor.posing.commands import set_pose
from editor.posing.edit import TargetPose, TargetPoses
from editor.stack.clips import rename_clip
from model.clip import Source
from model.files.formats import read_motion
from model.roles import Role
from model.skeleton import JointRef
from resources import path_of
from tests.editor.evaluated import take_of
from tests.widgets.extrema.desk import desk
from widgets.posing.posing import Posing
from widgets.posing.repeating import Repeating

LEFT_HIP = JointRef("LeftUpLeg", Role.LEFT_HIP)


@dataclass(frozen=True)
class Walk(Source):
    kind: ClassVar = "sample_walk"
    title: ClassVar = "Walk"

    def make(self, context):
        return take_of(read_motion(path_of("samples", "walk.bvh")).motion)


class On:
    """A walk with a pose at its fifth extreme, and a hand that repeats it."""

    def __init__(self):
        self.desk = desk(source=Walk())
        self.document, self.session, self.extrema = self.desk.document, self.desk.session, self.desk.extrema
        self.posing = Posing(self.document, self.session, self.desk.showing)
        self.repeating = Repeating(
            self.document, self.session, self.posing, self.desk.jobs, lambda: self.extrema.extremes
        )
        self.said = []
        self.repeating.said.connect(self.said.append)
        self.at_s = [one.time_s for one in self.extrema.extremes if not one.is_end][4]
        self.session.look(time_s=self.at_s)

    def pose(self):
        pose = TargetPose(self.at_s, ((LEFT_HIP, (-0.15, 0.0, 0.0)),))
        self.document.do(set_pose, "1", None, pose)
        self.session.look(layer=self.document.project.clip("1").layers[-1].id)
        self.desk.settle()
        return self.document.committed

    def begin(self):
        self.repeating.begin()
        for _ in range(50):
            QApplication.processEvents()

    @property
    def poses(self):
        (layer,) = self.document.project.clip("1").layers
        return layer.edit.poses


@pytest.fixture
def on(application):
    return On()


def test_pose_is_repeated_at_every_step_and_mirrored_at_every_other(on):
    on.pose()
    on.begin()
    assert on.repeating.told == "Repeat at 10 similar poses, 5 mirrored"
    assert len(on.poses) == 11
    assert on.document.is_previewing
    assert on.repeating.keep()
    assert not on.repeating.is_on
    assert on.document.undo_text == f"Repeat pose at {on.at_s:.2f} s in 10 places"
    roles = [pose.offsets[0][0].role for pose in on.poses]
    assert roles == [Role.LEFT_HIP if n % 2 == 0 else Role.RIGHT_HIP for n in range(11)]
    assert all(np.allclose(pose.offsets[0][1], (-0.15, 0.0, 0.0), atol=1e-6) for pose in on.poses)


def test_undo_takes_all_repetitions_back_in_one_step(on):
    before = on.pose()
    on.begin()
    on.repeating.keep()
    on.document.undo()
    assert on.document.committed is before


def test_dropping_puts_everything_back(on):
    before = on.pose()
    on.begin()
    on.repeating.drop()
    assert on.document.project is before
    assert not on.repeating.is_on
    assert not on.repeating.keep()


def test_more_and_fewer_and_without_mirrored_ones(on):
    on.pose()
    on.begin()
    assert not on.repeating.can_be_more
    on.repeating.take_in(-3)
    assert len(on.poses) == 8
    on.repeating.take_in(1)
    assert len(on.poses) == 9
    on.repeating.set_mirrored(False)
    assert on.repeating.told == "Repeat at 5 similar poses"
    assert {pose.offsets[0][0].role for pose in on.poses} == {Role.LEFT_HIP}
    on.repeating.take_in(-99)
    assert len(on.poses) == 2
    assert not on.repeating.can_be_fewer


def test_one_may_look_about_meanwhile_but_other_work_ends_it(on):
    on.pose()
    on.begin()
    on.session.look(time_s=0.2)
    assert on.repeating.is_on
    on.document.do(rename_clip, "1", "Other")
    assert not on.repeating.is_on
    assert len(on.poses) == 1


def test_looking_at_something_else_drops_it(on):
    before = on.pose()
    on.begin()
    on.session.look(layer=None)
    assert not on.repeating.is_on
    assert on.document.project is before


def test_frame_without_a_pose_is_told(on):
    on.begin()
    assert "no target pose at this frame" in on.said[0]
    on.pose()
    on.session.look(time_s=0.1)
    on.begin()
    assert len(on.said) == 2
    assert not on.repeating.is_on
    assert isinstance(on.document.project.clip("1").layers[0].edit, TargetPoses)
