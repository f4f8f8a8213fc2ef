"""The command line as a person or a script calls it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.features import FEATURES
from model.files.bvh import read_bvh, write_bvh
from tests.calls import call
from tests.clips import random_motion, waving_figure

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


WRONG = {
    "no such verb": (["fly"], "invalid choice: 'fly'"),
    "no file": (["info"], "the following arguments are required: FILE"),
    "absent file": (["info", "absent.bvh"], "absent.bvh: cannot be read: No such file"),
    "a folder": (["info", "."], "the file name has no extension"),
    "unknown input": (["info", "clip.fbx"], "'.fbx' cannot be read; known are .bvh"),
    "points as a skeleton": (
        ["convert", "POINTS", "-o", "out.bvh"],
        "points are no skeleton: they can be written as .csv",
    ),
    "motion without skeleton": (["info", "lone.amc"], "cannot be read: No such file"),
    "unknown output": (["convert", "CLIP", "-o", "out.xyz"], "'.xyz' cannot be written"),
    "no output": (["convert", "CLIP"], "-o/--output"),
    "absent folder": (["convert", "CLIP", "-o", "absent/out.bvh"], "absent/out.bvh: cannot be written: No such file"),
    "rate of zero": (["convert", "CLIP", "-o", "o.bvh", "--fps", "0"], "0 frames a second are none"),
    "rate of text": (["convert", "CLIP", "-o", "o.bvh", "--fps", "fast"], "'fast' is not a number of frames"),
    "rate beyond sense": (["convert", "CLIP", "-o", "o.bvh", "--fps", "1e308"], "frames a second are none"),
    "rate of next to nothing": (["convert", "CLIP", "-o", "o.bvh", "--fps", "1e-320"], "frames a second are none"),
    "rate of very many": (
        ["convert", "CLIP", "-o", "o.bvh", "--fps", "100000"],
        "100000 frames a second are too many to make: use 0.1 to 1000",
    ),
    "batch into nowhere": (["batch", "convert", "--over", "DIR", "-o", "/proc/x/*.bvh"], "cannot be made"),
    "batch over a long name": (["batch", "info", "--over", "x" * 5000], "is not a folder"),
    "unknown unit": (["convert", "CLIP", "-o", "o.bvh", "--unit", "ell"], "--unit: 'ell' is not a unit"),
    "unknown axis": (["info", "CLIP", "--from-up", "w"], "--from-up: 'w' is not an axis"),
    "unknown option": (["info", "CLIP", "--colour"], "unrecognized arguments: --colour"),
    "seam outside": (["quality", "CLIP", "--seam", "30"], "--seam is 30: there must be two frames"),
    "absent path": (["quality", "CLIP", "--path", "none.json"], "none.json: cannot be read"),
    "absent reference": (["quality", "CLIP", "--reference", "none.bvh"], "none.bvh: cannot be read"),
    "clean to nowhere": (["clean", "CLIP", "-o", "out.xyz"], "'.xyz' cannot be written"),
    "batch of batch": (["batch", "batch", "--over", "DIR"], "batch cannot repeat batch"),
    "batch over a file": (["batch", "info", "--over", "CLIP"], "is not a folder"),
    "batch over nothing": (["batch", "info", "--over", "EMPTY"], "holds no motion files"),
    "batch without star": (["batch", "convert", "--over", "DIR", "-o", "out.bvh"], "must hold one star"),
    "batch of a wrong option": (["batch", "info", "--over", "DIR", "--colour"], "unrecognized arguments: --colour"),
    "batch with no workers": (["batch", "info", "--over", "DIR", "--jobs", "0"], "--jobs is 0"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_calls_say_why_and_exit_with_2(capsys, clip, tmp_path, monkeypatch, wrong):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    arguments, reason = WRONG[wrong]
    (tmp_path / "empty" / "points.csv").write_text("time,ax,ay,az\n0,1,2,3\n0.1,1,2,3\n")
    places = {"CLIP": clip, "DIR": tmp_path, "EMPTY": tmp_path / "void", "POINTS": tmp_path / "empty" / "points.csv"}
    (tmp_path / "void").mkdir()
    status, out, err = call(capsys, *(places.get(argument, argument) for argument in arguments))
    assert status == 2
    assert out == ""
    assert reason in err
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.bvh", "empty", "void"]


def test_damaged_file_names_path_and_line(capsys, clip, tmp_path):
    bad = tmp_path / "bad.bvh"
    bad.write_text(clip.read_text().replace("OFFSET", "OFFSET zero", 1))
    status, _, err = call(capsys, "info", bad)
    assert status == 2
    assert err == f"motionwright: {bad}:4: OFFSET expects a number, found 'zero'\n"


@pytest.mark.parametrize("verb", FEATURES.verbs)
def test_every_verb_has_help_with_an_example(capsys, verb):
    status, out, _ = call(capsys, verb, "--help")
    assert status == 0
    assert f"example:\n  motionwright {verb}" in out


def test_help_names_every_verb(capsys):
    status, out, _ = call(capsys, "--help")
    assert status == 0
    assert re.findall(r"^    (\w+)", out, flags=re.M) == [
        "info", "convert", "extrema", "contacts", "clean", "pose", "stagger", "exaggerate", "retarget", "loop", "walk",
        "quality", "render", "batch",
    ]  # fmt: skip


@pytest.mark.parametrize("named", [False, True])
def test_editor_needs_a_screen_and_says_so(clip, named):
    bare = {
        key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = subprocess.run(
        [sys.executable, "-m", "app", *([str(clip)] if named else [])],
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "there is no screen for a window" in done.stderr


def test_batch_over_a_folder_in_parallel(capsys, clip, tmp_path):
    (tmp_path / "sub").mkdir()
    shutil.copy(clip, tmp_path / "sub" / "other.BVH")
    (tmp_path / "broken.bvh").write_text("HIERARCHY")
    (tmp_path / "notes.txt").write_text("not a clip")
    status, out, err = call(capsys, "batch", "info", "--over", tmp_path, "--json", "--jobs", "2")
    files = json.loads(out)["files"]
    assert status == 1
    assert [Path(entry["file"]).name for entry in files] == ["broken.bvh", "clip.bvh", "other.BVH"]
    assert [entry["status"] for entry in files] == [2, 0, 0]
    assert files[1]["result"]["frames"] == 31
    assert "has no ROOT" in files[0]["messages"][0]
    assert "2 of 3 files done, 1 failed" in err


def test_batch_writes_where_the_star_says(capsys, clip, tmp_path):
    (tmp_path / "in" / "sub").mkdir(parents=True)
    shutil.copy(clip, tmp_path / "in" / "a.bvh")
    shutil.copy(clip, tmp_path / "in" / "sub" / "b.bvh")
    status, *_ = call(
        capsys, "batch", "convert", "--over", tmp_path / "in", "-o", tmp_path / "out" / "*_15.bvh", "--fps", "15"
    )
    assert status == 0
    assert read_bvh(tmp_path / "out" / "a_15.bvh").motion.frames == 16
    assert read_bvh(tmp_path / "out" / "sub" / "b_15.bvh").motion.frames == 16


def test_batch_refuses_two_clips_for_one_output(capsys, clip, tmp_path):
    shutil.copy(clip, tmp_path / "clip.BVH")
    status, _, err = call(capsys, "batch", "convert", "--over", tmp_path, "-o", tmp_path / "out" / "*.bvh")
    assert status == 2
    assert "would both be written" in err
    assert not (tmp_path / "out").exists()


# The program, which says when it begins: before that, Ctrl-C ends Python itself.
_STARTED = """
import sys
from app.__main__ import main
print("started", flush=True)
sys.exit(main())
"""


@pytest.mark.parametrize("moment", [0.0, 0.1, 0.3, 0.6])
def test_ctrl_c_leaves_no_half_written_file(tmp_path, moment):
    source, out = tmp_path / "long.bvh", tmp_path / "out.bvh"
    write_bvh(random_motion(frames=20_000), source)
    before = source.read_bytes()
    out.write_bytes(b"what was there")
    child = subprocess.Popen(
        [sys.executable, "-c", _STARTED, "convert", source, "-o", out, "--fps", "120"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child.stdout.readline()
    time.sleep(moment)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    whole = out.read_bytes() == b"what was there" or read_bvh(out).motion.frames == 79_997
    assert whole
    assert source.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.bvh", "out.bvh"]
    assert b"Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_or_is_closed_is_no_traceback(clip):
    command = f"{sys.executable} -m app info {clip}"
    full = subprocess.run(f"{command} > /dev/full", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert full.returncode == 1
    assert "No space left" in full.stderr
    assert "Traceback" not in full.stderr
    closed = subprocess.run(f"{command} >&-", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert "Traceback" not in closed.stderr


def test_names_that_the_terminal_cannot_show_are_shown_somehow(clip, tmp_path):
    odd = tmp_path / "odd.bvh"
    odd.write_text(clip.read_text().replace("Spine1", "Wirbels\u00e4ule"))
    done = subprocess.run(
        [sys.executable, "-m", "app", "info", odd],
        cwd=ROOT,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"Wirbels\\xe4ule" in done.stdout


def test_batch_takes_files_named_like_options(capsys, clip, tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    shutil.copy(clip, tmp_path / "in" / "-x.bvh")
    monkeypatch.chdir(tmp_path / "in")
    assert call(capsys, "batch", "info", "--over", ".")[0] == 0


def test_output_that_nobody_reads_to_the_end_is_no_error(clip):
    reader = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    writer = subprocess.run(
        [sys.executable, "-m", "app", "info", clip, "--json"], cwd=ROOT, stdout=reader.stdin, stderr=subprocess.PIPE
    )
    reader.stdin.close()
    reader.wait()
    assert writer.returncode == 0
    assert writer.stderr == b""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_output_without_permission_is_named(capsys, clip, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    status, _, err = call(capsys, "convert", clip, "-o", tmp_path / "locked" / "out.bvh")
    assert status == 2
    assert "cannot be written: Permission denied" in err
