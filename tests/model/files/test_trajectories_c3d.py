"""C3D in its three byte orders and two kinds of numbers, put together by hand; and what independent readers see."""

import struct
import warnings

import numpy as np
import pytest

from model.files.problems import MotionFileError, ReadOptions
from model.files.trajectories import parse_tracks, read_tracks, write_tracks
from model.tracks import PointTracks
from model.units import CENTIMETRE, METRE, MILLIMETRE, from_y_up
from tests.model.files.test_trajectories import person, same

ORDERS = {84: "<", 85: "<", 86: ">"}
INTEL, DEC, MIPS = ORDERS

POINTS = np.array([[[100.0, -200.0, 300.0], [1.5, 2.0, 1000.0]], [[101.0, -201.0, 301.0], [1.0, 2.5, 1001.0]]])


class Builder:
    """A C3D file put together piece by piece, as the format's guide describes it."""

    def __init__(self, processor=INTEL, scale=-1.0):
        self.processor, self.order, self.scale = processor, ORDERS[processor], scale
        self.groups = {}

    def floats(self, *values):
        data = np.array(values, dtype="<f4")
        if self.processor == DEC:
            return (data * 4).view("<u2").reshape(-1, 2)[:, ::-1].tobytes()
        return data.astype(self.order + "f4").tobytes()

    def words(self, *values):
        return struct.pack(f"{self.order}{len(values)}H", *(int(value) & 0xFFFF for value in values))

    def add(self, key, value):
        """A parameter: a float, an integer, several of them, a text or a list of texts."""
        values = value if isinstance(value, (list, tuple)) else [value]
        if isinstance(values[0], str):
            size = max(map(len, values))
            content = bytes([255, 2, size, len(values)]) + "".join(text.ljust(size) for text in values).encode(
                "latin-1"
            )
        elif isinstance(values[0], float):
            content = bytes([4, 1, len(values)]) + self.floats(*values)
        else:
            content = bytes([2, 1, len(values)]) + self.words(*values)
        group, name = key.split(":")
        self.groups.setdefault(group, {})[name] = content
        return self

    def parameters(self):
        body = b""
        for number, (group, members) in enumerate(self.groups.items(), start=1):
            body += bytes([len(group), 256 - number]) + group.encode() + self.words(3) + b"\0"
            for name, content in members.items():
                body += bytes([len(name), number]) + name.encode() + self.words(len(content) + 3) + content + b"\0"
        blocks = -(-(len(body) + 6) // 512)
        return (bytes([1, 0x50, blocks, self.processor]) + body).ljust(blocks * 512, b"\0")

    def build(self, points=POINTS, residuals=None, analog=0, first=1, **header):
        frames, count = points.shape[:2]
        parameters = self.parameters()
        residuals = np.zeros((frames, count)) if residuals is None else np.asarray(residuals)
        told = {"points": count, "analog": analog, "first": first, "last": first + frames - 1, "rate": 50.0}
        told |= {"start": 2 + len(parameters) // 512, "scale": self.scale} | header
        head = bytes([2, 0x50]) + self.words(told["points"], told["analog"], told["first"], told["last"], 0)
        head += self.floats(told["scale"]) + self.words(told["start"], 1) + self.floats(told["rate"])
        rows = np.concatenate([points, residuals[..., None]], axis=-1)
        if self.scale > 0:
            rows[..., :3] = np.round(rows[..., :3] / self.scale)
        data = b""
        for row in rows:
            flat = [*row.reshape(-1), *[7.0] * analog]
            data += self.words(*flat) if self.scale > 0 else self.floats(*flat)
        return head.ljust(512, b"\0") + parameters + data.ljust(-(-len(data) // 512) * 512, b"\0")


def usual(processor=INTEL, scale=-1.0, **changes):
    told = {"POINT:USED": 2, "POINT:SCALE": scale, "POINT:RATE": 50.0, "POINT:UNITS": "mm", "POINT:FRAMES": 2}
    told |= {"POINT:LABELS": ["LWRI", "RWRI"], "POINT:X_SCREEN": "+X", "POINT:Y_SCREEN": "+Z"} | changes
    builder = Builder(processor, scale)
    for key, value in told.items():
        if value is not None:
            builder.add(key, value)
    return builder


def read(data, **options):
    return parse_tracks(data, "clip.c3d", ReadOptions(**options))


def numbers(tracks):
    return from_y_up(tracks.positions, tracks.up) / tracks.unit.metres


def messages(reading):
    return " | ".join(problem.message for problem in reading.problems)


@pytest.mark.parametrize("processor", ORDERS)
@pytest.mark.parametrize("scale", [-1.0, 0.5])
@pytest.mark.parametrize("analog", [0, 5])
def test_all_byte_orders_and_kinds_of_numbers(processor, scale, analog):
    reading = read(usual(processor, scale).build(analog=analog))
    tracks = reading.tracks
    assert tracks.names == ("LWRI", "RWRI")
    assert (tracks.fps, tracks.unit, tracks.up, tracks.start_time_s) == (50.0, MILLIMETRE, "+Z", 0.0)
    np.testing.assert_allclose(numbers(tracks), POINTS, atol=1e-9)
    assert messages(reading) == ("analog channels are not read" if analog else "")


@pytest.mark.parametrize("scale", [-1.0, 0.5])
def test_points_with_a_negative_residual_or_at_zero_are_gaps(scale):
    points = POINTS.copy()
    points[1, 1] = 0.0
    tracks = read(usual(scale=scale).build(points, residuals=[[-1, 3], [0, 0]])).tracks
    assert tracks.gaps() == (((0, 1),), ((1, 2),))


def test_coordinates_that_are_no_numbers_are_gaps():
    points = POINTS.copy()
    points[0, 0, 1], points[1, 1, 2] = np.nan, 1e30
    reading = read(usual().build(points))
    assert reading.tracks.gaps() == (((0, 1),), ((1, 2),))
    assert "2 times" in messages(reading)


def test_the_first_frame_tells_the_start():
    assert read(usual().build(first=101)).tracks.start_time_s == pytest.approx(2.0)


@pytest.mark.parametrize(("told", "unit"), [("m", METRE), ("cm", CENTIMETRE), ("MM", MILLIMETRE), ("meters", METRE)])
def test_units_are_read(told, unit):
    tracks = read(usual(**{"POINT:UNITS": told}).build()).tracks
    assert tracks.unit == unit
    np.testing.assert_allclose(numbers(tracks), POINTS, atol=1e-9)


def test_what_the_reader_is_told_counts_more():
    tracks = read(usual().build(), unit=METRE, up="-Y").tracks
    assert (tracks.unit, tracks.up) == (METRE, "-Y")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"POINT:UNITS": None}, "POINT:UNITS is ''"),
        ({"POINT:UNITS": "ells"}, "POINT:UNITS is 'ells'"),
        ({"POINT:Y_SCREEN": None}, "+Z is assumed"),
        ({"POINT:Y_SCREEN": "up"}, "+Z is assumed"),
        ({"POINT:RATE": 0.0}, "30 frames a second are assumed"),
        ({"POINT:RATE": float("nan")}, "30 frames a second are assumed"),
        ({"POINT:LABELS": None}, "2 of 2 points have no label"),
        ({"POINT:LABELS": ["LWRI"]}, "1 of 2 points have no label"),
        ({"POINT:LABELS": ["LWRI", "LWRI"]}, "called 'LWRI 2'"),
    ],
)
def test_what_is_missing_is_said(changes, said):
    reading = read(usual(**changes).build())
    assert said in messages(reading)
    np.testing.assert_allclose(numbers(reading.tracks), POINTS, atol=1e-9)


