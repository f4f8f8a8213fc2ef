"""Picking: what is seen under a pixel is what is picked."""

import numpy as np
import pytest

from tests.clips import waving_figure
from tests.widgets.viewport.test_figure import solids_of
from widgets.viewport.body import make_body
from widgets.viewport.camera import Camera, Preset
from widgets.viewport.figure import Solids, posed, together
from widgets.viewport.picking import hit_distances, pick
from widgets.viewport.poses import world_at

SIZE = (1000.0, 800.0)


@pytest.fixture(scope="module")
def standing():
    motion = waving_figure()
    solids = solids_of(motion, 40.0)
    joints = world_at(motion, np.array([40.0])).positions[0]
    camera = Camera().at_preset(Preset.FRONT).framing(solids.starts, SIZE)
    return motion.skeleton, solids, joints, camera


def at(camera, point):
    pixels, _ = camera.project(point, SIZE)
    return float(pixels[0]), float(pixels[1])


@pytest.mark.parametrize("name", ["LeftForeArm", "RightHand", "LeftLeg", "RightToe", "Head", "RightArm"])
def test_joint_under_its_own_pixel_is_picked(standing, name):
    skeleton, solids, joints, camera = standing
    assert pick(solids, joints, camera, at(camera, joints[skeleton.find(name)]), SIZE) == skeleton.find(name)


@pytest.mark.parametrize(("upper", "lower"), [("LeftUpLeg", "LeftLeg"), ("RightArm", "RightForeArm")])
def test_middle_of_a_bone_picks_the_joint_that_moves_it(standing, upper, lower):
    skeleton, solids, joints, camera = standing
    middle = 0.5 * (joints[skeleton.find(upper)] + joints[skeleton.find(lower)])
    assert pick(solids, joints, camera, at(camera, middle), SIZE) == skeleton.find(upper)


def test_empty_space_picks_nothing(standing):
    _, solids, joints, camera = standing
    assert pick(solids, joints, camera, (5.0, 5.0), SIZE) is None
    assert pick(solids, np.zeros((0, 3)), camera, (500.0, 400.0), SIZE) is None


def test_arm_behind_the_trunk_is_not_picked_through_it(standing):
    skeleton, solids, joints, camera = standing
    behind = np.array(joints)
    hand = skeleton.find("LeftHand")
    behind[hand] = joints[skeleton.find("Spine1")] + [0.03, 0.03, -0.6]
    assert pick(solids, behind, camera, at(camera, behind[hand]), SIZE) != hand


def test_figure_that_is_not_edited_hides_but_is_not_picked(standing):
    skeleton, solids, joints, camera = standing
    motion = waving_figure()
    world = world_at(motion, np.array([40.0]))
    nearer = type(world)(world.positions[0] + [0.0, 0.0, 1.0], world.rotations[0])
    ahead = posed(make_body(motion), nearer, np.ones((3, 4)), pickable=False)
    both = together([solids, ahead])
    middle = 0.5 * (joints[skeleton.find("Spine")] + joints[skeleton.find("Spine1")]) + [0.05, 0.0, 0.0]
    assert pick(solids, joints, camera, at(camera, middle), SIZE) is not None
    assert pick(both, joints, camera, at(camera, middle), SIZE) is None


def test_flat_part_is_hit_across_its_width_and_missed_across_its_depth():
    shape = np.array([[0.2, 0.05, 0.2, 0.05, 1, 1, 0, 0, 0, 0]])
    plate = Solids(
        np.zeros((1, 3)),
        np.array([[0.0, 1.0, 0.0]]),
        np.array([[1.0, 0.0, 0.0]]),
        shape,
        np.ones((1, 4)),
        np.zeros(1, dtype=np.intp),
    )
    forward = np.array([0.0, 0.0, -1.0])
    aside = np.array([-1.0, 0.0, 0.0])
    assert hit_distances(plate, np.array([0.15, 0.5, 3.0]), forward)[0] == pytest.approx(3.0)
    assert np.isinf(hit_distances(plate, np.array([0.25, 0.5, 3.0]), forward)[0])
    assert np.isinf(hit_distances(plate, np.array([3.0, 0.5, 0.15]), aside)[0])
    assert np.isinf(hit_distances(plate, np.array([0.0, 0.5, -3.0]), forward)[0]), "it is behind"
