"""Bodies: parts where the joints are, in the colours of their sides, of sensible sizes, for any skeleton."""

import numpy as np
import pytest

from model.files.formats import read_motion
from model.motion import Motion, rest_motion
from model.roles import Role
from model.rotation import from_axis_angle, multiply, rotate
from model.skeleton import EndSite, Skeleton
from tests.clips import Y, data_name, figure, needs_data, random_motion, recorded, stepping_figure, waving_figure
from tests.widgets.viewport.stage import blob
from widgets.viewport.body import joint_sides, make_body
from widgets.viewport.figure import posed
from widgets.viewport.modelling import CENTRE, LEFT, RIGHT
from widgets.viewport.outlines import half_axes, hulls
from widgets.viewport.poses import frames_at, front_yaw, world_at

PAINTS = np.array([[0, 0, 1, 1], [1, 0, 0, 1], [0.5, 0.5, 0.5, 1]], dtype=float)


def solids_of(motion, frame=0.0, paints=PAINTS):
    world = world_at(motion, np.array([frame]))
    return posed(make_body(motion), type(world)(world.positions[0], world.rotations[0]), paints)


def test_left_limbs_are_left_and_the_trunk_is_neither():
    skeleton = figure()
    sides = joint_sides(skeleton)
    for name, side in (
        ("LeftArm", LEFT), ("LeftHand", LEFT), ("LeftToe", LEFT), ("RightUpLeg", RIGHT), ("RightHand", RIGHT),
        ("Hips", CENTRE), ("Chest", CENTRE), ("Head", CENTRE), ("LeftShoulder", CENTRE),
    ):  # fmt: skip
        assert sides[skeleton.find(name)] == side, name


def test_parts_in_the_left_colour_are_on_the_left_of_a_standing_figure():
    solids = solids_of(rest_motion(figure()))
    middles = 0.5 * (solids.starts + solids.ends)
    assert np.all(middles[solids.colours[:, 2] == 1.0, 0] > 0.0)
    assert np.all(middles[solids.colours[:, 0] == 1.0, 0] < 0.0)


def test_every_role_but_the_clavicle_is_met_by_a_part():
    motion = waving_figure()
    solids = solids_of(motion, 20.0)
    joints = world_at(motion, np.array([20.0])).positions[0]
    for role in Role:
        joint = motion.skeleton.joint(role)
        if joint is None or role.endswith("clavicle"):
            continue
        away = np.min(_distances(solids, joints[joint]))
        assert away < 0.05, role


def test_figure_stands_as_tall_as_its_person_and_its_soles_near_the_ground():
    solids = solids_of(rest_motion(figure()))
    ends = np.stack([solids.starts, solids.ends], axis=1)
    radii = np.min(solids.radii, axis=-1)
    assert np.max(ends[..., 1] + radii) == pytest.approx(1.75, abs=0.1)
    assert np.min(ends[..., 1] - radii) == pytest.approx(0.0, abs=0.05)


def test_person_twice_as_large_has_parts_twice_as_large():
    skeleton = figure()
    small = rest_motion(skeleton)
    large = rest_motion(type(skeleton)(skeleton.names, skeleton.parents, 2.0 * skeleton.offsets, (), skeleton.roles))
    bare = rest_motion(type(skeleton)(skeleton.names, skeleton.parents, skeleton.offsets, (), skeleton.roles))
    np.testing.assert_allclose(make_body(large).shapes[:, :4], 2.0 * make_body(bare).shapes[:, :4])
    assert len(make_body(small).joints) > 30


def test_parts_move_with_the_body_as_a_whole():
    motion = random_motion(frames=12)
    turn, shift = from_axis_angle(Y, 0.9), np.array([3.0, 0.5, -2.0])
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    roots = rotate(turn, motion.root_positions) + shift
    moved = Motion(motion.skeleton, motion.frame_time_s, roots, rotations, motion.local_offsets)
    body = make_body(motion)
    for frame in (0.0, 4.5):
        poses = [world_at(one, np.array([frame])) for one in (motion, moved)]
        before, after = (posed(body, type(p)(p.positions[0], p.rotations[0]), PAINTS) for p in poses)
        np.testing.assert_allclose(after.starts, rotate(turn, before.starts) + shift, atol=1e-9)
        np.testing.assert_allclose(after.ends, rotate(turn, before.ends) + shift, atol=1e-9)


def test_frames_of_parts_are_right_angled_and_unit():
    solids = solids_of(random_motion(frames=12), 3.0)
    axes = np.stack(solids.frames(), axis=1)
    np.testing.assert_allclose(axes @ np.swapaxes(axes, 1, 2), np.broadcast_to(np.eye(3), axes.shape), atol=1e-9)


