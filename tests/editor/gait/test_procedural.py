"""Procedural gaits: planted feet, published ranges, and the contacts that belong to them."""

from dataclasses import fields
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.gait.figure import Build, figure, heel_offset, require
from editor.gait.parameters import Gait, Wave
from editor.gait.procedural import generate, seconds_for
from model.clip import settings_of
from model.kinematics import end_site_positions
from model.roles import Role
from model.rotation import conjugate, multiply, rotate, to_rotation_vector

make = cache(generate)

WALK, RUN = Gait(1.35), Gait(3.8)
CHANGING = Gait(speeds=((0.8, 0.0), (2.0, 1.4), (3.0, 1.4), (5.0, 3.2), (6.0, 3.2), (8.2, 0.0)), seed=3)
KINDS = {
    "slow": (Gait(0.7), 4.0, 0.0),
    "walk": (WALK, 4.0, 0.0),
    "fast walk": (Gait(1.9), 3.0, 0.0),
    "slow jog": (Gait(2.2), 3.0, 0.0),
    "run": (RUN, 3.0, 0.0),
    "turning": (Gait(1.3), 4.0, 0.7),
    "limping": (Gait(1.0, asymmetry=0.6), 4.0, 0.0),
    "uneven": (Gait(1.3, variation=0.08), 4.0, 0.0),
    "toe first": (Gait(0.8, strike_rad=-0.25, crouch_m=0.1), 4.0, 0.0),
    "standing": (Gait(0.0), 3.0, 0.0),
    "changing": (CHANGING, 10.0, 0.0),
}
every_kind = pytest.mark.parametrize(("gait", "seconds", "turn"), KINDS.values(), ids=KINDS.keys())


# ---------------------------------------------------------------------------------------------- measuring


def at(motion, role):
    return motion.world.positions[:, require(motion.skeleton, role)]


def soles(motion, side):
    """(F, 3, 3) the sole below heel, ball and tip of toes."""
    body = motion.skeleton
    ankle, toe = require(body, Role[f"{side}_ANKLE"]), require(body, Role[f"{side}_TOE"])
    heel = at(motion, Role[f"{side}_ANKLE"]) + rotate(motion.world.rotations[:, ankle], heel_offset(body))
    tips = end_site_positions(body, motion.world)
    (tip,) = (n for n, site in enumerate(body.end_sites) if site.joint == toe)
    points = np.stack([heel, at(motion, Role[f"{side}_TOE"]), tips[:, tip]], axis=1)
    rest = body.rest_positions()[toe, 1]
    points[:, 1, 1] -= rest
    points[:, 2, 1] -= rest + body.end_sites[tip].offset[1]
    return points


def flexions(motion, side):
    """Degrees of hip, knee and ankle bent forward, back and up, measured in the plane they bend in; each (F,)."""
    body, world = motion.skeleton, motion.world
    hip, knee, ankle = (at(motion, Role[f"{side}_{part}"]) for part in ("HIP", "KNEE", "ANKLE"))
    thigh, shank = knee - hip, ankle - knee
    pelvis = rotate(conjugate(world.rotations[:, require(body, Role.PELVIS)]), thigh)
    sole = rotate(world.rotations[:, require(body, Role[f"{side}_ANKLE"])], np.array([0.0, 0.0, 1.0]))

    def between(u, v):
        cosine = np.sum(u * v, axis=-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)
        return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))

    return np.degrees(np.arctan2(pelvis[:, 2], -pelvis[:, 1])), between(thigh, shank), between(sole, shank) - 90.0


def knee_joint(motion, side):
    return require(motion.skeleton, Role[f"{side}_KNEE"])


def whole_contacts(contacts, limb):
    return [c for c in contacts.limbs[limb] if c.start > 0 and c.stop < contacts.frames]


def cycles(contacts, limb):
    """[start, stop) of whole strides, from strike to strike, with the share of it that the foot stands."""
    steps = contacts.limbs[limb]
    return [(a.start, b.start, (a.stop - a.start) / (b.start - a.start)) for a, b in pairwise(steps) if a.start > 0]


# ------------------------------------------------------------------------------------------------- feet


