"""glTF files as other programs write them: the same motion in many guises reads as the same motion.

`Guise` writes a motion of ours with rest orientations, carriers and encodings of its own; reading must undo
all of it. Where a file is not a motion of ours in disguise, `Evaluated` says where its nodes are.
"""

import base64
import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from model.files.gltf import parse_gltf, read_gltf
from model.files.problems import MotionFileError, ReadOptions
from model.motion import Motion, rest_motion
from model.rotation import (
    IDENTITY,
    angle_between,
    conjugate,
    from_axis_angle,
    from_rotation_vector,
    multiply,
    rotate,
    to_matrix,
    unroll,
)
from model.skeleton import Skeleton
from model.units import CENTIMETRE, METRE
from tests.clips import X, Y, figure, random_motion, waving_figure
from tests.model.files.test_gltf import Evaluated

UPRIGHT = from_axis_angle(X, -np.pi / 2)


def xyzw(rotations):
    return np.asarray(rotations)[..., [1, 2, 3, 0]]


class Guise:
    """A glTF file in the making: its JSON and its bytes."""

    def __init__(self):
        self.doc = {"asset": {"version": "2.0", "generator": "somebody else"}, "nodes": [], "bufferViews": [],
                    "accessors": []}  # fmt: skip
        self.bytes = b""

    def view(self, data, **more):
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        self.doc["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data), **more})
        self.bytes += data
        return len(self.doc["bufferViews"]) - 1

    def accessor(self, rows, kind=5126, dtype="<f4", **more):
        rows = np.asarray(rows, dtype=dtype)
        rows = rows.reshape(len(rows), -1)
        width = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[rows.shape[1]]
        accessor = {"componentType": kind, "count": len(rows), "type": width, "bufferView": self.view(rows.tobytes())}
        self.doc["accessors"].append({**accessor, **more})
        return len(self.doc["accessors"]) - 1

    def animate(self, node, path, times, values, interpolation=None, animation=0, **more):
        animations = self.doc.setdefault("animations", [])
        while len(animations) <= animation:
            animations.append({"name": f"take {len(animations)}", "channels": [], "samplers": []})
        sampler = {"input": times if isinstance(times, int) else self.accessor(times),
                   "output": values if isinstance(values, int) else self.accessor(values, **more)}  # fmt: skip
        if interpolation:
            sampler["interpolation"] = interpolation
        target = animations[animation]
        target["channels"].append({"sampler": len(target["samplers"]), "target": {"node": node, "path": path}})
        target["samplers"].append(sampler)

    def glb(self):
        self.doc["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.doc).encode()
        text += b" " * (-len(text) % 4)
        data = self.bytes + b"\0" * (-len(self.bytes) % 4)
        head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A)
        return head + text + struct.pack("<II", len(data), 0x004E4942) + data

    def gltf(self, uri=None):
        uri = uri or "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        self.doc["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        return json.dumps(self.doc, indent=1).encode()


def orientations(skeleton, seed=5):
    """Some rest orientation for every joint, in the world."""
    return from_rotation_vector(np.random.default_rng(seed).normal(size=(len(skeleton), 3)))


def disguised(motion, rest=None, carrier=None, scale=1.0, place=(0.0, 0.0, 0.0), skin=True, bind_in_carrier=False):
    """A motion with rest orientations (J, 4), under a node that turns, scales and shifts it.

    Nodes: the carrier, then the joints. With R rest orientations, D our world rotations and C the carrier,
    a node's world rotation is D R.
    """
    skeleton = motion.skeleton
    rest = orientations(skeleton) if rest is None else rest
    carrier = IDENTITY if carrier is None else carrier
    place = np.array(place)
    guise = Guise()
    node = {"name": "Armature", "rotation": xyzw(carrier).tolist(), "scale": [scale] * 3, "translation": place.tolist()}
    guise.doc["nodes"].append({**node, "children": [1 + root for root in skeleton.roots]})
    turned = multiply(motion.world.rotations, rest)  # (F, J, 4)
    times = guise.accessor(np.arange(motion.frames) * motion.frame_time_s)
    for joint, parent in enumerate(skeleton.parents):
        above_rest = carrier if parent < 0 else rest[parent]
        above = np.tile(carrier, (motion.frames, 1)) if parent < 0 else turned[:, parent]
        local = multiply(conjugate(above), turned[:, joint])
        offset = skeleton.offsets[joint] - (place if parent < 0 else 0.0)
        node = {
            "name": skeleton.names[joint],
            "rotation": xyzw(multiply(conjugate(above_rest), rest[joint])).tolist(),
            "translation": (rotate(conjugate(above_rest), offset) / scale).tolist(),
        }
        if skeleton.children[joint]:
            node["children"] = [1 + child for child in skeleton.children[joint]]
        guise.doc["nodes"].append(node)
        guise.animate(1 + joint, "rotation", times, xyzw(local))
        if parent < 0 or not motion.limbs_are_fixed:
            moves = motion.root_positions - place if joint == 0 else motion.local_offsets[..., joint, :]
            moves = np.broadcast_to(moves, (motion.frames, 3))
            guise.animate(1 + joint, "translation", times, rotate(conjugate(above_rest), moves) / scale)
    if skin:
        positions = skeleton.rest_positions()
        binds = np.tile(np.eye(4), (len(skeleton), 1, 1))
        binds[:, :3, :3] = to_matrix(rest) * scale
        binds[:, :3, 3] = positions
        if bind_in_carrier:
            world = np.eye(4)
            world[:3, :3], world[:3, 3] = to_matrix(carrier) * scale, place
            binds = np.linalg.inv(world) @ binds
        inverse = np.linalg.inv(binds).transpose(0, 2, 1).reshape(-1, 16)
        guise.doc["skins"] = [
            {"joints": list(range(1, len(skeleton) + 1)), "inverseBindMatrices": guise.accessor(inverse)}
        ]
        guise.doc["meshes"] = [{"primitives": []}]
        guise.doc["nodes"].append({"name": "Body", "mesh": 0, "skin": 0})
    return guise


def read(guise, options=None):
    return parse_gltf(guise.glb(), "clip.glb", options)


def messages(reading):
    return " | ".join(problem.message for problem in reading.problems)


def is_the_motion(read, motion, atol=3e-6):
    """The same motion, whatever the order of joints."""
    assert set(read.skeleton.names) == set(motion.skeleton.names)
    order = [read.skeleton.find(name) for name in motion.skeleton.names]
    assert read.frames == motion.frames
    np.testing.assert_allclose(read.frame_time_s, motion.frame_time_s, rtol=1e-5)
    np.testing.assert_allclose(read.world.positions[:, order], motion.world.positions, atol=atol)
    assert np.max(angle_between(read.world.rotations[:, order], motion.world.rotations)) < 10 * atol
    assert np.max(angle_between(read.local_rotations[:, order], motion.local_rotations)) < 10 * atol
    np.testing.assert_allclose(read.skeleton.offsets[order], motion.skeleton.offsets, atol=atol)
    assert read.limbs_are_fixed == motion.limbs_are_fixed
    ours = [motion.skeleton.roles[motion.skeleton.find(name)] for name in read.skeleton.names]
    assert list(read.skeleton.roles) == ours


MOTION = random_motion(24)

GUISES = {
    "no rest orientations": lambda: disguised(MOTION, np.tile(IDENTITY, (len(MOTION.skeleton), 1))),
    "rest orientations": lambda: disguised(MOTION),
    "centimetres under a carrier": lambda: disguised(MOTION, carrier=UPRIGHT, scale=0.01),
    "bound in the carrier's space": lambda: disguised(MOTION, carrier=UPRIGHT, scale=0.01, bind_in_carrier=True),
    "a carrier that stands elsewhere": lambda: disguised(MOTION, carrier=UPRIGHT, scale=2.5, place=(1, 2, 3)),
    "no skin": lambda: disguised(MOTION, skin=False),
    "no skin under a carrier": lambda: disguised(MOTION, skin=False, carrier=UPRIGHT, scale=0.01, place=(1, 2, 3)),
}


@pytest.mark.parametrize("name", GUISES)
def test_the_same_motion_in_another_guise_is_the_same(name):
    is_the_motion(read(GUISES[name]()).motion, MOTION)


def test_limbs_that_move_in_another_guise_are_the_same():
    motion = random_motion(20, moving_limbs=True)
    is_the_motion(read(disguised(motion, carrier=UPRIGHT, scale=0.01)).motion, motion)


def test_nodes_in_another_pose_than_the_bind_pose_leave_the_rest_pose_alone():
    guise = disguised(MOTION)
    rng = np.random.default_rng(8)
    for node in guise.doc["nodes"][2:-1]:
        turn = multiply(np.array(node["rotation"])[[3, 0, 1, 2]], from_rotation_vector(rng.normal(size=3)))
        node["rotation"] = xyzw(turn).tolist()
    is_the_motion(read(guise).motion, MOTION)


def test_nodes_without_any_pose_of_their_own_take_lengths_from_the_motion():
    motion = random_motion(20, moving_limbs=True)
    guise = disguised(motion)
    for node in guise.doc["nodes"][1:-1]:
        node.pop("translation")
        node.pop("rotation")
    found = read(guise).motion
    np.testing.assert_allclose(found.world.positions, motion.world.positions, atol=3e-6)
    assert np.all(np.linalg.norm(found.skeleton.offsets[1:], axis=-1) > 1e-3)


def test_matrices_mean_what_their_parts_mean():
    guise = disguised(MOTION, carrier=UPRIGHT, scale=0.01, place=(1, 2, 3))
    node = guise.doc["nodes"][0]
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = 0.01 * to_matrix(UPRIGHT), (1, 2, 3)
    for key in ("rotation", "scale", "translation"):
        node.pop(key)
    node["matrix"] = matrix.T.reshape(-1).tolist()
    is_the_motion(read(guise).motion, MOTION)


def test_a_carrier_that_moves_moves_the_body(tmp_path):
    guise = disguised(MOTION, carrier=UPRIGHT, scale=0.01)
    times = np.arange(MOTION.frames) * MOTION.frame_time_s
    guise.animate(0, "translation", times, np.outer(times, [1.0, 0.0, 2.0]))
    guise.animate(0, "rotation", times, xyzw(multiply(from_axis_angle(Y, times), UPRIGHT)))
    agrees_with_gltf(guise, tmp_path)


def agrees_with_gltf(guise, folder, start=0.0, atol=3e-6, animation=0):
    """Joints are where glTF's own transforms put them, and have turned since rest as its do. -> the reading."""
    path = folder / "clip.glb"
    path.write_bytes(guise.glb())
    reading = read_gltf(path, ReadOptions(unit=METRE))
    motion = reading.motion
    file = Evaluated(path)
    nodes = [file.node(name) for name in motion.skeleton.names]
    rest = file.world()
    for frame in range(motion.frames):
        world = file.world(start + frame * motion.frame_time_s, animation)
        expected = np.array([world[node][:3, 3] for node in nodes])
        np.testing.assert_allclose(motion.world.positions[frame], expected, atol=atol, err_msg=f"frame {frame}")
        for joint, node in enumerate(nodes):
            change = axes_of(world[node]) @ axes_of(rest[node]).T
            np.testing.assert_allclose(to_matrix(motion.world.rotations[frame, joint]), change, atol=10 * atol)
    return reading


def axes_of(matrix):
    return matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)


