"""Draws a scene with QPainter: the same picture without OpenGL, for screens and machines that have none.

Parts are filled outlines, the far ones first; light comes from above, as in the shaders.
"""

import math
import os
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QByteArray, QDataStream, QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPen, QPolygonF, QTransform

from model.arrays import Array
from widgets.viewport.camera import Camera, Size
from widgets.viewport.figure import Solids, some_of
from widgets.viewport.outlines import half_axes, hulls
from widgets.viewport.painted_ground import BlockOrder, paint_block, paint_surfaces, plane_of_top
from widgets.viewport.scene import Backdrop, Dots, Fills, Lines, Prints, Scene, Shadow, face_colours

_DIRECTIONS = 20
_GRID_HALF_M = 14
_PIECES = 12  # a grid line fades in so many steps
_LEVELS = 10  # of opacity
_LIGHT_PX = (-0.45, -0.9)  # on the screen, towards the light
_SLIM_PX = 6.0  # across parts as slim as this nobody sees the light change

# Qt shares fills between threads and waits for all of them: for parts as small as ours that takes longer than the work,
# on a busy machine many times as long. Qt asks for this when it first fills something.
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")


def paint_scene(painter: QPainter, scene: Scene, camera: Camera, size: QSizeF) -> None:
    """Draw a scene into the rectangle of this size at the painter's origin."""
    extent = (size.width(), size.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(0.0, 0.0, *extent))
    _backdrop(painter, scene.backdrop, camera, extent)
    if scene.grid:
        _grid(painter, scene, camera, extent)
    if len(scene.terrain):
        _with_terrain(painter, scene, camera, extent)
    else:
        _on_floor(painter, scene, camera, extent)
    _fills(painter, scene.front_fills, camera, extent)
    _lines(painter, scene.front_lines, camera, extent)
    _dots(painter, scene.front_dots, camera, extent)
    painter.restore()


def _on_floor(painter: QPainter, scene: Scene, camera: Camera, size: Size) -> None:
    """Figures, and what lies on a floor on which nothing stands."""
    for shadow in scene.shadows:
        _shadow(painter, shadow, shadow.corners(), scene.backdrop.dark, camera, size)
    _prints(painter, scene.prints, camera, size)
    # Ghosts stand behind whatever is solid: they must never veil the figure that is worked on.
    _solids(painter, _faded(scene.ghosts, scene.backdrop), camera, size)
    _lines(painter, scene.lines, camera, size)
    _dots(painter, scene.dots, camera, size)
    _solids(painter, scene.solids, camera, size)


def _with_terrain(painter: QPainter, scene: Scene, camera: Camera, size: Size) -> None:
    """The same with what stands there: from block to block, each after all that it hides."""
    terrain, colours = scene.terrain, face_colours(scene)
    paint_surfaces(painter, scene, colours, camera, size)
    for shadow in scene.shadows:
        _shadow(painter, shadow, shadow.corners(), scene.backdrop.dark, camera, size)
    blocks = BlockOrder(terrain, camera)
    last = len(blocks.order)
    ghosts = _faded(scene.ghosts, scene.backdrop)
    whole = [(ghosts, blocks.slots(_middles(ghosts))), (scene.solids, blocks.slots(_middles(scene.solids)))]
    prints = blocks.slots(scene.prints.centres)
    for slot in range(last + 1):
        _prints(painter, _some_prints(scene.prints, prints == slot), camera, size)
        if slot == last:
            _lines(painter, scene.lines, camera, size)
            _dots(painter, scene.dots, camera, size)
        for solids, slots in whole:
            _solids(painter, some_of(solids, slots == slot), camera, size)
        if slot < last:
            _block(painter, scene, blocks, int(blocks.order[slot]), camera, size)


def _block(painter: QPainter, scene: Scene, blocks: BlockOrder, number: int, camera: Camera, size: Size) -> None:
    """A block with the grid and the shadows on top of it."""
    block = scene.terrain.blocks[number]
    point, normal = plane_of_top(block)
    owner = scene.terrain.block_owners[number]
    colour = face_colours(scene)[np.flatnonzero(scene.terrain.owners == owner)[0]]

    def lying_on_top(places: Array) -> Array:
        return np.stack(
            [places[:, 0], point[1] - (places - point)[:, [0, 2]] @ normal[[0, 2]] / normal[1], places[:, 2]], axis=-1
        )

    def on_top() -> None:
        if scene.grid:
            a, b = (lying_on_top(ends) for ends in _metre_lines(block))
            a, b, kept = _in_front(a, b, camera)
            _level_lines(painter, a, b, np.full(int(np.sum(kept)), 0.3), scene.backdrop.edge, camera, size)
        for shadow in scene.shadows:
            _shadow(painter, shadow, lying_on_top(shadow.corners()), scene.backdrop.dark, camera, size)

    paint_block(painter, scene, blocks, number, colour, camera, size, on_top)


