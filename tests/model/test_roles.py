"""Roles: what people expect, skeleton by skeleton; laws over all of them; bodies whose names mean nothing."""

from pathlib import Path

import numpy as np
import pytest

from model.files.bvh_hierarchy import read_hierarchy
from model.files.problems import Problems
from model.roles import Role, find_roles, mirror_pairs, mirror_role
from model.units import to_y_up
from tests.clips import DATA, figure, needs_data
from tests.model.roles_expected import OF_FILES, SKELETONS

EACH_SKELETON = pytest.mark.parametrize("expected", SKELETONS.values(), ids=SKELETONS.keys())

MAIN_ROLES = [Role.PELVIS, Role.HEAD] + [
    Role(f"{side}_{part}")
    for side in ("left", "right")
    for part in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")
]

# The skeletons of files whose offsets alone make a person standing with arms down or out, and the axis
# that points up. The others lie folded until their rotations unfold them, or call the left side right.
STANDING_AT_REST = {
    "cmu": "+Y",
    "100style": "+Y",
    "mixamo with colons": "+Y",
    "mocapbank": "+Y",
    "bvhtoolbox": "+Y",
    "fair": "+Z",
    "ipi": "+Y",
    "makehuman": "+Z",
    "makehuman connectors": "+Z",
    "mocapnet": "+Y",
    "neuron": "+Y",
    "osu": "+Y",
    "poser": "+Y",
    "sfu": "+Y",
    "mixamo with underscores": "+Y",
    "fingers in a tree": "+Y",
    "acclaim, head called neck": "+Z",
    "neck below the arms": "+Y",
    "abdomen": "+Y",
    "z up": "+Z",
    "spaces in names": "+Y",
    "biovision": "+Y",
    "acclaim as bvh": "+Y",
}

# Connectors that stand on a side without a word of it in their names.
SIDED_BY_NUMBER = {"hips2", "hips3", "chest2", "chest3", "Spine1_dum2", "Spine1_dum3"}


def bvh_files() -> list[Path]:
    return sorted(path for path in DATA.rglob("*") if path.suffix.lower() == ".bvh")


def bvh_joints(path: Path) -> tuple[tuple[str, ...], tuple[int, ...], np.ndarray]:
    """Names, parents, and (J, 3) rest positions in the file's axes and unit."""
    header = path.read_bytes().split(b"MOTION")[0].decode("utf-8-sig", "replace")
    joints = read_hierarchy(str(path), header.splitlines(), Problems()).joints
    return (
        tuple(joint.name for joint in joints),
        tuple(joint.parent for joint in joints),
        rest_positions([joint.parent for joint in joints], [joint.offset for joint in joints]),
    )


def rest_positions(parents, offsets) -> np.ndarray:
    positions = np.array(offsets, dtype=float)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            positions[joint] += positions[parent]
    return positions


def meaningless(count: int) -> list[str]:
    return [f"j{joint}" for joint in range(count)]


def joints_of(roles, wanted=MAIN_ROLES) -> dict[Role, int | None]:
    return {role: roles.index(role) if role in roles else None for role in wanted}


# The table.


@EACH_SKELETON
def test_roles_are_those_expected(expected):
    found = find_roles(expected.names, expected.parents)
    wrong = [joint for joint in zip(expected.names, found, expected.roles, strict=True) if joint[1] != joint[2]]
    assert not wrong, "name, found, expected"


@needs_data
def test_table_has_every_skeleton_of_the_recorded_clips():
    known = {expected.names: expected for expected in OF_FILES.values()}
    met = set()
    for path in bvh_files():
        names, parents, _ = bvh_joints(path)
        assert names in known, f"{path.name}: this skeleton is not in the table: {names}"
        assert parents == known[names].parents, path.name
        assert find_roles(names, parents) == known[names].roles, path.name
        met.add(names)
    assert met == set(known), "the table has skeletons that no file has"


# Laws over all skeletons.


@EACH_SKELETON
@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig_", "Character1_", "joint_", "R2D2_", "scene|Bob:", "Ana "])
def test_roles_do_not_depend_on_a_prefix(expected, prefix):
    names = [prefix + name for name in expected.names]
    assert find_roles(names, expected.parents) == expected.roles


@EACH_SKELETON
def test_roles_change_sides_when_names_do(expected):
    pairs = mirror_pairs(expected.names, expected.roles)
    names = [expected.names[pair] for pair in pairs]
    assert find_roles(names, expected.parents) == tuple(expected.roles[pair] for pair in pairs)


@pytest.mark.parametrize("key", [key for key, known in SKELETONS.items() if {*MAIN_ROLES} <= {*known.roles}])
def test_names_win_over_positions(key):
    expected = SKELETONS[key]
    positions = np.random.default_rng(3).normal(size=(len(expected.names), 3))
    assert find_roles(expected.names, expected.parents, positions) == expected.roles