def test_a_file_without_parameters_is_read_by_its_header():
    reading = read(Builder().build())
    assert "header alone counts" in messages(reading)
    assert reading.tracks.fps == 50.0
    np.testing.assert_allclose(numbers(reading.tracks), POINTS, atol=1e-9)


def test_the_points_of_a_person_tell_which_axis_is_up():
    positions = from_y_up(person(gaps=False).positions, "+X") * 1000
    labels = list(person().names)
    told = {"POINT:USED": len(labels), "POINT:LABELS": labels, "POINT:FRAMES": 40}
    reading = read(usual(**told, **{"POINT:Y_SCREEN": None}).build(positions))
    assert reading.tracks.up == "+X"
    assert "taken as up" in messages(reading)
    reading = read(usual(**told).build(positions))
    assert reading.tracks.up == "+Z"
    assert "though the points stand along +X" in messages(reading)


def test_a_file_cut_short_keeps_its_whole_frames():
    points = np.tile(POINTS, (20, 1, 1)) + np.arange(40)[:, None, None]
    data = usual(**{"POINT:FRAMES": 40}).build(points)
    start = len(data) - 1536
    reading = read(data[: start + 10 * 32 + 7])
    assert reading.tracks.frames == 10
    assert "announces 40 frames and holds 10" in messages(reading)
    np.testing.assert_allclose(numbers(reading.tracks), points[:10], atol=1e-9)