def _metre_lines(block: Array) -> tuple[Array, Array]:
    """(N, 3), (N, 3) the ends of the floor's metre lines over a block (8, 3); their heights mean nothing."""
    low, high = np.min(block[:, [0, 2]], axis=0), np.max(block[:, [0, 2]], axis=0)
    along_z, along_x = (np.arange(math.ceil(low[n]), math.floor(high[n]) + 1.0) for n in range(2))
    starts = [(x, 0.0, low[1]) for x in along_z] + [(low[0], 0.0, z) for z in along_x]
    ends = [(x, 0.0, high[1]) for x in along_z] + [(high[0], 0.0, z) for z in along_x]
    return np.array(starts).reshape(-1, 3), np.array(ends).reshape(-1, 3)


def _middles(solids: Solids) -> Array:
    return np.asarray(0.5 * (solids.starts + solids.ends))


def _some_prints(prints: Prints, chosen: npt.NDArray[np.bool_]) -> Prints:
    return Prints(
        prints.centres[chosen], prints.longs[chosen], prints.widths[chosen], prints.colours[chosen],
        prints.fills[chosen],
    )  # fmt: skip


def _qcolor(rgb: Array, opacity: float = 1.0) -> QColor:
    return QColor.fromRgbF(*[min(max(value, 0.0), 1.0) for value in (*rgb[:3].tolist(), opacity)])


def _qpolygons(polygons: Array) -> list[QPolygonF]:
    """Outlines (N, K, 2) for Qt, handed over as bytes: to make every point takes several times as long."""
    count, corners = polygons.shape[:2]
    rows = np.empty(count, dtype=[("corners", "<u4"), ("points", "<f8", (corners, 2))])
    rows["corners"], rows["points"] = corners, polygons
    stream = QDataStream(QByteArray(rows.tobytes()))
    stream.setByteOrder(QDataStream.ByteOrder.LittleEndian)
    made = [QPolygonF() for _ in range(count)]
    for polygon in made:
        stream >> polygon
    return made


def _mixed(one: Array, other: Array, part: float) -> Array:
    return np.asarray((1.0 - part) * one[:3] + part * other[:3])


def _horizon_px(camera: Camera, size: Size) -> float:
    """Where the horizon is on the screen; far outside where it is not seen."""
    level = -camera.axes[2] * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(level))
    if length < 1e-3:
        return -1e5 if camera.pitch_rad > 0 else 1e5
    pixels, _ = camera.project(camera.eye + level / length, size)
    return float(pixels[1])


def _backdrop(painter: QPainter, backdrop: Backdrop, camera: Camera, size: Size) -> None:
    horizon = _horizon_px(camera, size)
    span = max(size)
    sky = QLinearGradient(0.0, horizon - 0.8 * span, 0.0, horizon)
    sky.setColorAt(0.0, _qcolor(backdrop.sky))
    sky.setColorAt(1.0, _qcolor(backdrop.horizon))
    painter.fillRect(QRectF(0.0, 0.0, *size), QBrush(sky))
    if horizon < size[1]:
        ground = QLinearGradient(0.0, horizon, 0.0, horizon + 0.5 * span)
        ground.setColorAt(0.0, _qcolor(backdrop.horizon))
        ground.setColorAt(0.25, _qcolor(_mixed(backdrop.horizon, backdrop.ground, 0.72)))
        ground.setColorAt(1.0, _qcolor(backdrop.ground))
        top = max(horizon, 0.0)
        painter.fillRect(QRectF(0.0, top, size[0], size[1] - top), QBrush(ground))


def _grid(painter: QPainter, scene: Scene, camera: Camera, size: Size) -> None:
    """Metre lines about the camera's target, fading out."""
    x0, z0 = (round(camera.target[axis]) for axis in (0, 2))
    origin = np.array([x0, scene.ground_m, z0])
    a, b = (ends + origin for ends in _grid_pieces())
    axis = np.any((a == b) & (a == 0.0) & [True, False, True], axis=-1)
    away = (0.5 * (a + b) - camera.target) @ np.diag([1.0, 0.0, 1.0])
    fade = np.clip(1.0 - np.linalg.norm(away, axis=-1) / _GRID_HALF_M, 0.0, 1.0) ** 1.3
    # Seen at a flat angle lines crowd: they fade there too.
    opacities = fade * np.where(axis, 1.0, 0.8)
    a, b, kept = _in_front(a, b, camera)
    _level_lines(painter, a, b, opacities[kept], scene.backdrop.grid, camera, size)


