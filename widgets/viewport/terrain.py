"""What stands on the floor, as faces to be drawn and hit: boxes, steps and ramps are blocks, grids and meshes surfaces.

Worked out once for a ground, and the same whichever way it is drawn.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.arrays import Array, IntArray
from model.ground import Box, Grid, Ground, GroundObject, Mesh, Ramp, Stairs, outline
from model.recent import recent

# The faces of a block by its corners, of which 0 to 3 are below and 4 to 7 above them, in turn about it; the top first.
FACES = np.array([[4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])
_EDGES = np.array([[4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7], [0, 1], [1, 2], [2, 3], [3, 0]])
_FLAT_M = 1e-4  # blocks lower than this have no sides
_MOST_EDGED = 20_000  # a surface of more faces than this is drawn without edges: they would be all over it
_CREASE = 0.985  # neighbouring faces of a surface whose normals have at least this cosine make no edge


@dataclass(frozen=True, eq=False)
class Terrain:
    """Faces in the world. triangles : (T, 3, 3); normals : (T, 3) unit, outward; owners : (T,) which of the ground's
    objects each belongs to; edges : (E, 2, 3), edge_owners : (E,); blocks : (B, 8, 3) corners, see `FACES`, all of them
    convex, block_owners : (B,); surfaces : (T,) whether a triangle belongs to a grid or mesh.
    """

    triangles: Array
    normals: Array
    owners: IntArray
    edges: Array
    edge_owners: IntArray
    blocks: Array
    block_owners: IntArray
    surfaces: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.triangles)

    def hit(self, origin: Array, direction: Array) -> tuple[int, float] | None:
        """The object that a ray meets first, and how far along; None where it meets none. direction : (3,) unit."""
        # Of surfaces, which are there twice, once.
        faces = np.flatnonzero(~self.surfaces | (self.normals[:, 1] >= 0.0))
        if not len(faces):
            return None
        triangles = self.triangles[faces]
        first, one, other = triangles[:, 0], *(triangles[:, n] - triangles[:, 0] for n in (1, 2))
        across = np.cross(direction, other)
        volume = np.sum(one * across, axis=-1)
        volume = np.where(np.abs(volume) < 1e-12, np.nan, volume)
        away = origin - first
        with np.errstate(invalid="ignore"):
            u = np.sum(away * across, axis=-1) / volume
            turned = np.cross(away, one)
            v, along = (turned @ direction) / volume, np.sum(other * turned, axis=-1) / volume
            met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (along > 0.0)
        if not np.any(met):
            return None
        nearest = int(np.argmin(np.where(met, along, np.inf)))
        return int(self.owners[faces[nearest]]), float(along[nearest])


_NO_FACES = np.zeros((0, 3, 3))
_NOBODY = np.zeros(0, dtype=np.intp)
NO_TERRAIN = Terrain(
    _NO_FACES, np.zeros((0, 3)), _NOBODY, np.zeros((0, 2, 3)), _NOBODY, np.zeros((0, 8, 3)), _NOBODY,
    np.zeros(0, dtype=bool),
)  # fmt: skip


def terrain_of(ground: Ground) -> Terrain:
    """The faces of what stands on a ground."""
    blocks: list[Array] = []
    block_owners: list[int] = []
    surfaces: list[_Surface] = []
    surface_owners: list[int] = []
    for owner, (_, one) in enumerate(ground.objects):
        parts = _blocks(one)
        blocks += parts
        block_owners += [owner] * len(parts)
        if isinstance(one, Grid | Mesh):
            surfaces.append(_surface(one))
            surface_owners.append(owner)
    if not blocks and not surfaces:
        return NO_TERRAIN
    up = np.array([0.0, ground.height_m, 0.0])
    corners = np.array(blocks).reshape(-1, 8, 3) + up
    owners = np.array(block_owners, dtype=np.intp)
    triangles, face_owners = _block_triangles(corners, owners)
    edges, edge_owners = corners[:, _EDGES].reshape(-1, 2, 3), np.repeat(owners, len(_EDGES))
    whose = np.array(surface_owners, dtype=np.intp)
    faces = [triangles, *(one.triangles + up for one in surfaces)]
    return Terrain(
        np.concatenate(faces),
        np.concatenate([_normals(triangles), *(one.normals for one in surfaces)]),
        np.concatenate([face_owners, np.repeat(whose, [len(one.triangles) for one in surfaces])]),
        np.concatenate([edges, *(one.edges + up for one in surfaces)]),
        np.concatenate([edge_owners, np.repeat(whose, [len(one.edges) for one in surfaces])]),
        corners,
        owners,
        np.arange(sum(map(len, faces))) >= len(triangles),
    )


@dataclass(frozen=True, eq=False)
class _Surface:
    """The faces of a grid or mesh, seen from above and from below, and where it ends or bends."""

    triangles: Array
    normals: Array
    edges: Array


def _surface(one: Grid | Mesh) -> _Surface:
    if isinstance(one, Grid) or not any(one.offset_m):
        return _known_surface(one)
    x, y, z = one.offset_m
    home = _known_surface(one.moved((-x, -y, -z)))  # the same wherever it is dragged
    by = np.array(one.offset_m)
    return _Surface(home.triangles + by, home.normals, home.edges + by)


@recent(8)
def _known_surface(one: Grid | Mesh) -> _Surface:
    faces = _upward(grid_faces(one) if isinstance(one, Grid) else one.corners)
    both = np.concatenate([faces, faces[:, [0, 2, 1]]])
    edges = _creases(faces) if len(faces) <= _MOST_EDGED else np.zeros((0, 2, 3))
    return _Surface(both, _normals(both), edges)


def _blocks(one: GroundObject) -> list[Array]:
    """(8, 3) the corners of each block that an object is made of."""
    if isinstance(one, Box):
        return [_block(outline(one), np.full(4, one.height_m))]
    if isinstance(one, Stairs):
        return [part for step in one.steps for part in _blocks(step)]
    if isinstance(one, Ramp):
        low, high = one.heights_m
        return [_block(outline(one), np.array([low, low, high, high]))]
    return []


def _block(corners: Array, heights: Array) -> Array:
    """(8, 3) a block from the floor to heights (4,) over corners (4, 2)."""
    low, high = (np.stack([corners[:, 0], tops, corners[:, 1]], axis=-1) for tops in (np.zeros(4), heights))
    return np.concatenate([low, high])


def _block_triangles(corners: Array, owners: IntArray) -> tuple[Array, IntArray]:
    """(T, 3, 3) the faces of blocks (B, 8, 3), turned outward, without those that have no area; and whose they are."""
    quads = corners[:, FACES]  # (B, 5, 4, 3)
    triangles = np.stack([quads[:, :, [0, 1, 2]], quads[:, :, [0, 2, 3]]], axis=2)
    middles = np.mean(corners, axis=1)[:, None, None]
    normals = np.cross(triangles[..., 1, :] - triangles[..., 0, :], triangles[..., 2, :] - triangles[..., 0, :])
    inward = np.sum(normals * (np.mean(triangles, axis=-2) - middles), axis=-1) < 0.0
    # The top of a pit looks up, out of it, and its walls inward.
    pits = np.mean(corners[:, 4:, 1] - corners[:, :4, 1], axis=1) < 0.0
    inward ^= pits[:, None, None]
    triangles = np.where(inward[..., None, None], triangles[..., [0, 2, 1], :], triangles)
    some = np.linalg.norm(normals, axis=-1) > _FLAT_M**2
    whose = np.broadcast_to(owners[:, None, None], some.shape)
    return triangles[some].reshape(-1, 3, 3), whose[some]


def grid_faces(grid: Grid) -> Array:
    """(T, 3, 3) two triangles a cell."""
    heights = np.array(grid.heights_m)
    rows, columns = heights.shape
    x, z = (grid.origin[n] + grid.spacing_m * np.arange(count) for n, count in enumerate((columns, rows)))
    points = np.stack([np.broadcast_to(x, heights.shape), heights, np.broadcast_to(z[:, None], heights.shape)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.stack([np.stack([a, c, b], axis=2), np.stack([a, d, c], axis=2)], axis=2).reshape(-1, 3, 3)


def _upward(triangles: Array) -> Array:
    """The triangles of a surface, all turned so that they are seen from above."""
    down = _normals(triangles)[:, 1] < 0.0
    return np.where(down[:, None, None], triangles[:, [0, 2, 1]], triangles)


def _normals(triangles: Array) -> Array:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-15))


def _creases(triangles: Array) -> Array:
    """(E, 2, 3) where a surface ends or bends sharply."""
    normals = _normals(triangles)
    sides = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    faces = np.repeat(np.arange(len(triangles)), 3)
    keys = np.rint(sides * 1e5).astype(np.int64)
    differ = (keys[:, 0] != keys[:, 1]).argmax(axis=1)  # the first coordinate in which the ends differ decides
    turned = keys[np.arange(len(keys)), 0, differ] > keys[np.arange(len(keys)), 1, differ]
    keys = np.where(turned[:, None, None], keys[:, ::-1], keys).reshape(-1, 6)
    order = np.lexsort(keys.T)
    same = np.all(keys[order][1:] == keys[order][:-1], axis=-1)
    shared = np.zeros(len(keys), dtype=bool)
    smooth = np.sum(normals[faces[order][1:]] * normals[faces[order][:-1]], axis=-1) > _CREASE
    pairs = np.flatnonzero(same)
    shared[order[pairs + 1]] = True  # one of the two is enough
    shared[order[pairs[smooth[pairs]]]] = True
    return np.asarray(sides[~shared])
