"""Files of skeletons in motion: BVH, Acclaim, glTF."""

import struct
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from model.files.formats import read_motion, write_motion
from model.motion import Motion
from model.skeleton import EndSite, Skeleton
from tests.clips import figure, random_motion, waving_figure
from tests.fuzzing.format import Files, Format, broken_text, one_of_the_files, written
from tests.fuzzing.mutating import mutated_bytes, mutated_json
from tests.model.files.acclaim_text import AMC, ASF
from tests.model.files.bvh_text import SMALL


def _small_body() -> Skeleton:
    """A few joints, for most cases: what breaks a reader seldom needs many."""
    whole = figure()
    kept = [whole.find(name) for name in ("Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot")]
    names, parents = tuple(whole.names[joint] for joint in kept), (-1, 0, 1, 0, 3, 4)
    return Skeleton(names, parents, whole.offsets[kept], (EndSite(5, np.array([0.0, -0.05, 0.1])),))


def small_motions() -> list[Motion]:
    small = _small_body()
    return [
        random_motion(5, skeleton=small),
        random_motion(4, seed=2, skeleton=small, moving_limbs=True),
        random_motion(9, seed=3, skeleton=small),
        waving_figure(8),
    ]


# BVH and Acclaim

_BVH_WORDS = [
    "HIERARCHY", "ROOT a", "JOINT b\n{\n", "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n",
    "{", "}", "End Site\n{\n", "OFFSET", "CHANNELS 3", "CHANNELS 999999999", "Xrotation", "Yposition", "Zscale",
    "MOTION", "Frames: 1000000000", "Frame Time: 0.01", "Frame Time: 0", "JOINT",
]  # fmt: skip


@cache
def _bvh() -> list[Files]:
    made = [written("a.bvh", lambda path, one=one: write_motion(one, path)) for one in small_motions()]
    return [{"a.bvh": SMALL.encode()}, *made]


_ACCLAIM_WORDS = [
    ":units", ":root", ":bonedata", ":hierarchy", "begin", "end", "name x", "id 1", "dof rx ry rz",
    "dof tx ty tz rx ry rz l", "limits (-inf inf)", "axis 0 0 0 XYZ", "direction 0 0 0", "length 1", "length 0",
    "angle rad", "order TX", "order RZ RY RX", "root", "root hip", "1", "root 1 2 3 4 5 6", ":RADIANS", "#",
    "begin\nname b\nend\n", "#!Motionwright root x", "#!Motionwright frame time 1e-9", "hip_offset", "hip_tip1",
]  # fmt: skip


@cache
def _acclaim() -> list[Files]:
    made = [written("a.amc", lambda path, one=one: write_motion(one, path)) for one in small_motions()]
    return [{"a.amc": AMC.encode(), "a.asf": ASF.encode()}, *made]


# glTF

_GLTF_WORDS = [
    "nodes", "skins", "joints", "children", "animations", "channels", "samplers", "sampler", "target", "node", "path",
    "input", "output", "interpolation", "CUBICSPLINE", "STEP", "LINEAR", "rotation", "translation", "scale", "matrix",
    "accessors", "bufferViews", "buffers", "byteOffset", "byteLength", "byteStride", "count", "componentType", "type",
    "VEC3", "VEC4", "MAT4", "SCALAR", "normalized", "sparse", "indices", "values", "inverseBindMatrices", "uri",
    "a.bin", "data:,", "extras", "motionwright", "name", "mesh", "weights", "asset", "version", "2.0",
]  # fmt: skip


@cache
def _foreign():
    from tests.model.files.test_gltf_foreign import disguised

    small, moving, *_ = small_motions()
    return [disguised(small), disguised(moving, scale=0.01, skin=False)]


@cache
def _gltf() -> list[Files]:
    own = [written("a.gltf", lambda path, one=one: write_motion(one, path)) for one in small_motions()]
    beside = [{"a.gltf": guise.gltf("a.bin"), "a.bin": guise.bytes} for guise in _foreign()]
    return [*own, *beside, {"a.gltf": _foreign()[0].gltf()}]


@cache
def _glb() -> list[Files]:
    own = [written("a.glb", lambda path, one=one: write_motion(one, path)) for one in small_motions()]
    return [*own, *({"a.glb": guise.glb()} for guise in _foreign())]


def _broken_gltf(files: Files, rng: Random) -> Files:
    def change(name: str, data: bytes) -> bytes:
        return mutated_json(data, rng, _GLTF_WORDS) if name.endswith(".gltf") else mutated_bytes(data, rng)

    return one_of_the_files(files, rng, change)


def _broken_glb(files: Files, rng: Random) -> Files:
    ((name, data),) = files.items()
    (size,) = struct.unpack_from("<I", data, 12)
    text, binary = data[20 : 20 + size], data[28 + size :]
    kind = rng.randrange(4)
    if kind == 0:
        return {name: mutated_bytes(data, rng)}
    if kind == 1:
        binary = mutated_bytes(binary, rng)
    else:
        text = mutated_json(text, rng, _GLTF_WORDS)
    text, binary = text + b" " * (-len(text) % 4), binary + b"\0" * (-len(binary) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(binary), len(text), 0x4E4F534A)
    return {name: head + text + struct.pack("<II", len(binary), 0x004E4942) + binary}


def _write(reading: Any, path: Path) -> None:
    write_motion(reading.motion, path)


FORMATS = (
    Format("bvh", _bvh, broken_text(_BVH_WORDS), read_motion, _write),
    Format("acclaim", _acclaim, broken_text(_ACCLAIM_WORDS), read_motion, _write),
    Format("gltf", _gltf, _broken_gltf, read_motion, _write),
    Format("glb", _glb, _broken_glb, read_motion, _write),
)