def test_body_without_roles_has_a_part_a_bone():
    motion = rest_motion(blob())
    solids = solids_of(motion)
    assert len(solids) == 4
    assert np.all(solids.colours == PAINTS[CENTRE])
    np.testing.assert_allclose(solids.ends[-1], motion.world.positions[0, 4], atol=1e-12)


def test_lone_joint_can_be_seen():
    skeleton = blob()
    lone = type(skeleton)(("point",), (-1,), np.zeros((1, 3)))
    assert len(solids_of(rest_motion(lone))) == 1


def test_joints_that_are_no_numbers_give_parts_that_are():
    motion = waving_figure()
    roots = np.array(motion.root_positions)
    roots[:] = np.nan
    broken = Motion(motion.skeleton, motion.frame_time_s, roots, motion.local_rotations, motion.local_offsets)
    solids = solids_of(broken)
    for values in (solids.starts, solids.ends, solids.sides, solids.shapes):
        assert np.all(np.isfinite(values))


def test_moments_between_frames_lie_between_and_known_worlds_give_the_same():
    motion = random_motion(frames=12)
    fresh = world_at(motion, np.array([3.0, 3.5, 4.0]))
    np.testing.assert_allclose(fresh.positions[1], 0.5 * (fresh.positions[0] + fresh.positions[2]), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(fresh.rotations, axis=-1), 1.0)
    known = random_motion(frames=12)
    assert known.world is not None
    again = world_at(known, np.array([3.0, 3.5, 4.0]))
    np.testing.assert_allclose(again.positions, fresh.positions, atol=1e-12)
    np.testing.assert_allclose(again.rotations, fresh.rotations, atol=1e-12)


def test_times_outside_the_motion_are_its_ends():
    motion = random_motion(frames=12)
    np.testing.assert_allclose(frames_at(motion, np.array([-5.0, 0.0, 99.0])), [0.0, 0.0, 11.0])


@pytest.mark.parametrize("turn_deg", [0.0, 40.0, 90.0, -130.0])
def test_front_is_where_the_figure_faces(turn_deg):
    motion, _ = stepping_figure(seconds=1.0, turn=np.radians(turn_deg))
    assert np.degrees(front_yaw(motion)) == pytest.approx(turn_deg, abs=1e-6)


def test_front_of_a_figure_that_almost_faces_an_axis_is_on_it():
    motion, _ = stepping_figure(seconds=1.0, turn=np.radians(97.0))
    assert np.degrees(front_yaw(motion)) == pytest.approx(90.0)
    assert front_yaw(rest_motion(blob())) == 0.0


@needs_data
@pytest.mark.parametrize(
    "path",
    recorded("cmu-bvh/02_01.bvh", "cmu-acclaim/07_01.amc", "other-bvh/*/*1.bvh", "quirks/*joints*.bvh")[:8],
    ids=data_name,
)
def test_recorded_bodies_are_made_of_finite_parts_near_their_joints(path):
    motion = read_motion(path).motion
    solids = solids_of(motion, 0.5 * (motion.frames - 1))
    joints = world_at(motion, np.array([0.5 * (motion.frames - 1)])).positions[0]
    height = np.max(np.ptp(joints, axis=0))
    for values in (solids.starts, solids.ends):
        assert np.all(np.isfinite(values))
        away = np.min(np.linalg.norm(values[:, None] - joints, axis=-1), axis=1)
        assert np.max(away) < 0.2 * height
    assert np.all(solids.radii > 0.0)
    assert np.max(solids.radii) < 0.15 * height


def altered(offsets=None, added=(), sites=None):
    """The figure with some offsets changed, joints (name, parent, offset) added, and end sites replaced."""
    known = figure()
    names = known.names + tuple(name for name, _, _ in added)
    parents = known.parents + tuple(names.index(parent) for _, parent, _ in added)
    places = np.concatenate([known.offsets, np.array([offset for *_, offset in added]).reshape(-1, 3)])
    for name, offset in (offsets or {}).items():
        places[names.index(name)] = offset
    kept = [site for site in known.end_sites if known.names[site.joint] not in {name for name, _ in sites or ()}]
    new = [EndSite(names.index(name), np.array(offset)) for name, offset in sites or ()]
    return Skeleton(names, parents, places, tuple(kept + new), known.roles + (None,) * len(added))


def widths_up(solids, low, high):
    """Half the width of the widest part in the middle at heights from one point to another; 0 where there is none."""
    found = []
    for height in np.linspace(low[1], high[1], 25):
        here = np.abs(solids.starts[:, 1] + solids.ends[:, 1] - 2 * height) <= np.abs(
            solids.starts[:, 1] - solids.ends[:, 1]
        )
        trunk = here & np.all(solids.colours == PAINTS[CENTRE], axis=-1) & (np.abs(solids.starts[:, 0]) < 0.05)
        found.append(np.max(solids.radii[trunk, :, 0], initial=0.0))
    return np.array(found)


