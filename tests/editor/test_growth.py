"""What long clips cost: memory grows with the frames, and no faster."""

from dataclasses import replace

import numpy as np
import pytest

from editor.curves import body_errors, spline_fit, turning_points
from editor.curves.reduce import Tolerance, reduce_to_keys
from editor.exaggerate.change import body_knots
from editor.exaggerate.stance import find_headings
from editor.posing.grounded.curves import faded
from editor.repair.smoothing import Smooth
from editor.stagger.softening import softened
from editor.walking import candidates
from editor.walking.candidates import ranked
from editor.walking.straight import prepared
from model.extremes import Extreme, ExtremeKind, Extremes
from model.rotation import from_rotation_vector
from model.smoothing import smoothed
from tests.clips import random_motion, stepping_figure
from tests.editor.evaluated import Asked, take_of
from tests.memory import peak_bytes


def growth(call_at, length):
    """How many times the memory is needed for twice the length. call_at : makes what is to be called for a length."""
    short, long = (peak_bytes(call_at(count)) for count in (length, 2 * length))
    return long / short


def test_twice_the_extremes_need_twice_the_memory():
    def knots(count):
        motion = random_motion(4 * count)
        last_s = motion.duration_s
        moments = np.linspace(0.0, last_s, count + 2)[1:-1]
        found = (Extreme(0.0, ExtremeKind.FIRST), *map(Extreme, moments.tolist()), Extreme(last_s, ExtremeKind.LAST))
        _ = motion.world
        headings = find_headings(motion)
        return lambda: body_knots(motion, Extremes(found), headings)

    assert growth(knots, 100) < 2.5


def test_twice_the_poses_over_twice_the_frames_need_twice_the_memory():
    def fades(count):
        centres = np.arange(5.0, 10.0 * count, 10.0)
        values = np.ones((count, 3))
        wide = np.full(count, np.inf)
        return lambda: faded(np.arange(10.0 * count), centres, values, wide, wide)

    assert growth(fades, 300) < 2.5


def test_poses_fade_as_far_as_their_neighbours_let_them():
    frames = np.arange(0.0, 41.0)
    value = faded(frames, np.array([10.0, 20.0]), np.array([1.0, -2.0]), np.array([4.0, 99.0]), np.array([99.0, 5.0]))
    assert value[[10, 20]].tolist() == [1.0, -2.0]
    assert not np.any(value[:7])
    assert np.all(value[7:10] > 0.0)
    assert value[15] == pytest.approx(-0.5)  # half of each
    assert np.all(value[21:25] < 0.0)
    assert not np.any(value[25:])


def test_smoothing_many_curves_takes_little_more_room_than_they_do():
    values = np.moveaxis(np.random.default_rng(1).normal(size=(64, 40_000)), -1, 0)
    assert peak_bytes(lambda: smoothed(values, 20.0)) < 2.5 * values.nbytes


def test_smoothing_a_walk_takes_little_more_room_than_its_legs_do():
    motion, _ = stepping_figure(seconds=200.0)
    take = take_of(motion)
    motion.forget_world()
    Smooth().apply(take_of(motion.sliced(0, 60)), Asked())  # what it imports counts for nothing
    assert peak_bytes(lambda: Smooth().apply(take, Asked())) < 7.0 * motion.local_rotations.nbytes


def test_reducing_to_keys_takes_little_more_room_than_the_channels_do(monkeypatch):
    motion, times_s, tolerance = random_motion(4000), np.arange(4000.0) / 30.0, Tolerance(centimetres=10.0)
    reduce_to_keys(motion.sliced(0, 60), times_s[:60], tolerance)  # what it imports counts for nothing
    whole = reduce_to_keys(motion, times_s, tolerance, joints=[0, 1, 8])
    motion.forget_world()
    for module, size in ((body_errors, "_SECTION"), (turning_points, "_BLOCK"), (spline_fit, "_BLOCK")):
        monkeypatch.setattr(module, size, 1 << 12)
    by_sections = []

    def reduce():
        by_sections.append(reduce_to_keys(motion, times_s, tolerance, joints=[0, 1, 8]))

    assert peak_bytes(reduce) < 4.0 * motion.local_rotations.nbytes
    assert by_sections[0].curves == whole.curves


def test_softening_joints_takes_little_more_room_than_they_do():
    rng = np.random.default_rng(1)
    before = random_motion(6000)
    _ = before.world
    jerky = from_rotation_vector(0.2 * rng.normal(size=(6000, len(before.skeleton), 3)))
    after = replace(before, local_rotations=jerky)
    shown_s = (np.arange(6000.0) * before.frame_time_s)[:, None] + np.full(len(before.skeleton), 0.1)
    assert softened(before, after, shown_s) is not after
    assert peak_bytes(lambda: softened(before, after, shown_s)) < 9.0 * before.local_rotations.nbytes


def test_the_best_loop_is_the_same_where_only_some_cycles_are_compared(monkeypatch):
    motion, _ = stepping_figure(seconds=16.0, fps=30.0)
    take = prepared(take_of(motion), motion.fps)
    of_all = ranked(take)[0]
    monkeypatch.setattr(candidates, "_MOST_COMPARED", 5)
    of_some = ranked(take)[0]
    assert (of_some.start, of_some.stop, of_some.steps) == (of_all.start, of_all.stop, of_all.steps)
    assert of_some.misses_m == pytest.approx(of_all.misses_m, abs=0.01)
