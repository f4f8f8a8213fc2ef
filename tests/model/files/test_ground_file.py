import json
import os

import numpy as np
import pytest

from model.files.ground_file import read_ground, read_obj, write_ground
from model.files.problems import MotionFileError
from model.ground import FLAT, Box, Grid, Ground, Mesh, Ramp, Stairs

_MIXTURE = """{
  "boxes": [{"center": [0, 3], "size": [2, 1], "height": 0.2, "yaw": 90}],
  "ramps": [{"from": [1, 0], "to": [1, 4], "width": 2, "heights": [0, 0.5]}],
  "grid": {"origin": [5, 5], "spacing": 0.5, "heights": [[0, 0.1], [0.2, 0.3]]},
  "mesh": "hill.obj"
}"""
_DEEP = "[" * 500 + "]" * 500
_OBJ = "# a square\nv 10 0 10\nv 11 1 10\nvt 0 0\nv 11 1 11\nv 10 0 11\nf 1/1 2 3//4 -1\n"


def written(tmp_path, text, obj=_OBJ):
    (tmp_path / "hill.obj").write_text(obj)
    path = tmp_path / "ground.json"
    path.write_text(text)
    return path


def test_mixture_is_read(tmp_path):
    ground = read_ground(written(tmp_path, _MIXTURE))
    square = ((10.0, 0.0, 10.0), (11.0, 1.0, 10.0), (11.0, 1.0, 11.0), (10.0, 0.0, 11.0))
    assert ground == Ground(
        0.0,
        (Box((0.0, 3.0), (2.0, 1.0), 0.2, np.pi / 2),),
        (Ramp((1.0, 0.0), (1.0, 4.0), 2.0, (0.0, 0.5)),),
        (Grid((5.0, 5.0), 0.5, ((0.0, 0.1), (0.2, 0.3))),),
        (Mesh(((square[0], square[1], square[2]), (square[0], square[2], square[3]))),),
    )
    assert np.isclose(ground.heights(np.array([10.5, 10.2])), 0.5)


@pytest.mark.parametrize(("text", "reason"), [
    ("{", "is not JSON"), ("[]", "a ground looks like"), ("{}", "a ground looks like"), ('{"hole": 1}', "'hole'"),
    ('{"boxes": {}}', "boxes must be a list"), ('{"boxes": [1]}', "box 0 must be an object"),
    ('{"boxes": [{"center": [0, 0], "size": [1, 1]}]}', "box 0 has no 'height'"),
    ('{"boxes": [{"center": [0, 0], "size": [1, -1], "height": 1}]}', "size of box 0"),
    ('{"boxes": [{"center": [0], "size": [1, 1], "height": 1}]}', "center of box 0"),
    ('{"boxes": [{"center": [0, 0], "size": [1, 1], "height": "a"}]}', "height of box 0"),
    ('{"boxes": [{"center": [0, 0], "size": [1, 1], "height": 1, "color": 1}]}', "'color'"),
    ('{"ramps": [{"from": [0, 0], "to": [0, 0], "width": 1, "heights": [0, 1]}]}', "ramp 0 must have"),
    ('{"grid": {"origin": [0, 0], "spacing": 0, "heights": [[0, 1], [0, 1]]}}', "spacing"),
    ('{"grid": {"origin": [0, 0], "spacing": 1, "heights": [[0, 1], [0]]}}', "equally long"),
    ('{"grid": {"origin": [0, 0], "spacing": 1, "heights": [[0, 1e300], [0, 1]]}}', "a height of the grid"),
    ('{"boxes": [{"center": ' + _DEEP + ', "size": [1, 1], "height": 1}]}', "center of box 0 is a deeply nested list"),
    ('{"boxes": [{"center": [0, 0], "size": [1, 1], "height": ' + _DEEP + "}]}", "height of box 0 is a deeply"),
    ('{"' + "x" * 9999 + '": 1}', "'xxx"), (json.dumps({"mesh": ["hill.obj"] * 1001}), "1,001 meshes"),
    ('{"mesh": 5}', "mesh must be the name"), ('{"mesh": "none.obj"}', "none.obj: cannot be read"),
])  # fmt: skip
def test_what_is_wrong_is_told(tmp_path, text, reason):
    with pytest.raises(MotionFileError, match=reason):
        read_ground(written(tmp_path, text))


