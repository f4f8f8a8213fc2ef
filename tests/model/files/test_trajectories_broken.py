"""Broken track files: a MotionFileError with path and reason, or repaired tracks. Nothing else, ever."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.files.problems import MotionFileError
from model.files.trajectories import parse_tracks, read_tracks, write_tracks
from tests.model.files.damage import damaged, read_or_refused
from tests.model.files.test_trajectories import person
from tests.model.files.test_trajectories_c3d import DEC, MIPS, POINTS, usual
from tests.model.files.test_trajectories_csv import WRISTS
from tests.model.files.test_trajectories_trc import KEYS, SMALL

FORMATS = [".csv", ".trc", ".c3d"]
HEADER = WRISTS.split("\n")[0] + "\n"
ROWS = WRISTS.split("\n")[1:4]
TRC_HEADER = SMALL[: SMALL.index("1\t0.000")]
C3D = usual().build()
# Where things stand in the small C3D: parameters in block 2, data in block 3.
DATA_AT = 1024


def patched(at, *values, data=C3D):
    return data[:at] + bytes(values) + data[at + len(values) :]


ANYWHERE = {
    "empty": b"",
    "only blanks": b" \n\t\n  ",
    "zero bytes": b"\0" * 5000,
    "binary junk": bytes(range(256)) * 40,
    "junk without zeros": bytes(range(1, 256)) * 40,
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "prose": b"Dear Sir or Madam,\nit is with x, y and z\n",
    "html": b"<html><body>404</body></html>",
    "a BVH": b"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n",
    "UTF-16 without sense": b"\xff\xfe" + bytes(range(1, 200)),
    "one long line": b"1" * 100_000,
    "quotes without end": b'"' * 10_000,
    "only newlines": b"\n" * 10_000,
    "only commas": b"," * 10_000,
    "only tabs": b"\t" * 10_000,
}

CSV_CASES = {
    "only a header": HEADER,
    "header and blanks": HEADER + "\n\n \n",
    "header twice": HEADER + WRISTS,
    "header in the middle": WRISTS + HEADER + ROWS[0],
    "two coordinates only": "time,lx,ly,rx,ry\n0,1,2,3,4\n",
    "one point of two whole": "time,lx,ly,rx,ry,rz\n0,1,2,3,4,5\n0.1,1,2,3,4,5\n",
    "no numbers": HEADER + "a,b,c,d,e,f,g\n",
    "a word": WRISTS.replace("1.1", "one"),
    "hexadecimal": WRISTS.replace("1.1", "0x11"),
    "underscores": WRISTS.replace("1.1", "1_1"),
    "two points": WRISTS.replace("1.1", "1.1.1"),
    "other alphabet's digits": WRISTS.replace("1.1", "\u0661"),
    "1e300": WRISTS.replace("1.1", "1e300"),
    "1e999": WRISTS.replace("1.1", "1e999"),
    "a thousand digits": WRISTS.replace("1.1", "9" * 1000),
    "digits without end": WRISTS.replace("1.1", "1." + "3" * 100_000),
    "every value nan": HEADER + "nan,nan,nan,nan,nan,nan,nan\n" * 3,
    "every cell empty": HEADER + ",,,,,,\n" * 3,
    "times all the same": WRISTS.replace("\n0.1,", "\n0.0,").replace("\n0.2,", "\n0.0,"),
    "times backwards": HEADER + "\n".join(reversed(ROWS)),
    "times absurd": WRISTS.replace("\n0.2,", "\n99999999,"),
    "times beyond numbers": WRISTS.replace("\n0.2,", "\n1e300,"),
    "times missing": WRISTS.replace("\n0.1,", "\n,"),
    "times that leap": HEADER + "".join(f"{time},1,1,1,1,1,1\n" for time in (0, 1e-9, 2e-9, 3e-9, 1e9)),
    "frames absurd": WRISTS.replace("time", "frame").replace("\n0.2,", "\n99999999,"),
    "open quote": WRISTS.replace("1.1", '"1.1'),
    "quotes in numbers": WRISTS.replace("1.1", '1"1'),
    "rows of different lengths": HEADER + "0\n0.1,1\n0.2,1,2\n0.3,1,2,3\n0.4,1,2,3,4,5,6,7,8,9\n",
    "delimiters mixed": HEADER + ROWS[0] + "\n" + ROWS[1].replace(",", ";") + "\n" + ROWS[2].replace(",", "\t"),
    "decimal commas among commas": HEADER + ROWS[0].replace(".", ",") + "\n",
    "zero byte late": WRISTS + "\n" * 5000 + "\0",
    "not UTF-8": WRISTS.replace("l", "\xe4").encode("latin-1"),
    "UTF-16 cut short": WRISTS.encode("utf-16")[:-1],
    "unit nonsense": "# unit: 1e999 m\n# up: sideways\n# fps: -3\n# rate: nan\n" + WRISTS,
    "unit zero": "# unit: 0 m\n" + WRISTS,
    "separator nonsense": "sep=x\n" + WRISTS,
    "separator quote": 'sep="\n' + WRISTS,
    "a name of a megabyte": HEADER.replace("lx", "l" * 1_000_000 + "x") + ROWS[0],
    "blanks of a megabyte": HEADER.replace("lx", "l" + " " * 1_000_000 + "x") + ROWS[0],
    "brackets of a megabyte": HEADER.replace("lx", "(" * 1_000_000 + "x") + ROWS[0],
    "control characters": WRISTS.replace(",1.1", "\x0c,\x0b1.1"),
}  # fmt: skip

TRC_CASES = {
    "only the type": SMALL.split("\n")[0] + "\n",
    "no Frame#": SMALL.replace("Frame#", "Number"),
    "no type": SMALL.split("\n", 1)[1],
    "no values": SMALL.replace("60.00\t60.00\t3\t2\tmm\t60.00\t1\t3\n", ""),
    "no keys": SMALL.replace(KEYS, ""),
    "keys at the end": SMALL + KEYS,
    "only a header": TRC_HEADER,
    "names nobody": SMALL.replace("R.ASIS\t\t\tL.ASIS", ""),
    "names nobody, no axes": SMALL.replace("R.ASIS\t\t\tL.ASIS", "").replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", ""),
    "axes without names": SMALL.replace("R.ASIS", "").replace("L.ASIS", ""),
    "a thousand axes": SMALL.replace("Z2", "Z2" + "\tX\tY\tZ" * 1000),
    "two axes": SMALL.replace("\tY1\tZ1\tX2\tY2\tZ2", "\tY1"),
    "frames of 10^9": SMALL.replace("60.00\t3\t2", "60.00\t1000000000\t2"),
    "frames negative": SMALL.replace("60.00\t3\t2", "60.00\t-3\t2"),
    "frames nan": SMALL.replace("60.00\t3\t2", "60.00\tnan\t2"),
    "markers of 10^9": SMALL.replace("60.00\t3\t2", "60.00\t3\t1000000000"),
    "rate zero": SMALL.replace("60.00", "0"),
    "rate nan": SMALL.replace("60.00", "nan"),
    "rate absurd": SMALL.replace("60.00", "1e300"),
    "rate a word": SMALL.replace("60.00", "fast"),
    "units missing": SMALL.replace("\tmm\t", "\t\t"),
    "times nan": SMALL.replace("0.017", "nan"),
    "times absurd": SMALL.replace("0.033", "1e8"),
    "times backwards": SMALL.replace("0.033", "-5"),
    "a word": SMALL.replace("1010\t11", "1010\televen"),
    "values of 10^300": SMALL.replace("1010\t11", "1e300\t-1e300"),
    "cut in a row": SMALL[:-12],
    "cut in a number": SMALL[:-2] + "-",
    "row of one": SMALL + "4\n",
    "row of a thousand": SMALL + "4\t0.05" + "\t1" * 1000 + "\n",
    "names with quotes": SMALL.replace("R.ASIS", '"R.ASIS'),
    "same names": SMALL.replace("L.ASIS", "R.ASIS"),
    "every value nan": TRC_HEADER + "1\t0\tnan\tnan\tnan\tnan\tnan\tnan\n",
    "not UTF-8": SMALL.replace("R.ASIS", "\xe4").encode("latin-1"),
    "tabs without end": SMALL.replace("L.ASIS", "L.ASIS" + "\t" * 300_000),
}

C3D_CASES = {
    "magic alone": b"\x02\x50",
    "a header alone": C3D[:512],
    "parameters cut": C3D[:520],
    "header without magic": patched(1, 0),
    "parameters in block 0": patched(0, 0),
    "parameters in block 200": patched(0, 200),
    "parameters in the header": patched(0, 1),
    "no data": C3D[:DATA_AT],
    "half a frame": C3D[: DATA_AT + 20],
    "no points": usual(**{"POINT:USED": 0}).build(points=POINTS[:, :0]),
    "points of 65535": patched(2, 255, 255, data=usual(**{"POINT:USED": None}).build()),
    "points 65535 by parameter": usual(**{"POINT:USED": 65535}).build(),
    "points nan": usual(**{"POINT:USED": float("nan")}).build(),
    "points 1e30": usual(**{"POINT:USED": 1e30}).build(),
    "points a text": usual(**{"POINT:USED": "two"}).build(),
    "analog of 65535": patched(4, 255, 255),
    "frames of 65535": patched(8, 255, 255),
    "frames backwards": patched(6, 9, 0, 1, 0),
    "frames by parameter": usual(**{"TRIAL:ACTUAL_START_FIELD": [1, 0], "TRIAL:ACTUAL_END_FIELD": [2, 9999]}).build(),
    "frames as nan": usual(**{"POINT:FRAMES": float("nan")}).build(last=65535),
    "frames as infinity": usual(**{"POINT:FRAMES": float("inf")}).build(last=65535),
    "frame fields not numbers": usual(
        **{"TRIAL:ACTUAL_START_FIELD": [float("nan"), 0.0], "TRIAL:ACTUAL_END_FIELD": [float("inf"), 0.0]}
    ).build(last=65535),
    "scale zero": usual(scale=-1.0, **{"POINT:SCALE": 0.0}).build(scale=0.0),
    "scale nan": usual(**{"POINT:SCALE": float("nan")}).build(scale=float("nan")),
    "scale infinite": usual(**{"POINT:SCALE": float("inf")}).build(),
    "scale of the wrong sign": usual(**{"POINT:SCALE": 1.0}).build(),
    "scale giant": usual(**{"POINT:SCALE": 1e30}).build(),
    "data in block 0": patched(16, 0, 0),
    "data in block 1": patched(16, 1, 0),
    "data in the parameters": patched(16, 2, 0),
    "data beyond the end": patched(16, 255, 255),
    "unknown processor": patched(515, 1),
    "the wrong processor": patched(515, MIPS),
    "DEC that is none": patched(515, DEC),
    "rate zero": usual(**{"POINT:RATE": 0.0}).build(rate=0.0),
    "rate infinite": usual(**{"POINT:RATE": float("inf")}).build(rate=float("nan")),
    "labels of no length": usual(**{"POINT:LABELS": ["", ""]}).build(),
    "labels as numbers": usual(**{"POINT:LABELS": [1, 2]}).build(),
    "labels not UTF-8": usual(**{"POINT:LABELS": ["\xe4", "\xff"]}).build(),
    "parameters of ones": C3D[:516] + b"\x01" * 508 + C3D[DATA_AT:],
    "parameters of 255": C3D[:516] + b"\xff" * 508 + C3D[DATA_AT:],
    "parameters of zeros": C3D[:516] + b"\0" * 508 + C3D[DATA_AT:],
    "parameters of 128": C3D[:516] + b"\x80" * 508 + C3D[DATA_AT:],
    "signalling nans": C3D[:DATA_AT] + b"\x01\x00\x80\x7f" * 128,
    "infinities": C3D[:DATA_AT] + b"\x00\x00\x80\x7f" * 128,
    "nobody seen": usual().build(residuals=-np.ones((2, 2))),
}  # fmt: skip

CASES = [
    (extension, f"{extension}: {name}", data)
    for extension, own in ((".csv", CSV_CASES), (".trc", TRC_CASES), (".c3d", C3D_CASES))
    for name, data in (ANYWHERE | own).items()
]


def survives(data, extension):
    """Read, or refuse in the one way that is allowed; what is read is whole. -> the tracks or None."""
    data = data if isinstance(data, bytes) else data.encode()
    path = "broken" + extension
    reading = read_or_refused(lambda: parse_tracks(data, path), path)
    if reading is None:
        return None
    tracks = reading.tracks
    assert tracks.frames >= 1
    assert len(tracks.names) >= 1
    tracks.validate()
    return tracks


@pytest.mark.parametrize(("extension", "data"), [case[::2] for case in CASES], ids=[case[1] for case in CASES])
def test_broken_files_are_refused_or_whole(extension, data, tmp_path):
    tracks = survives(data, extension)
    if tracks is not None:
        path = tmp_path / ("again" + extension)
        write_tracks(tracks, path)
        again = read_tracks(path).tracks
        assert again.frames == tracks.frames
        assert len(again.names) == len(tracks.names)


@pytest.mark.parametrize("own", [CSV_CASES, TRC_CASES, C3D_CASES])
def test_there_are_at_least_thirty_of_each(own):
    assert len(own) >= 30


HOPELESS = [
    (".csv", HEADER, 2, "ends before the first row"),
    (".csv", "Dear Sir,\n", 1, "expected a header with columns such as time,lx"),
    (".csv", "time,lx,ly,rx,ry\n0,1,2,3,4\n", None, "expected a header"),
    (".csv", b"\0" * 10, None, "binary, not text"),
    (".csv", WRISTS.replace("1.1,0.3", "1.1,three"), 2, "expected a number, found 'three'"),
    (".trc", TRC_HEADER, None, "ends before the first frame"),
    (".trc", "HIERARCHY\n", 1, "this is not a TRC file"),
    (".trc", SMALL.replace("1010\t11", "1010\tx"), 8, "expected a number, found 'x'"),
    (".trc", TRC_CASES["names nobody, no axes"], 4, "names no markers"),
    (".c3d", WRISTS, None, "this is not a C3D file"),
    (".c3d", C3D[:512], None, "ends before its parameters"),
    (".c3d", C3D[:DATA_AT], None, "ends before the first frame"),
    (".c3d", C3D_CASES["no points"], None, "holds no points"),
    (".c3d", C3D_CASES["scale zero"], None, "POINT:SCALE is 0"),
    (".c3d", C3D_CASES["data in block 0"], None, "where its points are"),
    *[(extension, "", None, "the file is empty") for extension in FORMATS],
]


@pytest.mark.parametrize(("extension", "data", "line", "message"), HOPELESS)
def test_hopeless_files_say_why_and_where(extension, data, line, message):
    with pytest.raises(MotionFileError) as caught:
        parse_tracks(data if isinstance(data, bytes) else data.encode(), "broken" + extension)
    assert message in caught.value.message
    assert line is None or caught.value.line == line


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """The bytes of one clip in every format, and of the small ones above."""
    folder = tmp_path_factory.mktemp("clips")
    for extension in FORMATS:
        write_tracks(person(frames=6), folder / ("clip" + extension))
    made = {extension: (folder / ("clip" + extension)).read_bytes() for extension in FORMATS}
    return {
        ".csv": [WRISTS.encode(), made[".csv"]],
        ".trc": [SMALL.encode(), made[".trc"]],
        ".c3d": [C3D, made[".c3d"]],
    }


@pytest.mark.parametrize("extension", FORMATS)
def test_every_cut_of_a_file_is_handled(clips, extension):
    small = clips[extension][0]
    for stop in range(len(small)):
        survives(small[:stop], extension)


def test_every_byte_of_a_c3d_may_be_wrong():
    for at in range(560):
        for value in (0, 1, 127, 128, 255):
            survives(patched(at, value), ".c3d")


WORDS = [
    b"time", b"lx", b"Frame#", b"DataRate", b"X1", b"mm", b"# unit: cm", b"\n", b"\r", b"\0", b" ", b"\t", b",", b";",
    b'"', b"1e400", b"nan", b"-", b"0.0-7.5", b"\xff\xfe", b"999999999999", b"\xff\xff", b"\x00\x00\x80\x7f", b"POINT",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12), which=st.integers(0, 1))
@pytest.mark.parametrize("extension", FORMATS)
def test_mutated_files_are_read_or_refused(clips, extension, seed, edits, which):
    survives(damaged(clips[extension][which], seed, edits, WORDS), extension)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes_are_read_or_refused(data):
    for extension in FORMATS:
        survives(data, extension)
    survives(HEADER.encode() + data, ".csv")
    survives(data + WRISTS.encode(), ".csv")
    survives(TRC_HEADER.encode() + data, ".trc")
    survives(KEYS.encode() + b"\n" + data + SMALL.encode(), ".trc")
    survives(C3D[:516] + data.ljust(508, b"\0") + C3D[DATA_AT:], ".c3d")
    survives(C3D[:2] + data.ljust(510, b"\0")[:510] + C3D[512:], ".c3d")
    survives(C3D[:DATA_AT] + data, ".c3d")


def peak_of(data, extension):
    survives(data, extension)  # whatever is imported or cached on the way is there now
    tracemalloc.start()
    survives(data, extension)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


WIDE = "time," + ",".join(f"p{n}_{axis}" for n in range(5000) for axis in "xyz") + "\n"
WIDE_TRC = TRC_HEADER.replace("L.ASIS", "\t\t".join(f"\tp{n}" for n in range(5000)))
# Parameters that each claim as much as they can, one starting inside the other.
GREEDY = C3D[:16] + b"\xff\xff" + C3D[18:516] + (b"\x01\x01A\x02\x00\xff\x02\xff\xff" * 40_000)


@pytest.mark.parametrize(
    ("data", "extension"),
    [
        *[(WIDE + body, ".csv") for body in ("\n" * 200_000, "1\n" * 100_000, "1," * 100_000, ",\n" * 50_000)],
        *[(WIDE_TRC + body, ".trc") for body in ("\n" * 200_000, "1\n" * 100_000, "1\t" * 100_000, "\t\n" * 50_000)],
        ("0.1," * 200_000, ".csv"),
        ('"' * 300_000, ".csv"),
        ("-" * 300_000, ".csv"),
        (HEADER + ",,,,,,\n" * 50_000, ".csv"),
        (GREEDY, ".c3d"),
        (C3D[:DATA_AT] + b"\0" * 300_000, ".c3d"),
        (C3D_CASES["points 65535 by parameter"] + b"\0" * 2_000_000, ".c3d"),
        (C3D_CASES["frames by parameter"], ".c3d"),
    ],
)  # fmt: skip
def test_memory_stays_in_proportion_to_the_file(data, extension):
    data = data if isinstance(data, bytes) else data.encode()
    assert peak_of(data, extension) < 60 * len(data) + 5_000_000