def test_trunk_reaches_the_hips_where_its_lowest_joint_is_in_the_breast():
    skeleton = altered(
        {"Hips": (0, 1.20, 0), "Spine": (0, 0.02, 0), "Spine1": (0, 0.02, 0), "Chest": (0, 0.02, 0),
         "LeftUpLeg": (0.09, -0.31, 0), "RightUpLeg": (-0.09, -0.31, 0)},
    )  # fmt: skip
    widths = widths_up(solids_of(rest_motion(skeleton)), (0, 0.96, 0), (0, 1.30, 0))
    assert np.min(widths) > 0.08


def test_trunk_is_made_where_spine_and_pelvis_hang_beside_each_other():
    known = figure()
    names = ("Root", *known.names)
    parents = (-1, *(0 if parent == 0 and name == "Spine" else parent + 1 for name, parent in
                     zip(known.names, known.parents, strict=True)))  # fmt: skip
    offsets = np.concatenate([[[0, 0.94, 0]], [[0, 0, 0]], known.offsets[1:]])
    skeleton = Skeleton(names, parents, offsets, (), (None, *known.roles))
    widths = widths_up(solids_of(rest_motion(skeleton)), (0, 0.96, 0), (0, 1.35, 0))
    assert np.min(widths) > 0.08


def test_lone_helpers_beside_the_limbs_are_not_drawn_but_tails_and_fingers_are():
    plain = len(solids_of(rest_motion(figure())))
    helper = altered(added=[("Mesh", "RightForeArm", (0.0, 1.0, 0.0))], sites=[("Mesh", (0.0, 0.5, 0.0))])
    assert len(solids_of(rest_motion(helper))) == plain
    tail = altered(added=[("Tail1", "Hips", (0, 0, -0.2)), ("Tail2", "Tail1", (0, 0, -0.2))])
    assert len(solids_of(rest_motion(tail))) == plain + 2
    sword = altered(added=[("Sword", "RightHand", (-0.05, 0.8, 0.0))])
    assert len(solids_of(rest_motion(sword))) > plain


@pytest.mark.parametrize(
    "sites",
    [[("Head", (0.2, 0, 0))], [("Head", (0, 0.06, 0.09)), ("Head", (0, 0.17, 0.02))], [("Head", (0, 0, 0))]],
    ids=["crown aside", "eyes first", "no crown"],
)
def test_head_is_upright_wherever_the_rig_has_its_crown(sites):
    skeleton = altered(sites=sites)
    solids = solids_of(rest_motion(skeleton))
    of_head = solids.joints == skeleton.find("Head")
    head = rest_motion(skeleton).world.positions[0, skeleton.find("Head")]
    middles = 0.5 * (solids.starts + solids.ends)[of_head] - head
    nose = middles[np.argmin(np.max(solids.radii[of_head], axis=(-1, -2)))]
    assert nose[2] > 0.06
    assert abs(nose[0]) < 0.01
    assert np.max(middles[:, 1]) > abs(np.max(np.abs(middles[:, 0])))


def test_trunk_that_bends_has_no_gap_at_its_back():
    skeleton = figure()
    rest = rest_motion(skeleton)
    rotations = np.array(rest.local_rotations)
    rotations[:, skeleton.find("Spine")] = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(60.0))
    bent = Motion(skeleton, rest.frame_time_s, rest.root_positions, rotations, rest.local_offsets)
    solids = solids_of(bent)
    spine = bent.world.positions[0, skeleton.find("Spine")]
    # Seen from the side, halfway between the two directions of the back at the bend.
    outward = np.array([0.0, np.sin(np.radians(30.0)), -np.cos(np.radians(30.0))])
    ends = np.stack([solids.starts, solids.ends], axis=1)
    outlines = hulls(ends[..., [2, 1]], half_axes(solids)[..., [2, 1]], 64)
    beyond = (spine + 0.06 * outward)[[2, 1]]
    assert any(_is_inside(outline, beyond) for outline in outlines)


def _is_inside(outline, point):
    """Whether a point is in a convex outline (D, 2)."""
    along, away = np.roll(outline, -1, axis=0) - outline, point - outline
    turns = along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]
    return np.all(turns >= 0.0) or np.all(turns <= 0.0)


def _distances(solids, point):
    """(N,) from a point to the middle line of each part."""
    along = solids.ends - solids.starts
    share = np.sum((point - solids.starts) * along, axis=-1) / np.maximum(np.sum(along * along, axis=-1), 1e-12)
    return np.linalg.norm(solids.starts + np.clip(share, 0, 1)[:, None] * along - point, axis=-1)
