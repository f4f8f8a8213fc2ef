"""What describes a walk: the parameters a caller sets, and what people do at a speed where nothing is set.

For a man of 1.75 m; other bodies are dynamically similar, which means that they walk alike at equal
v^2 / (g leg length) (Alexander 1989, Physiol. Rev. 69). Cadence, duty factor, the change to running, swinging knees,
pelvis, trunk and arms follow the literature in straight lines through a few of its values. Where feet are put
(`lead_m`), the bounce, the least bend of knees and the speed of impact are ours: chosen so that standing knees bend as
published although the feet do not slip. Sources:
Winter 1991, The Biomechanics and Motor Control of Human Gait; Perry 1992, Gait Analysis; Sekiya and Nagasaki 1998,
Gait and Posture 7 (step length over step rate is constant in walking); Novacheck 1998, Gait and Posture 7 (running);
Cavanagh and Kram 1989, Med. Sci. Sports Exerc. 21 (cadence of runners); Hreljac 1993 (walks become runs near 2.1 m/s);
Murray 1967 (arm swing, pelvis and thorax).
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from model.arrays import Array
from model.clip import check_settings, setting

GRAVITY_M_S2 = 9.81
_FASTEST_M_S = 7.0
# Nobody changes pace sooner than this.
_SOONEST_S = 0.1
# How far a body of 1.75 m travels at most over a foot on the ground; usual gaits stay below it.
_LONGEST_STANCE_M = 1.2


@dataclass(frozen=True)
class Wave:
    """A greeting laid over a walk or over standing: raise a hand, wave it a few times, lower it."""

    start_s: float = setting(0.0, "Start", "s", 0.0, 600.0, tip="When the hand begins to rise.")
    count: int = setting(4, "Waves", "", 1, 100, tip="How often the hand goes to and fro.")
    side: str = setting("right", "Hand", choices=("left", "right"), tip="Which hand waves.")
    rate_hz: float = setting(1.7, "Waving", "Hz", 0.3, 4.0, tip="How often a second the hand goes to and fro.")
    rise_s: float = setting(0.75, "Rise", "s", 0.2, 5.0, tip="How long the hand takes to come up, and to go down.")

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def stop_s(self) -> float:
        """When the hand is down again."""
        return self.start_s + 2.0 * self.rise_s + self.count / self.rate_hz


@dataclass(frozen=True)
class Gait:
    """How a person moves along. None: as people do at the speed of the moment.

    speeds : (time_s, speed_m_s) knots between which the speed changes smoothly, instead of one speed; 0 is standing.
    Where feet would stay on the ground for longer than legs can reach, more steps are taken than `cadence_hz` asks for.
    Angles of head and trunk lean forward where positive. Lengths are metres for a body of any size.
    """

    speed_m_s: float = setting(1.35, "Speed", "m/s", 0.0, _FASTEST_M_S, tip="How fast the person moves; 0 stands.")
    speeds: tuple[tuple[float, float], ...] = setting(
        (), "Speed curve", tip="Moments and the speeds there, instead of one speed; 0 stands."
    )
    cadence_hz: float | None = setting(
        None, "Steps", "Hz", 0.6, 5.0, tip="How many steps are taken in a second, left and right together."
    )
    duty_factor: float | None = setting(
        None, "Ground time", "", 0.2, 0.8, tip="For which share of its stride a foot is on the ground; runs have < 0.5."
    )
    step_width_m: float | None = setting(
        None, "Step width", "m", -0.2, 0.6, tip="How far apart left and right feet are put; below 0 they cross over."
    )
    bounce_m: float | None = setting(
        None, "Bounce", "m", -0.15, 0.15,
        tip="How far the hips rise and fall in a step: highest over the foot, as in walks, or below 0 lowest there.",
    )  # fmt: skip
    sway_m: float | None = setting(None, "Sway", "m", 0.0, 0.15, tip="How far the hips move over the standing foot.")
    pelvis_turn_rad: float | None = setting(
        None, "Hip turn", "rad", 0.0, 0.5, tip="How far the hips turn with the leading leg."
    )
    pelvis_list_rad: float | None = setting(
        None, "Hip drop", "rad", 0.0, 0.3, tip="How far the hips drop on the side of the swinging leg."
    )
    chest_turn_rad: float | None = setting(
        None, "Shoulder turn", "rad", 0.0, 0.6, tip="How far the shoulders turn against the hips."
    )
    lean_rad: float | None = setting(None, "Lean", "rad", -0.4, 0.8, tip="How far the trunk leans forward.")
    arm_swing_rad: float | None = setting(
        None, "Arm swing", "rad", 0.0, 1.4, tip="How far the arms swing forward, and as far back."
    )
    elbow_rad: float | None = setting(None, "Elbows", "rad", 0.0, 2.2, tip="How far the elbows are bent.")
    foot_lift_m: float | None = setting(None, "Foot lift", "m", 0.0, 0.3, tip="How far swinging feet clear the ground.")
    knee_rad: float | None = setting(
        None, "Knee swing", "rad", 0.0, 2.2, tip="How far swinging knees bend, more where feet would touch the ground."
    )
    strike_rad: float | None = setting(
        None, "Landing", "rad", -0.5, 0.5, tip="How far toes are up as a foot lands; below 0 it lands on the ball."
    )
    push_rad: float | None = setting(
        None, "Push-off", "rad", 0.0, 1.4, tip="How far the heel has risen as a foot leaves the ground."
    )
    give_rad: float | None = setting(
        None, "Standing knee", "rad", 0.05, 1.2, tip="How far a standing knee is bent where it is straightest."
    )
    reach_rad: float = setting(
        0.0, "Leg reach", "rad", -0.3, 0.9, tip="How much farther forward legs swing on their way."
    )
    arm_forward_rad: float = setting(0.0, "Arms forward", "rad", -0.8, 1.5, tip="How far the arms are held forward.")
    arm_spread_rad: float = setting(
        0.0, "Arms apart", "rad", -0.1, 1.4, tip="How far the arms are held away from the body."
    )
    crouch_m: float = setting(0.0, "Crouch", "m", 0.0, 0.4, tip="How much lower the hips are carried.")
    toe_out_rad: float = setting(0.11, "Toes out", "rad", -0.6, 0.9, tip="How far the feet point outward.")
    hunch_rad: float = setting(0.0, "Hunch", "rad", -0.3, 0.8, tip="How far the upper back is bent forward.")
    head_rad: float = setting(0.0, "Head down", "rad", -0.7, 0.9, tip="How far the head looks down.")
    asymmetry: float = setting(
        0.0, "Limp", "", -1.0, 1.0, tip="How much the left leg is spared; below 0 the right one."
    )
    variation: float = setting(
        0.02, "Variation", "", 0.0, 0.2, tip="How much steps differ from each other, as a share of themselves."
    )
    seed: int = setting(0, "Seed", "", 0, 999_999, tip="Another number gives other variation.")

    def __post_init__(self) -> None:
        check_settings(self)
        if any(not 0.0 <= speed <= _FASTEST_M_S for _, speed in self.speeds):
            raise ValueError(f"speeds: each must be 0 to {_FASTEST_M_S:g} m/s")
        if not all(math.isfinite(time) for time, _ in self.speeds):
            raise ValueError("speeds: every moment must be a number of seconds")
        if any(later - time < _SOONEST_S - 1e-9 for (time, _), (later, _) in pairwise(self.speeds)):
            raise ValueError(f"speeds must be in order of time, at least {_SOONEST_S:g} s apart")


@dataclass(frozen=True, eq=False)
class Measures:
    """A gait's quantities at given speeds, (...) each, named as in `Gait`.

    running : share of running in the gait, 0 or 1 but for speeds near the change; lead_m : the ankle before the
    pelvis as the foot is in the middle of its stance; impact_m_s : how fast the foot still moves forward as it strikes;
    arm_mean_rad, elbow_swing_rad : where the arm swings about, and how far the elbow does.
    """

    running: Array
    cadence_hz: Array
    duty_factor: Array
    step_width_m: Array
    lead_m: Array
    bounce_m: Array
    sway_m: Array
    pelvis_turn_rad: Array
    pelvis_list_rad: Array
    chest_turn_rad: Array
    lean_rad: Array
    arm_swing_rad: Array
    arm_mean_rad: Array
    elbow_rad: Array
    elbow_swing_rad: Array
    foot_lift_m: Array
    knee_rad: Array
    strike_rad: Array
    push_rad: Array
    give_rad: Array
    impact_m_s: Array


def smoothstep(values: Array, start: float, stop: float) -> Array:
    """From 0 at `start` to 1 at `stop`, with two continuous derivatives: 6 u^5 - 15 u^4 + 10 u^3."""
    u = np.clip((values - start) / (stop - start), 0.0, 1.0)
    return np.asarray(u * u * u * (10.0 + u * (6.0 * u - 15.0)))


def measures(gait: Gait, speed_m_s: Array, scale: float = 1.0) -> Measures:
    """What the gait is like at these speeds. scale : length of the legs over those of a man of 1.75 m."""
    v = np.asarray(speed_m_s) / np.sqrt(scale)  # the speed at which a man of 1.75 m moves alike
    run = smoothstep(v, 1.95, 2.25)  # steps are walked or run
    change = smoothstep(v, 1.7, 2.5)  # but the pelvis does not change at once
    fast = smoothstep(v, 1.6, 3.0)  # what turns from walking to running by and by
    quick = 2.1 + 0.1 * np.logaddexp(0.0, (v - 2.1) / 0.1)  # the larger of v and 2.1, without the corner
    slow = v + 2.1 - quick  # and the smaller

    def either(walking: Array | float, running: Array | float, share: Array = run) -> Array:
        return np.asarray((1.0 - share) * walking + share * running)

    def choose(own: float | None, usual: Array, unit: float = 1.0) -> Array:
        return np.full(v.shape, float(own)) if own is not None else np.asarray(usual * unit)

    # A step is 0.0064 m long for each step a minute (Sekiya), so that cadence grows with the root of speed; standing
    # people who start or stop take their steps no slower than 1.2 a second.
    cadence = either(np.sqrt(1.44 + 1.52 * slow), 2.65 + 0.15 * (quick - 2.6))
    cadence = choose(gait.cadence_hz, cadence, scale**-0.5)
    duty = choose(gait.duty_factor, either(0.62 - 0.065 * (slow - 1.35), np.maximum(0.43 - 0.05 * (quick - 2.2), 0.25)))
    stepping = smoothstep(v, 0.0, 0.9)
    rads = np.radians
    return Measures(
        running=run,
        cadence_hz=np.maximum(cadence, 2.0 * duty * speed_m_s / (_LONGEST_STANCE_M * scale)),
        duty_factor=duty,
        step_width_m=choose(gait.step_width_m, either(0.16 - 0.055 * stepping, 0.05), scale),
        lead_m=np.asarray(either(-0.042 - 0.038 * slow, -0.185) * scale),
        # In flight the body falls freely: a sine of a runner's cadence and this height falls as gravity has it.
        bounce_m=choose(gait.bounce_m, either(0.0235 * slow**2 / (1.0 + 0.07 * slow**2), -0.058, change), scale),
        sway_m=choose(gait.sway_m, either(0.034 - 0.01 * slow, 0.011, change), scale),
        pelvis_turn_rad=choose(gait.pelvis_turn_rad, rads(either(1.0 + 3.2 * slow, 7.5, change))),
        pelvis_list_rad=choose(gait.pelvis_list_rad, rads(either(1.0 + 2.2 * slow, 4.5, change))),
        chest_turn_rad=choose(gait.chest_turn_rad, rads(either(1.0 + 2.6 * slow, 9.0, fast))),
        lean_rad=choose(gait.lean_rad, rads(either(1.5 + 1.0 * slow, 5.0 + 1.2 * (quick - 2.6), fast))),
        arm_swing_rad=choose(gait.arm_swing_rad, rads(either(13.5 * slow, 24.0 + 6.0 * (quick - 2.6), fast))),
        arm_mean_rad=rads(either(-3.0 - 1.5 * slow, -17.0, fast)),
        elbow_rad=choose(gait.elbow_rad, rads(either(16.0 + 5.0 * slow, 86.0, fast))),
        elbow_swing_rad=rads(either(7.0 * slow, 14.0, fast)),
        foot_lift_m=choose(gait.foot_lift_m, either(0.028 - 0.012 * stepping, 0.03), scale),
        knee_rad=choose(gait.knee_rad, rads(either(50.0 + 8.0 * slow, 84.0 + 15.0 * (quick - 2.6)))),
        strike_rad=choose(gait.strike_rad, rads(either(10.0 + 8.5 * slow, 7.0))),
        push_rad=choose(gait.push_rad, rads(either(50.0 + 8.0 * slow, 68.0))),
        give_rad=choose(gait.give_rad, rads(either(7.5, 18.0, change))),
        impact_m_s=np.asarray(either(0.1 + 0.1 * slow, 0.3 * quick) * np.sqrt(scale)),
    )
