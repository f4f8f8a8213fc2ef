"""Staggered poses: the timing between the parts of a body, found in a clip and changed as a whole or knot by knot."""

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np

from editor.extrema.correct import ExtremeCorrection, What
from editor.extrema.measures import Measure
from editor.posing.edit import told_overrides
from editor.posing.grounded.asked import Override, Target
from editor.stagger.by_hand import Round, StaggerChange
from editor.stagger.carrying_out import (
    body_moments,
    extrema_shown,
    firm_on_the_ground,
    in_time_on_the_ground,
    joint_moments,
    retimed_body,
    staggered,
    with_contacts_kept,
)
from editor.stagger.finding import (
    DEFAULT_LEVEL,
    Evidence,
    FindingSettings,
    Found,
    Picking,
    evidence_of,
    picked,
    picked_on,
)
from editor.stagger.phase import delayed_rotations
from editor.stagger.plan import Asked, Plan
from editor.stagger.poses import SAME_MOMENT_S, StaggeredPoses, depths_below, top_of_body
from editor.stagger.refining import chance, scaled, succession
from editor.stagger.reshaping import away_from, mean_pose, no_change, non_staggered, reshaped
from editor.stagger.softening import softened
from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.contacts import Mask
from model.derived import Deriver, uncached
from model.motion import Motion
from model.rotation import from_rotation_vector, multiply, slerp
from model.scope import Scope
from model.skeleton import JointRef, Skeleton
from model.time_map import IDENTITY_MAP, TimeMap

