"""Motions written as glTF 2.0: nodes, a skin, a simple figure that wears it, and one animation.

Most programs show a skeleton only where a mesh hangs on it, hence the figure: an octahedron along each
bone. What glTF has no place for (frame time, first frame, rest pose, tips) is noted in `extras`, where
our reader finds it.
"""

import base64
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from model.arrays import Array, IntArray
from model.files.gltf_buffers import BIN_CHUNK, GLB_MAGIC, JSON_CHUNK, Json
from model.files.gltf_scene import EXTRAS
from model.files.problems import MotionFileError, Problem, Problems, quoted
from model.files.saving import replacing
from model.motion import Motion
from model.rotation import normalize, unroll
from model.skeleton import Skeleton
from model.units import METRE, Unit

GENERATOR = "Motionwright"

_FLOAT, _UNSIGNED_BYTE, _UNSIGNED_SHORT, _UNSIGNED_INT = 5126, 5121, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_TYPE = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
# What moves less over a clip is constant: half of what single precision can tell of a unit quaternion.
_STILL = 3e-8
# Longer clips keep every key of joints that stand still, too: a reader may refuse to unfold so much from few.
_REDUCED_JOINT_FRAMES = 500_000
# A bone without length or children is drawn this large, in metres.
_SMALLEST_M = 0.01


def write_gltf(
    motion: Motion, path: str | Path, unit: Unit | None = None, up: str | None = None
) -> tuple[Problem, ...]:
    """Write a motion as glTF: .glb is binary, anything else JSON with its buffer embedded.

    glTF is in metres, Y up; another `unit` or `up` is not followed, and reported. -> what the format could
    not carry. Raises MotionFileError where the file cannot be written.
    """
    problems = Problems()
    if unit is not None and unit != METRE:
        problems.warn(None, f"glTF is always in metres; {unit.name} is ignored")
    if up is not None and up != "+Y":
        problems.warn(None, f"glTF always has +Y up; {up} is ignored")
    for name in ("local_rotations", "root_positions", "local_offsets"):
        if not np.all(np.isfinite(getattr(motion, name))):
            raise ValueError(f"motion has {name} that are not finite numbers")
    file = _File()
    root = _document(motion, Path(path).stem or "motion", file, problems)
    data = file.buffer()
    if Path(path).suffix.lower() == ".glb":
        root["buffers"] = [{"byteLength": len(data)}]
        parts = _glb(orjson.dumps(root), data, str(path))
    else:
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
        root["buffers"] = [{"byteLength": len(data), "uri": uri}]
        parts = [orjson.dumps(root)]
    with replacing(path) as target:
        for part in parts:
            target.write(part)
    return problems.all()


def _glb(text: bytes, data: bytes, path: str) -> list[bytes]:
    """The parts of a GLB file; both chunks end at a multiple of four bytes."""
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(data)
    if size >= 1 << 32:
        raise MotionFileError(path, None, "the motion is too long: a GLB file holds 4 GiB at most")
    head = GLB_MAGIC + struct.pack("<IIII", 2, size, len(text), JSON_CHUNK)
    return [head, text, struct.pack("<II", len(data), BIN_CHUNK), data]


