"""Walks along paths: feet that stand, a path that is kept, strides and lean that fit its bends."""

import itertools
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from editor.contacts.feet import find_limb
from editor.gait.cycles import find_cycles
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality.figures import contact_drifts, jerk_p99, largest_step, penetration_cm
from editor.walking.balance import GRAVITY_M_S2, accelerations, centre_of_mass, lean_rad
from editor.walking.rounding import rounded
from editor.walking.standing import Pacing
from editor.walking.styles import style_of
from editor.walking.travel import stride_scales
from editor.walking.walk import UNDER_WAY_PHASE, Ends, Switch, walk_along
from model.clip import Take
from model.contacts import FEET
from model.motion import rest_motion
from model.placing import headings_rad, pelvis_positions
from model.roles import Role
from model.rotation import swing_twist, to_rotation_vector
from tests.clips import figure
from tests.editor.walking.test_rounding import circle


@pytest.fixture(scope="module")
def clips():
    return {
        "walk": Take(*generate(Gait(1.3, seed=2), 6.0)),
        "slow": Take(*generate(Gait(0.8, seed=4), 6.0)),
        "run": Take(*generate(Gait(3.0, seed=5), 4.0)),
    }


def styles(clips, *names):
    return tuple(style_of(clips[name], clips[names[0]]) for name in names)


PATHS = {
    "line": np.array([[0.0, 0.0], [0.0, 8.0]]),
    "wide circle": circle(3.0),
    "narrow circle": circle(1.0, points=61),
    "corner": np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 4.0]]),
    "hairpin": np.array([[0.0, 0.0], [0.0, 4.0], [0.1, 0.0]]),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("names", [("walk",), ("walk", "run", "slow")], ids=["one style", "three styles"])
def test_feet_stand_and_steps_alternate_on_any_path(clips, path, names):
    curve = rounded(PATHS[path])
    switches = [Switch(n * curve.length_m / len(names), n) for n in range(1, len(names))]
    walk = walk_along(curve, styles(clips, *names), switches)
    motion, contacts = walk.take.motion, walk.take.contacts
    assert np.max(contact_drifts(motion, contacts)) < 0.003
    assert penetration_cm(motion, 0.0) < 0.3
    steps = [step.foot for step in find_cycles(motion, contacts).steps]
    assert all(before != after for before, after in itertools.pairwise(steps))
    references = [clips[name].motion for name in names]
    assert jerk_p99(motion) < 1.5 * max(jerk_p99(one) for one in references)
    assert largest_step(motion) < 1.5 * max(largest_step(one) for one in references)
    assert walk.arc_m[0] == pytest.approx(0.0, abs=1e-3)
    assert walk.arc_m[-1] == pytest.approx(curve.length_m, abs=0.1)


def test_feet_tread_on_the_path(clips):
    for name in ("line", "wide circle", "narrow circle"):
        curve = rounded(PATHS[name])
        walk = walk_along(curve, styles(clips, "walk"))
        steps = find_cycles(walk.take.motion, walk.take.contacts).steps
        middles = np.array([0.5 * (a.place + b.place)[[0, 2]] for a, b in itertools.pairwise(steps)])
        fine = curve.places(np.linspace(-1.0, curve.length_m + 1.0, 3000))
        off = np.min(np.hypot(*(middles[:, None] - fine).transpose(2, 0, 1)), axis=1)
        assert np.mean(off) < 0.05, name


def test_walk_on_a_line_is_the_loop_itself(clips):
    (style,) = styles(clips, "walk")
    frames = np.rint(style.phases.frames_at(np.array([UNDER_WAY_PHASE, 5.68])))  # to just before a foot lands
    length = float(frames[1] - frames[0]) * style.loop.speed_m
    walk = walk_along(rounded(np.array([[0.0, 0.0], [0.0, length]])), (style,))
    played = style.loop.travelling(8).motion
    offset = int(np.rint(style.phases.frames_at(np.array(1.0 + UNDER_WAY_PHASE))))
    there = played.world.positions[offset : offset + 200]
    here = walk.take.motion.world.positions[:200]
    moved = here - there
    moved -= moved[0, 0]
    assert np.max(np.abs(moved)) < 0.01


