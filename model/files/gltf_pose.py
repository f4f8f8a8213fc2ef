"""From the nodes of a glTF file to joints without rest orientations: rotations, offsets, root positions.

Notation: q, t and s are a node's rotation, translation and scale; R a joint's rest orientation in the
world. The stretch of a node is what the scales above and at it do to a vector in its frame: a number
where all of them are even and constant, else (F, 3, 3) matrices, F being 1 while nothing changes.
"""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.files.gltf_buffers import Document
from model.files.gltf_scene import Node, Rig, bind_rotations
from model.files.problems import Problems
from model.rotation import IDENTITY, angle_between, conjugate, multiply, normalize, rotate, to_matrix

Stretch = float | Array

# Scales that differ by less, and offsets that move by less of the longest bone, are constant: exporters
# write their rounding errors.
_SAME_SCALE = 1e-5
_SAME_PLACE = 2e-5


@dataclass(frozen=True)
class Tracks:
    """What each node does: sampled values by node and path, the node's own where there are none."""

    nodes: list[Node]
    values: dict[tuple[int, str], Array]

    def rotation(self, node: int) -> Array:
        """(F or 1, 4)."""
        return self.values.get((node, "rotation"), self.nodes[node].rotation[None])

    def translation(self, node: int) -> Array:
        """(F or 1, 3)."""
        return self.values.get((node, "translation"), self.nodes[node].translation[None])

    def scale(self, node: int) -> Array:
        """(F or 1, 3)."""
        return self.values.get((node, "scale"), self.nodes[node].scale[None])


@dataclass(frozen=True)
class Stance:
    """Joints in our form. rotations : (F, J, 4) local; offsets : for each joint (F or 1, 3) in its parent's
    frame, of roots in the world; stretches : of each joint."""

    rotations: Array
    offsets: list[Array]
    stretches: list[Stretch]

    @property
    def roots(self) -> Array:
        """(F, 3) world positions of the first joint."""
        return np.array(np.broadcast_to(self.offsets[0], (len(self.rotations), 3)))

    def steady_offsets(self) -> list[Array | None]:
        """For each joint its offset (3,), or None where it moves against its parent."""
        bones = [np.sqrt(np.max(np.sum(offset * offset, axis=-1))) for offset in self.offsets[1:]]
        tolerance = _SAME_PLACE * float(max(bones, default=0.0))
        return [
            np.mean(offset, axis=0) if len(offset) == 1 or float(np.max(np.ptp(offset, axis=0))) <= tolerance else None
            for offset in self.offsets
        ]

    def local_offsets(self, steady: list[Array | None], first: Array) -> Array:
        """(J, 3), or (F, J, 3) if any joint but the first moves; `first` (3,) is entered for that."""
        if all(offset is not None for offset in steady[1:]):
            return np.array([first, *(offset for offset in steady[1:] if offset is not None)])
        offsets = np.empty((len(self.offsets), 3, len(self.rotations)))  # frames last, as everywhere
        offsets[0] = first[:, None]
        for joint in range(1, len(self.offsets)):
            constant = steady[joint]
            offsets[joint] = self.offsets[joint].T if constant is None else constant[:, None]
        return np.moveaxis(offsets, -1, 0)


def rest_rotations(document: Document, rig: Rig, use_bind_pose: bool) -> Array:
    """(J, 4) the joints' orientations in the world at rest: in the bind pose, else as the nodes stand."""
    world: dict[int, Array] = {}
    for node in (*rig.carriers, *rig.joints):
        above = world.get(rig.nodes[node].parent, IDENTITY)
        world[node] = multiply(above, rig.nodes[node].rotation)
    bound: dict[int, Array] = {}
    place = {node: joint for joint, node in enumerate(rig.joints)}
    for skin in rig.skins if use_bind_pose else []:
        if skin.joints.keys() <= bound.keys():  # parts of one mesh, each with a skin of its own
            continue
        rotations = bind_rotations(document, skin)
        joints = sorted((node for node in rotations if node in place), key=lambda node: place[node])
        if joints:
            binds = np.array([rotations[node] for node in joints])
            turns = multiply(_mesh_to_world(rig, joints, binds, world), binds)
            for node, turn in zip(joints, turns, strict=True):
                bound.setdefault(node, turn)
    rest = np.empty((len(rig.joints), 4))
    for joint, node in enumerate(rig.joints):
        parent = rig.parents[joint]
        if node in bound:
            rest[joint] = bound[node]
        else:
            # Between bound joints: as the node stands against what is above it.
            rest[joint] = world[node] if parent < 0 else multiply(rest[parent], rig.nodes[node].rotation)
    return rest