def chain(joints=4):
    """A file of a few joints in a chain, turned at rest, without animation."""
    guise = Guise()
    rng = np.random.default_rng(4)
    for n in range(joints):
        guise.doc["nodes"].append({"name": f"n{n}", "translation": rng.normal(size=3).tolist(),
                                   "rotation": xyzw(from_rotation_vector(rng.normal(size=3))).tolist()})  # fmt: skip
        if n:
            guise.doc["nodes"][n - 1]["children"] = [n]
    return guise


def turns(count, seed=1, size=1.0):
    return xyzw(unroll(from_rotation_vector(size * np.cumsum(np.random.default_rng(seed).normal(size=(count, 3)), 0))))


TENTHS = np.arange(0, 16) / 15.0


@pytest.mark.parametrize("mode", ["STEP", "LINEAR", "CUBICSPLINE", None])
def test_interpolations_are_followed_between_keys_of_different_times(mode, tmp_path):
    guise = chain()
    rng = np.random.default_rng(7)
    each = 3 if mode == "CUBICSPLINE" else 1
    for node, count in ((0, 2), (1, 3), (2, 7), (3, 31)):
        times = np.linspace(0.0, 2.0, count)
        keys = np.stack([rng.normal(size=(count, 4)), turns(count, node), rng.normal(size=(count, 4))], axis=1)
        guise.animate(node, "rotation", times, (keys if each == 3 else keys[:, 1]).reshape(-1, 4), mode)
        places = rng.normal(size=(count * each, 3))
        guise.animate(node, "translation", times, places, mode)
    # Keys are in single precision: a moment later every key due has been passed.
    reading = agrees_with_gltf(guise, tmp_path, start=1e-6 if mode == "STEP" else 0.0, atol=1e-5)
    assert reading.motion.fps == pytest.approx(15.0)
    assert reading.motion.frames == 31


