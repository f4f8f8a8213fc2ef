"""The evaluator: right results, nothing worked out twice, memory bounded, cancel and faults."""

import threading
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from editor.contacts.correct import Correction
from editor.contacts.edit import ContactCorrections
from editor.gait.source import ProceduralGait
from editor.placing.edit import Place
from editor.posing.adapt_to_ground import AdaptToGround
from editor.posing.edit import TargetPose, TargetPoses
from editor.repair.smoothing import Smooth
from editor.stack.evaluator import Evaluator, SourceError
from editor.timing.edit import Retime, Trim
from model.clip import Cancelled, Clip, Layer, Report, Source, Take, Unknown
from model.contacts import Contacts
from model.ground import Box, Ground
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from model.time_map import TimeMap
from tests.clips import Y, waving_figure
from tests.editor.evaluated import Given
from tests.stacks import After, Broken, Cut, Failing, Lift, Made, Naming, OnGround, Pair, Put, Raising, Slow, stack


def with_layer(project, place, **changes):
    clip = project.clip("1")
    layers = list(clip.layers)
    layers[place] = replace(layers[place], **changes)
    return project.with_clip(replace(clip, layers=tuple(layers)))


def test_edits_are_applied_in_order():
    take = Evaluator().take(stack(Lift(1.0), Cut(0.5), Lift(2.0)), "1")
    source = waving_figure(60)
    np.testing.assert_allclose(take.motion.root_positions, source.root_positions[15:] + 3.0 * Y)
    assert take.contacts.frames == 45


def test_changing_an_edit_runs_it_and_those_after_only():
    evaluator = Evaluator()
    project = stack(Lift(1.0), Lift(2.0), Lift(3.0))
    evaluator.take(project, "1")
    assert evaluator.runs == 4
    changed = with_layer(project, 1, edit=Lift(2.5))
    evaluator.take(changed, "1")
    assert evaluator.runs == 6
    before = evaluator.take(project, "1")
    assert evaluator.runs == 6  # undone: everything is still known
    renamed = project.with_clip(replace(project.clip("1"), name="Other"))
    assert evaluator.take(renamed, "1") is before
    assert evaluator.runs == 6


def test_equal_edits_made_anew_are_the_same():
    evaluator = Evaluator()
    one = evaluator.take(stack(Lift(1.0), source=Made()), "1")
    assert evaluator.take(stack(Lift(1.0), source=Made()), "1") is one


def test_other_ground_runs_only_edits_that_look_at_it_and_those_after():
    evaluator = Evaluator()
    project = stack(Lift(1.0), AdaptToGround(), Lift(2.0), source=ProceduralGait())
    before = evaluator.take(project, "1")
    assert evaluator.runs == 4
    box = replace(project, ground=Ground(boxes=(Box((0.0, 1.0), (2.0, 1.0), 0.1),)))
    assert evaluator.take(box, "1") is not before
    assert evaluator.runs == 6
    assert evaluator.take(replace(box, ground=Ground()), "1") is before
    assert evaluator.runs == 6
    blind = stack(Lift(1.0), Lift(2.0), source=ProceduralGait())
    first = evaluator.take(blind, "1")
    assert evaluator.take(replace(blind, ground=box.ground), "1") is first


def test_poses_look_at_the_ground_only_where_feet_stay_on_it():
    assert TargetPoses(grounded=True).uses_ground()
    assert not TargetPoses().uses_ground()


def test_edit_that_did_not_say_so_is_not_shown_the_ground():
    @dataclass(frozen=True)
    class Peeping(Lift):
        def apply(self, take, context):
            return replace(take, ground=context.ground)

    with pytest.raises(AssertionError, match="uses_ground"):
        Evaluator().take(stack(Peeping()), "1")


def test_ground_of_a_take_is_carried_along_and_lifted_with_its_floor():
    ground = Ground(0.2, (Box((0.0, 1.0), (2.0, 1.0), 0.1),))
    motion = waving_figure(60)
    source = Given(Take(motion, Contacts(60, {}, 0.2), ground=ground))
    turn = TargetPoses((TargetPose(0.5, ((JointRef("Head", Role.HEAD), (0.4, 0.0, 0.0)),)),))
    scopes = [Scope(), Scope(strength=0.5), Scope()]
    stages = Evaluator().stages(stack(turn, Smooth(0.1), Place(move_y_m=0.3), source=source, scopes=scopes), "1")
    assert [stage.take.ground for stage in stages[:3]] == [ground] * 3
    assert stages[2].take is not stages[0].take
    assert stages[3].take.ground == ground.at_height(0.5)


