"""What a body is: joints in a tree, where they sit in the rest pose, and what they are to a person.

A skeleton has no rest orientations: at zero rotation every joint's frame is aligned with its
parent's, as BVH has it. Readers of other formats express theirs in this form.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from model.arrays import Array, freeze
from model.roles import Role


@dataclass(frozen=True)
class JointRef:
    """A joint that an edit speaks of: by role where it has one, so that the edit fits other bodies, else by name."""

    name: str
    role: Role | None = None


@dataclass(frozen=True, eq=False)
class EndSite:
    """The tip of a chain: a point fixed in its joint's frame, without rotations of its own."""

    joint: int
    offset: Array  # (3,) metres, in the joint's frame
    label: str = "Site"  # what the file wrote after "End"


@dataclass(frozen=True, eq=False)
class JointLimits:
    """How far a joint may turn: angles about `axes`, the first of them turned first, in its own frame.

    frame : (4,) the rotation from the joint's limit axes to its parent's axes at rest; low, high : (N,)
    radians, for each of the N axes, infinite where there is no limit.
    """

    axes: str
    frame: Array
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints, parents first. Lengths are metres, Y is up.

    names : J names, which may repeat; parents : J indices, -1 for a root; offsets : (J, 3) rest
    position of each joint in its parent's frame, a root's being where it rests in the world;
    roles : J roles or None; limits : of the joints that have any, by joint.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    end_sites: tuple[EndSite, ...] = ()
    roles: tuple[Role | None, ...] = ()
    limits: Mapping[int, JointLimits] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", freeze(np.array(self.offsets, dtype=np.float64)))
        if not self.roles:
            object.__setattr__(self, "roles", (None,) * len(self.names))
        self.validate()

    def validate(self) -> None:
        """Raise ValueError naming the rule that is broken."""
        count = len(self.names)
        if count == 0:
            raise ValueError("names is empty: a skeleton needs at least one joint")
        if len(self.parents) != count or self.offsets.shape != (count, 3) or len(self.roles) != count:
            raise ValueError(
                f"names, parents, offsets and roles must agree: {count} names, {len(self.parents)} parents, "
                f"offsets of shape {self.offsets.shape}, {len(self.roles)} roles"
            )
        if self.parents[0] != -1:
            raise ValueError("parents must start with a root (-1)")
        for joint, parent in enumerate(self.parents):
            if not -1 <= parent < joint:
                raise ValueError(f"parents[{joint}] is {parent}: a parent must come before its child")
        if not np.all(np.isfinite(self.offsets)):
            raise ValueError("offsets must be finite")
        known = [role for role in self.roles if role is not None]
        if len(known) != len(set(known)):
            raise ValueError("roles must not give one role to two joints")
        if any(not 0 <= site.joint < count for site in self.end_sites):
            raise ValueError("end_sites must name joints of the skeleton")

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each joint its children, in order."""
        children: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(joint)
        return tuple(tuple(joints) for joints in children)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The joints without a parent; the first is the body's, others are further bodies or props."""
        return tuple(joint for joint, parent in enumerate(self.parents) if parent < 0)

    @cached_property
    def _joint_of_role(self) -> dict[Role, int]:
        return {role: joint for joint, role in enumerate(self.roles) if role is not None}

    def joint(self, role: Role) -> int | None:
        """The joint with this role, or None."""
        return self._joint_of_role.get(role)

    def ref(self, joint: int) -> JointRef:
        """How an edit speaks of one of our joints."""
        return JointRef(self.names[joint], self.roles[joint])

    def resolve(self, ref: JointRef) -> int | None:
        """The joint that is meant: the one with the role, else the first of that name, else None."""
        if ref.role is not None and (joint := self.joint(ref.role)) is not None:
            return joint
        return self.names.index(ref.name) if ref.name in self.names else None

    def find(self, name: str) -> int:
        """The first joint of this name; ValueError names it where there is none."""
        try:
            return self.names.index(name)
        except ValueError:
            raise ValueError(f"there is no joint named {name!r}") from None

    def chain(self, start: int, end: int) -> tuple[int, ...]:
        """The joints from `start` down to its descendant `end`, both included."""
        joints = [end]
        while joints[-1] != start:
            parent = self.parents[joints[-1]]
            if parent < 0:
                raise ValueError(f"joint {end} does not hang below joint {start}")
            joints.append(parent)
        return tuple(reversed(joints))

    def subtree(self, joint: int) -> tuple[int, ...]:
        """The joint and everything below it, parents first."""
        inside = {joint}
        for child in range(joint + 1, len(self.names)):
            if self.parents[child] in inside:
                inside.add(child)
        return tuple(sorted(inside))

    def with_ancestors(self, joints: Iterable[int]) -> tuple[int, ...]:
        """Some joints and everything above them, parents first."""
        inside = set(joints)
        for joint in range(len(self.names) - 1, 0, -1):
            if joint in inside and self.parents[joint] >= 0:
                inside.add(self.parents[joint])
        return tuple(sorted(inside))

    def depth_first(self) -> tuple[int, ...]:
        """The joints in the order in which a file that nests them writes them."""
        order: list[int] = []
        waiting = list(reversed(self.roots))
        while waiting:
            joint = waiting.pop()
            order.append(joint)
            waiting += reversed(self.children[joint])
        return tuple(order)

    def reordered(self, order: tuple[int, ...]) -> "Skeleton":
        """The same skeleton with its joints in another order, parents still first, or with some of them only."""
        place = {joint: n for n, joint in enumerate(order)}
        return Skeleton(
            tuple(self.names[joint] for joint in order),
            tuple(place.get(self.parents[joint], -1) for joint in order),
            self.offsets[list(order)],
            tuple(replace(site, joint=place[site.joint]) for site in self.end_sites if site.joint in place),
            tuple(self.roles[joint] for joint in order),
            {place[joint]: limits for joint, limits in self.limits.items() if joint in place},
        )

    def rest_positions(self) -> Array:
        """(J, 3) world positions of the joints in the rest pose."""
        positions = np.array(self.offsets)
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                positions[joint] += positions[parent]
        return positions

    def with_roles(self, roles: Iterable[Role | None]) -> "Skeleton":
        """The same skeleton with other roles."""
        return replace(self, roles=tuple(roles))
