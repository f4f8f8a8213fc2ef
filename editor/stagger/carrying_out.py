"""A plan carried out: joints shown at their own moments, with feet that stay where they stand.

What is quicker than a window stays at its own time. Recorded noise in one joint is made up for by that of the joints
beside it; drawn apart it would be seen (Coleman 2012, section 7.8, who filters it away).
"""

from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.feet import find_limb
from editor.posing.grounded.asked import Override, PoseChange, Target, Turn
from editor.posing.grounded.solve import solve
from editor.stagger.plan import Plan
from editor.stagger.warping import cubic_between, frames_at, moments_shown, padded
from model.arrays import Array
from model.clip import Take
from model.contacts import Contacts, Mask, intervals
from model.derived import Deriver, uncached
from model.motion import Motion
from model.retiming import sampled
from model.roles import Role
from model.rotation import conjugate, multiply, power, to_rotation_vector, unroll
from model.skeleton import Skeleton
from model.smoothing import smoothed_rotations

# A limb that rests on the ground keeps its time, and within this time before and after a contact it passes over.
_FADE_S = 0.3
# A limb that is in the air for less than this has less of a time of its own, or it would have to hurry back.
_AIR_S = 0.8
# It is softened in the air alone, and so near to a contact less and less.
_FIRM_S = 0.1
# Noise from frame to frame is quick at any rate.
_LEAST_FRAMES = 4.5


def body_moments(plan: Plan, times_s: Array) -> Array:
    """(T,) the moments of the take that the body as a whole shows at times (T,)."""
    if not plan.moves_the_body:
        return times_s
    return moments_shown(plan.centres_s[:, :1], plan.centres_s[:, 1:], times_s, plan.paces)[:, 0]


def joint_moments(plan: Plan, times_s: Array) -> Array:
    """(T, J) the moments of the body, its poses moved as a whole, that its joints show at times (T,)."""
    joints = list(plan.staggered)
    own = moments_shown(plan.before_s[:, joints], plan.after_s[:, joints], times_s, plan.paces)
    moments = np.array(np.broadcast_to(times_s[:, None], (len(times_s), plan.before_s.shape[1])))
    moments[:, joints] = np.interp(own, body_moments(plan, times_s), times_s) if plan.moves_the_body else own
    return moments


def extrema_shown(plan: Plan) -> tuple[Array, ...]:
    """For each joint, when its extrema are shown by a plan."""
    times = np.arange(float(len(plan.evidence.probability))) * plan.evidence.frame_time_s
    own = moments_shown(plan.before_s, plan.after_s, times, plan.paces)
    return tuple(np.interp(moments, own[:, joint], times) for joint, moments in enumerate(plan.evidence.extrema_s))


def retimed_body(take: Take, plan: Plan) -> Take:
    """The take with its poses moved as a whole, contacts along with them."""
    if not plan.moves_the_body or take.motion.frames < 2:
        return take
    motion = take.motion
    shown = body_moments(plan, np.arange(float(motion.frames)) * motion.frame_time_s)
    frames = np.clip(shown / motion.frame_time_s, 0.0, motion.frames - 1.0)
    return Take(sampled(motion, frames), take.contacts.at(frames))


def staggered(motion: Motion, body: Motion, plan: Plan, quick_s: float, derive: Deriver = uncached) -> Motion:
    """A motion with every joint at its own time.

    body : it with its poses moved as a whole, see `retimed_body`; quick_s : what is quicker stays with that; derive :
    for what a slider need not have computed again.
    """
    joints = plan.staggered
    if not joints or motion.frames < 2:
        return body
    columns = list(joints)
    times = np.arange(float(motion.frames)) * motion.frame_time_s
    own = moments_shown(plan.before_s[:, columns], plan.after_s[:, columns], times, plan.paces)
    together = body_moments(plan, times)
    layers = derive(layers_of, motion, quick_s)
    frames = frames_at(motion, own)
    rotations = np.array(np.moveaxis(body.local_rotations, 0, -1))  # (J, 4, F)
    for n, joint in enumerate(joints):
        turns = cubic_between(layers.calm[joint], frames[:, n])
        turns /= np.sqrt(np.sum(turns * turns, axis=0))
        if layers.quick is not None:
            quick = layers.quick[joint]
            if plan.moves_the_body:
                quick = cubic_between(padded(quick), frames_at(motion, together))
                quick /= np.sqrt(np.sum(quick * quick, axis=0))
            turns = multiply(quick.T, turns.T).T
        # Where a joint's time is the body's the very numbers stay.
        apart = np.abs(own[:, n] - together) > 1e-9
        rotations[joint][:, apart] = turns[:, apart]
    roots = body.root_positions
    if 0 in joints:
        roots = cubic_between(padded(motion.root_positions.T), frames[:, joints.index(0)]).T
    return replace(body, root_positions=roots, local_rotations=np.moveaxis(rotations, -1, 0))


@dataclass(frozen=True, eq=False)
class Layers:
    """A motion's rotations in two parts: calm (J, 4, F + 2), ready to be shown between frames, and what is quicker than
    that, (J, 4, F), laid over it; None where all is carried along.
    """

    calm: Array
    quick: Array | None


