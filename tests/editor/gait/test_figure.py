"""The figure: a body of published proportions with every role."""

import numpy as np
import pytest

from editor.gait.figure import Build, figure, heel_offset, require
from model.kinematics import end_site_positions
from model.motion import rest_motion
from model.roles import Role, find_roles
from model.skeleton import Skeleton

BODIES = {
    "average": figure(),
    "child": figure(1.15, Build(leg=0.88, head=1.4)),
    "tall": figure(2.0, Build(leg=1.08)),
    "stocky": figure(1.65, Build(shoulders=1.15, hips=1.2, leg=0.93)),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_every_role_is_found_by_name_alone(body):
    assert len(body) >= 24
    assert find_roles(body.names, body.parents) == body.roles
    assert {role for role in body.roles if role} == set(Role)


@pytest.mark.parametrize(("name", "height"), [("average", 1.75), ("child", 1.15), ("tall", 2.0), ("stocky", 1.65)])
def test_it_is_as_tall_as_asked_and_stands_on_the_ground(name, height):
    body = BODIES[name]
    tips = end_site_positions(body, rest_motion(body).world)[0]
    assert tips[:, 1].max() == pytest.approx(height)
    heel = body.rest_positions()[require(body, Role.LEFT_ANKLE)] + heel_offset(body)
    assert heel[1] == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < tips[:, 1].min() < 0.02 * height


def test_lengths_are_those_of_drillis_and_contini():
    body, rest = figure(2.0), figure(2.0).rest_positions()

    def length(a, b):
        return np.linalg.norm(rest[require(body, a)] - rest[require(body, b)]) / 2.0

    assert length(Role.LEFT_HIP, Role.LEFT_KNEE) == pytest.approx(0.245)
    assert length(Role.LEFT_KNEE, Role.LEFT_ANKLE) == pytest.approx(0.246)
    assert length(Role.RIGHT_SHOULDER, Role.RIGHT_ELBOW) == pytest.approx(0.186)
    assert length(Role.RIGHT_ELBOW, Role.RIGHT_WRIST) == pytest.approx(0.146)
    assert rest[require(body, Role.LEFT_HIP), 1] / 2.0 == pytest.approx(0.530)


def test_it_stands_in_a_t_pose_facing_z_with_left_at_x_and_both_sides_alike():
    body, rest = figure(), figure().rest_positions()
    for role in Role:
        if role.value.startswith("left_"):
            left, right = rest[require(body, role)], rest[require(body, Role(role.value.replace("left", "right")))]
            np.testing.assert_allclose(left * [-1, 1, 1], right, atol=1e-12)
            assert left[0] > 0.0
    assert rest[require(body, Role.LEFT_TOE), 2] > rest[require(body, Role.LEFT_ANKLE), 2] + 0.1
    arm = rest[require(body, Role.LEFT_WRIST)] - rest[require(body, Role.LEFT_SHOULDER)]
    np.testing.assert_allclose(arm[1:], 0.0, atol=1e-12)


def test_builds_change_what_they_name():
    average, changed = figure(1.75), figure(1.75, Build(leg=1.1, arm=0.9, shoulders=1.2))

    def bone(body, role):
        return np.linalg.norm(body.offsets[require(body, role)])

    assert bone(changed, Role.LEFT_KNEE) > bone(average, Role.LEFT_KNEE)
    assert bone(changed, Role.LEFT_ELBOW) < bone(average, Role.LEFT_ELBOW)
    breadth = [body.rest_positions()[require(body, Role.LEFT_SHOULDER), 0] for body in (average, changed)]
    assert breadth[1] > 1.1 * breadth[0]


def test_impossible_bodies_are_refused_by_name():
    with pytest.raises(ValueError, match="height_m"):
        figure(0.0)
    with pytest.raises(ValueError, match="leg"):
        Build(leg=-1.0)
    with pytest.raises(ValueError, match="left_ankle"):
        heel_offset(Skeleton(("Hips",), (-1,), np.zeros((1, 3))))
