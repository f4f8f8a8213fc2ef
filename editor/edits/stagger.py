"""Staggered poses: the timing between the parts of a body, found in a clip and changed as a whole or knot by knot."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Protocol

import numpy as np

from editor.edits.target_poses import Vector
from editor.extrema.correct import ExtremeCorrection, What
from editor.extrema.measures import Measure
from editor.stagger.carrying_out import body_moments, retimed_body, staggered, with_contacts_kept
from editor.stagger.finding import DEFAULT_LEVEL, FindingSettings, Picking, known_evidence, picked
from editor.stagger.phase import delayed_rotations
from editor.stagger.plan import Asked, Plan
from editor.stagger.poses import SAME_MOMENT_S, StaggeredPoses, depths_below
from editor.stagger.refining import chance, scaled, succession
from editor.stagger.reshaping import away_from, mean_pose, no_change, non_staggered, reshaped
from editor.stagger.warping import MOST_PACE
from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.contacts import Mask
from model.motion import Motion
from model.rotation import from_rotation_vector, multiply, slerp
from model.scope import Scope
from model.skeleton import JointRef, Skeleton
from model.time_map import IDENTITY_MAP, TimeMap

# Within a frame the map of moved poses has so many knots.
_KNOTS_A_FRAME = 4


@dataclass(frozen=True)
class StaggerChange:
    """What a hand did to one staggered pose, at time_s as it was found.

    to_s : where it is moved as a whole; knots : joints, each with how much later its knot gets; offsets : joints, each
    with a rotation vector in radians in its parent's frame, applied after its own rotation, to the pose and to the
    extreme values alike; root_move_m : in the world. away : how many times farther from another pose it gets, of which
    away_from_s tells the moment, or from the mean of all poses. pace_before, pace_after : how fast the transition to it
    ends and the one from it starts, as a multiple of its mean; 0 eases in and out.
    """

    time_s: float
    to_s: float | None = None
    knots: tuple[tuple[JointRef, float], ...] = ()
    offsets: tuple[tuple[JointRef, Vector], ...] = ()
    root_move_m: Vector = (0.0, 0.0, 0.0)
    away: float = 0.0
    away_from_s: float | None = None
    pace_before: float | None = None
    pace_after: float | None = None

    def __post_init__(self) -> None:
        for vector in (self.root_move_m, *(vector for _, vector in self.offsets)):
            if len(vector) != 3 or not np.all(np.isfinite(vector)):
                raise ValueError(f"{vector} is not a vector of three numbers")
        for name, given in (("knots", self.knots), ("offsets", self.offsets)):
            if len(given) != len({ref for ref, _ in given}):
                raise ValueError(f"{name}: a joint is named twice")
        for name in ("pace_before", "pace_after"):
            pace = getattr(self, name)
            if pace is not None and not 0.0 <= pace <= MOST_PACE:
                raise ValueError(f"{name} is {pace}; it must be 0 to {MOST_PACE:g}")

    @property
    def is_nothing(self) -> bool:
        """Whether the pose is as it was found."""
        return self == StaggerChange(self.time_s)


class Timing(Protocol):
    """Of a context, what a plan asks for."""

    @property
    def strength(self) -> float: ...

    def to_stage(self, source_times_s: Array | float) -> Array: ...

    def to_source(self, stage_times_s: Array | float) -> Array: ...


@dataclass(frozen=True)
class StageTiming:
    """The same, for views: time_map leads from the source's time to that of the stage which an edit is given."""

    time_map: TimeMap = IDENTITY_MAP
    strength: float = 1.0

    def to_stage(self, source_times_s: Array | float) -> Array:
        return self.time_map(source_times_s)

    def to_source(self, stage_times_s: Array | float) -> Array:
        return self.time_map.inverse()(stage_times_s)