def test_keys_that_go_the_long_way_are_turned_the_short_way(tmp_path):
    guise = chain()
    keys = turns(5) * np.array([1, -1, 1, -1, -1])[:, None]
    guise.animate(1, "rotation", np.arange(5) / 2.0, keys)
    agrees_with_gltf(guise, tmp_path)


def test_sparse_keys_are_sampled_at_thirty_frames_a_second(tmp_path):
    guise = chain()
    guise.animate(1, "rotation", [0.0, 0.5, 1.2, 2.0], turns(4))
    reading = agrees_with_gltf(guise, tmp_path)
    assert reading.motion.frames == 61
    assert "1/30 s, as the keys stand" in messages(reading)


@pytest.mark.parametrize("fps", [23.976023976, 24, 25, 29.97002997, 30, 48, 50, 59.94005994, 60, 90, 100, 120, 240])
def test_frame_times_are_told_from_keys_in_single_precision(fps):
    guise = chain()
    guise.animate(1, "rotation", np.arange(3000) / fps, turns(3000, size=0.01))
    guise.animate(0, "translation", np.array([0, 2999]) / fps, np.eye(2, 3))
    motion = read(guise).motion
    assert motion.frames == 3000
    assert motion.fps == pytest.approx(fps, rel=1e-7)
    np.testing.assert_allclose(motion.root_positions[-1], [0, 1, 0], atol=1e-6)


