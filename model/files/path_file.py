"""Paths on the floor, as people write them: `{"points": [[x, z], …]}` in metres."""

from pathlib import Path

import numpy as np
import orjson

from model.arrays import Array
from model.files.problems import MotionFileError, read_bytes


def read_path(path: str | Path) -> Array:
    """(N, 2) the points x, z of a path, two or more. Raises MotionFileError."""

    def refuse(message: str, line: int | None = None) -> MotionFileError:
        return MotionFileError(str(path), line, message)

    try:
        told = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        raise refuse(f"is not JSON: {error.msg}", error.lineno) from None
    points = told.get("points") if isinstance(told, dict) else None
    if not isinstance(points, list):
        raise refuse('a path looks like {"points": [[x, z], …]}, in metres')
    for n, point in enumerate(points):
        good = isinstance(point, list) and len(point) == 2
        if not good or not all(isinstance(value, int | float) and not isinstance(value, bool) for value in point):
            raise refuse(f"point {n} is {orjson.dumps(point).decode()[:60]}; it must be two numbers, [x, z] in metres")
    line = np.array(points, dtype=np.float64).reshape(-1, 2)
    if not np.all(np.abs(line) < 1e6):
        raise refuse("a point lies more than 1,000 km away; lengths are metres")
    if len(line) < 2 or np.all(line == line[0]):
        raise refuse("a path needs two points that differ")
    return line
