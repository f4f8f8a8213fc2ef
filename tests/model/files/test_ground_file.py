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
    ('{"mesh": 5}', "mesh must be the name"), ('{"mesh": "none.obj"}', "none.obj: cannot be read"),
])  # fmt: skip
def test_what_is_wrong_is_told(tmp_path, text, reason):
    with pytest.raises(MotionFileError, match=reason):
        read_ground(written(tmp_path, text))


@pytest.mark.parametrize(("text", "reason"), [
    ("", "holds no faces"), ("v 1 2\nf 1 1 1", ":1: a vertex must be three numbers"), ("v 1 2 x", "three numbers"),
    ("v 0 0 0\nf 1 1 2", ":2: a face names corner 2"), ("v 0 0 0\nf 1 1", "three corners"), ("f a b c", "'a' is no"),
    ("v 1e9 0 0", "1,000 km"),
])  # fmt: skip
def test_broken_mesh_is_told_with_its_line(tmp_path, text, reason):
    path = tmp_path / "broken.obj"
    path.write_text(text)
    with pytest.raises(MotionFileError, match=reason):
        read_obj(path)


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
