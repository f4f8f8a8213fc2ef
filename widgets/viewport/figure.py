"""A body in a pose: its parts as arrays in the world, ready to be drawn. Cheap: it is done for every frame shown."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.arrays import Array, IntArray
from model.kinematics import WorldPose
from model.rotation import rotate
from widgets.viewport.body import Body


@dataclass(frozen=True, eq=False)
class Solids:
    """N rounded parts in the world.

    starts, ends : (N, 3); sides : (N, 3) across the width, of any length, zero where the part is round; shapes :
    (N, 10) half width and half depth at the start, the same at the end, how round the caps at start and end are, 0 to
    1, and for the light how much width and depth grow along it, at the start and at the end; colours : (N, 4) red,
    green, blue, opacity from 0 to 1; joints : (N,) of the figure, or -1 where it cannot be picked.
    """

    starts: Array
    ends: Array
    sides: Array
    shapes: Array
    colours: Array
    joints: IntArray

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def radii(self) -> Array:
        """(N, 2, 2) half width and half depth at either end."""
        return self.shapes[:, :4].reshape(-1, 2, 2)

    def frames(self) -> tuple[Array, Array, Array]:
        """(N, 3) unit vectors along each part, across its width and across its depth."""
        axes = self.ends - self.starts
        lengths = np.linalg.norm(axes, axis=-1, keepdims=True)
        axes = np.where(lengths > 1e-9, axes / np.maximum(lengths, 1e-9), [0.0, 1.0, 0.0])
        across = self.sides - axes * np.sum(self.sides * axes, axis=-1, keepdims=True)
        sizes = np.linalg.norm(across, axis=-1, keepdims=True)
        least = np.argmin(np.abs(axes), axis=-1)
        other = np.cross(axes, np.eye(3)[least])
        other = other / np.linalg.norm(other, axis=-1, keepdims=True)
        across = np.where(sizes > 1e-6, across / np.maximum(sizes, 1e-6), other)
        return axes, across, np.cross(axes, across)


_NONE = np.zeros((0, 3))
NOTHING = Solids(_NONE, _NONE, _NONE, np.zeros((0, 10)), np.zeros((0, 4)), np.zeros(0, dtype=np.intp))


def posed(body: Body, pose: WorldPose, paints: Array, pickable: bool = True) -> Solids:
    """The parts of a body. pose : positions (J, 3), rotations (J, 4); paints : (3, 4) for LEFT, RIGHT, CENTRE."""
    positions, rotations = (np.nan_to_num(one) for one in pose)
    count = len(body.joints)
    at_a = positions[body.anchors_a]
    anchors = at_a + body.anchor_parts * (positions[body.anchors_b] - at_a)
    anchors += rotate(rotations[body.anchors_a], body.anchor_offsets)
    sides = rotate(rotations[body.joints], body.sides)
    joints = body.joints if pickable else np.full(count, -1, dtype=np.intp)
    return Solids(anchors[:count], anchors[count:], sides, body.shapes, paints[body.paints], joints)


def together(several: list[Solids]) -> Solids:
    """The parts of several figures as one."""
    if len(several) == 1:
        return several[0]
    if not several:
        return NOTHING
    return Solids(
        np.concatenate([one.starts for one in several]),
        np.concatenate([one.ends for one in several]),
        np.concatenate([one.sides for one in several]),
        np.concatenate([one.shapes for one in several]),
        np.concatenate([one.colours for one in several]),
        np.concatenate([one.joints for one in several]),
    )


def some_of(solids: Solids, chosen: npt.NDArray[np.bool_]) -> Solids:
    """Some of the parts. chosen : (N,)."""
    return Solids(
        solids.starts[chosen], solids.ends[chosen], solids.sides[chosen], solids.shapes[chosen], solids.colours[chosen],
        solids.joints[chosen],
    )  # fmt: skip
