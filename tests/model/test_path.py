"""Paths as people draw and write them."""

import json

import numpy as np
import pytest

from model.files.path_file import read_drawn_path, read_path
from model.files.problems import MotionFileError
from model.path import Path, PathPoint
from tests.model.files.damage import extra_memory


def written(tmp_path, told, name="path.json"):
    file = tmp_path / name
    file.write_text(told if isinstance(told, str) else json.dumps(told))
    return file


def test_straight_path_is_its_points():
    points = [(0.0, 0.0), (0.0, 3.0), (2.0, 3.0)]
    assert np.array_equal(Path.through(points).line(), points)


def test_arc_turns_by_its_bulge_on_a_circle():
    path = Path((PathPoint(0.0, 0.0, "arc", 1.0), PathPoint(2.0, 0.0)))  # a half circle to the left
    line = path.line()
    assert np.allclose(np.hypot(*(line - [1.0, 0.0]).T), 1.0)
    steps = np.diff(line, axis=0)
    headings = np.unwrap(np.arctan2(steps[:, 0], steps[:, 1]))
    assert headings[-1] > headings[0]  # left grows
    assert np.allclose(line[len(line) // 2], [1.0, -1.0], atol=0.1) or np.allclose(
        line[len(line) // 2], [1.0, 1.0], atol=0.1
    )


def test_smooth_segments_pass_through_their_points_without_corners():
    points = np.array([(0.0, 0.0), (1.0, 2.0), (-1.0, 4.0), (0.0, 7.0)])
    line = Path.through(points, "smooth").line()
    for point in points:
        assert np.min(np.hypot(*(line - point).T)) < 1e-9
    steps = np.diff(line, axis=0)
    turns = np.diff(np.unwrap(np.arctan2(steps[:, 0], steps[:, 1])))
    assert np.max(np.abs(turns)) < 0.2


def test_smooth_segment_leaves_a_straight_in_its_direction():
    path = Path((PathPoint(0.0, 0.0), PathPoint(0.0, 2.0, "smooth"), PathPoint(2.0, 4.0)))
    line = path.line()
    first = line[2] - line[1]
    assert abs(first[0]) < 0.1 * first[1]


def test_points_must_be_numbers_of_a_known_shape():
    with pytest.raises(ValueError, match="shape"):
        PathPoint(0.0, 0.0, "wavy")
    with pytest.raises(ValueError, match="z"):
        PathPoint(0.0, float("nan"))


def test_json_tells_points_shapes_and_whether_it_closes(tmp_path):
    told = {"points": [[0, 0], {"at": [0, 2], "shape": "arc", "turn": 90}, {"at": [1, 3], "shape": "smooth"}, [4, 4]]}
    path = read_drawn_path(written(tmp_path, told))
    assert [point.shape for point in path.points] == ["straight", "arc", "smooth", "straight"]
    assert path.points[1].bulge == pytest.approx(np.tan(np.pi / 8))
    assert not path.closed
    told["closed"] = True
    assert read_drawn_path(written(tmp_path, told)).closed
    line = read_path(written(tmp_path, told))
    assert np.array_equal(line[0], line[-1])


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ('{"points": [[0, 0], [1', "JSON"),
        ([[0, 0], [1, 1]], "looks like"),
        ({"points": [[0, 0]]}, "two points"),
        ({"points": [[1, 1], [1, 1]]}, "two points"),
        ({"points": [[0, 0], [1, "a"]]}, "point 1"),
        ({"points": [[0, 0], [1, 2, 3]]}, "point 1"),
        ({"points": [[0, 0], [1, 2e7]]}, "1,000 km"),
        ({"points": [[0, 0], {"at": [1, 1], "shape": "wavy"}]}, "shape of point 1"),
        ({"points": [[0, 0], {"at": [1, 1], "shape": "arc", "turn": 400}]}, "turn of point 1"),
        ({"points": [[0, 0], [1, 1]], "closed": 1}, "closed"),
        ('{"points": [[0, 0], ' + "[" * 500 + "]" * 500 + "]}", "point 1 is a deeply nested list"),
        ({"points": [[0, 0]] * 100_001}, "100,001 points; the limit is 100,000"),
    ],
)
def test_bad_json_is_refused_with_what_is_wrong(tmp_path, told, says):
    with pytest.raises(MotionFileError, match=says):
        read_drawn_path(written(tmp_path, told))


