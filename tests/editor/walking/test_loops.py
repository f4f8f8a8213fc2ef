"""Loop sequences: where they start and end, how they close, and why some clips have none."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gait.cycles import find_cycles
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality.figures import contact_drifts, penetration_cm, seam
from editor.walking.candidates import NoLoopError, ranked
from editor.walking.loops import find_loop
from editor.walking.phase import KEYS, Phases
from editor.walking.straight import prepared
from model.clip import Take
from model.contacts import FEET
from model.files.formats import read_motion
from model.roles import Role
from model.rotation import from_axis_angle, multiply
from tests.clips import DATA, needs_data, stepping_figure
from tests.editor.evaluated import take_of


@pytest.fixture(scope="module")
def walk():
    return Take(*generate(Gait(1.35, seed=2), 6.0))


@pytest.fixture(scope="module")
def run():
    return Take(*generate(Gait(3.2, seed=2), 4.0))


def test_loop_starts_and_ends_in_the_middle_of_left_stances(walk):
    best = ranked(prepared(walk, 60.0))[0]
    middles = find_cycles(walk.motion, walk.contacts).mid_stances("left_foot")
    assert best.foot == "left_foot"
    assert best.start in middles
    assert min(abs(best.stop - middle) for middle in middles) <= 4
    assert best.steps % 2 == 0


@pytest.mark.parametrize("which", ["walk", "run"])
def test_twenty_loops_close_without_a_seam_and_drift_nowhere(which, request):
    take = request.getfixturevalue(which)
    loop = find_loop(take)
    played = loop.travelling(20)
    for n in range(1, 20):
        jump, ratio = seam(played.motion, n * loop.frames)
        assert jump < 0.5
        assert ratio < 1.0
    drifts = contact_drifts(played.motion, played.contacts)
    assert np.max(drifts) < 0.003
    roots = played.motion.root_positions.reshape(20, loop.frames, 3)
    assert np.allclose(roots[-1] - roots[0], [0.0, 0.0, 19 * loop.advance_m], atol=1e-9)
    assert loop.speed_m_s == pytest.approx(find_cycles(take.motion, take.contacts).speed_m_s, rel=0.05)
    assert loop.running == (which == "run")


def test_loop_goes_straight_ahead_on_a_floor_at_zero_wherever_the_clip_went():
    motion, _ = stepping_figure(seconds=5.0, ground=0.7, turn=2.0)
    loop = find_loop(take_of(motion))
    played = loop.travelling(3)
    assert np.max(np.abs(played.motion.root_positions[:, 0])) < 0.02
    assert np.all(np.diff(played.motion.root_positions[:, 2]) > 0.0)
    assert penetration_cm(played.motion, 0.0) < 0.3


def test_loop_at_another_rate_is_as_fast(walk):
    assert find_loop(walk, 30.0).speed_m_s == pytest.approx(find_loop(walk).speed_m_s, rel=0.02)


def test_clip_that_turns_gently_gives_a_straight_loop():
    loop = find_loop(Take(*generate(Gait(1.3, seed=2), 6.0, turn_rad_s=0.25)))
    played = loop.travelling(8)
    assert np.ptp(played.motion.root_positions[:, 0]) < 0.12
    assert np.max(contact_drifts(played.motion, played.contacts)) < 0.003


def test_right_foot_loop_is_given_where_only_that_exists():
    motion, contacts = generate(Gait(1.3, seed=2), 8.0)
    rights = [one for one in contacts.limbs["right_foot"] if one.start > 0]
    start, stop = rights[1].start - 3, rights[2].stop + 3
    part = Take(motion.sliced(start, stop), contacts.at(np.arange(float(start), float(stop))))
    best = ranked(prepared(part, 60.0))[0]
    assert best.foot == "right_foot"
    assert find_loop(part).steps == 2


@pytest.mark.parametrize("late", [True, False], ids=["cut at its end", "cut at its start"])
def test_clip_that_cuts_its_stances_is_looped_between_like_frames_of_them(late):
    motion, contacts = generate(Gait(1.3, seed=2), 8.0)
    first, second = [one for one in contacts.limbs["left_foot"] if one.start > 0][1:3]
    if late:  # a stance and a little of the next
        start, stop = first.start - 2, second.start + 6
    else:  # the last of a stance and the next
        start, stop = first.stop - 6, second.stop + 2
    part = Take(motion.sliced(start, stop), contacts.at(np.arange(float(start), float(stop))))
    loop = find_loop(part)
    assert loop.steps == 2
    assert abs(loop.frames - (second.start - first.start)) <= 3
    played = loop.travelling(6)
    whole = {
        foot: tuple(one for one in held if one.start > 0 and one.stop < played.motion.frames)
        for foot, held in played.contacts.limbs.items()
    }
    assert np.max(contact_drifts(played.motion, replace(played.contacts, limbs=whole))) < 0.003
    assert loop.seam_cm < 0.5
    for foot in FEET:
        assert loop.leaves[foot] - loop.strikes[foot] == pytest.approx(first.stop - first.start, abs=4)


@pytest.mark.parametrize(
    ("take", "says"),
    [
        (lambda: Take(*generate(Gait(0.0), 3.0)), "stands"),
        (lambda: Take(*generate(Gait(1.3), 0.9)), "whole foot-plant"),
        (lambda: Take(*generate(Gait(0.9), 6.0, turn_rad_s=1.5)), "turns by"),
    ],
)
def test_clips_without_a_loop_say_why(take, says):
    with pytest.raises(NoLoopError, match=says):
        find_loop(take())


def test_clip_whose_stances_are_never_alike_says_so():
    motion, contacts = generate(Gait(1.3), 3.4)
    rotations = np.array(motion.local_rotations)
    spine = motion.skeleton.joint(Role.SPINE)
    bent = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.linspace(0.0, 4.0, motion.frames))
    rotations[:, spine] = multiply(bent, rotations[:, spine])
    with pytest.raises(NoLoopError, match="cm apart where it would close"):
        find_loop(Take(replace(motion, local_rotations=rotations), contacts))


def test_stances_of_a_single_frame_make_a_loop(run):
    """At so few frames a second that a runner's foot is seen to stand for one or two of them."""
    rate = 15.0
    frames = np.arange(0.0, run.motion.frames - 1.0, run.motion.fps / rate)
    slow = Take(run.motion.resampled(rate), run.contacts.at(np.arange(0.0, run.motion.frames, run.motion.fps / rate)))
    assert slow.motion.frames >= len(frames) - 1
    loop = find_loop(slow)
    assert all(len(loop.strikes[foot]) == loop.cycles for foot in FEET)
    Phases.of(loop)


