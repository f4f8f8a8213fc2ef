"""Grounds, as people write them: boxes, ramps, a grid of heights and a mesh, in any mixture.

`{"boxes": [{"center": [x, z], "size": [sx, sz], "height": h, "yaw": degrees}],
"ramps": [{"from": [x, z], "to": [x, z], "width": w, "heights": [h0, h1]}],
"grid": {"origin": [x, z], "spacing": d, "heights": [[…], …]}, "mesh": "FILE.obj"}`, lengths in metres. Rows of a grid
run along z, values in a row along x. A mesh is a Wavefront OBJ file beside the ground's own (or in a folder there), Y
up, in metres.
Instead of one grid or mesh there may be a list of them. Stairs are written as the boxes that they are made of.
"""

import io
import math
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from model.files.json_text import read_json, shown_json
from model.files.problems import MotionFileError
from model.files.reading import file_beside, read_bytes
from model.files.saving import replacing
from model.ground import Box, Corner, Grid, Ground, Mesh, Point, Ramp, Triangle

_PARTS = ("boxes", "ramps", "grid", "mesh")
_FARTHEST_M = 1e6
_MOST_TRIANGLES = 500_000  # of all meshes of a ground
_MOST_MESHES = 1_000


def read_ground(path: str | Path) -> Ground:
    """The ground that a file tells of, its floor at height 0. Raises MotionFileError."""
    told = read_json(path)
    try:
        return _ground(told, Path(path))
    except ValueError as error:
        raise MotionFileError(str(path), None, str(error)) from None


def _ground(told: Any, path: Path) -> Ground:
    if not isinstance(told, dict) or not told:
        raise ValueError('a ground looks like {"boxes": […]}, {"ramps": […]}, {"grid": {…}} or {"mesh": "FILE.obj"}')
    unknown = [name for name in told if name not in _PARTS]
    if unknown:
        raise ValueError(f"{unknown[0][:40]!r} is no part of a ground; there are {', '.join(_PARTS)}")
    return Ground(
        boxes=tuple(_box(one, f"box {n}") for n, one in enumerate(_list(told, "boxes"))),
        ramps=tuple(_ramp(one, f"ramp {n}") for n, one in enumerate(_list(told, "ramps"))),
        grids=tuple(_grid(one) for one in _one_or_several(told, "grid")),
        meshes=_meshes(_one_or_several(told, "mesh"), path),
    )


def _list(told: Mapping[str, Any], name: str) -> list[Any]:
    value = told.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list")
    return value


def _one_or_several(told: Mapping[str, Any], name: str) -> list[Any]:
    value = told.get(name, [])
    return value if isinstance(value, list) else [value]


def _box(told: Any, what: str) -> Box:
    fields = _fields(told, what, ("center", "size", "height"), ("yaw",))
    size = _point(fields["size"], f"the size of {what}")
    if not min(size) > 0.0:
        raise ValueError(f"the size of {what} is {list(size)}; both numbers must be positive")
    yaw = _number(fields.get("yaw", 0.0), f"the yaw of {what}")
    height = _number(fields["height"], f"the height of {what}")
    return Box(_point(fields["center"], f"the center of {what}"), size, height, math.radians(yaw))


def _ramp(told: Any, what: str) -> Ramp:
    fields = _fields(told, what, ("from", "to", "width", "heights"), ())
    start, end = (_point(fields[name], f"{name!r} of {what}") for name in ("from", "to"))
    width = _number(fields["width"], f"the width of {what}")
    if start == end or not width > 0.0:
        raise ValueError(f"{what} must have some width, and end elsewhere than it starts")
    return Ramp(start, end, width, _point(fields["heights"], f"heights of {what}"))


def _grid(told: Any) -> Grid:
    fields = _fields(told, "the grid", ("origin", "spacing", "heights"), ())
    spacing = _number(fields["spacing"], "the grid's spacing")
    if not spacing > 0.0:
        raise ValueError(f"the grid's spacing is {spacing:g}; it must be positive")
    rows = fields["heights"]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise ValueError("the grid's heights must be a list of rows")
    heights = tuple(tuple(_number(value, "a height of the grid") for value in row) for row in rows)
    if len(heights) < 2 or len(heights[0]) < 2 or len({len(row) for row in heights}) != 1:
        raise ValueError("the grid must have two rows or more, all equally long, of two heights or more")
    return Grid(_point(fields["origin"], "the grid's origin"), spacing, heights)


