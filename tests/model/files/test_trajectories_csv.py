"""CSV as people and programs write it."""

import numpy as np
import pytest

from model.files.problems import MotionFileError, ReadOptions
from model.files.trajectories import parse_tracks, write_tracks
from model.units import CENTIMETRE, METRE, MILLIMETRE
from tests.model.files.test_trajectories import wrists

WRISTS = """\
time,lx,ly,lz,rx,ry,rz
0.0,0.1,1.0,0.2,-0.1,1.1,0.3
0.1,0.2,1.1,0.3,-0.2,1.2,0.4
0.2,0.3,1.2,0.4,-0.3,1.3,0.5
"""
POSITIONS = np.array([[float(cell) for cell in row.split(",")[1:]] for row in WRISTS.split()[1:]]).reshape(3, 2, 3)


def read(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return parse_tracks(data, "clip.csv", ReadOptions(**options))


def messages(reading):
    return " | ".join(problem.message for problem in reading.problems)


def is_wrists(reading, close=1e-12):
    assert reading.tracks.names == ("l", "r")
    assert reading.tracks.fps == pytest.approx(10.0)
    np.testing.assert_allclose(reading.tracks.positions, POSITIONS, atol=close)
    return reading


def with_header(header):
    return header + WRISTS[WRISTS.index("\n") :]


def test_the_wrists_file_is_read_without_remark():
    reading = is_wrists(read(WRISTS))
    assert reading.problems == ()
    assert (reading.tracks.unit, reading.tracks.up, reading.tracks.start_time_s) == (METRE, "+Y", 0.0)


def test_the_wrists_file_is_written_as_it_is_described(tmp_path):
    write_tracks(wrists(), tmp_path / "wrists.csv")
    lines = (tmp_path / "wrists.csv").read_text().split("\n")
    assert lines[0] == "time,lx,ly,lz,rx,ry,rz"
    assert len(lines[1].split(",")) == 7


@pytest.mark.parametrize(
    "text",
    [
        WRISTS.replace("\n", "\r\n"),
        WRISTS.replace("\n", "\r"),
        "\ufeff" + WRISTS,
        WRISTS.replace(",", ";"),
        WRISTS.replace(",", "\t"),
        WRISTS.replace(",", " "),
        WRISTS.replace(",", "   ").replace("\n", " \n  "),
        WRISTS.replace(",", ", "),
        WRISTS.replace(",", ";").replace(".", ","),
        WRISTS.replace(",", "\t").replace(".", ","),
        WRISTS.replace(",", " , "),
        '"' + WRISTS.replace(",", '","').replace("\n", '"\n"').removesuffix('"'),
        '"' + WRISTS.replace(".", "#").replace(",", '","').replace("#", ",").replace("\n", '"\n"').removesuffix('"'),
        "sep=,\n" + WRISTS,
        "sep=;\n" + WRISTS.replace(",", ";"),
        "# made by hand\n\n" + WRISTS,
        "# " + WRISTS,
        WRISTS + "\n\n  \n",
        WRISTS.replace("\n0.1", "\n\n# a remark\n0.1"),
        WRISTS.rstrip(),
        WRISTS.replace("\n", ",\n"),
        WRISTS.replace(",0.", ",+0."),
        WRISTS.replace("0.", "."),
        WRISTS.replace("0.1", "1e-1").replace("0.2", "2E-01"),
        WRISTS.upper(),
        WRISTS.encode("utf-16"),
    ],
)
def test_ways_to_write_the_same_table(text):
    reading = read(text)
    np.testing.assert_allclose(reading.tracks.positions, POSITIONS, atol=1e-12)
    assert tuple(name.lower() for name in reading.tracks.names) == ("l", "r")
    assert reading.tracks.fps == pytest.approx(10.0)
    assert not [problem for problem in reading.problems if problem.severity == "warning"]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("time,l_x,l_y,l_z,r_x,r_y,r_z", ("l", "r")),
        ("Time,L.X,L.Y,L.Z,R.X,R.Y,R.Z", ("L", "R")),
        ("t,l:x,l:y,l:z,r:x,r:y,r:z", ("l", "r")),
        ("time,Left Wrist X,Left Wrist Y,Left Wrist Z,rX,rY,rZ", ("Left Wrist", "r")),
        ("time,l (x),l (y),l (z),r[x],r[y],r[z]", ("l", "r")),
        ("time,l - x,l - y,l - z,r/x,r/y,r/z", ("l", "r")),
        ("time,xl,yl,zl,xr,yr,zr", ("l", "r")),
        ("time,X1,Y1,Z1,X2,Y2,Z2", ("1", "2")),
        ("time,x,y,z,rx,ry,rz", ("point 1", "r")),
        (",,l,,,r,\ntime,X,Y,Z,X,Y,Z", None),
        (",l,,,r,,\ntime,X,Y,Z,X,Y,Z", ("l", "r")),
        ("Trajectories\n10\n,l,,,r,,\ntime,X,Y,Z,X,Y,Z\ns,m,m,m,m,m,m", ("l", "r")),
        ("time,ax,ay,az,ax,ay,az", ("a", "a 2")),
    ],
)
def test_points_are_known_by_their_columns(header, names):
    tracks = read(with_header(header)).tracks
    assert names is None or tracks.names == names
    np.testing.assert_allclose(tracks.positions, POSITIONS, atol=1e-12)


