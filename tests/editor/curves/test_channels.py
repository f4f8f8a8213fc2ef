"""Channels: from rotations to numbers that do not jump, and back."""

import numpy as np
import pytest

from editor.curves.channels import POSITION, VECTOR, Channel, dense, euler_order, rotations_of, with_dense
from model.euler import ORDERS
from model.files.bvh import read_bvh, write_bvh
from model.roles import Role
from model.rotation import angle_between, from_axis_angle, from_rotation_vector
from model.skeleton import JointRef
from tests.clips import data_name, recorded, waving_figure

SPACES = [VECTOR, *(order for order in ORDERS if len(set(order)) == 3)]


def turning(turns, frames=400):
    """A figure whose first joint turns on and on about a slanted axis."""
    motion = waving_figure(frames)
    axis = np.array([0.36, 0.48, 0.8])
    angles = np.linspace(0.0, turns * 2.0 * np.pi, frames)
    return with_dense(motion, 0, VECTOR, angles[:, None] * axis, np.ones(frames, dtype=bool))


@pytest.mark.parametrize("space", SPACES)
def test_values_give_back_the_rotations(space):
    motion = turning(1.7)
    back = rotations_of(dense(motion, 0, space), space)
    np.testing.assert_allclose(angle_between(back, motion.local_rotations[:, 0]), 0.0, atol=1e-7)


@pytest.mark.parametrize("space", [VECTOR, "ZYX"])
def test_values_do_not_jump_over_full_turns(space):
    values = dense(turning(2.6), 0, space)
    assert np.max(np.abs(np.diff(values, axis=0))) < 0.5


def test_vector_grows_beyond_full_turns():
    assert np.linalg.norm(dense(turning(2.6), 0, VECTOR)[-1]) == pytest.approx(2.6 * 2.0 * np.pi)


def test_vector_passes_through_zero_straight():
    angles = np.linspace(1.0, -1.0, 21)
    motion = with_dense(
        waving_figure(21), 0, VECTOR, angles[:, None] * np.array([0.0, 0.0, 1.0]), np.ones(21, dtype=bool)
    )
    np.testing.assert_allclose(dense(motion, 0, VECTOR)[:, 2], angles, atol=1e-12)


def test_columns_are_named_after_their_axes():
    about_x = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.4)
    for order in SPACES[1:]:
        motion = with_dense(waving_figure(2), 0, VECTOR, np.tile([0.4, 0.0, 0.0], (2, 1)), np.array([True, True]))
        np.testing.assert_allclose(dense(motion, 0, order)[0], [0.4, 0.0, 0.0], atol=1e-12)
        np.testing.assert_allclose(rotations_of(np.array([0.4, 0.0, 0.0]), order), about_x, atol=1e-12)


def test_frames_outside_keep_their_very_numbers():
    motion = waving_figure(10)
    some = np.arange(10) < 4
    changed = with_dense(motion, 1, "XYZ", np.full((10, 3), 0.3), some)
    np.testing.assert_array_equal(changed.local_rotations[4:], motion.local_rotations[4:])
    np.testing.assert_array_equal(changed.root_positions, motion.root_positions)
    assert not np.allclose(changed.local_rotations[:4, 1], motion.local_rotations[:4, 1])


def test_only_the_root_has_a_place():
    motion = waving_figure(5)
    np.testing.assert_array_equal(dense(motion, 0, POSITION), motion.root_positions)
    with pytest.raises(ValueError, match="only the root"):
        dense(motion, 1, POSITION)


@pytest.mark.parametrize("path", recorded("cmu-bvh/02_01.bvh"), ids=data_name)
def test_order_is_that_of_the_file(path):
    assert euler_order(read_bvh(path).motion, 3) == "ZYX"


def test_order_of_a_written_file_is_that_of_its_channels(tmp_path):
    write_bvh(waving_figure(3), tmp_path / "wave.bvh")
    order = euler_order(read_bvh(tmp_path / "wave.bvh").motion, 2)
    text = (tmp_path / "wave.bvh").read_text()
    assert f"CHANNELS 3 {order[0]}rotation {order[1]}rotation {order[2]}rotation" in text


def test_order_without_a_file_is_a_usual_one():
    assert euler_order(waving_figure(3), 0) in ORDERS


@pytest.mark.parametrize("wrong", [{"axis": "W"}, {"space": "XYX"}, {"space": "sideways"}])
def test_broken_channels_are_refused(wrong):
    with pytest.raises(ValueError, match=r"axis|space"):
        Channel(**{"joint": JointRef("hip"), "space": VECTOR, "axis": "X", **wrong})


def test_channel_is_told_by_what_the_joint_is():
    assert str(Channel(JointRef("LeftLeg", Role.LEFT_KNEE), "ZXY", "X")) == "left knee turn X"
    assert str(Channel(JointRef("Hips", Role.PELVIS), POSITION, "Y")) == "pelvis place Y"
    assert str(Channel(JointRef("tail_3"), VECTOR, "Z")) == "tail_3 turn Z"


def test_rotation_vector_of_still_joint_is_still():
    motion = with_dense(waving_figure(6), 0, VECTOR, np.zeros((6, 3)), np.ones(6, dtype=bool))
    np.testing.assert_array_equal(dense(motion, 0, VECTOR), np.zeros((6, 3)))
    np.testing.assert_allclose(from_rotation_vector(np.zeros(3)), [1, 0, 0, 0])