def _fields(told: Any, what: str, needed: tuple[str, ...], others: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(told, dict):
        raise ValueError(f"{what} must be an object with {', '.join(needed)}")
    for name in needed:
        if name not in told:
            raise ValueError(f"{what} has no {name!r}")
    for name in told:
        if name not in needed and name not in others:
            raise ValueError(f"{what} has {name[:40]!r}, which is none of {', '.join((*needed, *others))}")
    return told


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _FARTHEST_M:
        raise ValueError(f"{what} is {shown_json(value)}; it must be a number, metres or degrees")
    return float(value)


def _point(value: Any, what: str) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{what} is {shown_json(value)}; it must be two numbers")
    return _number(value[0], what), _number(value[1], what)


def _meshes(names: list[Any], ground: Path) -> tuple[Mesh, ...]:
    """The meshes that a ground names, each file read once."""
    if len(names) > _MOST_MESHES:
        raise ValueError(f"it names {len(names):,} meshes; the limit is {_MOST_MESHES:,}")
    read: dict[Path, Mesh] = {}
    meshes: list[Mesh] = []
    triangles = 0
    for name in names:
        if not isinstance(name, str) or not name:
            raise ValueError("mesh must be the name of an OBJ file")
        try:
            path = file_beside(ground, name)
        except ValueError as error:
            raise ValueError(f"its mesh is at {shown_json(name)}: {error}") from None
        if path not in read:
            read[path] = Mesh(read_obj(path))
        meshes.append(read[path])
        triangles += len(read[path].triangles)
        if triangles > _MOST_TRIANGLES:
            raise ValueError(f"its meshes have more than {_MOST_TRIANGLES:,} triangles together")
    return tuple(meshes)


def read_obj(path: str | Path) -> tuple[Triangle, ...]:
    """The triangles of a Wavefront OBJ file; faces of more corners are cut into fans. Raises MotionFileError."""
    corners: list[Corner] = []
    triangles: list[Triangle] = []
    content = read_bytes(path).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, line in enumerate(io.BytesIO(content), 1):
        words = line.decode("utf-8", "replace").split()
        try:
            if words[:1] == ["v"]:
                corners.append(_corner(words[1:4]))
            elif words[:1] == ["f"]:
                if len(triangles) + len(words) > _MOST_TRIANGLES:
                    raise ValueError(f"there are more than {_MOST_TRIANGLES:,} triangles, the limit of a ground")
                face = [_named_corner(word, corners) for word in words[1:]]
                if len(face) < 3:
                    raise ValueError("a face needs three corners")
                triangles += [(face[0], one, other) for one, other in pairwise(face[1:])]
        except ValueError as error:
            raise MotionFileError(str(path), number, str(error)) from None
    if not triangles:
        raise MotionFileError(str(path), None, "holds no faces: a mesh must be a Wavefront OBJ file")
    return tuple(triangles)


def _corner(words: list[str]) -> Corner:
    try:
        x, y, z = (float(word) for word in words)
    except ValueError:
        raise ValueError("a vertex must be three numbers") from None
    if not all(abs(value) < _FARTHEST_M for value in (x, y, z)):
        raise ValueError("a vertex is not a number, or lies more than 1,000 km away; lengths are metres")
    return x, y, z


def _named_corner(word: str, corners: list[Corner]) -> Corner:
    try:
        index = int(word.split("/")[0])
    except ValueError:
        raise ValueError(f"{word[:20]!r} is no corner of a face") from None
    if not 1 <= abs(index) <= len(corners):
        raise ValueError(f"a face names corner {word[:20]}; there are {len(corners)} so far")
    return corners[index - 1 if index > 0 else index]


def write_ground(ground: Ground, path: str | Path) -> None:
    """Write what stands on the floor; meshes go into OBJ files beside it, named after it."""
    path = Path(path)
    boxes = (*ground.boxes, *(step for flight in ground.stairs for step in flight.steps))
    told: dict[str, Any] = {}
    if boxes or ground.is_flat:
        told["boxes"] = [
            {"center": one.center, "size": one.size_m, "height": one.height_m, "yaw": math.degrees(one.yaw_rad)}
            for one in boxes
        ]
    if ground.ramps:
        told["ramps"] = [
            {"from": one.start, "to": one.end, "width": one.width_m, "heights": one.heights_m} for one in ground.ramps
        ]
    grids = [{"origin": one.origin, "spacing": one.spacing_m, "heights": one.heights_m} for one in ground.grids]
    meshes = [f"{path.stem}_mesh{n or ''}.obj" for n in range(len(ground.meshes))]
    for name, several in (("grid", grids), ("mesh", meshes)):
        if several:
            told[name] = several[0] if len(several) == 1 else several
    for name, mesh in zip(meshes, ground.meshes, strict=True):
        _write_obj(mesh, path.parent / name)
    with replacing(path) as file:
        file.write(orjson.dumps(told, option=orjson.OPT_INDENT_2))


def _write_obj(mesh: Mesh, path: Path) -> None:
    corners = mesh.corners.reshape(-1, 3)
    lines = [f"v {x!r} {y!r} {z!r}\n" for x, y, z in corners.tolist()]
    lines += [f"f {n} {n + 1} {n + 2}\n" for n in range(1, len(corners) + 1, 3)]
    with replacing(path) as file:
        file.write("".join(lines).encode())
