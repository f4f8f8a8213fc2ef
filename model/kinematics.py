"""Where the joints are: from rotations to positions and back, for all frames at once.

The three representations of Coleman 2012, chapter 4: *articulated* (root position, local rotations,
offsets), *global Cartesian* (world positions) and *local Cartesian* (child minus parent). Leading
axes are free in all of them; frames are usually the only one.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from model.arrays import Array, IntArray, require_shape
from model.rotation import IDENTITY, between, conjugate, multiply, rotate
from model.skeleton import Skeleton

_FEW = 16_000  # frames times joints: up to about this the calls of numpy take longer than what they do


class WorldPose(NamedTuple):
    """Joints in the world."""

    positions: Array  # (..., J, 3)
    rotations: Array  # (..., J, 4)


def forward(parents: tuple[int, ...], root_positions: Array, local_rotations: Array, local_offsets: Array) -> WorldPose:
    """World positions and rotations of every joint.

    root_positions : (..., 3) of the first joint; local_rotations : (..., J, 4);
    local_offsets : (J, 3) or (..., J, 3), positions in the parent's frame (of the first joint
    unused, of further roots their world positions). In memory the results have frames last: what
    happens to one joint over time is one straight run. Inputs laid out like that are fastest.
    """
    joints = len(parents)
    require_shape("local_rotations", local_rotations, (joints, 4))
    require_shape("local_offsets", local_offsets, (joints, 3))
    lead = local_rotations.shape[:-2]
    frames = int(np.prod(lead, dtype=np.int64))
    rotations_in = np.moveaxis(local_rotations.reshape(frames, joints, 4), 0, -1)
    roots_in = np.broadcast_to(root_positions, (*lead, 3)).reshape(frames, 3).T
    moving = local_offsets.ndim > 2
    offsets_in = np.moveaxis(local_offsets.reshape(-1 if moving else 1, joints, 3), 0, -1)
    positions = np.empty((joints, 3, frames))
    rotations = np.empty((joints, 4, frames))
    if frames * joints <= _FEW:
        _forward_by_levels(parents, roots_in, rotations_in, offsets_in, positions, rotations)
    else:
        local, offsets = _frames_last(rotations_in), _frames_last(offsets_in)
        _forward_frames_last(parents, roots_in, local, offsets, positions, rotations)
    return WorldPose(
        np.moveaxis(positions, -1, 0).reshape(*lead, joints, 3),
        np.moveaxis(rotations, -1, 0).reshape(*lead, joints, 4),
    )


def _frames_last(array: Array) -> Array:
    """The array with its last axis a straight run through memory; a copy only where it is not one."""
    return array if array.strides[-1] == array.itemsize else np.ascontiguousarray(array)


def _forward_frames_last(
    parents: tuple[int, ...], roots: Array, local: Array, offsets: Array, positions: Array, rotations: Array
) -> None:
    """Forward kinematics with frames last: roots (3, F), local (J, 4, F), offsets (J, 3, F or 1) in,
    positions (J, 3, F) and rotations (J, 4, F) out.

    One numpy call for each term of a product, over all frames at once.
    """
    products = np.empty((4, local.shape[-1]))
    for joint, parent in enumerate(parents):
        if parent < 0:
            positions[joint] = roots if joint == 0 else offsets[joint]
            rotations[joint] = local[joint]
            continue
        _multiply_into(rotations[parent], local[joint], rotations[joint], products)
        _rotate_into(rotations[parent], offsets[joint], positions[joint], products)
        positions[joint] += positions[parent]


def _forward_by_levels(
    parents: tuple[int, ...], roots: Array, local: Array, offsets: Array, positions: Array, rotations: Array
) -> None:
    """The same, to the last bit, with the joints that are equally far from a root at once: faster for few frames."""
    local, offsets, positions, rotations = (one.swapaxes(0, 1) for one in (local, offsets, positions, rotations))
    (first, _), *levels = _levels(parents)
    rotations[:, first], positions[:, first] = local[:, first], offsets[:, first]
    positions[:, 0] = roots
    for joints, above in levels:
        turns, places, products = (np.empty((n, len(joints), local.shape[-1])) for n in (4, 3, 4))
        carried = rotations[:, above]
        _multiply_into(carried, local[:, joints], turns, products)
        _rotate_into(carried, offsets[:, joints], places, products)
        rotations[:, joints], positions[:, joints] = turns, places + positions[:, above]


@lru_cache(maxsize=64)
def _levels(parents: tuple[int, ...]) -> list[tuple[IntArray, IntArray]]:
    """The joints of each depth, roots first, and their parents."""
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    up, down = np.array(parents, dtype=np.intp), np.array(depths)
    return [(np.flatnonzero(down == depth), up[down == depth]) for depth in range(max(depths) + 1)]


def _multiply_into(a: Array, b: Array, out: Array, products: Array) -> None:
    """out = a b for quaternions with components first; `products` (4, F) is overwritten."""
    w, x, y, z = out
    np.multiply(a[0], b, out=out)
    by_w, by_x, by_y, by_z = products  # a component of a times each component of b
    np.multiply(a[1], b, out=products)
    w -= by_x
    x += by_w
    y -= by_z
    z += by_y
    np.multiply(a[2], b, out=products)
    w -= by_y
    x += by_z
    y += by_w
    z -= by_x
    np.multiply(a[3], b, out=products)
    w -= by_z
    x -= by_y
    y += by_x
    z += by_w


def _rotate_into(q: Array, v: Array, out: Array, scratch: Array) -> None:
    """out = v turned by q, components first: v + w t + u x t with t = 2 u x v; `scratch` is overwritten."""
    t, term = scratch[:3], scratch[3]
    w, x, y, z = q
    vx, vy, vz = v
    for row, (a, b, c, d) in zip(t, ((y, vz, z, vy), (z, vx, x, vz), (x, vy, y, vx)), strict=True):
        np.multiply(a, b, out=row)
        np.multiply(c, d, out=term)
        np.subtract(row, term, out=row)
        np.add(row, row, out=row)
    for n, (a, b, c, d) in enumerate(((y, t[2], z, t[1]), (z, t[0], x, t[2]), (x, t[1], y, t[0]))):
        row = out[n]
        np.multiply(w, t[n], out=row)
        np.add(row, v[n], out=row)
        np.multiply(a, b, out=term)
        np.add(row, term, out=row)
        np.multiply(c, d, out=term)
        np.subtract(row, term, out=row)


def end_site_positions(skeleton: Skeleton, world: WorldPose) -> Array:
    """World positions of the tips. -> (..., E, 3), E end sites."""
    joints = [site.joint for site in skeleton.end_sites]
    offsets = np.array([site.offset for site in skeleton.end_sites]).reshape(-1, 3)
    return world.positions[..., joints, :] + rotate(world.rotations[..., joints, :], offsets)


def local_from_world(parents: tuple[int, ...], world_rotations: Array) -> Array:
    """Local rotations that give these world rotations. world_rotations : (..., J, 4) -> the same."""
    up = np.array(parents)
    above = np.where(up[:, None] < 0, IDENTITY, world_rotations[..., np.maximum(up, 0), :])
    return multiply(conjugate(above), world_rotations)


def local_cartesian(parents: tuple[int, ...], world_positions: Array) -> Array:
    """Each joint relative to its parent, in world axes; roots keep their position (Coleman 4.3.3)."""
    up = np.array(parents)
    above = np.where(up[:, None] < 0, 0.0, world_positions[..., np.maximum(up, 0), :])
    return np.asarray(world_positions - above)


def global_cartesian(parents: tuple[int, ...], relative_positions: Array) -> Array:
    """World positions from positions relative to parents: x_j = x_r + the sum over the way down to
    j, j itself included (Coleman 4.5)."""
    positions = np.array(relative_positions)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            positions[..., joint, :] += positions[..., parent, :]
    return positions


def articulate(skeleton: Skeleton, world_positions: Array) -> tuple[Array, Array, Array]:
    """Root positions, local rotations and local offsets that put every joint at `world_positions`.

    world_positions : (..., J, 3) -> (..., 3), (..., J, 4), (..., J, 3). Depth first: each joint gets
    the translation that meets its goal, then the least-squares rotation of all its children
    relative to the rest pose (Horn 1987); what no rotation can meet goes into the children's
    offsets. Turns about a lone bone cannot be seen in positions and stay as in the rest pose. Rigid
    input gives offsets equal to the skeleton's. Coleman 2012, section 4.5.
    """
    require_shape("world_positions", world_positions, (len(skeleton), 3))
    world_rotations = np.empty((*world_positions.shape[:-1], 4))
    offsets = np.empty(world_positions.shape)
    for joint, parent in enumerate(skeleton.parents):
        here = world_positions[..., joint, :]
        if parent < 0:
            above = np.broadcast_to(IDENTITY, (*here.shape[:-1], 4))
            offsets[..., joint, :] = here
        else:
            above = world_rotations[..., parent, :]
            offsets[..., joint, :] = rotate(conjugate(above), here - world_positions[..., parent, :])
        children = list(skeleton.children[joint])
        if not children:
            world_rotations[..., joint, :] = above
            continue
        # Bones as the parent's rotation alone would leave them, and as they should be.
        rest = rotate(above[..., None, :], skeleton.offsets[children])
        goal = world_positions[..., children, :] - here[..., None, :]
        world_rotations[..., joint, :] = multiply(align(rest, goal), above)
    return (
        np.array(world_positions[..., 0, :]),
        local_from_world(skeleton.parents, world_rotations),
        offsets,
    )


def align(sources: Array, targets: Array) -> Array:
    """The rotation that best takes N source vectors to N targets in the least-squares sense.

    sources, targets : (..., N, 3) -> (..., 4). Where the vectors leave a turn undetermined (all
    along one line) the smallest rotation is taken; nothing to align gives the identity. Horn 1987:
    the eigenvector of a symmetric 4 x 4 matrix.
    """
    product = np.einsum("...ni,...nj->...ij", sources, targets)
    xx, xy, xz = product[..., 0, 0], product[..., 0, 1], product[..., 0, 2]
    yx, yy, yz = product[..., 1, 0], product[..., 1, 1], product[..., 1, 2]
    zx, zy, zz = product[..., 2, 0], product[..., 2, 1], product[..., 2, 2]
    rows = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ]
    matrix = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    values, vectors = np.linalg.eigh(matrix)
    best = vectors[..., -1]
    # Sources or targets on one line but for noise: the two largest eigenvalues all but coincide.
    # The product is then one direction times another; the smallest rotation takes one to the other.
    spread = values[..., -1] - values[..., -2]
    lined_up = spread <= 1e-5 * np.maximum(np.abs(values[..., -1]), 1e-300)
    row = np.argmax(np.sum(product * product, axis=-1), axis=-1)[..., None, None]
    to = np.take_along_axis(product, row, axis=-2)[..., 0, :]
    smallest = between(np.einsum("...ij,...j->...i", product, to), to)
    return np.where(lined_up[..., None], smallest, best)