@every_kind
def test_feet_stand_exactly_still_in_the_middle_of_contacts(gait, seconds, turn):
    motion, contacts = make(gait, seconds, turn_rad_s=turn)
    for side in ("LEFT", "RIGHT"):
        toe = at(motion, Role[f"{side}_TOE"])
        for contact in contacts.limbs[f"{side.lower()}_foot"]:
            edge = round(0.2 * (contact.stop - contact.start))
            if contact.start > 0 and contact.stop < contacts.frames:
                middle = toe[contact.start + edge : contact.stop - edge]
                assert np.ptp(middle, axis=0).max() < 1e-3
            elif contact.stop - contact.start > 90:  # standing before or after
                assert np.ptp(toe[contact.start + 30 : contact.stop - 45], axis=0).max() < 1e-9


@every_kind
def test_contacts_are_the_frames_in_which_a_sole_touches_the_ground(gait, seconds, turn):
    motion, contacts = make(gait, seconds, turn_rad_s=turn)
    for side in ("LEFT", "RIGHT"):
        lowest = soles(motion, side)[..., 1].min(axis=1)
        touching = contacts.mask(f"{side.lower()}_foot")
        assert lowest.min() > -1e-3
        np.testing.assert_allclose(lowest[touching], 0.0, atol=1e-9)
        if not touching.all():
            assert np.median(lowest[~touching]) > 0.008


@every_kind
def test_whatever_touches_the_ground_stands_still(gait, seconds, turn):
    motion, contacts = make(gait, seconds, turn_rad_s=turn)
    for side in ("LEFT", "RIGHT"):
        points = soles(motion, side)
        touching = contacts.mask(f"{side.lower()}_foot")
        down = np.abs(points[..., 1]) < 1e-9
        both = down[1:] & down[:-1] & (touching[1:] & touching[:-1])[:, None]
        assert both.any()
        assert np.linalg.norm(np.diff(points, axis=0), axis=-1)[both].max() < 1e-9


@every_kind
def test_knees_neither_lock_nor_snap(gait, seconds, turn):
    motion, _ = make(gait, seconds, turn_rad_s=turn)
    for side in ("LEFT", "RIGHT"):
        _, knee, _ = flexions(motion, side)
        assert knee.min() > 5.0
        assert np.abs(np.diff(knee)).max() * motion.fps < 900.0


def test_the_ground_is_where_detection_looks_for_it():
    motion, contacts = make(WALK, 4.0)
    rest = motion.skeleton.rest_positions()
    toe = require(motion.skeleton, Role.LEFT_TOE)
    tip = next(site for site in motion.skeleton.end_sites if site.joint == toe)
    assert contacts.ground_m == pytest.approx(rest[toe, 1] + tip.offset[1])


def test_steps_alternate():
    for gait, seconds in ((WALK, 4.0), (RUN, 3.0), (CHANGING, 10.0)):
        _, contacts = make(gait, seconds)
        strikes = sorted((c.start, limb) for limb, steps in contacts.limbs.items() for c in steps if c.start > 0)
        sides = [limb for _, limb in strikes]
        assert len(sides) > 5
        assert all(one != other for one, other in pairwise(sides))


@pytest.mark.parametrize(("speed", "flies"), [(0.9, False), (1.35, False), (1.8, False), (2.6, True), (3.8, True)])
def test_runs_fly_and_walks_do_not(speed, flies):
    _, contacts = make(Gait(speed), 3.0)
    flights = [c for c in contacts.flights() if c.start > 0 and c.stop < contacts.frames]
    strikes = sum(len(whole_contacts(contacts, limb)) for limb in contacts.limbs)
    assert len(flights) >= strikes - 2 if flies else not flights


def test_few_frames_a_second_still_give_contacts():
    motion, contacts = generate(RUN, 6.0, fps=3.0)
    assert motion.frames == contacts.frames == 18


# ------------------------------------------------------------------------------------- published figures


