"""A few cases of every format at each run of the tests, and that the fuzzer sees what it looks for."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from model.files.problems import MotionFileError
from tests.fuzzing.formats import FORMATS
from tests.fuzzing.harness import Outcome, Tally, keep, outcome_of, run_cases

CASES = 40
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="the memory of a case is measured by what Linux tells"
)


@pytest.mark.parametrize("name", FORMATS)
def test_broken_files_are_read_or_refused_clearly(name, tmp_path):
    reader = FORMATS[name]
    outcomes = [outcome_of(reader, reader.case(7, number), number, tmp_path) for number in range(CASES)]
    assert not [outcome for outcome in outcomes if outcome.is_failure]


@pytest.mark.parametrize("name", FORMATS)
def test_a_case_can_be_made_again(name):
    reader = FORMATS[name]
    assert [reader.case(3, number) for number in range(5)] == [reader.case(3, number) for number in range(5)]
    assert reader.case(3, 1) != reader.case(4, 1)


def judged(read, tmp_path, write=None):
    """What the fuzzer says of a reader that does this."""
    return outcome_of(replace(FORMATS["path"], read=read, write=write), {"a.json": b"{}"}, 0, tmp_path).result


def refusing(message):
    def read(path):
        raise MotionFileError(str(path), None, message)

    return read


def test_readings_and_clear_refusals_are_no_failures(tmp_path):
    assert judged(lambda path: path, tmp_path) == "read"
    assert judged(refusing("is no path"), tmp_path) == "refused"


def test_other_exceptions_and_unclear_refusals_are_failures(tmp_path):
    assert judged(lambda path: {}["gone"], tmp_path) == "KeyError"
    assert judged(refusing(""), tmp_path) == "unclear refusal"
    assert judged(refusing("two\nlines"), tmp_path) == "unclear refusal"
    assert judged(refusing("x" * 1000), tmp_path) == "unclear refusal"


def test_memory_out_of_proportion_is_a_failure(tmp_path):
    assert judged(lambda path: len(bytes(50_000_000)), tmp_path) == "read"
    assert judged(lambda path: len(b"\1" * 400_000_000), tmp_path) == "memory"
    assert judged(lambda path: len(bytes(5_000_000_000)), tmp_path) == "memory"


def test_what_never_ends_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.fuzzing.harness.seconds_allowed", lambda size: 0.05)

    def turning(path):
        while True:
            time.process_time()

    assert judged(turning, tmp_path) == "time"


def test_what_is_read_must_be_writable_and_readable_again(tmp_path):
    def read(path):
        if path.stem == "again":
            raise MotionFileError(str(path), None, "is no path")

    def write(reading, path):
        path.write_text("{}")

    assert judged(read, tmp_path, write) == "MotionFileError after writing"
    assert judged(lambda path: path, tmp_path, write) == "read"
    assert judged(lambda path: path, tmp_path, lambda reading, path: 1 // 0) == "ZeroDivisionError after writing"


def test_cases_run_in_a_process_of_their_own_and_are_counted():
    tally = run_cases("svg", 12, seed=2, first=5)
    assert (tally.cases, tally.read + tally.refused, tally.failures) == (12, 12, [])


def test_files_of_failures_are_kept(tmp_path):
    tally = Tally("svg")
    tally.add(Outcome(3, "KeyError", "gone"))
    keep(tally, 1, tmp_path)
    assert (tmp_path / "svg-1-3" / "a.svg").read_bytes() == FORMATS["svg"].case(1, 3)["a.svg"]
    assert "KeyError" in (tmp_path / "svg-1-3" / "what-went-wrong.txt").read_text()
