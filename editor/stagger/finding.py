"""Staggered poses found in a motion: moments around which the extrema of joints gather.

`evidence_in` measures once; `picked` takes as many poses as wanted and says which extremum belongs to which, which
costs next to nothing: a slider can follow the hand. Coleman 2012, section 7.6.1.
"""

from dataclasses import dataclass

import numpy as np

from editor.extrema.correct import ExtremeCorrection
from editor.extrema.find import ExtremaSettings, Measured, measured
from editor.extrema.holds import JOINT_STILL
from editor.extrema.measures import Measure
from editor.extrema.parts import joint_points
from editor.extrema.selecting import semi_local_maxima
from editor.stagger.poses import SAME_MOMENT_S, StaggeredPoses
from model.arrays import Array, IntArray, freeze, in_parallel
from model.clip import Take
from model.contacts import Contacts, Mask, intervals
from model.kinematics import local_cartesian
from model.motion import Motion
from model.skeleton import Skeleton

# In the middle of the slider from few to many.
DEFAULT_LEVEL = 0.5
# Evidence is gathered under a tent that is so wide from end to end.
TENT_S = 0.15
# Peaks of evidence are beyond all within this time, half before and half after.
_APART_S = 1.0 / 6.0
# A joint's extremum that stands out by less belongs to no pose.
_FAINT = 0.02
# A change of contact counts as if a joint were in its extreme for so long.
_CONTACT_S = 0.1
# A correction means a pose within this time of it.
TOLERANCE_S = 0.5 * _APART_S


@dataclass(frozen=True)
class FindingSettings:
    """measure : of joints; contact_weight : how much a change of contact counts, all joints together counting 1."""

    measure: Measure = Measure.SPATIAL
    contact_weight: float = 0.0
    tent_s: float = TENT_S


@dataclass(frozen=True, eq=False)
class Evidence:
    """How likely a pose is at each moment, and what might be one.

    probability : (F,) P(t), 0 to 1; joint_weights : (J,) how much each joint counts in it, summing to 1; extrema_s :
    for each joint the moments at which its own rotation turns back; candidates : (N,) frames of the peaks of P;
    importances : (N,) 0 to 1, how long each is kept when fewer and fewer are wanted.
    """

    frame_time_s: float
    probability: Array
    joint_weights: Array
    extrema_s: tuple[Array, ...]
    candidates: IntArray
    importances: Array

    @property
    def duration_s(self) -> float:
        return max(len(self.probability) - 1, 0) * self.frame_time_s


@dataclass(frozen=True, eq=False)
class Found:
    """Poses, and why they are there. with_extremum : (N, J) whether a joint's knot is at an extremum of it; without one
    it is at the central time. importances : (N,), 1 for poses added by hand; by_hand : (N,).
    """

    poses: StaggeredPoses
    with_extremum: Mask
    probabilities: Array
    importances: Array
    by_hand: Mask


@dataclass(frozen=True)
class Picking:
    """Which of the candidates are wanted, in the take's own time. level : 0 few to 1 all; start_s, stop_s : the time of
    interest; corrections : poses added and deleted by hand, at their moments.
    """

    level: float = DEFAULT_LEVEL
    start_s: float = -np.inf
    stop_s: float = np.inf
    corrections: tuple[ExtremeCorrection, ...] = ()


def evidence_of(take: Take, settings: FindingSettings) -> Evidence:
    """As `evidence_in`, of a take."""
    return evidence_in(take.motion, take.contacts, settings)


def evidence_in(motion: Motion, contacts: Contacts | None = None, settings: FindingSettings | None = None) -> Evidence:
    """What speaks for poses in a motion.

    The measures of joints, in world axes, each brought to 0 to 1, are added with the joints' weights and gathered under
    a tent: P(t) = f(sum w p / sum w). Knots are at extrema of a joint's own rotation, in the axes of its parent: it is
    that which staggering moves.
    """
    settings = settings or FindingSettings()
    if not motion.frames:
        nothing, none = np.zeros(0), np.zeros(0, dtype=np.intp)
        return Evidence(motion.frame_time_s, nothing, joint_weights(motion), (), none, nothing)
    values, own = _measured_joints(motion, settings.measure)
    weights = joint_weights(motion)
    signal = weights @ np.stack([_probability(one) for one in values])
    if contacts is not None and settings.contact_weight > 0.0:
        struck = np.minimum(contact_changes(contacts) * _CONTACT_S / motion.frame_time_s, 1e6)
        signal = (signal + settings.contact_weight * struck) / (1.0 + settings.contact_weight)
    probability = tent_filtered(signal, settings.tent_s / motion.frame_time_s)
    candidates = semi_local_maxima(probability, _APART_S / motion.frame_time_s)
    margin = 0.5 * _APART_S / motion.frame_time_s  # what is nearer to an end is cut off by it
    candidates = candidates[(candidates >= margin) & (candidates <= motion.frames - 1 - margin)]
    extrema = tuple(_clear_extrema(one, motion) for one in own)
    importances = _importances(probability, candidates, motion)
    return Evidence(motion.frame_time_s, freeze(probability), weights, extrema, candidates, importances)


