"""Which joint of one body follows which of another: guessed from roles and names, and corrected by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from model.arrays import Array
from model.joint_names import read_name
from model.roles import Role
from model.skeleton import JointRef, Skeleton

# Between these the trunk bends as a whole, however many joints it has.
_TRUNK = (Role.PELVIS, Role.SPINE, Role.CHEST, Role.NECK, Role.HEAD)
# Shares smaller than this are rounding.
_SLIVER = 1e-6
_FINGERS = {
    "thumb": {"thumb"},
    "index": {"index"},
    "middle": {"middle", "mid"},
    "ring": {"ring"},
    "little": {"pinky", "little"},
}


@dataclass(frozen=True)
class Pair:
    """A joint of the target and the joint of the source that it follows; None for one that follows none."""

    target: JointRef
    source: JointRef | None


@dataclass(frozen=True)
class Follows:
    """What a joint of the target turns as: joints of the source, each with its share; the shares sum to one."""

    joint: int
    sources: tuple[int, ...]
    shares: tuple[float, ...]


def guessed(source: Skeleton, target: Skeleton) -> tuple[Pair, ...]:
    """For each joint of the target that has a counterpart, the two: by role, and where neither has one, by name."""
    return tuple(Pair(target.ref(ours), source.ref(theirs)) for ours, theirs in joint_pairs(source, target, ()).items())


def joint_pairs(source: Skeleton, target: Skeleton, corrections: Sequence[Pair]) -> dict[int, int]:
    """For joints of the target their counterparts: guessed, with corrections. Those that name no joint are skipped."""
    pairs = _by_role(source, target)
    pairs |= _by_name(source, target)
    for pair in corrections:
        ours = target.resolve(pair.target)
        theirs = None if pair.source is None else source.resolve(pair.source)
        if ours is None or (pair.source is not None and theirs is None):
            continue
        pairs = {one: other for one, other in pairs.items() if one != ours and other != theirs}
        if theirs is not None:
            pairs[ours] = theirs
    return pairs


def corrected(mapping: Sequence[Pair], pair: Pair) -> tuple[Pair, ...]:
    """Corrections with one more, in the place of what they said of its joint; others that take its source are void."""
    kept = (one for one in mapping if one.target != pair.target and (pair.source is None or one.source != pair.source))
    return (*kept, pair)


def unmoved(target: Skeleton, follows: Sequence[Follows]) -> tuple[int, ...]:
    """The joints of a body, at its pelvis and below, that nothing moves: they stay as at rest against their parents."""
    pelvis = target.joint(Role.PELVIS)
    moved = {one.joint for one in follows}
    return tuple(joint for joint in target.subtree(0 if pelvis is None else pelvis) if joint not in moved)


def with_roles_of(source: Skeleton, target: Skeleton, pairs: dict[int, int]) -> Skeleton:
    """The source with roles as its counterparts in the target have them; roles that the target lacks stay."""
    roles: list[Role | None] = [None if role in target.roles else role for role in source.roles]
    for ours, theirs in pairs.items():
        roles[theirs] = target.roles[ours]
    return source if tuple(roles) == source.roles else source.with_roles(roles)


def followers(
    source: Skeleton, target: Skeleton, pairs: dict[int, int], corrections: Sequence[Pair] = (), rigid: bool = True
) -> tuple[Follows, ...]:
    """What joints of the target turn as, in their order; joints that are left out move along with their parents.

    Between pelvis, spine, chest, neck and head the trunk takes the shape of the source's, unless corrections speak of a
    joint. rigid : that joints of the source do not move against each other; where they do, the lowest joint of a spine
    says little, and all of it is averaged.
    """
    found = {ours: Follows(ours, (theirs,), (1.0,)) for ours, theirs in pairs.items()}
    corrected = {target.resolve(pair.target) for pair in corrections}
    roles = [role for role in _TRUNK if rigid or role not in (Role.SPINE, Role.CHEST)]
    anchors = [joint for role in roles if (joint := target.joint(role)) is not None and joint in pairs]
    for below, above in pairwise(anchors):
        if below in _line(target, above) and pairs[below] in _line(source, pairs[above]):
            for follows in _between(source, target, (below, above), (pairs[below], pairs[above])):
                if follows.joint not in corrected:
                    found[follows.joint] = follows
    return tuple(found[joint] for joint in sorted(found))


def _by_role(source: Skeleton, target: Skeleton) -> dict[int, int]:
    found = {}
    for ours, role in enumerate(target.roles):
        theirs = None if role is None else source.joint(role)
        if theirs is not None:
            found[ours] = theirs
    return found


def _by_name(source: Skeleton, target: Skeleton) -> dict[int, int]:
    """Fingers, twist joints and the like: by their very name, else by side and the rest of it, fingers by which and
    how far along they are.
    """
    found: dict[int, int] = {}
    spoken = [joint for joint, role in enumerate(source.roles) if role is None]
    head = target.joint(Role.HEAD)
    trunk = [] if head is None else _line(target, head)  # which bends as a whole, not joint by joint
    keys: tuple[Callable[[str], object], ...] = (str, _plain, _finger)
    for key in keys:
        theirs = {key(source.names[joint]): joint for joint in reversed(spoken) if joint not in found.values()}
        theirs.pop(None, None)
        for ours, role in enumerate(target.roles):
            other = theirs.get(key(target.names[ours]))
            if role is None and other is not None and ours not in found and ours not in trunk:
                found[ours] = other
                theirs.pop(key(target.names[ours]))
    return found


def _plain(name: str) -> tuple[str, str]:
    read = read_name(name)
    return read.side or "", read.stem


def _finger(name: str) -> tuple[str, str, int] | None:
    """Of a finger's joint the side, which finger, and the how manyth joint of it; None for other joints."""
    read = read_name(name)
    words = read.stem.split(".")
    found = next((finger for finger, spellings in _FINGERS.items() if spellings & set(words)), None)
    if found is None or "in" in words:  # the bones within the palm
        return None
    numbers = [int(word) for word in words if word.isdecimal()]
    return read.side or "", found, numbers[-1] if numbers else 1


