from dataclasses import replace

import numpy as np
import pytest

from editor.timing.edit import Resample, Retime, Trim
from model.contacts import Contact, Contacts
from model.motion import Origin
from model.rotation import conjugate, multiply, to_rotation_vector
from model.scope import Scope
from model.time_map import shifted
from model.units import METRE
from tests.clips import random_motion, stepping_figure
from tests.editor.evaluated import Asked, after, positions_at, stages, take_of


def take_of_frames(frames=40, contact=(10, 20)):
    return take_of(random_motion(frames), Contacts(frames, {"left_foot": (Contact(*contact),)}, 0.1))


def test_trim_keeps_both_ends_and_maps_contacts():
    take = take_of_frames()
    trimmed = Trim(15 / 30, 30 / 30).apply(take, Asked())
    assert np.array_equal(trimmed.motion.local_rotations, take.motion.local_rotations[15:31])
    assert trimmed.contacts == Contacts(16, {"left_foot": (Contact(0, 5),)}, 0.1)


@pytest.mark.parametrize(("start", "stop", "kept"), [
    (None, None, 40), (None, 0.5, 16), (1.0, None, 10), (-3.0, 99.0, 40), (1.0, 1.0, 1), (0.51, 0.55, 1),
])  # fmt: skip
def test_trim_keeps_the_frames_in_its_range(start, stop, kept):
    assert Trim(start, stop).apply(take_of_frames(), Asked()).motion.frames == kept


def test_trim_of_nothing_gives_the_take_itself():
    take = take_of_frames()
    for edit in (Trim(), Trim(0.0, 39 / 30), Trim(-1.0, 2.0)):
        assert edit.apply(take, Asked()) is take


def test_trim_at_half_strength_cuts_half_as_much():
    trimmed = after(take_of_frames(41), (Trim(10 / 30, 20 / 30), Scope(strength=0.5)))
    assert trimmed.take.motion.frames == 41 - 5 - 10
    assert np.isclose(trimmed.time_map(5 / 30), 0.0)


@pytest.mark.parametrize("edit", [Trim(0.41, 0.42), Trim(5.0, None), Trim(None, -1.0)])
def test_trim_that_leaves_nothing_says_so(edit):
    stage = stages(take_of_frames(), edit)[-1]
    assert stage.failed
    assert "leave nothing" in stage.notes[0]


def test_trim_must_not_run_backwards():
    with pytest.raises(ValueError, match="backwards"):
        Trim(2.0, 1.0)


def test_trim_carries_the_files_numbers_and_frame_count():
    motion = random_motion(40)
    origin = Origin("a.bvh", METRE, "+Y", ((),), np.arange(40.0)[:, None])
    trimmed = Trim(1.0).apply(take_of(replace(motion, origin=origin)), Asked()).motion
    assert trimmed.first_frame == 30
    assert trimmed.origin.channels[0, 0] == 30.0


def test_retime_at_a_constant_speed_changes_the_length():
    take = take_of_frames(61, (20, 40))
    slow = after(take, Retime(((1.0, 0.5),)))
    assert slow.take.motion.frames == 121
    assert np.allclose(slow.take.motion.root_positions[::2], take.motion.root_positions, atol=1e-9)
    (contact,) = slow.take.contacts.limbs["left_foot"]
    assert abs(contact.start - 40) <= 1
    assert abs(contact.stop - 80) <= 1
    fast = after(take, Retime(((1.0, 2.0),)))
    assert np.allclose(fast.take.motion.root_positions, take.motion.root_positions[::2], atol=1e-9)


