"""Files of what a motion goes on: grounds with their meshes, paths as JSON and as drawings."""

from functools import cache
from pathlib import Path
from random import Random

from model.files.ground_file import read_ground, read_obj, write_ground
from model.files.path_file import read_path
from model.ground import Box, Grid, Ground, Mesh, Ramp, Stairs, Triangle
from tests.fuzzing.format import Files, Format, broken_text, one_of_the_files, written
from tests.fuzzing.mutating import mutated_json, mutated_text

_OBJ_WORDS = [
    "v 0 0 0", "f 1 2 3", "f 1 1 1 1 1 1", "f -1 -2 -3", "f 1/1/1 2//2 3", "v", "f", "vt 0 0", "#", "o x",
]  # fmt: skip
_OBJ = b"# a square\nv 10 0 10\nv 11 1 10\nvt 0 0\nv 11 1 11\nv 10 0 11\nf 1/1 2 3//4 -1\nf 1 2 3\n"
_GROUND_WORDS = [
    "boxes", "ramps", "grid", "mesh", "center", "size", "height", "yaw", "from", "to", "width", "heights", "origin",
    "spacing", "a_mesh.obj", "a.json", "../a.json", "/dev/zero", ".",
]  # fmt: skip


@cache
def _grounds() -> list[Files]:
    mesh = Mesh(
        (((0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (0.0, 0.2, 1.0)), ((1.0, 0.5, 0.0), (1.0, 0.0, 1.0), (0.0, 0.2, 1.0)))
    )
    ground = Ground(
        boxes=(Box((1.0, 2.0), (0.5, 0.6), 0.3, 0.4),),
        ramps=(Ramp((0.0, 0.0), (1.0, 1.0), 2.0, (0.0, 0.5)),),
        grids=(Grid((5.0, 5.0), 0.5, ((0.0, 0.1), (0.2, 0.3))),),
        meshes=(mesh,),
        stairs=(Stairs((1.0, 2.0), 0.5, 4, 0.3, 0.15),),
    )
    more = ground.adding(mesh.moved((1.0, 0.0, 0.0)), *ground.grids)
    return [written("a.json", lambda path, one=one: write_ground(one, path)) for one in (ground, more)]


def _broken_ground(files: Files, rng: Random) -> Files:
    def change(name: str, data: bytes) -> bytes:
        is_mesh = name.endswith(".obj")
        return mutated_text(data, rng, _OBJ_WORDS) if is_mesh else mutated_json(data, rng, _GROUND_WORDS)

    return one_of_the_files(files, rng, change)


_PATH_WORDS = [
    "points", "closed", "at", "shape", "turn", "arc", "smooth", "straight",
]  # fmt: skip
_PATHS = [
    {
        "a.json": b'{"points": [[0, 0], {"at": [0, 2], "shape": "arc", "turn": 90}, '
        b'{"at": [1, 3], "shape": "smooth"}, [4, 4]]}'
    },
    {
        "a.json": b'{"closed": true, "points": [{"at": [0, 0], "shape": "smooth"}, '
        b'{"at": [3, 2], "shape": "smooth"}, [9.5, -4]]}'
    },
]


def _broken_path(files: Files, rng: Random) -> Files:
    return {name: mutated_json(data, rng, _PATH_WORDS) for name, data in files.items()}


_SVG_WORDS = [
    "<svg>", "</svg>", "<g>", "</g>", "<path", "<polyline", "<polygon", "<line", "points=", 'd="M 0 0"', "M", "L",
    "l", "H", "v", "C 1 2 3 4 5 6", "c 1 2 3 4 5 6", "s 1 2 3 4", "Q", "T", "A", "Z", "&amp;", "&lol;",
    "<!DOCTYPE svg [", '<!ENTITY a "b">', "]>", '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="latin-1"?>', "<![CDATA[", "-->", 'x1="1e9"',
]  # fmt: skip
_SVGS = [
    b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">\n<g>\n<path d="M0 0 C 0 55.2, 44.8 100, 100 100\n'
    b'S 200 155.2 200 200 q 5 6 7 8 t 9 9 L 1 2 h 5 V 8"/>\n</g>\n</svg>',
    b'<svg>\n<polyline points="0,0 100,50\n 2e2,-50"/>\n</svg>', b'<svg><polygon points="0,0 200,0 100,200"/></svg>',
    b'<svg><g><line x1="10" y1="20" x2="110" y2="20"/></g></svg>',
]  # fmt: skip


def _write_obj(triangles: tuple[Triangle, ...], path: Path) -> None:
    write_ground(Ground(meshes=(Mesh(triangles),)), path.with_suffix(".json"))
    path.with_name(f"{path.stem}_mesh.obj").rename(path)


FORMATS = (
    Format("obj", lambda: [{"a.obj": _OBJ}], broken_text(_OBJ_WORDS), read_obj, _write_obj),
    Format("ground", _grounds, _broken_ground, read_ground, write_ground),
    Format("path", lambda: _PATHS, _broken_path, read_path),
    Format("svg", lambda: [{"a.svg": one} for one in _SVGS], broken_text(_SVG_WORDS), read_path),
)
