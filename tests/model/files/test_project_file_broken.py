"""Damaged and hostile project files: the rest opens, or one clear refusal; never another exception."""

import base64
import io
import json
import pickle
import random
import struct
import zipfile
import zlib

import numpy as np
import orjson
import pytest

from model.clip import Clip, Layer, Unknown
from model.files.problems import MotionFileError
from model.files.project_file import read_project, write_project
from model.project import Project
from tests.clips import random_motion
from tests.model.files.damage import damaged, read_or_refused
from tests.model.files.project_kinds import (
    KINDS,
    Arrays,
    Branch,
    Copied,
    Everything,
    Recorded,
    Turn,
    Weights,
    assert_same,
    small_project,
)


def two_clips():
    """Two clips that share no numbers."""
    return Project(
        (
            Clip("1", "first", Recorded("", random_motion(40, seed=1)), (Layer("2", Turn()),)),
            Clip("3", "second", Recorded("", random_motion(40, seed=2)), (Layer("4", Weights(np.arange(300.0))),)),
        ),
        5,
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "whole.mwright"
    write_project(two_clips(), path, KINDS)
    return path.read_bytes()


@pytest.fixture
def opened(tmp_path):
    """Opens bytes as a project: its reading, or None where it is refused as it should be."""

    def read(data):
        path = tmp_path / "some.mwright"
        path.write_bytes(data)
        return read_or_refused(lambda: read_project(path, KINDS), "some.mwright")

    return read


@pytest.fixture
def refusal(tmp_path):
    """Opens bytes that must be refused. -> why they are."""

    def read(data):
        path = tmp_path / "some.mwright"
        path.write_bytes(data)
        assert read_or_refused(lambda: read_project(path, KINDS), "some.mwright") is None
        with pytest.raises(MotionFileError) as caught:
            read_project(path, KINDS)
        return caught.value.message

    return read


def parts_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in parts.items() if isinstance(parts, dict) else parts:
            archive.writestr(name, data)
    return file.getvalue()


def changed(data, change):
    """The file with its JSON changed, in place or by what `change` gives."""
    parts = parts_of(data)
    root = json.loads(parts["project.json"])
    result = change(root)
    parts["project.json"] = json.dumps(root if result is None else result).encode()
    return zipped(parts)


def names(reading):
    return [clip.name for clip in reading.project.clips]


def messages(reading):
    return " | ".join(problem.message for problem in reading.problems)


# Damage


def test_file_that_is_cut_short_gives_what_is_left(whole, opened):
    counts = []
    for n in range(51):
        reading = opened(whole[: len(whole) * n // 50])
        counts.append(0 if reading is None else len(reading.project.clips))
        if reading is not None and n < 50:
            assert "the end of the file is damaged" in messages(reading)
            assert reading.is_whole == (counts[-1] == 2 and len(reading.project.clips[1].layers) == 1)
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2}


def test_single_flipped_bits_lose_no_more_than_they_touch(whole, opened):
    """Outside the JSON, a bit belongs to one array or to the zip around it: at most one clip or edit is lost."""
    project = two_clips()
    json_end = whole.index(b"PK\3\4", 4)
    rng = random.Random(3)
    for _ in range(150):
        place = rng.randrange(json_end, len(whole))
        data = bytearray(whole)
        data[place] ^= 1 << rng.randrange(8)
        reading = opened(bytes(data))
        assert reading is not None, place
        parts = [part for clip in reading.project.clips for part in (clip, *clip.layers)]
        assert len(parts) >= 2, place
        for clip in reading.project.clips:
            assert_same(project.clip(clip.id).source, clip.source)
        if reading.is_whole:
            assert_same(project, reading.project)
        else:
            assert "left out" in messages(reading)


def test_damaged_numbers_name_their_clip_and_the_rest_opens(whole, opened):
    numbers = two_clips().clips[0].source.motion.local_rotations.tobytes()
    place = whole.index(numbers[64:128])
    data = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    reading = opened(data)
    assert names(reading) == ["second"]
    assert not reading.is_whole
    assert messages(reading) == (
        "clip 'first' is left out: motion.local_rotations: its numbers are lost: its bytes are damaged"
    )


def test_missing_numbers_of_an_edit_cost_the_edit_only(whole, opened):
    parts = parts_of(whole)
    missing = next(name for name, data in parts.items() if np.arange(300.0).tobytes() in data)
    del parts[missing]
    reading = opened(zipped(parts))
    assert names(reading) == ["first", "second"]
    assert [len(clip.layers) for clip in reading.project.clips] == [1, 0]
    assert messages(reading) == "clip 'second', edit 1 is left out: weights: its numbers are lost: it is missing"


def test_damaged_json_that_can_still_be_read_is_used_and_told(whole, opened):
    place = whole.index(b'"second"') + 1
    reading = opened(whole[:place] + b"S" + whole[place + 1 :])
    assert names(reading) == ["first", "Second"]
    assert not reading.is_whole
    assert "some of their values may be wrong" in messages(reading)


def test_lost_table_of_contents_loses_nothing(whole, opened):
    reading = opened(whole[: whole.index(b"PK\1\2")])
    assert reading.is_whole
    assert_same(two_clips(), reading.project)


def test_flipped_bits_of_the_table_of_contents_lose_nothing(whole, opened):
    project = two_clips()
    for place in range(whole.index(b"PK\1\2"), len(whole), 3):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        reading = opened(bytes(data))
        assert reading is not None, place
        assert reading.is_whole, place
        assert_same(project, reading.project)


def test_large_parts_are_found_without_the_table_of_contents_too(tmp_path, opened, monkeypatch):
    """Parts beyond four gigabytes have headers of another kind; here parts beyond a kilobyte do."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1000)
    write_project(two_clips(), tmp_path / "large.mwright", KINDS)
    data = (tmp_path / "large.mwright").read_bytes()
    assert b"\xff\xff\xff\xff" in data
    assert_same(two_clips(), opened(data).project)
    assert_same(two_clips(), opened(data[: data.index(b"PK\1\2")]).project)


def test_bytes_before_the_archive_do_not_matter(whole, opened):
    assert_same(two_clips(), opened(b"#!/bin/true\n" + whole).project)


@pytest.mark.parametrize("seed", range(60))
def test_random_damage_never_raises_anything_else(whole, opened, seed):
    words = [
        b"PK\3\4",
        b"PK\1\2",
        b"PK\5\6",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
        b'{"$array":',
        b"[[[[",
        b"1e999",
        b"null",
    ]
    opened(damaged(whole, seed, 1 + seed % 7, words))


@pytest.mark.parametrize("seed", range(60))
def test_json_with_wrong_values_anywhere_never_raises_anything_else(tmp_path, opened, seed):
    write_project(small_project(), tmp_path / "small.mwright", KINDS)
    rng = random.Random(seed)
    wrong = [
        None, True, -1, 0, 2**63, 1.5, 1e308, "", "x", "\ud800", [], {}, [[]], {"$array": "0" * 64}, {"$float": "nan"},
        {"$array": {}}, {"$int": "9" * 2000}, {"$type": "Motion"}, {"kind": "turn"}, {"kind": []}, "$array",
    ]  # fmt: skip

    def spoil(root):
        for _ in range(1 + seed % 3):
            places = list(places_in(root))
            holder, key = rng.choice(places)
            if rng.random() < 0.15:
                del holder[key]
            else:
                holder[key] = rng.choice(wrong)

    reading = opened(changed((tmp_path / "small.mwright").read_bytes(), spoil))
    if reading is not None:
        write_project(reading.project, tmp_path / "again.mwright", KINDS)
        assert_same(reading.project, read_project(tmp_path / "again.mwright", KINDS).project)


def places_in(value):
    """Every place within a JSON value where another might stand."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


@pytest.mark.parametrize("seed", range(10))
def test_random_bytes_are_refused(refusal, seed):
    data = random.Random(seed).randbytes(5000)
    assert "not a project file" in refusal(data if seed % 2 else b"PK\3\4" + data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"HIERARCHY\nROOT Hips\n", "not a project file"),
        (zipped({}), "not a project file"),
        (zipped({"a.txt": b"hello"}), "not a project file"),
        (zipped({"project.json": b"{"}), "project.json is damaged"),
        (zipped({"project.json": b"\xff\xfe"}), "project.json is damaged"),
        (zipped({"project.json": b"[]"}), "not a Motionwright project"),
        (zipped({"project.json": b'{"format":"other","version":1}'}), "not a Motionwright project"),
        (zipped({"project.json": b'{"format":"motionwright project"}'}), "version of the project is None"),
        (zipped({"project.json": b'{"format":"motionwright project","version":true}'}), "which never was"),
        (zipped({"project.json": b'{"format":"motionwright project","version":0}'}), "which never was"),
        (zipped({"project.json": b"[" * 100_000}), "project.json is damaged"),
    ],
)
def test_what_is_no_project_is_refused_with_a_reason(refusal, data, reason):
    assert reason in refusal(data)