def test_a_late_start_is_frame_zero_and_said(tmp_path):
    guise = chain()
    guise.animate(1, "rotation", 2.0 + np.arange(20) / 30, turns(20))
    reading = agrees_with_gltf(guise, tmp_path, start=2.0, atol=1e-5)
    assert reading.motion.frames == 20
    assert "starts at 2 s" in messages(reading)


def test_uneven_keys_are_sampled_and_said(tmp_path):
    guise = chain()
    times = np.cumsum(np.random.default_rng(1).uniform(0.02, 0.06, size=40))
    guise.animate(1, "rotation", times, turns(40, size=0.2))
    reading = agrees_with_gltf(guise, tmp_path, start=float(np.float32(times[0])))
    assert "no even times" in messages(reading)


def test_a_frame_time_asked_for_is_kept(tmp_path):
    guise = chain()
    guise.animate(1, "rotation", np.arange(31) / 30, turns(31))
    motion = parse_gltf(guise.glb(), "", ReadOptions(frame_time_s=0.1)).motion
    assert (motion.frames, motion.frame_time_s) == (11, 0.1)


# Encodings


@pytest.mark.parametrize(("kind", "dtype", "most"), [(5120, "i1", 127), (5122, "<i2", 32767)])
def test_normalized_integers_are_rotations(kind, dtype, most, tmp_path):
    guise = chain()
    keys = np.round(turns(16) * most)
    keys[3] = [-most - 1, 0, 0, 0]  # the one number that has no opposite means -1, too
    guise.animate(1, "rotation", TENTHS, guise.accessor(keys, kind, dtype, normalized=True))
    agrees_with_gltf(guise, tmp_path)


@pytest.mark.parametrize(("kind", "dtype"), [(5121, "u1"), (5123, "<u2")])
def test_normalized_whole_numbers_are_places(kind, dtype, tmp_path):
    guise = chain()
    keys = np.random.default_rng(3).integers(0, np.iinfo(dtype).max, size=(16, 3))
    guise.animate(1, "translation", TENTHS, guise.accessor(keys, kind, dtype, normalized=True))
    agrees_with_gltf(guise, tmp_path)


