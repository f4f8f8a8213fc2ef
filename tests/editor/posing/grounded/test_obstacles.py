"""Clips over boxes, stairs and ramps: feet on top and out of the ground, knees as they bend, nothing snaps."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.feet import find_limb, limb_points
from model.contacts import FEET
from model.ground import Box, Ground, Ramp
from model.roles import Role
from model.rotation import conjugate
from tests.clips import DATA, needs_data, stepping_figure
from tests.editor.posing.grounded.asking import Clip
from tests.editor.posing.grounded.obstacles import KINDS, flipped, in_the_way, judged

RECORDED = {
    "CMU run": ("cmu-bvh/16_45", "stairs"),
    "CMU jump": ("cmu-bvh/16_01", "platform"),
    "ACCAD walk": ("other-bvh/accad_male1/Male1_B3_Walk", "box"),
    "Bandai walk": ("other-bvh/bandai/dataset-1_walk_normal_001", "ramp"),
    "Bandai run": ("other-bvh/bandai/dataset-2_run_normal_001", "hurdle"),
}


def check(clip, kind):
    _, figures = judged(clip, in_the_way(clip, kind))
    assert figures.deeper_cm < 0.1
    assert figures.drift_cm < 0.1
    assert figures.floating_cm < 1.0
    assert figures.flipped == 0
    assert figures.jerk_ratio < 1.5
    assert figures.step_ratio < 1.8
    assert figures.stretch_percent < 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["walk", "run"])
def test_samples_go_over_everything(name, kind):
    check(Clip.sample(name), kind)


@needs_data
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_clips_go_over_what_is_in_their_way(name):
    path, kind = RECORDED[name]
    check(Clip.read(DATA / f"{path}.bvh"), kind)


def test_foot_beside_a_step_rises_before_it_goes_on():
    """Where the toe is hardly from the step when it leaves the floor, the foot would be snapped up in two frames."""
    clip = Clip.sample("sneak")
    ground = in_the_way(clip, "platform")
    result, figures = judged(clip, ground)
    limb = find_limb(result.skeleton, "right_foot")
    rising = np.diff(result.world.positions[:, limb.end, 1]) / result.frame_time_s
    assert np.max(rising) < 4.5
    assert figures.step_ratio < 1.5


@pytest.mark.parametrize("slope", [0.1, 0.25])
def test_feet_lie_flat_on_a_slope(slope):
    clip = Clip.sample("walk")
    far = float(clip.motion.root_positions[-1, 2])
    ground = Ground(clip.contacts.ground_m).adding(Ramp((0.0, -3.0), (0.0, far + 3.0), 6.0, (0.0, slope * (far + 6.0))))
    result = clip.solve(ground=ground).motion
    for name in FEET:
        limb = find_limb(result.skeleton, name)
        was, now = (limb_points(motion, limb) for motion in (clip.motion, result))
        for one in clip.contacts.limbs[name]:
            frame = (one.start + one.stop) // 2
            apart = now[frame, :, 1] - ground.heights(now[frame][:, [0, 2]])
            before = was[frame, :, 1] - clip.contacts.ground_m
            assert np.allclose(apart, before, atol=0.012)


def test_only_frames_near_new_ground_are_worked_on_and_others_stay():
    clip = Clip.of(stepping_figure(seconds=12.0)[0])
    box = Box((0.0, float(clip.motion.root_positions[360, 2])), (2.0, 0.8), 0.15)
    floor = Ground(clip.contacts.ground_m)
    solution = clip.solve(ground=floor.adding(box))
    start, stop = solution.frames
    assert 0 < start < 360 < stop < clip.motion.frames
    for frames in (slice(0, start), slice(stop, None)):
        assert np.array_equal(solution.motion.local_rotations[frames], clip.motion.local_rotations[frames])
        assert np.allclose(solution.motion.root_positions[frames], clip.motion.root_positions[frames], atol=1e-12)
    far = Box((30.0, 0.0), (1.0, 1.0), 0.2)
    whole = clip.solve(ground=floor.adding(box, Box((0.0, -0.3), (0.5, 0.05), 1e-9), far)).motion
    assert np.allclose(solution.motion.world.positions, whole.world.positions, atol=0.003)
    assert clip.solve(ground=floor.adding(far)).motion is clip.motion


def test_knees_that_bend_the_other_way_are_told():
    motion = Clip.sample("walk").motion
    knee = motion.skeleton.joint(Role.LEFT_KNEE)
    rotations = np.array(motion.local_rotations)
    rotations[:, knee] = conjugate(rotations[:, knee])
    assert flipped(motion, motion) == 0
    assert flipped(motion, replace(motion, local_rotations=rotations)) > 100
