"""Broken glTF files: a MotionFileError with path and reason, or a repaired clip. Nothing else, ever."""

import copy
import json
import random
import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.files import gltf_pose, gltf_scene
from model.files.bvh import write_bvh
from model.files.gltf import parse_gltf, read_gltf, write_gltf
from model.files.problems import MotionFileError
from tests.clips import random_motion, waving_figure
from tests.model.files.damage import is_whole, read_or_refused
from tests.model.files.test_gltf_foreign import Guise, chain, disguised, turns

SKINNED = disguised(random_motion(6))
SKINNED_GLB, SKINNED_GLTF = SKINNED.glb(), SKINNED.gltf()


def small():
    """Three joints, a skin, rotations and translations, in one small file."""
    guise = chain(3)
    guise.doc["skins"] = [{"joints": [0, 1, 2], "inverseBindMatrices": guise.accessor(np.tile(np.eye(4), (3, 1, 1)))}]
    for node in range(3):
        guise.animate(node, "rotation", np.arange(4) / 10, turns(4, node))
    guise.animate(0, "translation", np.arange(4) / 10, np.ones((4, 3)))
    guise.gltf()
    return guise


SMALL = small()


def changed(*changes):
    """The small file with values of its JSON replaced: each change is a path of keys and the new value."""
    doc = json.loads(SMALL.gltf())
    for *keys, last, value in changes:
        place = doc
        for key in keys:
            place = place[key]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return json.dumps(doc).encode()


