"""Whole motions exaggerated: how much they then move, on feet that stay where they stand."""

from dataclasses import replace

import numpy as np
import pytest

from editor.exaggerate.cartoon import filtered_turns, sharpened
from editor.exaggerate.change import Amounts, body_turns, extreme_frames
from editor.exaggerate.extent import body_extent
from editor.exaggerate.flight import raised
from editor.exaggerate.motion import exaggerated
from editor.quality import figures as quality
from model.contacts import FEET, Contact, Contacts
from model.placing import pelvis_positions
from model.roles import Role
from tests.benchmarks.exaggerate import quick_share, turned
from tests.clips import DATA, data_name, needs_data, recorded
from tests.editor.evaluated import take_of
from tests.editor.extrema.swings import hop
from tests.editor.posing.grounded.asking import Clip

SAMPLES = ("walk", "walk_fast", "run", "sneak", "march", "happy")
RECORDED = recorded(
    "cmu-bvh/16_15.bvh", "cmu-bvh/16_35.bvh", "cmu-acclaim/16_16.amc", "other-bvh/accad_male1/Male1_B9_*.bvh",
    "other-bvh/bandai/dataset-1_walk_tired_001.bvh", "cmu-acclaim/hdm05/*sneak*.amc",
)  # fmt: skip


def take(clip: Clip):
    motion = clip.motion.sliced(0, min(clip.motion.frames, 480))
    return take_of(motion)


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request):
    return take(Clip.sample(request.param))


def judge(before, amounts=(0.0, 0.5, 1.0, 1.5, 2.0, 3.0)):
    """Extents by amount; on the way it is checked that the motion stays sound."""
    frames = extreme_frames(before)
    base = quality.measure(before.motion, before.contacts)
    extents = []
    for amount in amounts:
        after = exaggerated(before, Amounts(amount))
        found = quality.measure(after.motion, after.contacts, [before.motion])
        assert found.stretch_percent < 0.01
        assert found.contact_drift_worst_cm < base.contact_drift_worst_cm + 0.2
        assert found.penetration_cm < base.penetration_cm + 0.3
        assert found.jerk_ratio < 1.5 * max(amount, 1.0)
        assert found.step_ratio < 1.6 + 0.5 * amount
        extents.append(body_extent(after.motion, frames) / body_extent(before.motion, frames))
    return np.array(extents)


def test_samples_move_more_the_larger_the_amount(sample):
    extents = judge(sample)
    assert np.all(np.diff(extents) > 0.0)
    assert extents[2] == pytest.approx(1.0, abs=1e-6)
    assert 0.35 < extents[1] < 0.8
    assert 1.25 < extents[4] < 2.2


@needs_data
@pytest.mark.parametrize("path", RECORDED, ids=data_name)
def test_recordings_move_more_the_larger_the_amount(path):
    extents = judge(take(Clip.read(path)))
    assert np.all(np.diff(extents) > 0.0)
    assert 0.4 < extents[1] < 0.7
    assert 1.45 < extents[4] < 2.2


@pytest.mark.parametrize("scope", ["body", "joints"])
@pytest.mark.parametrize("space", ["cartesian", "rotation"])
def test_every_way_makes_steps_longer_and_keeps_feet_planted(scope, space):
    before = take(Clip.sample("walk"))
    after = exaggerated(before, Amounts(1.6, space), scope)
    assert pelvis_positions(after.motion)[-1, 2] > 1.1 * pelvis_positions(before.motion)[-1, 2]
    drifts = [quality.contact_drifts(one.motion, one.contacts).max() for one in (before, after)]
    assert drifts[1] < drifts[0] + 0.002