@lru_cache(maxsize=1)
def _grid_pieces() -> tuple[Array, Array]:
    """Metre lines about the origin, in pieces: (N, 3) where they start, (N, 3) where they end."""
    places = np.arange(-_GRID_HALF_M, _GRID_HALF_M + 1.0)
    steps = np.linspace(-_GRID_HALF_M, _GRID_HALF_M, _PIECES * 2 + 1)
    along = np.stack(np.broadcast_arrays(places[:, None], 0.0, steps), axis=-1)  # (lines, steps, 3)
    lines = np.concatenate([along, along[..., ::-1]])
    return lines[:, :-1].reshape(-1, 3), lines[:, 1:].reshape(-1, 3)


def _level_lines(
    painter: QPainter, a: Array, b: Array, opacities: Array, rgb: Array, camera: Camera, size: Size
) -> None:
    """Thin lines, those of about the same opacity at once."""
    ends, _ = camera.project(np.stack([a, b], axis=1), size)
    beyond = np.any(np.all(ends < 0.0, axis=1) | np.all(ends > np.array(size), axis=1), axis=-1)
    levels = np.where(beyond, 0, np.rint(opacities * _LEVELS).astype(int))
    ends = ends.reshape(-1, 4)
    for level in range(1, _LEVELS + 1):
        some = ends[levels == level]
        if len(some):
            painter.setPen(QPen(_qcolor(rgb, level / _LEVELS), 1.0))
            painter.drawLines([QLineF(*line) for line in some.tolist()])


def _in_front(a: Array, b: Array, camera: Camera) -> tuple[Array, Array, Array]:
    """Lines cut where they would go behind the camera, and which of them (N,) are left."""
    ahead = -camera.axes[2]
    near = camera.near_m
    da, db = (a - camera.eye) @ ahead - near, (b - camera.eye) @ ahead - near
    kept = (da > 0.0) | (db > 0.0)
    a, b, da, db = a[kept], b[kept], da[kept], db[kept]
    cut = a + (b - a) * (da / np.where(np.abs(da - db) < 1e-12, 1.0, da - db))[:, None]
    return np.where(da[:, None] < 0.0, cut, a), np.where(db[:, None] < 0.0, cut, b), kept


