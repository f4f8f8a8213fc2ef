"""Work over a folder: stopped, resumed, shared and survived, with real processes and signals."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.command_line import run
from app.workers import Call, _outcome
from model.files.bvh import read_bvh, write_bvh
from resources import samples
from tests.clips import random_motion, waving_figure

ROOT = Path(__file__).resolve().parents[3]
WALK = next(path for path in samples() if path.stem == "walk")

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@pytest.fixture
def clips(tmp_path):
    """A folder with some clips."""
    folder = tmp_path / "clips"
    folder.mkdir()
    for name in "abcdef":
        write_bvh(waving_figure(frames=31), folder / f"{name}.bvh")
    return folder


@pytest.fixture
def started(tmp_path):
    """Starts `motionwright batch` on made clips; whatever a test that fails leaves of it is ended."""
    made = []

    def start(**options):
        made.append(Batch(tmp_path / "in", tmp_path / "out", **options))
        return made[-1]

    yield start
    for batch in made:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(batch.process.pid, signal.SIGKILL)
        batch.process.communicate()


def call(capsys, *arguments):
    status = run(["batch", *map(str, arguments)])
    return (status, *capsys.readouterr())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


class Batch:
    """`motionwright batch` as a terminal starts it: with a process group of its own, to which Ctrl-C goes."""

    def __init__(self, folder, out, jobs=2, frames=4000, count=6, verb="convert", stdout=subprocess.DEVNULL):
        folder.mkdir(exist_ok=True)
        motion = random_motion(frames=frames)
        write_bvh(motion, folder / "0.bvh")
        for n in range(1, count):
            shutil.copy(folder / "0.bvh", folder / f"{n}.bvh")
        self.out = out
        self.frames = frames
        self.arguments = [verb, "--over", folder, "--jobs", str(jobs)]
        self.arguments += ["-o", out / "*.bvh"] if verb == "convert" else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app", "batch", *map(str, self.arguments)],
            cwd=ROOT,
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )

    def press_ctrl_c(self):
        os.killpg(self.process.pid, signal.SIGINT)

    def workers(self):
        """The processes that it has started for its work."""
        return [
            pid
            for pid, parent, _ in _processes()
            if parent == self.process.pid and b"spawn_main" in _read(f"/proc/{pid}/cmdline")
        ]

    def wait_for(self, done):
        end = time.monotonic() + 60.0
        while not done():
            assert time.monotonic() < end
            assert self.process.poll() is None, self.process.stderr.read()
            time.sleep(0.01)

    def end(self):
        """Wait for it. -> what it said. Nothing half-written and no process may be left."""
        _, messages = self.process.communicate(timeout=60)
        assert "Traceback" not in messages, messages
        self.assert_nothing_is_left()
        return messages

    def assert_nothing_is_left(self):
        end = time.monotonic() + 30.0
        while left := [pid for pid, _, group in _processes() if group == self.process.pid]:
            assert time.monotonic() < end, left
            time.sleep(0.02)
        if self.out.exists():
            assert [name for name in names(self.out) if not name.endswith(".bvh")] == []
            for path in self.out.iterdir():
                assert read_bvh(path).motion.frames == self.frames


def _processes():
    """Number, parent and group of the processes that live."""
    for entry in os.listdir("/proc"):
        words = _read(f"/proc/{entry}/stat").rpartition(b")")[2].split() if entry.isdecimal() else []
        if words and words[0] != b"Z":
            yield int(entry), int(words[1]), int(words[2])


def _is_idle(pid):
    """Whether a process uses no time for a while: it waits for somebody."""
    before = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[11:13]
    time.sleep(0.5)
    return before == _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[11:13]


def _read(path):
    try:
        return Path(path).read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


@needs_proc
def test_one_ctrl_c_ends_with_the_files_at_hand_and_the_rest_is_done_later(capsys, started):
    batch = started(count=8)
    batch.wait_for(lambda: batch.out.exists() and any(batch.out.glob("*.bvh")))
    batch.press_ctrl_c()
    messages = batch.end()
    assert batch.process.returncode == 1
    done = len(names(batch.out))
    assert 0 < done < 8
    assert "stopping" in messages
    assert f"stopped: {done} of 8 files done, 0 failed, {8 - done} not done" in messages
    before = {path: path.stat().st_mtime_ns for path in batch.out.iterdir()}
    status, _, err = call(capsys, *batch.arguments, "--skip-existing")
    assert status == 0
    assert f"{8 - done} of 8 files done, 0 failed, {done} skipped" in err
    assert len(names(batch.out)) == 8
    assert all(path.stat().st_mtime_ns == then for path, then in before.items())


@needs_proc
@pytest.mark.parametrize("moment", range(4))
def test_two_ctrl_c_end_it_at_once_at_any_moment(started, moment):
    chance = random.Random(moment)
    batch = started(frames=8000, count=30)  # more than any machine does meanwhile
    batch.wait_for(batch.workers)
    time.sleep(chance.uniform(0.0, 1.0))
    batch.press_ctrl_c()
    time.sleep(chance.uniform(0.0, 0.3))
    batch.press_ctrl_c()
    messages = batch.end()
    assert batch.process.returncode == 1
    assert "stopped: " in messages


@needs_proc
def test_two_ctrl_c_end_it_when_nobody_reads_what_it_prints(started):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(writer, bytes(4096)):
            pass
    os.set_blocking(writer, True)
    batch = started(frames=3, count=40, verb="info", stdout=writer)
    batch.wait_for(batch.workers)
    batch.wait_for(lambda: all(_is_idle(pid) for pid in [batch.process.pid, *batch.workers()]))
    batch.press_ctrl_c()
    time.sleep(0.3)
    batch.press_ctrl_c()
    os.close(writer)
    assert "stopped" in batch.end()
    assert batch.process.returncode == 1
    os.close(reader)


@needs_proc
def test_process_that_dies_costs_its_file_only(started):
    batch = started(count=5)
    batch.wait_for(batch.workers)
    os.kill(batch.workers()[0], signal.SIGKILL)
    messages = batch.end()
    assert batch.process.returncode == 1
    assert "4 of 5 files done, 1 failed" in messages
    assert "bvh: the process that worked on it was ended by SIGKILL" in messages
    assert len(names(batch.out)) == 4


@needs_proc
def test_no_process_lives_on_when_the_batch_is_killed(started):
    batch = started(frames=20_000, jobs=3)
    batch.wait_for(lambda: len(batch.workers()) == 3)
    batch.process.kill()
    batch.process.wait()
    batch.assert_nothing_is_left()


def test_bug_costs_its_file_only_and_is_told_in_a_line(monkeypatch):
    def fail(arguments):
        raise RuntimeError("no ink")

    monkeypatch.setattr("app.command_line.run", fail)
    outcome = _outcome(Call("a.bvh", ("info", "a.bvh")))
    assert outcome.status == 1
    assert outcome.messages.startswith("motionwright: a.bvh: a bug (test_batch.py:")
    assert outcome.messages.endswith("RuntimeError: no ink\n")


def test_pairs_of_amc_and_asf_are_one_clip_each(capsys, clips, tmp_path):
    there, back = tmp_path / "there", tmp_path / "back"
    assert call(capsys, "convert", "--over", clips, "-o", there / "*.amc")[0] == 0
    assert len(names(there)) == 12
    status, _, err = call(capsys, "convert", "--over", there, "-o", back / "*.bvh")
    assert status == 0, err
    assert "6 of 6 files done" in err
    assert names(back) == names(clips)
    assert read_bvh(back / "a.bvh").motion.frames == 31


@pytest.mark.parametrize("way", ["itself", "link"])
def test_files_to_work_on_are_not_replaced_unless_forced(capsys, clips, tmp_path, way):
    folder = clips
    if way == "link":
        folder = tmp_path / "link"
        folder.symlink_to(clips)
    before = {path: path.read_bytes() for path in clips.iterdir()}
    arguments = ("convert", "--over", clips, "-o", folder / "*.bvh", "--fps", "15")
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.endswith("is not replaced: choose other names with -o, or replace it with --force\n")
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in clips.iterdir()} == before
    status, _, err = call(capsys, *arguments, "--force")
    assert status == 0, err
    assert read_bvh(clips / "a.bvh").motion.frames == 16


def test_file_of_another_clip_is_not_replaced(capsys, clips):
    shutil.copy(clips / "a.bvh", clips / "a_15.bvh")
    status, _, err = call(capsys, "convert", "--over", clips, "-o", clips / "*_15.bvh", "--fps", "15")
    assert status == 2
    assert "a_15.bvh: is one of the files to work on" in err
    assert read_bvh(clips / "a_15.bvh").motion.frames == 31


def test_skipping_takes_results_in_the_same_folder_for_no_clips(capsys, clips):
    arguments = ("convert", "--over", clips, "-o", clips / "15" / "*.amc", "--skip-existing")
    assert call(capsys, *arguments)[0] == 0
    before = {path: path.stat().st_mtime_ns for path in clips.rglob("*")}
    (clips / "15" / "c.amc").unlink()
    del before[clips / "15" / "c.amc"], before[clips / "15"]
    status, out, err = call(capsys, *arguments, "--json")
    assert status == 0
    told = json.loads(out)
    assert [Path(entry["file"]).name for entry in told["files"]] == ["c.bvh"]
    assert [Path(file).name for file in told["skipped"]] == ["a.bvh", "b.bvh", "d.bvh", "e.bvh", "f.bvh"]
    assert told["not_done"] == []
    assert "1 of 6 files done, 0 failed, 5 skipped" in err
    assert all(path.stat().st_mtime_ns == then for path, then in before.items())
    assert "0 of 6 files done, 0 failed, 6 skipped" in call(capsys, *arguments)[2]


def test_shards_share_the_work_also_when_some_of_it_is_done(capsys, clips, tmp_path):
    arguments = ("convert", "--over", clips, "-o", tmp_path / "out" / "*.bvh", "--skip-existing")
    seen = []
    for part in (1, 2, 3):
        status, out, _ = call(capsys, *arguments, "--shard", f"{part}/4", "--json")
        assert status == 0
        seen.append([Path(entry["file"]).stem for entry in json.loads(out)["files"]])
    assert seen == [["a", "e"], ["b", "f"], ["c"]]
    assert "0 of 2 files done, 0 failed, 2 skipped" in call(capsys, *arguments, "--shard", "1/4")[2]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--shard", "0/2"], "'0/2' is not a part of the work; use a form such as 1/4"),
        (["--shard", "half"], "'half' is not a part of the work"),
        (["--skip-existing"], "--skip-existing goes with -o"),
        (["--force"], "unrecognized arguments: --force"),
    ],
)
def test_options_that_make_no_sense_are_refused(capsys, clips, arguments, reason):
    status, out, err = call(capsys, "info", "--over", clips, *arguments)
    assert (status, out) == (2, "")
    assert reason in err
