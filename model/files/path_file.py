"""Paths on the floor, as people write them: `{"points": [[x, z], …]}` in metres, or the first line of an SVG drawing.

A point may also be `{"at": [x, z], "shape": "smooth"}` or `{"at": [x, z], "shape": "arc", "turn": degrees}`, which tell
how the line goes on from it; `"closed": true` joins the last to the first. In a drawing 100 units are a metre, x runs
to the right and z down, as seen from above.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from model.arrays import Array
from model.files.json_text import read_json, shown_json
from model.files.problems import MotionFileError
from model.files.reading import read_bytes
from model.path import SHAPES, Path, PathPoint

_SVG_UNITS = 100.0
_MOST_POINTS = 100_000
_TOO_MANY = f"it has more than {_MOST_POINTS:,} points; simplify the drawing"
_CURVE_POINTS = 24


def read_path(path: str | FilePath) -> Array:
    """(N, 2) points x, z along a path, two or more. Raises MotionFileError."""
    drawn = read_drawn_path(path)
    line = drawn.line()
    return np.concatenate([line, line[:1]]) if drawn.closed else line


def read_drawn_path(path: str | FilePath) -> Path:
    """A path as it was written. Raises MotionFileError."""
    try:
        found = _from_svg(path) if FilePath(path).suffix.lower() == ".svg" else _from_json(path)
    except ValueError as error:  # of a point that cannot be
        raise MotionFileError(str(path), None, str(error)) from None
    points = found.x_z
    if len(points) < 2 or np.all(points == points[0]):
        raise MotionFileError(str(path), None, "a path needs two points that differ")
    return found


def _from_json(path: str | FilePath) -> Path:
    def refuse(message: str) -> MotionFileError:
        return MotionFileError(str(path), None, message)

    told = read_json(path)
    points = told.get("points") if isinstance(told, dict) else None
    if not isinstance(points, list):
        raise refuse('a path looks like {"points": [[x, z], …]}, in metres')
    if len(points) > _MOST_POINTS:
        raise refuse(f"the path has {len(points):,} points; the limit is {_MOST_POINTS:,}")
    closed = told.get("closed", False)
    if not isinstance(closed, bool):
        raise refuse('"closed" must be true or false')
    return Path(tuple(_point(point, n, refuse) for n, point in enumerate(points)), closed)


def _point(told: Any, number: int, refuse: Callable[[str], MotionFileError]) -> PathPoint:
    shape, turn, at = "straight", 0.0, told
    if isinstance(told, dict):
        at, shape, turn = told.get("at"), told.get("shape", "straight"), told.get("turn", 0.0)
        if shape not in SHAPES:
            raise refuse(f"the shape of point {number} must be one of {', '.join(SHAPES)}")
        if not _is_number(turn) or not abs(turn) <= 330.0:
            raise refuse(f"the turn of point {number} must be a number of degrees, -330 to 330")
    if not isinstance(at, list) or len(at) != 2 or not all(_is_number(value) for value in at):
        raise refuse(f"point {number} is {shown_json(told)}; it must be two numbers, [x, z] in metres")
    return PathPoint(float(at[0]), float(at[1]), shape, math.tan(math.radians(turn) / 4.0) if shape == "arc" else 0.0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _from_svg(path: str | FilePath) -> Path:
    """The first path, polyline, polygon or line of a drawing."""
    kind, attributes = _first_line(read_bytes(path), str(path))
    try:
        points, closed = _drawn_points(kind, attributes)
    except ValueError as error:
        raise MotionFileError(str(path), None, f"its {kind} cannot be read: {error}") from None
    if not np.all(np.isfinite(points)):
        raise MotionFileError(str(path), None, f"its {kind} holds numbers that are too large")
    return Path.through(points / _SVG_UNITS, closed=closed)


def _first_line(content: bytes, path: str) -> tuple[str, Mapping[str, str]]:
    """The name and attributes of the first element that draws a line."""
    from xml.parsers import expat

    found: list[tuple[str, Mapping[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        if not found and (kind in ("polyline", "polygon", "line") or (kind == "path" and attributes.get("d"))):
            found.append((kind, attributes))

    def doctype(_name: str, _system: str | None, _public: str | None, has_declarations: bool) -> None:
        # A few entities within each other, or a long default of an attribute, unfold into gigabytes.
        if has_declarations:
            raise MotionFileError(path, None, "declares entities or the like, which no drawing needs")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise MotionFileError(path, error.lineno, f"is not SVG: {expat.ErrorString(error.code)}") from None
    except (LookupError, ValueError):
        raise MotionFileError(path, None, "is not SVG: its encoding is not known; save it as UTF-8") from None
    if not found:
        raise MotionFileError(path, None, "holds no path, polyline, polygon or line")
    return found[0]


def _drawn_points(kind: str, attributes: Mapping[str, str]) -> tuple[Array, bool]:
    """(N, 2) points of an element in its units, and whether they are closed. Raises ValueError."""
    if kind == "path":
        points, closed = _path_data(attributes["d"])
        return np.array([(point.real, point.imag) for point in points]).reshape(-1, 2), closed
    if kind == "line":
        values = [_single_number(attributes.get(name, "0")) for name in ("x1", "y1", "x2", "y2")]
    else:
        values = list(_numbers(attributes.get("points", "")))
    if len(values) % 2:
        raise ValueError("an odd number of coordinates")
    if len(values) > 2 * _MOST_POINTS:
        raise ValueError(_TOO_MANY)
    return np.array(values).reshape(-1, 2), kind == "polygon"


_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")


def _numbers(text: str) -> Iterator[float]:
    for count, match in enumerate(_NUMBER.finditer(text)):
        if count >= 6 * _MOST_POINTS:  # three points make a curve
            raise ValueError(_TOO_MANY)
        yield float(match[0])


def _single_number(text: str) -> float:
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:20]!r} is not a number")
    return float(match[0])


def _path_data(text: str) -> tuple[list[complex], bool]:
    """Points along the first subpath of an SVG path, and whether it is closed: lines, cubic and quadratic curves."""
    points: list[complex] = []
    here, closed = 0j, False
    control: complex | None = None
    for match in _COMMAND.finditer(text):
        command, values = match[1], list(_numbers(match[2]))
        kind, relative = command.upper(), command.islower()
        if kind == "Z":
            closed = True
            break
        if kind == "M" and points:
            break
        if kind == "A":
            raise ValueError("elliptical arcs are not read; convert them to curves")
        size = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}[kind]
        if not values or len(values) % size:
            raise ValueError(f"{command} with {len(values)} numbers")
        for start in range(0, len(values), size):
            origin = here if relative else 0j
            part = values[start : start + size]
            if kind in "HV":
                across = complex(part[0], 0.0) if kind == "H" else complex(0.0, part[0])
                rest = 0j if relative else complex(0.0, here.imag) if kind == "H" else complex(here.real, 0.0)
                ends = [origin + across + rest]
            else:
                ends = [origin + complex(x, y) for x, y in zip(part[::2], part[1::2], strict=True)]
            if kind in "ST":
                ends.insert(0, here if control is None else 2.0 * here - control)
            bends = kind in "CSQT"
            control = ends[-2] if bends else None
            points += _bezier([here, *ends]) if bends else ends
            here = ends[-1]
            if len(points) > _MOST_POINTS:
                raise ValueError(_TOO_MANY)
    return points, closed


def _bezier(ends: list[complex]) -> list[complex]:
    """Points along a quadratic or cubic curve, the start left out."""
    result = []
    for n in range(1, _CURVE_POINTS + 1):
        part, row = n / _CURVE_POINTS, list(ends)
        while len(row) > 1:
            row = [(1.0 - part) * a + part * b for a, b in pairwise(row)]
        result.append(row[0])
    return result
