"""Where some joints of a posed body are."""

from collections.abc import Iterable, Sequence

import numpy as np

from model.arrays import Array, IntArray
from model.kinematics import WorldPose, forward
from model.motion import Motion
from model.rotation import IDENTITY, multiply


class PosedJoints:
    """Some joints of a body in the world: what the solver looks at is a third of the body, or one limb."""

    def __init__(self, parents: tuple[int, ...], joints: Sequence[int], world: WorldPose, top: Array) -> None:
        """joints : those that `world` (F, N, ...) tells of; top : (F, 4) the turn of what the first hangs on."""
        self._parents = parents
        self._place = {joint: n for n, joint in enumerate(joints)}
        self._world, self._top = world, top

    @staticmethod
    def above_ends(motion: Motion, rotations: Array, ends: Iterable[int]) -> "PosedJoints":
        """Joints and all above them. motion : whose root and offsets are taken; rotations : (F, J, 4) local."""
        parents = motion.skeleton.parents
        needed: set[int] = {0}
        for joint in ends:
            while joint >= 0 and joint not in needed:
                needed.add(joint)
                joint = parents[joint]
        chosen = sorted(needed)
        place = {joint: n for n, joint in enumerate(chosen)}
        world = forward(
            tuple(place.get(parents[joint], -1) for joint in chosen),
            motion.root_positions,
            rotations[:, chosen],
            motion.local_offsets[..., chosen, :],
        )
        return PosedJoints(parents, chosen, world, np.broadcast_to(IDENTITY, (motion.frames, 4)))

    def limb(
        self, motion: Motion, rotations: Array, joints: Sequence[int], frames: IntArray, move: Array
    ) -> "PosedJoints":
        """One limb in some frames, as other rotations (F, J, 4) have it, the body moved by `move` (F, 3).

        joints : one below the other, the first of them one of ours.
        """
        top = self.above(joints[0])[frames]
        local = rotations[frames][:, list(joints)]
        local[:, 0] = multiply(top, local[:, 0])
        offsets = motion.local_offsets[..., joints, :]
        world = forward(
            (-1, *range(len(joints) - 1)),
            (self.position(joints[0]) + move)[frames],
            local,
            offsets if offsets.ndim == 2 else offsets[frames],
        )
        return PosedJoints(self._parents, joints, world, top)

    def position(self, joint: int) -> Array:
        """(F, 3)."""
        return self._world.positions[:, self._place[joint]]

    def rotation(self, joint: int) -> Array:
        """(F, 4)."""
        return self._world.rotations[:, self._place[joint]]

    def above(self, joint: int) -> Array:
        """(F, 4) how the parent of a joint is turned."""
        parent = self._parents[joint]
        return self.rotation(parent) if parent in self._place else self._top
