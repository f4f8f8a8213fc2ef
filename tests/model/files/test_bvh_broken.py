"""Broken BVH files: a MotionFileError with path, line and reason, or a repaired clip. Nothing else, ever."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.files.bvh import parse_bvh, read_bvh, write_bvh
from model.files.problems import MotionFileError
from tests.clips import waving_figure
from tests.model.files.bvh_text import HEADER, ROW_LIST, SMALL, with_rows
from tests.model.files.damage import damaged, is_whole, read_or_refused

LINES = SMALL.split("\n")


def deep(levels):
    head = "HIERARCHY\n" + "".join(
        f"{'ROOT' if n == 0 else 'JOINT'} j{n}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for n in range(levels)
    )
    return head + "}\n" * levels + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + "1 " * levels + "\n"


# What cannot be read at all, and the words that say why. The line is checked where it is known.
HOPELESS = {
    "empty": ("", None, "the file is empty"),
    "only blanks": (" \n\t\n  ", None, "the file is empty"),
    "only a newline": ("\n", None, "the file is empty"),
    "zero bytes": ("\0" * 100, None, "binary, not text"),
    "binary junk": (bytes(range(256)) * 4, None, "binary, not text"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None, "binary, not text"),
    "junk without zeros": (bytes(range(1, 256)) * 4, None, "not a BVH file"),
    "prose": ("Dear Sir or Madam,\n", 1, "expected HIERARCHY, found 'Dear'"),
    "an ASF": ("# AST/ASF file\n:version 1.10\n", 1, "not a BVH file"),
    "html": ("<html><body>404</body></html>", 1, "not a BVH file"),
    "only HIERARCHY": ("HIERARCHY\n", 2, "has no ROOT"),
    "only MOTION": ("MOTION\nFrames: 1\nFrame Time: 1\n1 2 3\n", 1, "has no ROOT"),
    "ends after ROOT": ("HIERARCHY\nROOT Hips", 2, "ends after 'Hips'"),
    "ends after the brace": ("HIERARCHY\nROOT Hips\n{", None, "before MOTION"),
    "ends after OFFSET": ("\n".join(LINES[:4]), None, "before MOTION"),
    "ends after CHANNELS": ("\n".join(LINES[:5]), None, "before MOTION"),
    "ends after JOINT": ("\n".join(LINES[:6]), 6, "ends after 'Spine'"),
    "ends in End Site": ("\n".join(LINES[:11]), None, "before MOTION"),
    "ends before MOTION": (SMALL[: SMALL.index("MOTION")], None, "before MOTION"),
    "ends after MOTION": (SMALL[: SMALL.index("Frames")], None, "before the first frame"),
    "ends after Frames": (SMALL[: SMALL.index("Frame Time")], None, "before the first frame"),
    "ends after Frame Time": (HEADER, None, "before the first frame"),
    "ends inside the first frame": (HEADER + "1 2 3", None, "before the first frame"),
    "joint without brace": (SMALL.replace("Spine\n  {", "Spine\n"), 8, "expected '{' after 'Spine'"),
    "brace without joint": (SMALL.replace("ROOT Hips\n", ""), 2, "'{' without ROOT"),
    "offset outside": ("HIERARCHY\nOFFSET 0 0 0\n" + SMALL[10:], 2, "OFFSET stands outside any joint"),
    "channels outside": ("HIERARCHY\nCHANNELS 0\n" + SMALL[10:], 2, "CHANNELS stands outside any joint"),
    "end site outside": ("HIERARCHY\nEnd Site\n{\nOFFSET 0 0 0\n}\n" + SMALL[10:], 2, "End Site stands outside"),
    "joint inside end site": (SMALL.replace("OFFSET 0 5 1", "JOINT x\n{\n}"), 12, "stands inside an End Site"),
    "channels of an end site": (SMALL.replace("0 5 1", "0 5 1\nCHANNELS 1 Xrotation"), 10, "cannot have CHANNELS"),
    "channels twice": (SMALL.replace("CHANNELS 3 X", "CHANNELS 1 Xrotation\nCHANNELS 3 X"), 19, "CHANNELS twice"),
    "unknown channel": (SMALL.replace("Yrotation", "Wrotation", 1), 5, "'Wrotation' is not a channel"),
    "word as offset": (SMALL.replace("OFFSET 0 10 0", "OFFSET 0 ten 0"), 8, "OFFSET expects a number"),
    "unknown keyword": (SMALL.replace("OFFSET 0 10 0", "POSITION 0 10 0"), 8, "found 'POSITION'"),
    "no channels at all": (
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 3\nFrame Time: 1\n\n\n\n", None,
        "no joint has CHANNELS",
    ),
    "word among numbers": (with_rows(ROW_LIST[0], "1 2 three", ROW_LIST[2]), 29, "expected a number, found 'three'"),
    "json among numbers": (with_rows("true null [1] {} \"a\" 1 2 3 4 5 6 7", *ROW_LIST), 28, "expected a number"),
    "underscores": (with_rows("1_0 2 3 4 5 6 7 8 9 0 1 2", *ROW_LIST), 28, "expected a number, found '1_0'"),
    "hexadecimal": (with_rows("0x10 2 3 4 5 6 7 8 9 0 1 2", *ROW_LIST), 28, "expected a number, found '0x10'"),
    "digits and junk without end": (with_rows("1" * 200_000 + "x", *ROW_LIST), 28, "expected a number"),
    "signs and digits without end": (with_rows("-" + "1" * 100_000 + "e+x", *ROW_LIST), 28, "expected a number"),
    "offset of digits and junk": (SMALL.replace("0 10 0", "0 " + "1" * 100_000 + "x 0"), 8, "OFFSET expects"),
    "very long name without its brace": (SMALL.replace("Spine\n  {", "x" * 9999 + "\n"), 8, "expected '{' after 'xxx"),
    "many joints and frames in little": (
        "HIERARCHY\nROOT r\n{\nCHANNELS 1 Xrotation\n" + "JOINT a\n{\n}\n" * 4000
        + "}\nMOTION\nFrame Time: 1\n" + "1\n" * 4000,
        None, "out of proportion",
    ),
    "rows of another length": (with_rows(*["1 2 3 4 5 6 7 8 9 10 11"] * 5), 28, "the rows have 11 values each"),
    "two points": (with_rows("1.2.3 2 3 4 5 6 7 8 9 0 1 2", *ROW_LIST), 28, "expected a number, found '1.2.3'"),
    "other alphabet's digits": (with_rows("\u0661 2 3 4 5 6 7 8 9 0 1 2", *ROW_LIST), 28, "expected a number"),
}  # fmt: skip

# What is read all the same; how is said.
MENDED = {
    "no offset": SMALL.replace("    OFFSET 0 10 0\n", ""),
    "offset of two": SMALL.replace("OFFSET 0 10 0", "OFFSET 0 10"),
    "offset of four": SMALL.replace("OFFSET 0 10 0", "OFFSET 0 10 0 4"),
    "offset twice": SMALL.replace("OFFSET 0 10 0", "OFFSET 1 1 1\nOFFSET 0 10 0"),
    "offset not finite": SMALL.replace("OFFSET 0 10 0", "OFFSET nan inf 1e30"),
    "channel count absent": SMALL.replace("CHANNELS 3 X", "CHANNELS X"),
    "channel count negative": SMALL.replace("CHANNELS 3 X", "CHANNELS -3 X"),
    "rows one short and one long": with_rows(ROW_LIST[0][:-2], ROW_LIST[1], ROW_LIST[2] + " 7"),
    "channel count giant": SMALL.replace("CHANNELS 3 X", "CHANNELS 999999999 X"),
    "very long numbers run together": with_rows("1" * 5000 + "-2 " + "3 " * 10, *ROW_LIST),
    "nameless joint": SMALL.replace("JOINT Spine", "JOINT"),
    "nameless end": SMALL.replace("End Site", "End", 1),
    "same name twice": SMALL.replace("Spine", "Leg"),
    "a hundred closing braces": SMALL.replace("MOTION", "}\n" * 100 + "MOTION"),
    "frames of 10^9": SMALL.replace("Frames: 3", "Frames: 1000000000"),
    "frames of 10^400": SMALL.replace("Frames: 3", "Frames: 1" + "0" * 400),
    "frames fractional": SMALL.replace("Frames: 3", "Frames: 2.5"),
    "frames nan": SMALL.replace("Frames: 3", "Frames: nan"),
    "frame time nan": SMALL.replace("0.04", "nan"),
    "frame time absurd": SMALL.replace("0.04", "1e300"),
    "frame time negative": SMALL.replace("0.04", "-0.04"),
    "every value nan": with_rows(*(["nan " * 12] * 3)),
    "values of 10^300": with_rows(ROW_LIST[0], "1e300 " * 12, ROW_LIST[2]),
    "numbers of a thousand digits": with_rows("9" * 1000 + " 0 0 0 0 0 0 0 0 0 0 0", *ROW_LIST),
    "digits without end": with_rows("0." + "3" * 100_000 + " 0 0 0 0 0 0 0 0 0 0 0", *ROW_LIST),
    "rotation about one axis thrice": SMALL.replace("Xrotation Yrotation Zrotation", "Xrotation Xrotation Xrotation"),
    "positions twice": SMALL.replace("Xposition Yposition", "Xposition Xposition"),
    "not UTF-8": SMALL.replace("Spine", "Wirbels\xe4ule").encode("latin-1"),
    "zero byte late": (SMALL + "\n" * 5000 + "\0").encode(),
    "control characters": SMALL.replace("1 90", "1\x0c90"),
}  # fmt: skip


# What may be taken either way, as long as it is taken in one of the two.
EITHER = {
    "unclosed braces": SMALL.replace("}\n", ""),
    "channels without rows to fit": SMALL.replace("CHANNELS 3 X", "CHANNELS 1003 " + "Xrotation " * 1000 + "X"),
    "UTF-16 cut short": SMALL.encode("utf-16")[:-1],
    "UTF-16 without sense": b"\xff\xfe" + SMALL.encode(),
    "channel count with two signs": SMALL.replace("CHANNELS 3 X", "CHANNELS +-5 X"),
    "channel count raised": SMALL.replace("CHANNELS 3 X", "CHANNELS 3\u00b2 X"),
}  # fmt: skip


def read(data):
    return parse_bvh(data if isinstance(data, bytes) else data.encode(), "broken.bvh")


def survives(data):
    """Read, or refuse in the one way that is allowed; what is read is whole. -> the motion or None."""
    reading = read_or_refused(lambda: read(data), "broken.bvh")
    if reading is None:
        return None
    is_whole(reading.motion)
    return reading.motion


@pytest.mark.parametrize("name", HOPELESS)
def test_hopeless_files_say_why_and_where(name):
    data, line, message = HOPELESS[name]
    with pytest.raises(MotionFileError) as caught:
        read(data)
    assert message in caught.value.message
    assert len(caught.value.message) < 200
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize("name", MENDED)
def test_mended_files_are_whole(name, tmp_path):
    motion = survives(MENDED[name])
    assert motion is not None
    write_bvh(motion, tmp_path / "again.bvh")
    again = read_bvh(tmp_path / "again.bvh").motion
    assert again.frames == motion.frames
    assert len(again.skeleton) == len(motion.skeleton)


@pytest.mark.parametrize("name", EITHER)
def test_dubious_files_are_read_or_refused(name):
    survives(EITHER[name])


def test_there_are_at_least_sixty():
    assert len(HOPELESS) + len(MENDED) + len(EITHER) >= 60


def test_every_cut_of_a_file_is_handled():
    for stop in range(len(SMALL)):
        survives(SMALL[:stop])


def test_every_missing_line_is_handled():
    for n in range(len(LINES)):
        survives("\n".join(LINES[:n] + LINES[n + 1 :]))


def test_every_doubled_line_is_handled():
    for n in range(len(LINES)):
        survives("\n".join(LINES[: n + 1] + LINES[n:]))


@pytest.mark.parametrize("levels", [100, 3000])
def test_deep_nesting_is_read(levels):
    assert len(survives(deep(levels)).skeleton) == levels


def test_claimed_frames_take_no_memory():
    text = SMALL.replace("Frames: 3", "Frames: 1000000000").encode()
    read(text)  # whatever is imported or cached on the way is there now
    tracemalloc.start()
    read(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize("body", ["\n" * 200_000, "1\n" * 100_000, "1 " * 200_000, "-" * 300_000, "nan\n" * 50_000])
def test_memory_stays_in_proportion_to_the_file(body):
    wide = SMALL.replace("CHANNELS 3 X", "CHANNELS 5003 " + "Xrotation " * 5000 + "X")
    data = (wide[: wide.index("1 90")] + body).encode()
    survives(data)
    tracemalloc.start()
    survives(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * len(data) + 5_000_000


def clip_bytes(folder):
    path = folder / "clip.bvh"
    write_bvh(waving_figure(frames=6), path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return clip_bytes(tmp_path_factory.mktemp("clip"))


WORDS = [
    b"HIERARCHY", b"ROOT", b"JOINT x", b"End Site", b"OFFSET", b"CHANNELS", b"MOTION", b"Frames: 7", b"Frame Time: 0",
    b"{", b"}", b"\n", b"\r", b"\0", b" ", b"1e400", b"nan", b"-", b",", b"0.0-7.5", b"\xff\xfe", b"999999999999",
    b"Xrotation", b"+-5", b"\xc2\xb2", b"1" * 3000 + b"x",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12), small=st.booleans())
def test_mutated_files_are_read_or_refused(clip, seed, edits, small):
    survives(damaged(SMALL.encode() if small else clip, seed, edits, WORDS))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data):
    survives(data)
    survives(HEADER.encode() + data)
    survives(b"HIERARCHY\nROOT a\n{\n" + data)
