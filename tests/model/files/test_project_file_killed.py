"""A program that is killed while it saves leaves the old file or the new one, whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that split")

ROOT = Path(__file__).resolve().parents[3]

# Imports once; each of the writers that it splits off saves version after version until it is killed.
_KILLER = """
import os, random, signal, sys, time
from pathlib import Path
import numpy as np
from model.clip import Clip, Layer
from model.files.project_file import read_project, write_project
from model.project import Project
from tests.model.files.project_kinds import KINDS, Copied, Weights

path, kills = Path(sys.argv[1]), int(sys.argv[2])

def version(n):
    numbers = np.full(200_000, float(n))
    return Project((Clip("1", str(n), Copied("9"), (Layer("2", Weights(numbers)),)),), 3)

def write_for_ever(n, told):
    while True:
        n += 1
        write_project(version(n), path, KINDS)
        os.write(told, b".")

last = 1
write_project(version(last), path, KINDS)
rng = random.Random(7)
half_written = 0
for kill in range(kills):
    saved, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_for_ever(last, told)
        finally:
            os._exit(1)
    os.close(told)
    if kill % 3 == 0:
        os.read(saved, 1)  # however busy the machine is, some get something done
    time.sleep(rng.uniform(0.0, 0.06))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(saved)
    assert os.WIFSIGNALED(status), status
    reading = read_project(path, KINDS)
    assert reading.is_whole and not reading.problems, reading.problems
    found = int(reading.project.clips[0].name)
    assert np.all(reading.project.clips[0].layers[0].edit.weights == found)
    assert found >= last, (found, last)
    last = found
    remains = [other for other in path.parent.iterdir() if other != path]
    half_written = len(remains)
    assert all(other.name.endswith(".tmp") for other in remains), remains
for other in path.parent.glob(".*.tmp"):
    os.utime(other, (1e9, 1e9))
write_project(version(last), path, KINDS)
print(last, half_written, len(list(path.parent.iterdir())))
"""


def test_killed_saves_leave_a_whole_file_and_what_they_leave_is_cleared(tmp_path):
    path = tmp_path / "walk.mwright"
    found = subprocess.run(
        [sys.executable, "-c", _KILLER, str(path), "40"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    last, half_written, left = map(int, found.stdout.split())
    assert last > 1, "no save was ever finished"
    assert 0 < half_written <= 40, "no save was ever interrupted"
    assert left == 1
