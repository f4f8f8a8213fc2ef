"""Jobs: progress, cancel and failure reach whoever started them, on their thread."""

import threading
import time
from dataclasses import replace

import pytest

from editor.document.jobs import Evaluations, Jobs
from editor.stack.evaluator import Evaluator
from model.clip import Clip
from model.ground import Box, Ground
from model.scope import Scope
from tests.stacks import After, Failing, Lift, Made, Naming, OnGround, Slow, Standing, stack


@pytest.fixture
def jobs(application):
    jobs = Jobs()
    yield jobs
    jobs.close()
    application.processEvents()


def wait_for(application, done, seconds=10.0):
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.002)
    assert done()


def heard(job):
    said = []
    job.progressed.connect(lambda fraction: said.append(("progress", fraction, threading.current_thread())))
    job.finished.connect(lambda result: said.append(("finished", result, threading.current_thread())))
    job.failed.connect(lambda reason, details: said.append(("failed", reason, details)))
    job.cancelled.connect(lambda: said.append(("cancelled",)))
    return said


def test_result_and_progress_come_on_our_thread(application, jobs):
    def work(tell):
        tell(0.5)
        return threading.current_thread()

    job = jobs.start("Counting", work)
    said = heard(job)
    assert jobs.running == (job,)
    wait_for(application, lambda: said and said[-1][0] == "finished")
    assert said[-1][1] is not threading.main_thread()
    assert [one[1] for one in said if one[0] == "progress"] == [0.0, 0.5]
    assert all(one[2] is threading.main_thread() for one in said)
    wait_for(application, lambda: jobs.running == ())


def test_cancelled_job_stops_at_its_next_report(application, jobs):
    reached = threading.Event()

    def work(tell):
        for _ in range(5000):
            reached.set()
            tell(0.1)
            time.sleep(0.002)

    job = jobs.start("Waiting", work)
    said = heard(job)
    reached.wait(5)
    job.cancel()
    wait_for(application, lambda: said and said[-1][0] == "cancelled")


@pytest.mark.parametrize(
    ("error", "reason", "is_bug"),
    [(ValueError("no wings"), "no wings", False), (ZeroDivisionError("by zero"), "Flying failed: by zero", True)],
)
def test_failures_are_told_and_bugs_with_their_traceback(application, jobs, error, reason, is_bug):
    def work(tell):
        raise error

    said = heard(jobs.start("Flying", work))
    wait_for(application, lambda: any(one[0] == "failed" for one in said))
    (told,) = [one for one in said if one[0] == "failed"]
    assert told[1] == reason
    assert ("Traceback" in told[2]) == is_bug


def test_closing_calls_off_what_runs(application):
    jobs = Jobs()
    said = heard(jobs.start("Long", lambda tell: [tell(0.1) or time.sleep(0.002) for _ in range(100_000)]))
    jobs.close()
    wait_for(application, lambda: said and said[-1][0] == "cancelled")


def test_job_started_after_closing_is_called_off(application):
    jobs = Jobs()
    jobs.close()
    said = heard(jobs.start("Late", lambda tell: 1))
    wait_for(application, lambda: said and said[-1][0] == "cancelled")
    assert jobs.running == ()


@pytest.fixture
def evaluations(jobs):
    return Evaluations(Evaluator(), jobs)


def test_stages_come_later_the_first_time_and_at_once_after(application, evaluations):
    project = stack(Lift(1.0))
    got = []
    evaluations.evaluated.connect(lambda clip, stages: got.append((clip, stages)))
    assert evaluations.want(project, "1") is None
    wait_for(application, lambda: got)
    assert got[0][0] == "1"
    assert evaluations.want(project, "1") == got[0][1]
    assert len(got) == 1


def test_only_what_was_wanted_last_is_told(application, evaluations):
    got = []
    evaluations.evaluated.connect(lambda clip, stages: got.append(stages))
    assert evaluations.want(stack(Slow()), "1") is None
    for value in (1.0, 2.0, 3.0):
        assert evaluations.want(stack(Lift(value)), "1") is None
    wait_for(application, lambda: got)
    height = got[0][-1].take.motion.root_positions[0, 1] - got[0][0].take.motion.root_positions[0, 1]
    assert height == pytest.approx(3.0)
    for _ in range(20):
        application.processEvents()
        time.sleep(0.002)
    assert len(got) == 1


def with_others(project, name="Other", source=None):
    """The project with a clip that the first is not made of, and one that is made of the first."""
    return project.with_clip(Clip("2", name, source or Made(20))).with_clip(Clip("3", "Third", After("1")))


@pytest.fixture
def heard_of(jobs, evaluations):
    """What was told of clips, and the jobs that were started."""
    told, started = [], []
    evaluations.evaluated.connect(lambda clip, stages: told.append((clip, stages)))
    evaluations.failed.connect(lambda clip, reason: told.append((clip, reason)))
    jobs.started.connect(started.append)
    yield told, started
    Slow.event.clear()