def test_nothing_changes_where_there_is_no_share():
    before = take(Clip.sample("walk"))
    shares = np.linspace(-1.0, 1.0, before.motion.frames).clip(0.0)
    after = exaggerated(before, Amounts(2.0), shares=shares)
    early = slice(0, before.motion.frames // 4)
    assert np.allclose(after.motion.world.positions[early], before.motion.world.positions[early], atol=1e-6)
    assert np.max(np.abs(after.motion.local_rotations - before.motion.local_rotations)[-30:]) > 0.02
    assert exaggerated(before, Amounts(2.0), shares=0.0 * shares) is before


def test_legs_that_are_kept_go_the_way_they_went():
    before = take(Clip.sample("walk"))
    after = exaggerated(before, Amounts(2.0, keep_legs=True))
    skeleton = before.motion.skeleton
    for role in (Role.PELVIS, Role.LEFT_TOE, Role.RIGHT_KNEE):
        joint = skeleton.joint(role)
        assert np.allclose(after.motion.world.positions[:, joint], before.motion.world.positions[:, joint], atol=1e-6)
    wrist = skeleton.joint(Role.LEFT_WRIST)
    assert np.max(np.abs(after.motion.world.positions - before.motion.world.positions)[:, wrist]) > 0.05


@pytest.mark.parametrize("frame", [0, 70])
def test_body_stays_where_it_was_at_a_moment(frame):
    before = take(Clip.sample("walk"))
    after = exaggerated(before, Amounts(2.0), stays=frame)
    moved = pelvis_positions(after.motion) - pelvis_positions(before.motion)
    assert np.allclose(moved[frame, [0, 2]], 0.0, atol=1e-9)
    assert np.max(np.abs(moved[:, 2])) > 0.1


def jump():
    motion, top_s = hop()
    flight = [round(time / motion.frame_time_s) for time in (0.85, 1.75)]
    contacts = {name: (Contact(0, flight[0]), Contact(flight[1], motion.frames)) for name in FEET}
    return take_of(motion, Contacts(motion.frames, contacts, 0.0)), round(top_s / motion.frame_time_s), flight


@pytest.mark.parametrize("amount", [0.5, 2.0])
def test_jumps_go_as_many_times_as_high_and_land_where_they_did(amount):
    before, top, (start, stop) = jump()
    heights = pelvis_positions(before.motion)[:, 1]
    higher = raised(before.motion, before.contacts, amount)
    arc = heights[top] - 0.5 * (heights[start - 1] + heights[stop])
    assert higher[top] == pytest.approx((amount - 1.0) * arc, rel=0.02)
    assert np.all(higher[:start] == 0.0)
    assert np.all(higher[stop:] == 0.0)
    with_jumps, without = (exaggerated(before, Amounts(amount), jumps=jumps).motion for jumps in (True, False))
    assert np.allclose(with_jumps.root_positions - without.root_positions, higher[:, None] * [0.0, 1.0, 0.0], atol=1e-9)


def test_runs_have_no_jumps():
    before = take(Clip.sample("run"))
    assert not np.any(raised(before.motion, before.contacts, 2.0))


def test_cartoon_filter_doubles_waves_of_its_period_and_leaves_slow_ones():
    time = np.arange(600.0)
    for period, gain in ((60.0, 1.0), (600.0, 0.027)):
        wave = np.sin(2.0 * np.pi * time / period)
        added = sharpened(wave[:, None], 60.0)[:, 0]
        assert np.allclose(added[200:400], gain * wave[200:400], atol=0.01)


def test_cartoon_filter_adds_more_quick_movement_than_exaggeration_does():
    """Figure 8.11, without root translation, at equal extent."""
    before = take(Clip.sample("walk"))
    motion, frames = before.motion, extreme_frames(before)
    ours = turned(motion, body_turns(before, Amounts(2.0)))
    amounts = np.linspace(1.0, 6.0, 26)
    extents = [body_extent(turned(motion, filtered_turns(motion, Amounts(amount))), frames) for amount in amounts]
    equal = float(np.interp(body_extent(ours, frames), extents, amounts))
    theirs = turned(motion, filtered_turns(motion, Amounts(equal)))
    assert quick_share(ours) < quick_share(theirs)


def test_bodies_without_roles_or_feet_are_exaggerated_too():
    before = take(Clip.sample("walk"))
    nameless = before.motion.skeleton.with_roles([None] * len(before.motion.skeleton))
    bare = take_of(replace(before.motion, skeleton=nameless))
    after = exaggerated(bare, Amounts(2.0))
    assert np.all(np.isfinite(after.motion.world.positions))
    assert after is not bare


def test_recorded_clips_are_where_they_are_expected():
    assert not DATA.is_dir() or len(RECORDED) == 6