@dataclass
class _File:
    """Collects the arrays of a file: each becomes an accessor in a bufferView."""

    views: list[Json] = field(default_factory=list)
    accessors: list[Json] = field(default_factory=list)
    _parts: list[bytes] = field(default_factory=list)
    _size: int = 0

    def add(self, array: npt.NDArray[Any], kind: int = _FLOAT, target: int | None = None, bounded: bool = False) -> int:
        """An accessor in a bufferView of its own, with least and largest values if `bounded`.

        array : (N, components). -> the accessor's index.
        """
        data = np.ascontiguousarray(array).tobytes()
        view: Json = {"buffer": 0, "byteOffset": self._size, "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        padding = b"\0" * (-len(data) % 4)  # every array starts at a multiple of four
        self._parts += [data, padding]
        self._size += len(data) + len(padding)
        accessor: Json = {
            "bufferView": len(self.views),
            "componentType": kind,
            "count": len(array),
            "type": _TYPE[array.shape[1]],
        }
        if bounded:
            accessor["min"], accessor["max"] = np.min(array, axis=0).tolist(), np.max(array, axis=0).tolist()
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def buffer(self) -> bytes:
        return b"".join(self._parts)


def _document(motion: Motion, title: str, file: _File, problems: Problems) -> Json:
    """The JSON of a file but for its buffers: joints, then tips, then what carries them, then the figure."""
    skeleton = motion.skeleton
    nodes = _nodes(skeleton, problems)
    count = len(nodes)
    nodes.append({"name": _clean(title), "children": list(skeleton.roots)})
    nodes.append({"name": _clean(title) + "_figure", "mesh": 0, "skin": 0})
    positions = skeleton.rest_positions()
    tips = [positions[site.joint] + site.offset for site in skeleton.end_sites]
    bind = np.tile(np.eye(4), (count, 1, 1))
    bind[:, 3, :3] = -np.array([*positions, *tips])  # rows are columns: glTF stores them first
    root: Json = {
        "asset": {"version": "2.0", "generator": GENERATOR},
        "scene": 0,
        "scenes": [{"nodes": [count, count + 1]}],
        "nodes": nodes,
        "skins": [{"joints": list(range(count)), "inverseBindMatrices": file.add(bind.reshape(-1, 16).astype("<f4"))}],
        "meshes": [_figure(skeleton, file)],
        "materials": [
            {
                "pbrMetallicRoughness": {"baseColorFactor": [0.6, 0.65, 0.7, 1.0], "metallicFactor": 0.0},
                "doubleSided": True,
            }
        ],
    }
    if motion.frames:
        root["animations"] = [_animation(motion, _clean(title), file, problems)]
    else:
        problems.warn(None, "the motion has no frames; only the skeleton is written")
    return {**root, "bufferViews": file.views, "accessors": file.accessors}


def _clean(name: str) -> str:
    """The name without what JSON cannot hold: halves of characters, as file names can have them."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _nodes(skeleton: Skeleton, problems: Problems) -> list[Json]:
    """The joints at rest and, after them, the tips. Names are unique, for importers confuse joints otherwise."""
    taken = {_clean(name) for name in skeleton.names}
    used: set[str] = set()
    numbers: dict[str, int] = {}  # the last number given to a name

    def unique(name: str) -> str:
        wanted = name
        while name in used or (name != wanted and name in taken):
            numbers[wanted] = numbers.get(wanted, 1) + 1
            name = f"{wanted}_{numbers[wanted]}"
        used.add(name)
        return name

    nodes: list[Json] = []
    for joint, name in enumerate(skeleton.names):
        wanted = _clean(name)
        node: Json = {"name": unique(wanted or f"joint{joint}"), "translation": skeleton.offsets[joint].tolist()}
        if node["name"] != name:
            node["extras"] = {EXTRAS: {"name": wanted}}
            message = f"joint {joint} is called {quoted(node['name'])}, for names must differ"
            problems.warn(None, message, "joints renamed")
        if skeleton.children[joint]:
            node["children"] = list(skeleton.children[joint])
        nodes.append(node)
    for site in skeleton.end_sites:
        parent = nodes[site.joint]
        parent["children"] = [*parent.get("children", []), len(nodes)]
        nodes.append(
            {
                "name": unique(f"{parent['name']}_end"),
                "translation": np.asarray(site.offset, dtype=np.float64).tolist(),
                "extras": {EXTRAS: {"tip": _clean(site.label)}},
            }
        )
    return nodes


def _figure(skeleton: Skeleton, file: _File) -> Json:
    """A mesh of one octahedron along each bone, hung on the joint where the bone starts."""
    rest = skeleton.rest_positions()
    joints: list[int] = []
    ends: list[Array] = []
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            joints.append(parent)
            ends.append(rest[joint])
    for site in skeleton.end_sites:
        joints.append(site.joint)
        ends.append(rest[site.joint] + site.offset)
    for joint in sorted(set(range(len(skeleton))) - set(joints)):
        joints.append(joint)
        ends.append(rest[joint])
    vertices, triangles = _octahedra(rest[joints], np.array(ends))
    owners = np.zeros((len(vertices), 4), dtype="u1" if len(skeleton) <= 256 else "<u2")
    owners[:, 0] = np.repeat(joints, 6)
    weights = np.tile(np.array([1.0, 0.0, 0.0, 0.0], dtype="<f4"), (len(vertices), 1))
    wide = len(vertices) > 65_535
    attributes = {
        "POSITION": file.add(vertices.astype("<f4"), target=_VERTICES, bounded=True),
        "JOINTS_0": file.add(owners, _UNSIGNED_BYTE if owners.itemsize == 1 else _UNSIGNED_SHORT, _VERTICES),
        "WEIGHTS_0": file.add(weights, target=_VERTICES),
    }
    indices = triangles.reshape(-1, 1).astype("<u4" if wide else "<u2")
    where = file.add(indices, _UNSIGNED_INT if wide else _UNSIGNED_SHORT, _INDICES)
    return {"name": "figure", "primitives": [{"attributes": attributes, "indices": where, "material": 0}]}


def _octahedra(starts: Array, ends: Array) -> tuple[Array, IntArray]:
    """Slender octahedra from starts to ends, both (N, 3). -> vertices (6 N, 3), triangles (8 N, 3)."""
    along = ends - starts
    length = np.sqrt(np.sum(along * along, axis=-1, keepdims=True))
    short = length < _SMALLEST_M
    direction = np.where(short, np.array([0.0, 1.0, 0.0]), along / np.where(short, 1.0, length))
    starts = np.where(short, starts - 0.5 * _SMALLEST_M * direction, starts)
    length = np.where(short, _SMALLEST_M, length)
    least = np.eye(3)[np.argmin(np.abs(direction), axis=-1)]
    side = np.cross(direction, least)
    side /= np.sqrt(np.sum(side * side, axis=-1, keepdims=True))
    other = np.cross(direction, side)
    radius = np.clip(0.12 * length, 0.25 * _SMALLEST_M, 3.0 * _SMALLEST_M)
    waist = starts + 0.2 * length * direction
    corners = [waist + radius * side, waist + radius * other, waist - radius * side, waist - radius * other]
    vertices = np.stack([starts, *corners, starts + length * direction], axis=1).reshape(-1, 3)
    faces = np.array([[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]])
    triangles: IntArray = (faces[None] + 6 * np.arange(len(starts))[:, None, None]).reshape(-1, 3)
    return vertices, triangles


def _animation(motion: Motion, title: str, file: _File, problems: Problems) -> Json:
    """The animation: a rotation channel for each joint, translations for roots and what else moves."""
    times = (motion.frame_time_s * np.arange(motion.frames)).astype("<f4")
    if np.any(np.diff(times) <= 0.0):
        problems.warn(None, "the clip is so long that single precision cannot tell neighbouring frames apart")
    inputs: dict[int, int] = {}  # the accessor of all times, and that of the first and last, by their number
    samplers: list[Json] = []
    channels: list[Json] = []

    def add(joint: int, path: str, output: int, keys: int) -> None:
        if keys not in inputs:
            inputs[keys] = file.add((times if keys == len(times) else times[[0, -1]])[:, None], bounded=True)
        channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
        samplers.append({"input": inputs[keys], "output": output, "interpolation": "LINEAR"})

    for joint, keys in _translations(motion):
        add(joint, "translation", file.add(keys), len(keys))
    for joint, keys in enumerate(_rotations(motion)):
        add(joint, "rotation", file.add(keys), len(keys))
    note: Json = {
        "frame_time_s": motion.frame_time_s,
        "frames": motion.frames,
        "first_frame": motion.first_frame,
    }
    if motion.rest is not None:
        note["rest"] = {
            "root_position": motion.rest.root_position.tolist(),
            "local_rotations": motion.rest.local_rotations.tolist(),
            "local_offsets": motion.rest.local_offsets.tolist(),
        }
    return {"name": title, "channels": channels, "samplers": samplers, "extras": {EXTRAS: note}}


def _reduced(motion: Motion, values: npt.NDArray[np.float32], still: bool) -> npt.NDArray[np.float32]:
    """All keys (F, N), or the first and the last where nothing happens between them."""
    if not still or motion.frames <= 2 or motion.frames * len(motion.skeleton) > _REDUCED_JOINT_FRAMES:
        return values
    return values[[0, -1]]


def _rotations(motion: Motion) -> list[npt.NDArray[np.float32]]:
    """For each joint its keys (K, 4), `x y z w`, with signs that never take the long way round."""
    rotations = motion.local_rotations
    rotations = unroll(normalize(np.where(rotations[:1, :, :1] < 0.0, -rotations, rotations)))
    still = np.max(np.ptp(rotations, axis=0), axis=-1) <= _STILL
    keys = np.ascontiguousarray(np.moveaxis(rotations[..., [1, 2, 3, 0]], 0, 1), dtype="<f4")
    return [_reduced(motion, keys[joint], bool(still[joint])) for joint in range(len(keys))]


def _translations(motion: Motion) -> list[tuple[int, npt.NDArray[np.float32]]]:
    """Joint and keys (K, 3) of the first root, of further roots, and of joints that are not at their rest offset."""
    skeleton, offsets = motion.skeleton, motion.local_offsets
    result = []
    for joint in range(len(skeleton)):
        values = motion.root_positions if joint == 0 else offsets[..., joint, :]
        if joint and not np.any(values != skeleton.offsets[joint]):
            continue
        values = np.broadcast_to(values, (motion.frames, 3))
        still = bool(np.max(np.ptp(values, axis=0)) <= _STILL)
        result.append((joint, _reduced(motion, values.astype("<f4"), still)))
    return result