def test_cadence_is_the_clips_own_on_a_straight(clips):
    walk = walk_along(rounded(PATHS["line"]), styles(clips, "walk"))
    own = find_cycles(clips["walk"].motion, clips["walk"].contacts).cadence_per_min
    assert find_cycles(walk.take.motion, walk.take.contacts).cadence_per_min == pytest.approx(own, rel=0.05)


@pytest.mark.parametrize(("radius", "shorter"), [(3.0, 0.095), (1.0, 0.286), (0.573, 0.5)])
def test_strides_shorten_as_the_path_bends(radius, shorter):
    curve = rounded(circle(radius, points=201))
    arc = np.linspace(0.5, curve.length_m - 0.5, 200)
    assert np.median(1.0 - stride_scales(curve, arc)) == pytest.approx(shorter, abs=0.012)


def test_steps_on_a_circle_are_shorter_by_that_much(clips):
    lengths = {}
    for name in ("line", "narrow circle"):
        walk = walk_along(rounded(PATHS[name]), styles(clips, "walk"))
        steps = find_cycles(walk.take.motion, walk.take.contacts).steps[2:-2]
        lengths[name] = np.mean(
            [np.hypot(*(a.place - b.place)[[0, 2]]) for a, b in zip(steps, steps[2:], strict=False)]
        )
    assert lengths["narrow circle"] / lengths["line"] == pytest.approx(1.0 - 0.286, abs=0.05)