def test_switched_off_edits_are_passed_over():
    evaluator = Evaluator()
    project = stack(Lift(1.0), Lift(2.0))
    off = with_layer(project, 0, on=False)
    stages = evaluator.stages(off, "1")
    assert stages[0] is stages[1]
    np.testing.assert_allclose(stages[2].take.motion.root_positions[:, 1] - 2.0, waving_figure(60).root_positions[:, 1])
    assert [stage.notes for stage in evaluator.stages(project, "1")] == [(), ("lifted by 1.0",), ("lifted by 2.0",)]


def test_only_as_many_edits_as_asked_for_are_done():
    evaluator = Evaluator()
    assert len(evaluator.stages(stack(Lift(1.0), Lift(2.0)), "1", edits=1)) == 2
    assert evaluator.runs == 2


@pytest.mark.parametrize("scope", [Scope(strength=0.0), Scope(joints=()), Scope(joints=(JointRef("Tail"),))])
def test_no_strength_and_no_joints_change_nothing(scope):
    evaluator = Evaluator()
    source, after = evaluator.stages(stack(Lift(1.0), scopes=[scope]), "1")
    assert after.take is source.take


def test_strength_and_range_scale_what_an_edit_does():
    scope = Scope(strength=0.5, start_s=1.0, ease_s=0.0)
    take = Evaluator().take(stack(Lift(1.0), scopes=[scope]), "1")
    risen = take.motion.root_positions[:, 1] - waving_figure(60).root_positions[:, 1]
    np.testing.assert_allclose(risen, np.where(np.arange(60) < 30, 0.0, 0.5))


def test_range_means_the_same_moments_behind_a_cut():
    scope = Scope(start_s=1.0, ease_s=0.0)
    project = stack(Cut(0.5), Lift(1.0), scopes=[Scope(), scope])
    take = Evaluator().take(project, "1")
    risen = take.motion.root_positions[:, 1] - waving_figure(60).root_positions[15:, 1]
    np.testing.assert_allclose(risen, np.where(np.arange(15, 60) < 30, 0.0, 1.0))


def test_clips_made_of_others_follow_them():
    evaluator = Evaluator()
    project = stack(Lift(1.0)).with_clip(Clip("2", "Second", After("1"), (Layer("x", Lift(5.0)),)))
    first = evaluator.take(project, "2")
    assert first.motion.root_positions[0, 1] == pytest.approx(waving_figure(60).root_positions[0, 1] + 6.0)
    runs = evaluator.runs
    evaluator.take(project, "2")
    assert evaluator.runs == runs
    changed = with_layer(project, 0, edit=Lift(2.0))
    second = evaluator.take(changed, "2")
    assert second.motion.root_positions[0, 1] == pytest.approx(first.motion.root_positions[0, 1] + 1.0)
    assert evaluator.take(project, "2") is first


@pytest.mark.parametrize("gone", ["absent", "2"])
def test_clip_made_of_one_that_is_gone_or_of_itself_says_so(gone):
    project = Project((Clip("2", "Second", After(gone)),))
    with pytest.raises(SourceError, match=r"'Second'.* is gone, fails, or is made of this one"):
        Evaluator().take(project, "2")


def test_failing_edit_is_told_and_passed_over():
    stages = Evaluator().stages(stack(Lift(1.0), Broken(), Lift(2.0)), "1")
    assert [stage.failed for stage in stages] == [False, False, True, False]
    assert stages[2].notes == ("there are no wings",)
    assert stages[2].take is stages[1].take
    assert stages[3].take.motion.root_positions[0, 1] == pytest.approx(waving_figure(60).root_positions[0, 1] + 3.0)


def test_failing_and_unknown_sources_say_why():
    with pytest.raises(SourceError, match="the well is dry"):
        Evaluator().take(stack(source=Failing()), "1")
    with pytest.raises(SourceError, match="'flight', which this version does not know"):
        Evaluator().take(stack(source=Unknown("flight", "{}")), "1")
    with pytest.raises(ValueError, match="no clip '7'"):
        Evaluator().take(stack(), "7")