def test_folder_is_refused(tmp_path):
    assert read_or_refused(lambda: read_project(tmp_path, KINDS), tmp_path.name) is None


# Parts that do not make sense


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda root: root.update(clips=5), "the list of clips is damaged"),
        (lambda root: root.update(next_id="x"), "the project: next_id: a whole number is due, not 'x'; not used"),
        (lambda root: root["clips"].append(7), "clip 3 is left out: 7 is no clip"),
        (lambda root: root["clips"][0].update(name=[]), "clip 1: name: a text is due, not a list of 0; not used"),
        (lambda root: root["clips"][0].update(layers={}), "clip 'first' has lost its edits"),
        (lambda root: root["clips"][0]["layers"].append(None), "clip 'first', edit 2 is left out: None is no edit"),
        (
            lambda root: root["clips"][0]["layers"][0].update(scope={"strength": 7.0}),
            "clip 'first', edit 1 is switched off: scope: strength is 7.0; it must be 0 to 1",
        ),
    ],
)
def test_part_that_makes_no_sense_is_told_and_the_rest_opens(whole, opened, change, told):
    reading = opened(changed(whole, change))
    assert told in messages(reading)
    assert not reading.is_whole
    assert "second" in names(reading) or "list of clips" in told


def test_edit_without_its_scope_does_not_act(whole, opened):
    reading = opened(changed(whole, lambda root: root["clips"][0]["layers"][0].update(on=1)))
    assert reading.project.clips[0].layers == (Layer("2", Turn(), on=False),)