def test_retime_shows_every_moment_where_its_map_says():
    motion, _ = stepping_figure(seconds=4.0, fps=120.0)
    take = take_of(motion)
    stage = after(take, Retime(((1.0, 1.0), (1.5, 0.3), (2.5, 3.0))))
    for times, tolerance_m in ((np.linspace(0.1, 2.0, 40), 0.002), (np.linspace(2.0, 3.8, 40), 0.02)):
        # Where it runs three times as fast, frames are too far apart for straight lines between them.
        assert np.allclose(positions_at(stage, times), positions_at(after(take), times), atol=tolerance_m)
    rate = np.diff(stage.time_map(np.array([1.499, 1.501, 2.999, 3.001])))[[0, 2]] / 0.002
    assert np.allclose(rate, [1.0 / 0.3, 1.0 / 3.0], rtol=1e-3)


def test_retime_changes_speed_without_a_step():
    motion, _ = stepping_figure(seconds=4.0, fps=30.0)
    slow = after(take_of(motion), Retime(((1.0, 1.0), (1.5, 0.25), (2.5, 0.25), (3.0, 1.0)))).take.motion
    step = np.linalg.norm(np.diff(slow.root_positions, axis=0), axis=-1)  # the body goes at one speed
    assert np.max(np.abs(np.diff(step))) < 0.15 * np.max(step)
    assert np.isclose(np.max(step) / np.min(step), 4.0, rtol=0.01)


def test_slow_motion_is_smooth_between_the_recorded_frames():
    motion = random_motion(40)
    slow = Retime(((0.0, 0.25),)).apply(take_of_frames(), Asked()).motion
    jumps, straight_jumps = (
        np.diff(to_rotation_vector(multiply(q[1:], conjugate(q[:-1]))), axis=0)
        for q in (slow.local_rotations, motion.resampled(4.0 * motion.fps).local_rotations)
    )
    assert np.max(np.abs(jumps)) < 0.55 * np.max(np.abs(straight_jumps))


def test_retime_at_half_strength_runs_at_the_root_of_the_speed():
    stage = after(take_of_frames(61), (Retime(((0.0, 0.25),)), Scope(strength=0.5)))
    assert stage.take.motion.frames == 121


def test_retime_without_effect_gives_the_take_itself():
    take = take_of_frames()
    for edit in (Retime(), Retime(((0.0, 1.0), (2.0, 1.0)))):
        assert edit.apply(take, Asked()) is take
        assert edit.time_map(take, Asked()).is_identity


def test_retime_speeds_up_at_its_moment_whatever_was_cut_off():
    edit, take = Retime(((1.0, 1.0), (1.2, 4.0))), take_of_frames(91)
    late = Asked(time_map=shifted(-0.5))
    ahead, behind = edit.time_map(take, Asked()), edit.time_map(take, late)
    moments = np.array([1.0, 1.1, 1.2, 1.5])
    assert np.allclose(np.diff(ahead(moments)), np.diff(behind(moments - 0.5)), atol=1e-6)


@pytest.mark.parametrize("speeds", [((0.0, 0.0),), ((0.0, -1.0),), ((1.0, 1.0), (1.0, 2.0)), ((2.0, 1.0), (1.0, 2.0))])
def test_retime_refuses_speeds_that_are_none(speeds):
    with pytest.raises(ValueError, match="speeds"):
        Retime(speeds)


def test_resample_to_a_rate_that_divides_picks_frames():
    take = take_of_frames(41)
    resampled = Resample(10.0).apply(take, Asked())
    assert np.array_equal(resampled.motion.local_rotations, take.motion.local_rotations[::3])
    assert resampled.contacts == Contacts(14, {"left_foot": (Contact(4, 7),)}, 0.1)
    assert np.isclose(resampled.motion.fps, 10.0)


def test_resample_to_the_same_rate_gives_the_take_itself():
    take = take_of_frames()
    assert Resample(30.0).apply(take, Asked()) is take


def test_resample_puts_rounded_frame_times_right():
    motion = replace(random_motion(1201), frame_time_s=0.0083328)
    stage = after(take_of(motion), Resample(30.0))
    assert stage.take.motion.frames == 301
    assert np.isclose(stage.time_map(1200 * 0.0083328), 10.0, atol=1e-12)
