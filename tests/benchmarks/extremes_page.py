"""The four measures compared on recorded clips, as in Coleman 2012, section 5.6.2: table and pictures of the Help page.

    python -m tests.benchmarks.extremes_page

writes them anew into resources/help. It needs the recorded clips, and takes what the finder gives at present.
"""

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from editor.contacts.detect import find_contacts
from editor.extrema.find import ExtremaSettings, body_measured, extremes_of, selected
from editor.extrema.measures import Measure
from model.clip import Take
from model.extremes import Extreme, Extremes
from model.files.formats import read_motion
from resources import path_of
from tests.clips import DATA
from tests.editor.extrema.swings import matched, times
from widgets.common.theme import THEMES, apply_theme, colour
from widgets.extrema.marks import Look, paint_extreme, paint_pictures, place_pictures
from widgets.extrema.pictures import PosePictures
from widgets.timeline.scale import TimeScale
from widgets.viewport.strip import chosen, pose_strip

PAGE = "extremes.md"
PICTURE = "measures_compared"
HEADING = "| Clip | Spatial | Velocity | Acceleration | Curvature |"
# Samples whose poses the page shows side by side, and how many of them.
STRIPS, STRIP_SIZE = {"run_to_stop": 9, "walk_wave": 10}, (1200, 300)
# As far as two measures may be apart and still mean the same pose.
_SAME_S = 0.1


@dataclass(frozen=True)
class Clip:
    """pictured : whether it is in the picture, which has the kinds that the thesis shows."""

    name: str
    path: str
    pictured: bool = True


CLIPS = (
    Clip("Walk", "cmu-bvh/02_01.bvh"),
    Clip("Run", "cmu-bvh/09_01.bvh"),
    Clip("Jump on the spot", "cmu-bvh/16_01.bvh"),
    Clip("Lift from the floor", "database-30fps/26_10.bvh"),
    Clip("Work at a table", "database-30fps/62_01.bvh", pictured=False),
    Clip("Stand and look around", "other-bvh/accad_male1/Male1_A4_LookAround.bvh"),
    Clip("Walk and turn round", "other-bvh/accad_male1/Male1_B15_WalkTurnAround.bvh", pictured=False),
    Clip("Cartwheel", "cmu-bvh/49_06.bvh"),
)


@dataclass(frozen=True, eq=False)
class Compared:
    """A clip, and what each measure finds in it with the usual settings."""

    name: str
    take: Take
    found: dict[Measure, Extremes]


@cache
def compared() -> tuple[Compared, ...]:
    """All clips, measured."""
    made = []
    for clip in CLIPS:
        motion = read_motion(DATA / clip.path).motion
        found = {measure: selected(body_measured(motion, ExtremaSettings(measure))) for measure in Measure}
        made.append(Compared(clip.name, Take(motion, find_contacts(motion)), found))
    return tuple(made)


def table() -> list[str]:
    """The table of the page, a line a clip."""
    lines = [HEADING, "|" + 5 * "---|"]
    for one in compared():
        spatial = one.found[Measure.SPATIAL]
        cells = [f"{one.name}, {one.take.motion.duration_s:.1f}\N{NO-BREAK SPACE}s", _told(spatial)]
        wanted = times(spatial)
        for measure in (Measure.VELOCITY, Measure.ACCELERATION, Measure.CURVATURE):
            found = times(one.found[measure])
            among = f" ({int(np.sum(matched(wanted, found, _SAME_S)))})" if len(wanted) else ""
            cells.append(f"{len(found)}{among}")
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _told(extremes: Extremes) -> str:
    count, holds = len(times(extremes)), len(times(extremes, "hold"))
    parts = [str(count)] if count or not holds else []
    return ", ".join([*parts, *([f"{holds} hold{'' if holds == 1 else 's'}"] if holds else [])])


