"""The pose strip: figures in the order of time, seen from their best side, never in each other's way."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QSize

from editor.contacts.detect import find_contacts
from editor.extrema.find import extremes_of
from model.clip import Take
from model.extremes import Extreme, ExtremeKind
from model.files.formats import read_motion
from model.placing import turned
from resources import samples
from tests.widgets.extrema.desk import Swinging
from widgets.common.pose_views import picture_axes
from widgets.common.theme import DARK, LIGHT
from widgets.viewport.strip import chosen, pose_strip, stand_in_line


def sample(name):
    motion = read_motion(next(path for path in samples() if path.stem == name)).motion
    return Take(motion, find_contacts(motion))


def test_those_that_stand_out_most_are_chosen_in_the_order_of_time():
    some = [Extreme(time_s, prominence=prominence) for time_s, prominence in ((1.0, 0.1), (2.0, 0.9), (3.0, 0.5))]
    ends = [Extreme(0.0, ExtremeKind.FIRST), Extreme(4.0, ExtremeKind.LAST)]
    assert [one.time_s for one in chosen([*ends, *some], 2)] == [2.0, 3.0]
    assert [one.time_s for one in chosen([*ends, *some], 4)] == [0.0, 1.0, 2.0, 3.0]


def test_end_of_a_motion_that_is_held_is_not_drawn_twice():
    hold = Extreme(0.5, ExtremeKind.HOLD, start_s=0.0, stop_s=1.0)
    assert chosen([Extreme(0.0, ExtremeKind.FIRST), hold, Extreme(3.0, ExtremeKind.LAST)], None) == [
        hold, Extreme(3.0, ExtremeKind.LAST),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["walk", "stand", "wave", "run_to_stop"])
def test_figures_stand_in_the_order_of_time_and_do_not_overlap(name):
    take = sample(name)
    line = stand_in_line(take, chosen(extremes_of(take).found, None), DARK)
    for one, other in pairwise(line):
        assert one.extreme.time_s < other.extreme.time_s
        assert one.x_m + one.right_m < other.x_m - other.left_m
    for one in line:
        ends = np.concatenate([one.solids.starts, one.solids.ends])[:, 0] - one.x_m
        assert np.all((ends > -one.left_m - 1e-9) & (ends < one.right_m + 1e-9))


def test_who_goes_farther_stands_farther_apart():
    near, far = (
        stand_in_line(take, chosen(extremes_of(take).found, 4), DARK) for take in (sample("walk_slow"), sample("run"))
    )
    gaps = [np.median([b.x_m - b.left_m - a.x_m - a.right_m for a, b in pairwise(s)]) for s in (near, far)]
    assert gaps[0] < gaps[1]


def test_walk_is_seen_from_its_side_wherever_it_goes():
    motion = sample("walk").motion
    frames = np.array([40, 90, 140])
    for angle in (0.0, 1.0, -2.5):
        motion_there = turned(motion, angle, motion.root_positions[0], np.zeros(3))
        ahead = motion_there.root_positions[160] - motion_there.root_positions[20]
        ahead = ahead[[0, 2]] / np.linalg.norm(ahead[[0, 2]])
        assert np.all(picture_axes(motion_there, frames) @ ahead > 0.9)


def test_legs_that_swing_are_seen_from_the_side():
    motion = Swinging().make(None).motion
    assert picture_axes(motion, np.array([7, 22])) == pytest.approx(np.array([[0.0, 1.0], [0.0, 1.0]]), abs=1e-6)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_picture_has_the_size_asked_for_and_all_figures(application, theme):
    take = sample("walk")
    some = chosen(extremes_of(take).found, 6)
    image = pose_strip(take, some, theme, QSize(900, 300), painter=True)
    assert (image.width(), image.height()) == (900, 300)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(300, -1)[:, : 4 * 900].reshape(300, 900, 4).astype(int)
    blue, red = pixels[..., 0] - pixels[..., 2] > 60, pixels[..., 2] - pixels[..., 0] > 60
    columns = np.any(blue[:250] | red[:250], axis=0)
    figures = np.count_nonzero(np.diff(columns.astype(int)) == 1)
    assert figures == len(some)
    assert not np.any(columns[:2])
    assert not np.any(columns[-2:])


def test_many_figures_take_rows(application):
    take = sample("walk")
    many = [Extreme(0.1 * n) for n in range(40)]
    wide = pose_strip(take, many[:6], DARK, painter=True)
    tall = pose_strip(take, many, DARK, painter=True)
    assert wide.width() == tall.width()
    assert tall.height() > 1.5 * wide.height()
