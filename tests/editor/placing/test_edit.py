import numpy as np
import pytest

from editor.contacts.edit import FootCleanUp
from editor.gait.source import ProceduralGait
from editor.placing.edit import InPlace, Mirror, Place
from editor.repair.smoothing import Smooth
from model.contacts import Contact, Contacts
from model.placing import headings_rad
from model.roles import Role, mirror_pairs
from model.rotation import from_axis_angle, rotate
from model.scope import Scope
from model.smoothing import smoothed
from tests.clips import Y, random_motion, stepping_figure, waving_figure
from tests.editor.evaluated import Asked, after, stages, take_of


@pytest.fixture(scope="module")
def walk():
    return take_of(stepping_figure(seconds=4.0, fps=30.0, turn=0.6)[0])


def test_mirror_swaps_sides_of_body_and_contacts():
    motion = waving_figure()
    contacts = Contacts(90, {"left_foot": (Contact(0, 90),), "right_foot": (Contact(3, 20),)}, 0.0)
    mirrored = Mirror("x").apply(take_of(motion, contacts), Asked())
    swapped = list(mirror_pairs(motion.skeleton.names, motion.skeleton.roles))
    expected = motion.world.positions[:, swapped] * np.array([-1.0, 1.0, 1.0])
    assert np.allclose(mirrored.motion.world.positions, expected, atol=1e-9)
    assert mirrored.contacts.limbs == {"left_foot": (Contact(3, 20),), "right_foot": (Contact(0, 90),)}


def test_mirror_across_the_body_keeps_its_place_and_heading(walk):
    mirrored = Mirror(time_s=1.0).apply(walk, Asked()).motion
    assert np.allclose(mirrored.root_positions[30], walk.motion.root_positions[30])
    assert np.isclose(headings_rad(mirrored)[30], headings_rad(walk.motion)[30])


@pytest.mark.parametrize("across", ["body", "x", "z"])
def test_mirror_twice_gives_the_motion_back(across):
    take = take_of(random_motion(20))
    twice = after(take, Mirror(across), Mirror(across)).take
    assert np.allclose(twice.motion.world.positions, take.motion.world.positions, atol=1e-9)
    assert twice.contacts == take.contacts


def test_mirror_at_half_strength_is_symmetrical():
    take = take_of(waving_figure())
    half = after(take, (Mirror("x"), Scope(strength=0.5))).take.motion
    left, right = (half.skeleton.joint(role) for role in (Role.LEFT_WRIST, Role.RIGHT_WRIST))
    assert np.allclose(half.world.positions[:, left], half.world.positions[:, right] * [-1, 1, 1], atol=1e-6)


def test_place_turns_about_the_body_and_moves_with_the_ground(walk):
    placed = Place(1.0, 0.2, 3.0, turn_rad=0.9, time_s=2.0).apply(walk, Asked())
    pivot = walk.motion.root_positions[60]
    expected = pivot + rotate(from_axis_angle(Y, 0.9), walk.motion.world.positions - pivot) + np.array([1.0, 0.2, 3.0])
    assert np.allclose(placed.motion.world.positions, expected, atol=1e-9)
    assert np.isclose(placed.contacts.ground_m, walk.contacts.ground_m + 0.2)
    assert placed.contacts.limbs == walk.contacts.limbs


def test_place_faces_where_it_is_told(walk):
    placed = Place(face_rad=-2.0, time_s=1.0).apply(walk, Asked()).motion
    assert np.isclose(headings_rad(placed)[30], -2.0)
    assert np.allclose(placed.root_positions[30], walk.motion.root_positions[30])
    half = after(walk, (Place(face_rad=-2.0, time_s=1.0), Scope(strength=0.5))).take.motion
    assert np.isclose(headings_rad(half)[30], 0.5 * (0.6 - 2.0))


def test_place_by_nothing_gives_the_take_itself(walk):
    assert Place().apply(walk, Asked()) is walk
    heading = float(headings_rad(walk.motion)[0])
    assert Place(face_rad=heading + 2.0 * np.pi).apply(walk, Asked()) is walk


def test_in_place_stays_where_it_was_and_keeps_its_sway():
    take = take_of(stepping_figure(seconds=8.0, fps=30.0)[0])
    sway = 0.04 * np.sin(2.0 * np.pi * np.arange(240) / 30.0)
    roots = np.array(take.motion.root_positions)
    roots[:, 0] += sway
    motion = type(take.motion)(
        take.motion.skeleton, 1 / 30, roots, take.motion.local_rotations, take.motion.local_offsets
    )
    stays = InPlace(time_s=0.0).apply(take_of(motion, take.contacts), Asked()).motion
    assert np.max(np.abs(stays.root_positions[:, 2] - roots[0, 2])) < 0.01
    assert np.allclose(stays.root_positions[60:180, 0], sway[60:180], atol=0.006)
    assert np.array_equal(stays.root_positions[:, 1], roots[:, 1])
    assert np.array_equal(stays.local_rotations, motion.local_rotations)


def test_in_place_pinned_does_not_move_over_the_floor(walk):
    pinned = InPlace("nothing", time_s=1.0).apply(walk, Asked()).motion
    assert np.allclose(pinned.root_positions[:, [0, 2]], walk.motion.root_positions[30, [0, 2]])


def test_in_place_at_half_strength_goes_half_as_far(walk):
    half = after(walk, (InPlace("nothing"), Scope(strength=0.5))).take.motion
    way, whole = (np.ptp(one.root_positions[:, 2]) for one in (half, walk.motion))
    assert np.isclose(way, 0.5 * whole)


@pytest.mark.parametrize("strength", [1.0, 0.5, 0.01])
def test_in_place_drops_contacts_and_tells_so(walk, strength):
    assert walk.contacts.limbs["left_foot"]
    stage = after(walk, (InPlace(), Scope(strength=strength)))
    assert stage.take.contacts.limbs == dict.fromkeys(walk.contacts.limbs, ())
    assert stage.take.contacts.ground_m == walk.contacts.ground_m
    assert stage.notes == ("Contacts are dropped: in place, feet slide over the ground.",)


@pytest.mark.parametrize("then", [Smooth(), FootCleanUp()], ids=lambda edit: edit.kind)
def test_feet_keep_sliding_in_place_under_edits_that_plant_feet(then):
    take = ProceduralGait(seconds=4.0).make(Asked())
    *_, stays, edited = stages(take, InPlace(), then)
    moved = edited.take.motion.root_positions - stays.take.motion.root_positions
    assert np.max(np.linalg.norm(moved, axis=-1)) < 0.01
    toe = take.motion.skeleton.joint(Role.LEFT_TOE)
    strides = [np.ptp(one.take.motion.world.positions[:, toe, 2]) for one in (stays, edited)]
    assert strides[1] > 0.95 * strides[0]


def test_in_place_leaves_alone_who_does_not_travel():
    take = take_of(random_motion(1))
    assert InPlace().apply(take, Asked()) is take


def test_path_of_a_straight_walk_is_the_walk():
    line = np.linspace([0.0, 0.0], [3.0, 1.0], 50)
    assert np.allclose(smoothed(line, 30.0), line)