def test_strides_and_offsets_are_followed(tmp_path):
    guise = chain()
    rows = np.zeros((17, 12), dtype="<f4")
    rows[1:, 2:5] = np.random.default_rng(3).normal(size=(16, 3))
    rows[1:, 6:10] = turns(16)
    view = guise.view(rows.tobytes(), byteStride=48)
    for width, offset, path in (("VEC3", 48 + 8, "translation"), ("VEC4", 48 + 24, "rotation")):
        guise.doc["accessors"].append(
            {"componentType": 5126, "count": 16, "type": width, "bufferView": view, "byteOffset": offset}
        )
        guise.animate(1, path, TENTHS, len(guise.doc["accessors"]) - 1)
    agrees_with_gltf(guise, tmp_path)


@pytest.mark.parametrize("over_zeros", [True, False])
def test_sparse_accessors_replace_values(over_zeros, tmp_path):
    guise = chain()
    index = guise.accessor(np.random.default_rng(3).normal(size=(16, 3)))
    accessor = guise.doc["accessors"][index]
    if over_zeros:
        accessor.pop("bufferView")
    accessor["sparse"] = {
        "count": 3,
        "indices": {"bufferView": guise.view(np.array([1, 7, 15], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": guise.view(np.arange(9, dtype="<f4").tobytes())},
    }
    guise.animate(1, "translation", TENTHS, index)
    reading = agrees_with_gltf(guise, tmp_path)
    assert not any(problem.severity == "warning" for problem in reading.problems)


def test_buffers_come_embedded_or_beside_the_file(tmp_path):
    guise = disguised(MOTION)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a b.bin").write_bytes(guise.bytes)
    for name, data in (
        ("a.gltf", guise.gltf()),
        ("b.gltf", guise.gltf("data/a%20b.bin")),
        ("c.gltf", b"\xef\xbb\xbf" + guise.gltf("data/a b.bin")),
        ("d.glb", guise.glb()),
        ("GLB named.gltf", guise.glb()),
    ):
        (tmp_path / name).write_bytes(data)
        is_the_motion(read_gltf(tmp_path / name).motion, MOTION)


# What the joints are


def test_nodes_between_joints_are_joints_and_those_above_are_not():
    guise = disguised(MOTION)
    knee = 1 + MOTION.skeleton.find("LeftLeg")
    guise.doc["skins"][0]["joints"].remove(knee)
    guise.doc["skins"][0].pop("inverseBindMatrices")
    is_the_motion(read(guise).motion, MOTION)


def test_skins_that_share_joints_are_one_body():
    guise = disguised(MOTION)
    (skin,) = guise.doc["skins"]
    part = skin["joints"][5:][::-1]
    nothing = guise.accessor(np.tile(np.eye(4).reshape(-1), (len(part), 1)))
    guise.doc["skins"].append({"joints": part, "inverseBindMatrices": nothing})
    reading = read(guise)
    is_the_motion(reading.motion, MOTION)
    assert "other bodies" not in messages(reading)


def test_the_body_that_moves_is_read_and_the_other_reported():
    guise = disguised(MOTION)
    first = len(guise.doc["nodes"])
    guise.doc["nodes"] += [{"name": f"idle{n}", "children": [first + n + 1]} for n in range(40)] + [{"name": "idle"}]
    guise.doc["skins"].insert(0, {"joints": list(range(first, first + 41))})
    guise.doc["nodes"][first - 1]["skin"] = 1
    reading = read(guise)
    is_the_motion(reading.motion, MOTION)
    assert "1 other bodies in the file are not read" in messages(reading)


def test_the_longest_animation_is_read_and_the_others_reported():
    guise = disguised(MOTION)
    guise.doc["animations"].insert(0, {"name": "short", "channels": [], "samplers": []})
    guise.animate(3, "rotation", [0.0, 0.1], turns(2), animation=0)
    reading = read(guise)
    is_the_motion(reading.motion, MOTION)
    assert "1 more are not: 'short'" in messages(reading)


def test_morph_targets_and_pointers_are_left_aside_quietly():
    guise = disguised(MOTION)
    guise.animate(len(guise.doc["nodes"]) - 1, "weights", [0.0, 9.0], guise.accessor([0.0, 1.0]))
    guise.animate(0, "pointer", [0.0, 9.0], guise.accessor([0.0, 1.0]))
    reading = read(guise)
    is_the_motion(reading.motion, MOTION)
    assert not any(problem.severity == "warning" for problem in reading.problems)


def test_bare_nodes_at_the_ends_of_limbs_are_tips():
    guise = disguised(MOTION)
    head, hips = 1 + MOTION.skeleton.find("Head"), 1
    for joint, name in ((head, "HeadTop_End"), (hips, "socket")):
        guise.doc["nodes"].append({"name": name, "translation": [0.1, 0.2, 0.3]})
        guise.doc["nodes"][joint].setdefault("children", []).append(len(guise.doc["nodes"]) - 1)
    motion = read(guise).motion
    (site,) = motion.skeleton.end_sites
    assert motion.skeleton.names[site.joint] == "Head"
    rest = orientations(MOTION.skeleton)[MOTION.skeleton.find("Head")]
    np.testing.assert_allclose(site.offset, rotate(rest, np.array([0.1, 0.2, 0.3])), atol=1e-6)


def test_without_a_skin_joints_that_stand_still_are_joints_too():
    guise = disguised(MOTION, skin=False)
    still = {1 + MOTION.skeleton.find(name) for name in ("LeftToe", "RightHand", "Spine1")}
    animation = guise.doc["animations"][0]
    animation["channels"] = [c for c in animation["channels"] if c["target"]["node"] not in still]
    guise.doc["nodes"].append({"name": "camera", "camera": 0})
    guise.animate(len(guise.doc["nodes"]) - 1, "translation", [0.0, 99.0], np.eye(2, 3))
    motion = read(guise).motion
    assert set(motion.skeleton.names) == set(MOTION.skeleton.names)
    assert motion.frames == MOTION.frames


def test_without_an_animation_the_skeleton_stands_at_rest():
    guise = disguised(MOTION, carrier=UPRIGHT, scale=0.01)
    guise.doc.pop("animations")
    reading = read(guise)
    is_the_motion(reading.motion, rest_motion(MOTION.skeleton))
    assert "no animation" in messages(reading)


def test_several_roots_start_with_the_largest_body():
    person = figure()
    skeleton = Skeleton(
        ("Ball", *person.names), (-1, *(p + 1 if p >= 0 else -1 for p in person.parents)),
        np.concatenate([[[1.0, 0.1, 0.0]], person.offsets]), (), (None, *person.roles),
    )  # fmt: skip
    base = random_motion(20, skeleton=skeleton)
    offsets = np.tile(base.local_offsets, (20, 1, 1))
    offsets[:, 1] += 0.1 * np.sin(np.arange(20))[:, None]
    motion = Motion(skeleton, 1 / 30, base.root_positions, base.local_rotations, offsets)
    found = read(disguised(motion)).motion
    assert found.skeleton.names[0] == "Hips"
    order = [found.skeleton.find(name) for name in skeleton.names]
    np.testing.assert_allclose(found.world.positions[:, order], motion.world.positions, atol=3e-6)


def test_a_rest_pose_before_the_motion_is_kept_beside_it():
    motion = waving_figure(40)
    rotations = np.array(motion.local_rotations)
    rotations[0] = IDENTITY
    motion = replace(motion, local_rotations=rotations)
    found = read(disguised(motion)).motion
    assert (found.frames, found.first_frame) == (39, 1)
    np.testing.assert_allclose(to_matrix(found.rest.local_rotations), np.tile(np.eye(3), (22, 1, 1)), atol=1e-5)
    np.testing.assert_allclose(found.rest.root_position, motion.root_positions[0], atol=1e-5)


# Sizes


def test_scale_that_changes_or_is_uneven_keeps_joints_in_their_places(tmp_path):
    guise = chain(5)
    guise.doc["nodes"][1]["scale"] = [1.0, 2.0, 0.5]
    guise.animate(2, "scale", TENTHS, np.random.default_rng(2).uniform(0.5, 2.0, size=(16, 3)))
    for node in range(5):
        guise.animate(node, "rotation", TENTHS, turns(16, node))
    path = tmp_path / "clip.glb"
    path.write_bytes(guise.glb())
    reading = read_gltf(path, ReadOptions(unit=METRE))
    file, motion = Evaluated(path), reading.motion
    for frame in range(motion.frames):
        world = file.world(frame * motion.frame_time_s)
        expected = [world[file.node(name)][:3, 3] for name in motion.skeleton.names]
        np.testing.assert_allclose(motion.world.positions[frame], expected, atol=1e-5)
    assert "the scale of 'n1' changes or is uneven" in messages(reading)


def test_mirrored_nodes_keep_joints_in_their_places(tmp_path):
    guise = chain(4)
    guise.doc["nodes"][0]["scale"] = [-1.0, 1.0, 1.0]
    for node in range(4):
        guise.animate(node, "rotation", TENTHS, turns(16, node))
    path = tmp_path / "clip.glb"
    path.write_bytes(guise.glb())
    motion, file = read_gltf(path, ReadOptions(unit=METRE)).motion, Evaluated(path)
    for frame in range(motion.frames):
        world = file.world(frame * motion.frame_time_s)
        expected = [world[file.node(name)][:3, 3] for name in motion.skeleton.names]
        np.testing.assert_allclose(motion.world.positions[frame], expected, atol=1e-5)


def test_scale_and_place_that_only_tremble_are_constant():
    guise = disguised(MOTION)
    rng = np.random.default_rng(1)
    for joint in range(1, len(MOTION.skeleton)):
        place = np.array(guise.doc["nodes"][1 + joint]["translation"])
        guise.animate(1 + joint, "scale", TENTHS[:12], 1.0 + 1e-6 * rng.normal(size=(12, 3)))
        guise.animate(1 + joint, "translation", TENTHS[:12], place + 5e-7 * rng.normal(size=(12, 3)))
    reading = read(guise, ReadOptions(frame_time_s=MOTION.frame_time_s))
    is_the_motion(reading.motion, MOTION, atol=3e-5)


def test_a_body_in_centimetres_is_noticed_and_read_as_such():
    large = replace(
        MOTION, root_positions=MOTION.root_positions * 100, local_offsets=MOTION.local_offsets * 100,
        skeleton=replace(MOTION.skeleton, offsets=MOTION.skeleton.offsets * 100),
    )  # fmt: skip
    reading = read(disguised(large))
    is_the_motion(reading.motion, MOTION)
    assert reading.motion.origin.unit == CENTIMETRE
    assert "glTF is in metres, but the body is the size of a person in cm only" in messages(reading)
    is_the_motion(read(disguised(large), ReadOptions(unit=METRE)).motion, large, atol=3e-4)


def test_a_body_that_lies_is_said_and_left_lying_unless_told_otherwise():
    motion = waving_figure(20)
    guise = disguised(motion, np.tile(IDENTITY, (len(motion.skeleton), 1)))
    guise.doc["nodes"][0]["rotation"] = xyzw(conjugate(UPRIGHT)).tolist()
    reading = read(guise)
    assert "the body stands along +Z, but glTF has +Y up" in messages(reading)
    np.testing.assert_allclose(
        reading.motion.world.positions, rotate(conjugate(UPRIGHT), motion.world.positions), atol=1e-5
    )
    told = read(guise, ReadOptions(up="+Z")).motion
    np.testing.assert_allclose(told.world.positions, motion.world.positions, atol=1e-5)


# Where buffers may not be


@pytest.mark.parametrize(
    "uri",
    ["../secret.bin", "a/../../secret.bin", "/etc/hostname", "%2e%2e/secret.bin", "http://example.org/a.bin",
     "file:///etc/hostname", "C:\\a.bin", "..\\secret.bin", "C:/a.bin", "link.bin", "", ".", "folder", "a\0b",
     "x" * 5000],
)  # fmt: skip
def test_buffers_outside_the_files_folder_are_not_read(uri, tmp_path):
    folder = tmp_path / "inside"
    (folder / "folder").mkdir(parents=True)
    guise = disguised(MOTION)
    (tmp_path / "secret.bin").write_bytes(guise.bytes)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    data = guise.gltf("placeholder.bin")
    (folder / "clip.gltf").write_bytes(data.replace(b'"placeholder.bin"', json.dumps(uri).encode()))
    with pytest.raises(MotionFileError, match="buffer"):
        read_gltf(folder / "clip.gltf")


def test_a_missing_buffer_is_named(tmp_path):
    (tmp_path / "clip.gltf").write_bytes(disguised(MOTION).gltf("gone.bin"))
    with pytest.raises(MotionFileError, match=r"its buffer 'gone.bin' cannot be read: No such file"):
        read_gltf(tmp_path / "clip.gltf")
