from dataclasses import replace

import numpy as np
import pytest

from editor.repair.edit import RepairFrames
from model.rotation import IDENTITY
from tests.clips import random_motion
from tests.editor.evaluated import Asked, after, take_of


def lost(frames=slice(40, 44)):
    """A good clip, and the same with frames without a pose."""
    good = random_motion(120)
    rotations = np.array(good.local_rotations)
    rotations[frames] = IDENTITY
    return good, replace(good, local_rotations=rotations)


def test_lost_frames_are_made_anew():
    good, bad = lost()
    repaired = after(take_of(bad), RepairFrames()).take.motion
    assert np.max(np.abs(repaired.world.positions - good.world.positions)) < 0.02
    assert np.array_equal(repaired.local_rotations[:40], good.local_rotations[:40])


def test_good_clip_is_given_back_itself():
    take = take_of(random_motion(120))
    assert RepairFrames().apply(take, Asked()) is take


def test_what_is_not_asked_for_is_left():
    _, bad = lost()
    take = take_of(bad)
    assert RepairFrames(zeroed=False).apply(take, Asked()) is take


def test_named_spans_are_made_anew_whatever_they_show():
    take = take_of(random_motion(120))
    repaired = RepairFrames(spans=((1.0, 1.2), (99.0, 100.0))).apply(take, Asked()).motion
    changed = np.any(repaired.local_rotations != take.motion.local_rotations, axis=(1, 2))
    assert list(np.flatnonzero(changed)) == list(range(30, 36))


def test_span_must_have_a_length():
    with pytest.raises(ValueError, match="length"):
        RepairFrames(spans=((1.0, 1.0),))
