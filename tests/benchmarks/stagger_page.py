"""The pictures of the Help page on staggered poses, from the samples.

    python -m tests.benchmarks.stagger_page

writes them anew into resources/help: columns of knots before and after a succession, and figures at the same moments.
"""

import os
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from editor.clips.imported import import_file
from editor.contacts.detect import find_contacts
from editor.document.showing import Shown
from editor.stack.evaluator import Stage
from editor.stagger.edit import StageTiming, Stagger
from model.clip import Clip, Layer, Take
from model.extremes import Extreme
from model.roles import Role
from model.skeleton import JointRef
from resources import path_of
from tests.editor.evaluated import Asked
from widgets.common.theme import THEMES, Theme, apply_theme, colour
from widgets.extrema.joint_lane import joint_colour, joint_title, joints_in_order
from widgets.stagger.marks import Columns, paint_columns
from widgets.stagger.staggering import StaggerBasis
from widgets.timeline.scale import TimeScale
from widgets.viewport.strip import pose_strip

CHEST = JointRef("", Role.CHEST)
# Each sample with the edit that is shown on it, the rows of its lane, and the moments of its figures.
PICTURES = {
    "walk": (Stagger(0.04, 1.3, joint=CHEST), ("left_", "right_"), np.linspace(1.0, 2.1, 9)),
    "wave": (Stagger(0.025, 1.3, joint=CHEST), ("right_",), np.linspace(1.62, 2.22, 9)),
}
_WIDTH, _LEFT, _ROW, _TITLE, _RATIO = 600, 96, 15, 22, 2.0
_LEGS = ("hip", "knee", "ankle", "toe")


def taken(sample: str, edit: Stagger) -> tuple[Take, Take]:
    """A sample before and after an edit."""
    motion = import_file(path_of("samples", f"{sample}.bvh")).motion
    before = Take(motion, find_contacts(motion, hands=True))
    return before, edit.apply(before, Asked())


def lane_picture(sample: str) -> QImage:
    """The columns of a sample, as they were found and with the edit on it."""
    edit, sides, _ = PICTURES[sample]
    before, _ = taken(sample, edit)
    joints = tuple(joint for joint in joints_in_order(before.motion.skeleton) if _is_shown(before, joint, sides))
    tall = _TITLE + (1 + len(joints)) * _ROW + 10
    image = QImage(round(_RATIO * _WIDTH), round(_RATIO * 2 * tall), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_RATIO)
    image.fill(colour("panel"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = QFont(painter.font())
    font.setPixelSize(12)
    painter.setFont(font)
    for place, (one, title) in enumerate(((Stagger(), "As recorded"), (edit, _called(edit)))):
        _paint_lane(painter, before, one, joints, title, place * tall)
    painter.end()
    return image


def _is_shown(take: Take, joint: int, sides: tuple[str, ...]) -> bool:
    role = take.motion.skeleton.roles[joint]
    return role is not None and (not role.startswith(("left_", "right_")) or (
        role.startswith(sides) and not role.endswith(_LEGS)
    ))  # fmt: skip


def _called(edit: Stagger) -> str:
    return f"Succession of {edit.succession_s:.2f} s from the chest, nonlinearity {edit.nonlinearity:g}"


def _paint_lane(painter: QPainter, take: Take, edit: Stagger, joints: tuple[int, ...], title: str, top: float) -> None:
    plan = edit.plan(take, StageTiming())
    clip = Clip("1", "", import_file(path_of("samples", "walk.bvh")), (Layer("2", edit),))
    shown = Shown(clip, (Stage(take), Stage(take)), 1)
    basis = StaggerBasis(shown, "2", edit, take, StageTiming(), plan, plan.found.poses.times_s)
    columns = Columns.of(basis, joints)
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.setPen(colour("text"))
    painter.drawText(QRectF(12, top, _WIDTH - 24, _TITLE), middle, title)
    rect = QRectF(0, top + _TITLE, _WIDTH - _LEFT, columns.rows * _ROW)
    scale = TimeScale.fitting(take.motion.duration_s, take.motion.frame_time_s, _WIDTH - _LEFT)
    for row, joint in enumerate(joints, 1):
        painter.setPen(colour(joint_colour(take.motion.skeleton, joint)))
        label = QRectF(12, rect.top() + row * _ROW, _LEFT, _ROW)
        painter.drawText(label, middle, joint_title(take.motion.skeleton, joint))
    painter.save()
    painter.translate(_LEFT, 0.0)
    paint_columns(painter, columns, scale, rect, frozenset(), None)
    painter.restore()


def figures(sample: str, theme: Theme) -> QImage:
    """The body at the same moments, before above and after below."""
    edit, _, moments = PICTURES[sample]
    strips = [
        pose_strip(take, [Extreme(time_s) for time_s in moments.tolist()], theme, QSize(1200, 300), painter=True)
        for take in taken(sample, edit)
    ]
    image = QImage(1200, 600, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for place, strip in enumerate(strips):
        painter.drawImage(0, place * 300, strip)
    painter.end()
    return image


def main() -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    folder = Path(path_of("help", "stagger.md")).parent
    for name, theme in THEMES.items():
        apply_theme(application, theme)
        for sample in PICTURES:
            lane_picture(sample).save(str(folder / f"stagger_{sample}_{name}.png"))
            figures(sample, theme).save(str(folder / f"staggered_{sample}_{name}.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