@EACH_SKELETON
def test_mirror_pairs_lead_there_and_back_and_keep_the_tree(expected):
    pairs = mirror_pairs(expected.names, expected.roles)
    assert all(pairs[pairs[joint]] == joint for joint in range(len(pairs)))
    for joint, parent in enumerate(expected.parents):
        mirrored_parent = expected.parents[pairs[joint]]
        if parent >= 0 and expected.names[parent] not in SIDED_BY_NUMBER:
            assert mirrored_parent == pairs[parent], expected.names[joint]


@EACH_SKELETON
def test_mirror_pairs_follow_roles(expected):
    pairs = mirror_pairs(expected.names, expected.roles)
    for joint, role in enumerate(expected.roles):
        if role is not None and mirror_role(role) in expected.roles:
            assert expected.roles[pairs[joint]] == mirror_role(role)


# Mirror images.


def test_mirror_role_swaps_sides_and_keeps_the_centre():
    assert mirror_role(Role.LEFT_HIP) == Role.RIGHT_HIP
    assert mirror_role(Role.RIGHT_CLAVICLE) == Role.LEFT_CLAVICLE
    assert [role for role in Role if mirror_role(role) == role] == list(Role)[:5]
    assert all(mirror_role(mirror_role(role)) == role for role in Role)
    assert len(Role) == 23


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftHandThumb1", "RightHandThumb1"),
        ("LThumb", "RThumb"),
        ("lThumb1", "rThumb1"),
        ("lthumb", "rthumb"),
        ("leftEye", "rightEye"),
        ("eye.l", "eye.r"),
        ("tongue07.L", "tongue07.R"),
        ("__Index1_L", "__Index1_R"),
        ("L_Radius_RIGMESH", "R_Radius_RIGMESH"),
        ("upperarm_twist_01_l", "upperarm_twist_01_r"),
        ("DEF-thigh.L.001", "DEF-thigh.R.001"),
        ("Bip01 L Finger0", "Bip01 R Finger0"),
        ("a:LeftWing", "a:RightWing"),
        ("LEFT_ANTENNA", "RIGHT_ANTENNA"),
        ("lwhisker", "rwhisker"),
        ("TLS", "TRS"),
        ("WingLeft", "RightWing"),
    ],
)
def test_mirror_pairs_swap_the_side_in_the_name(left, right):
    assert mirror_pairs([left, "Middle", right], [None] * 3) == (2, 1, 0)


def test_mirror_pairs_keep_apart_what_differs():
    names = ["LeftEye", "RightEar", "a:LeftArm", "b:RightArm", "eye1.L", "eye2.R", "L5", "T8"]
    assert mirror_pairs(names, [None] * len(names)) == tuple(range(len(names)))


def test_mirror_pairs_of_repeated_names_go_by_order():
    names = ["LeftWing", "LeftWing", "RightWing", "RightWing"]
    assert mirror_pairs(names, [None] * 4) == (2, 3, 0, 1)


def test_mirror_pairs_of_ambiguous_letters_still_lead_back():
    names = ["LL", "LR", "RL", "RR", "lr", "rl", "ll", "rr"]
    pairs = mirror_pairs(names, [None] * len(names))
    assert [pairs[pair] for pair in pairs] == list(range(len(names)))


def test_mirror_pairs_leave_central_roles_alone():
    assert mirror_pairs(["L_Root", "R_Root"], [Role.PELVIS, None]) == (0, 1)


# Bodies whose names mean nothing.


@needs_data
@pytest.mark.parametrize("key", STANDING_AT_REST)
def test_shape_gives_the_roles_that_names_gave(key):
    expected = OF_FILES[key]
    path = next(path for path in bvh_files() if bvh_joints(path)[0] == expected.names)
    positions = to_y_up(bvh_joints(path)[2], STANDING_AT_REST[key])
    found = find_roles(meaningless(len(positions)), expected.parents, positions)
    assert joints_of(found) == joints_of(expected.roles)


@pytest.mark.parametrize("quarter_turns", range(4))
def test_shape_finds_left_wherever_the_body_faces(quarter_turns):
    skeleton = figure()
    turn = np.linalg.matrix_power(np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]), quarter_turns)
    positions = rest_positions(skeleton.parents, skeleton.offsets) @ turn.T
    assert find_roles(meaningless(len(skeleton)), skeleton.parents, positions) == skeleton.roles


def test_shape_tells_arms_that_hang_from_legs():
    skeleton = figure()
    offsets = skeleton.offsets.copy()
    for side, away in (("Left", 0.1), ("Right", -0.1)):
        for name in (f"{side}ForeArm", f"{side}Hand"):
            joint = skeleton.names.index(name)
            offsets[joint] = np.abs(offsets[joint, 0]) * np.array([away, -1.0, 0.1])
    positions = rest_positions(skeleton.parents, offsets)
    assert find_roles(meaningless(len(skeleton)), skeleton.parents, positions) == skeleton.roles