def test_unknown_edits_have_no_effect():
    stages = Evaluator().stages(stack(Lift(1.0), Unknown("fly", "{}")), "1")
    assert stages[2] is stages[1]


def test_cancel_leaves_no_trace_and_the_next_try_works():
    evaluator = Evaluator()
    project = stack(Slow())

    def tell(fraction):
        if fraction > 0.55:
            raise Cancelled

    with pytest.raises(Cancelled):
        evaluator.take(project, "1", tell)
    assert evaluator.known(project, "1") is None
    Slow.event.set()
    try:
        told = []
        evaluator.take(project, "1", told.append)
        assert told == sorted(told)
        assert told[0] == 0.5  # the source is known by now
        assert 0.9 < told[-1] <= 1.0
        assert evaluator.known(project, "1") is not None
    finally:
        Slow.event.clear()


class NobodyMayWait:
    """Stands for the sign that a stage is worked out; who waits for it fails."""

    def wait(self, timeout=None):
        raise AssertionError("somebody waits")

    def set(self):
        pass


def test_looking_for_what_is_known_never_waits_for_who_works():
    evaluator = Evaluator()
    project = stack(Slow())
    reached = threading.Event()
    thread = threading.Thread(
        target=lambda: evaluator.take(project, "1", lambda fraction: reached.set() if fraction > 0.5 else None)
    )
    thread.start()
    try:
        assert reached.wait(10.0)
        (key,) = evaluator._cache._running
        evaluator._cache._running[key] = NobodyMayWait()
        assert evaluator.known(project, "1") is None
        assert evaluator.runs == 1
    finally:
        Slow.event.set()
        thread.join()
        Slow.event.clear()
    assert evaluator.known(project, "1") is not None


