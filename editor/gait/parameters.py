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

from dataclasses import dataclass

import numpy as np

from model.arrays import Array

GRAVITY_M_S2 = 9.81


@dataclass(frozen=True)
class Wave:
    """A greeting laid over a walk or over standing: raise a hand, wave it `count` times, lower it."""

    start_s: float
    count: int = 4
    side: str = "right"
    rate_hz: float = 1.7
    rise_s: float = 0.75

    def __post_init__(self) -> None:
        if self.side not in ("left", "right"):
            raise ValueError(f"side is {self.side!r}; it must be 'left' or 'right'")

    @property
    def stop_s(self) -> float:
        """When the hand is down again."""
        return self.start_s + 2.0 * self.rise_s + self.count / self.rate_hz


@dataclass(frozen=True)
class Gait:
    """How a person moves along. None: as people do at the speed of the moment.

    speeds : (time_s, speed_m_s) knots between which the speed changes smoothly, instead of one speed; 0 is standing.
    bounce_m : rise and fall of the pelvis in a step, positive where it is highest over the standing foot (walks),
    negative where it is lowest there (runs). strike_rad : pitch of the foot as it lands, toes up positive: a negative
    one lands on the ball. push_rad : how far the heel has risen when the foot leaves. knee_rad : largest bend of the
    swinging knee, more where the foot would touch the ground; reach_rad : how much farther forward the leg swings in
    between. give_rad : the least bend of a standing knee. asymmetry : in [-1, 1], positive spares the left leg.
    variation : of steps, as a share of themselves.
    Angles of head and trunk lean forward where positive.
    """

    speed_m_s: float = 1.35
    speeds: tuple[tuple[float, float], ...] = ()
    cadence_hz: float | None = None  # steps, not strides
    duty_factor: float | None = None  # share of a stride in which a foot is on the ground
    step_width_m: float | None = None
    bounce_m: float | None = None
    sway_m: float | None = None
    pelvis_turn_rad: float | None = None
    pelvis_list_rad: float | None = None
    chest_turn_rad: float | None = None
    lean_rad: float | None = None
    arm_swing_rad: float | None = None
    elbow_rad: float | None = None
    foot_lift_m: float | None = None
    knee_rad: float | None = None
    strike_rad: float | None = None
    push_rad: float | None = None
    give_rad: float | None = None
    reach_rad: float = 0.0
    arm_forward_rad: float = 0.0
    arm_spread_rad: float = 0.0
    crouch_m: float = 0.0
    toe_out_rad: float = 0.11
    hunch_rad: float = 0.0
    head_rad: float = 0.0
    asymmetry: float = 0.0
    variation: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.speed_m_s <= 7.0 or any(not 0.0 <= speed <= 7.0 for _, speed in self.speeds):
            raise ValueError("speed_m_s and speeds must lie between 0 and 7 m/s")
        if any(later <= time for (time, _), (later, _) in zip(self.speeds, self.speeds[1:], strict=False)):
            raise ValueError("speeds must be in order of time")
        if not -1.0 <= self.asymmetry <= 1.0:
            raise ValueError(f"asymmetry is {self.asymmetry}; it must lie in [-1, 1]")
        if not 0.0 <= self.variation <= 0.2:
            raise ValueError(f"variation is {self.variation}; it must lie in [0, 0.2]")


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
    stepping = smoothstep(v, 0.0, 0.9)
    rads = np.radians
    return Measures(
        running=run,
        cadence_hz=choose(gait.cadence_hz, cadence, scale**-0.5),
        duty_factor=choose(
            gait.duty_factor, either(0.62 - 0.065 * (slow - 1.35), np.maximum(0.43 - 0.05 * (quick - 2.2), 0.25))
        ),
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