# Within a frame the map of moved poses has so many knots.
_KNOTS_A_FRAME = 4
# How long a swing of a body takes, roughly.
_SWING_S = 1.0
# Of so many poses it is told one by one what contacts took from them.
_MOST_TOLD = 3
# Maps of time round: a change this near to a pose is that pose's.
SAME_POSE_S = 1e-3


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
    group: ClassVar[str] = "Stagger"
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
    soften: bool = setting(
        True,
        "Soften",
        tip="Where joints at moments of their own would jerk more than the clip usually does, they are smoothed.",
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
    earlier: tuple[Round, ...] = setting(
        (), "Before that", tip="What was done while there were other poses; adding and removing them left it as it was."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        Round(self.corrections, self.changes)  # raises where these do not go together
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

    @property
    def _sets(self) -> tuple[Round, ...]:
        """What hands did, with one set of poses after another."""
        return (*self.earlier, Round(self.corrections, self.changes))

    @property
    def rounds(self) -> "tuple[Stagger, ...]":
        """One edit for each set of poses that hands worked with, to be done one after another. Rules are for the first:
        what is put in or taken out later changes nothing of what they did.
        """
        first, *others = self._sets
        plain = replace(self, succession_s=0.0, random_s=0.0, scale=1.0, phase_rad=0.0)
        return tuple(
            replace(edit, earlier=(), corrections=one.corrections, changes=one.changes)
            for edit, one in ((self, first), *((plain, one) for one in others))
        )

    def planned(self, evidence: Evidence, skeleton: Skeleton, context: Timing) -> "tuple[Planned, ...]":
        """Where every knot goes, round by round; the last tells of the poses as they are now. evidence : of the take,
        by these settings.
        """
        rounds: list[Planned] = []
        for edit in self.rounds:
            if not rounds:
                found, timing = picked(evidence, edit._picking(context)), context
            else:
                last = rounds[-1]
                timing = _Later(last.timing, _body_map(last.plan))
                evidence = replace(evidence, extrema_s=extrema_shown(last.plan))
                corrections = edit._picking(timing, last.plan.after).corrections
                found = picked_on(last.plan.found, last.plan.after, evidence, corrections)
            plan = edit._plan_of(evidence, found, timing, skeleton)
            rounds.append(Planned(edit, timing, plan))
        return tuple(rounds)

    def plan(self, take: Take, context: Timing, derive: Deriver = uncached) -> Plan:
        """Where every knot of the poses goes, in the last round."""
        return self._rounds_of(take, context, derive)[-1].plan

    def _rounds_of(self, take: Take, context: Timing, derive: Deriver) -> "tuple[Planned, ...]":
        return self.planned(derive(evidence_of, take, self.settings), take.motion.skeleton, context)

    def _plan_of(self, evidence: Evidence, found: Found, context: Timing, skeleton: Skeleton) -> Plan:
        """Where every knot goes. All is asked for in the source's time: a retime before it changes nothing of it."""
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
        rounds = self._rounds_of(take, context, context.derived)
        self._tell([one.plan for one in rounds], take.motion.skeleton, context)
        for one in rounds:
            take, overrides = one.edit._carried_out(take, one.plan, one.timing, context.derived)
            times = one.timing.to_source(np.arange(float(take.motion.frames)) * take.motion.frame_time_s)
            for _, text in told_overrides(overrides, times, context.moment)[:_MOST_TOLD]:
                context.note(text)
        return take

    def _carried_out(
        self, take: Take, plan: Plan, context: Timing, derive: Deriver
    ) -> tuple[Take, tuple[Override, ...]]:
        """What one round makes of a take, and what contacts did not let be."""
        body = retimed_body(take, plan)
        slower = take.motion.duration_s / float(np.diff(context.to_source(np.array([0.0, take.motion.duration_s])))[0])
        motion = staggered(take.motion, body.motion, plan, slower * self.quick_s, derive)
        motion = self._in_phase(motion, context)
        if motion is not body.motion:
            if self.keep_contacts:
                motion = in_time_on_the_ground(body, motion)
            if self.soften:
                motion = self._softened(body, motion, self._shown(body.motion, plan, context))
            if self.keep_contacts:
                motion, _ = with_contacts_kept(body, motion)
        shaped, targets = self._reshaped(motion, plan, context)
        overrides: tuple[Override, ...] = ()
        if self.keep_contacts and shaped is not motion:
            shaped, overrides = with_contacts_kept(replace(body, motion=motion), shaped, targets)
        if shaped is take.motion:
            return take, ()
        return replace(body, motion=shaped, extremes=None, ground=take.ground), overrides

    def _softened(self, body: Take, motion: Motion, shown_s: Array) -> Motion:
        """A motion made of a body's, softened in the air."""
        soft = softened(body.motion, motion, shown_s)
        return firm_on_the_ground(body.contacts, motion, soft) if self.keep_contacts else soft

    def moments_s(self) -> tuple[float, ...]:
        changed = (one.time_s for part in self._sets for one in part.changes)
        return (*changed, *(one.time_s for part in self._sets for one in part.corrections))

    def time_map(self, take: Take, context: Context) -> TimeMap:
        moves = any(one.to_s is not None or one.pace_before is not None or one.pace_after is not None
                    for part in self._sets for one in part.changes)  # fmt: skip
        if not moves or context.strength == 0.0 or take.motion.frames < 3:
            return IDENTITY_MAP
        found = IDENTITY_MAP
        for one in self._rounds_of(take, context, context.derived):
            found = found.then(_body_map(one.plan))
        return found

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is asked for, by rules or by hand."""
        rules = (self.succession_s, self.random_s, self.scale - 1.0, self.phase_rad)
        return not any(rules) and not self.earlier and all(one.is_nothing for one in self.changes)

    def _asks_for_something(self, context: Context) -> bool:
        return context.strength != 0.0 and not self.is_nothing

    def _picking(self, context: Timing, present: StaggeredPoses | None = None) -> Picking:
        """Which poses are wanted, in the time of the stage. What a hand changed is a pose wherever it is. present : the
        poses before that, where they need not be found.
        """
        there = np.zeros(0) if present is None else context.to_source(present.times_s)
        kept = [
            ExtremeCorrection(What.ADDED, one.time_s)
            for one in self.changes
            if not np.any(np.abs(there - one.time_s) < SAME_POSE_S)
        ]
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
        top = top_of_body(skeleton) if self.joint is None else skeleton.resolve(self.joint)
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
                if abs(times_s[n] - change.time_s) < SAME_POSE_S:
                    found.append((n, change))
        return found

    def _phases(self, skeleton: Skeleton) -> Array:
        """(J,) by which part of a swing joints are delayed, in radians."""
        depths, mask = self.chosen(skeleton)
        return np.where(mask, succession(depths, self.phase_rad, self.nonlinearity), 0.0)

    def _shown(self, body: Motion, plan: Plan, context: Timing) -> Array:
        """(F, J) the moments of a body that its joints show, by time and by phase."""
        moments = joint_moments(plan, np.arange(float(body.frames)) * body.frame_time_s)
        return moments - context.strength * _SWING_S / (2.0 * np.pi) * self._phases(body.skeleton)

    def _in_phase(self, motion: Motion, context: Timing) -> Motion:
        """The motion with joints delayed in phase, within the range."""
        angles = context.strength * self._phases(motion.skeleton)
        joints = np.flatnonzero(angles)
        if not len(joints):
            return motion
        rotations = np.array(motion.local_rotations)
        own = rotations[:, joints]
        times = context.to_source(np.arange(float(motion.frames)) * motion.frame_time_s)
        weights = Scope(start_s=self.start_s, stop_s=self.stop_s).weights(times)
        rotations[:, joints] = slerp(own, delayed_rotations(own, angles[joints]), weights[:, None])
        return replace(motion, local_rotations=rotations)

    def _reshaped(self, motion: Motion, plan: Plan, context: Timing) -> tuple[Motion, tuple[Target, ...]]:
        """The motion through poses of other values, and the poses that hands made."""
        skeleton, poses = motion.skeleton, plan.after
        times = context.to_source(plan.found.poses.times_s)
        given = [
            (n, one) for n, one in self._changes_of(times) if one.offsets or any(one.root_move_m) or one.away != 0.0
        ]
        if not given:
            return motion, ()
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
        of_extremes = np.zeros(len(poses), dtype=bool)
        of_extremes[[n for n, one in given if one.of_extremes]] = True
        by_hand = [n for n, one in given if one.offsets or any(one.root_move_m)]
        shaped = reshaped(motion, poses, changes, moves, of_extremes)
        return shaped, _targets(motion, poses, moves, by_hand)

    def _tell(self, plans: list[Plan], skeleton: Skeleton, context: Context) -> None:
        """Say what had to give way, in any of the rounds."""
        if not len(plans[0].after):
            context.note("No poses were found here: a higher level finds more, or add them by hand.")
        if self.joint is not None and skeleton.resolve(self.joint) is None:
            context.note(f"This body has no {self.joint.name}: succession and chance have no effect.")
        missing = {
            ref.name: None
            for part in self._sets
            for change in part.changes
            for ref, _ in (*change.knots, *change.offsets)
            if skeleton.resolve(ref) is None
        }
        if missing:
            context.note(f"This body has no {', '.join(missing)}: what was done to it by hand has no effect.")
        stopped, near = _counted([plan.stopped for plan in plans]), _counted([plan.near for plan in plans])
        if stopped:
            context.note(f"{stopped} stop before the knots beside them, and move less than asked for.")
        if near:
            context.note(f"{near} are nearer to another pose than to their own: movement may hurry.")


def _targets(motion: Motion, poses: StaggeredPoses, moves_m: Array, chosen: list[int]) -> tuple[Target, ...]:
    """Some of the poses in the solver's terms: each fades towards the poses beside it. moves_m : (N, 3) of the root."""
    frames = np.concatenate([[-np.inf], poses.times_s, [np.inf]]) / motion.frame_time_s
    found: dict[int, Target] = {}
    for n in chosen:
        frame = min(max(round(float(frames[n + 1])), 0), motion.frames - 1)
        x, y, z = moves_m[n].tolist()
        found[frame] = Target(frame, frame - float(frames[n]), float(frames[n + 2]) - frame, (x, y, z))
    return tuple(found[frame] for frame in sorted(found))


@dataclass(frozen=True, eq=False)
class Planned:
    """A round that is worked out and not carried out. edit : it alone; timing : from the source's time to that in which
    it begins.
    """

    edit: Stagger
    timing: Timing
    plan: Plan


@dataclass(frozen=True)
class _Later:
    """The time in which a round begins: that of the one before, and what that one did to it."""

    before: Timing
    time_map: TimeMap

    @property
    def strength(self) -> float:
        return self.before.strength

    def to_stage(self, source_times_s: Array | float) -> Array:
        return self.time_map(self.before.to_stage(source_times_s))

    def to_source(self, stage_times_s: Array | float) -> Array:
        return self.before.to_source(self.time_map.inverse()(stage_times_s))


def _body_map(plan: Plan) -> TimeMap:
    """Where moments of a take are after its poses were moved as a whole."""
    if not plan.moves_the_body:
        return IDENTITY_MAP
    frames = len(plan.evidence.probability)
    after = np.linspace(0.0, plan.evidence.duration_s, (frames - 1) * _KNOTS_A_FRAME + 1)
    after = np.union1d(after, plan.centres_s[:, 1])  # poses are met exactly
    before = body_moments(plan, after)
    rising = np.concatenate([[True], (np.diff(before) > 1e-12) & (np.diff(after) > 1e-12)])
    return TimeMap(before[rising], after[rising])


def _counted(masks: list[Mask]) -> str:
    """How many knots of how many poses are meant, in the round in which most are; nothing where none is."""
    mask = max(masks, key=np.sum)
    knots = int(np.sum(mask))
    poses = int(np.sum(np.any(mask, axis=1)))
    return f"{knots} knot{'s'[: knots != 1]} of {poses} pose{'s'[: poses != 1]}" if knots else ""