@pytest.mark.parametrize("speed", [0.6, 0.9, 1.35, 1.8, 2.3, 3.8, 5.0])
def test_the_speed_asked_for_is_reached(speed):
    motion, _ = make(Gait(speed), 3.0)
    travelled = motion.root_positions[-1, 2] - motion.root_positions[0, 2]
    assert travelled / motion.duration_s == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize(
    ("speed", "cadence", "duty"),
    [(0.9, (1.5, 1.75), (0.62, 0.68)), (1.35, (1.75, 1.98), (0.59, 0.65)), (1.8, (1.95, 2.25), (0.56, 0.62)),
     (2.6, (2.5, 2.8), (0.36, 0.45)), (3.8, (2.65, 3.0), (0.31, 0.39))],
)  # fmt: skip
def test_cadence_and_duty_factor_follow_speed(speed, cadence, duty):
    _, contacts = make(Gait(speed, variation=0.0), 4.0, 240.0)
    strides = cycles(contacts, "left_foot")
    steps = 2.0 * 240.0 / np.mean([stop - start for start, stop, _ in strides])
    assert cadence[0] < steps < cadence[1]
    assert duty[0] < np.mean([share for _, _, share in strides]) < duty[1]


def extremes(gait, share_of_stance):
    """Of whole left strides: the ranges of hip, knee and ankle; the highest knee early in stance, and at strike."""
    motion, contacts = make(gait, 5.0, 120.0)
    hip, knee, ankle = flexions(motion, "LEFT")
    strides = cycles(contacts, "left_foot")
    inside = slice(strides[0][0], strides[-1][1])
    stance = [knee[a : a + round(share_of_stance * share * (b - a))].max() for a, b, share in strides]
    ranges = [(angle[inside].min(), angle[inside].max()) for angle in (hip, knee, ankle)]
    return ranges, np.mean(stance), np.mean([knee[a] for a, _, _ in strides])


def test_joints_of_a_walk_stay_near_published_curves():
    """Hip about 30 to -10 degrees, knee 5, 18 and 60, ankle 10 to -20: rigid soles cost the ankle ten degrees more."""
    (hip, knee, ankle), loading, strike = extremes(WALK, 0.5)
    assert -20.0 < hip[0] < -8.0
    assert 25.0 < hip[1] < 37.0
    assert 5.0 < knee[0] < 10.0
    assert 56.0 < knee[1] < 73.0
    assert 14.0 < loading < 26.0
    assert 5.0 < strike < 15.0
    assert -25.0 < ankle[0] < -10.0
    assert 8.0 < ankle[1] < 25.0


def test_joints_of_a_run_stay_near_published_curves():
    """Hip about 50 to -20 degrees, knee 15, 45 and 90 to 110, ankle 25 to -25: the ankle goes ten degrees farther."""
    (hip, knee, ankle), loading, strike = extremes(RUN, 0.9)
    assert -28.0 < hip[0] < -12.0
    assert 42.0 < hip[1] < 62.0
    assert 90.0 < knee[1] < 110.0
    assert 38.0 < loading < 54.0
    assert 12.0 < strike < 25.0
    assert -38.0 < ankle[0] < -18.0
    assert 18.0 < ankle[1] < 38.0


@pytest.mark.parametrize(("gait", "least", "most"), [(WALK, 0.03, 0.055), (RUN, 0.05, 0.09)], ids=["walk", "run"])
def test_the_pelvis_rises_and_falls_by_centimetres(gait, least, most):
    motion, contacts = make(gait, 5.0, 120.0)
    height = motion.root_positions[:, 1]
    excursions = [np.ptp(height[a:b]) for a, b, _ in cycles(contacts, "left_foot")]
    assert least < np.mean(excursions) < most