def test_clips_and_edits_without_ids_of_their_own_get_some(whole, opened):
    def spoil(root):
        root["clips"][1]["id"] = "1"
        del root["clips"][1]["layers"][0]["id"]

    project = opened(changed(whole, spoil)).project
    ids = [part.id for clip in project.clips for part in (clip, *clip.layers)]
    assert len(set(ids)) == 4
    assert project.next_id > max(map(int, ids))


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("rest", "local_rotations"), np.ones((1, 4)) / 2, "local_rotations of rest has shape (1, 4)"),
        (("skeleton", "end_sites", 0, "offset"), np.zeros(2), "offset of an end site has shape (2,)"),
        (("skeleton", "limits", 0, 1, "low"), np.zeros(3), "limits has shape (3,); it must be (1,)"),
        (("skeleton", "limits", 0, 1, "axes"), "W", "axes of limits are 'W'"),
        (("origin", "channels"), np.zeros((3, 2)), "channels has shape (3, 2) for 20 frames"),
        (("origin", "up"), "+W", "up is '+W'"),
        (("origin", "unit", "metres"), 0.0, "a unit has 0.0 metres"),
        (("origin", "layout", 0, 0), "Wposition", "substring not found"),
        (("local_rotations",), np.full((20, 2, 4), np.nan), "local_rotations must be unit quaternions"),
        (("root_positions",), np.full((20, 3), np.inf), "root_positions must be finite"),
        (("local_rotations",), np.full((20, 2, 4), 1e300), "local_rotations must be unit quaternions"),
        (("frame_time_s",), -1.0, "frame_time_s is -1.0; it must be positive"),
    ],
)
def test_motion_whose_parts_do_not_fit_is_kept_without_effect(tmp_path, opened, place, value, told):
    write_project(small_project(), tmp_path / "small.mwright", KINDS)

    def spoil(root):
        at = root["clips"][0]["source"]["motion"]
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = inline(value) if isinstance(value, np.ndarray) else value

    reading = opened(changed((tmp_path / "small.mwright").read_bytes(), spoil))
    assert isinstance(reading.project.clips[0].source, Unknown)
    assert told in messages(reading)