def test_shape_faces_where_knees_bend_when_there_are_no_toes():
    skeleton = figure()
    kept = [joint for joint, name in enumerate(skeleton.names) if "Toe" not in name]
    parents = [kept.index(skeleton.parents[joint]) if joint else -1 for joint in kept]
    offsets = skeleton.offsets[kept]
    for joint in kept:
        if skeleton.names[joint].endswith(("Leg", "UpLeg")):
            offsets[kept.index(joint), 2] += 0.05 * ("Up" not in skeleton.names[joint])
    positions = rest_positions(parents, offsets) * [-1.0, 1.0, -1.0]  # turned to face -Z
    wanted = tuple(skeleton.roles[joint] for joint in kept)
    assert find_roles(meaningless(len(kept)), parents, positions) == wanted


def test_shape_fills_in_the_arms_beside_named_legs():
    skeleton = figure()
    names = [
        name if "Leg" in name or "Foot" in name or "Toe" in name else f"j{joint}"
        for joint, name in enumerate(skeleton.names)
    ]
    positions = rest_positions(skeleton.parents, skeleton.offsets)
    assert find_roles(names, skeleton.parents, positions) == skeleton.roles
    # The sides of the named legs hold for the arms, even where the toes say otherwise.
    mirrored = [name.replace("Left", "*").replace("Right", "Left").replace("*", "Right") for name in names]
    wanted = [role if role is None else mirror_role(role) for role in skeleton.roles]
    assert find_roles(mirrored, skeleton.parents, positions) == tuple(wanted)


def test_meaningless_names_without_positions_give_no_roles():
    skeleton = figure()
    names = meaningless(len(skeleton))
    nowhere = np.full((len(skeleton), 3), np.nan)
    assert set(find_roles(names, skeleton.parents)) == {None}
    assert set(find_roles(names, skeleton.parents, nowhere)) == {None}


# Things that are not people, and inputs that try the limits.


def test_shape_gives_no_roles_to_a_table():
    """Four legs of three joints under a top: nothing rises above them."""
    parents, positions = [-1], [(0.0, 0.8, 0.0)]
    for x, z in ((0.5, 0.3), (-0.5, 0.3), (0.5, -0.3), (-0.5, -0.3)):
        for step, y in enumerate((0.8, 0.4, 0.0)):
            parents.append(len(parents) - 1 if step else 0)
            positions.append((x, y, z))
    assert set(find_roles(meaningless(len(parents)), parents, np.array(positions))) == {None}


def test_shape_gives_no_roles_to_a_chain():
    count = 30
    positions = np.zeros((count, 3))
    positions[:, 1] = np.linspace(0.0, 2.0, count)
    assert set(find_roles(meaningless(count), range(-1, count - 1), positions)) == {None}


def test_table_leg_is_no_leg():
    assert find_roles(["plate", "table_leg_L", "table_leg_R"], [-1, 0, 0]) == (None, None, None)


def test_two_people_in_one_file_give_each_role_once():
    one = figure()
    names = [f"{person}:{name}" for person in ("ana", "bob") for name in one.names]
    parents = [*one.parents, *(parent + len(one) if parent >= 0 else -1 for parent in one.parents)]
    found = find_roles(names, parents)
    assert found == one.roles + (None,) * len(one)
    pairs = mirror_pairs(names, found)
    assert pairs[len(one) :] == tuple(pair + len(one) for pair in pairs[: len(one)])


def test_no_joints_and_one_joint():
    assert find_roles([], []) == ()
    assert find_roles([], [], np.zeros((0, 3))) == ()
    assert mirror_pairs([], []) == ()
    assert find_roles(["thing"], [-1], np.zeros((1, 3))) == (None,)
    assert find_roles(["Hips"], [-1]) == (Role.PELVIS,)


@pytest.mark.parametrize("name", ["", " ", "::", "__", "²", "左足", "1" * 5000, "L" * 5000, "lo" * 5000 + "x", "\n"])
def test_odd_names_are_taken_as_they_come(name):
    names = [name, "LeftUpLeg", name]
    assert find_roles(names, [-1, 0, 1])[1] == Role.LEFT_HIP
    assert mirror_pairs(names, [None] * 3) == (0, 1, 2)


@pytest.mark.parametrize("shape", ["chain", "star", "comb", "roots"])
@pytest.mark.parametrize("words", [("j",), ("LeftUpLeg", "RightArm", "Spine", "Neck", "Hips", "RightUpLeg")])
def test_five_thousand_joints_of_any_shape(shape, words):
    count = 5000
    parents = {
        "chain": list(range(-1, count - 1)),
        "star": [-1] + [0] * (count - 1),
        "comb": [-1] + [joint - 1 if joint % 2 else max(joint - 2, 0) for joint in range(1, count)],
        "roots": [-1] * count,
    }[shape]
    names = [words[joint % len(words)] for joint in range(count)]
    positions = np.cumsum(np.random.default_rng(1).normal(size=(count, 3)), axis=0)
    given = [role for role in find_roles(names, parents, positions) if role is not None]
    assert len(given) == len(set(given))


def test_positions_of_the_wrong_shape_are_named():
    with pytest.raises(ValueError, match="positions"):
        find_roles(["Hips", "Head"], [-1, 0], np.zeros((3, 3)))