def test_more_than_255_points_have_their_labels_in_parts(tmp_path):
    names = tuple(f"marker{n}" for n in range(600))
    clip = PointTracks(names, 0.01, np.random.default_rng(5).normal(size=(3, 600, 3)))
    write_tracks(clip, tmp_path / "many.c3d")
    same(clip, read_tracks(tmp_path / "many.c3d").tracks)


def test_more_than_65535_frames_are_counted(tmp_path):
    clip = PointTracks(("a",), 0.01, np.random.default_rng(6).normal(size=(70_000, 1, 3)))
    write_tracks(clip, tmp_path / "long.c3d")
    same(clip, read_tracks(tmp_path / "long.c3d").tracks)
    late = PointTracks(("a",), 0.01, clip.positions[:100], start_time_s=900.0)
    write_tracks(late, tmp_path / "late.c3d")
    same(late, read_tracks(tmp_path / "late.c3d").tracks)


def test_a_start_between_frames_is_reported(tmp_path):
    for start in (0.005, -1.0):
        clip = PointTracks(("a",), 0.01, np.ones((3, 1, 3)), start_time_s=start)
        assert "only start on a frame" in write_tracks(clip, tmp_path / "a.c3d")[0].message


def test_names_too_long_are_cut_and_reported(tmp_path):
    clip = PointTracks(("a" * 200, "a" * 201), 0.01, np.ones((3, 2, 3)))
    problems = write_tracks(clip, tmp_path / "a.c3d")
    assert "longer than 120 bytes" in problems[0].message
    assert read_tracks(tmp_path / "a.c3d").tracks.names == ("a" * 120, "a" * 120 + " 2")


def test_what_the_format_cannot_hold_is_refused_and_the_old_file_kept(tmp_path):
    path = tmp_path / "a.c3d"
    path.write_bytes(b"old")
    names = tuple(f"{n:0>110}" for n in range(2000))
    with pytest.raises(MotionFileError, match="too long for the format"):
        write_tracks(PointTracks(names, 0.01, np.ones((1, 2000, 3))), path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("count", [3, 300])
def test_ezc3d_reads_what_is_written(count, tmp_path):
    ezc3d = pytest.importorskip("ezc3d")
    positions = np.random.default_rng(7).normal(size=(50, count, 3))
    positions[5:9, 1] = np.nan
    clip = PointTracks(tuple(f"m{n}" for n in range(count)), 1 / 120, positions, start_time_s=2.0, unit=MILLIMETRE)
    write_tracks(clip, tmp_path / "a.c3d")
    theirs = ezc3d.c3d(str(tmp_path / "a.c3d"))
    point = theirs["parameters"]["POINT"]
    labels = point["LABELS"]["value"] + (point["LABELS2"]["value"] if count > 255 else [])
    assert tuple(labels) == clip.names
    assert point["RATE"]["value"][0] == 120.0
    assert point["UNITS"]["value"] == ["mm"]
    assert theirs["header"]["points"]["first_frame"] == 240
    np.testing.assert_allclose(theirs["data"]["points"][:3].transpose(2, 1, 0), positions * 1000, rtol=1e-6)


def test_the_c3d_package_reads_what_is_written(tmp_path):
    c3d = pytest.importorskip("c3d")
    clip = person(unit=MILLIMETRE, up="+Z")
    write_tracks(clip, tmp_path / "a.c3d")
    with open(tmp_path / "a.c3d", "rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = c3d.Reader(file)
        rows = np.stack([points for _, points, _ in reader.read_frames()])
        assert tuple(label.strip() for label in reader.point_labels) == clip.names
    expected = from_y_up(clip.positions, "+Z") * 1000
    seen = ~np.isnan(expected[..., 0])
    np.testing.assert_array_equal(rows[..., 3] >= 0, seen)
    np.testing.assert_allclose(rows[seen][:, :3], expected[seen], rtol=1e-6, atol=1e-3)
