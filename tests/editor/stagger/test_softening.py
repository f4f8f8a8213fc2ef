"""Joints at moments of their own jerk no more than the motion did, and all that is calm stays as it is."""

from dataclasses import replace

import numpy as np

from editor.quality import figures as quality
from editor.stagger.softening import softened
from model.rotation import angle_between, from_axis_angle
from tests.editor.stagger.pendulum import FPS, LINKS, angles_of, pendulum

Z = np.array([0.0, 0.0, 1.0])
LATE = 12
HERE = np.arange(1001)


def twitch(at, wide=4.0):
    """(F,) a sudden turn to and fro."""
    return 0.3 * np.exp(-0.5 * ((HERE - at) / wide) ** 2)


def turned(motion, link, angles):
    """A pendulum with one of its links turned further by angles (F,)."""
    rotations = np.array(motion.local_rotations)
    rotations[:, link] = from_axis_angle(Z, angles_of(motion)[:, link] + angles)
    return replace(motion, local_rotations=rotations)


def late(*frames):
    """(F, J) the moments that links show which are so many frames late."""
    return (HERE[:, None] - np.array(frames)) / FPS


def nearly_one(motion):
    """A pendulum whose first two joints lie side by side, as in many a hip."""
    offsets = np.array(LINKS.offsets)
    offsets[1] *= 0.02
    return replace(motion, skeleton=replace(LINKS, offsets=offsets), local_offsets=offsets)


def test_twitches_that_made_up_for_each_other_do_not_show_when_they_are_drawn_apart():
    moments = (203, 377, 611, 820)
    before, after = nearly_one(pendulum()), nearly_one(pendulum(late=(0, LATE, LATE)))
    for at in moments:
        here, later = 0.15 * twitch(at), 0.15 * twitch(at + LATE)
        before = turned(turned(before, 0, here), 1, -here)
        after = turned(turned(after, 0, here), 1, -later)
    assert quality.jerk_p99(after) > 10.0 * quality.jerk_p99(before)
    soft = softened(before, after, late(0, LATE, LATE))
    assert quality.jerk_p99(soft) < 1.5 * quality.jerk_p99(before)
    # Only that is smoothed: far from it joints are where they were.
    far = np.min(np.abs(HERE[:, None] - moments), axis=1) > 0.7 * FPS
    assert np.sum(far) > 100
    assert np.max(angle_between(soft.local_rotations, after.local_rotations)[far]) < 1e-4


def test_what_happens_later_may_be_as_sudden_as_it_was():
    before = turned(pendulum(), 1, twitch(500, wide=3.0))
    after = turned(pendulum(late=(0, LATE, 0)), 1, twitch(500 + LATE, wide=3.0))
    too_early = turned(pendulum(), 1, twitch(500 - 2 * LATE, wide=3.0))
    changes = [
        np.max(angle_between(softened(before, one, late(0, LATE, 0)).local_rotations, one.local_rotations))
        for one in (after, too_early)
    ]
    assert changes[0] < 0.005
    assert changes[1] > 0.1


def test_calm_motion_and_motion_without_moved_joints_is_the_very_same():
    before, after = pendulum(), pendulum(late=(0, 15, 30))
    assert softened(before, after, late(0, 15, 30)) is after
    jerky = turned(before, 1, twitch(500))
    assert softened(before, jerky, late(0, 0, 0)) is jerky
    short = replace(after, root_positions=after.root_positions[:5], local_rotations=after.local_rotations[:5])
    assert softened(short, short, late(0, 15, 30)[:5]) is short


def test_links_above_the_moved_one_keep_their_very_numbers():
    before = pendulum()
    after = turned(before, 1, twitch(500))
    soft = softened(before, after, late(0, LATE, 0))
    assert soft is not after
    assert np.array_equal(soft.local_rotations[:, 0], after.local_rotations[:, 0])
    assert np.array_equal(soft.root_positions, after.root_positions)


def test_softening_comes_gradually():
    """A little more of a twitch makes a little difference, whether it is smoothed by then or not."""
    before = pendulum()
    sizes = np.linspace(0.0, 0.6, 61)
    results = [softened(before, turned(before, 1, size * twitch(500)), late(0, LATE, 0)) for size in sizes]
    angles = np.stack([angles_of(one)[:, 1] for one in results])
    off = np.max(np.abs(angles[-1] - angles_of(before)[:, 1]))
    assert off < 0.75 * 0.6 * np.max(twitch(500)), "it is smoothed"
    assert np.max(np.abs(np.diff(angles, axis=0))) < 3.0 * 0.01 * np.max(twitch(500))


def test_bones_that_stretch_are_left_alone():
    """Where bones and turns make up for each other, one without the other would show."""
    before = pendulum()
    after = turned(before, 1, twitch(500))
    assert softened(before, after, late(0, LATE, 0)) is not after
    offsets = np.tile(LINKS.offsets, (1001, 1, 1))
    offsets[:, 2, 1] += 0.02 * np.sin(0.1 * HERE)
    stretching = [replace(one, local_offsets=offsets) for one in (before, after)]
    assert softened(*stretching, late(0, LATE, 0)) is stretching[1]
