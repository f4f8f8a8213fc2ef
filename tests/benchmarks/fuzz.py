"""Breaks files of every format and lets their readers loose on them, each case under limits of time and memory.

`python -m tests.benchmarks fuzz [--cases N] [--format F] [--seed S] [--first N] [--keep FOLDER]`; a failure is told
with what makes its case again. It runs only where it is named: 10,000 cases of a format take some minutes.
"""

import argparse
import time
from pathlib import Path

from tests.benchmarks.measuring import Report
from tests.fuzzing.formats import FORMATS
from tests.fuzzing.harness import MEGABYTE, Tally, bytes_allowed, keep, run_cases, seconds_allowed

_TOLD = 5  # failures of a format that are spelled out


def run(report: Report, arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks fuzz")
    parser.add_argument("--cases", type=int, default=10_000, help="of each format")
    parser.add_argument("--format", choices=list(FORMATS), action="append", help="may be given several times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the files of failures are put")
    parsed = parser.parse_args(arguments)
    report.title(f"Readers on broken files: {parsed.cases} cases each, seed {parsed.seed}")
    for name in parsed.format or FORMATS:
        started = time.perf_counter()
        tally = run_cases(name, parsed.cases, parsed.seed, parsed.first)
        _tell(tally, parsed.seed, time.perf_counter() - started)
        report.goal(f"{name}: cases that are neither read nor refused", len(tally.failures), at_most=0)
        if parsed.keep is not None:
            keep(tally, parsed.seed, parsed.keep)


def _tell(tally: Tally, seed: int, taken_s: float) -> None:
    slow, large = tally.slowest, tally.largest
    print(
        f"  {tally.format:<9}{tally.cases:>7} cases in {taken_s:4.0f} s: {tally.read} read, {tally.refused} refused; "
        f"slowest {slow.seconds:.2f} of {seconds_allowed(slow.size):.0f} s ({slow.size} bytes, case {slow.number}), "
        f"most memory {large.memory / MEGABYTE:.0f} of {bytes_allowed(large.size) / MEGABYTE:.0f} MB "
        f"(case {large.number})",
        flush=True,
    )
    for outcome in tally.failures[:_TOLD]:
        again = f"--format {tally.format} --seed {seed} --first {outcome.number} --cases 1"
        print(f"    {again}: {outcome.result}\n      " + "\n      ".join(outcome.detail.splitlines()), flush=True)
