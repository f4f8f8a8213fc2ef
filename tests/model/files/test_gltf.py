"""glTF files written by us: what they mean by glTF's own rules, and what comes back when we read them.

`Evaluated` is an independent reading of glTF: plain matrices, one joint and one time after the other.
"""

import base64
import json
import math
import struct
from dataclasses import replace

import numpy as np
import pytest

from model.files.bvh import read_bvh, write_bvh
from model.files.gltf import read_gltf, write_gltf
from model.files.problems import MotionFileError
from model.kinematics import end_site_positions
from model.motion import Motion, Pose, rest_motion
from model.rotation import IDENTITY, from_axis_angle, from_rotation_vector, to_matrix
from model.skeleton import EndSite, Skeleton
from model.units import CENTIMETRE, METRE
from tests.clips import Y, data_name, figure, needs_data, random_motion, recorded, waving_figure

SIZES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def json_and_chunk(path):
    data = path.read_bytes()
    if not data.startswith(b"glTF"):
        return json.loads(data), None
    version, length, json_length, json_kind = struct.unpack_from("<IIII", data, 4)
    assert (version, length, json_kind) == (2, len(data), 0x4E4F534A)
    chunk_length, chunk_kind = struct.unpack_from("<II", data, 20 + json_length)
    assert chunk_kind == 0x004E4942
    assert json_length % 4 == chunk_length % 4 == 0
    return json.loads(data[20 : 20 + json_length]), data[28 + json_length : 28 + json_length + chunk_length]


class Evaluated:
    """A glTF file's nodes in the world, straight from the specification."""

    def __init__(self, path):
        self.doc, chunk = json_and_chunk(path)
        self.buffers = []
        for buffer in self.doc.get("buffers", []):
            uri = buffer.get("uri")
            if uri is None:
                self.buffers.append(chunk)
            elif uri.startswith("data:"):
                self.buffers.append(base64.b64decode(uri.split(",")[1]))
            else:
                self.buffers.append((path.parent / uri).read_bytes())
        self.parents = {c: n for n, node in enumerate(self.doc["nodes"]) for c in node.get("children", [])}
        self.cache = {}

    def stored(self, reference, count, kind, width):
        view = self.doc["bufferViews"][reference["bufferView"]]
        start = view.get("byteOffset", 0) + reference.get("byteOffset", 0)
        stride = view.get("byteStride", struct.calcsize("<" + kind) * width)
        data = self.buffers[view["buffer"]]
        return [list(struct.unpack_from(f"<{width}{kind}", data, start + n * stride)) for n in range(count)]

    def values(self, index):
        if index in self.cache:
            return self.cache[index]
        accessor = self.doc["accessors"][index]
        kind, width = SIZES[accessor["componentType"]], WIDTHS[accessor["type"]]
        rows = [[0] * width for _ in range(accessor["count"])]
        if "bufferView" in accessor:
            rows = self.stored(accessor, accessor["count"], kind, width)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            at = self.stored(sparse["indices"], sparse["count"], SIZES[sparse["indices"]["componentType"]], 1)
            for (place,), row in zip(at, self.stored(sparse["values"], sparse["count"], kind, width), strict=True):
                rows[place] = row
        if accessor.get("normalized"):
            most = {"b": 127, "B": 255, "h": 32767, "H": 65535}[kind]
            rows = [[max(x / most, -1.0) for x in row] for row in rows]
        self.cache[index] = rows
        return rows

    def sampled(self, sampler, path, time):
        times = [row[0] for row in self.values(sampler["input"])]
        values = [np.array(row) for row in self.values(sampler["output"])]
        mode = sampler.get("interpolation", "LINEAR")
        spline = mode == "CUBICSPLINE"
        if spline:
            values = [values[3 * n : 3 * n + 3] for n in range(len(times))]
        time = min(max(time, times[0]), times[-1])
        below = max(n for n, t in enumerate(times) if t <= time)
        if below == len(times) - 1 or mode == "STEP":
            value = values[below][1] if spline else values[below]
        else:
            span = times[below + 1] - times[below]
            t = (time - times[below]) / span
            a, b = values[below], values[below + 1]
            if spline:
                value = (2 * t**3 - 3 * t**2 + 1) * a[1] + span * (t**3 - 2 * t**2 + t) * a[2]
                value = value + (-2 * t**3 + 3 * t**2) * b[1] + span * (t**3 - t**2) * b[0]
            elif path == "rotation":
                cosine = float(a @ b)
                a = -a if cosine < 0 else a
                angle = math.acos(min(abs(cosine) / np.linalg.norm(a) / np.linalg.norm(b), 1.0))
                if angle < 1e-6:
                    value = a + t * (b - a)
                else:
                    value = (math.sin((1 - t) * angle) * a + math.sin(t * angle) * b) / math.sin(angle)
            else:
                value = a + t * (b - a)
        return value / np.linalg.norm(value) if path == "rotation" else value

    def local(self, index, time, animation):
        node = self.doc["nodes"][index]
        if "matrix" in node:
            return np.array(node["matrix"], dtype=float).reshape(4, 4).T
        parts = {
            "translation": np.array(node.get("translation", [0, 0, 0]), dtype=float),
            "rotation": np.array(node.get("rotation", [0, 0, 0, 1]), dtype=float),
            "scale": np.array(node.get("scale", [1, 1, 1]), dtype=float),
        }
        if animation is not None:
            for channel in animation["channels"]:
                if channel["target"].get("node") == index and channel["target"]["path"] in parts:
                    path = channel["target"]["path"]
                    parts[path] = self.sampled(animation["samplers"][channel["sampler"]], path, time)
        x, y, z, w = parts["rotation"]
        matrix = np.eye(4)
        matrix[:3, :3] = to_matrix(np.array([w, x, y, z])) @ np.diag(parts["scale"])
        matrix[:3, 3] = parts["translation"]
        return matrix

    def world(self, time=None, animation=0):
        """Node index to (4, 4) world matrix; without a time, as the nodes stand."""
        moving = None if time is None else self.doc["animations"][animation]
        done = {}

        def of(index):
            if index not in done:
                above = of(self.parents[index]) if index in self.parents else np.eye(4)
                done[index] = above @ self.local(index, time, moving)
            return done[index]

        for index in range(len(self.doc["nodes"])):
            of(index)
        return done

    def node(self, name):
        return next(n for n, node in enumerate(self.doc["nodes"]) if node.get("name") == name)