def _line(skeleton: Skeleton, joint: int) -> list[int]:
    """The joint, its parent, and so on to the root."""
    line = [joint]
    while (joint := skeleton.parents[joint]) >= 0:
        line.append(joint)
    return line


def _between(source: Skeleton, target: Skeleton, ours: tuple[int, int], theirs: tuple[int, int]) -> list[Follows]:
    """What the joints of the target strictly between two turn as: the part of the source's line beside them, averaged.

    Where the source has no joint between, they turn more and more from the lower to the upper one.
    """
    line, other = target.chain(*ours), source.chain(*theirs)
    if len(other) == 2:
        steps = len(line) - 1
        return [Follows(joint, theirs, (1.0 - step / steps, step / steps)) for step, joint in enumerate(line[1:-1], 1)]
    places, marks = _places(target, line), _places(source, other)
    found = []
    for n, joint in enumerate(line[1:-1], 1):
        low, high = places[n], max(places[n + 1], places[n] + 1e-6)
        covered = np.clip(np.minimum(marks[1:], high) - np.maximum(marks[:-1], low), 0.0, None)
        if np.sum(covered) <= 0.0:
            covered = np.eye(len(marks) - 1)[-1]
        used = np.flatnonzero(covered > _SLIVER * np.max(covered))
        shares = covered[used] / np.sum(covered[used])
        found.append(Follows(joint, tuple(other[i] for i in used), tuple(float(share) for share in shares)))
    return found


def _places(skeleton: Skeleton, line: Sequence[int]) -> Array:
    """(N,) how far along a line of joints each is, 0 to 1; by bones, or by count where they have no length."""
    lengths = np.linalg.norm(skeleton.offsets[list(line[1:])], axis=-1)
    total = float(np.sum(lengths))
    if total < 1e-6:
        return np.linspace(0.0, 1.0, len(line))
    return np.concatenate([[0.0], np.cumsum(lengths) / total])