def test_clip_without_feet_says_why(walk):
    nameless = walk.motion.skeleton.with_roles([None] * len(walk.motion.skeleton))
    from editor.contacts.detect import find_contacts

    motion = replace(walk.motion, skeleton=nameless)
    with pytest.raises(NoLoopError, match="no foot"):
        find_loop(Take(motion, find_contacts(motion)))


def test_phases_meet_the_key_times_of_walks_and_runs(walk, run):
    for take in (walk, run):
        loop = find_loop(take)
        phases = Phases.of(loop)
        at = phases.frames_at(phases.strikes["left_foot"]) % loop.frames
        assert np.allclose(np.sort(at), np.sort(loop.strikes["left_foot"]), atol=0.51)
        fine = np.linspace(-3.0, 7.0, 500)
        assert np.all(np.diff(phases.frames_at(fine)) > 0.0)
        assert np.allclose(phases.phases_at(phases.frames_at(fine)), fine, atol=1e-6)
        step = 1e-6
        slopes = (phases.frames_at(fine + step) - phases.frames_at(fine - step)) / (2.0 * step)
        assert np.allclose(phases.slopes_at(fine), slopes, rtol=1e-3)
    # Both feet are down where a walk changes feet, and in the air where a run does.
    walking, running = Phases.of(find_loop(walk)), Phases.of(find_loop(run))
    assert np.allclose(walking.strikes["right_foot"] % 1.0, KEYS[1])
    assert np.allclose(running.strikes["right_foot"] % 1.0, KEYS[2])
    assert np.allclose(running.leaves["left_foot"] % 1.0, KEYS[1])


RECORDED = [
    "cmu-acclaim/16_58.amc", "cmu-acclaim/16_35.amc", "cmu-acclaim/16_45.amc", "cmu-bvh/104_44.bvh",
    "other-bvh/accad_male1/Male1_B3_Walk.bvh", "other-bvh/bandai/dataset-1_walk_old_001.bvh",
]  # fmt: skip


@needs_data
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_walks_and_runs_give_loops(name):
    motion = read_motion(DATA / name).motion
    loop = find_loop(take_of(motion))
    played = loop.travelling(6)
    assert np.max(contact_drifts(played.motion, played.contacts)) < 0.003
    assert loop.seam_angular_ratio < 1.0
    assert loop.seam_cm < (0.5 if motion.fps > 60.0 else 1.0)
    for foot in FEET:
        assert len(loop.strikes[foot]) == loop.cycles