def inline(array):
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"$array": {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}}


# Hostile files


def array_file(header, data=b""):
    text = header.encode() + b" " * 10 + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


@pytest.mark.parametrize(
    "content",
    [
        array_file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", pickle.dumps([print])),
        array_file("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3), }", bytes(48)),
        array_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 62, 4), }", bytes(48)),
        array_file("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999), }"),
        array_file("{'descr': '<f8', 'fortran_order': False, 'shape': (7,), }", bytes(48)),
        array_file("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", bytes(48)),
        array_file("{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }", bytes(48)),
        array_file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }", bytes(48)),
        array_file("__import__('os').system('true')", bytes(48)),
        array_file("(" * 5000, bytes(48)),
        b"\x93NUMPY\x02\x00" + bytes(60),
        pickle.dumps(np.zeros(3)),
        b"",
    ],
)
def test_arrays_that_are_not_plain_numbers_are_never_made(whole, opened, content):
    parts = parts_of(whole)
    name = next(name for name, data in parts.items() if np.arange(300.0).tobytes() in data)
    parts[name] = content
    reading = opened(zipped(parts))
    assert names(reading) == ["first", "second"]
    assert "clip 'second', edit 1 is left out: weights: its numbers are lost" in messages(reading)


@pytest.mark.parametrize(
    "reference",
    [
        {"$array": "../../etc/passwd"}, {"$array": "/etc/passwd"}, {"$array": 5}, {"$array": None}, {"$array": []},
        {"$array": {"dtype": "|O", "shape": [1], "data": "AAAAAAAAAAA="}},
        {"$array": {"dtype": "<f8", "shape": [-1], "data": "AAAAAAAAAAA="}},
        {"$array": {"dtype": "<f8", "shape": [2**62, 0], "data": ""}},
        {"$array": {"dtype": "<f8", "shape": [2**31] * 8 + [0], "data": ""}},
        {"$array": {"dtype": "<f8", "shape": [True], "data": "AAAAAAAAAAA="}},
        {"$array": {"dtype": "<f8", "shape": [1], "data": "?"}},
        {"$array": {"dtype": "<f8", "shape": [1], "data": "ÄÄÄÄ"}},
        {"$array": {"dtype": "|b1", "shape": [1], "data": "BQ=="}},
        {"$array": {"dtype": "<f8", "shape": [1], "data": "AAAAAAAAAAA="}, "axes": [1]},
        {"$array": {"dtype": "<f8", "shape": [1], "data": "AAAAAAAAAAA="}, "axes": [[0]]},
    ],
)  # fmt: skip
def test_references_that_are_none_are_refused(whole, opened, reference):
    reading = opened(changed(whole, lambda root: root["clips"][1]["layers"][0]["edit"].update(weights=reference)))
    assert names(reading) == ["first", "second"]
    assert isinstance(reading.project.clips[1].layers[0].edit, Unknown)


def test_true_and_false_are_nothing_else(tmp_path, opened):
    project = Project((Clip("1", "c", Copied("2"), (Layer("2", Arrays.example()),)),), 3)
    write_project(project, tmp_path / "a.mwright", KINDS)
    mask = inline(np.array([0, 1, 5, 1], dtype=np.uint8))
    mask["$array"]["dtype"] = "|b1"
    data = (tmp_path / "a.mwright").read_bytes()
    reading = opened(changed(data, lambda root: root["clips"][0]["layers"][0]["edit"].update(mask=mask)))
    assert "mask: true and false are 1 and 0" in messages(reading)


