"""Spatial extent: equations 8.1 to 8.4 on motions whose extent is known."""

import numpy as np
import pytest

from editor.exaggerate.change import extreme_frames
from editor.exaggerate.extent import body_extent, body_turning, joint_extent, joint_turning
from model.placing import turned
from tests.clips import stepping_figure
from tests.editor.evaluated import take_of
from tests.editor.extrema.swings import pendulum


@pytest.fixture(scope="module")
def swing():
    """A pendulum of a metre that goes from +30 to -30 degrees and back, three ways in all."""
    time = np.linspace(0.0, 3.0, 181)
    return pendulum(np.radians(30.0) * np.cos(np.pi * time), 60.0)


FRAMES = np.array([0, 60, 120, 180])


def test_pendulum_has_the_extent_of_its_chords(swing):
    assert body_extent(swing, FRAMES) == pytest.approx(3.0 * 2.0 * np.sin(np.radians(30.0)), rel=1e-6)
    assert joint_extent(swing, 1, FRAMES) == pytest.approx(3.0, rel=1e-6)


def test_pendulum_turns_by_its_angles(swing):
    assert body_turning(swing, FRAMES) == pytest.approx(3.0 * np.radians(60.0))
    assert joint_turning(swing, 0, FRAMES) == pytest.approx(3.0 * np.radians(60.0))
    assert joint_turning(swing, 1, FRAMES) == pytest.approx(0.0, abs=1e-7)


def test_where_a_body_is_and_faces_does_not_count():
    motion, _ = stepping_figure()
    frames = extreme_frames(take_of(motion))
    elsewhere = turned(motion, 1.2, np.zeros(3), np.array([3.0, 0.0, -1.0]))
    assert body_extent(elsewhere, frames) == pytest.approx(body_extent(motion, frames), rel=1e-9)
    assert body_turning(elsewhere, frames) == pytest.approx(body_turning(motion, frames), rel=1e-6)


def test_fewer_than_two_extremes_have_no_extent(swing):
    assert body_extent(swing, np.array([10])) == 0.0
    assert joint_turning(swing, 0, np.array([], dtype=int)) == 0.0