@pytest.mark.parametrize(
    ("drawing", "points"),
    [
        ('<svg><path d="M 0 0 L 100 0 l 0,200 H 0 v -50"/></svg>', [[0, 0], [1, 0], [1, 2], [0, 2], [0, 1.5]]),
        ('<svg xmlns="http://www.w3.org/2000/svg"><polyline points="0,0 100,50 2e2,-50"/></svg>',
         [[0, 0], [1, 0.5], [2, -0.5]]),
        ('<svg><g><line x1="10" y1="20" x2="110" y2="20"/></g></svg>', [[0.1, 0.2], [1.1, 0.2]]),
    ],
)  # fmt: skip
def test_drawings_are_read_a_metre_a_hundred_units(tmp_path, drawing, points):
    assert np.allclose(read_path(written(tmp_path, drawing, "way.svg")), points)


def test_curves_of_a_drawing_are_followed(tmp_path):
    drawing = '<svg><path d="M0 0 C 0 55.2, 44.8 100, 100 100 S 200 155.2 200 200"/></svg>'
    line = read_path(written(tmp_path, drawing, "way.svg"))
    quarter = line[np.hypot(line[:, 0] - 1.0, line[:, 1]) < 1.01][:20]
    assert np.allclose(np.hypot(quarter[:, 0] - 1.0, quarter[:, 1]), 1.0, atol=0.01)
    assert np.allclose(line[-1], [2.0, 2.0])


def test_polygon_of_a_drawing_is_closed(tmp_path):
    assert read_drawn_path(written(tmp_path, '<svg><polygon points="0,0 200,0 100,200"/></svg>', "a.svg")).closed


@pytest.mark.parametrize(
    ("drawing", "says"),
    [
        ("<svg><path", "not SVG"),
        ("<svg><rect/></svg>", "no path"),
        ('<svg><path d="M 0 0 A 1 1 0 0 0 5 5"/></svg>', "arcs"),
        ('<svg><path d="M 0 0 L 5"/></svg>', "L with 1 numbers"),
        ('<svg><line x1="5px" y1="0" x2="1" y2="1"/></svg>', "'5px' is not a number"),
        ('<svg><path d="M 0 0' + " c 1 2 3 4 5 6" * 5000 + '"/></svg>', "more than 100,000 points"),
        ('<svg><polyline points="' + "1 2 " * 100_001 + '"/></svg>', "more than 100,000 points"),
        ('<svg><path d="M 0 0 L 1e999 0"/></svg>', "too large"),
        ('<?xml version="1.0" encoding="utf-7"?><svg/>', "encoding"),
        ('<svg><line x1="' + "9" * 100_000 + 'x"/></svg>', "is not a number"),
    ],
)
def test_bad_drawings_are_refused_with_what_is_wrong(tmp_path, drawing, says):
    with pytest.raises(MotionFileError, match=says):
        read_drawn_path(written(tmp_path, drawing, "way.svg"))


_ENTITIES = """<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "1 2 3 4 "><!ENTITY b "&a;&a;&a;">]>
<svg><polyline points="&b;"/></svg>"""
_DEFAULTS = '<!DOCTYPE svg [<!ATTLIST g class CDATA "a long default">]><svg><g/><polyline points="1 2 3 4"/></svg>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("drawing", [_ENTITIES, _DEFAULTS], ids=["entities", "defaults"])
def test_drawing_with_declarations_is_refused_in_any_encoding(tmp_path, drawing, encoding):
    file = tmp_path / "way.svg"
    file.write_bytes(drawing.encode(encoding))
    with pytest.raises(MotionFileError, match="declares entities"):
        read_drawn_path(file)


def test_drawing_in_utf_16_with_a_plain_doctype_is_read(tmp_path):
    drawing = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg><polyline points="0 0 100 0"/></svg>'
    (tmp_path / "way.svg").write_bytes(drawing.encode("utf-16"))
    assert np.allclose(read_path(tmp_path / "way.svg"), [[0, 0], [1, 0]])


@pytest.mark.parametrize("bend", [{"shape": "arc", "turn": 330}, {"shape": "smooth"}])
def test_bends_of_very_long_paths_take_no_more_memory_than_a_limit(tmp_path, bend):
    told = {"points": [{"at": [0, 0], **bend}, {"at": [2e5, 0], **bend}, [0, 2e5]]}
    file = written(tmp_path, told)
    assert extra_memory(lambda: read_path(file)) < 100e6
    line = read_path(file)
    assert len(line) <= 300_010
    assert np.allclose(line[[0, -1]], [[0, 0], [0, 2e5]])


def test_points_beyond_all_measure_are_no_part_of_a_path():
    with pytest.raises(ValueError, match="1,000 km"):
        PathPoint(0.0, 1e7)
