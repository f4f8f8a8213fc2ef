"""What each joint is to a person: read from its name, and where names say nothing, from the body's shape.

Owns the list of roles and who is whose mirror image; what names mean stands in `joint_names.py`. It works on names,
parents and positions, and knows nothing of files, skeleton objects or motion.

A role belongs to the joint whose rotation moves the part: the left hip is the joint at the top of the
left thigh, whatever its file calls it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import takewhile
from operator import itemgetter

import numpy as np

from model.arrays import Array, require_shape
from model.joint_names import BODY_WORDS, HELPERS, SURE, letter_swaps, meanings_of, read_name
from model.limb_shapes import LONGEST_CHAIN, ChainPair, bends_of, facing_of, like_chains


class Role(StrEnum):
    """A part of the body that algorithms ask for. Printed, it is Python."""

    PELVIS = "pelvis"
    SPINE = "spine"
    CHEST = "chest"
    NECK = "neck"
    HEAD = "head"
    LEFT_HIP = "left_hip"
    LEFT_KNEE = "left_knee"
    LEFT_ANKLE = "left_ankle"
    LEFT_TOE = "left_toe"
    LEFT_CLAVICLE = "left_clavicle"
    LEFT_SHOULDER = "left_shoulder"
    LEFT_ELBOW = "left_elbow"
    LEFT_WRIST = "left_wrist"
    LEFT_HAND = "left_hand"
    RIGHT_HIP = "right_hip"
    RIGHT_KNEE = "right_knee"
    RIGHT_ANKLE = "right_ankle"
    RIGHT_TOE = "right_toe"
    RIGHT_CLAVICLE = "right_clavicle"
    RIGHT_SHOULDER = "right_shoulder"
    RIGHT_ELBOW = "right_elbow"
    RIGHT_WRIST = "right_wrist"
    RIGHT_HAND = "right_hand"

    def __repr__(self) -> str:
        return f"Role({self.value!r})"


def find_roles(names: Sequence[str], parents: Sequence[int], positions: Array | None = None) -> tuple[Role | None, ...]:
    """For each joint its role, or None; each role goes to one joint at most.

    names : J joint names; parents : J indices, parents first, -1 for a root; positions : (J, 3) world
    positions in a standing pose, Y up, in any unit, used only where the names give no leg or no arm.
    Without them, or if they are not finite, such limbs stay without roles. Things that are not people get
    few roles or none.
    """
    if positions is not None:
        require_shape("positions", positions, (len(names), 3))
        if not np.all(np.isfinite(positions)):
            positions = None
    body = _Body(names, parents)
    body.name_limbs(_LEG)
    body.name_limbs(_ARM)
    if positions is not None:
        _add_limbs_by_shape(body, positions)
    body.find_pelvis()
    body.find_chest()
    body.find_spine()
    body.find_neck_and_head(positions if body.shaped else None)
    if body.found.keys() <= {Role.SPINE, Role.CHEST, Role.NECK}:
        body.found.clear()  # guitars have necks too
    joints = {joint: role for role, joint in body.found.items()}
    return tuple(joints.get(joint) for joint in range(len(names)))


def mirror_role(role: Role) -> Role:
    """The same part on the other side; central parts mirror to themselves."""
    side, _, part = role.value.partition("_")
    return _role(_OTHER[side], part) if part else role


def mirror_pairs(names: Sequence[str], roles: Sequence[Role | None]) -> tuple[int, ...]:
    """For each joint the index of its counterpart on the other side, its own where it has none.

    Roles decide first; then fingers, eyes, twist joints and the like by the side in their names. Going
    there and back always ends where it began.
    """
    pairs = list(range(len(names)))
    by_role = {role: joint for joint, role in enumerate(roles) if role is not None}
    for role, joint in by_role.items():
        pairs[joint] = by_role.get(mirror_role(role), joint)
    by_stem: dict[str, dict[str, list[int]]] = {}
    sideless: dict[str, list[int]] = {}
    for joint, name in enumerate(names):
        if pairs[joint] != joint or roles[joint] in _CENTRAL:
            continue
        read = read_name(name)
        if read.side:
            by_stem.setdefault(read.stem, {"left": [], "right": []})[read.side].append(joint)
        else:
            sideless.setdefault(name, []).append(joint)
    alike = [(sides["left"], sides["right"]) for sides in by_stem.values()]
    alike += [(sideless[name], sideless[other]) for name, other in letter_swaps(sideless)]
    for left, right in alike:
        # Names may repeat; then their order in the file tells which belong together.
        if len(left) == len(right) and all(pairs[joint] == joint for joint in left + right):
            for one, other in zip(left, right, strict=True):
                pairs[one], pairs[other] = other, one
    return tuple(pairs)


_OTHER = {"left": "right", "right": "left"}
_CENTRAL = {Role.PELVIS, Role.SPINE, Role.CHEST, Role.NECK, Role.HEAD}
_LEG = ("hip", "knee", "ankle", "toe")
_ARM = ("clavicle", "shoulder", "elbow", "wrist", "hand")


# ----------------------------------------------------------------------------------------------- body


class _Body:
    """One skeleton: what its names say about each joint, and the roles found so far."""

    def __init__(self, names: Sequence[str], parents: Sequence[int]) -> None:
        self.parents = parents
        self.found: dict[Role, int] = {}
        self.shaped = False  # limbs were found by shape: the names say nothing about the rest either
        self.children: list[list[int]] = [[] for _ in names]
        self.depth = [0] * len(names)
        read = [read_name(name) for name in names]
        spread = Counter(word for name in read for word in set(name.words) if word not in BODY_WORDS)
        ignored = {word for word, count in spread.items() if count >= max(3, 0.5 * len(names))}
        self.helper = [not HELPERS.isdisjoint(set(name.words) - ignored) for name in read]
        self.lateral = [meanings_of(name, ignored) for name in read]
        self.central = [{} if name.side else meanings for name, meanings in zip(read, self.lateral, strict=True)]
        self.index = [name.index for name in read]
        self.sides = [name.side for name in read]
        for joint, parent in enumerate(parents):
            if parent >= 0:
                self.children[parent].append(joint)
                self.depth[joint] = self.depth[parent] + 1
                # What hangs on a left arm is left, even where only the arm says so.
                self.sides[joint] = self.sides[joint] or self.sides[parent]

    def joint(self, role: Role) -> int:
        """The joint that has the role, else -1."""
        return self.found.get(role, -1)

    def give(self, role: Role, joint: int) -> None:
        """Note the role, unless there is no such joint (-1) or the joint has another role."""
        if joint >= 0 and joint not in self.found.values():
            self.found[role] = joint

    def ancestors(self, joint: int) -> Iterator[int]:
        """The joint itself, its parent, and so on to the root."""
        while joint >= 0:
            yield joint
            joint = self.parents[joint]

    def common_ancestor(self, one: int, other: int) -> int:
        """The deepest joint that both hang on, or are; -1 if their roots differ."""
        while one != other and min(one, other) >= 0:
            if self.depth[one] >= self.depth[other]:
                one = self.parents[one]
            else:
                other = self.parents[other]
        return one if one == other else -1

    def between(self, top: int, bottom: int) -> list[int]:
        """The joints below `top` and above `bottom`, from the top down."""
        return list(takewhile(lambda joint: joint != top, self.ancestors(self.parents[bottom])))[::-1]

    def says(self, joint: int, part: str) -> bool:
        """Whether the name of a central joint means the part surely enough."""
        return self.central[joint].get(part, 0.0) >= SURE

    def best_named(self, part: str, pool: Iterable[int]) -> int:
        """Of the joints of `pool` without a role, the first whose name means `part` most surely; else -1."""
        taken = set(self.found.values())
        named = [joint for joint in pool if self.says(joint, part) and joint not in taken]
        return max(named, key=lambda joint: self.central[joint][part], default=-1)

    def limb_tops(self, limb: Sequence[str]) -> list[int]:
        """The uppermost joint known of the left and of the right limb: two joints, one or none."""
        chains = ([self.joint(_role(side, part)) for part in limb] for side in _OTHER)
        return [next(joint for joint in chain if joint >= 0) for chain in chains if max(chain) >= 0]

    def limb_carriers(self) -> set[int]:
        """The joints of the limbs found, and every joint above one."""
        limbs = [joint for role, joint in self.found.items() if role not in _CENTRAL]
        return {above for joint in limbs for above in self.ancestors(joint)}

    def meeting_joint(self, limb: Sequence[str]) -> int:
        """Where the left and the right limb meet; above a single one, the first joint without a side."""
        tops = self.limb_tops(limb)
        if len(tops) == 2:
            return self.common_ancestor(tops[0], tops[1])
        return next((joint for top in tops for joint in self.ancestors(top) if not self.sides[joint]), -1)

    def name_limbs(self, limb: Sequence[str]) -> None:
        """Give the roles of the left and right leg, or arm, by name."""
        for side in _OTHER:
            # Of "upperarm01" and "upperarm02" the first is the joint, the second helps it to twist.
            scores = [
                {part: score - 0.01 * index for part, score in meanings.items() if part in limb and own == side}
                for own, meanings, index in zip(self.sides, self.lateral, self.index, strict=True)
            ]
            for part, joint in _best_chain(self.parents, scores, limb):
                self.give(_role(side, part), joint)

    def find_pelvis(self) -> None:
        """Where the legs meet, or a joint above with the name; without legs the name alone."""
        joint = self.meeting_joint(_LEG)
        if joint >= 0:
            # Some rigs hang the thighs on the first spine joint, under a pelvis of its own.
            joint = next((above for above in self.ancestors(joint) if self.says(above, "pelvis")), joint)
        else:
            joint = self.best_named("pelvis", range(len(self.parents)))
        self.give(Role.PELVIS, joint)

    def find_chest(self) -> None:
        """Where the arms meet, unless the legs hang on it too; without arms the last joint of the name."""
        pelvis, joint = self.joint(Role.PELVIS), self.meeting_joint(_ARM)
        if not self.limb_tops(_ARM):
            joint = self.best_named("chest", reversed(range(len(self.parents))))
        # 3ds Max hangs the clavicles on the neck.
        while joint >= 0 and (self.says(joint, "neck") or self.says(joint, "head")):
            joint = self.parents[joint]
        if joint < 0:
            return
        whole_body = joint in self.ancestors(pelvis) if pelvis >= 0 else self.parents[joint] < 0
        if not whole_body or self.says(joint, "spine"):
            self.give(Role.CHEST, joint)

    def find_spine(self) -> None:
        """The first joint from the pelvis to the chest; one called so before one that is not."""
        pelvis, chest = self.joint(Role.PELVIS), self.joint(Role.CHEST)
        joints: Sequence[int] = range(len(self.parents))
        if chest >= 0:
            meeting = self.common_ancestor(pelvis, chest)
            joints = self.between(chest, pelvis)[::-1] if meeting == chest else self.between(meeting, chest)
        joint = self.best_named("spine", joints)
        if joint < 0 and pelvis >= 0 and chest >= 0:
            unnamed = (joint for joint in joints if not (self.sides[joint] or self.helper[joint]))
            joint = next((joint for joint in unnamed if not self.says(joint, "pelvis")), -1)
        self.give(Role.SPINE, joint)

    def find_neck_and_head(self, positions: Array | None) -> None:
        """By name; failing that, the first and the last joint of what rises from the chest.

        positions : given where the names have proved to mean nothing.
        """
        joints, taken = range(len(self.parents)), set(self.found.values())
        head = self.best_named("head", joints)
        stem = list(takewhile(lambda joint: joint not in taken, self.ancestors(head)))[::-1]
        necks = [self.best_named("neck", stem), self.best_named("neck", joints)]
        neck = next((joint for joint in necks if joint >= 0), -1)
        if head < 0:
            stem = self.rising_joints(neck, positions)
            head = stem[-1] if stem else -1
        self.give(Role.HEAD, head)
        if neck < 0 and stem and (positions is not None or self.parents[stem[0]] == self.found.get(Role.CHEST)):
            neck = stem[0]
        self.give(Role.NECK, neck)

    def rising_joints(self, neck: int, positions: Array | None) -> list[int]:
        """The joints from the neck to the head; without a neck, what rises where the arms meet, or below."""
        starts = [neck]
        if neck < 0:
            top = self.found.get(Role.CHEST, self.meeting_joint(_ARM))
            starts = list(self.ancestors(top))
        carriers = self.limb_carriers()
        for start in starts[:LONGEST_CHAIN]:
            chain = self.rising_chain(start, carriers, positions)
            if chain and (positions is None or positions[chain[-1], 1] > positions[start, 1]):
                return chain
        return []

    def rising_chain(self, start: int, carriers: set[int], positions: Array | None) -> list[int]:
        """The central joints above `start`, one on the other, up to the first fork: eyes hang on heads.

        Where names mean something, a joint whose name does not ends the chain too.
        """
        chain = [start]
        while chain[-1] >= 0:
            options = [
                child
                for child in self.children[chain[-1]]
                if not (self.helper[child] or self.sides[child] or child in carriers)
                and (self.central[child] or positions is not None)
            ]
            if positions is not None and len(options) > 1:
                options = _rising(positions, chain[-1], options, choose=len(chain) == 1)
            chain.append(options[0] if len(options) == 1 else -1)
        chain.pop()
        if positions is not None and len(chain) > 3:
            below, step = (math.dist(positions[chain[n]], positions[chain[n + 1]]) for n in (-3, -2))
            if step > 1.6 * below:  # longer than a neck: not the head but its crown
                chain.pop()
        return chain[1:]


def _role(side: str, part: str) -> Role:
    return Role(f"{side}_{part}")


def _best_chain(
    parents: Sequence[int], scores: Sequence[dict[str, float]], limb: Sequence[str]
) -> tuple[tuple[str, int], ...]:
    """The parts of a limb laid along one path from a root down, in order, with the greatest sum of scores.

    scores : for each joint the parts it may be. Rows of a dynamic program run down the tree: entry n of a
    joint's row is the best choice for the first n parts among the joints from the root to this one.
    """
    none: tuple[tuple[str, int], ...] = ()
    blank = [(0.0, none)] * (len(limb) + 1)
    best = (0.0, none)
    rows: list[list[tuple[float, tuple[tuple[str, int], ...]]]] = []
    for joint, parent in enumerate(parents):
        above = rows[parent] if parent >= 0 else blank
        row = above
        if scores[joint]:
            row = above[:1]
            for count, part in enumerate(limb):
                choice = max(above[count + 1], row[count], key=itemgetter(0))
                score, chosen = above[count]
                score += scores[joint].get(part, -math.inf)
                row.append((score, (*chosen, (part, joint))) if score > choice[0] else choice)
            best = max(best, row[-1], key=itemgetter(0))
        rows.append(row)
    return best[1] if best[0] >= SURE else none


# ---------------------------------------------------------------------------------------------- shape

# In thighs or upper arms: how far the hips or shoulders are apart, and how long feet or hands are.
_SHAPES = {_LEG: (0.46, 0.4), _ARM: (1.2, 0.35)}


def _add_limbs_by_shape(body: _Body, positions: Array) -> None:
    """Give the roles of the legs, and of the arms, where names gave none for either side.

    Legs are a pair of like chains that reaches lowest, on a body that rises above them; arms another pair,
    off the ground, on a body with legs.
    """
    wanted = [limb for limb in (_LEG, _ARM) if not body.limb_tops(limb)]
    if not wanted or len(positions) < 2:
        return
    pairs = like_chains(body.parents, body.children, positions)
    heights = positions[:, 1]
    ground, top = heights.min(), heights.max()
    if _LEG in wanted:
        standing = [
            pair
            for pair in pairs
            if pair.length > 0.3 * (top - ground)
            and heights[pair.start] - pair.lowest > 0.4 * pair.length
            and top - heights[pair.start] > 0.2 * pair.length
        ]
        _give_first(body, positions, sorted(standing, key=lambda pair: pair.lowest), _LEG)
    if _ARM in wanted and body.limb_tops(_LEG):
        floor, least = ground + 0.15 * (top - ground), 0.2 * (top - ground)
        raised = [pair for pair in pairs if pair.lowest > floor and pair.length > least]
        _give_first(body, positions, sorted(raised, key=lambda pair: -pair.length), _ARM)


def _give_first(body: _Body, positions: Array, pairs: Iterable[ChainPair], limb: tuple[str, ...]) -> None:
    """Give a limb's roles, on both sides, to the first pair that has its proportions and is free."""
    carriers, taken = body.limb_carriers(), set(body.found.values())
    for pair in pairs:
        inside_limb = bool(taken) and any(joint in taken for joint in body.ancestors(pair.start))
        if inside_limb or any(chain[0] in carriers for chain in pair.chains):
            continue
        bends = bends_of(body.children, positions, pair, _SHAPES[limb])
        if bends is None:
            continue
        limbs = [_limb_parts(positions, chain, bends, limb) for chain in pair.chains]
        if not _first_is_left(body, positions, limbs):
            limbs.reverse()
        for side, parts in zip(_OTHER, limbs, strict=True):
            for part, joint in parts.items():
                body.give(_role(side, part), joint)
        body.shaped = True
        return


