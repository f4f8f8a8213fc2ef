"""Characters are plain values."""

from dataclasses import replace

import numpy as np
import pytest

from app.features import FEATURES
from editor.retarget.character import BUILT_IN, built_in, character_from, character_of
from model.character import Character, CharacterJoint
from model.roles import Role
from tests.clips import random_motion, waving_figure

SCRIPT_NAMES = FEATURES.values


@pytest.mark.parametrize("name", BUILT_IN)
def test_characters_of_the_program_have_every_role_and_are_calls_in_print(name):
    character = built_in(name)
    assert all(character.skeleton.joint(role) is not None for role in Role)
    assert repr(character) == f"built_in({name!r})"
    assert eval(repr(character), dict(SCRIPT_NAMES)) is character


def test_builds_differ_as_their_names_say():
    def share_of_legs(name):
        rest = built_in(name).skeleton.rest_positions()
        return rest[built_in(name).skeleton.joint(Role.LEFT_HIP), 1] / np.max(rest[:, 1])

    assert share_of_legs("short legs") < 0.9 * share_of_legs("average")
    assert share_of_legs("child") < share_of_legs("average") < share_of_legs("tall")
    assert np.max(built_in("child").skeleton.rest_positions()[:, 1]) < 1.2


def test_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="child, tall"):
        built_in("giant")


def test_character_of_a_motion_is_equal_by_value_and_prints_as_python():
    motion = waving_figure()
    one, other = character_of("Ann", motion), character_of("Ann", motion)
    assert one == other
    assert hash(one) == hash(other)
    assert one != character_of("Bob", motion)
    assert eval(repr(one), dict(SCRIPT_NAMES)) == one


def test_skeleton_of_a_character_is_that_of_the_motion():
    motion = waving_figure()
    made = character_of("Ann", motion).skeleton
    assert (made.names, made.parents, made.roles) == tuple(
        getattr(motion.skeleton, name) for name in ("names", "parents", "roles")
    )
    assert np.array_equal(made.offsets, motion.skeleton.offsets)
    assert [site.joint for site in made.end_sites] == sorted(site.joint for site in motion.skeleton.end_sites)


def test_limbs_that_change_are_as_long_as_they_usually_are():
    motion = random_motion(moving_limbs=True)
    made = character_of("Ann", motion)
    assert np.allclose(made.skeleton.offsets[1:], np.median(motion.local_offsets, axis=0)[1:])
    assert made.is_body_of(motion)


def test_character_knows_motions_of_its_own_body():
    motion = waving_figure()
    assert character_of("Ann", motion).is_body_of(motion)
    assert not built_in("average").is_body_of(motion)
    assert not character_from("bare", motion.skeleton.with_roles([None] * len(motion.skeleton))).is_body_of(motion)


def test_joints_that_make_no_tree_are_refused():
    root = CharacterJoint("Hips", -1, (0.0, 1.0, 0.0))
    with pytest.raises(ValueError, match="parent"):
        Character("broken", (root, replace(root, name="Spine", parent=3)))
    with pytest.raises(ValueError, match="finite"):
        Character("broken", (replace(root, offset=(0.0, np.inf, 0.0)),))
