"""What goes wrong in a window is recorded with its place, its seed and the deeds that led there."""

import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest
from PySide6.QtCore import qInstallMessageHandler, qWarning
from PySide6.QtTest import QTest

from tests.driver import running
from tests.driver.findings import Findings, read_findings
from tests.driver.watching import Hooks, Pulse


@pytest.fixture
def findings(tmp_path):
    made = Findings(7, tmp_path)
    made.begin(3, "open the door")
    yield made
    made.close()


@pytest.fixture
def hooks(findings, application, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    for module, name in ((threading, "excepthook"), (sys, "unraisablehook"), (warnings, "showwarning")):
        monkeypatch.setattr(module, name, getattr(module, name))
    before = qInstallMessageHandler(None)
    with warnings.catch_warnings():
        yield Hooks(findings)
    qInstallMessageHandler(before)


def test_exception_that_nobody_catches_is_recorded_with_deeds_and_seed(hooks, tmp_path):
    def broken():
        raise RuntimeError("no ink")

    try:
        broken()
    except RuntimeError:
        sys.excepthook(*sys.exc_info())
    (found,) = read_findings(tmp_path)
    assert found.kind == "exception"
    assert "no ink" in found.message
    assert "broken" in found.stack
    assert (found.seed, found.step, found.deeds) == (7, 3, ("3: open the door",))


def test_warnings_of_qt_and_python_are_recorded(hooks, tmp_path):
    qWarning("the paint is wet")
    warnings.warn("divided by zero", RuntimeWarning, stacklevel=1)
    assert [(found.kind, "paint" in found.message) for found in read_findings(tmp_path)] == [
        ("Qt warning", True),
        ("Python warning", False),
    ]


def test_job_that_fails_is_recorded_where_it_is_our_bug(hooks, tmp_path):
    hooks.on_job_failed("Reading", "there is no such file", "")
    assert read_findings(tmp_path) == []
    hooks.on_job_failed("Reading", "'NoneType' object", 'File "a.py", line 3, in f\nTypeError')
    assert [found.kind for found in read_findings(tmp_path)] == ["job"]


def test_pause_of_the_interface_is_recorded_with_what_it_did(findings, application, tmp_path):
    pulse = Pulse(findings)
    QTest.qWait(30)
    time.sleep(0.5)
    QTest.qWait(30)
    pulse.stop()
    (found,) = read_findings(tmp_path)
    assert found.kind == "pause"
    assert "test_pause_of_the_interface" in found.stack
    assert pulse.histogram[200] == 1


def test_what_the_driver_does_itself_is_no_pause(findings, application, tmp_path):
    pulse = Pulse(findings)
    QTest.qWait(30)
    time.sleep(0.3)
    pulse.skip()
    QTest.qWait(30)
    pulse.stop()
    assert read_findings(tmp_path) == []


def test_same_finding_is_written_a_few_times_and_counted_always(findings, tmp_path):
    for _ in range(40):
        findings.add("exception", "here", "again")
    assert len(read_findings(tmp_path)) < 10
    assert findings.counts["exception: here"] == 40


def test_crash_of_the_child_is_told_with_signal_and_last_deeds(tmp_path, monkeypatch):
    deeds = "1: open\\n2: close\\n"
    script = f"import os; open({str(tmp_path / 'deeds.log')!r}, 'w').write('{deeds}'); os.abort()"
    started = subprocess.Popen
    monkeypatch.setattr(
        running.subprocess, "Popen", lambda command, **named: started([sys.executable, "-c", script], **named)
    )
    run = running.drive(9, "painter", tmp_path, steps=5)
    (found,) = run.faults
    assert found.kind == "crash"
    assert signal.Signals.SIGABRT.name in found.message
    assert (found.seed, found.step, found.deeds) == (9, 2, ("1: open", "2: close"))
    assert run.figures == {}
