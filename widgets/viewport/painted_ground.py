"""What stands on the floor, drawn with QPainter: faces in the order in which they hide each other and the figures.

A painter knows no depth. Blocks are convex, so that of two of them, or of a block and a part of a figure, one lies on
the outer side of a face that looks at the camera: it is in front. Surfaces (grids and meshes) are drawn first.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from model.arrays import Array, IntArray
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Scene
from widgets.viewport.terrain import FACES, Terrain

# Parts that lie so little behind a face still count as before it: they are round, and feet sink in where they stand.
_SLACK_M = 0.03
_MOST_FACES = 6000  # of surfaces; beyond, only some are drawn


def light_on(normals: Array) -> Array:
    """(...,) how bright faces are that look along normals (..., 3); as in the shaders."""
    x, y, z = np.moveaxis(normals, -1, 0)
    return np.asarray(0.74 + 0.26 * y + 0.08 * z - 0.05 * x)


class BlockOrder:
    """The blocks of a terrain as a camera sees them. order : (B,) the far ones first."""

    def __init__(self, terrain: Terrain, camera: Camera) -> None:
        quads = terrain.blocks[:, FACES]  # (B, 5, 4, 3)
        normals = np.cross(quads[:, :, 2] - quads[:, :, 0], quads[:, :, 3] - quads[:, :, 1])
        lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
        normals = normals / np.maximum(lengths, 1e-12)
        middles = np.mean(quads, axis=2)
        outward = np.sum(normals * (middles - np.mean(terrain.blocks, axis=1)[:, None]), axis=-1)
        self.normals = np.where(outward[..., None] < 0.0, -normals, normals)
        self._middles = middles
        toward = np.sum(self.normals * (camera.eye - middles), axis=-1) > 1e-6
        self.seen = toward & (lengths[..., 0] > 1e-8)  # (B, 5) the faces that look at the camera
        self.quads = quads
        self.order = self._sorted(terrain, camera)

    def _before(self, points: Array, slack_m: float) -> npt.NDArray[np.bool_]:
        """(B, N) whether points (N, 3) are on the camera's side of a face of each block."""
        away = np.einsum("bfc,nc->bfn", self.normals, points) - np.sum(self.normals * self._middles, axis=-1)[..., None]
        return np.asarray(np.any((away > -slack_m) & self.seen[..., None], axis=1))

    def _sorted(self, terrain: Terrain, camera: Camera) -> IntArray:
        """(B,) an order in which no block is drawn over one that hides it."""
        count = len(terrain.blocks)
        away = np.einsum("bfc,akc->bfak", self.normals, terrain.blocks)
        away = away - np.sum(self.normals * self._middles, axis=-1)[..., None, None]
        beyond = np.all(away > -1e-6, axis=-1) & self.seen[..., None]  # (B, 5, A): all of A before a seen face of B
        hides = np.any(beyond, axis=1).T  # (A, B): A is before B
        np.fill_diagonal(hides, False)
        hides &= ~(hides & hides.T)
        depths = (np.mean(terrain.blocks, axis=1) - camera.eye) @ -camera.axes[2]
        left, order = set(range(count)), []
        while left:
            at = np.array(sorted(left))
            free = at[~np.any(hides[np.ix_(at, at)], axis=1)]  # those that are before none that is left
            far = free if len(free) else at
            chosen = int(far[np.argmax(depths[far])])
            order.append(chosen)
            left.remove(chosen)
        return np.array(order, dtype=np.intp)

    def slots(self, points: Array) -> IntArray:
        """(N,) for each point (N, 3) before which of the blocks, counted in their order, it is to be drawn."""
        if not len(self.order):
            return np.zeros(len(points), dtype=np.intp)
        behind = ~self._before(points, _SLACK_M)[self.order]
        return np.where(np.any(behind, axis=0), np.argmax(behind, axis=0), len(self.order))


def paint_surfaces(painter: QPainter, scene: Scene, colours: Array, camera: Camera, size: Size) -> None:
    """Grids and meshes, far faces first. colours : (T, 3) of the terrain's triangles."""
    terrain = scene.terrain
    chosen = np.flatnonzero(terrain.surfaces)
    if not len(chosen):
        return
    triangles = terrain.triangles[chosen]
    toward = np.sum(terrain.normals[chosen] * (camera.eye - triangles[:, 0]), axis=-1) > 0.0
    pixels, depths = camera.project(triangles, size)
    seen = np.flatnonzero(toward & (np.min(depths, axis=-1) > camera.near_m))
    seen = seen[:: max(1, -(-len(seen) // _MOST_FACES))]
    shades = colours[chosen] * light_on(terrain.normals[chosen])[:, None]
    for n in seen[np.argsort(-np.mean(depths[seen], axis=-1))]:
        fill = _qcolor(shades[n])
        painter.setPen(QPen(fill, 1.0))  # or the ground would shine through between faces
        painter.setBrush(QBrush(fill))
        painter.drawPolygon(_polygon(pixels[n]))


def paint_block(
    painter: QPainter,
    scene: Scene,
    blocks: BlockOrder,
    number: int,
    colour: Array,
    camera: Camera,
    size: Size,
    on_top: Callable[[], None],
) -> None:
    """One block. colour : (3,) before there is light on it; on_top : draws what lies on it, clipped to its top."""
    quads = blocks.quads[number]
    chosen = scene.terrain.block_owners[number] == scene.chosen
    pen = QPen(_qcolor(scene.backdrop.chosen if chosen else scene.backdrop.edge), 1.6 if chosen else 1.0)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    for face in np.flatnonzero(blocks.seen[number])[::-1]:  # the top last
        painter.setPen(pen)
        painter.setBrush(QBrush(_qcolor(colour * light_on(blocks.normals[number, face]))))
        seen = _before_camera(quads[face], camera)
        if len(seen) < 3:
            continue
        outline = _polygon(camera.project(seen, size)[0])
        painter.drawPolygon(outline)
        if face == 0:
            painter.save()
            path = QPainterPath()
            path.addPolygon(outline)
            painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
            on_top()
            painter.restore()


def _before_camera(polygon: Array, camera: Camera) -> Array:
    """(M, 3) the part of a convex polygon (K, 3) that lies before the camera."""
    depths = (polygon - camera.eye) @ -camera.axes[2] - camera.near_m
    kept: list[Array] = []
    for n in range(len(polygon)):
        after = (n + 1) % len(polygon)
        if depths[n] > 0.0:
            kept.append(polygon[n])
        if (depths[n] > 0.0) != (depths[after] > 0.0):
            kept.append(polygon[n] + (polygon[after] - polygon[n]) * (depths[n] / (depths[n] - depths[after])))
    return np.array(kept).reshape(-1, 3)


def plane_of_top(block: Array) -> tuple[Array, Array]:
    """A point (3,) of the top of a block (8, 3), and its normal (3,), upward."""
    normal = np.cross(block[6] - block[4], block[7] - block[5])
    return block[4], normal if normal[1] > 0.0 else -normal


def _polygon(pixels: Array) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in pixels.tolist()])


def _qcolor(rgb: Array) -> QColor:
    r, g, b = (min(max(float(value), 0.0), 1.0) for value in rgb[:3])
    return QColor.fromRgbF(r, g, b)