def test_two_threads_do_the_same_work_once():
    evaluator = Evaluator()
    project = stack(Lift(1.0), Lift(2.0))
    gate = threading.Barrier(4)
    takes = []

    def work():
        gate.wait()
        takes.append(evaluator.take(project, "1"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert evaluator.runs == 3
    assert all(take is takes[0] for take in takes)


def test_budget_is_held_and_results_stay_right():
    evaluator = Evaluator(budget_bytes=3_000_000)
    rng = np.random.default_rng(3)
    values = [Lift(0.5), Lift(1.0), Lift(2.0)]
    expected = waving_figure(60).root_positions[0, 1]
    project = stack(*values)
    for _ in range(600):
        place = int(rng.integers(3))
        project = with_layer(project, place, edit=Lift(float(rng.integers(1, 40)) / 4.0), on=bool(rng.integers(2)))
        take = evaluator.take(project, "1")
        assert evaluator.size <= 3_000_000
        lifted = sum(layer.edit.by_m for layer in project.clip("1").layers if layer.on)
        assert take.motion.root_positions[0, 1] == pytest.approx(expected + lifted)


def sizes_of(project):
    """The bytes of the stages of a clip, one after the other."""
    evaluator, sizes = Evaluator(), []
    for edits in range(len(project.clip("1").layers) + 1):
        evaluator.stages(project, "1", edits=edits)
        sizes.append(evaluator.size - sum(sizes))
    return sizes


@pytest.mark.parametrize("kept", [1, 2, 3, 4])
def test_stages_are_kept_as_far_as_the_budget_goes(kept):
    project = stack(Lift(1.0), Lift(2.0), Lift(3.0))
    evaluator = Evaluator(budget_bytes=sum(sizes_of(project)[:kept]))
    evaluator.take(project, "1")
    runs = evaluator.runs
    evaluator.take(with_layer(project, 2, edit=Lift(4.0)), "1")
    assert evaluator.runs - runs == max(4 - kept, 1), "what was before the changed edit is known as far as it fits"


def test_source_is_kept_whatever_the_budget():
    evaluator = Evaluator(budget_bytes=10)
    evaluator.take(stack(Lift(1.0)), "1")
    evaluator.take(stack(Lift(2.0)), "1")
    assert evaluator.runs == 3
    evaluator.take(stack(Lift(1.0), source=Made(50)), "1")
    assert len(evaluator._cache) == 1, "of another clip instead"


def test_what_was_not_used_for_longest_is_forgotten_first():
    values = [Lift(float(n)) for n in range(1, 6)]
    size = sum(sizes_of(stack(values[0]))) + 2 * sizes_of(stack(values[0]))[1]
    evaluator = Evaluator(budget_bytes=size)  # the source and three edits of it
    for value in (*values[:3], values[0], values[3]):
        evaluator.take(stack(value), "1")
    known = [value.by_m for value in values if evaluator.known(stack(value), "1") is not None]
    assert known == [1.0, 3.0, 4.0]


def test_clips_that_others_are_made_of_are_forgotten_after_those():
    project = stack(Lift(1.0)).with_clip(Clip("2", "Second", After("1"), (Layer("x", Lift(5.0)),)))
    evaluator = Evaluator()
    evaluator.take(project, "2")
    evaluator._cache.budget_bytes = evaluator.size
    evaluator.take(stack(Lift(7.0)), "1")
    assert evaluator.known(project, "1") is not None
    assert evaluator.known(project, "2") is None
    assert evaluator.size <= evaluator._cache.budget_bytes


def made_of_the_two_before(count):
    """A project of clips each of which is made of the two before it."""
    clips = [Clip("0", "0", Made()), Clip("1", "1", Made())]
    clips += [Clip(str(n), str(n), Pair(str(n - 1), str(n - 2))) for n in range(2, count)]
    return Project(tuple(clips), 1000)


def test_clips_reached_by_many_ways_are_gone_through_once():
    evaluator, project, told = Evaluator(), made_of_the_two_before(80), []
    first = evaluator.take(project, "79", told.append)
    assert len(told) < 1000
    assert evaluator.known(project, "79")[-1].take is first


def test_looking_through_known_clips_can_be_cancelled():
    evaluator, project = Evaluator(), made_of_the_two_before(5)
    evaluator.take(project, "4")

    def tell(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        evaluator.take(project, "4", tell)


def test_clips_made_of_clips_too_many_deep_say_so():
    clips = [Clip("0", "0", Made())] + [Clip(str(n), f"Clip {n}", After(str(n - 1))) for n in range(1, 401)]
    project, evaluator = Project(tuple(clips), 1000), Evaluator()
    with pytest.raises(SourceError, match="'Clip 400' is made of clips that are made of clips, too many deep"):
        evaluator.take(project, "400")
    assert evaluator.known(project, "400") is None
    assert evaluator.take(project, "90").motion.frames == 60


def test_arithmetic_that_fails_is_told_like_any_fault():
    stages = Evaluator().stages(stack(Raising(OverflowError("too large")), Lift(1.0)), "1")
    assert [stage.failed for stage in stages] == [False, True, False]
    assert stages[1].notes == ("too large",)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["root_positions", "local_rotations", "local_offsets"])
def test_takes_that_are_not_finite_are_refused(name, value):
    motion = waving_figure(10)
    array = np.array(getattr(motion, name))
    array[3, 1] = value
    take = Take(replace(motion, **{name: array}), Contacts(10, {}, 0.0))
    with pytest.raises(SourceError, match="the result holds numbers that are none"):
        Evaluator().take(stack(source=Given(take)), "1")
    source, after = Evaluator().stages(stack(Put(take), source=Made(10)), "1")
    assert after.failed
    assert after.take is source.take
    assert after.notes == ("the result holds numbers that are none",)


def test_take_larger_than_the_budget_is_still_given():
    evaluator = Evaluator(budget_bytes=10)
    assert evaluator.take(stack(Lift(1.0)), "1").motion.frames == 60


def test_inputs_are_not_changed():
    evaluator = Evaluator()
    project = stack(Lift(1.0), scopes=[Scope(strength=0.3)])
    source = evaluator.stages(project, "1", edits=0)[0].take
    kept = source.motion.root_positions.copy()
    evaluator.take(project, "1")
    np.testing.assert_array_equal(source.motion.root_positions, kept)


def test_whole_edits_take_no_joints_and_no_range():
    with pytest.raises(ValueError, match="Cut acts on all of the body"):
        Layer("x", Cut(0.5), scope=Scope(start_s=1.0))
    Layer("x", Cut(0.5), scope=Scope(joints=()))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Smooth("0.1"), "window_s is '0.1'; it must be a number"),
        (lambda: Trim(start_s=np.inf), "start_s is inf; it must be a finite number"),
        (lambda: Place(move_x_m=np.nan), "move_x_m is nan; it must be a finite number"),
        (lambda: Retime(((0.0, 1.0), (np.inf, 2.0))), r"speeds\[1\]\[0\] is inf"),
        (lambda: ProceduralGait(seconds="6"), "seconds is '6'; it must be a number"),
        (lambda: ProceduralGait(wave=Lift()), "wave is Lift.*; it must be of type Wave"),
        (
            lambda: ContactCorrections((Correction("left_foot", -np.inf, 1.0, True),)),
            r"corrections\[0\].start_s is -inf",
        ),
        (lambda: Scope(stop_s=np.inf), "stop_s is inf; it must be a finite number"),
        (lambda: Scope(strength="1"), "strength is '1'; it must be a number"),
        (lambda: Scope(joints="Head"), "joints is 'Head'; it must be a tuple"),
    ],
)
def test_settings_of_other_types_and_without_bounds_are_refused(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


def test_lists_in_settings_become_tuples():
    edit = TargetPoses([TargetPose(1, [(JointRef("Head", Role.HEAD), [1, 0, 0])])])
    assert edit == TargetPoses((TargetPose(1.0, ((JointRef("Head", Role.HEAD), (1.0, 0.0, 0.0)),)),))
    assert Evaluator().stages(stack(edit), "1")[-1].failed is False


def test_settings_outside_their_range_are_refused():
    with pytest.raises(ValueError, match=r"by_m is 20.0; it must be -10.0 to 10.0 m"):
        Lift(20.0)


def test_evaluator_that_forgot_all_holds_nothing_of_it_and_works_it_out_again():
    evaluator, project = Evaluator(), stack(Lift(1.0))
    take = evaluator.take(project, "1")
    runs = evaluator.runs
    evaluator.forget_all()
    assert evaluator.size == 0
    assert evaluator.known(project, "1") is None
    again = evaluator.take(project, "1")
    np.testing.assert_array_equal(again.motion.root_positions, take.motion.root_positions)
    assert evaluator.runs == 2 * runs


def test_what_is_worked_out_while_all_is_forgotten_is_not_kept():
    evaluator, project = Evaluator(), stack(Slow())
    worker = threading.Thread(target=evaluator.take, args=(project, "1"))
    worker.start()
    while len(evaluator._cache._running) == 0 or evaluator.runs == 0:  # until the edit waits, after the source
        pass
    evaluator.forget_all()
    Slow.event.set()
    worker.join()
    Slow.event.clear()
    assert evaluator.size == 0


# Names of other clips


def named(project, name):
    """The project with a clip of this name beside the first."""
    return project.with_clip(Clip("2", name, Made(20)))


@pytest.mark.parametrize("fails", [False, True])
def test_stage_that_tells_a_name_is_evaluated_again_when_it_changes(fails):
    evaluator, project = Evaluator(), stack(Lift(1.0), Naming(fails=fails), Lift(2.0))
    before = evaluator.stages(named(project, "Old"), "1")
    assert "beside Old" in before[2].notes
    assert before[2].failed == fails
    runs = evaluator.runs
    assert evaluator.known(named(project, "New"), "1") is None
    after = evaluator.stages(named(project, "New"), "1")
    assert "beside New" in after[2].notes
    assert after[:2] == before[:2]
    assert evaluator.runs == runs + 2, "what tells it and what comes after"
    assert evaluator.known(named(project, "New"), "1") == after


def test_stage_that_tells_no_name_is_not_evaluated_again_when_one_changes():
    evaluator = Evaluator()
    project = stack().with_clip(Clip("3", "Third", After("1"), (Layer("x", Lift(1.0)),)))
    before = evaluator.stages(project, "3")
    renamed = project.with_clip(replace(project.clip("1"), name="Other"))
    assert evaluator.known(renamed, "3") == before


# What is the same work


def scoped(scope):
    return stack(Lift(1.0), scopes=[scope])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (stack(Lift(1.0)), stack(Lift(2.0))),
        (stack(Lift(1.0)), stack(Lift(1.0), source=Made(61))),
        (stack(Lift(1.0)), with_layer(stack(Lift(1.0)), 0, on=False)),
        (scoped(Scope(strength=0.5)), scoped(Scope(strength=0.6))),
        (scoped(Scope(start_s=0.5)), scoped(Scope(stop_s=0.5))),
        (stack(OnGround()), replace(stack(OnGround()), ground=Ground(boxes=(Box((0.0, 0.0), (1.0, 1.0), 0.1),)))),
        (named(stack(Naming()), "a"), named(stack(Naming()), "a").without("2")),
        (named(stack(Naming()), "a"), stack(Naming()).with_clip(Clip("2", "a", Made(21)))),
        (stack(source=Unknown("a", "{}")), stack(source=Unknown("b", "{}"))),
        (stack(), Project()),
    ],
    ids=["edit", "source", "switch", "strength", "range", "ground", "clip gone", "clip changed", "unknown", "gone"],
)
def test_other_keys_are_other_work(one, other):
    evaluator = Evaluator()
    assert not evaluator.is_same_work("1", one, other)
    assert not evaluator.is_same_work("1", other, one)
    assert evaluator.runs == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (stack(Lift(1.0)), stack(Lift(1.0))),
        (stack(Lift(1.0)), replace(stack(Lift(1.0)), ground=Ground(boxes=(Box((0.0, 0.0), (1.0, 1.0), 0.1),)))),
        (stack(Lift(1.0)), named(stack(Lift(1.0)), "a")),
        (named(stack(Naming()), "a"), named(stack(Naming()), "b")),
        (with_layer(stack(Lift(1.0)), 0, on=False), with_layer(stack(Lift(2.0)), 0, on=False)),
    ],
    ids=["equal", "ground unused", "clip unused", "name", "switched off"],
)
def test_same_keys_are_the_same_work(one, other):
    assert Evaluator().is_same_work("1", one, other)


