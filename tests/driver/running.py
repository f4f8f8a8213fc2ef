"""Runs the driver as a child process, so that a crash is found like anything else, and tells what came of it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.driver.findings import Finding, read_findings

ROOT = Path(__file__).resolve().parents[2]
_SCREEN = ["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24"]
_LAST_DEEDS = 30
_GRACE_S = 300.0  # beyond the minutes that were asked for, to undo everything and to end
# A pause is found and told, but no test asserts a time.
TIMES = "pause"


@dataclass(frozen=True)
class Run:
    """What came of a child. figures : counts of deeds, pauses and memory; empty where it did not live to write them."""

    seed: int
    view: str
    findings: tuple[Finding, ...]
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What is wrong on any machine, however slow."""
        return tuple(one for one in self.findings if one.kind != TIMES)


def has_screen() -> bool:
    """Whether a window can be opened on a screen, one that is there or one in memory."""
    return bool(os.environ.get("DISPLAY")) or shutil.which("xvfb-run") is not None


def drive(seed: int, view: str, folder: Path, steps: int | None = None, minutes: float | None = None) -> Run:
    """Drive a window in a process of its own, for so many steps or so long. view : "painter" or "opengl"."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.driver", "--seed", str(seed), "--view", view, "--folder", str(folder)]
    command += [] if steps is None else ["--steps", str(steps)]
    command += [] if minutes is None else ["--minutes", str(minutes)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if not environment.get("DISPLAY"):
        command = [*_SCREEN, *command]
    environment.pop("QT_QPA_PLATFORM", None)
    environment["PYOPENGL_PLATFORM"] = "glx"
    with (folder / "output.log").open("w") as output:
        child = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            status = child.wait(None if minutes is None else 60.0 * minutes + _GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            status = child.wait()
    findings = read_findings(folder)
    figures = folder / "figures.json"
    if status != 0 and not any(one.kind == "hang" for one in findings):
        findings.append(_crash(seed, status, folder))
    return Run(seed, view, tuple(findings), json.loads(figures.read_text()) if figures.exists() else {})


def _crash(seed: int, status: int, folder: Path) -> Finding:
    number = -status if status < 0 else status - 128 if status > 128 else 0
    named = number in set(signal.Signals)
    what = f"ended by {signal.Signals(number).name}" if named else f"ended with status {status}"
    deeds = (folder / "deeds.log").read_text().splitlines() if (folder / "deeds.log").exists() else []
    stacks = [(folder / name).read_text() for name in ("crash.log", "output.log") if (folder / name).exists()]
    step = deeds[-1].partition(":")[0] if deeds else "0"
    stack = "\n".join(text[-4000:] for text in stacks)
    return Finding("crash", what, what, stack, seed, int(step), tuple(deeds[-_LAST_DEEDS:]))


def first_of_each(findings: tuple[Finding, ...]) -> list[Finding]:
    """One finding of each kind and key; of pauses the longest."""
    found: dict[tuple[str, str], Finding] = {}
    for one in findings:
        known = found.get((one.kind, one.key))
        if known is None or one.figures.get("pause_ms", 0.0) > known.figures.get("pause_ms", 0.0):
            found[one.kind, one.key] = one
    return sorted(found.values(), key=lambda one: (one.kind, -one.figures.get("pause_ms", 0.0)))
