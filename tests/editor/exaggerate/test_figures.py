"""What figures 8.4 and 8.5 of the thesis show, and what it says of them."""

import numpy as np
import pytest

from editor.exaggerate.change import Amounts, extreme_frames
from editor.exaggerate.extent import body_extent
from editor.exaggerate.motion import exaggerated
from tests.editor.exaggerate.pendulums import LINKS, SWING_RAD, link_angles, pendulum


def swung(take, amount, space="cartesian", scope="body"):
    return exaggerated(take, Amounts(amount, space), scope).motion


@pytest.fixture(scope="module")
def coordinated():
    return pendulum()


@pytest.fixture(scope="module")
def succession():
    return pendulum(delay_s=0.06)


def farthest(motion):
    """(links,) how far each link swings out at the most, in degrees."""
    return np.degrees(np.max(np.abs(link_angles(motion)), axis=0))


def test_pendulum_is_that_of_the_figure(coordinated):
    assert np.allclose(farthest(coordinated.motion), np.degrees(SWING_RAD) * np.arange(1, LINKS + 1), atol=0.5)


def test_cartesian_at_2_swings_wider_in_the_same_shape(coordinated):
    before, after = farthest(coordinated.motion), farthest(swung(coordinated, 2.0))
    assert np.all(after > before + 5.0)
    assert np.all(after < 90.0)
    assert np.all(np.diff(after) > 0.0)  # it still curls from link to link


def test_cartesian_at_20_is_plausible_and_nearly_straight(coordinated):
    motion = swung(coordinated, 20.0)
    assert np.max(farthest(motion)) < 90.0  # no link above the pivot's height
    ends = link_angles(motion)[extreme_frames(coordinated)]
    assert np.all(np.abs(np.degrees(ends)) > 70.0)
    assert np.max(np.degrees(np.ptp(ends, axis=1))) < 15.0


def test_rotation_at_2_goes_over_the_top(coordinated):
    after = farthest(swung(coordinated, 2.0, "rotation"))
    assert after[-1] == pytest.approx(2 * 72.0, abs=4.0)  # turns add up along the chain
    assert after[-1] > 120.0


def test_no_link_changes_its_length(coordinated):
    for motion in (
        swung(coordinated, 20.0),
        swung(coordinated, 3.0, "rotation"),
        swung(coordinated, 3.0, scope="joints"),
    ):
        lengths = np.linalg.norm(np.diff(motion.world.positions, axis=1), axis=-1)
        assert np.allclose(lengths, 0.2, atol=1e-12)


def test_whole_body_keeps_the_shape_of_a_succession_and_joints_do_not(succession):
    """Figure 8.5: the body as a whole is enlarged alike in all its links; joints on their own are so at other times."""
    frames = extreme_frames(succession)[1:-1]
    before = np.tan(link_angles(succession.motion)[frames])
    clear = np.all(np.abs(before) > 0.1, axis=1)

    def unevenness(motion):
        return np.mean(np.std(np.tan(link_angles(motion)[frames])[clear] / before[clear], axis=1))

    body, joints = swung(succession, 2.0), swung(succession, 2.0, scope="joints")
    assert np.sum(clear) > 3
    assert body_extent(body, frames) > 1.25 * body_extent(succession.motion, frames)
    assert np.max(farthest(joints)) > np.max(farthest(succession.motion)) + 3.0
    assert unevenness(body) < 0.05
    assert unevenness(joints) > 3.0 * unevenness(body)


def test_rotation_enlarges_a_succession_more_than_cartesian_does(succession):
    rotation, cartesian = (farthest(swung(succession, 2.0, space))[-1] for space in ("rotation", "cartesian"))
    assert rotation > cartesian + 20.0
