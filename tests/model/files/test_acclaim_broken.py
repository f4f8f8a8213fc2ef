"""Broken Acclaim files: a MotionFileError with path, line and reason, or a repaired clip. Nothing else, ever."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.files.acclaim import read_amc, write_amc
from model.files.problems import MotionFileError
from tests.clips import waving_figure
from tests.model.files.acclaim_text import AMC, ASF, FRAMES, HEAD
from tests.model.files.damage import damaged, extra_memory, is_whole, read_or_refused

AMC_LINES, ASF_LINES = AMC.split("\n"), ASF.split("\n")


def read(folder, amc=AMC, asf=ASF):
    for data, suffix in ((amc, ".amc"), (asf, ".asf")):
        (folder / f"broken{suffix}").write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_amc(folder / "broken.amc")


def survives(folder, amc=AMC, asf=ASF):
    """Read, or refuse in the one way that is allowed; what is read is whole. -> the motion or None."""
    reading = read_or_refused(lambda: read(folder, amc, asf), "broken")
    if reading is None:
        return None
    is_whole(reading.motion)
    return reading.motion


CHANGED = -1  # the line that was changed
BLOCK = -2  # the line where the changed block begins

# What is wrong with the motion file, the line where that is known, and the words that say so.
HOPELESS_AMC = {
    "empty": ("", None, "the file is empty"),
    "blank": (" \n\n", None, "the file is empty"),
    "binary": (b"\0\1\2" * 50, None, "binary, not text"),
    "only a header": (HEAD, 4, "before the first frame"),
    "only a comment": ("# nothing\n", 2, "before the first frame"),
    "prose": ("Dear Sir or Madam,\nthis is a letter.\n", 3, "before the first frame"),
    "a number without bones": (HEAD + "1\n", None, "no whole frame"),
    "cut in the first frame": (HEAD + "1\nroot 1 2 3", None, "no whole frame"),
    "a word as value": (AMC.replace("thigh -5 370 7", "thigh -5 many 7"), 11, "expected a number, found 'many'"),
    "hexadecimal": (AMC.replace("370", "0x10"), 11, "expected a number, found '0x10'"),
    "underscore": (AMC.replace("370", "3_70"), 11, "expected a number, found '3_70'"),
    "json": (AMC.replace("370", "true"), 11, "expected a number, found 'true'"),
}

HOPELESS_ASF = {
    "empty": ("", None, "the file is empty"),
    "binary": (b"\0" * 90, None, "binary, not text"),
    "prose": ("Once upon a time\n", 1, "not an ASF file: expected a section"),
    "a BVH file": ("HIERARCHY\nROOT Hips\n{\n", 1, "not an ASF file"),
    "no sections that matter": (":version 1.10\n:name x\n", None, "no :root and no :bonedata"),
    "direction of words": (ASF.replace("direction 1 0 0", "direction up 0 0"), CHANGED, "direction expects a number"),
    "direction too short": (ASF.replace("direction 1 0 0", "direction 1 0"), CHANGED, "found nothing"),
    "length of words": (ASF.replace("length 40", "length long"), CHANGED, "length expects a number, found 'long'"),
    "no length": (ASF.replace("length 40", "length"), CHANGED, "length expects a number, found nothing"),
    "axis order": (ASF.replace("axis 0 0 20 XYZ", "axis 0 0 20 XXZ"), CHANGED, "the axis order cannot be 'XXZ'"),
    "unknown dof": (ASF.replace("dof rx rz", "dof rx rw"), CHANGED, "dof cannot be 'rx rw'"),
    "dof twice": (ASF.replace("dof rx rz", "dof rx rx"), CHANGED, "dof cannot be 'rx rx'"),
    "unknown root order": (ASF.replace("TX TY", "TX UP"), CHANGED, "order cannot be"),
    "two bones of one name": (ASF.replace("name shin", "name thigh"), BLOCK, "two bones named 'thigh'"),
    "bone named root": (ASF.replace("name shin", "name root"), BLOCK, "two bones named 'root'"),
    "limits of one": (ASF.replace("(-10.0 170.0)", "(-10.0)"), CHANGED, "limits expect two numbers"),
    "limits of words": (ASF.replace("(-10.0 170.0)", "(low high)"), CHANGED, "limits expect a number"),
    "value outside a block": (ASF.replace(":bonedata\n", ":bonedata\nid 7\n"), CHANGED, "'id' stands outside"),
}  # fmt: skip

MENDED = {
    "no frame numbers": (FRAMES.replace("\n2\n", "\n").replace("\n3\n", "\n"), ASF),
    "frame numbers jump": (AMC.replace("\n3\nroot", "\n9\nroot"), ASF),
    "frame number giant": (AMC.replace("\n3\nroot", "\n" + "9" * 9000 + "\nroot"), ASF),
    "last frame cut": (AMC[: AMC.rindex("shin")], ASF),
    "last number cut": (AMC.rstrip()[:-3], ASF),
    "a bone missing in a frame": (AMC.replace("shin 41\n", ""), ASF),
    "a bone missing in all": (AMC.replace("shin 40\n", "").replace("shin 41\n", "").replace("shin 0\n", ""), ASF),
    "too few values": (AMC.replace("thigh -5 370 7", "thigh -5"), ASF),
    "too many values": (AMC.replace("thigh -5 370 7", "thigh -5 370 7 8 9"), ASF),
    "values for a bone without dof": (AMC.replace("shin 41", "hip 1 2 3\nshin 41"), ASF),
    "unknown bone": (AMC.replace("shin 41", "tail 1 2 3\nshin 41"), ASF),
    "bone twice in a frame": (AMC.replace("shin 41\n", "shin 41\nshin 42\n"), ASF),
    "not numbers": (AMC.replace("370", "nan").replace("41", "1.#QNAN"), ASF),
    "absurd numbers": (AMC.replace("370", "1e300"), ASF),
    "no fully-specified": (AMC.replace(":FULLY-SPECIFIED\n", ""), ASF),
    "no degrees": (AMC.replace(":DEGREES\n", ""), ASF),
    "comments between": (AMC.replace("\n2\n", "\n# second\n2\n"), ASF),
    "no units": (AMC, ASF.replace(":units\n  mass 1.0\n  length 2.54\n  angle deg\n", "")),
    "length of zero": (AMC, ASF.replace("length 2.54", "length 0")),
    "no root": (AMC, ASF[: ASF.index(":root")] + ASF[ASF.index(":bonedata") :]),
    "no bones": (AMC, ASF[: ASF.index(":bonedata")]),
    "no hierarchy": (AMC, ASF[: ASF.index(":hierarchy")]),
    "hierarchy of a circle": (AMC, ASF.replace("hip thigh", "hip thigh\n    shin hip")),
    "a circle off the root": (AMC, ASF.replace("root hip", "root").replace("thigh shin", "thigh shin\n    shin hip")),
    "own parent": (AMC, ASF.replace("hip thigh", "hip hip thigh")),
    "unknown in hierarchy": (AMC, ASF.replace("hip thigh", "hip thigh tail\n    tail shin")),
    "loose bone": (AMC, ASF.replace("    thigh shin\n", "")),
    "unclosed bone": (AMC, ASF.replace("  end\n", "", 1)),
    "unclosed last bone": (AMC, ASF.replace("  end\n:hierarchy", ":hierarchy")),
    "nameless bone": (AMC, ASF.replace("    name hip\n", "")),
    "direction of no length": (AMC, ASF.replace("direction 1 0 0", "direction 0 0 0")),
    "direction not of unit length": (AMC, ASF.replace("direction 1 0 0", "direction 1 1 0")),
    "numbers not finite": (AMC, ASF.replace("length 40", "length nan").replace("axis 10 20", "axis inf 20")),
    "more limits than dofs": (AMC, ASF.replace("dof rx rz", "dof rx")),
    "no end": (AMC, ASF.rstrip()[: -len("end")]),
}  # fmt: skip


@pytest.mark.parametrize("name", HOPELESS_AMC)
def test_hopeless_motion_files_say_why_and_where(tmp_path, name):
    data, line, message = HOPELESS_AMC[name]
    with pytest.raises(MotionFileError) as caught:
        read(tmp_path, amc=data)
    assert message in caught.value.message
    assert caught.value.path.endswith("broken.amc")
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize("name", HOPELESS_ASF)
def test_hopeless_skeleton_files_say_why_and_where(tmp_path, name):
    data, line, message = HOPELESS_ASF[name]
    with pytest.raises(MotionFileError) as caught:
        read(tmp_path, asf=data)
    assert message in caught.value.message
    assert caught.value.path.endswith("broken.asf")
    in_block = line == BLOCK
    if line in (CHANGED, BLOCK):
        pairs = zip(ASF_LINES, data.split("\n"), strict=False)
        line = 1 + next(n for n, (old, new) in enumerate(pairs) if old != new)
        if in_block:
            line -= 2  # begin, id, name
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize("name", MENDED)
def test_mended_files_are_whole_and_can_be_written(tmp_path, name):
    motion = survives(tmp_path, *MENDED[name])
    assert motion is not None
    write_amc(motion, tmp_path / "again.amc")
    again = read_amc(tmp_path / "again.amc").motion
    assert again.frames == motion.frames
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-6)


def test_missing_values_are_interpolated_and_said(tmp_path):
    reading = read(tmp_path, AMC.replace("shin 41\n", "").replace("shin 0", "shin 50"))
    assert reading.motion.origin.channels[1, 9] == 45.0
    assert any("no values for shin" in problem.message for problem in reading.problems)


def test_there_are_at_least_sixty():
    assert len(HOPELESS_AMC) + len(HOPELESS_ASF) + len(MENDED) >= 60


def test_every_cut_is_handled(tmp_path):
    for stop in range(0, len(AMC), 3):
        survives(tmp_path, amc=AMC[:stop])
    for stop in range(0, len(ASF), 3):
        survives(tmp_path, asf=ASF[:stop])


def test_every_missing_or_doubled_line_is_handled(tmp_path):
    for n in range(len(AMC_LINES)):
        survives(tmp_path, amc="\n".join(AMC_LINES[:n] + AMC_LINES[n + 1 :]))
        survives(tmp_path, amc="\n".join(AMC_LINES[: n + 1] + AMC_LINES[n:]))
    for n in range(len(ASF_LINES)):
        survives(tmp_path, asf="\n".join(ASF_LINES[:n] + ASF_LINES[n + 1 :]))
        survives(tmp_path, asf="\n".join(ASF_LINES[: n + 1] + ASF_LINES[n:]))


@pytest.mark.parametrize(
    "body", ["1\n" * 100_000, "1\nroot 1\n" * 20_000, "x 1\n" * 50_000, "1 " * 100_000, "-" * 200_000]
)
def test_memory_stays_in_proportion_to_the_file(tmp_path, body):
    survives(tmp_path, amc=HEAD + body)
    tracemalloc.start()
    survives(tmp_path, amc=HEAD + body)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 * len(body)


def wide_skeleton(count, dofs):
    """The text of a skeleton with many bones that all hang on the root."""
    bones = "".join(f"begin\nname b{n}\n{dofs}\nend\n" for n in range(count))
    links = "root " + " ".join(f"b{n}" for n in range(count))
    return ASF[: ASF.index(":bonedata")] + f":bonedata\n{bones}:hierarchy\nbegin\n{links}\nend\n"


@pytest.mark.parametrize("dofs", ["dof tx ty tz rx ry rz l", "length 1"], ids=["values that lack", "joints at rest"])
def test_short_frames_of_a_wide_skeleton_are_refused_before_they_take_memory(tmp_path, dofs):
    asf, amc = wide_skeleton(3000, dofs), HEAD + "1\nroot 1\n" * 6000
    with pytest.raises(MotionFileError, match=r"lack most values|out of proportion"):
        read(tmp_path, amc, asf)
    assert extra_memory(lambda: read(tmp_path, amc, asf)) < 100e6


def test_deep_chains_of_bones_are_read(tmp_path):
    count = 2000
    bones = "".join(f"begin\nname b{n}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\ndof rx\nend\n" for n in range(count))
    links = "\n".join(["root b0", *(f"b{n} b{n + 1}" for n in range(count - 1))])
    asf = ASF[: ASF.index(":bonedata")] + f":bonedata\n{bones}:hierarchy\nbegin\n{links}\nend\n"
    amc = HEAD + "1\nroot 0 0 0 0 0 0\n" + "".join(f"b{n} 1\n" for n in range(count))
    assert len(survives(tmp_path, amc, asf).skeleton) == count + 1


WORDS = [
    "root", "begin", "end", ":units", ":root", ":bonedata", ":hierarchy", "dof rx", "limits (", "1", "\n2\n", "nan",
    "1e400",
    "-", "#", "axis 1 2 3 XYZ", "length", "direction", "thigh 1", "\0", "\r", "\t", "name shin", "id", "(1 2)",
]  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 8), which=st.booleans())
def test_mutated_files_are_read_or_refused(tmp_path, seed, edits, which):
    data = damaged((AMC if which else ASF).encode(), seed, edits, [word.encode() for word in WORDS])
    survives(tmp_path, **({"amc": data} if which else {"asf": data}))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path, data):
    survives(tmp_path, amc=data)
    survives(tmp_path, amc=HEAD.encode() + b"1\n" + data)
    survives(tmp_path, asf=data)
    survives(tmp_path, asf=b":bonedata\nbegin\n" + data)


def test_long_regular_file_with_one_odd_frame_keeps_all_others(tmp_path):
    motion = waving_figure(frames=2000)
    write_amc(motion, tmp_path / "long.amc")
    text = (tmp_path / "long.amc").read_text()
    at = text.index("\n1501\n")
    odd = text[:at] + text[at:].replace("\nHead 0.0", "\nHead nan", 1)
    (tmp_path / "long.amc").write_text(odd)
    reading = read_amc(tmp_path / "long.amc")
    assert reading.motion.frames == 2000
    np.testing.assert_allclose(reading.motion.world.positions, motion.world.positions, atol=0.05)
    assert any("frame 1500" in problem.message for problem in reading.problems)