@pytest.mark.parametrize("name", ["walk", "slow"])
def test_body_leans_into_a_bend_as_its_speed_asks(clips, name):
    radius = 3.0
    for side in (1.0, -1.0):
        walk = walk_along(rounded(circle(radius) * [side, 1.0]), styles(clips, name))
        inside = slice(len(walk.arc_m) // 4, -len(walk.arc_m) // 4)
        speed = np.mean(np.diff(walk.arc_m[inside])) / walk.take.motion.frame_time_s
        expected = side * np.arctan(speed**2 / radius / GRAVITY_M_S2)  # the circle turns right, as x grows
        assert np.degrees(np.max(np.abs(walk.lean_rad[inside] - expected))) < 2.0


def test_body_moves_in_and_feet_stay_on_the_path(clips):
    walk = walk_along(rounded(circle(3.0)), styles(clips, "walk"))
    way = pelvis_positions(walk.take.motion)[:, [0, 2]]
    away = np.hypot(way[:, 0] - 3.0, way[:, 1])
    assert 0.02 < 3.0 - np.mean(away[60:-60]) < 0.12


def test_switch_changes_the_style_about_where_it_says(clips):
    walk = walk_along(rounded(np.array([[0.0, 0.0], [0.0, 16.0]])), styles(clips, "walk", "slow"), [Switch(8.0, 1)])
    speed = np.gradient(walk.arc_m, walk.take.motion.frame_time_s)
    assert np.median(speed[walk.arc_m < 6.0]) == pytest.approx(1.3, rel=0.05)
    assert np.median(speed[walk.arc_m > 10.0]) == pytest.approx(0.8, rel=0.05)
    middle = np.interp(8.0, walk.arc_m, speed)
    assert 0.8 < middle < 1.3


def test_switches_close_together_at_the_ends_and_back_are_walked(clips):
    curve = rounded(PATHS["line"])
    switches = [Switch(0.0, 1), Switch(0.2, 0), Switch(3.0, 2), Switch(3.1, 1), Switch(7.9, 0), Switch(50.0, 2)]
    walk = walk_along(curve, styles(clips, "walk", "slow", "run"), switches)
    assert np.all(np.diff(walk.arc_m) > 0.0)
    assert np.max(contact_drifts(walk.take.motion, walk.take.contacts)) < 0.01


def test_speed_factors_quicken_and_slow_the_walk(clips):
    curve = rounded(np.array([[0.0, 0.0], [0.0, 12.0]]))
    usual, slow = (walk_along(curve, styles(clips, "walk"), (), factors) for factors in ((), ((0.0, 0.7),)))
    assert slow.take.motion.frames / usual.take.motion.frames == pytest.approx(1.0 / 0.7, rel=0.05)
    assert np.max(contact_drifts(slow.take.motion, slow.take.contacts)) < 0.003


def test_runners_slow_down_where_they_would_be_flung_out(clips):
    walk = walk_along(rounded(circle(1.0, points=61)), styles(clips, "run"))
    speed = np.gradient(walk.arc_m, walk.take.motion.frame_time_s)
    assert np.max(speed[60:-60] ** 2) < 3.6 * 1.1


def test_acceleration_of_a_circle_points_to_its_centre():
    times = np.linspace(0.0, 6.0, 50)
    pushed = accelerations(lambda t: 2.0 * np.stack([np.cos(0.5 * t), np.sin(0.5 * t)], axis=-1), times)
    expected = -0.5 * np.stack([np.cos(0.5 * times), np.sin(0.5 * times)], axis=-1)
    assert np.allclose(pushed, expected, atol=1e-3)


def test_lean_of_no_push_is_none_and_of_gravity_half_a_right_angle_at_most():
    assert np.array_equal(lean_rad(np.zeros(3), np.zeros(3), 1.0), np.zeros(3))
    assert np.degrees(lean_rad(np.array([1.0]), np.zeros(1), 1.0)[0]) == pytest.approx(5.82, abs=0.01)


def test_centre_of_mass_is_in_the_belly():
    centre = centre_of_mass(rest_motion(figure()))[0]
    assert abs(centre[0]) < 0.01
    assert 0.9 < centre[1] < 1.2


def test_contacts_are_those_of_both_feet_in_turn(clips):
    walk = walk_along(rounded(PATHS["line"]), styles(clips, "walk"))
    for foot in FEET:
        lengths = [one.stop - one.start for one in walk.take.contacts.limbs[foot][1:-1]]
        assert np.ptp(lengths) <= 2


@pytest.mark.parametrize("names", [("walk",), ("run",), ("slow", "walk")])
@pytest.mark.parametrize("path", ["line", "corner", "narrow circle"])
def test_walk_begins_and_ends_standing(clips, names, path):
    curve = rounded(PATHS[path])
    switches = [Switch(0.5 * curve.length_m, 1)] if len(names) > 1 else []
    walk = walk_along(curve, styles(clips, *names), switches, (), Ends(True, True))
    motion, contacts = walk.take.motion, walk.take.contacts
    assert np.max(contact_drifts(motion, contacts)) < 0.003
    assert penetration_cm(motion, 0.0) < 0.3
    assert walk.arc_m[[0, -1]] == pytest.approx([0.0, curve.length_m], abs=0.02)
    still = round(0.3 / motion.frame_time_s)
    for part in (slice(0, still), slice(-still, None)):
        assert np.max(np.ptp(motion.world.positions[part], axis=0)) < 0.01
        assert all(np.all(contacts.mask(foot)[part]) for foot in FEET)
    feet = [step.foot for step in find_cycles(motion, contacts).steps]
    assert all(before != after for before, after in pairwise(feet))
    references = [clips[name].motion for name in names]
    assert jerk_p99(motion) < 1.5 * max(jerk_p99(one) for one in references)
    assert largest_step(motion) < 1.5 * max(largest_step(one) for one in references)
    speed = np.gradient(walk.arc_m, motion.frame_time_s)
    pushes = np.abs(np.gradient(speed, motion.frame_time_s))
    assert np.max(pushes) < 8.0


@pytest.mark.parametrize("name", ["walk", "slow", "run"])
def test_walk_that_is_under_way_ends_standing(clips, name):
    walk = walk_along(rounded(PATHS["line"]), styles(clips, name), (), (), Ends(stops_standing=True))
    motion, contacts = walk.take.motion, walk.take.contacts
    assert np.max(contact_drifts(motion, contacts)) < 0.003
    still = slice(-round(0.3 / motion.frame_time_s), None)
    assert np.max(np.ptp(motion.world.positions[still], axis=0)) < 0.01
    assert all(np.all(contacts.mask(foot)[still]) for foot in FEET)
    feet = [step.foot for step in find_cycles(motion, contacts).steps]
    assert all(before != after for before, after in pairwise(feet))


def test_pacing_leads_there_and_back():
    pacing = Pacing(6.0, 0.8, 0.5)
    assert pacing.length_s == pytest.approx(0.4 + 0.8 + 6.0 + 0.5 + 0.4)
    play = np.linspace(0.001, 5.999, 200)
    assert np.allclose(pacing.to_play(pacing.to_take(play)), play, atol=2e-3)
    times = np.linspace(0.0, pacing.length_s, 2000)
    assert np.all(np.diff(pacing.to_play(times)) >= 0.0)
    plain = Pacing(6.0)
    assert np.array_equal(plain.to_play(times), times)


def test_short_paths_are_walked(clips):
    for length in (0.35, 0.8, 1.5):
        curve = rounded(np.array([[0.0, 0.0], [0.0, length]]))
        for ends in (Ends(), Ends(True, True)):
            walk = walk_along(curve, styles(clips, "walk"), (), (), ends)
            assert np.all(np.isfinite(walk.take.motion.world.positions))
            assert walk.arc_m[-1] == pytest.approx(length, abs=0.1)


def test_feet_are_lifted_less_on_short_strides(clips):
    lifts = {}
    for name in ("line", "narrow circle"):
        motion = walk_along(rounded(PATHS[name]), styles(clips, "walk")).take.motion
        limb = find_limb(motion.skeleton, "left_foot")
        lifts[name] = np.ptp(motion.world.positions[30:-30, limb.end, 1])
    assert 0.6 < lifts["narrow circle"] / lifts["line"] < 0.97


def test_arms_swing_less_where_one_turns_on_the_spot(clips):
    walk = walk_along(rounded(PATHS["hairpin"]), styles(clips, "walk"))
    motion = walk.take.motion
    wrist, pelvis = motion.skeleton.joint(Role.LEFT_WRIST), motion.skeleton.joint(Role.PELVIS)
    speed = np.linalg.norm(
        np.diff(motion.world.positions[:, wrist] - motion.world.positions[:, pelvis], axis=0), axis=-1
    )
    turning = walk.scales[1:] < 0.4
    assert np.mean(speed[turning]) < 0.8 * np.mean(speed[walk.scales[1:] > 0.95])


def test_closed_path_is_walked_round_to_where_it_began(clips):
    square = np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]])
    curve = rounded(square, closed=True)
    walk = walk_along(curve, styles(clips, "walk"))
    motion = walk.take.motion
    way = pelvis_positions(motion)[:, [0, 2]]
    assert np.hypot(*(way[0] - way[-1])) < 0.15
    assert np.max(contact_drifts(motion, walk.take.contacts)) < 0.003
    headings = np.unwrap(headings_rad(motion))
    assert abs(headings[-1] - headings[0]) == pytest.approx(2.0 * np.pi, abs=0.3)
    assert largest_step(motion) < 1.5 * largest_step(clips["walk"].motion)