def test_clips_reached_by_many_ways_are_compared_once():
    assert Evaluator().is_same_work("79", made_of_the_two_before(80), made_of_the_two_before(80))


# Reports and clocks


@dataclass(frozen=True, eq=False)
class Weight(Report):
    kg: float


@dataclass(frozen=True, eq=False)
class Colour(Report):
    name: str


@dataclass(frozen=True, eq=False)
class Weighing(Lift):
    """Lifts, and reports a weight of its own."""

    def apply(self, take, context):
        return replace(super().apply(take, context), reports=(*take.reports, Weight(2.0)))


def reporting(*edits):
    motion = waving_figure(60)
    take = Take(motion, Contacts(60, {}, 0.0), reports=(Weight(1.0), Colour("red")))
    return Evaluator().stages(stack(*edits, source=Given(take)), "1")


def test_take_carries_what_its_source_reports_by_kind():
    (source,) = reporting()
    assert source.take.report(Weight).kg == 1.0
    assert source.take.report(Colour).name == "red"
    assert waving_take().report(Weight) is None


def waving_take():
    return Take(waving_figure(10), Contacts(10, {}, 0.0))


def test_edited_take_carries_none_of_the_reports_before_it():
    source, lifted, again = reporting(Lift(1.0), Lift(1.0))
    assert lifted.take.reports == again.take.reports == ()
    assert source.take.report(Weight) is not None


def test_edit_that_reports_itself_is_heard_alone():
    _, lifted, again = reporting(Weighing(1.0), Lift(1.0))
    assert [report.kg for report in lifted.take.reports] == [2.0]
    assert again.take.reports == ()


def test_take_that_no_edit_changed_keeps_its_reports():
    source, failed, off = reporting(Broken(), Raising(ValueError("no")))
    assert failed.take is off.take is source.take


def test_source_says_by_which_clock_it_goes():
    @dataclass(frozen=True)
    class Stepping(Source):
        kind: ClassVar = "stepping"
        title: ClassVar = "Stepping"
        step_s: ClassVar = 0.5

        def make(self, context):
            context.set_clock(TimeMap([0.0, 1.0], [0.0, 2.0]))
            return waving_take()

    source, lifted = Evaluator().stages(stack(Lift(1.0), source=Stepping()), "1")
    assert source.time_map(1.0) == lifted.time_map(1.0) == 2.0
    assert source.steps.step_s == 0.5
    assert source.steps.stop_s == pytest.approx(0.5 * source.take.motion.duration_s)
    (plain,) = Evaluator().stages(stack(), "1")
    assert plain.time_map.is_identity
    assert plain.steps is None