def some_frames(motion):
    return sorted({0, 1, motion.frames // 3, motion.frames - 2, motion.frames - 1} & set(range(motion.frames)))


def means_the_motion(path, motion, atol=2e-6):
    """By glTF's own rules every joint is where the motion has it, and turned as it is."""
    evaluated = Evaluated(path)
    for frame in some_frames(motion):
        world = evaluated.world(frame * motion.frame_time_s)
        for joint in range(len(motion.skeleton)):
            np.testing.assert_allclose(world[joint][:3, 3], motion.world.positions[frame, joint], atol=atol)
            turned = to_matrix(motion.world.rotations[frame, joint])
            np.testing.assert_allclose(world[joint][:3, :3], turned, atol=atol)
        if motion.skeleton.end_sites:
            tips = end_site_positions(motion.skeleton, motion.world)[frame]
            first = len(motion.skeleton)
            np.testing.assert_allclose([world[first + n][:3, 3] for n in range(len(tips))], tips, atol=atol)
    return evaluated


def two_bodies():
    """A person and, with a root of its own, a ball."""
    person = figure()
    names, parents = (*person.names, "Ball"), (*person.parents, -1)
    offsets = np.concatenate([person.offsets, [[1.0, 0.1, 0.0]]])
    return Skeleton(names, parents, offsets, person.end_sites, (*person.roles, None))


def with_rest(motion):
    rng = np.random.default_rng(3)
    turns = from_rotation_vector(rng.normal(size=(len(motion.skeleton), 3)))
    pose = Pose(np.array([0.1, 0.2, 1 / 3]), turns, np.array(motion.local_offsets))
    return replace(motion, rest=pose, first_frame=7)


MOTIONS = {
    "waving": lambda: waving_figure(50),
    "random": lambda: random_motion(25),
    "moving limbs": lambda: random_motion(25, moving_limbs=True),
    "two bodies": lambda: random_motion(20, skeleton=two_bodies(), moving_limbs=True),
    "odd frame time": lambda: replace(random_motion(25), frame_time_s=0.0083333),
    "rest pose": lambda: with_rest(random_motion(25)),
    "one frame": lambda: random_motion(1),
    "two frames": lambda: random_motion(2),
    "standing still": lambda: rest_motion(figure(), 1 / 60, 40),
    "no tips": lambda: random_motion(9, skeleton=replace(figure(), end_sites=())),
    "one joint": lambda: random_motion(9, skeleton=Skeleton(("only",), (-1,), np.zeros((1, 3)))),
}


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("name", MOTIONS)
def test_files_mean_the_motion_and_come_back_whole(name, suffix, tmp_path):
    motion = MOTIONS[name]()
    path = tmp_path / f"clip.{suffix}"
    assert write_gltf(motion, path) == ()
    means_the_motion(path, motion)
    reading = read_gltf(path)
    comes_back(reading.motion, motion)
    assert reading.problems == ()
    assert list(tmp_path.iterdir()) == [path]


def comes_back(again, motion):
    assert again.frame_time_s == motion.frame_time_s
    assert (again.frames, again.first_frame) == (motion.frames, motion.first_frame)
    assert again.skeleton.names == motion.skeleton.names
    assert again.skeleton.parents == motion.skeleton.parents
    assert again.skeleton.roles == motion.skeleton.roles
    np.testing.assert_array_equal(again.skeleton.offsets, motion.skeleton.offsets)
    ours = [(site.joint, site.label, *site.offset) for site in motion.skeleton.end_sites]
    assert [(site.joint, site.label, *site.offset) for site in again.skeleton.end_sites] == ours
    assert again.limbs_are_fixed or not motion.limbs_are_fixed
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=2e-6)
    np.testing.assert_allclose(to_matrix(again.world.rotations), to_matrix(motion.world.rotations), atol=2e-6)
    assert (again.rest is None) == (motion.rest is None)
    if motion.rest is not None:
        np.testing.assert_array_equal(again.rest.root_position, motion.rest.root_position)
        np.testing.assert_array_equal(again.rest.local_rotations, motion.rest.local_rotations)
        np.testing.assert_array_equal(again.rest.local_offsets, motion.rest.local_offsets)


def test_reading_and_writing_again_changes_nothing(tmp_path):
    write_gltf(with_rest(random_motion(30)), tmp_path / "a.glb")
    once = read_gltf(tmp_path / "a.glb").motion
    write_gltf(once, tmp_path / "a2.glb")
    twice = read_gltf(tmp_path / "a2.glb").motion
    np.testing.assert_allclose(twice.local_rotations, once.local_rotations, atol=1e-7)
    np.testing.assert_array_equal(twice.root_positions, once.root_positions)


RECORDED = recorded(
    "cmu-bvh/16_15.bvh", "other-bvh/accad_male1/Male1_B3_Walk.bvh", "other-bvh/bandai/dataset-1_walk_normal_001.bvh",
    "other-bvh/rokoko_jesse_dance.bvh", "other-bvh/makehuman_walk1.bvh", "other-bvh/fair1_wave_hello.bvh",
)  # fmt: skip


@needs_data
@pytest.mark.parametrize("path", RECORDED, ids=data_name)
def test_recorded_clips_come_back_whole(path, tmp_path):
    motion = read_bvh(path).motion
    write_gltf(motion, tmp_path / "clip.glb")
    means_the_motion(tmp_path / "clip.glb", motion)
    comes_back(read_gltf(tmp_path / "clip.glb").motion, motion)


def test_a_clip_read_from_gltf_can_be_written_as_bvh(tmp_path):
    motion = with_rest(random_motion(20, moving_limbs=True))
    write_gltf(motion, tmp_path / "clip.glb")
    read = read_gltf(tmp_path / "clip.glb").motion
    assert (read.origin.unit, read.origin.up, read.origin.format) == (METRE, "+Y", "gltf")
    for cut in (read, read.sliced(3, 15), read.resampled(10.0)):
        write_bvh(cut, tmp_path / "clip.bvh")
        again = read_bvh(tmp_path / "clip.bvh").motion
        np.testing.assert_allclose(again.world.positions[-5:], cut.world.positions[-5:], atol=1e-6)


# The file itself


def written(motion, path):
    write_gltf(motion, path)
    return Evaluated(path)


def test_the_skin_binds_every_joint_and_tip_where_it_rests(tmp_path):
    motion = random_motion(10)
    file = written(motion, tmp_path / "clip.glb")
    (skin,) = file.doc["skins"]
    rest = file.world()
    assert len(skin["joints"]) == len(motion.skeleton) + len(motion.skeleton.end_sites)
    for joint, row in zip(skin["joints"], file.values(skin["inverseBindMatrices"]), strict=True):
        np.testing.assert_allclose(rest[joint] @ np.array(row).reshape(4, 4).T, np.eye(4), atol=1e-6)


def test_the_figure_hangs_on_the_joints(tmp_path):
    motion = waving_figure(10)
    file = written(motion, tmp_path / "clip.glb")
    (primitive,) = file.doc["meshes"][0]["primitives"]
    places, owners, weights = (np.array(file.values(primitive["attributes"][key])) for key in
                               ("POSITION", "JOINTS_0", "WEIGHTS_0"))  # fmt: skip
    bones = len(motion.skeleton) - 1 + len(motion.skeleton.end_sites)
    assert len(places) == 6 * bones
    np.testing.assert_array_equal(weights, np.tile([1, 0, 0, 0], (len(places), 1)))
    rest = motion.skeleton.rest_positions()
    np.testing.assert_allclose(places[::6], rest[owners[::6, 0]], atol=1e-6)
    indices = np.array(file.values(primitive["indices"]))
    assert indices.shape == (24 * bones, 1)
    assert (indices.min(), indices.max()) == (0, len(places) - 1)
    # Faces look outward.
    corners = places[indices.reshape(-1, 3)]
    middle = places.reshape(bones, 6, 3).mean(axis=1).repeat(8, axis=0)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.all(np.sum(normals * (corners.mean(axis=1) - middle), axis=-1) > 0)


def test_bounds_are_given_where_gltf_asks_for_them_and_hold(tmp_path):
    file = written(random_motion(10), tmp_path / "clip.gltf")
    asked = {sampler["input"] for sampler in file.doc["animations"][0]["samplers"]}
    asked.add(file.doc["meshes"][0]["primitives"][0]["attributes"]["POSITION"])
    for index in asked:
        rows = np.array(file.values(index))
        np.testing.assert_array_equal(file.doc["accessors"][index]["min"], rows.min(axis=0))
        np.testing.assert_array_equal(file.doc["accessors"][index]["max"], rows.max(axis=0))


def test_arrays_start_at_multiples_of_four_and_fill_the_buffer(tmp_path):
    file = written(random_motion(10), tmp_path / "clip.glb")
    ends = 0
    for view in file.doc["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert ends <= view["byteOffset"] < ends + 4
        ends = view["byteOffset"] + view["byteLength"]
    assert file.doc["buffers"] == [{"byteLength": len(file.buffers[0])}]
    assert len({accessor["bufferView"] for accessor in file.doc["accessors"]}) == len(file.doc["bufferViews"])


def test_neighbouring_rotations_never_take_the_long_way(tmp_path):
    motion = random_motion(200)
    flipped = motion.local_rotations * np.random.default_rng(2).choice([-1.0, 1.0], size=(200, len(motion.skeleton), 1))
    file = written(replace(motion, local_rotations=flipped), tmp_path / "clip.glb")
    for channel in file.doc["animations"][0]["channels"]:
        if channel["target"]["path"] == "rotation":
            keys = np.array(file.values(file.doc["animations"][0]["samplers"][channel["sampler"]]["output"]))
            assert np.all(np.sum(keys[1:] * keys[:-1], axis=-1) > 0)
            assert keys[0, 3] >= 0
            np.testing.assert_allclose(np.linalg.norm(keys, axis=-1), 1.0, atol=1e-6)


def test_joints_that_stand_still_have_two_keys_over_the_whole_time(tmp_path):
    motion = waving_figure(60)
    file = written(motion, tmp_path / "clip.glb")
    (animation,) = file.doc["animations"]
    lengths = set()
    for sampler in animation["samplers"]:
        times = file.values(sampler["input"])
        assert times[0] == [0.0]
        assert times[-1][0] == pytest.approx(motion.duration_s)
        lengths.add(len(times))
    assert lengths == {2, 60}
    assert {channel["target"]["path"] for channel in animation["channels"]} == {"translation", "rotation"}
    assert sum(channel["target"]["path"] == "translation" for channel in animation["channels"]) == 1


def test_names_that_repeat_are_told_apart_and_restored(tmp_path):
    names = ("a", "b", "a", "a_2", "a", "")
    motion = random_motion(5, skeleton=Skeleton(names, (-1, 0, 1, 2, 3, 4), np.eye(6, 3), (EndSite(0, Y, "Tip 1"),)))
    problems = write_gltf(motion, tmp_path / "clip.glb")
    assert [problem.message for problem in problems] == [
        "joint 2 is called 'a_3', for names must differ",
        "joint 4 is called 'a_4', for names must differ",
        "joint 5 is called 'joint5', for names must differ",
    ]
    file = Evaluated(tmp_path / "clip.glb")
    given = [node["name"] for node in file.doc["nodes"]]
    assert len(set(given)) == len(given)
    again = read_gltf(tmp_path / "clip.glb").motion
    assert again.skeleton.names == ("a", "b", "a", "a_2", "a", "joint5")
    assert [site.label for site in again.skeleton.end_sites] == ["Tip 1"]


def test_names_of_any_script_are_kept(tmp_path):
    names = ("Hüfte", "背骨", "a b/c:d", '"quoted"\n')
    write_gltf(random_motion(3, skeleton=Skeleton(names, (-1, 0, 1, 2), np.eye(4, 3))), tmp_path / "ü 背.gltf")
    assert read_gltf(tmp_path / "ü 背.gltf").motion.skeleton.names == names


def test_other_units_and_axes_are_refused_aloud(tmp_path):
    motion = waving_figure(5)
    assert write_gltf(motion, tmp_path / "a.glb", METRE, "+Y") == ()
    problems = write_gltf(motion, tmp_path / "b.glb", CENTIMETRE, "+Z")
    assert [problem.message for problem in problems] == [
        "glTF is always in metres; cm is ignored",
        "glTF always has +Y up; +Z is ignored",
    ]
    means_the_motion(tmp_path / "b.glb", motion)


def test_a_motion_without_frames_is_written_as_its_skeleton(tmp_path):
    (problem,) = write_gltf(waving_figure(5).sliced(0, 0), tmp_path / "a.glb")
    assert "no frames" in problem.message
    reading = read_gltf(tmp_path / "a.glb")
    assert reading.motion.frames == 1
    assert "no animation" in reading.problems[0].message


def test_motions_that_are_not_finite_are_refused_and_leave_the_old_file(tmp_path):
    motion = waving_figure(5)
    write_gltf(motion, tmp_path / "a.glb")
    before = (tmp_path / "a.glb").read_bytes()
    roots = np.array(motion.root_positions)
    roots[2, 1] = np.nan
    with pytest.raises(ValueError, match="root_positions"):
        write_gltf(replace(motion, root_positions=roots), tmp_path / "a.glb")
    assert (tmp_path / "a.glb").read_bytes() == before


def test_a_folder_that_is_not_there_is_a_file_error(tmp_path):
    with pytest.raises(MotionFileError, match="cannot be written"):
        write_gltf(waving_figure(2), tmp_path / "no" / "a.glb")


def test_a_long_clip_that_stands_still_is_read_again(tmp_path):
    motion = rest_motion(figure(), 1 / 120, 60_000)
    write_gltf(motion, tmp_path / "a.glb")
    again = read_gltf(tmp_path / "a.glb").motion
    assert again.frames == 60_000


def test_a_wide_skeleton_has_wide_indices(tmp_path):
    count = 11_000
    offsets = np.full((count, 3), 0.01)
    skeleton = Skeleton(tuple(f"j{n}" for n in range(count)), (-1, *([0] * (count - 1))), offsets)
    motion = Motion(skeleton, 0.1, np.zeros((1, 3)), np.tile(IDENTITY, (1, count, 1)), offsets)
    file = written(motion, tmp_path / "a.glb")
    (primitive,) = file.doc["meshes"][0]["primitives"]
    assert file.doc["accessors"][primitive["indices"]]["componentType"] == 5125
    assert file.doc["accessors"][primitive["attributes"]["JOINTS_0"]]["componentType"] == 5123
    assert max(row[0] for row in file.values(primitive["attributes"]["JOINTS_0"])) == count - 1


def test_offsets_that_are_not_the_skeletons_own_come_back(tmp_path):
    motion = random_motion(12)
    motion = replace(motion, local_offsets=motion.local_offsets * 1.1)
    write_gltf(motion, tmp_path / "a.glb")
    again = read_gltf(tmp_path / "a.glb").motion
    assert again.limbs_are_fixed
    np.testing.assert_array_equal(again.skeleton.offsets, motion.skeleton.offsets)
    np.testing.assert_allclose(again.local_offsets[1:], motion.local_offsets[1:], atol=1e-7)


def test_half_turns_between_frames_keep_their_places(tmp_path):
    motion = rest_motion(figure(), 1 / 30, 8)
    turns = np.array(motion.local_rotations)
    turns[:, 0] = from_axis_angle(Y, np.arange(8) * np.pi)
    motion = replace(motion, local_rotations=turns)
    write_gltf(motion, tmp_path / "a.glb")
    means_the_motion(tmp_path / "a.glb", motion)