def _shadow(painter: QPainter, shadow: Shadow, corners: Array, dark: float, camera: Camera, size: Size) -> None:
    """A shadow laid over the square with these corners (4, 3)."""
    pixels, depths = camera.project(corners, size)
    if np.min(depths) < camera.near_m:
        return
    side = shadow.darkness.shape[0]
    opacities = (shadow.darkness * dark).astype(np.uint8)
    rows, columns = (np.flatnonzero(np.any(opacities, axis=axis)) for axis in (1, 0))
    if not len(rows):
        return
    # Most of it is about the figure, and has no shadow: laying it on the ground costs time all the same.
    opacities = opacities[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = opacities.shape
    black = np.zeros((high, wide, 4), dtype=np.uint8)
    black[..., 3] = opacities
    image = QImage(black.tobytes(), wide, high, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied)
    square = QPolygonF([QPointF(0.0, 0.0), QPointF(side, 0.0), QPointF(side, side), QPointF(0.0, side)])
    transform = QTransform.quadToQuad(square, QPolygonF([QPointF(x, y) for x, y in pixels.tolist()]))
    if not isinstance(transform, QTransform):  # seen edge-on
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setTransform(transform, combine=True)
    painter.drawImage(int(columns[0]), int(rows[0]), image)
    painter.restore()


def _solids(painter: QPainter, solids: Solids, camera: Camera, size: Size) -> None:
    """Parts, the far ones first, shaded across their length, so that the parts of a limb run into each other."""
    if not len(solids):
        return
    ends = np.stack([solids.starts, solids.ends], axis=1)
    pixels, depths = camera.project(ends, size)
    scale = camera.pixels_per_metre(depths, size)
    axes = half_axes(solids) @ camera.axes[:2].T * np.array([1.0, -1.0]) * scale[..., None, None]
    polygons = hulls(pixels, axes, _DIRECTIONS)
    lit_ends, dark_ends, slants = _lighting(pixels, polygons)
    slants = np.rint(3.0 * slants) / 3.0  # Qt keeps the gradients that it has seen: let there be few
    order = np.argsort(-np.mean(depths, axis=-1))
    seen = np.min(depths, axis=-1) > camera.near_m
    painter.setPen(Qt.PenStyle.NoPen)
    lights = np.concatenate([lit_ends, dark_ends], axis=-1).tolist()
    colours, all_slants, outlines = solids.colours.tolist(), slants.tolist(), _qpolygons(polygons)
    for n in order[seen[order]].tolist():
        stops, (x, y, dark_x, dark_y) = _shades(*colours[n], all_slants[n]), lights[n]
        if math.hypot(dark_x - x, dark_y - y) < _SLIM_PX:
            painter.setBrush(stops[2][1])
        else:
            shade = QLinearGradient(x, y, dark_x, dark_y)
            shade.setStops(stops)
            painter.setBrush(QBrush(shade))
        painter.drawPolygon(outlines[n])


@lru_cache(maxsize=512)
def _shades(red: float, green: float, blue: float, opacity: float, slant: float) -> list[tuple[float, QColor]]:
    """The colours across a part, from its lit to its dark edge."""
    rgb = np.array([red, green, blue])
    parts = ((0.0, 0.72 + 0.12 * slant), (0.3, 0.92 + 0.12 * slant), (0.6, 0.88), (1.0, 0.62 - 0.10 * slant))
    return [(place, _qcolor(rgb * light, opacity)) for place, light in parts]


def _faded(ghosts: Solids, backdrop: Backdrop) -> Solids:
    """Ghosts in the colours that they would have before the horizon: their parts do not show through each other."""
    colours = np.array(ghosts.colours)
    opacities = colours[:, 3:]
    colours[:, :3] = opacities * colours[:, :3] + (1.0 - opacities) * backdrop.horizon
    colours[:, 3] = 1.0
    return replace(ghosts, colours=colours)


def _lighting(pixels: Array, polygons: Array) -> tuple[Array, Array, Array]:
    """Where the lit and the dark edge of each part are, (N, 2) each, and how much its sides differ, (N,) 0 to 1.

    pixels : (N, 2, 2) of both ends; polygons : (N, D, 2).
    """
    light = np.array(_LIGHT_PX) / math.hypot(*_LIGHT_PX)
    along = pixels[:, 1] - pixels[:, 0]
    lengths = np.linalg.norm(along, axis=-1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=-1) / np.maximum(lengths, 1e-6)
    slant = across @ light
    across = across * np.where(slant < 0.0, -1.0, 1.0)[:, None]
    across = np.where(lengths > 1.0, across, light)
    middles = np.mean(polygons, axis=1)
    reach = np.sum((polygons - middles[:, None]) * across[:, None], axis=-1)
    lit, dark = (middles + across * edge[:, None] for edge in (np.max(reach, axis=-1), np.min(reach, axis=-1)))
    return lit, dark, np.where(lengths[:, 0] > 1.0, np.abs(slant), 1.0)


def _prints(painter: QPainter, prints: Prints, camera: Camera, size: Size) -> None:
    if not len(prints):
        return
    angles = np.arange(24) * (2.0 * np.pi / 24)
    round_about = np.cos(angles)[:, None] * prints.longs[:, None] + np.sin(angles)[:, None] * prints.wides()[:, None]
    pixels, depths = camera.project(prints.centres[:, None] + round_about, size)
    outlines = _qpolygons(pixels)
    for n in np.flatnonzero(np.min(depths, axis=-1) > camera.near_m).tolist():
        colour, opacity = prints.colours[n], float(prints.colours[n, 3])
        painter.setPen(QPen(_qcolor(colour, opacity), 2.0))
        painter.setBrush(_qcolor(colour, opacity * float(prints.fills[n])))
        painter.drawPolygon(outlines[n])


def _fills(painter: QPainter, fills: Fills, camera: Camera, size: Size) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for polygon, colour in zip(fills.polygons, fills.colours, strict=True):
        pixels, depths = camera.project(polygon, size)
        if np.min(depths) > camera.near_m:
            painter.setBrush(_qcolor(colour, float(colour[3])))
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in pixels.tolist()]))


def _lines(painter: QPainter, lines: Lines, camera: Camera, size: Size) -> None:
    if not len(lines):
        return
    a, b, kept = _in_front(lines.starts, lines.ends, camera)
    ends = np.concatenate([camera.project(a, size)[0], camera.project(b, size)[0]], axis=-1)
    pen = QPen()
    for line, colour, width in zip(ends.tolist(), lines.colours[kept], lines.widths[kept].tolist(), strict=True):
        pen.setColor(_qcolor(colour, float(colour[3])))
        pen.setWidthF(width)
        # The ends of lines that follow each other overlap, but not where they would show through each other.
        pen.setCapStyle(Qt.PenCapStyle.RoundCap if colour[3] >= 1.0 else Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QLineF(*line))


def _dots(painter: QPainter, dots: Dots, camera: Camera, size: Size) -> None:
    if not len(dots):
        return
    pixels, depths = camera.project(dots.positions, size)
    painter.setPen(Qt.PenStyle.NoPen)
    for n in np.flatnonzero(depths > camera.near_m):
        painter.setBrush(_qcolor(dots.colours[n], float(dots.colours[n, 3])))
        half = 0.5 * float(dots.sizes[n])
        painter.drawEllipse(QPointF(*pixels[n].tolist()), half, half)