def _limb_parts(
    positions: Array, chain: Sequence[int], bends: tuple[int, int, int], limb: tuple[str, ...]
) -> dict[str, int]:
    """The joint of each part of the limb, -1 for none, given where on the chain its two bones lie."""
    top, middle, end = (chain[bend] for bend in bends)
    if limb is _ARM:
        return {
            "shoulder": top,
            "elbow": middle,
            "wrist": end,
            "clavicle": chain[0] if chain[0] != top else -1,
        }
    beyond = chain[bends[2] + 1 :]
    length = math.dist(positions[top], positions[end])
    far = (joint for joint in beyond if math.dist(positions[end], positions[joint]) > 0.1 * length)
    return {"hip": top, "knee": middle, "ankle": end, "toe": next(far, beyond[-1] if beyond else -1)}


def _first_is_left(body: _Body, positions: Array, limbs: Sequence[dict[str, int]]) -> bool:
    """Whether the first of two limbs is the left one: as the known hips or shoulders lie, or by facing."""
    one, other = (positions[next(iter(parts.values()))] for parts in limbs)
    for part in ("hip", "shoulder"):
        left_joint, right_joint = (body.joint(_role(side, part)) for side in _OTHER)
        if min(left_joint, right_joint) >= 0:
            return float(np.dot(one - other, positions[left_joint] - positions[right_joint])) > 0.0
    forward = facing_of(positions, limbs)
    return float(np.dot(one - other, (forward[2], 0.0, -forward[0]))) > 0.0  # left is up x forward


def _rising(positions: Array, joint: int, options: Sequence[int], choose: bool) -> list[int]:
    """Of a joint's children those that may carry on the neck: the highest if `choose`, else all but stubs."""
    if choose:
        return [max(options, key=lambda child: float(positions[child, 1]))]
    bones = [math.dist(positions[joint], positions[child]) for child in options]
    return [child for child, bone in zip(options, bones, strict=True) if bone > 0.25 * max(bones)]
