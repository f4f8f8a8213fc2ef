"""What every verb that writes a file does with outputs that it must not, or cannot, write."""

import json
import os
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.command_line import VerbParser, run
from app.features import FEATURES
from resources import samples
from tests.model.files.acclaim_text import AMC, ASF

ROOT = Path(__file__).resolve().parents[2]
WALK = next(path for path in samples() if path.stem == "walk")
# The calls of all verbs that write files, without their output; IN is a clip.
CALLS = {
    "convert": ["convert", "IN"],
    "clean": ["clean", "IN"],
    "pose": ["pose", "IN", "--edits", "edits.json"],
    "stagger": ["stagger", "IN", "--succession", "0.02"],
    "exaggerate": ["exaggerate", "IN", "--amount", "1.2"],
    "retarget": ["retarget", "IN", "--to", "other.bvh"],
    "loop": ["loop", "IN"],
    "walk": ["walk", "--path", "path.json", "--style", "calm=IN"],
    "render": ["render", "IN", "--size", "64x64"],
}


@pytest.fixture
def folder(application, tmp_path, monkeypatch):
    """A folder to work in, with a clip and what the calls name besides; the tests' own application draws pictures."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(WALK, "in.bvh")
    shutil.copy(WALK, "other.bvh")
    Path("edits.json").write_text('{"poses": [{"frame": 60, "rotate": {"spine": [20, 0, 0]}}]}')
    Path("path.json").write_text('{"points": [[0, 0], [0, 3]]}')
    return tmp_path


def call(capsys, verb, output, *more, source="in.bvh"):
    """Run a verb. -> status, standard output, standard error."""
    arguments = [argument.replace("IN", source) for argument in CALLS[verb]]
    status = run([*arguments, "-o", str(output), *more])
    return (status, *capsys.readouterr())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def extension(verb):
    return ".png" if verb == "render" else ".bvh"


def test_all_verbs_that_write_are_tried_here():
    writing = set()
    for name, verb in FEATURES.verbs.items():
        parser = VerbParser(verb=verb)
        parser.complete()
        if any(action.dest == "output" for action in parser._actions):
            writing.add(name)
    assert writing - {"batch"} == set(CALLS)


@pytest.mark.parametrize("verb", CALLS)
def test_outputs_that_cannot_be_are_refused_in_one_line_before_the_work(capsys, folder, verb):
    Path(f"folder{extension(verb)}").mkdir()
    os.mkfifo(f"pipe{extension(verb)}")
    before = names(folder)
    refused = {
        "absent/out": "cannot be written: No such file or directory",
        "in.bvh/out": "is not a folder",
        "folder": "cannot be written: it is a folder",
        "pipe": "cannot be written: it is a device or a pipe, not a file",
        "x" * 300: "cannot be written: File name too long",
    }
    for name, reason in refused.items():
        status, out, err = call(capsys, verb, name + extension(verb), source="nothing.bvh")
        assert (status, out) == (2, "")
        assert reason in err
        assert err.count("\n") == 1
    status, out, err = call(capsys, verb, "/dev/null")
    assert (status, out) == (2, "")
    assert "/dev/null: cannot be written: it is a device or a pipe" in err
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert names(folder) == before


@pytest.mark.parametrize("verb", CALLS)
def test_input_is_not_replaced_by_any_name_unless_forced(capsys, folder, verb):
    source = f"in{extension(verb)}"
    if verb == "render":  # which writes pictures only
        Path(source).hardlink_to("in.bvh")
    Path("link" + extension(verb)).symlink_to("in.bvh")
    Path("hard" + extension(verb)).hardlink_to("in.bvh")
    before = names(folder)
    for name in (source, f"./{source}", folder / source, f"link{extension(verb)}", f"hard{extension(verb)}"):
        status, out, err = call(capsys, verb, name)
        assert (status, out) == (2, "")
        assert err.endswith("is not replaced: choose another name, or replace it with --force\n")
        assert err.count("\n") == 1
    assert names(folder) == before
    assert Path("in.bvh").read_bytes() == WALK.read_bytes()
    seen = os.stat(source)
    status, _, err = call(capsys, verb, source, "--force")
    assert status == 0, err
    assert names(folder) == before
    assert os.stat(source).st_ino != seen.st_ino, "another file has taken its place"


@pytest.mark.parametrize(
    "arguments",
    [
        ["retarget", "in.bvh", "--to", "other.bvh", "-o", "other.bvh"],
        ["walk", "--path", "path.json", "--style", "a=in.bvh", "--style", "b=other.bvh", "-o", "other.bvh"],
        ["convert", "one.amc", "--skeleton", "one.bvh", "-o", "one.bvh"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_second_inputs_are_not_replaced_either(capsys, folder, arguments):
    Path("one.bvh").write_text(ASF)
    Path("one.amc").write_text(AMC)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run(arguments) == 2
    assert "is not replaced" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_other_files_are_replaced_as_ever(capsys, folder):
    Path("out.bvh").write_text("old")
    assert call(capsys, "convert", "out.bvh")[0] == 0
    assert Path("out.bvh").read_bytes() == WALK.read_bytes()


def test_skeleton_that_other_motions_use_is_replaced_by_force_only(capsys, folder):
    Path("16.asf").write_text(ASF)
    Path("16_01.amc").write_text(AMC)
    status, _, err = call(capsys, "convert", "16.amc")
    assert status == 2
    assert "16.asf: holds another skeleton" in err
    assert err.endswith("choose another name such as 16_new.amc, or replace it with --force\n")
    assert Path("16.asf").read_text() == ASF
    assert call(capsys, "convert", "16_new.amc")[0] == 0
    assert run(["info", "16_new.amc"]) == 0
    assert run(["info", "16_01.amc"]) == 0
    assert call(capsys, "convert", "16.amc", "--force")[0] == 0
    assert run(["info", "16.amc"]) == 0


@pytest.fixture
def small_files():
    """Let no file grow beyond a few bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("verb", CALLS)
def test_full_disk_is_told_and_leaves_what_was_there(capsys, folder, verb, request):
    name = f"out{extension(verb)}"
    Path(name).write_text("what was there")
    before = names(folder)
    request.getfixturevalue("small_files")
    status, out, err = call(capsys, verb, name)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == f"motionwright: {name}: cannot be written: File too large"
    assert "Traceback" not in err
    assert Path(name).read_text() == "what was there"
    assert names(folder) == before


def test_full_disk_leaves_neither_of_two_files(capsys, folder, small_files):
    before = names(folder)
    assert call(capsys, "convert", "out.amc")[0] == 1
    assert names(folder) == before


@pytest.mark.parametrize("stream", ["messages", "results"])
def test_file_is_written_though_nobody_reads_what_is_printed(folder, stream):
    reader, writer = os.pipe()
    os.close(reader)
    call = ["stagger", "in.bvh", "--json", "-o", "out.bvh"]
    done = subprocess.run(
        [sys.executable, "-m", "app", *call],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writer if stream == "results" else subprocess.PIPE,
        stderr=writer if stream == "messages" else subprocess.PIPE,
    )
    os.close(writer)
    assert done.returncode == 0
    assert Path("out.bvh").exists()
    if stream == "messages":
        assert json.loads(done.stdout)["poses"]
    else:
        assert b"Traceback" not in done.stderr
