"""Workers do what they are given in order, and nobody need wait for those that never end."""

import subprocess
import sys
import threading
from pathlib import Path

from editor.document.threads import Workers

ROOT = Path(__file__).resolve().parents[3]


def test_one_worker_does_calls_in_order():
    workers, done = Workers(1, "test"), []
    for number in range(100):
        workers.submit(lambda number=number: done.append(number))
    workers.close()
    assert workers.wait(10.0)
    assert done == list(range(100))


def test_several_workers_are_at_work_at_once():
    workers, meeting = Workers(2, "test"), threading.Barrier(3)
    for _ in range(2):
        workers.submit(lambda: meeting.wait(10.0))
    meeting.wait(10.0)
    workers.close()
    assert workers.wait(10.0)
    assert not workers.is_busy


def test_threads_end_once_closed():
    workers = Workers(2, "to be gone")
    workers.submit(lambda: None)
    workers.close()
    assert workers.wait(10.0)
    for thread in threading.enumerate():
        if thread.name == "to be gone":
            thread.join(10.0)
            assert not thread.is_alive()


def test_waiting_for_a_call_that_never_ends_is_given_up():
    workers, end = Workers(1, "test"), threading.Event()
    workers.submit(end.wait)
    workers.close()
    assert not workers.wait(0.01)
    assert workers.is_busy
    end.set()
    assert workers.wait(10.0)


def test_process_ends_although_a_call_never_does():
    script = (
        "import threading; from editor.document.threads import Workers; "
        "workers = Workers(1, 'x'); workers.submit(threading.Event().wait); workers.close()"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=60, check=False).returncode == 0