def with_table(page: str) -> str:
    """The page, its table replaced."""
    lines = page.splitlines()
    first = lines.index(HEADING)
    last = next((n for n in range(first, len(lines)) if not lines[n].startswith("|")), len(lines))
    return "\n".join([*lines[:first], *table(), *lines[last:]]) + "\n"


# ---------------------------------------------------------------------------------------- the picture

_WIDTH, _LEFT, _RATIO = 600, 96, 2.0
_TITLE, _FIGURES, _ROW, _GAP = 20, 62, 15, 10


def picture() -> QImage:
    """Clips one below the other: figures at the spatial extremes, and when each measure has its own."""
    some = [one for one, clip in zip(compared(), CLIPS, strict=True) if clip.pictured]
    height = _TITLE + _FIGURES + len(Measure) * _ROW + _GAP
    image = QImage(round(_RATIO * _WIDTH), round(_RATIO * height * len(some)), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_RATIO)
    image.fill(colour("panel"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = QFont(painter.font())
    font.setPixelSize(12)
    painter.setFont(font)
    for place, one in enumerate(some):
        _paint(painter, one, float(place * height))
    painter.end()
    return image


def _paint(painter: QPainter, one: Compared, top: float) -> None:
    motion, spatial = one.take.motion, one.found[Measure.SPATIAL]
    scale = TimeScale.fitting(motion.frames * motion.frame_time_s, motion.frame_time_s, _WIDTH - _LEFT)
    painter.setPen(colour("text"))
    title = QRectF(12, top, _WIDTH - 24, _TITLE)
    painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, f"{one.name}, {motion.duration_s:.1f} s")
    painter.save()
    painter.translate(_LEFT, 0.0)
    shown = [extreme for extreme in spatial.found if not extreme.is_end]
    _paint_figures(painter, one, shown, scale, QRectF(0, top + _TITLE, _WIDTH - _LEFT, _FIGURES + 18))
    painter.restore()
    y = top + _TITLE + _FIGURES
    for measure in Measure:
        painter.setPen(colour("line"))
        painter.drawLine(QPointF(_LEFT, y + 0.5), QPointF(_WIDTH - 12, y + 0.5))
        painter.setPen(colour("text" if measure is Measure.SPATIAL else "muted"))
        row = QRectF(12, y, _LEFT - 12, _ROW)
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, measure.value.capitalize())
        painter.save()
        painter.translate(_LEFT, 0.0)
        for extreme in one.found[measure].found:
            # Holds are the same whatever is measured.
            if not extreme.is_end and (measure is Measure.SPATIAL or not extreme.is_hold):
                paint_extreme(painter, extreme, scale, y + 0.5 * _ROW, Look())
        painter.restore()
        y += _ROW


def _paint_figures(painter: QPainter, one: Compared, shown: list[Extreme], scale: TimeScale, rect: QRectF) -> None:
    motion, pictures = one.take.motion, PosePictures()
    frames = [round(extreme.time_s / motion.frame_time_s) for extreme in shown]
    made = pictures.of(motion, frames, one.take.contacts.ground_m)
    size, placed = place_pictures(shown, made, pictures.height_m(motion), scale, rect)
    paint_pictures(painter, placed, size, pictures, motion.skeleton, None)


def main() -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if missing := [clip.path for clip in CLIPS if not (DATA / clip.path).is_file()]:
        print(f"these recorded clips are not there: {', '.join(missing)}", file=sys.stderr)
        return 1
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    page = Path(path_of("help", PAGE))
    page.write_text(with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
    print("\n".join(table()))
    for name, theme in THEMES.items():
        apply_theme(application, theme)
        picture().save(str(page.with_name(f"{PICTURE}_{name}.png")))
        for sample, count in STRIPS.items():
            motion = read_motion(path_of("samples", f"{sample}.bvh")).motion
            take = Take(motion, find_contacts(motion))
            strip = pose_strip(take, chosen(extremes_of(take).found, count), theme, QSize(*STRIP_SIZE), painter=True)
            strip.save(str(page.with_name(f"poses_{sample}_{name}.png")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
