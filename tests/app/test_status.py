"""The status bar: what is worked on, how far it is, and Cancel."""

import threading
import time

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.status import Status
from editor.document.jobs import Jobs
from tests.stacks import stack
from tests.widgets.desk import desk


class Work:
    """Work that is done when it is told to be. told : how much of it is done."""

    def __init__(self):
        self.told, self.done = 0.0, threading.Event()

    def __call__(self, tell):
        while not self.done.wait(0.005):
            tell(self.told)


@pytest.fixture
def bar(application):
    on, jobs = desk(stack()), Jobs()
    made = Status(on.session, on.showing, jobs)
    made.resize(900, 30)
    made.show()
    made.on_desk, made.all = on, jobs
    yield made
    jobs.close()
    made.close()
    application.processEvents()


def wait_for(done, seconds=10.0):
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    assert done()


def test_work_that_is_done_in_no_time_is_not_shown(bar):
    bar.all.start("Quick", lambda tell: None)
    wait_for(lambda: not bar.all.running)
    QTest.qWait(400)
    assert not bar.progress.isVisible()


def test_quick_work_that_follows_quick_work_is_not_shown(bar):
    """As while something is dragged: to show it would draw the window for each of them."""
    end = time.monotonic() + 0.7
    while time.monotonic() < end:
        start = time.monotonic()
        bar.all.start("Quick", lambda tell: time.sleep(0.005))
        wait_for(lambda: not bar.all.running)
        if time.monotonic() - start < 0.25:  # else something else kept the machine busy
            assert not bar.progress.isVisible()


def test_longest_work_is_shown_and_only_its_progress(bar):
    first, second = Work(), Work()
    jobs = [bar.all.start("First", first), bar.all.start("Second", second)]
    wait_for(lambda: bar.work.isVisible() and bar.work.text() == "First …")
    first.told, second.told = 0.25, 0.75
    wait_for(lambda: bar.progress.value() == 25 and jobs[1].fraction == 0.75)
    QTest.qWait(50)
    assert bar.progress.value() == 25
    first.done.set()
    wait_for(lambda: bar.work.text() == "Second …")
    assert bar.progress.value() == 75
    second.done.set()
    wait_for(lambda: not bar.progress.isVisible())


def test_cancel_ends_what_is_shown_and_nothing_else(bar):
    jobs = [bar.all.start(name, Work()) for name in ("First", "Second")]
    wait_for(lambda: bar.cancel.isVisible())
    bar.cancel.click()
    wait_for(lambda: bar.all.running == (jobs[1],))
    assert not jobs[1].is_called_off
    wait_for(lambda: bar.work.text() == "Second …")
    bar.cancel.click()
    wait_for(lambda: not bar.all.running)
    assert not bar.cancel.isVisible()