def picked(evidence: Evidence, how: Picking | None = None) -> Found:
    """The poses that are wanted, each with the joint extrema that are nearer to it than to the poses beside it."""
    how = how or Picking()
    times = np.asarray(evidence.candidates * evidence.frame_time_s, dtype=np.float64)
    importances = evidence.importances
    wanted = (importances >= 1.0 - how.level) & (times >= how.start_s) & (times <= how.stop_s)
    numbers, times = _corrected(times[wanted], how.corrections, evidence.duration_s)
    importances = np.append(importances[wanted], 1.0)[numbers]
    refinements, has = refined_by_extrema(times, evidence.extrema_s, evidence.duration_s)
    frames = np.clip(np.rint(times / evidence.frame_time_s).astype(np.intp), 0, max(len(evidence.probability) - 1, 0))
    probabilities = evidence.probability[frames] if len(times) else np.zeros(0)
    return Found(StaggeredPoses(times, refinements), has, probabilities, importances, numbers < 0)


def picked_on(
    before: Found, poses: StaggeredPoses, evidence: Evidence, corrections: tuple[ExtremeCorrection, ...]
) -> Found:
    """The poses of another one, at other moments by now, with some more and some less.

    before : as they were found; poses : as they are now; evidence : with the joints' extrema as they are now. New poses
    have their knots where joints turn back, if these are in order between the knots beside them, and else evenly there.
    """
    numbers, times = _corrected(poses.times_s, corrections, evidence.duration_s)
    refinements, has = refined_by_extrema(times, evidence.extrema_s, evidence.duration_s)
    old = numbers >= 0
    refinements[old], has[old] = poses.refinements_s[numbers[old]], before.with_extremum[numbers[old]]
    ends = np.zeros((1, refinements.shape[1])), np.full((1, refinements.shape[1]), evidence.duration_s)
    knots = np.concatenate([ends[0], times[:, None] + refinements, ends[1]])
    for run in intervals(~old):
        span = slice(run.start, run.stop + 2)  # with the knots before and after
        rises = np.all(np.diff(knots[span], axis=0) > SAME_MOMENT_S, axis=0)
        even = np.linspace(knots[run.start], knots[run.stop + 1], run.stop - run.start + 2)
        knots[span] = np.where(rises, knots[span], even)
        has[run.start : run.stop] &= rises
    return Found(
        StaggeredPoses(times, knots[1:-1] - times[:, None]),
        has,
        np.append(before.probabilities, 0.0)[numbers],
        np.append(before.importances, 1.0)[numbers],
        np.append(before.by_hand, True)[numbers],
    )


def _corrected(times: Array, corrections: tuple[ExtremeCorrection, ...], duration_s: float) -> tuple[IntArray, Array]:
    """Poses at times (N,) with corrections laid over them: the number that each had, -1 for those that are new, and the
    times. A correction takes the place of the nearest pose, where one is near.
    """
    numbers = np.arange(len(times))
    for one in corrections:
        away = np.abs(times - one.time_s)
        if len(away) and np.min(away) <= TOLERANCE_S:
            nearest = int(np.argmin(away))
            times, numbers = np.delete(times, nearest), np.delete(numbers, nearest)
        put_s = one.puts_s
        if put_s is not None and 0.0 < put_s < duration_s:
            place = int(np.searchsorted(times, put_s))
            times, numbers = np.insert(times, place, put_s), np.insert(numbers, place, -1)
    return numbers, times


def refined_by_extrema(times_s: Array, extrema_s: tuple[Array, ...], duration_s: float) -> tuple[Array, Mask]:
    """(N, J) how much later than the poses' times (N,) each joint has its nearest extremum, and whether it has one.

    Only what is nearer to a pose than to the one beside it belongs to it; the ends of the motion count as poses.
    """
    refinements = np.zeros((len(times_s), len(extrema_s)))
    has = np.zeros(refinements.shape, dtype=bool)
    if not len(times_s):
        return refinements, has
    middles = 0.5 * (times_s[1:] + times_s[:-1])
    lows = np.concatenate([[0.5 * times_s[0]], middles])
    highs = np.concatenate([middles, [0.5 * (times_s[-1] + duration_s)]])
    for joint, moments in enumerate(extrema_s):
        if not len(moments):
            continue
        place = np.clip(np.searchsorted(moments, times_s), 1, max(len(moments) - 1, 1))
        before, after = moments[place - 1], moments[np.minimum(place, len(moments) - 1)]
        nearest = np.where(np.abs(times_s - before) <= np.abs(after - times_s), before, after)
        has[:, joint] = (nearest > lows) & (nearest < highs)
        refinements[:, joint] = np.where(has[:, joint], nearest - times_s, 0.0)
    return refinements, has


