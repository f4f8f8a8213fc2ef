"""Skeletons: the rules they keep and the questions they answer."""

import numpy as np
import pytest

from model.roles import Role
from model.skeleton import EndSite, Skeleton
from tests.clips import figure

OFFSETS = np.zeros((3, 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"names": ()}, "names is empty"),
        ({"parents": (-1, 0)}, "must agree"),
        ({"offsets": np.zeros((2, 3))}, "must agree"),
        ({"roles": (None,)}, "must agree"),
        ({"parents": (0, 0, 1)}, "must start with a root"),
        ({"parents": (-1, 1, 0)}, r"parents\[1\] is 1"),
        ({"parents": (-1, 2, 0)}, r"parents\[1\] is 2"),
        ({"parents": (-1, -2, 0)}, r"parents\[1\] is -2"),
        ({"offsets": np.full((3, 3), np.nan)}, "offsets must be finite"),
        ({"roles": (Role.HEAD, None, Role.HEAD)}, "one role to two joints"),
        ({"end_sites": (EndSite(3, np.zeros(3)),)}, "end_sites must name joints"),
    ],
)
def test_broken_rules_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Skeleton(**{"names": ("a", "b", "c"), "parents": (-1, 0, 1), "offsets": OFFSETS, **arguments})


def test_offsets_are_copied_and_read_only():
    offsets = np.zeros((3, 3))
    skeleton = Skeleton(("a", "b", "c"), (-1, 0, 1), offsets)
    offsets[0] = 1.0
    assert np.all(skeleton.offsets == 0.0)
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0] = 1.0


def test_joints_are_found_by_role_and_name():
    skeleton = figure()
    assert skeleton.names[skeleton.joint(Role.RIGHT_KNEE)] == "RightLeg"
    assert skeleton.joint(Role.LEFT_HAND) is None
    assert skeleton.find("Neck") == 4
    with pytest.raises(ValueError, match="no joint named 'Tail'"):
        skeleton.find("Tail")


def test_chains_and_subtrees_run_down_the_body():
    skeleton = figure()
    hips, foot = skeleton.find("Hips"), skeleton.find("LeftFoot")
    assert [skeleton.names[joint] for joint in skeleton.chain(hips, foot)] == [
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
    ]
    assert [skeleton.names[joint] for joint in skeleton.subtree(skeleton.find("LeftLeg"))] == [
        "LeftLeg",
        "LeftFoot",
        "LeftToe",
    ]
    assert skeleton.subtree(hips) == tuple(range(len(skeleton)))
    with pytest.raises(ValueError, match="does not hang below"):
        skeleton.chain(foot, hips)


def test_rest_positions_add_up_the_offsets():
    skeleton = figure()
    rest = skeleton.rest_positions()
    np.testing.assert_allclose(rest[skeleton.find("LeftFoot")], [0.09, 0.08, 0.0], atol=1e-12)
    np.testing.assert_allclose(rest[skeleton.find("RightHand")] * [-1, 1, 1], rest[skeleton.find("LeftHand")])


def test_some_joints_with_all_above_them_make_a_body_of_their_own():
    skeleton = figure()
    joints = skeleton.with_ancestors([skeleton.find("LeftToe"), skeleton.find("RightLeg")])
    legs = skeleton.reordered(joints)
    assert legs.names == ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe", "RightUpLeg", "RightLeg")
    assert legs.parents == (-1, 0, 1, 2, 3, 0, 5)
    assert [legs.names[site.joint] for site in legs.end_sites] == ["LeftToe"]
    assert legs.joint(Role.LEFT_ANKLE) == 3
    assert np.array_equal(legs.rest_positions(), skeleton.rest_positions()[list(joints)])
