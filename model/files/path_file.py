"""Paths on the floor, as people write them: `{"points": [[x, z], …]}` in metres, or the first line of an SVG drawing.

A point may also be `{"at": [x, z], "shape": "smooth"}` or `{"at": [x, z], "shape": "arc", "turn": degrees}`, which tell
how the line goes on from it; `"closed": true` joins the last to the first. In a drawing 100 units are a metre, x runs
to the right and z down, as seen from above.
"""

import math
import re
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import orjson

from model.arrays import Array
from model.files.problems import MotionFileError, read_bytes
from model.path import SHAPES, Path, PathPoint

_SVG_UNITS = 100.0
_FARTHEST_M = 1e6
_CURVE_POINTS = 24


def read_path(path: str | FilePath) -> Array:
    """(N, 2) points x, z along a path, two or more. Raises MotionFileError."""
    drawn = read_drawn_path(path)
    line = drawn.line()
    return np.concatenate([line, line[:1]]) if drawn.closed else line


def read_drawn_path(path: str | FilePath) -> Path:
    """A path as it was written. Raises MotionFileError."""
    content = read_bytes(path)
    read = _from_svg if FilePath(path).suffix.lower() == ".svg" else _from_json
    found = read(content, str(path))
    points = found.x_z
    if not np.all(np.abs(points) < _FARTHEST_M):
        raise MotionFileError(str(path), None, "a point lies more than 1,000 km away; lengths are metres")
    if len(points) < 2 or np.all(points == points[0]):
        raise MotionFileError(str(path), None, "a path needs two points that differ")
    return found


def _from_json(content: bytes, path: str) -> Path:
    def refuse(message: str, line: int | None = None) -> MotionFileError:
        return MotionFileError(path, line, message)

    try:
        told = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise refuse(f"is not JSON: {error.msg}", error.lineno) from None
    points = told.get("points") if isinstance(told, dict) else None
    if not isinstance(points, list):
        raise refuse('a path looks like {"points": [[x, z], …]}, in metres')
    closed = told.get("closed", False)
    if not isinstance(closed, bool):
        raise refuse('"closed" must be true or false')
    return Path(tuple(_point(point, n, refuse) for n, point in enumerate(points)), closed)


def _point(told: Any, number: int, refuse: Any) -> PathPoint:
    shape, turn, at = "straight", 0.0, told
    if isinstance(told, dict):
        at, shape, turn = told.get("at"), told.get("shape", "straight"), told.get("turn", 0.0)
        if shape not in SHAPES:
            raise refuse(f"the shape of point {number} must be one of {', '.join(SHAPES)}")
        if not _is_number(turn) or not abs(turn) <= 330.0:
            raise refuse(f"the turn of point {number} must be a number of degrees, -330 to 330")
    if not isinstance(at, list) or len(at) != 2 or not all(_is_number(value) for value in at):
        raise refuse(f"point {number} is {orjson.dumps(told).decode()[:60]}; it must be two numbers, [x, z] in metres")
    return PathPoint(float(at[0]), float(at[1]), shape, math.tan(math.radians(turn) / 4.0) if shape == "arc" else 0.0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _from_svg(content: bytes, path: str) -> Path:
    """The first path, polyline, polygon or line of a drawing."""
    from xml.etree import ElementTree

    if b"<!ENTITY" in content:
        raise MotionFileError(path, None, "declares entities, which no drawing needs")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise MotionFileError(path, error.position[0], f"is not SVG: {error}") from None
    for element in root.iter():
        kind = element.tag.rpartition("}")[2]
        try:
            if kind == "path" and element.get("d"):
                points, closed = _path_data(element.get("d", ""))
            elif kind in ("polyline", "polygon"):
                points, closed = np.array(_numbers(element.get("points", ""))).reshape(-1, 2), kind == "polygon"
            elif kind == "line":
                ends = [float(element.get(name, "0")) for name in ("x1", "y1", "x2", "y2")]
                points, closed = np.array(ends).reshape(2, 2), False
            else:
                continue
        except ValueError as error:
            raise MotionFileError(path, None, f"its {kind} cannot be read: {error}") from None
        if not np.all(np.isfinite(points)):
            raise MotionFileError(path, None, f"its {kind} holds numbers that are none")
        return Path.through(points / _SVG_UNITS, closed=closed)
    raise MotionFileError(path, None, "holds no path, polyline, polygon or line")


_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def _numbers(text: str) -> list[float]:
    values = [float(one) for one in re.findall(_NUMBER, text)]
    if len(values) % 2:
        raise ValueError("an odd number of coordinates")
    return values


def _path_data(text: str) -> tuple[Array, bool]:
    """Points along the first subpath of an SVG path, and whether it is closed: lines, cubic and quadratic curves."""
    points: list[complex] = []
    here, closed = 0j, False
    control: complex | None = None
    for command, arguments in re.findall(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)", text):
        values = [float(one) for one in re.findall(_NUMBER, arguments)]
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
    return np.array([(point.real, point.imag) for point in points]).reshape(-1, 2), closed


def _bezier(ends: list[complex]) -> list[complex]:
    """Points along a quadratic or cubic curve, the start left out."""
    result = []
    for n in range(1, _CURVE_POINTS + 1):
        part, row = n / _CURVE_POINTS, list(ends)
        while len(row) > 1:
            row = [(1.0 - part) * a + part * b for a, b in pairwise(row)]
        result.append(row[0])
    return result