@dataclass(frozen=True)
class Stagger(Edit):
    """Delays parts of the body against each other: each joint reaches a pose a little before or after the others.

    The poses are found where the joints' extremes gather. At half strength everything is moved half as far.
    """

    kind: ClassVar[str] = "stagger"
    title: ClassVar[str] = "Staggered poses"
    reach: ClassVar[str] = "whole"

    succession_s: float = setting(
        0.0, "Succession", "s", -0.5, 0.5, tip="How much later each joint is than the one it hangs on; negative leads."
    )
    nonlinearity: float = setting(
        1.0, "Nonlinearity", "", 0.2, 4.0, tip="Above 1 the ends of limbs drag more and more: loose, like a cartoon."
    )
    random_s: float = setting(
        0.0, "Randomness", "s", 0.0, 0.5, tip="Up to how much earlier or later each joint is by chance: less symmetric."
    )
    seed: int = setting(1, "Chance", "", 0, 9999, tip="Another number gives another chance.")
    scale: float = setting(
        1.0, "Own stagger", "", -2.0, 4.0,
        tip="How much of the stagger that the clip has: 0 brings every pose together, 1 leaves it, 2 doubles it.",
    )  # fmt: skip
    joint: JointRef | None = setting(
        None, "From joint", tip="Where succession begins: what hangs on this joint is delayed. None: the whole body."
    )
    start_s: float | None = setting(None, "Start", "s", tip="Poses before this moment are left alone.")
    stop_s: float | None = setting(None, "Stop", "s", tip="Poses after this moment are left alone.")
    keep_contacts: bool = setting(
        True,
        "Keep contacts",
        tip="Feet and hands stay where they touch the ground; in the air they have their own time.",
    )
    level: float = setting(
        DEFAULT_LEVEL, "Few to many", "", 0.0, 1.0, tip="At 0 only the most important poses, at 1 all that may be some."
    )
    phase_rad: float = setting(
        0.0, "Phase delay", "rad", -np.pi, np.pi,
        tip="Instead of time: by which part of a swing each joint is later than the one it hangs on.",
    )  # fmt: skip
    quick_s: float = setting(
        0.075, "Quick detail", "s", 0.0, 1.0,
        tip="Movement quicker than this keeps its time: noise in joints side by side belongs together. 0: none does.",
    )  # fmt: skip
    measure: str = setting(
        Measure.SPATIAL.value, "Measure", choices=tuple(one.value for one in Measure),
        tip="What the joints' extremes are found by.",
    )  # fmt: skip
    contact_weight: float = setting(
        0.0, "Contacts count", "", 0.0, 1.0, tip="How much it speaks for a pose that a foot meets or leaves the ground."
    )
    changes: tuple[StaggerChange, ...] = setting((), "By hand", tip="What was done to single poses.")
    corrections: tuple[ExtremeCorrection, ...] = setting(
        (), "Poses added and removed", tip="Poses that are there although none was found, and those that are not."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        times = sorted(change.time_s for change in self.changes)
        if any(later - earlier < SAME_MOMENT_S for earlier, later in pairwise(times)):
            raise ValueError("changes: two of them are at the same moment")
        if self.start_s is not None and self.stop_s is not None and not self.start_s <= self.stop_s:
            raise ValueError(f"start_s is {self.start_s}, stop_s {self.stop_s}: the range must not run backwards")

    @property
    def settings(self) -> FindingSettings:
        """By what poses are found."""
        return FindingSettings(Measure(self.measure), self.contact_weight)

    def change_at(self, time_s: float) -> StaggerChange:
        """What was done to the pose that was found at a moment."""
        near = (one for one in self.changes if abs(one.time_s - time_s) < SAME_MOMENT_S)
        return next(near, StaggerChange(time_s))

    def plan(self, take: Take, context: Timing) -> Plan:
        """Where every knot goes. All is asked for in the source's time: a retime before it changes nothing of it."""
        skeleton = take.motion.skeleton
        evidence = known_evidence(take, self.settings)
        found = picked(evidence, self._picking(context))
        here = found.poses
        times = context.to_source(here.times_s)
        source = StaggeredPoses(times, context.to_source(here.knots_s) - times[:, None])
        asked = self._asked(source, skeleton, context.strength)
        at_stage = Asked(
            context.to_stage(source.knots_s + asked.by_rule_s) - here.knots_s,
            context.to_stage(source.knots_s + asked.by_hand_s) - here.knots_s,
            context.to_stage(asked.centres_s),
        )
        return Plan.of(evidence, found, at_stage, self._paces(source.times_s, context.strength))

    def apply(self, take: Take, context: Context) -> Take:
        if not self._asks_for_something(context) or take.motion.frames < 3:
            return take
        plan = self.plan(take, context)
        self._tell(plan, take.motion.skeleton, context)
        body = retimed_body(take, plan)
        slower = take.motion.duration_s / float(np.diff(context.to_source(np.array([0.0, take.motion.duration_s])))[0])
        motion = staggered(take, plan, slower * self.quick_s)
        motion = self._in_phase(motion, context)
        retimed = motion is not body.motion
        if self.keep_contacts and retimed:
            motion = with_contacts_kept(body, motion, keep_time=True)
        shaped = self._reshaped(motion, plan, context)
        if self.keep_contacts and shaped is not motion:
            shaped = with_contacts_kept(replace(body, motion=motion), shaped, keep_time=False)
        if shaped is take.motion:
            return take
        return replace(body, motion=shaped, extremes=None, ground=take.ground)

    def moments_s(self) -> tuple[float, ...]:
        return tuple(one.time_s for one in self.changes)

    def time_map(self, take: Take, context: Context) -> TimeMap:
        moves = any(one.to_s is not None or one.pace_before is not None or one.pace_after is not None
                    for one in self.changes)  # fmt: skip
        if not moves or context.strength == 0.0 or take.motion.frames < 3:
            return IDENTITY_MAP
        plan = self.plan(take, context)
        if not plan.moves_the_body:
            return IDENTITY_MAP
        after = np.linspace(0.0, take.motion.duration_s, (take.motion.frames - 1) * _KNOTS_A_FRAME + 1)
        before = body_moments(plan, after)
        rising = np.concatenate([[True], np.diff(before) > 1e-12])
        return TimeMap(before[rising], after[rising])

    def _asks_for_something(self, context: Context) -> bool:
        if context.strength == 0.0:
            return False
        rules = (self.succession_s, self.random_s, self.scale - 1.0, self.phase_rad)
        return any(rules) or any(not one.is_nothing for one in self.changes)

    def _picking(self, context: Timing) -> Picking:
        """Which poses are wanted, in the time of the stage. What a hand changed is a pose wherever it is."""
        kept = [ExtremeCorrection(What.ADDED, one.time_s) for one in self.changes]
        corrections = tuple(
            replace(
                one,
                time_s=float(context.to_stage(one.time_s)),
                to_s=None if one.to_s is None else float(context.to_stage(one.to_s)),
            )
            for one in (*self.corrections, *kept)
        )
        start_s = -np.inf if self.start_s is None else float(context.to_stage(self.start_s))
        stop_s = np.inf if self.stop_s is None else float(context.to_stage(self.stop_s))
        return Picking(self.level, start_s, stop_s, corrections)

    def chosen(self, skeleton: Skeleton) -> tuple[Array, Mask]:
        """(J,) how far joints are below the one at which succession begins, and which of them rules are for."""
        top = 0 if self.joint is None else skeleton.resolve(self.joint)
        mask = np.zeros(len(skeleton), dtype=bool)
        if top is None:
            return np.zeros(len(skeleton)), mask
        mask[list(skeleton.subtree(top))] = True
        return depths_below(skeleton, top), mask

    def _asked(self, poses: StaggeredPoses, skeleton: Skeleton, strength: float) -> Asked:
        """What is asked of poses, in the source's time."""
        depths, mask = self.chosen(skeleton)
        below = mask & (depths > 0.0)
        late = succession(depths, self.succession_s, self.nonlinearity)
        by_rule = np.tile(late, (len(poses), 1))
        by_rule += chance(poses.times_s, len(skeleton), self.random_s, self.seed, below)
        by_rule += scaled(poses.refinements_s, self.scale, mask) - poses.refinements_s
        by_hand, centres = np.zeros(by_rule.shape), np.array(poses.times_s)
        for n, change in self._changes_of(poses.times_s):
            if change.to_s is not None:
                centres[n] += strength * (change.to_s - change.time_s)
            for ref, late_s in change.knots:
                joint = skeleton.resolve(ref)
                if joint is not None:
                    by_hand[n, joint] += strength * late_s
        return Asked(strength * by_rule, by_hand, centres)

    def _paces(self, times_s: Array, strength: float) -> Array:
        """(N + 1, 2) how fast transitions start and end, those from and to the motion's ends with them."""
        paces = np.full((len(times_s) + 1, 2), np.nan)
        for n, change in self._changes_of(times_s):
            if change.pace_before is not None:
                paces[n, 1] = 1.0 + strength * (change.pace_before - 1.0)
            if change.pace_after is not None:
                paces[n + 1, 0] = 1.0 + strength * (change.pace_after - 1.0)
        return paces

    def _changes_of(self, times_s: Array) -> list[tuple[int, StaggerChange]]:
        """Changes with the numbers of their poses. times_s : (N,) of the source."""
        found = []
        for change in self.changes:
            if len(times_s) and not change.is_nothing:
                n = int(np.argmin(np.abs(times_s - change.time_s)))
                if abs(times_s[n] - change.time_s) < 1e-3:
                    found.append((n, change))
        return found

    def _in_phase(self, motion: Motion, context: Context) -> Motion:
        """The motion with joints delayed in phase, within the range."""
        depths, mask = self.chosen(motion.skeleton)
        angles = context.strength * succession(depths, self.phase_rad, self.nonlinearity)
        joints = np.flatnonzero(mask & (angles != 0.0))
        if not len(joints):
            return motion
        rotations = np.array(motion.local_rotations)
        own = rotations[:, joints]
        times = context.to_source(np.arange(float(motion.frames)) * motion.frame_time_s)
        weights = Scope(start_s=self.start_s, stop_s=self.stop_s).weights(times)
        rotations[:, joints] = slerp(own, delayed_rotations(own, angles[joints]), weights[:, None])
        return replace(motion, local_rotations=rotations)

    def _reshaped(self, motion: Motion, plan: Plan, context: Context) -> Motion:
        """The motion through poses of other values."""
        skeleton, poses = motion.skeleton, plan.after
        times = context.to_source(plan.found.poses.times_s)
        given = [
            (n, one) for n, one in self._changes_of(times) if one.offsets or any(one.root_move_m) or one.away != 0.0
        ]
        if not given:
            return motion
        changes, moves = no_change(len(poses), len(skeleton)), np.zeros((len(poses), 3))
        extremes = non_staggered(motion, poses)
        for n, one in given:
            if one.away:
                other = mean_pose(extremes)
                if one.away_from_s is not None:
                    other = extremes[int(np.argmin(np.abs(times - one.away_from_s)))]
                changes[n] = away_from(extremes[n], other, context.strength * one.away)
            for ref, vector in one.offsets:
                joint = skeleton.resolve(ref)
                if joint is not None:
                    turn = from_rotation_vector(context.strength * np.array(vector))
                    changes[n, joint] = multiply(turn, changes[n, joint])
            moves[n] = context.strength * np.array(one.root_move_m)
        return reshaped(motion, poses, changes, moves)

    def _tell(self, plan: Plan, skeleton: Skeleton, context: Context) -> None:
        """Say what had to give way."""
        if not len(plan.after):
            context.note("No poses were found here: a higher level finds more, or add them by hand.")
        if self.joint is not None and skeleton.resolve(self.joint) is None:
            context.note(f"This body has no {self.joint.name}: succession and chance have no effect.")
        missing = {
            ref.name: None
            for change in self.changes
            for ref, _ in (*change.knots, *change.offsets)
            if skeleton.resolve(ref) is None
        }
        if missing:
            context.note(f"This body has no {', '.join(missing)}: what was done to it by hand has no effect.")
        if np.any(plan.stopped):
            context.note(f"{_counted(plan.stopped)} stop before the knots beside them, and move less than asked for.")
        if np.any(plan.near):
            context.note(f"{_counted(plan.near)} are nearer to another pose than to their own: movement may hurry.")


def _counted(mask: Mask) -> str:
    knots = int(np.sum(mask))
    poses = int(np.sum(np.any(mask, axis=1)))
    return f"{knots} knot{'s'[: knots != 1]} of {poses} pose{'s'[: poses != 1]}"