def test_columns_may_stand_in_any_order_among_others():
    text = "who,rz,lz,ly,quality,lx,frame,rx,time,ry,why\nme,6,3,2,.9,1,0,4,0.0,5,\nyou,6,3,2,bad,1,1,4,0.5,5,so\n"
    reading = read(text)
    assert reading.tracks.fps == pytest.approx(2.0)
    order = [reading.tracks.names.index(name) for name in "lr"]
    np.testing.assert_array_equal(reading.tracks.positions[1, order], [[1, 2, 3], [4, 5, 6]])
    assert "3 columns are no points" in messages(reading)


@pytest.mark.parametrize("gap", ["", " ", "nan", "NaN", "NAN", "-", "N/A", "null", "#N/A", "1.#QNAN", "inf"])
def test_gaps_in_all_spellings(gap):
    text = WRISTS.replace("0.2,1.1,0.3", ",".join([gap] * 3))
    tracks = read(text).tracks
    assert tracks.gaps() == (((1, 2),), ())


def test_a_point_without_one_coordinate_is_a_gap():
    reading = read(WRISTS.replace("0.2,1.1,0.3", "0.2,,0.3"))
    assert reading.tracks.gaps() == (((1, 2),), ())
    assert "only some of its coordinates" in messages(reading)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("# unit: mm\n" + WRISTS, MILLIMETRE),
        ("# Units = centimeters, up = Y\n" + WRISTS, CENTIMETRE),
        (with_header("time,lx [mm],ly [mm],lz [mm],rx [mm],ry [mm],rz [mm]"), MILLIMETRE),
        (with_header("time,lx_mm,ly_mm,lz_mm,rx_mm,ry_mm,rz_mm"), MILLIMETRE),
        (with_header("Time (s),lx (cm),ly (cm),lz (cm),rx (cm),ry (cm),rz (cm)"), CENTIMETRE),
        (with_header("time,lx,ly,lz,rx,ry,rz\ns,mm,mm,mm,mm,mm,mm"), MILLIMETRE),
    ],
)
def test_units_may_be_told(text, unit):
    tracks = read(text).tracks
    assert tracks.unit == unit
    np.testing.assert_allclose(tracks.positions, POSITIONS * unit.metres, atol=1e-12)


@pytest.mark.parametrize(("factor", "unit"), [(1.0, METRE), (100.0, CENTIMETRE), (1000.0, MILLIMETRE)])
def test_numbers_absurd_for_metres_are_taken_for_smaller_units(factor, unit):
    rows = "".join(f"{n / 10},{','.join(map(str, row))}\n" for n, row in enumerate(POSITIONS.reshape(3, -1) * factor))
    reading = read("time,lx,ly,lz,rx,ry,rz\n" + rows)
    assert reading.tracks.unit == unit
    assert ("too large for metres" in messages(reading)) == (unit != METRE)
    np.testing.assert_allclose(reading.tracks.positions, POSITIONS, atol=1e-9)


