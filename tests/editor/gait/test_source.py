import numpy as np
import pytest

from app.features import FEATURES
from editor.gait.parameters import Gait, Wave
from editor.gait.source import ProceduralGait
from editor.quality.figures import contact_drifts
from tests.editor.evaluated import Asked

SCRIPT_NAMES = FEATURES.values


def test_gait_walks_with_feet_that_stand_in_the_contacts_it_knows():
    take = ProceduralGait(Gait(speed_m_s=1.2), seconds=4.0, fps=30.0).make(Asked())
    assert take.motion.frames == 120
    assert abs(np.ptp(take.motion.root_positions[:, 2]) - 4.8) < 0.4
    assert np.max(contact_drifts(take.motion, take.contacts)) < 0.01
    assert len(take.contacts.limbs["left_foot"]) >= 3


def test_gait_is_the_same_for_the_same_value():
    one, other = (ProceduralGait(seconds=1.0).make(Asked()) for _ in range(2))
    assert np.array_equal(one.motion.local_rotations, other.motion.local_rotations)
    assert one.contacts == other.contacts


def test_gait_has_the_height_asked_for():
    small, tall = (ProceduralGait(seconds=0.5, height_m=height).make(Asked()).motion for height in (1.2, 1.9))
    ratio = tall.skeleton.rest_positions()[:, 1].max() / small.skeleton.rest_positions()[:, 1].max()
    assert np.isclose(ratio, 1.9 / 1.2)


def test_gait_tells_when_it_takes_more_steps_than_asked():
    usual, slow = Asked(), Asked()
    ProceduralGait(Gait(cadence_hz=1.8), seconds=0.5).make(usual)
    ProceduralGait(Gait(cadence_hz=0.8), seconds=0.5).make(slow)
    assert not usual.notes
    assert "steps" in slow.notes[0]


def test_gait_prints_as_python_and_is_a_value():
    source = ProceduralGait(Gait(speed_m_s=2.8), 3.0, wave=Wave(0.5))
    assert eval(repr(source), dict(SCRIPT_NAMES)) == source
    assert hash(source) == hash(ProceduralGait(Gait(speed_m_s=2.8), 3.0, wave=Wave(0.5)))


def test_gait_refuses_values_outside_its_ranges():
    with pytest.raises(ValueError, match="seconds is 0"):
        ProceduralGait(seconds=0.0)
