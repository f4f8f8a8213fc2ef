"""Where feet tread."""

import numpy as np
import pytest

from editor.contacts.feet import find_limb, planted_point
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.walking.footprints import footprints
from model.clip import Take


@pytest.fixture(scope="module")
def take():
    motion, contacts = generate(Gait(1.3, seed=1), 4.0)
    return Take(motion, contacts)


def test_every_contact_leaves_one_footprint_where_the_foot_stands(take):
    found = footprints(take)
    assert len(found) == sum(len(take.contacts.limbs[foot]) for foot in ("left_foot", "right_foot"))
    assert [one.start_s for one in found] == sorted(one.start_s for one in found)
    for one in found:
        toe = planted_point(take.motion, find_limb(take.motion.skeleton, one.foot))[:, [0, 2]]
        frame = round(0.5 * (one.start_s + one.stop_s) / take.motion.frame_time_s)
        between = 0.5 * (np.array(one.heel) + np.array(one.toe))
        assert np.hypot(*(toe[frame] - between)) < 0.15


def test_feet_point_ahead_and_lie_beside_the_way(take):
    found = footprints(take)
    for one in found:
        assert one.toe[1] - one.heel[1] > 0.1  # it goes along +Z
    left, right = (np.mean([one.heel[0] for one in found if one.foot == f"{side}_foot"]) for side in ("left", "right"))
    assert left > right  # left is +X there