def test_names_that_lead_elsewhere_are_not_used(whole, opened, tmp_path):
    parts = parts_of(whole) | {
        "../evil.txt": b"x",
        "/tmp/evil.txt": b"x",
        "arrays/../../evil.npy": b"x",
        "a" * 3000: b"x",
    }
    before = set(tmp_path.iterdir())
    reading = opened(zipped(parts))
    assert_same(two_clips(), reading.project)
    assert "'../evil.txt' is no part of a project; not used" in messages(reading)
    assert set(tmp_path.iterdir()) - before == {tmp_path / "some.mwright"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name_are_refused(whole, refusal):
    parts = list(parts_of(whole).items())
    assert "two parts of the same name" in refusal(zipped([*parts, parts[0]]))


def test_deflated_archives_open_too(whole, opened):
    assert_same(two_clips(), opened(zipped(parts_of(whole), zipfile.ZIP_DEFLATED)).project)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(whole, refusal, method):
    assert "not a project file" in refusal(zipped(parts_of(whole), method))


def test_bomb_is_refused_before_it_unpacks(whole, refusal):
    bomb = zipped({"project.json": b" " * (200 << 20)}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 1 << 20
    assert "claims to hold much more" in refusal(bomb)


def test_bomb_that_lies_about_its_size_is_not_unpacked(whole, refusal):
    bomb = bytearray(zipped({"project.json": b" " * (30 << 20)}, zipfile.ZIP_DEFLATED))
    listed = bomb.index(b"PK\1\2")
    for place in (22, listed + 24):
        bomb[place : place + 4] = struct.pack("<L", 100)
    assert "damaged" in refusal(bytes(bomb))


def test_parts_that_lie_over_each_other_are_not_all_unpacked(refusal):
    """Many entries of the table of contents that stand for the same bytes, each an array of its own."""
    size = 4 << 20
    content = array_file(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({size // 8},), }}", bytes(size))
    hashes = [f"{n:064x}" for n in range(400)]
    layers = [{"id": name, "edit": {"kind": "weights", "weights": {"$array": name}}} for name in hashes]
    clip = {"id": "1", "name": "c", "source": {"kind": "copied", "clip": "2"}, "layers": layers}
    root = {"format": "motionwright project", "version": 1, "clips": [clip]}
    base = zipped({"project.json": orjson.dumps(root), "x" * 75: content})
    listed = base.index(b"PK\1\2")
    first, second = (base.index(b"PK\1\2", listed + 4), base.index(b"PK\5\6"))
    entry, end = base[first:second], base[second:]
    table = base[listed:first] + b"".join(entry.replace(b"x" * 75, f"arrays/{name}.npy".encode()) for name in hashes)
    end = end[:8] + struct.pack("<HHL", 401, 401, len(table)) + end[16:]
    assert "claims to hold much more" in refusal(base[:listed] + table + end)


def test_array_that_an_unknown_part_names_a_thousand_times_is_not_copied_as_often(whole, opened, monkeypatch):
    monkeypatch.setattr("model.files.project_archive._SPARE_BYTES", 1000)
    name = next(name for name, data in parts_of(whole).items() if np.arange(300.0).tobytes() in data)
    edit = {"kind": "odd", "all": [{"$array": name.removeprefix("arrays/").removesuffix(".npy")}] * 20_000}
    reading = opened(changed(whole, lambda root: root["clips"][0]["layers"].append({"id": "9", "edit": edit})))
    assert "clip 'first', edit 2 is left out: it is much larger than its file" in messages(reading)
    assert names(reading) == ["first", "second"]


def test_array_that_is_named_without_end_is_not_looked_through_each_time(whole, opened, monkeypatch):
    monkeypatch.setattr("model.files.project_arrays._SPARE_USES", 1000)
    monkeypatch.setattr("model.files.project_arrays._MOST_USES", 1)

    def multiply(root):
        clip = root["clips"][0]
        root["clips"] += [{**clip, "id": str(n), "source": {**clip["source"], "path": str(n)}} for n in range(10, 1000)]

    reading = opened(changed(whole, multiply))
    assert 10 < len(reading.project.clips) < 900
    assert "used more often than in any honest file" in messages(reading)


def test_many_false_headers_do_not_take_long(refusal):
    """Each of them read to the end that it claims would take hours."""
    header = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 0, 0, 0, 0, 1 << 20, 1 << 20, 4, 0)
    assert "not a project file" in refusal(header * 60_000)


def test_nesting_that_is_too_deep_costs_its_part_only(whole, opened):
    deep = json.loads("[" * 500 + "]" * 500)
    edit = {"kind": "everything", "tree": {}}
    at = edit["tree"]
    for _ in range(300):
        at["below"] = [{}]
        at = at["below"][0]

    def spoil(root):
        root["clips"][0]["layers"] += [{"id": "8", "edit": edit}, {"id": "9", "edit": {"kind": "odd", "deep": deep}}]

    reading = opened(changed(whole, spoil))
    assert names(reading) == ["first", "second"]
    assert reading.project.clips[0].layers[0] == Layer("2", Turn())
    assert "nested too deeply" in messages(reading)


def test_tree_of_moderate_depth_opens(tmp_path):
    tree = Branch()
    for _ in range(40):
        tree = Branch((tree,))
    project = Project((Clip("1", "c", Unknown("odd", "{}"), (Layer("2", Everything(tree=tree)),)),), 3)
    write_project(project, tmp_path / "deep.mwright", KINDS)
    assert read_project(tmp_path / "deep.mwright", KINDS).project.clips[0].layers[0].edit.tree == tree


def many_clips(count, clip):
    root = b'{"format":"motionwright project","version":1,"clips":[' + b",".join([clip] * count) + b"]}"
    return zipped({"project.json": root})


def test_very_many_clips_are_not_all_read(opened):
    reading = opened(many_clips(101_000, b'{"id":"1","what":"a clip takes some bytes in a file"}'))
    assert len(reading.project.clips) == 100_000
    assert "claims to have 101,000 clips; only 100,000 are read" in messages(reading)
    assert not reading.is_whole
    assert len(reading.problems) < 20


def test_very_many_edits_are_not_all_read(whole, opened):
    edit = {"id": "1", "on": True, "edit": {"kind": "turn", "angle_rad": 0.5}}
    reading = opened(changed(whole, lambda root: root["clips"][0].update(layers=[edit] * 20_000)))
    assert len(reading.project.clips[0].layers) == 10_000
    assert "clip 'first' claims to have 20,000 edits; only 10,000 are read" in messages(reading)


@pytest.mark.parametrize("clip", [b"{}", b'{"layers":[' + b",".join([b"{}"] * 99) + b"]}"], ids=["clips", "edits"])
def test_clips_and_edits_of_hardly_any_bytes_are_not_all_read(opened, clip):
    data = many_clips(30_000 // len(clip) * 10, clip)
    reading = opened(data)
    parts = len(reading.project.clips) + sum(len(clip.layers) for clip in reading.project.clips)
    assert 1_000 <= parts <= len(data) // 50
    assert not reading.is_whole


def test_as_many_clips_and_edits_as_somebody_makes_are_all_read(tmp_path):
    layers = tuple(Layer(str(n), Turn()) for n in range(2_000))
    clips = tuple(Clip(f"c{n}", "", Copied("x"), layers if n == 0 else ()) for n in range(3_000))
    write_project(Project(clips, 5), tmp_path / "many.mwright", KINDS)
    reading = read_project(tmp_path / "many.mwright", KINDS)
    assert reading.is_whole
    assert (len(reading.project.clips), len(reading.project.clips[0].layers)) == (3_000, 2_000)


@pytest.mark.parametrize("levels", range(238, 260, 3))
def test_what_is_unknown_and_deeply_nested_can_be_saved_again_or_is_left_out(opened, tmp_path, levels):
    odd = b'{"kind":"odd","value":' + b"[" * levels + b"]" * levels + b"}"
    clip = b'{"id":"1","name":"deep","source":{"kind":"odd"},"layers":[{"id":"2","edit":' + odd + b"}]}"
    reading = opened(zipped({"project.json": b'{"format":"motionwright project","version":1,"clips":[' + clip + b"]}"}))
    kept = len(reading.project.clips[0].layers)
    assert reading.is_whole == bool(kept)
    assert bool(kept) != ("nested too deeply" in messages(reading))
    write_project(reading.project, tmp_path / "again.mwright", KINDS)
    assert len(read_project(tmp_path / "again.mwright", KINDS).project.clips[0].layers) == kept


def test_check_sum_is_what_guards_numbers(whole, opened):
    """A file whose numbers were changed together with their check sum is another file, not a damaged one."""
    parts = parts_of(whole)
    name = next(name for name, data in parts.items() if np.arange(300.0).tobytes() in data)
    parts[name] = parts[name].replace(np.arange(300.0).tobytes(), (np.arange(300.0) + 1).tobytes())
    assert zlib.crc32(parts[name]) != zlib.crc32(parts_of(whole)[name])
    reading = opened(zipped(parts))
    np.testing.assert_array_equal(reading.project.clips[1].layers[0].edit.weights, np.arange(300.0) + 1)