def told(found: Found, number: int, skeleton: Skeleton, weights: Array) -> str:
    """Why a pose is there, in sentences: how likely it is, and which joints turn back near it, the weightiest first."""
    has, late = found.with_extremum[number], found.poses.refinements_s[number]
    order = [joint for joint in np.argsort(-weights).tolist() if has[joint]]
    likely = f"{100.0 * found.probabilities[number]:.0f} % likely"
    if found.by_hand[number]:
        likely = "added by hand"
    if not order:
        return f"Pose at {found.poses.times_s[number]:.2f} s, {likely}. No joint turns back near it."
    joints = ", ".join(f"{skeleton.names[joint]} {late[joint]:+.2f} s" for joint in order[:4])
    more = f" and {len(order) - 4} more" if len(order) > 4 else ""
    return f"Pose at {found.poses.times_s[number]:.2f} s, {likely}. Joints that turn back near it: {joints}{more}."


def joint_weights(motion: Motion) -> Array:
    """(J,) the length of each bone times the way its end goes about its beginning, summed over a joint's bones.

    They sum to 1, unless nothing moves.
    """
    away = local_cartesian(motion.skeleton.parents, motion.world.positions)
    ways = np.sum(np.linalg.norm(np.diff(away, axis=0), axis=-1), axis=0)
    lengths = np.linalg.norm(motion.skeleton.offsets, axis=-1)
    weights = np.zeros(len(motion.skeleton))
    for joint, parent in enumerate(motion.skeleton.parents):
        if parent >= 0:
            weights[parent] += lengths[joint] * ways[joint]
    total = float(np.sum(weights))
    return weights / total if total > 0.0 else weights


def contact_changes(contacts: Contacts) -> Array:
    """(F,) 1 where a foot or hand meets the ground or leaves it, else 0."""
    changes = np.zeros(contacts.frames)
    for held in contacts.limbs.values():
        for one in held:
            if one.start > 0:
                changes[one.start] = 1.0
            if one.stop < contacts.frames:
                changes[one.stop] = 1.0
    return changes


def tent_filtered(values: Array, width: float) -> Array:
    """(F,) values weighted by a tent around each, so many frames wide; beyond the ends they are held."""
    half = max(0.5 * width, 1.0)
    reach = int(np.ceil(half))
    weights = np.maximum(1.0 - np.abs(np.arange(-reach, reach + 1)) / half, 0.0)
    return np.convolve(np.pad(values, reach, mode="edge"), weights / np.sum(weights), mode="valid")


def _measured_joints(motion: Motion, measure: Measure) -> tuple[list[Array], list[Measured]]:
    """For each joint (F,) its measure in world axes, larger at extremes; and its extrema in the axes of its parent."""
    joints = len(motion.skeleton)
    values: list[Array] = [np.zeros(0)] * joints
    own: list[Measured | None] = [None] * joints
    settings = ExtremaSettings(measure)
    motion.world  # noqa: B018  worked out once, not by every thread

    def work(joint: int) -> None:
        for in_parent in (False, True):
            points = joint_points(motion, joint, in_parent)
            alone = [points[:, [n]] for n in range(points.shape[1])]
            found = measured(alone, points, motion.frame_time_s, settings, JOINT_STILL)
            if in_parent:
                own[joint] = found
            else:
                values[joint] = settings.sign * found.values

    in_parallel(work, range(joints))
    return values, [one for one in own if one is not None]


def _probability(values: Array) -> Array:
    """Values (F,) brought to 0 to 1, by what there is of them."""
    low, high = float(np.min(values)), float(np.max(values))
    return np.asarray((values - low) / (high - low)) if high - low > 1e-9 else np.zeros(len(values))


def _clear_extrema(found: Measured, motion: Motion) -> Array:
    """(N,) the moments of a joint's extrema that stand out, without the ends of the motion."""
    inside = (found.frames > 0) & (found.frames < motion.frames - 1) & (found.prominences >= _FAINT)
    return freeze(np.asarray(found.frames[inside] * motion.frame_time_s, dtype=np.float64))


def _importances(probability: Array, candidates: IntArray, motion: Motion) -> Array:
    """(N,) 0 to 1: how small a share of the usual priority still keeps each candidate.

    The priority is P(t_i)(t_{i+1} - t_{i-1}); the least is taken away and its neighbours are farther apart then, so
    that of two close ones the better stays. Beside the first and last there is a pose as far away as on their other
    side, or the end of the motion where that is farther.
    """
    left = list(range(len(candidates)))
    times, chances = candidates * motion.frame_time_s, probability[candidates]
    importances, so_far = np.ones(len(left)), 0.0
    while len(left) > 1:
        here = times[left]
        apart = np.diff(here)
        before = np.concatenate([[max(here[0], apart[0])], apart])
        after = np.concatenate([apart, [max(motion.duration_s - here[-1], apart[-1])]])
        priorities = chances[left] * (before + after)
        least = int(np.argmin(priorities))
        so_far = max(so_far, float(priorities[least] / max(np.median(priorities), 1e-12)))
        importances[left.pop(least)] = min(so_far, 1.0)
    return freeze(importances)
