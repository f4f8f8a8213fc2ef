"""The pose strip: the extreme poses of a clip side by side, as drawings on a sheet (Coleman 2012, figure 1.1).

Figures stand in the order of time on one floor, each turned so that it is seen from its best side, as far apart as the
body went between them, and never so near that they run into each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from model.arrays import Array
from model.clip import Take
from model.extremes import Extreme
from model.ground import Ground
from model.kinematics import WorldPose
from model.rotation import multiply
from widgets.common.pose_views import picture_axes, poses_at
from widgets.common.theme import Theme
from widgets.viewport.body import make_body
from widgets.viewport.camera import Camera
from widgets.viewport.composing import figure_paints
from widgets.viewport.figure import Solids, posed, together
from widgets.viewport.image import picture
from widgets.viewport.scene import Scene, backdrop_of
from widgets.viewport.shadow import cast

MOST = 16  # figures, where nobody says how many
_GAP_M = 0.12
_FARTHEST_M = 0.7  # beyond what figures need: who runs would be small otherwise
_WIDTH_PX = 1600
_SMALLEST_PX = 190  # figures: where they would be smaller, there is another row
_TALLEST_PX = 480
_MOST_ROWS = 4
_LABEL_PX = 34
_CAMERA = Camera(yaw_rad=0.0, pitch_rad=math.radians(5.0), fov_rad=math.radians(9.0))


@dataclass(frozen=True, eq=False)
class Standing:
    """A figure on the sheet. x_m : where it stands; left_m, right_m : how far it reaches from there."""

    extreme: Extreme
    frame: int
    solids: Solids
    x_m: float
    left_m: float
    right_m: float


def chosen(extremes: Sequence[Extreme], count: int | None) -> list[Extreme]:
    """The extremes that are drawn: those that stand out most, the ends of the motion only where there is room.

    An end at which a pose is held would be the same pose once more.
    """
    most = MOST if count is None else count
    holds = [one for one in extremes if one.is_hold]
    some = [one for one in extremes if not one.is_end or not any(hold.is_near(one.time_s, 0.1) for hold in holds)]
    order = sorted(some, key=lambda one: (one.is_end, -one.prominence))[:most]
    return sorted(order, key=lambda one: one.time_s)


def pose_strip(
    take: Take, extremes: Sequence[Extreme], theme: Theme, size: QSize | None = None, painter: bool = False
) -> QImage:
    """A picture of poses of a take. size : None for one that suits them. painter : draw without OpenGL."""
    figures = stand_in_line(take, extremes, theme)
    top_m = max(float(np.max(one.solids.ends[:, 1])) for one in figures) - take.contacts.ground_m + 0.15
    rows = _rows(figures, top_m, size)
    if size is None:
        tall = min(1.12 * top_m * _WIDTH_PX / max(map(_width_m, rows)), _TALLEST_PX)
        size = QSize(_WIDTH_PX, len(rows) * (_LABEL_PX + round(tall)))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.window))
    with QPainter(image) as sheet:
        sheet.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = size.height() / len(rows)
        for place, row in enumerate(rows):
            box = QRectF(0.0, place * height, size.width(), height)
            _draw_row(sheet, box, row, take, top_m, theme, painter)
    return image


def stand_in_line(take: Take, extremes: Sequence[Extreme], theme: Theme) -> list[Standing]:
    """The figures at some extremes, in the order of time along X, each with its best side to +Z."""
    motion = take.motion
    frames = [min(max(round(one.time_s / motion.frame_time_s), 0), motion.frames - 1) for one in extremes]
    indices = np.array(frames, dtype=np.intp)
    world, axes, body = poses_at(motion, indices), picture_axes(motion, indices), make_body(motion)
    roots = world.positions[:, 0] * [1.0, 0.0, 1.0]
    went_m = np.linalg.norm(np.diff(roots, axis=0), axis=-1)
    figures: list[Standing] = []
    for n, (one, frame) in enumerate(zip(extremes, frames, strict=True)):
        pose = _turned(WorldPose(world.positions[n] - roots[n], world.rotations[n]), axes[n])
        solids = posed(body, pose, figure_paints(theme), pickable=False)
        reach = np.max(solids.radii, axis=(-1, -2))
        ends = np.stack([solids.starts[:, 0], solids.ends[:, 0]])
        left_m, right_m = -float(np.min(ends - reach)), float(np.max(ends + reach))
        x_m = 0.0
        if figures:
            need_m = figures[-1].right_m + left_m + _GAP_M
            x_m = figures[-1].x_m + max(need_m, min(float(went_m[n - 1]), need_m + _FARTHEST_M))
        figures.append(Standing(one, frame, _moved(solids, x_m), x_m, left_m, right_m))
    return figures


def _turned(pose: WorldPose, axis: Array) -> WorldPose:
    """A pose turned about the vertical so that the direction (x, z) points along +X."""
    angle = math.atan2(float(axis[1]), float(axis[0]))
    cos, sin = math.cos(angle), math.sin(angle)
    x, y, z = np.moveaxis(pose.positions, -1, 0)
    positions = np.stack([cos * x + sin * z, y, cos * z - sin * x], axis=-1)
    turn = np.array([math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0])
    return WorldPose(positions, multiply(turn, pose.rotations))


def _moved(solids: Solids, x_m: float) -> Solids:
    by = np.array([x_m, 0.0, 0.0])
    return Solids(solids.starts + by, solids.ends + by, solids.sides, solids.shapes, solids.colours, solids.joints)


def _width_m(row: list[Standing]) -> float:
    return row[-1].x_m + row[-1].right_m - row[0].x_m + row[0].left_m + 4.0 * _GAP_M


def _rows(figures: list[Standing], top_m: float, size: QSize | None) -> list[list[Standing]]:
    """The figures in as many rows as make them largest; in a picture of any height, in as few as leave them large."""
    best: tuple[float, list[list[Standing]]] | None = None
    for count in range(1, min(_MOST_ROWS, len(figures)) + 1):
        per = -(-len(figures) // count)
        rows = [figures[start : start + per] for start in range(0, len(figures), per)]
        width = _WIDTH_PX if size is None else size.width()
        scale = width / max(map(_width_m, rows))
        if size is None:
            if best is None or best[0] * top_m < _SMALLEST_PX:
                best = (scale, rows)
            continue
        scale = min(scale, (size.height() / len(rows) - _LABEL_PX) / (1.12 * top_m))
        if best is None or scale > best[0]:
            best = (scale, rows)
    assert best is not None
    return best[1]


def _draw_row(
    sheet: QPainter, box: QRectF, row: list[Standing], take: Take, top_m: float, theme: Theme, painter: bool
) -> None:
    ground = take.contacts.ground_m
    casts = [cast(one.solids, Ground(ground)) for one in row]
    scene = Scene(
        backdrop_of(theme), ground, grid=False, solids=together([one.solids for one in row]),
        shadows=tuple(one for one in casts if one is not None),
    )  # fmt: skip
    extent = QSize(round(box.width()), round(box.bottom()) - round(box.top()))
    camera = _camera(row, ground, top_m, extent)
    sheet.drawImage(QPointF(0.0, round(box.top())), picture(scene, camera, extent, painter))
    size = (float(extent.width()), float(extent.height()))
    _label(sheet, row, camera, size, round(box.top()), ground, theme)


def _camera(row: list[Standing], ground_m: float, top_m: float, extent: QSize) -> Camera:
    """The camera that sees a row between its margins, with room for the labels below the floor."""
    width, height = float(extent.width()), float(extent.height())
    scale = min(width / _width_m(row), (height - _LABEL_PX) / (1.08 * top_m))  # pixels a metre
    middle_m = 0.5 * (row[0].x_m - row[0].left_m + row[-1].x_m + row[-1].right_m)
    target_m = ground_m + (0.5 * height - _LABEL_PX - 4.0) / scale
    slope = math.tan(0.5 * _CAMERA.fov_rad) * max(height / width, 1.0)
    distance_m = 0.5 * height / scale / slope
    return Camera((middle_m, target_m, 0.0), distance_m, _CAMERA.yaw_rad, _CAMERA.pitch_rad, _CAMERA.fov_rad)


def _label(
    sheet: QPainter, row: list[Standing], camera: Camera, size: tuple[float, float], top: int, ground_m: float,
    theme: Theme,
) -> None:  # fmt: skip
    """A time axis under the floor: a diamond a figure, and when it is."""
    font = QFont(sheet.font())
    font.setPixelSize(12)
    sheet.setFont(font)
    metrics = QFontMetricsF(font)
    feet = np.array([[one.x_m, ground_m, 0.0] for one in row])
    middles = camera.project(feet, size)[0][:, 0]
    y = top + size[1] - _LABEL_PX + 10.0
    sheet.setPen(QPen(QColor(theme.muted), 1.0))
    sheet.drawLine(QPointF(0.0, y), QPointF(size[0], y))
    taken = -1e9
    for one, x in zip(row, middles.tolist(), strict=True):
        half = 4.0 if one.extreme.is_end else 5.0
        sheet.setPen(QPen(QColor(theme.extreme), 1.4) if one.extreme.is_end else Qt.PenStyle.NoPen)
        sheet.setBrush(QColor(theme.ground if one.extreme.is_end else theme.extreme))
        corners = ((0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0))
        sheet.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
        text = f"{one.extreme.time_s:.2f} s"
        width = metrics.horizontalAdvance(text)
        left = min(max(x - 0.5 * width, 4.0), size[0] - width - 4.0)
        if left > taken + 6.0:
            sheet.setPen(QColor(theme.text))
            sheet.drawText(QPointF(left, y + 19.0), text)
            taken = left + width
