"""Carrying a motion over to another body.

Each joint turns since its stance as its counterpart does; the body's centre moves as far as its legs are longer or
shorter; then feet and hands are put where they matter. Gleicher 1998; Shin et al. 2001, cited by Park et al. 2002,
section 5.4, for the importance of feet and hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.plant import reach
from editor.retarget.body import Body
from editor.retarget.character import stance_of
from editor.retarget.mapping import Follows, Pair, followers, joint_pairs, with_roles_of
from editor.retarget.reaching import End, find_ends, goals, lift_on_hands
from model.arrays import Array
from model.character import Character, with_usual_limbs
from model.contacts import FEET, Contacts
from model.kinematics import align
from model.limits import check_length
from model.motion import Motion
from model.roles import Role
from model.rotation import IDENTITY, between, conjugate, multiply, normalize, rotate
from model.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything about two bodies that does not change from frame to frame.

    follows : what joints of the target turn as; locals : (J, 4) local rotations of the target in its stance; scale :
    how much longer its legs are, and with them its steps; rise : how much higher its hips are; ends : the feet and
    hands that both have.
    """

    source: Body
    target: Body
    follows: tuple[Follows, ...]
    locals: Array
    scale: float
    rise: float
    ends: tuple[End, ...]

    @property
    def scales(self) -> Array:
        """(3,) how much farther everything is from the place about which it is scaled."""
        return np.array([self.scale, self.rise, self.scale])

    @staticmethod
    def of(
        motion: Motion, character: Character, corrections: Sequence[Pair] = (), contacts: Contacts | None = None
    ) -> "Plan":
        """How the body of a motion is mapped to a character. Raises ValueError where they have too little in common."""
        theirs, ours = with_usual_limbs(motion), character.skeleton
        pairs = joint_pairs(theirs, ours, corrections)
        theirs = with_roles_of(theirs, ours, pairs)
        for skeleton, whose in ((theirs, "the motion"), (ours, character.name)):
            if skeleton.joint(Role.PELVIS) is None:
                raise ValueError(f"{whose} has no pelvis that the mapping names: set the roles of its joints first")
        if len(pairs) < _FEWEST_PAIRS:
            raise ValueError(f"the motion and {character.name} have hardly a joint in common: set their roles first")
        motion = motion if theirs.roles == motion.skeleton.roles else replace(motion, skeleton=theirs)
        source = Body.of(theirs, stance_of(motion, contacts))
        target = Body.of(ours, character.stance)
        rise = target.height_m / source.height_m
        return Plan(
            source,
            target,
            followers(theirs, ours, pairs, corrections, not spine_moves(motion)),
            _stance_locals(ours.parents, character.stance),
            _longer_legs(source, target, rise),
            rise,
            find_ends(source, target),
        )


def _longer_legs(source: Body, target: Body, otherwise: float) -> float:
    """How much longer the legs of one body are than another's; `otherwise` where they do not both have legs."""
    both = [name for name in FEET if source.lengths_m.get(name, 0.0) > 0.0 and target.lengths_m.get(name, 0.0) > 0.0]
    return float(np.mean([target.lengths_m[one] / source.lengths_m[one] for one in both])) if both else otherwise


# With fewer joints in common there is no body to speak of.
_FEWEST_PAIRS = 3
# A joint that moves less than this against its parent does not.
_MOVES_M = 1e-5
# What changes faster than this in the trunk of a body whose joints move against each other is noise.
_TREMBLE_S = 0.015


def retargeted(
    motion: Motion,
    contacts: Contacts,
    character: Character,
    corrections: Sequence[Pair] = (),
    pivot: Array | None = None,
    plan: Plan | None = None,
) -> Motion:
    """The motion on another body, its planted feet exactly as far apart as its legs are longer or shorter.

    contacts : of the motion; corrections : to the mapping that is guessed; pivot : (3,) the place about which travel
    is scaled, the origin if not given; plan : of these, where it is at hand. The ground stays where it is. Limbs of
    the result have the character's lengths. Raises ValueError where the bodies have too little in common.
    """
    if contacts.frames != motion.frames:
        raise ValueError(f"contacts are those of {contacts.frames} frames, the motion has {motion.frames}")
    joints, given = len(character.skeleton), motion.frames * len(motion.skeleton)
    check_length("Retarget", motion.frames, joints, "Trim the clip first, or take a body of fewer joints.", given)
    plan = plan or Plan.of(motion, character, corrections, contacts)
    pivot = np.zeros(3) if pivot is None else np.asarray(pivot, dtype=np.float64)
    pivot = np.array([pivot[0], contacts.ground_m, pivot[2]])
    turned = _turned(plan, _bone_rotations(plan.source.skeleton, motion))
    roots = _root_positions(plan, motion.world.positions, turned, pivot)
    skeleton = plan.target.skeleton
    carried = Motion(skeleton, motion.frame_time_s, roots, turned, skeleton.offsets)
    if not motion.frames:
        return carried
    lift = lift_on_hands(plan.ends, plan.scales, motion, carried, contacts, pivot)
    if lift is not None:
        carried = replace(carried, root_positions=roots + lift[:, None] * np.array([0.0, 1.0, 0.0]))
    found = goals(plan.ends, plan.scales, motion, carried, contacts, pivot)
    if not found.places:
        return carried
    result = reach(carried, found.places, held=found.held)
    rotations = found.with_toes(result.local_rotations)  # which move nothing that reaching looks at
    return Motion(skeleton, motion.frame_time_s, result.root_positions, rotations, skeleton.offsets)


