"""Drives windows at random for a while, and tells what went wrong, how long they paused and whether memory grew.

    python -m tests.benchmarks driver --minutes 30 --seed 7

runs children one after another, with OpenGL and the painter in turn, each with a seed of its own. It is run only where
it is asked for. What the children wrote stays in a folder.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from tests.benchmarks.measuring import Report
from tests.driver.running import Run, drive, first_of_each

_CHILD_MINUTES = 7.5
_MOST_MB_A_MINUTE = 5.0


def run(report: Report, arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks driver")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=None, help="where children write; a temporary one by default")
    given = parser.parse_args(arguments or [])
    folder = given.folder or Path(tempfile.mkdtemp(prefix="driver-"))
    count = max(round(given.minutes / _CHILD_MINUTES), 1)
    report.title(f"Random hands, {given.minutes:g} minutes in {count} windows; written to {folder}")
    runs = []
    for n in range(count):
        view = ("opengl", "painter")[n % 2]
        made = drive(given.seed + n, view, folder / str(given.seed + n), minutes=given.minutes / count)
        _tell_run(report, made)
        runs.append(made)
    _tell_all(report, runs)


def _tell_run(report: Report, run: Run) -> None:
    figures = run.figures
    print(f"  seed {run.seed} with {run.view}: {figures.get('steps', 0)} deeds", flush=True)
    for name, slope in figures.get("slopes", {}).items():
        report.figure(f"    {name}", slope)


def _tell_all(report: Report, runs: list[Run]) -> None:
    for name in ("kinds", "changing", "panels"):
        total: Counter[str] = sum((Counter(run.figures.get(name, {})) for run in runs), Counter())
        print(f"  {name}: " + ", ".join(f"{what} {times}" for what, times in total.most_common()))
    reached = {name for run in runs for name in run.figures.get("actions", {})}
    known = {name for run in runs for name in run.figures.get("all actions", [])}
    print(f"  actions: {len(reached & known)} of {len(known)}; not reached: {', '.join(sorted(known - reached))}")
    pauses: Counter[str] = sum((Counter(run.figures.get("pauses", {})) for run in runs), Counter())
    for bound in sorted(pauses, key=int):
        report.figure(f"pauses over {bound} ms", pauses[bound])
    findings = first_of_each(tuple(one for run in runs for one in run.findings))
    for one in findings:
        print(f"\n{one}", flush=True)
    report.goal("faults", len(first_of_each(tuple(one for run in runs for one in run.faults))), at_most=0)
    report.goal("pauses over 200 ms", pauses["200"], at_most=0)
    slopes = [run.figures["slopes"]["MB a minute besides cached takes"] for run in runs if run.figures.get("slopes")]
    if slopes:
        report.goal("memory besides cached takes, MB a minute", sum(slopes) / len(slopes), at_most=_MOST_MB_A_MINUTE)