def test_somebody_who_goes_backwards_does_so_along_the_path(clips):
    from model.placing import turned

    walk = clips["walk"]
    back = turned(walk.motion, np.pi, np.zeros(3), np.zeros(3))
    back = replace(back, root_positions=back.root_positions * np.array([1.0, 1.0, -1.0]) * np.array([-1.0, 1.0, 1.0]))
    take = Take(back, walk.contacts)
    result = walk_along(rounded(PATHS["corner"]), (style_of(take, take),)).take.motion
    way = np.gradient(pelvis_positions(result)[:, [0, 2]], axis=0)[30:-30]
    faces = headings_rad(result)[30:-30]
    along = np.cos(faces - np.arctan2(way[:, 0], way[:, 1]))
    assert np.median(along) < -0.9


def test_knees_turn_with_the_feet_and_ankles_are_not_twisted(clips):
    """Legs of files whose ankles have no such turn can then show the walk too."""
    ranges = {}
    for name in ("line", "narrow circle", "hairpin"):
        motion = walk_along(rounded(PATHS[name]), styles(clips, "walk")).take.motion
        limb = find_limb(motion.skeleton, "left_foot")
        shin = motion.skeleton.offsets[limb.end] / np.linalg.norm(motion.skeleton.offsets[limb.end])
        twist = to_rotation_vector(swing_twist(motion.local_rotations[:, limb.end], shin)[1]) @ shin
        ranges[name] = np.degrees(np.ptp(twist))
    assert ranges["narrow circle"] < ranges["line"] + 6.0
    assert ranges["hairpin"] < ranges["line"] + 15.0