def test_the_up_axis_may_be_told():
    tracks = read("# up: +Z\n" + WRISTS).tracks
    np.testing.assert_allclose(tracks.positions[..., 1], POSITIONS[..., 2])
    np.testing.assert_allclose(read(WRISTS, up="-X").tracks.positions[..., 1], -POSITIONS[..., 0])


@pytest.mark.parametrize(
    ("header", "scale"),
    [("time_ms", 1e3), ("Time (ms)", 1e3), ("time[s]", 1.0), ("timestamp (us)", 1e6), ("seconds", 1.0)],
)
def test_times_may_have_units(header, scale):
    rows = WRISTS.split("\n")[1:-1]
    text = f"{header},lx,ly,lz,rx,ry,rz\n" + "".join(
        f"{scale * n / 10},{row.split(',', 1)[1]}\n" for n, row in enumerate(rows)
    )
    is_wrists(read(text))


def test_a_file_without_times_has_an_assumed_rate():
    text = "\n".join(row.split(",", 1)[1] for row in WRISTS.split())
    reading = read(text)
    assert reading.tracks.fps == 30.0
    assert "30 frames a second are assumed" in messages(reading)
    told = read(text, frame_time_s=0.1)
    is_wrists(told)
    assert told.problems == ()
    is_wrists(read("# fps: 10\n" + text))


def test_frame_numbers_with_holes_leave_gaps():
    text = (
        WRISTS.replace("time", "frame").replace("\n0.0,", "\n7,").replace("\n0.1,", "\n8,").replace("\n0.2,", "\n10,")
    )
    tracks = read(text, frame_time_s=0.1).tracks
    assert tracks.start_time_s == pytest.approx(0.7)
    assert tracks.gaps() == (((2, 3),), ((2, 3),))


def test_uneven_times_are_reported():
    reading = read(WRISTS.replace("\n0.1,", "\n0.13,"))
    assert "not even" in messages(reading)


@pytest.mark.parametrize(("columns", "names"), [(7, ("l", "r")), (6, ("l", "r")), (8, ("l", "r")), (4, ("point 1",))])
def test_a_file_without_header_is_read_by_its_columns(columns, names):
    rows = np.arange(3)[:, None] * 0.1 + np.arange(columns) * 1e-3
    reading = read("\n".join(",".join(f"{value:.6f}" for value in row) for row in rows))
    assert reading.tracks.names == names
    assert reading.tracks.frames == 3
    assert "no header" in messages(reading)


def test_rows_too_short_and_too_long_are_reported_with_their_line():
    reading = read(WRISTS.replace(",-0.2,1.2,0.4", "").replace("0.5\n", "0.5,9,9\n"))
    assert [problem.line for problem in reading.problems] == [3, 4]
    assert reading.tracks.gaps() == ((), ((1, 2),))


def test_a_file_cut_off_in_a_row_keeps_the_others():
    reading = read(WRISTS[:-8])
    assert reading.tracks.frames == 2
    assert "left out" in messages(reading)


def test_a_word_among_the_numbers_is_refused_with_its_line():
    with pytest.raises(MotionFileError) as caught:
        read(WRISTS.replace("1.1,0.3\n", "1.1,three\n", 1).replace("0.2,1.1,0.3", "0.2,oops,0.3"))
    assert "expected a number" in caught.value.message
    assert caught.value.line in (2, 3)


def test_damage_late_in_a_long_file_is_found_in_its_line():
    rows = [f"{n / 100:.2f},1,2,3,4,5,6" for n in range(40_000)]
    rows[35_000] = rows[35_000].replace("3", "x3")
    with pytest.raises(MotionFileError) as caught:
        read("time,lx,ly,lz,rx,ry,rz\n" + "\n".join(rows))
    assert caught.value.line == 35_002