def _mesh_to_world(rig: Rig, joints: list[int], binds: Array, world: dict[int, Array]) -> Array:
    """(4,) the turn from the space of the mesh, in which bind poses are, to the world.

    No file says it. Exporters bind in the world, in the space of what carries the skeleton, or in one
    in which the root stands as it does now; that which fits the nodes best is taken. binds : (N, 4) of
    the joints, parents first.
    """
    stands = np.array([world[node] for node in joints])
    carrier = world.get(rig.nodes[joints[0]].parent, IDENTITY)
    guesses = [IDENTITY, carrier, multiply(stands[0], conjugate(binds[0]))]
    misfits = [float(np.median(angle_between(multiply(guess, binds), stands))) for guess in guesses]
    return next(guess for guess, misfit in zip(guesses, misfits, strict=True) if misfit <= min(misfits) + 1e-3)


def stand(rig: Rig, tracks: Tracks, rest: Array, frames: int, problems: Problems) -> Stance:
    """The rig as its tracks have it, against rest orientations (J, 4)."""
    # Rotation (F or 1, 4), position (F or 1, 3) and stretch of the nodes above the roots, in the world.
    carried: dict[int, tuple[Array, Array, Stretch]] = {-1: (IDENTITY[None], np.zeros((1, 3)), 1.0)}
    for node in rig.carriers:
        turn, place, stretch = carried[rig.nodes[node].parent]
        q = tracks.rotation(node)
        carried[node] = (
            multiply(turn, q),
            place + rotate(turn, _stretched(stretch, tracks.translation(node))),
            _stretch_below(stretch, q, tracks.scale(node), rig.nodes[node], problems),
        )
    rotations = np.empty((len(rig.joints), 4, frames))  # frames last, as everywhere
    rest_axes, back = to_matrix(rest), conjugate(rest)
    offsets: list[Array] = []
    stretches: list[Stretch] = []
    for joint, node in enumerate(rig.joints):
        parent = rig.parents[joint]
        q, t = tracks.rotation(node), tracks.translation(node)
        if parent < 0:
            turn, place, stretch = carried[rig.nodes[node].parent]
            offsets.append(place + rotate(turn, _stretched(stretch, t)))
        else:
            turn, stretch = rest[parent], stretches[parent]
            offsets.append(_stretched(stretch, t) @ rest_axes[parent].T)
        rotations[joint] = normalize(multiply(multiply(turn, q), back[joint])).T
        stretches.append(_stretch_below(stretch, q, tracks.scale(node), rig.nodes[node], problems))
    return Stance(np.moveaxis(rotations, -1, 0), offsets, stretches)


def tip_offset(rig: Rig, tip: int, joint: int, stance: Stance, rest: Array) -> Array:
    """(3,) where the tip that hangs on a joint is, in the joint's frame."""
    stretch = stance.stretches[joint]
    first = stretch if isinstance(stretch, float) else stretch[:1]
    return rotate(rest[joint], _stretched(first, rig.nodes[tip].translation[None])[0])


def _stretched(stretch: Stretch, vectors: Array) -> Array:
    """Vectors (F or 1, 3) in a node's frame, with the scales at and above it."""
    if isinstance(stretch, float):
        return stretch * vectors
    return np.asarray((stretch @ vectors[..., None])[..., 0])


def _stretch_below(stretch: Stretch, q: Array, scale: Array, node: Node, problems: Problems) -> Stretch:
    """The stretch of a node from that above it, its rotation (F or 1, 4) and scale (F or 1, 3)."""
    spread = float(np.max(scale) - np.min(scale))
    even = spread <= _SAME_SCALE * float(np.max(np.abs(scale)))
    if not even and node.children:
        problems.warn(
            None,
            f"the scale of {node.name[:40]!r} changes or is uneven: joints are where they should be, but bones stretch",
            "nodes with uneven scale",
        )
    if isinstance(stretch, float):
        return stretch * float(np.mean(scale)) if even else stretch * scale[:, None, :] * np.eye(3)
    turn = to_matrix(q)
    within = np.swapaxes(turn, -1, -2) @ stretch @ turn
    return np.asarray(within * (float(np.mean(scale)) if even else scale[:, None, :]))