@pytest.mark.parametrize(("text", "reason"), [
    ("", "holds no faces"), ("v 1 2\nf 1 1 1", ":1: a vertex must be three numbers"), ("v 1 2 x", "three numbers"),
    ("v 0 0 0\nf 1 1 2", ":2: a face names corner 2"), ("v 0 0 0\nf 1 1", "three corners"), ("f a b c", "'a' is no"),
    ("v 1e9 0 0", "1,000 km"), ("v nan 0 0\nf 1 1 1", ":1: a vertex is not a number"), ("v 0 inf 0", ":1: a vertex"),
    ("v 0 0 0\nf 1 1 " + "9" * 999, "names corner 99999"), ("v 0 0 0\nf" + " 1" * 500_003, "limit of a ground"),
])  # fmt: skip
def test_broken_mesh_is_told_with_its_line(tmp_path, text, reason):
    path = tmp_path / "broken.obj"
    path.write_text(text)
    with pytest.raises(MotionFileError, match=reason):
        read_obj(path)


@pytest.mark.parametrize(
    "name", ["../hill.obj", "{outside}", "a/../../hill.obj", "link.obj", ".", "C:/hill.obj", "x" * 5000]
)
def test_mesh_elsewhere_than_beside_its_ground_is_not_read(tmp_path, name):
    outside = tmp_path / "hill.obj"
    outside.write_text(_OBJ)
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "link.obj").symlink_to(outside)
    (folder / "ground.json").write_text(json.dumps({"mesh": name.replace("{outside}", str(outside))}))
    with pytest.raises(MotionFileError, match=r"only files beside|cannot be (read|found)"):
        read_ground(folder / "ground.json")


def test_very_large_ground_file_is_refused_with_the_limit(tmp_path):
    path = written(tmp_path, "{}")
    os.truncate(path, 33 << 20)
    with pytest.raises(MotionFileError, match="34,603,008 bytes, the limit is 32 MB"):
        read_ground(path)


def test_mesh_in_a_folder_beside_its_ground_is_read(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "hill.obj").write_text(_OBJ)
    (tmp_path / "ground.json").write_text('{"mesh": "meshes/hill.obj"}')
    assert len(read_ground(tmp_path / "ground.json").meshes[0].triangles) == 2


def test_mesh_that_is_named_many_times_is_read_once(tmp_path):
    ground = read_ground(written(tmp_path, json.dumps({"mesh": ["hill.obj"] * 900})))
    assert len(ground.meshes) == 900
    assert len({id(mesh) for mesh in ground.meshes}) == 1


def test_meshes_with_too_many_triangles_together_are_refused_with_the_limit(tmp_path):
    obj = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf" + " 1 2 3" * 1000
    with pytest.raises(MotionFileError, match="more than 500,000 triangles together"):
        read_ground(written(tmp_path, json.dumps({"mesh": ["hill.obj"] * 200}), obj))


def test_written_grounds_are_read_as_they_were(tmp_path):
    ground = read_ground(written(tmp_path, _MIXTURE))
    grid, mesh = ground.grids[0], ground.meshes[0]
    more = ground.adding(Grid((0.0, 0.0), 1.0, grid.heights_m), mesh.moved((1.0, 2.0, 3.0)))
    for one in (FLAT, ground, more):
        write_ground(one, tmp_path / "out.json")
        back = read_ground(tmp_path / "out.json")
        assert back.boxes == one.boxes
        assert (back.ramps, back.grids) == (one.ramps, one.grids)
        assert all(np.array_equal(a.corners, b.corners) for a, b in zip(back.meshes, one.meshes, strict=True))


def test_stairs_are_written_as_their_steps(tmp_path):
    ground = Ground(stairs=(Stairs((1.0, 2.0), 0.5, 4, 0.3, 0.15),))
    write_ground(ground, tmp_path / "stairs.json")
    back = read_ground(tmp_path / "stairs.json")
    places = np.random.default_rng(1).uniform(0.0, 4.0, size=(300, 2))
    assert len(back.boxes) == 4
    assert np.allclose(back.heights(places), ground.heights(places))


def test_grounds_that_cannot_be_written_are_told_of(tmp_path):
    with pytest.raises(MotionFileError, match="cannot be written"):
        write_ground(FLAT, tmp_path / "no" / "ground.json")