def deep(levels, below=True):
    """A chain of nodes, each a joint, or with the joint at its end only."""
    guise = Guise()
    guise.doc["nodes"] = [{"children": [n + 1], "translation": [0, 0.01, 0]} for n in range(levels - 1)] + [{}]
    guise.doc["skins"] = [{"joints": list(range(levels)) if below else [levels - 1]}]
    guise.animate(levels // 2, "rotation", [0.0, 0.1], turns(2))
    return guise.glb()


def with_keys(times, values, path="translation", **more):
    guise = chain(3)
    guise.animate(1, path, times, values, **more)
    return guise.glb()


NAN = float("nan")
GLB = SMALL.glb()
GLB_JSON_END = 20 + struct.unpack_from("<I", GLB, 12)[0]

# What cannot be read at all, and the words that say why.
HOPELESS = {
    "empty": (b"", "the file is empty"),
    "only blanks": (b" \n\t ", "the file is empty"),
    "zero bytes": (b"\0" * 100, "not a glTF file"),
    "binary junk": (bytes(range(256)), "not a glTF file"),
    "a BVH": (b"HIERARCHY\nROOT Hips\n{", "not a glTF file"),
    "prose": (b"Dear Sir or Madam", "not a glTF file"),
    "not UTF-8": (SKINNED_GLTF.replace(b"Hips", b"H\xfcfte"), "not a glTF file"),
    "UTF-16": (SMALL.gltf().decode().encode("utf-16"), "not a glTF file"),
    "JSON of another kind": (b"[1, 2, 3]", "not an object"),
    "a JSON number": (b"1", "not an object"),
    "JSON cut short": (SMALL.gltf()[:-30], "JSON is broken"),
    "NaN in JSON": (SMALL.gltf().replace(b'"count": 4', b'"count": NaN', 1), "JSON is broken"),
    "JSON nested without end": (b'{"a":' + b"[" * 100_000, "JSON is broken"),
    "empty object": (b"{}", "no skeleton"),
    "no nodes": (changed(("nodes", [])), "no skeleton"),
    "nodes of another type": (changed(("nodes", {"0": {}})), "no skeleton"),
    "glTF 1": (changed(("asset", "version", "1.0")), "only 2.0"),
    "glTF 3": (changed(("asset", "version", "3.0")), "only 2.0"),
    "neither skin nor animation": (changed(("skins", ...), ("animations", ...)), "no skeleton"),
    "GLB magic only": (b"glTF", "cut short"),
    "GLB header only": (GLB[:12], "cut short"),
    "GLB cut in the JSON": (GLB[:100], "cut short"),
    "GLB cut in the data": (GLB[:-10], "cut short"),
    "GLB version 1": (GLB[:4] + struct.pack("<I", 1) + GLB[8:], "version 1"),
    "GLB chunk too long": (GLB[:12] + struct.pack("<I", 0xFFFFFFF0) + GLB[16:], "cut short"),
    "GLB without JSON": (struct.pack("<4sIIII", b"glTF", 2, 20, 0, 0x004E4942), "no JSON chunk"),
    "GLB without data": (GLB[:8] + struct.pack("<I", GLB_JSON_END) + GLB[12:GLB_JSON_END], "buffer 0 has no data"),
    "bad base64": (changed(("buffers", 0, "uri", "data:a/b;base64,###")), "not valid base64"),
    "base64 of other scripts": (changed(("buffers", 0, "uri", "data:a/b;base64,\u00e4")), "not valid base64"),
    "data URI without data": (changed(("buffers", 0, "uri", "data:a/b;base64")), "unreadable data URI"),
    "buffer without data": (changed(("buffers", 0, {"byteLength": 4})), "no data"),
    "no buffers": (changed(("buffers", ...)), "buffer 0 is missing"),
    "a buffer on the web": (changed(("buffers", 0, "uri", "https://example.org/a.bin")), "only files beside"),
    "compressed": (changed(*(("bufferViews", n, "extensions", {"EXT_meshopt_compression": {}})
                             for n in range(len(SMALL.doc["bufferViews"])))), "compression"),
    "transforms that overflow": (changed(*(("nodes", n, key, [1e9] * 3) for n in range(3)
                                           for key in ("scale", "translation"))), "beyond all measure"),
    "keys an age apart": (with_keys([0, 0.01, 0.02, 1e8], np.eye(4, 3)), "far too small"),
}  # fmt: skip

# What is read all the same, and words that say how, or none where nothing needs saying.
MENDED = {
    "no asset": (changed(("asset", ...)), "does not say which glTF"),
    "asset of another type": (changed(("asset", [])), "does not say which glTF"),
    "bytes after the GLB": (GLB + b"abc", "3 bytes after the end"),
    "its own child": (changed(("nodes", 1, "children", [1, 2])), "names child 1"),
    "a circle of two": (changed(("nodes", 1, "children", [0, 2])), "its own ancestor"),
    "a circle of three": (changed(("nodes", 2, "children", [0])), "its own ancestor"),
    "two parents": (changed(("nodes", 0, "children", [1, 2])), "missing or another's"),
    "children that are missing": (changed(("nodes", 0, "children", [1, 99, -1, "x", None, 1.5])), "names child 99"),
    "children of another type": (changed(("nodes", 0, "children", "1")), ""),
    "a node of another type": (changed(("nodes", 1, 7)), ""),
    "short translation": (changed(("nodes", 1, "translation", [1, 2])), "no usable translation"),
    "words as rotation": (changed(("nodes", 1, "rotation", ["a", "b", "c", "d"])), "no usable rotation"),
    "absurd translation": (changed(("nodes", 1, "translation", [1e300, 0, 0])), "no usable translation"),
    "rotation of length zero": (changed(("nodes", 1, "rotation", [0, 0, 0, 0])), ""),
    "scale of zero": (changed(("nodes", 1, "scale", [0, 0, 0])), ""),
    "scale of zero along one axis": (changed(("nodes", 1, "scale", [1, 0, 1])), "uneven"),
    "matrix of zeros": (changed(("nodes", 1, "matrix", [0] * 16)), ""),
    "matrix too short": (changed(("nodes", 1, "matrix", [1] * 15)), "no usable matrix"),
    "matrix that shears": (changed(("nodes", 1, "matrix", [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])), "shears"),
    "matrix of one direction": (changed(("nodes", 1, "matrix", [1, 2, 3, 0] * 3 + [0, 0, 0, 1])), "shears"),
    "names of another type": (changed(("nodes", 1, "name", 5), ("nodes", 2, "name", None)), ""),
    "joints that are missing": (changed(("skins", 0, "joints", [0, 1, 2, 77, -4, "a", 1])), "names joints twice"),
    "skin without joints": (changed(("skins", 0, {})), ""),
    "too few bind matrices": (changed(("accessors", 0, "count", 1)), ""),
    "bind matrices of another shape": (changed(("accessors", 0, "type", "VEC3")), "where 16 are due"),
    "accessor without type": (changed(("accessors", 2, "type", ...)), "no usable type"),
    "accessor of an unknown kind": (changed(("accessors", 2, "componentType", 5130)), "no usable type"),
    "accessor count of 10^12": (changed(("accessors", 2, "count", 10**12)), "outside its buffer"),
    "accessor count negative": (changed(("accessors", 2, "count", -4)), "no usable type"),
    "accessor count fractional": (changed(("accessors", 2, "count", 3.5)), "no usable type"),
    "accessor offset negative": (changed(("accessors", 2, "byteOffset", -4)), "outside its buffer"),
    "accessor offset beyond": (changed(("accessors", 2, "byteOffset", 10**15)), "outside its buffer"),
    "view that is missing": (changed(("accessors", 2, "bufferView", 999)), "outside its buffer"),
    "view offset negative": (changed(("bufferViews", 2, "byteOffset", -16)), "outside its buffer"),
    "view too short": (changed(("bufferViews", 2, "byteLength", 3)), "outside its buffer"),
    "view of another type": (changed(("bufferViews", 2, [])), ""),
    "stride too small": (changed(("bufferViews", 2, "byteStride", 1)), "outside its buffer"),
    "stride giant": (changed(("bufferViews", 2, "byteStride", 2**40)), "outside its buffer"),
    "buffer shorter than it says": (changed(("buffers", 0, "byteLength", 10**9)), "should have 1000000000"),
    "sparse without sense": (changed(("accessors", 2, "sparse", {"count": 2})), "outside its buffer"),
    "no samplers": (changed(("animations", 0, "samplers", ...)), "broken channel"),
    "channel without target": (changed(("animations", 0, "channels", 0, "target", ...)), "broken channel"),
    "channel to a missing node": (changed(("animations", 0, "channels", 0, "target", "node", 55)), "broken channel"),
    "channels of another type": (changed(("animations", 0, "channels", 3)), "no animation"),
    "channel twice": (changed(("animations", 0, "channels", 1, "target", "node", 0)), "animated twice"),
    "unknown interpolation": (changed(("animations", 0, "samplers", 0, "interpolation", ["BEZIER"])), ""),
    "spline without tangents": (changed(("animations", 0, "samplers", 0, "interpolation", "CUBICSPLINE")),
                                "no usable value"),
    "input that is missing": (changed(("animations", 0, "samplers", 0, "input", None)), "is missing"),
    "times that fall": (with_keys([0.3, 0.2, 0.1, 0.0], np.eye(4, 3)), "do not rise"),
    "times that stand": (with_keys([0.1] * 4, np.eye(4, 3)), "do not rise"),
    "times not finite": (with_keys([0.0, NAN, np.inf, 0.3], np.eye(4, 3)), "do not rise"),
    "no time finite": (with_keys([NAN] * 4, np.eye(4, 3)), "do not rise"),
    "values not finite": (with_keys([0, 0.1, 0.2], [[0, 0, 0], [NAN, 0, 0], [1, np.inf, 0]]), "no usable value"),
    "no value finite": (with_keys([0, 0.1, 0.2, 0.3], np.full((4, 3), NAN)), "no usable value"),
    "values of 10^38": (with_keys([0, 0.1, 0.2, 0.3], np.full((4, 3), 1e38)), "no usable value"),
    "rotations of length zero": (with_keys([0, 0.1, 0.2, 0.3], np.zeros((4, 4)), "rotation"), ""),
    "fewer values than times": (with_keys([0, 0.1, 0.2, 0.3], np.eye(2, 3)), "no usable value"),
    "more values than times": (with_keys([0, 0.1], np.eye(3, 3)), ""),
    "one key": (with_keys([0.5], np.eye(1, 3)), "there are no two keys"),
    "times before zero": (with_keys([-1.0, -0.9], np.eye(2, 3)), ""),
    "extras of another type": (changed(("animations", 0, "extras", 3), ("nodes", 0, "extras", [{}])), ""),
}  # fmt: skip


def survives(data, path="broken.glb"):
    """Read, or refuse in the one way that is allowed; what is read is whole. -> the reading or None."""
    reading = read_or_refused(lambda: parse_gltf(data, path), path)
    if reading is not None:
        is_whole(reading.motion)
    return reading


@pytest.mark.parametrize("name", HOPELESS)
def test_hopeless_files_say_why(name):
    data, message = HOPELESS[name]
    with pytest.raises(MotionFileError) as caught:
        parse_gltf(data, "broken.glb")
    assert message in caught.value.message


@pytest.mark.parametrize("name", MENDED)
def test_mended_files_are_whole_and_say_how(name, tmp_path):
    data, message = MENDED[name]
    reading = survives(data)
    assert reading is not None
    assert message in " | ".join(problem.message for problem in reading.problems)
    write_gltf(reading.motion, tmp_path / "again.glb")
    again = read_gltf(tmp_path / "again.glb").motion
    assert again.frames == reading.motion.frames
    assert len(again.skeleton) == len(reading.motion.skeleton)
    write_bvh(reading.motion, tmp_path / "again.bvh")


def test_there_are_at_least_eighty():
    assert len(HOPELESS) + len(MENDED) >= 80


def test_a_file_that_is_not_there_is_a_file_error(tmp_path):
    with pytest.raises(MotionFileError, match="cannot be read"):
        read_gltf(tmp_path / "none.glb")
    with pytest.raises(MotionFileError, match="cannot be read"):
        read_gltf(tmp_path)


def test_every_cut_of_a_glb_is_handled():
    for stop in range(0, len(GLB), 3):
        survives(GLB[:stop])


def test_every_cut_of_a_gltf_is_handled():
    data = SMALL.gltf()
    for stop in range(0, len(data), 7):
        survives(data[:stop])


def every_place(value, path=()):
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from every_place(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from every_place(value[index], (*path, index))


ODD = [
    None,
    True,
    -1,
    0,
    1,
    3,
    2**31,
    10**18,
    0.5,
    -1e300,
    "",
    "x",
    [],
    {},
    [[]],
    [0],
    {"a": 1},
    [None] * 3,
    [1e38] * 16,
]


def replaced(doc, path, value):
    if not path:
        return value
    doc = copy.deepcopy(doc)
    place = doc
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return doc


def test_every_part_of_the_json_may_be_missing_or_odd():
    doc = json.loads(SMALL.gltf())
    rng = random.Random(1)
    for path in every_place(doc):
        for value in ([...] if path else []) + rng.sample(ODD, 3):
            survives(json.dumps(replaced(doc, path, value)).encode())


@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize("levels", [100, 10_000])
def test_deep_hierarchies_are_read(levels, below):
    motion = survives(deep(levels, below)).motion
    assert len(motion.skeleton) == (levels if below else 1)


def test_a_long_circle_is_cut():
    guise = Guise()
    guise.doc["nodes"] = [{"children": [(n + 1) % 5000]} for n in range(5000)]
    guise.doc["skins"] = [{"joints": list(range(5000))}]
    assert len(survives(guise.glb()).motion.skeleton) == 5000


# Memory


def peak_of(data):
    survives(data)  # whatever is imported or cached on the way is there now
    tracemalloc.start()
    survives(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def with_skins(count):
    """A body of two joints with many skins."""
    guise = chain(2)
    binds = np.tile(np.eye(4), (2, 1, 1))
    binds[1, 3, 1] = 1.0
    matrices = guise.accessor(binds)
    guise.doc["skins"] = [{"joints": [0, 1], "inverseBindMatrices": matrices}] * count
    guise.animate(0, "rotation", [0.0, 0.1], turns(2))
    return guise.glb()


def test_first_frame_beyond_all_numbers_is_not_kept(tmp_path):
    write_gltf(random_motion(4), tmp_path / "a.gltf")
    doc = json.loads((tmp_path / "a.gltf").read_bytes())
    doc["animations"][0]["extras"]["motionwright"]["first_frame"] = 10**30
    motion = parse_gltf(json.dumps(doc).encode()).motion
    assert motion.first_frame == 0
    write_gltf(motion, tmp_path / "again.gltf")


def test_very_many_skins_are_refused_with_the_limit():
    with pytest.raises(MotionFileError, match="2,000 skins; the limit is 1,000"):
        parse_gltf(with_skins(2000))


def test_bind_poses_are_looked_at_once_where_skins_share_joints(monkeypatch):
    looked_at = []

    def counting(*arguments):
        looked_at.append(arguments)
        return gltf_scene.bind_rotations(*arguments)

    monkeypatch.setattr(gltf_pose, "bind_rotations", counting)
    assert len(parse_gltf(with_skins(900)).motion.skeleton) == 2
    assert len(looked_at) == 1


def test_keys_that_span_very_many_frames_are_refused_before_they_take_memory():
    guise = chain(100)
    for node in range(100):
        guise.animate(node, "scale", [0.0, 200.0], [[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    data = guise.glb()
    with pytest.raises(MotionFileError, match="6,001 frames of 100 nodes"):
        parse_gltf(data)
    assert peak_of(data) < 50e6


def claims(**accessor):
    guise = chain(3)
    guise.doc["accessors"].append({"componentType": 5126, "type": "VEC3", **accessor})
    guise.animate(1, "translation", [0.0, 1.0], len(guise.doc["accessors"]) - 1)
    return guise.glb()


def shared_views(count):
    """Many accessors that all show the same bytes."""
    guise = chain(3)
    guise.doc["nodes"] += [{} for _ in range(count)]
    guise.doc["nodes"][0]["children"] = list(range(1, 2 + count))
    first = guise.accessor(np.arange(20_000) / 30)
    values = guise.accessor(np.ones((20_000, 3)))
    for node in range(count):
        guise.doc["accessors"] += [dict(guise.doc["accessors"][first]), dict(guise.doc["accessors"][values])]
        place = len(guise.doc["accessors"])
        guise.animate(3 + node, "translation", place - 2, place - 1)
    return guise.glb()


def shared_keys(count):
    """Many joints that all move by the same keys."""
    guise = chain(3)
    guise.doc["nodes"] += [{} for _ in range(count)]
    guise.doc["nodes"][0]["children"] = list(range(1, 2 + count))
    times, values = guise.accessor(np.arange(20_000) / 30), guise.accessor(turns(20_000))
    for node in range(count):
        guise.animate(3 + node, "rotation", times, values)
    return guise.glb()


def hours():
    """A few joints, keys at the ends of ten hours and two close together."""
    guise = chain(3)
    guise.animate(1, "rotation", [0, 1 / 60, 36_000], turns(3))
    return guise.glb()


GREEDY = {
    "zeros by the million": lambda: claims(count=10**9),
    "sparse zeros by the million": lambda: claims(count=10**9, sparse={"count": 10**9}),
    "views shown many times": lambda: shared_views(500),
    "keys used many times": lambda: shared_keys(500),
    "hours between keys": hours,
}


@pytest.mark.parametrize("name", GREEDY)
def test_memory_stays_in_proportion_to_the_file(name):
    data = GREEDY[name]()
    assert peak_of(data) < 60 * len(data) + 30_000_000


# Mutations


@pytest.fixture(scope="module")
def own_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    for suffix in ("glb", "gltf"):
        write_gltf(waving_figure(6), folder / f"clip.{suffix}")
    return [(folder / "clip.glb").read_bytes(), (folder / "clip.gltf").read_bytes()]


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12), which=st.integers(0, 4))
def test_files_with_mutated_bytes_are_read_or_refused(own_files, seed, edits, which):
    rng = random.Random(seed)
    data = bytearray([*own_files, GLB, SKINNED_GLB, SKINNED_GLTF][which])
    for _ in range(edits):
        start = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            data[start : start + rng.randrange(40)] = b""
        elif kind == 1:
            data[start : start + 1] = bytes([rng.randrange(256)])
        elif kind == 2:
            data[start : start + 4] = rng.choice([b"\xff" * 4, b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"9999", b"null"])
        else:
            data[start:start] = data[start : start + rng.randrange(100)]
    if which in (0, 2, 3) and rng.random() < 0.7:
        data[:4], data[8:12] = b"glTF", struct.pack("<I", len(data))  # let the reader get farther
    survives(bytes(data))


NUMBERS = st.one_of(st.integers(-2, 12), st.sampled_from([2**31, 2**63, 10**12, 0.5, -1.5, 1e9, 1e38, 1e300]))
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "LINEAR", "STEP", "CUBICSPLINE", "VEC3", "MAT4"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(["node", "count"]), inner)),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", ["small", "skinned", "own"])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_files_with_mutated_json_are_read_or_refused(own_files, kind, data):
    doc = json.loads({"small": SMALL.gltf(), "skinned": SKINNED_GLTF, "own": own_files[1]}[kind])
    for _ in range(data.draw(st.integers(1, 5))):
        path = ()
        place = doc
        while isinstance(place, (dict, list)) and place and (not path or data.draw(st.integers(0, 5))):
            key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
            path, place = (*path, key), place[key]
        doc = replaced(doc, path, ... if data.draw(st.integers(0, 4)) == 0 else data.draw(VALUES))
        if not isinstance(doc, dict):
            break
    survives(json.dumps(doc).encode())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data):
    survives(data)
    survives(b"glTF" + data)
    survives(struct.pack("<4sIIII", b"glTF", 2, 20 + len(data), len(data), 0x4E4F534A) + data)


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=200, max_size=200), st.integers(0, 700))
def test_any_numbers_in_the_buffer_are_read_or_refused(junk, start):
    guise = copy.copy(SMALL)
    guise.bytes = guise.bytes[:start] + junk + guise.bytes[start + len(junk) :]
    guise.doc = copy.deepcopy(SMALL.doc)
    survives(guise.glb())