def test_walks_are_high_over_the_standing_foot_and_runs_are_low():
    for gait, sign in ((WALK, 1.0), (RUN, -1.0)):
        motion, contacts = make(gait, 5.0, 120.0)
        height = motion.root_positions[:, 1]
        middles = [(c.start + c.stop) // 2 for limb in contacts.limbs for c in whole_contacts(contacts, limb)]
        assert sign * (np.mean(height[middles]) - np.mean(height)) > 0.01


def test_shoulders_turn_against_the_pelvis_and_arms_swing_against_the_legs():
    motion, _ = make(WALK, 5.0)

    def turned(left, right):
        across = at(motion, left) - at(motion, right)
        return np.arctan2(-across[:, 2], across[:, 0])

    pelvis = turned(Role.LEFT_HIP, Role.RIGHT_HIP)
    shoulders = turned(Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER)
    assert np.corrcoef(pelvis, shoulders)[0, 1] < -0.8
    assert np.radians(3.0) < np.ptp(pelvis) / 2.0 < np.radians(8.0)
    hand = at(motion, Role.LEFT_WRIST)[:, 2] - at(motion, Role.LEFT_SHOULDER)[:, 2]
    foot = at(motion, Role.LEFT_ANKLE)[:, 2] - at(motion, Role.LEFT_HIP)[:, 2]
    assert np.corrcoef(hand, foot)[0, 1] < -0.7


def test_the_head_stays_level():
    for gait in (WALK, RUN):
        motion, _ = make(gait, 3.0)
        head = motion.world.rotations[:, require(motion.skeleton, Role.HEAD)]
        chest = motion.world.rotations[:, require(motion.skeleton, Role.CHEST)]
        nodding = [np.degrees(np.ptp(to_rotation_vector(q), axis=0)).max() for q in (head, chest)]
        assert nodding[0] < 6.0
        assert nodding[0] < 0.8 * nodding[1]


# ------------------------------------------------------------------------------------------- smoothness


@every_kind
def test_nothing_pops(gait, seconds, turn):
    """From frame to frame no joint's velocity changes by more than feet that strike the ground explain."""
    motion, _ = make(gait, seconds, turn_rad_s=turn)
    turns = to_rotation_vector(multiply(conjugate(motion.local_rotations[:-1]), motion.local_rotations[1:]))
    change = np.degrees(np.linalg.norm(np.diff(turns, axis=0), axis=-1))
    assert change.max() < 11.0
    below = {joint for side in ("LEFT", "RIGHT") for joint in motion.skeleton.subtree(knee_joint(motion, side))}
    others = [joint for joint in range(len(motion.skeleton)) if joint not in below]
    assert change[:, others].max() < 5.0
    assert np.linalg.norm(np.diff(motion.root_positions, 2, axis=0), axis=-1).max() < 0.006


@pytest.mark.parametrize("kind", ["walk", "run", "changing"])
def test_every_frame_rate_shows_the_same_motion(kind):
    gait, seconds, _ = KINDS[kind]
    fine, _ = generate(gait, seconds, 120.0)
    for fps in (30.0, 60.0):
        coarse, contacts = generate(gait, seconds, fps)
        step = round(120.0 / fps)
        np.testing.assert_allclose(fine.world.positions[::step], coarse.world.positions, atol=1e-9)
        assert contacts.frames == coarse.frames


def test_a_seed_always_gives_the_same_motion_and_another_seed_another():
    one, again, other = (generate(Gait(1.3, seed=seed), 2.0)[0] for seed in (5, 5, 6))
    np.testing.assert_array_equal(one.local_rotations, again.local_rotations)
    assert np.abs(one.world.positions - other.world.positions).max() > 0.003


def test_without_variation_every_stride_is_the_same():
    motion, contacts = make(Gait(1.35, variation=0.0, cadence_hz=2.0), 5.0)
    assert all(stop - start == 60 for start, stop, _ in cycles(contacts, "left_foot"))
    legs = [require(motion.skeleton, Role[f"LEFT_{part}"]) for part in ("HIP", "KNEE", "ANKLE", "TOE")]
    np.testing.assert_allclose(
        motion.local_rotations[60:240, legs], motion.local_rotations[:180, legs], atol=1e-4
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------- parameters


def test_a_spared_leg_stands_shorter():
    for asymmetry in (0.6, -0.6):
        _, contacts = make(Gait(1.1, asymmetry=asymmetry), 6.0)
        left, right = (
            np.mean([c.stop - c.start for c in whole_contacts(contacts, limb)]) for limb in ("left_foot", "right_foot")
        )
        spared, other = (left, right) if asymmetry > 0 else (right, left)
        assert spared < 0.85 * other


def test_crouching_lowers_the_pelvis_by_as_much():
    upright, crouched = (make(Gait(1.2, crouch_m=crouch), 3.0)[0] for crouch in (0.0, 0.12))
    np.testing.assert_allclose(upright.root_positions[:, 1] - crouched.root_positions[:, 1], 0.12, atol=1e-9)


@pytest.mark.parametrize(
    ("changes", "measure"),
    [
        ({"arm_swing_rad": 0.7}, lambda m: np.ptp(at(m, Role.LEFT_WRIST)[:, 2] - at(m, Role.LEFT_SHOULDER)[:, 2])),
        ({"sway_m": 0.06}, lambda m: np.ptp(m.root_positions[:, 0])),
        ({"step_width_m": 0.25}, lambda m: np.mean(at(m, Role.LEFT_ANKLE)[:, 0] - at(m, Role.RIGHT_ANKLE)[:, 0])),
        ({"foot_lift_m": 0.09}, lambda m: np.percentile(soles(m, "LEFT")[..., 1].min(axis=1), 90)),
        ({"knee_rad": 1.6}, lambda m: flexions(m, "LEFT")[1].max()),
        ({"lean_rad": 0.4}, lambda m: np.mean(at(m, Role.NECK)[:, 2] - at(m, Role.PELVIS)[:, 2])),
        ({"hunch_rad": 0.4}, lambda m: np.mean(at(m, Role.NECK)[:, 2] - at(m, Role.CHEST)[:, 2])),
        ({"bounce_m": 0.08}, lambda m: np.ptp(m.root_positions[:, 1])),
        ({"elbow_rad": 1.5}, lambda m: np.mean(at(m, Role.LEFT_WRIST)[:, 1])),
        ({"toe_out_rad": 0.5}, lambda m: np.mean(at(m, Role.LEFT_TOE)[:, 0] - at(m, Role.LEFT_ANKLE)[:, 0])),
        ({"cadence_hz": 2.6}, lambda m: -np.ptp(at(m, Role.LEFT_ANKLE)[:, 2] - at(m, Role.PELVIS)[:, 2])),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_parameter_changes_what_it_names(changes, measure):
    usual, changed = (make(Gait(1.3, **more), 3.0)[0] for more in ({}, changes))
    before, after = measure(usual), measure(changed)
    assert after > before + 0.1 * abs(before)


def test_small_people_take_quicker_and_shorter_steps():
    steps = []
    for body in (figure(1.75), figure(1.15, Build(leg=0.9, head=1.4))):
        motion, contacts = generate(Gait(1.0, variation=0.0), 6.0, 120.0, body)
        start, stop, _ = cycles(contacts, "left_foot")[0]
        assert motion.skeleton is body
        assert soles(motion, "LEFT")[..., 1].min() > -1e-3
        steps.append(stop - start)
    assert steps[1] < 0.9 * steps[0]


def test_a_turning_walk_follows_its_circle():
    motion, _ = make(Gait(1.2), 6.0, turn_rad_s=0.5)
    radius = 1.2 / 0.5
    from_centre = np.linalg.norm(motion.root_positions[:, [0, 2]] - [radius, 0.0], axis=-1)
    assert np.abs(from_centre - radius).max() < 0.12
    assert motion.root_positions[60, 0] > 0.1  # to the left
    hips = at(motion, Role.LEFT_HIP) - at(motion, Role.RIGHT_HIP)
    facing = np.unwrap(np.arctan2(-hips[:, 2], hips[:, 0]))
    assert facing[-1] - facing[0] == pytest.approx(0.5 * motion.duration_s, abs=0.25)


def test_a_stopped_body_stands_with_its_feet_together_and_sets_off_again():
    motion, contacts = make(CHANGING, 10.0)
    speed = np.gradient(motion.root_positions[:, 2], motion.frame_time_s)
    assert np.abs(speed[:40]).max() < 0.1
    assert np.abs(speed[-60:]).max() < 0.1
    assert speed[320:350].mean() == pytest.approx(3.2, rel=0.05)
    left, right = at(motion, Role.LEFT_ANKLE), at(motion, Role.RIGHT_ANKLE)
    for frame in (0, -1):
        assert abs(left[frame, 2] - right[frame, 2]) < 0.08
    assert all(contacts.mask(limb)[:40].all() and contacts.mask(limb)[-60:].all() for limb in contacts.limbs)
    assert contacts.flights()


def test_standing_people_sway_slowly_and_a_little():
    motion, contacts = make(Gait(0.0, seed=4), 30.0, 30.0)
    assert all(contacts.mask(limb).all() for limb in contacts.limbs)
    sway = motion.root_positions[:, [0, 2]] - motion.root_positions[:, [0, 2]].mean(axis=0)
    assert 0.003 < np.abs(sway).max() < 0.06
    spectrum = np.abs(np.fft.rfft(sway * np.hanning(len(sway))[:, None], axis=0)) ** 2
    slow = np.fft.rfftfreq(len(sway), motion.frame_time_s) < 0.5
    assert spectrum[slow].sum() > 0.98 * spectrum.sum()


@pytest.mark.parametrize("speed", [0.0, 1.2])
@pytest.mark.parametrize("side", ["left", "right"])
def test_waving_raises_one_hand_and_moves_it_to_and_fro(speed, side):
    wave = Wave(1.0, count=4, side=side)
    plain, _ = make(Gait(speed), 6.0)
    waving, contacts = make(Gait(speed), 6.0, wave=wave)
    wrist, head = at(waving, Role[f"{side.upper()}_WRIST"]), at(waving, Role.HEAD)
    middle = round(0.5 * (wave.start_s + wave.stop_s) * 60)
    assert wrist[middle, 1] > at(waving, Role[f"{side.upper()}_SHOULDER"])[middle, 1] + 0.1
    up = slice(round((wave.start_s + wave.rise_s) * 60), round((wave.stop_s - wave.rise_s) * 60))
    beat = (wrist - head)[up, 0] - np.mean((wrist - head)[up, 0])
    turns = np.flatnonzero(np.diff(np.sign(beat[np.abs(beat) > 0.02])))
    assert 6 <= len(turns) <= 9
    other = Role["RIGHT_WRIST" if side == "left" else "LEFT_WRIST"]
    assert np.abs(at(waving, other) - at(plain, other)).max() < 0.05
    before, after = slice(0, 50), slice(round(wave.stop_s * 60) + 10, None)
    for part in (before, after):
        np.testing.assert_allclose(waving.world.positions[part], plain.world.positions[part], atol=1e-9)
    assert contacts.limbs == make(Gait(speed), 6.0)[1].limbs


def test_a_distance_takes_its_time():
    assert seconds_for(Gait(1.25), 10.0) == pytest.approx(8.0)
    assert seconds_for(Gait(speeds=((0.0, 1.0), (2.0, 3.0))), 4.0) == pytest.approx(2.0, abs=1e-3)
    with pytest.raises(ValueError, match="distance_m"):
        seconds_for(Gait(speeds=((0.0, 1.0), (2.0, 0.0))), 4.0)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (lambda: generate(WALK, 0.0), "seconds"),
        (lambda: generate(WALK, 1.0, fps=0.0), "fps"),
        (lambda: Gait(-1.0), "speed_m_s"),
        (lambda: Gait(speeds=((1.0, 1.0), (0.5, 2.0))), "speeds"),
        (lambda: Gait(asymmetry=2.0), "asymmetry"),
        (lambda: Gait(variation=1.0), "variation"),
        (lambda: Wave(0.0, side="both"), "side"),
        (lambda: Gait(speeds=((0.0, 8.0),)), "speeds"),
        (lambda: Gait(speeds=((0.0, 1.0), (float("inf"), 2.0))), "speeds"),
        (lambda: Gait(speeds=((0.0, 1.0), (0.001, 2.0))), "speeds"),
        (lambda: Gait(lean_rad=float("nan")), "lean_rad"),
        (lambda: Wave(rate_hz=0.0), "rate_hz"),
        (lambda: Wave(rise_s=0.0), "rise_s"),
        (lambda: generate(Gait(7.0), 2.0, turn_rad_s=3.0), "turn_rad_s"),
        (lambda: generate(Gait(step_width_m=0.6), 2.0, skeleton=figure(0.5)), "step_width_m"),
        (lambda: generate(Gait(crouch_m=0.4), 2.0, skeleton=figure(0.5)), "crouch_m"),
    ],
)
def test_wrong_arguments_are_named(wrong, named):
    with pytest.raises(ValueError, match=named):
        wrong()


NUMBERS = [(kind, one.name, shown) for kind in (Gait, Wave) for one, shown in settings_of(kind) if not shown.choices]


@pytest.mark.parametrize("kind", [Gait, Wave])
def test_every_parameter_has_a_label_and_tells_what_it_does(kind):
    assert len(settings_of(kind)) == len(fields(kind))
    for _, shown in settings_of(kind):
        assert shown.label
        assert shown.tip.endswith(".")


@pytest.mark.parametrize(("kind", "name", "shown"), [one for one in NUMBERS if one[1] != "speeds"])
def test_parameters_outside_their_range_are_refused(kind, name, shown):
    for wrong in (shown.low - 0.01, shown.high + 0.01, float("nan")):
        with pytest.raises(ValueError, match=name):
            kind(**{name: wrong})


def assert_sound(motion, contacts):
    """Finite, with legs of their length, feet not under the ground, and on it where they are said to be."""
    assert np.all(np.isfinite(motion.world.positions))
    assert np.allclose(np.sum(motion.local_rotations**2, axis=-1), 1.0, atol=1e-6)
    for side in ("LEFT", "RIGHT"):
        parts = [at(motion, Role[f"{side}_{part}"]) for part in ("HIP", "KNEE", "ANKLE")]
        for upper, lower, role in zip(parts[:2], parts[1:], ("KNEE", "ANKLE"), strict=True):
            length = np.linalg.norm(motion.skeleton.offsets[require(motion.skeleton, Role[f"{side}_{role}"])])
            assert np.allclose(np.linalg.norm(lower - upper, axis=-1), length, atol=1e-6)
        lowest = soles(motion, side)[..., 1].min(axis=1)
        assert lowest.min() > -0.01
        assert np.abs(lowest[contacts.mask(f"{side.lower()}_foot")]).max(initial=0.0) < 0.01


@pytest.mark.parametrize(
    ("gait", "turn"),
    [
        (Gait(cadence_hz=0.8), 0.0), (Gait(3.0, duty_factor=0.7), 0.0), (Gait(duty_factor=0.2), 0.0),
        (Gait(push_rad=0.0), 0.0), (Gait(3.0, give_rad=0.05), 0.0), (Gait(3.0, asymmetry=1.0), 0.0),
        (Gait(0.5, cadence_hz=0.6), 0.0), (Gait(bounce_m=-0.15), 0.0), (Gait(crouch_m=0.4), 1.0),
    ],
)  # fmt: skip
def test_extreme_gaits_keep_legs_and_ground(gait, turn):
    motion, contacts = generate(gait, 2.5, turn_rad_s=turn)
    assert_sound(motion, contacts)
    relative = motion.world.positions - motion.world.positions[:, :1]
    assert np.linalg.norm(np.diff(relative, axis=0), axis=-1).max() < 0.25  # nothing jumps


def test_long_steps_are_shortened_to_what_legs_reach():
    _, contacts = generate(Gait(cadence_hz=0.8, variation=0.0), 6.0)
    start, stop, _ = cycles(contacts, "left_foot")[0]
    assert 1.2 < 2.0 * 60.0 / (stop - start) < 1.6
    _, contacts = generate(Gait(0.7, cadence_hz=0.8, variation=0.0), 8.0)
    start, stop, _ = cycles(contacts, "left_foot")[0]
    assert 2.0 * 60.0 / (stop - start) == pytest.approx(0.8, rel=0.02)


@st.composite
def gaits(draw):
    """A gait with a few parameters of its own, anywhere in their ranges."""
    chosen = draw(
        st.sets(st.sampled_from([one for one in NUMBERS if one[0] is Gait and one[1] != "speeds"]), max_size=6)
    )
    values = {}
    for _, name, shown in sorted(chosen, key=lambda one: one[1]):
        whole = isinstance(shown.low, int)
        values[name] = draw((st.integers if whole else st.floats)(shown.low, shown.high))
    return Gait(**values)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(gaits(), st.floats(-3.0, 3.0), st.floats(0.5, 2.5))
def test_any_gait_is_sound_or_refused_with_a_sentence(gait, turn, height):
    try:
        motion, contacts = generate(gait, 1.0, 30.0, figure(height), turn_rad_s=turn)
    except ValueError as error:
        if "the gait needs" not in str(error):
            raise
    else:
        assert_sound(motion, contacts)


@pytest.mark.parametrize(("name", "shown"), [(name, shown) for kind, name, shown in NUMBERS if kind is Wave])
def test_waves_at_the_ends_of_their_ranges_are_sound(name, shown):
    for value in (shown.low, shown.high):
        motion, contacts = generate(Gait(0.0), 1.5, 30.0, wave=Wave(**{name: value}))
        assert_sound(motion, contacts)
