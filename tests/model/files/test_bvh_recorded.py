"""Every recorded BVH: read, written, read again; and compared with independent readers."""

import numpy as np
import pytest

from model.files.bvh import read_bvh, write_bvh
from model.files.problems import MotionFileError
from model.kinematics import end_site_positions, forward
from model.units import from_y_up
from tests.clips import data_name, needs_data, recorded
from tests.peers import READERS

pytestmark = needs_data

FILES = recorded("**/*.bvh")

# Files that hold no motion say so.
UNREADABLE = {
    "quirks/bvh_small_walk.bvh": "ends before MOTION",
    "quirks/bvh_truncated_no_motion.bvh": "ends before the first frame",
}

# What the names of the odd files promise.
SAID = {
    "quirks/bvh_frames_101_rows_1.bvh": "announces 101 frames and holds 1",
    "quirks/bvh_frames_208_rows_73.bvh": "announces 208 frames and holds 73",
    "quirks/bvh_frames_2_rows_7.bvh": "announces 2 frames and holds 7",
    "quirks/bvh_frames_3069_rows_3070.bvh": "announces 3069 frames and holds 3070",
}


@pytest.mark.parametrize("path", FILES, ids=data_name)
def test_read_write_read_keeps_everything(path, tmp_path):
    name = data_name(path)
    if name in UNREADABLE:
        with pytest.raises(MotionFileError, match=UNREADABLE[name]):
            read_bvh(path)
        return
    reading = read_bvh(path)
    warnings = [problem.message for problem in reading.problems if problem.severity == "warning"]
    if name in SAID:
        assert any(SAID[name] in message for message in warnings)
    motion = reading.motion
    assert write_bvh(motion, tmp_path / "again.bvh") == ()
    again = read_bvh(tmp_path / "again.bvh").motion
    assert again.skeleton.names == motion.skeleton.names
    assert again.skeleton.parents == motion.skeleton.parents
    assert again.skeleton.roles == motion.skeleton.roles
    assert [site.label for site in again.skeleton.end_sites] == [site.label for site in motion.skeleton.end_sites]
    assert again.frame_time_s == motion.frame_time_s
    assert again.first_frame == motion.first_frame
    assert (again.origin.unit, again.origin.up) == (motion.origin.unit, motion.origin.up)
    assert again.origin.layout == motion.origin.layout
    np.testing.assert_array_equal(again.origin.channels, motion.origin.channels)
    if motion.rest is not None:
        np.testing.assert_array_equal(again.origin.rest_channels, motion.origin.rest_channels)
    # 1e-5 cm, in metres.
    np.testing.assert_allclose(again.world.positions, motion.world.positions, rtol=0, atol=1e-7)
    if motion.skeleton.end_sites:
        np.testing.assert_allclose(
            end_site_positions(again.skeleton, again.world),
            end_site_positions(motion.skeleton, motion.world),
            rtol=0,
            atol=1e-7,
        )


@pytest.mark.parametrize("path", recorded("cmu-bvh/*.bvh"), ids=data_name)
def test_cmu_clips_begin_with_a_rest_pose(path):
    assert read_bvh(path).motion.first_frame == 1


@pytest.mark.parametrize("path", recorded("database-30fps/*.bvh", "other-bvh/**/*.bvh"), ids=data_name)
def test_other_clips_do_not(path):
    assert read_bvh(path).motion.first_frame == 0


UNITS_AND_AXES = {
    "cmu-bvh/16_15.bvh": ("cmu", "+Y"),
    "other-bvh/accad_male1/Male1_B3_Walk.bvh": ("cm", "+Y"),
    "other-bvh/bandai/dataset-1_walk_normal_001.bvh": ("cm", "+Y"),
    "other-bvh/xia/neutral_01_000.bvh": ("cmu", "+Y"),
    "other-bvh/100style_rushed_reference.bvh": ("cm", "+Y"),
    "other-bvh/lafan1_walk4_subject1.bvh": ("cm", "+Y"),
    "other-bvh/kinect_mae_bk_cut_01.bvh": ("mm", "+Y"),
    "other-bvh/fair1_wave_hello.bvh": ("cmu", "+Z"),
    "other-bvh/makehuman_tpose.bvh": ("dm", "+Z"),
    "other-bvh/makehuman_walk1.bvh": ("dm", "+Z"),
    "other-bvh/vn_upperbody_LePhat.bvh": ("cm", "+Z"),
    "other-bvh/upf_standingIdle.bvh": ("m", "+Y"),
    "quirks/bvh_mixed_orders_zup.bvh": ("in", "+Z"),
    "quirks/bvh_4_orders_60_joints_crlf.bvh": ("in", "+Z"),
}


@pytest.mark.parametrize("name", UNITS_AND_AXES)
def test_unit_and_up_axis_are_guessed(name):
    (path,) = recorded(name)
    origin = read_bvh(path).motion.origin
    assert (origin.unit.name, origin.up) == UNITS_AND_AXES[name]


# Independent readers

COMPARED = [
    "cmu-bvh/16_15.bvh", "cmu-bvh/49_06.bvh", "database-30fps/35_02.bvh", "other-bvh/accad_male1/Male1_B3_Walk.bvh",
    "other-bvh/lafan1_walk4_subject1.bvh", "other-bvh/100style_rushed_reference.bvh",
    "other-bvh/rokoko_jesse_dance.bvh",
    "other-bvh/xia/strutting_01_000.bvh",
    "other-bvh/sfu_0005_Walking001_cut.bvh", "other-bvh/vn_upperbody_LePhat.bvh",
    "other-bvh/fair1_wave_hello.bvh", "other-bvh/bvhtoolbox_walk01.bvh", "quirks/bvh_mixed_orders_zup.bvh",
]  # fmt: skip

# What a reader cannot read, or reads otherwise than all the others do.
BEYOND = {
    ("other-bvh/accad_male1/Male1_B3_Walk.bvh", "bvhTools"): "does not split at tabs",
    ("other-bvh/bvhtoolbox_walk01.bvh", "bvhTools"): "does not split at tabs",
    ("other-bvh/fair1_wave_hello.bvh", "bvhTools"): "stumbles over a blank before the first number",
    ("other-bvh/sfu_0005_Walking001_cut.bvh", "bvhTools"): "stumbles over two blanks between numbers",
    ("other-bvh/sfu_0005_Walking001_cut.bvh", "upc-pymotion"): "counts one frame too many",
}


def in_file_terms(motion):
    """World positions in the file's unit and axes, the rest pose first, as other readers have them."""
    positions = motion.world.positions
    if motion.rest is not None:
        rest = motion.rest
        first = forward(motion.skeleton.parents, rest.root_position, rest.local_rotations, rest.local_offsets)
        positions = np.concatenate([first.positions[None], positions])
    return from_y_up(positions, motion.origin.up) / motion.origin.unit.metres


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", COMPARED)
def test_joints_are_where_independent_readers_put_them(name, reader):
    if (name, reader) in BEYOND:
        pytest.skip(f"{reader} {BEYOND[name, reader]}")
    (path,) = recorded(name)
    motion = read_bvh(path).motion
    ours = in_file_terms(motion)
    frames = [0, 1, len(ours) // 2, len(ours) - 1]
    peer = READERS[reader]()
    theirs = peer.positions(peer.read(path), frames)
    for joint, joint_name in enumerate(motion.skeleton.names):
        np.testing.assert_allclose(ours[frames, joint], theirs[joint_name], atol=1e-3, err_msg=joint_name)
