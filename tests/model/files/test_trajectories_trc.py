"""TRC as OpenSim and others write it."""

import numpy as np
import pytest

from model.files.problems import MotionFileError, ReadOptions
from model.files.trajectories import parse_tracks, write_tracks
from model.units import CENTIMETRE, METRE, MILLIMETRE
from tests.model.files.test_trajectories import person

KEYS = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
SMALL = f"""\
PathFileType\t4\t(X/Y/Z)\tsmall.trc
{KEYS}
60.00\t60.00\t3\t2\tmm\t60.00\t1\t3
Frame#\tTime\tR.ASIS\t\t\tL.ASIS\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.000\t100\t1000\t10\t-100\t1000\t20
2\t0.017\t110\t1010\t11\t-110\t1010\t21
3\t0.033\t120\t1020\t12\t-120\t1020\t22
"""
POSITIONS = np.array([[float(cell) for cell in row.split("\t")[2:]] for row in SMALL.split("\n")[6:9]])
POSITIONS = POSITIONS.reshape(3, 2, 3) / 1000


def read(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return parse_tracks(data, "clip.trc", ReadOptions(**options))


def warnings(reading):
    return " | ".join(problem.message for problem in reading.problems if problem.severity == "warning")


def test_a_plain_file_is_read_without_warning():
    reading = read(SMALL)
    tracks = reading.tracks
    assert tracks.names == ("R.ASIS", "L.ASIS")
    assert (tracks.fps, tracks.unit, tracks.up) == (60.0, MILLIMETRE, "+Y")
    np.testing.assert_allclose(tracks.positions, POSITIONS, atol=1e-12)
    assert not warnings(reading)


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("\n", "\r\n"),
        "\ufeff" + SMALL,
        SMALL.replace("Z2\n\n", "Z2\n"),
        SMALL.replace("Z2\n\n", "Z2\n\n\n\n"),
        SMALL.replace("\n", "\t\n"),
        SMALL.replace("\t", " "),
        SMALL.replace("\t", "   "),
        SMALL[: SMALL.index("1\t0.000")] + SMALL[SMALL.index("1\t0.000") :].replace("\t", "  "),
        SMALL.replace("Frame#", "frame#").replace("Time", "TIME"),
        SMALL.replace("R.ASIS\t\t\tL.ASIS\t\t", "R.ASIS\tL.ASIS"),
        SMALL.replace("\t100\t1000", "\t+1e2\t1000.000"),
        SMALL.replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", ""),
        SMALL.rstrip(),
    ],
)
def test_ways_to_write_the_same_file(text):
    reading = read(text)
    assert reading.tracks.names == ("R.ASIS", "L.ASIS")
    assert reading.tracks.fps == 60.0
    np.testing.assert_allclose(reading.tracks.positions, POSITIONS, atol=1e-12)
    assert not warnings(reading)


@pytest.mark.parametrize(("name", "unit"), [("m", METRE), ("cm", CENTIMETRE), ("MM", MILLIMETRE), ("meters", METRE)])
def test_units_are_read(name, unit):
    tracks = read(SMALL.replace("\tmm\t", f"\t{name}\t")).tracks
    assert tracks.unit == unit
    np.testing.assert_allclose(tracks.positions, POSITIONS * 1000 * unit.metres)


def test_empty_cells_and_zeros_are_gaps():
    tracks = read(SMALL.replace("110\t1010\t11\t", "\t\t\t").replace("-120\t1020\t22", "0\t0.0\t0")).tracks
    assert tracks.gaps() == (((1, 2),), ((2, 3),))


def test_trailing_cells_that_were_trimmed_are_gaps():
    reading = read(SMALL.replace("\t-110\t1010\t21", ""))
    assert reading.tracks.gaps() == ((), ((1, 2),))
    assert "5 of 8 values" in warnings(reading)