def layers_of(motion: Motion, quick_s: float) -> Layers:
    """The two parts of a motion."""
    rotations = unroll(motion.local_rotations)
    window = max(quick_s / motion.frame_time_s, _LEAST_FRAMES) if quick_s > 0.0 else 0.0
    calm = smoothed_rotations(rotations, window, keep_peaks=True)
    quick = None
    if calm is not rotations:
        quick = np.ascontiguousarray(np.moveaxis(unroll(multiply(rotations, conjugate(calm))), 0, -1))
    return Layers(padded(np.moveaxis(unroll(calm), 0, -1)), quick)


def in_time_on_the_ground(body: Take, changed: Motion) -> Motion:
    """A motion retimed joint by joint, whose limbs keep the body's time while they touch the ground.

    body : the take before its joints were changed, at the same times.
    """
    return _as_it_stands(body.contacts, body.motion, changed, _FADE_S, _AIR_S)


def firm_on_the_ground(contacts: Contacts, before: Motion, softened: Motion) -> Motion:
    """A softened motion whose limbs are as before that while they touch the ground: else feet would stand elsewhere."""
    return _as_it_stands(contacts, before, softened, _FIRM_S)


def _as_it_stands(contacts: Contacts, standing: Motion, changed: Motion, fade_s: float, air_s: float = 0.0) -> Motion:
    """A changed motion whose limbs are as in another one while they touch the ground; fade_s, air_s : see
    `_air_weights`.
    """
    skeleton = changed.skeleton
    rotations = np.array(changed.local_rotations)
    for name in contacts.limbs:
        limb = find_limb(skeleton, name)
        if limb is None or limb.bends is None:
            continue
        free = _air_weights(contacts.mask(name), changed.frame_time_s, fade_s, air_s)
        for joint in skeleton.subtree(_top_of_limb(skeleton, limb.bends[0])):
            new, old = rotations[:, joint], standing.local_rotations[:, joint]
            if not np.array_equal(new, old):
                rotations[:, joint] = multiply(power(multiply(new, conjugate(old)), free), old)
    return replace(changed, local_rotations=rotations)


def _top_of_limb(skeleton: Skeleton, joint: int) -> int:
    """The highest joint on which nothing hangs but a limb: many a hip is made of two."""
    above = skeleton.parents[joint]
    while above >= 0 and len(skeleton.children[above]) == 1 and skeleton.roles[above] != Role.PELVIS:
        joint, above = above, skeleton.parents[above]
    return joint


def with_contacts_kept(
    body: Take, changed: Motion, targets: tuple[Target, ...] = ()
) -> tuple[Motion, tuple[Override, ...]]:
    """A changed motion whose limbs stay where they touch the ground, by the ground-aware solver; and what it could not
    do for that.

    body : the take before its joints were changed, at the same times. targets : poses that the change is made for: feet
    go where they stand in these, and the body as they move it. Else where the root was moved, it stays so as far as
    contacts let it.
    """
    before = body.motion
    joints = tuple(np.flatnonzero(np.any(changed.local_rotations != before.local_rotations, axis=(0, 2))).tolist())
    moved = changed.root_positions - before.root_positions
    base = replace(before, root_positions=changed.root_positions) if np.any(moved) and not targets else before
    if not joints and not targets:
        return base, ()
    change = PoseChange(targets, (Turn(joints, 0, _turns(before, changed, joints)),) if joints else ())
    solved = solve(base, body.contacts, change, body.ground)
    return solved.motion, solved.overrides


def _turns(before: Motion, after: Motion, joints: tuple[int, ...]) -> Array:
    """(F, N, 3) rotation vectors that some joints were turned by, in memory with frames last."""
    turns = np.empty((len(joints), 3, before.frames))
    for n, joint in enumerate(joints):
        turned = multiply(after.local_rotations[:, joint], conjugate(before.local_rotations[:, joint]))
        turns[n] = to_rotation_vector(turned).T
    return np.moveaxis(turns, -1, 0)


def _air_weights(touching: Mask, frame_time_s: float, fade_s: float, air_s: float) -> Array:
    """(F,) 0 where a limb touches the ground, rising between contacts for fade_s, to 1 where these are air_s apart or
    more, and to less where they are nearer.
    """
    weights = np.where(touching, 0.0, 1.0)
    for gap in intervals(~touching):
        start = gap.start > 0
        stop = gap.stop < len(touching)
        count = gap.stop - gap.start + 1.0
        fade = min(fade_s / frame_time_s, 0.5 * count if start and stop else count)
        at = np.arange(1.0, count)
        near = np.minimum(at if start else np.inf, count - at if stop else np.inf)
        x = np.clip(near / fade, 0.0, 1.0)  # to be made level and straight at both ends
        most = min(1.0, count * frame_time_s / air_s) if start and stop and air_s > 0.0 else 1.0
        weights[gap.start : gap.stop] = most * x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
    return weights