def _turned(plan: Plan, source_rotations: Array) -> Array:
    """(F, J, 4) local rotations of the target whose joints have turned since their stance as those of the source.

    source_rotations : (F, S, 4) in the world. In memory the result has frames last.
    """
    target = plan.target
    parents = target.skeleton.parents
    frames, joints = len(source_rotations), len(parents)
    local = np.moveaxis(np.empty((joints, 4, frames)), -1, 0)
    follows = {one.joint: one for one in plan.follows}
    world: list[Array] = []
    for joint, parent in enumerate(parents):
        above = None if parent < 0 else world[parent]
        if joint not in follows:
            still = np.broadcast_to(plan.locals[joint], (frames, 4))
            local[:, joint] = still
            world.append(still if above is None else multiply(above, plan.locals[joint]))
            continue
        here = multiply(_since_stance(plan, follows[joint], source_rotations), target.stance[joint])
        local[:, joint] = here if above is None else multiply(conjugate(above), here)
        world.append(here)
    return local


def spine_moves(motion: Motion) -> bool:
    """Whether joints of the trunk above the pelvis move against each other, and do not only turn."""
    if motion.limbs_are_fixed or not motion.frames:
        return False
    trunk = [joint for role in (Role.SPINE, Role.CHEST) if (joint := motion.skeleton.joint(role)) is not None]
    return bool(np.any(np.ptp(motion.local_offsets[:, trunk], axis=0) > _MOVES_M))


def _bone_rotations(skeleton: Skeleton, motion: Motion) -> Array:
    """(F, S, 4) world rotations of a motion's joints; where joints move against each other, such that bones of
    the usual length point where those of the motion do.
    """
    rotations, positions = motion.world.rotations, motion.world.positions
    if motion.limbs_are_fixed:
        return rotations
    result = np.array(rotations)
    head = skeleton.joint(Role.HEAD)
    trunk = () if head is None else skeleton.chain(_top(skeleton.parents, head), head)
    bony = [role is not None or joint in trunk for joint, role in enumerate(skeleton.roles)]
    for joint in np.flatnonzero(bony):
        below = [child for child in skeleton.children[joint] if bony[child]]
        if below and np.any(np.ptp(motion.local_offsets[:, below], axis=0) > _MOVES_M):
            bones = rotate(rotations[:, joint, None], skeleton.offsets[below])
            seen = positions[:, below] - positions[:, joint, None]
            turn = align(bones, seen) if len(below) > 1 else between(bones[:, 0], seen[:, 0])
            turned = multiply(turn, rotations[:, joint])
            result[:, joint] = _without_tremble(turned, motion.frame_time_s) if joint in trunk else turned
    return result


def _without_tremble(rotations: Array, frame_time_s: float) -> Array:
    """Rotations (F, 4) averaged over a moment: short bones aligned to places turn with every error of these."""
    from scipy.ndimage import gaussian_filter1d

    flips = np.cumprod(np.where(np.sum(rotations[1:] * rotations[:-1], axis=-1) < 0.0, -1.0, 1.0))
    signs = np.concatenate([[1.0], flips])
    return normalize(gaussian_filter1d(signs[:, None] * rotations, _TREMBLE_S / frame_time_s, axis=0, mode="nearest"))


def _since_stance(plan: Plan, follows: Follows, source_rotations: Array) -> Array:
    """(F, 4) by what the joints that one follows have turned in the world since their stance."""
    turns = [multiply(source_rotations[:, joint], conjugate(plan.source.stance[joint])) for joint in follows.sources]
    if len(turns) == 1:
        return turns[0]
    total = follows.shares[0] * turns[0]
    for share, turn in zip(follows.shares[1:], turns[1:], strict=True):
        sign = np.where(np.sum(turn * turns[0], axis=-1, keepdims=True) < 0.0, -share, share)
        total = total + sign * turn
    return normalize(total)


def _root_positions(plan: Plan, source_positions: Array, local: Array, pivot: Array) -> Array:
    """(F, 3) where the target's root must be for its hips to be where the source's are, scaled about the pivot."""
    source, target = plan.source, plan.target
    centre = np.mean([source_positions[:, joint] for joint in source.centre], axis=0)
    path = target.skeleton.chain(_top(target.skeleton.parents, target.pelvis), target.pelvis)
    away, turn = np.zeros((len(local), 3)), local[:, path[0]]
    for joint in path[1:]:
        away = away + rotate(turn, target.skeleton.offsets[joint])
        turn = multiply(turn, local[:, joint])
    wanted = pivot + plan.scales * (centre - pivot)
    return np.asarray(wanted - away - rotate(turn, target.centre_offset))


def _top(parents: tuple[int, ...], joint: int) -> int:
    while parents[joint] >= 0:
        joint = parents[joint]
    return joint


def _stance_locals(parents: tuple[int, ...], stance: Array) -> Array:
    """(J, 4) local rotations of the stance. A root that follows nothing is not turned."""
    result = np.array(stance)
    for joint, parent in enumerate(parents):
        result[joint] = IDENTITY if parent < 0 else multiply(conjugate(stance[parent]), stance[joint])
    return result