def test_unrelated_changes_do_not_disturb_what_is_worked_out(application, evaluations, heard_of):
    told, started = heard_of
    project = with_others(stack(Slow()))
    assert evaluations.want(project, "3") is None
    for n in range(5):
        application.processEvents()
        project = with_others(project, f"Name {n}", Made(20 + n))
        assert evaluations.want(project, "3") is None
    renamed = project.with_clip(replace(project.clip("1"), name="First"))
    assert evaluations.want(renamed, "3") is None
    (job,) = started
    assert not job.is_called_off
    Slow.event.set()
    wait_for(application, lambda: told)
    assert len(started) == 1
    assert told[0][0] == "3"
    assert evaluations.want(renamed, "3") == told[0][1]


def test_change_of_a_clip_that_it_is_made_of_starts_it_again(application, evaluations, heard_of):
    told, started = heard_of
    assert evaluations.want(with_others(stack(Slow())), "3") is None
    assert evaluations.want(with_others(stack(Lift(2.0))), "3") is None
    wait_for(application, lambda: told)
    assert len(started) == 2
    ((clip, stages),) = told
    assert clip == "3"
    assert stages[-1].take.motion.frames == 60


def test_what_was_called_off_and_is_wanted_again_is_worked_out(application, evaluations, heard_of):
    told, _ = heard_of
    slow, quick = stack(Slow()), stack(Lift(1.0))
    for project in (slow, quick, slow):
        assert evaluations.want(project, "1") is None
    Slow.event.set()
    wait_for(application, lambda: told)
    assert told[0][1] == evaluations.want(slow, "1")


def test_evaluation_that_the_user_cancels_is_told_as_failed(application, evaluations, heard_of):
    told, started = heard_of
    evaluations.want(stack(Slow()), "1")
    started[0].cancel()
    wait_for(application, lambda: told)
    assert told == [("1", "Cancelled")]


def on_boxes(project):
    """The project on two grounds, of which the second is a metre higher."""
    heights = (1.0, 2.0)
    return [replace(project, ground=Ground(boxes=(Box((0.0, 0.0), (9.0, 9.0), height),))) for height in heights]


def test_clip_on_another_ground_is_evaluated_again_and_follows_while_the_ground_changes(
    application, evaluations, heard_of
):
    told, started = heard_of
    for project in on_boxes(stack(Slow(), OnGround())):
        assert evaluations.want(project, "1") is None
    assert [job.is_called_off for job in started] == [False]
    Slow.event.set()
    wait_for(application, lambda: len(told) == 2)
    heights = [stages[-1].take.motion.root_positions[0, 1] for _, stages in told]
    assert heights[1] - heights[0] == pytest.approx(1.0)


def test_clip_whose_source_uses_the_ground_is_evaluated_on_the_ground_that_was_wanted_last(
    application, evaluations, heard_of
):
    first, then = on_boxes(stack(Slow(), source=Standing()))
    for project in (first, then):
        assert evaluations.want(project, "1") is None
    Slow.event.set()
    wait_for(application, lambda: not evaluations.is_waiting("1"))
    _, stages = heard_of[0][-1]
    floor = Made().make(None).motion.root_positions[0, 1]
    assert stages[-1].take.motion.root_positions[0, 1] - floor == pytest.approx(2.0)


def scoped(strength):
    return stack(Slow(), Lift(1.0), scopes=[Scope(), Scope(strength=strength)])


def beside(name):
    """A project whose first clip tells the name of its second."""
    return stack(Slow(), Naming()).with_clip(Clip("2", name, Made(20)))


def used(frames):
    """A project whose first clip is made of its second."""
    return stack(Slow(), source=After("2")).with_clip(Clip("2", "Used", Made(frames)))


def lifted(stages):
    return stages[-1].take.motion.root_positions[0, 1] - stages[0].take.motion.root_positions[0, 1]


