"""Point tracks through files: written, read and written again, within a format and from one to another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.files.problems import MotionFileError, ReadOptions
from model.files.trajectories import READABLE, WRITABLE, read_tracks, write_tracks
from model.tracks import PointTracks
from model.units import CENTIMETRE, CMU, FOOT, INCH, METRE, MILLIMETRE, UP_AXES, Unit, from_y_up
from tests.clips import waving_figure

FORMATS = [".csv", ".trc", ".c3d"]
# A C3D coordinate has seven digits: for people in any unit, under a micrometre.
CLOSE = {".csv": 1e-9, ".trc": 1e-9, ".c3d": 1e-6}


def person(frames=40, fps=120.0, gaps=True, **changes):
    """The joints of a person as markers, with gaps."""
    motion = waving_figure(frames, fps)
    positions = np.array(motion.world.positions)
    if gaps:
        positions[:5, 3] = positions[10:11, 4] = positions[30:, 5] = np.nan
        positions[:, 6] = np.nan
    given = {"names": motion.skeleton.names, "frame_time_s": 1.0 / fps, "positions": positions}
    return PointTracks(**(given | changes))


def wrists(frames=30, fps=30.0):
    time = np.arange(frames)[:, None] / fps
    left = [0.3, 1.1, 0.2] + 0.2 * np.sin(time + np.arange(3))
    return PointTracks(("l", "r"), 1.0 / fps, np.stack([left, left * [-1.0, 1.0, 1.0]], axis=1))


def same(one, other, close=1e-6):
    assert other.names == one.names
    assert other.frames == one.frames
    assert other.frame_time_s == pytest.approx(one.frame_time_s, rel=1e-7)
    assert other.start_time_s == pytest.approx(one.start_time_s, abs=1e-6)
    assert other.gaps() == one.gaps()
    np.testing.assert_allclose(other.positions, one.positions, rtol=0.0, atol=close)


def test_the_three_formats_are_readable_and_writable():
    assert set(READABLE) == set(WRITABLE) == set(FORMATS)


@pytest.mark.parametrize("extension", [*FORMATS, ".CSV", ".Trc", ".C3D"])
@pytest.mark.parametrize("clip", [person(), person(start_time_s=24.3), person(fps=29.97), wrists(), wrists(frames=1)])
def test_tracks_are_read_as_they_were_written(clip, extension, tmp_path):
    path = tmp_path / ("clip" + extension)
    write_tracks(clip, path)
    again = read_tracks(path, ReadOptions(frame_time_s=1 / 30)).tracks
    same(clip, again, CLOSE[extension.lower()])
    first = path.read_bytes()
    write_tracks(again, path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("start", FORMATS)
@pytest.mark.parametrize("end", FORMATS)
def test_tracks_survive_from_format_to_format(start, end, tmp_path):
    clip = person(unit=MILLIMETRE, up="+Z")
    write_tracks(clip, tmp_path / ("a" + start))
    middle = read_tracks(tmp_path / ("a" + start)).tracks
    write_tracks(middle, tmp_path / ("b" + end))
    again = read_tracks(tmp_path / ("b" + end)).tracks
    same(clip, again)
    assert (again.unit, again.up) == (MILLIMETRE, "+Z")


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("up", UP_AXES)
@pytest.mark.parametrize("unit", [METRE, CENTIMETRE, MILLIMETRE, INCH, FOOT])
def test_units_and_axes_are_kept(extension, unit, up, tmp_path):
    path = tmp_path / ("clip" + extension)
    write_tracks(person(), path, unit, up)
    again = read_tracks(path).tracks
    same(person(), again, CLOSE[extension])
    assert (again.unit, again.up) == (unit, up)


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("unit", [CMU, Unit("0.05 m", 0.05), Unit("span", 0.23)])
def test_rare_units_are_written_in_one_that_can_be_read(extension, unit, tmp_path):
    path = tmp_path / ("clip" + extension)
    problems = write_tracks(person(), path, unit)
    same(person(), read_tracks(path).tracks, CLOSE[extension])
    assert bool(problems) == (extension != ".csv")


@pytest.mark.parametrize("extension", FORMATS)
def test_what_the_reader_is_told_counts_more_than_the_file(extension, tmp_path):
    path = tmp_path / ("clip" + extension)
    write_tracks(person(gaps=False), path, METRE, "+Y")
    told = read_tracks(path, ReadOptions(unit=CENTIMETRE, up="+Z")).tracks
    expected = from_y_up(told.positions, "+Z") * 100.0
    np.testing.assert_allclose(expected, person(gaps=False).positions, atol=1e-6)


@pytest.mark.parametrize("extension", FORMATS)
def test_points_at_the_origin_were_seen(extension, tmp_path):
    positions = np.zeros((4, 2, 3))
    positions[:, 1] = [1.0, 1.0, 1.0]
    positions[2, 1] = np.nan
    clip = PointTracks(("a", "b"), 0.1, positions)
    write_tracks(clip, tmp_path / ("clip" + extension))
    same(clip, read_tracks(tmp_path / ("clip" + extension)).tracks)


NAMES = [
    "Left Wrist",
    "a,b",
    "a;b",
    'say "x"',
    '"',
    "Müller:LASI",
    "手",
    "x",
    "time",
    "p_",
    "p.",
    "p:x",
    "up:",
    "#1",
    "*12",
]


@pytest.mark.parametrize("extension", FORMATS)
def test_odd_names_survive(extension, tmp_path):
    clip = PointTracks(tuple(NAMES), 0.1, np.random.default_rng(4).normal(size=(6, len(NAMES), 3)))
    problems = write_tracks(clip, tmp_path / ("clip" + extension))
    again = read_tracks(tmp_path / ("clip" + extension), ReadOptions(up="+Y")).tracks
    same(clip, again)
    assert not [problem for problem in problems if "named" in problem.message]


@pytest.mark.parametrize("extension", FORMATS)
def test_impossible_names_are_changed_and_reported(extension, tmp_path):
    clip = PointTracks(("a\tb", "a\nb", " c"), 0.1, np.ones((2, 3, 3)))
    problems = write_tracks(clip, tmp_path / ("clip" + extension))
    assert len(problems) == 3
    assert read_tracks(tmp_path / ("clip" + extension)).tracks.names == ("a b", "a b 2", "c")


@pytest.mark.parametrize("extension", FORMATS)
def test_tracks_nobody_saw_survive(extension, tmp_path):
    clip = PointTracks(("a",), 0.1, np.full((3, 1, 3), np.nan))
    write_tracks(clip, tmp_path / ("clip" + extension))
    reading = read_tracks(tmp_path / ("clip" + extension))
    same(clip, reading.tracks)
    assert any("no point is seen" in problem.message for problem in reading.problems)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), frames=st.integers(2, 12), points=st.integers(1, 5), fps=st.floats(5.0, 500.0))
@pytest.mark.parametrize("extension", FORMATS)
def test_any_tracks_are_read_as_they_were_written(extension, seed, frames, points, fps, tmp_path_factory):
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(frames, points, 3))
    positions[rng.random((frames, points)) < 0.2] = np.nan
    clip = PointTracks(tuple(f"m{n}" for n in range(points)), 1.0 / fps, positions, unit=MILLIMETRE)
    path = tmp_path_factory.mktemp("any") / ("clip" + extension)
    write_tracks(clip, path)
    again = read_tracks(path, ReadOptions(up="+Y")).tracks
    assert again.gaps() == clip.gaps()
    assert again.frame_time_s == pytest.approx(clip.frame_time_s, rel=1e-6)
    np.testing.assert_allclose(again.positions, clip.positions, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("name", ["clip", "clip.bvh", "clip.csv.gz"])
def test_other_extensions_are_refused(name, tmp_path):
    with pytest.raises(MotionFileError, match=r"known are \.csv, \.trc, \.c3d"):
        read_tracks(tmp_path / name)
    with pytest.raises(MotionFileError, match=r"known are \.csv, \.trc, \.c3d"):
        write_tracks(wrists(), tmp_path / name)


@pytest.mark.parametrize("extension", FORMATS)
def test_files_that_cannot_be_opened_are_named(extension, tmp_path):
    with pytest.raises(MotionFileError, match="cannot be read"):
        read_tracks(tmp_path / ("none" + extension))
    with pytest.raises(MotionFileError, match="cannot be written"):
        write_tracks(wrists(), tmp_path / "none" / ("clip" + extension))


def test_wrong_arguments_are_named(tmp_path):
    with pytest.raises(ValueError, match="up is 'up'"):
        write_tracks(wrists(), tmp_path / "a.csv", up="up")
    with pytest.raises(ValueError, match="no frames"):
        write_tracks(PointTracks(("a",), 0.1, np.zeros((0, 1, 3))), tmp_path / "a.csv")