def test_a_short_row_between_blanks_tells_nothing():
    tracks = read(SMALL.replace("\t", " ").replace("110 1010 11 ", "")).tracks
    assert tracks.gaps() == (((1, 2),), ((1, 2),))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("60.00\t3\t2", "60.00\t5\t2", "announces 5 frames and holds 3"),
        ("60.00\t3\t2", "60.00\t999999999999\t2", "announces 1e+12 frames"),
        ("60.00\t3\t2", "60.00\t3\t7", "announces 7 markers and has 2"),
        ("\tmm\t", "\tells\t", "Units is 'ells'"),
        ("\n60.00\t", "\n0\t", "DataRate is '0'"),
        ("\n60.00\t", "\n-60\t", "DataRate is '-60'"),
        ("\n60.00\t", "\nfast\t", "DataRate is 'fast'"),
        ("\n60.00\t", "\n30.00\t", "the times count"),
        ("\tX2\tY2\tZ2", "", "2 markers are named, and 1 have columns"),
        ("Z2", "Z2\tX3\tY3\tZ3", "2 markers are named, and 3 have columns"),
        ("L.ASIS", "R.ASIS", "called 'R.ASIS 2'"),
        ("L.ASIS", "", "called 'point 2'"),
        ("0.033", "0.050", "not even"),
        ("21\n", "21\t5\t6\n", "surplus is ignored"),
        (KEYS + "\n60.00\t60.00\t3\t2\tmm\t60.00\t1\t3\n", "", "DataRate is ''"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(old, new, said):
    assert old in SMALL
    reading = read(SMALL.replace(old, new))
    assert said in warnings(reading)
    np.testing.assert_allclose(reading.tracks.positions[0, 0] / reading.tracks.unit.metres, [100, 1000, 10])


def test_the_rate_is_told_by_times_that_the_header_lacks():
    tracks = read(SMALL.replace("\n60.00\t", "\n0\t").replace("0.017", "0.02").replace("0.033", "0.04")).tracks
    assert tracks.fps == pytest.approx(50.0)


def test_times_may_be_missing():
    text = SMALL.replace("0.000", "").replace("0.017", "").replace("0.033", "")
    assert read(text).tracks.fps == 60.0
    without = SMALL.replace("\tTime", "").replace("\t\tX1", "\tX1")
    for time in ("\t0.000", "\t0.017", "\t0.033"):
        without = without.replace(time, "")
    tracks = read(without).tracks
    assert tracks.fps == 60.0
    np.testing.assert_allclose(tracks.positions, POSITIONS, atol=1e-12)


def test_the_header_is_what_opensim_expects(tmp_path):
    write_tracks(person(frames=5, gaps=False), tmp_path / "person.trc")
    lines = (tmp_path / "person.trc").read_text().split("\n")
    assert lines[0] == "PathFileType\t4\t(X/Y/Z)\tperson.trc"
    assert lines[1] == KEYS
    assert lines[2].split("\t") == ["120", "120", "5", "22", "m", "120", "1", "5"]
    names = lines[3].split("\t")
    assert names[:2] == ["Frame#", "Time"]
    assert names[2::3] == list(person().names)
    assert lines[4].split("\t")[:6] == ["", "", "X1", "Y1", "Z1", "X2"]
    assert lines[5] == ""
    assert lines[6].startswith("1\t0.0\t")
    assert len({len(line.split("\t")) for line in lines[6:11]} | {2 + 3 * 22}) == 1


def test_an_up_axis_that_nobody_could_guess_is_reported(tmp_path):
    clip = person(up="+Z", names=tuple("ab"), positions=np.ones((4, 2, 3)))
    assert "cannot say that +Z is up" in write_tracks(clip, tmp_path / "a.trc")[0].message


def test_damage_is_refused_with_its_line():
    with pytest.raises(MotionFileError) as caught:
        read(SMALL.replace("110\t1010", "110\toops"))
    assert caught.value.line == 8
    assert "'oops'" in caught.value.message