CHANGES = {
    "scope": (scoped(1.0), scoped(0.25), lambda stages: lifted(stages) == pytest.approx(0.25)),
    "name": (beside("Old"), beside("New"), lambda stages: "beside New" in stages[-1].notes),
    "clip": (used(30), used(40), lambda stages: stages[-1].take.motion.frames == 40),
    "ground": (*on_boxes(stack(Slow(), OnGround())), lambda stages: lifted(stages) == pytest.approx(2.0)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_evaluation_of_an_old_project_is_never_the_answer_for_a_new_one(application, evaluations, heard_of, change):
    old, new, is_answer = CHANGES[change]
    told, _ = heard_of
    evaluations.want(old, "1")
    evaluations.want(new, "1")
    told_while_late = []
    evaluations.evaluated.connect(lambda *_: told_while_late.append(evaluations.is_waiting("1")))
    Slow.event.set()
    wait_for(application, lambda: not evaluations.is_waiting("1"))
    assert is_answer(told[-1][1])
    assert told_while_late == [True] * (len(told) - 1) + [False], "what was old was told as late"
    assert evaluations.want(new, "1") == told[-1][1]


def test_failure_tells_the_name_that_the_clip_has_by_now(application, evaluations, heard_of):
    told, _ = heard_of
    failing = stack(source=Failing())
    evaluations.want(failing, "1")
    evaluations.want(failing.with_clip(replace(failing.clip("1"), name="Renamed")), "1")
    wait_for(application, lambda: not evaluations.is_waiting("1"))
    assert told == [("1", "'Renamed': the well is dry")]


def test_work_that_the_user_cancels_is_not_started_again_for_an_unrelated_change(application, evaluations, heard_of):
    told, started = heard_of
    project = with_others(stack(Slow()))
    evaluations.want(project, "1")
    evaluations.want(with_others(project, "Renamed"), "1")
    started[0].cancel()
    wait_for(application, lambda: told)
    assert told == [("1", "Cancelled")]
    assert len(started) == 1


def test_clip_that_uses_no_ground_is_not_disturbed_by_it(application, evaluations, heard_of):
    told, started = heard_of
    project = stack(Slow())
    evaluations.want(project, "1")
    evaluations.want(replace(project, ground=Ground(boxes=(Box((0.0, 0.0), (9.0, 9.0), 1.0),))), "1")
    Slow.event.set()
    wait_for(application, lambda: told)
    assert len(started) == 1


def test_failing_source_is_told(application, evaluations):
    got = []
    evaluations.failed.connect(lambda clip, reason: got.append((clip, reason)))
    evaluations.want(stack(source=Failing()), "1")
    wait_for(application, lambda: got)
    assert got == [("1", "'Clip': the well is dry")]


def test_drag_sees_what_is_done_on_the_way_although_every_move_wants_more(application, evaluations, heard_of):
    """What is nearly done when something newer is wanted is told; the newest comes at last, and then nothing more."""
    told, _ = heard_of
    wanted = 40
    for move in range(1, wanted + 1):
        evaluations.want(stack(Lift(0.1 * move)), "1")
        assert evaluations.is_waiting("1") or evaluations.want(stack(Lift(0.1 * move)), "1") is not None
        end = time.monotonic() + 0.01
        while time.monotonic() < end:
            application.processEvents()
    wait_for(application, lambda: not evaluations.is_waiting("1"))
    heights = [
        stages[-1].take.motion.root_positions[0, 1] - stages[0].take.motion.root_positions[0, 1] for _, stages in told
    ]
    assert heights == sorted(heights)
    assert heights[-1] == pytest.approx(0.1 * wanted)
    assert len(heights) > 2


# Files that never answer


@pytest.fixture
def silence():
    """What a file does that never answers, until the test is over."""
    end = threading.Event()
    yield end.wait
    end.set()


def test_reading_that_never_ends_keeps_no_other_work_waiting(application, jobs, silence, tmp_path):
    for number in range(5):
        jobs.start_reading(f"Reading {number}", lambda tell: silence())
    others = [
        heard(jobs.start("Computing", lambda tell: 1)),
        heard(jobs.start_reading("Reading", lambda tell: 2)),
        heard(jobs.start_writing("Saving", lambda tell: 3, tmp_path)),
    ]
    wait_for(application, lambda: all(said and said[-1][0] == "finished" for said in others))


def test_reading_that_never_ends_is_over_once_it_is_cancelled(application, jobs, silence):
    job = jobs.start_reading("Reading", lambda tell: silence())
    said = heard(job)
    job.cancel()
    wait_for(application, lambda: jobs.running == ())
    assert said[-1] == ("cancelled",)


def test_closing_does_not_wait_for_a_reading_that_never_ends(application, silence):
    jobs, started = Jobs(), threading.Event()
    jobs.start_reading("Reading", lambda tell: started.set() or silence())
    assert started.wait(10.0)
    jobs.close()
    assert jobs.is_at_work
    wait_for(application, lambda: jobs.running == ())


def test_closing_lets_a_file_be_written(application, tmp_path):
    jobs, started, written = Jobs(), threading.Event(), []

    def write(tell):
        started.set()
        time.sleep(0.6)
        written.append(True)

    jobs.start_writing("Saving", write, tmp_path)
    assert started.wait(10.0)
    jobs.close()
    assert written
    assert not jobs.is_at_work


def test_writings_to_one_file_are_done_in_order(application, jobs, tmp_path):
    order = []
    for number in range(20):
        jobs.start_writing(f"Saving {number}", lambda tell, number=number: order.append(number), tmp_path / "file")
    wait_for(application, lambda: jobs.running == ())
    assert order == list(range(20))
