"""What is derived from takes: computed once, kept beside the stages whose takes they are, and no longer."""

import threading
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from editor.exaggerate.edit import Exaggerate
from editor.exaggerate.joints import joint_extremes
from editor.exaggerate.stance import body_facts, find_headings
from editor.extrema.edit import ExtremePoses
from editor.extrema.find import ExtremaSettings, body_measured
from editor.gait.source import ProceduralGait
from editor.stack.evaluator import Evaluator
from editor.stagger.carrying_out import layers_of
from editor.stagger.edit import Stagger
from editor.stagger.finding import evidence_of
from model.clip import Cancelled, Edit
from model.contacts import Contacts
from model.derived import uncached
from tests.clips import waving_figure
from tests.editor.evaluated import take_of
from tests.stacks import Lift, Made, stack

CALLS = []
STARTED, GO_ON = threading.Event(), threading.Event()


def heights(take, factor=1.0):
    """(F,) how high the root is."""
    CALLS.append(factor)
    return factor * take.motion.root_positions[:, 1]


def large(take, megabytes):
    return np.zeros(megabytes << 17)


def nothing(motion):
    CALLS.append(motion)


def slowly(take):
    STARTED.set()
    assert GO_ON.wait(10.0)


@dataclass(frozen=True)
class Deriving(Edit):
    """Lifts a take by how high it is, which it has derived."""

    kind: ClassVar = "deriving"
    title: ClassVar = "Deriving"
    part: float = 1.0

    def apply(self, take, context):
        return Lift(self.part * float(np.max(context.derived(heights, take)))).apply(take, context)


@dataclass(frozen=True)
class Patient(Edit):
    """Waits for what takes long."""

    kind: ClassVar = "patient"
    title: ClassVar = "Patient"

    def apply(self, take, context):
        context.progress(0.7)
        context.derived(slowly, take)
        return take


@pytest.fixture(autouse=True)
def fresh():
    CALLS.clear()
    STARTED.clear()
    GO_ON.clear()


@pytest.fixture
def evaluator():
    return Evaluator()


def test_value_is_computed_once_for_equal_arguments(evaluator):
    take = evaluator.take(stack(), "1")
    first = evaluator.derived(heights, take, 2.0)
    assert evaluator.derived(heights, take, 2.0) is first
    assert evaluator.derived(heights, take, factor=2.0) == pytest.approx(first)
    assert evaluator.derived(heights, take, 3.0)[0] == pytest.approx(1.5 * first[0])
    assert CALLS == [2.0, 2.0, 3.0]


def test_value_that_is_not_known_is_not_computed_by_who_only_asks(evaluator):
    take = evaluator.take(stack(), "1")
    assert evaluator.known_derived(heights, take) is None
    assert CALLS == []
    value = evaluator.derived(heights, take)
    assert evaluator.known_derived(heights, take) is value


def test_value_that_is_none_is_kept_as_well(evaluator):
    motion = evaluator.take(stack(), "1").motion
    assert evaluator.derived(nothing, motion) is evaluator.derived(nothing, motion) is None
    assert len(CALLS) == 1


def test_value_of_a_take_that_is_no_stage_is_given_and_not_kept(evaluator):
    take = take_of(waving_figure(30), Contacts(30, {}, 0.0))
    assert np.array_equal(evaluator.derived(heights, take), uncached(heights, take))
    assert evaluator.known_derived(heights, take) is None
    assert evaluator.size == 0


def test_edits_have_values_derived_once_while_their_own_settings_change(evaluator):
    for part in (0.1, 0.2, 0.3):
        before, after = evaluator.stages(stack(Deriving(part)), "1")
        top = float(np.max(before.take.motion.root_positions[:, 1]))
        lifted = after.take.motion.root_positions[0, 1] - before.take.motion.root_positions[0, 1]
        assert lifted == pytest.approx(part * top)
    assert len(CALLS) == 1
    assert evaluator.known_derived(heights, before.take) is not None, "and others find them"


def test_values_count_and_go_with_their_stages(evaluator):
    take = evaluator.take(stack(Lift(1.0)), "1")
    size = evaluator.size
    evaluator.derived(large, take, 1)
    assert evaluator.size - size == pytest.approx(1 << 20, abs=5000)
    evaluator.forget_all()
    assert evaluator.size == 0
    assert evaluator.known_derived(large, take, 1) is None


def test_budget_holds_with_values_and_the_longest_unused_go_first():
    evaluator = Evaluator(4 << 20)
    take = evaluator.take(stack(), "1")
    for megabytes in (1, 2):
        evaluator.derived(large, take, megabytes)
    evaluator.derived(large, take, 1)  # used again
    evaluator.take(stack(Lift(1.0), source=Made(500)), "1")
    assert evaluator.size <= 4 << 20
    assert evaluator.known_derived(large, take, 2) is None
    assert evaluator.known_derived(large, take, 1) is not None
    assert len(evaluator.derived(large, take, 8)) == 8 << 17, "what is too large is given and not kept"
    assert evaluator.known_derived(large, take, 8) is None
    assert evaluator.known(stack(), "1") is not None, "the stage that it was made of was not forgotten for it"


def test_stage_is_not_forgotten_before_what_was_derived_from_it(evaluator):
    first = evaluator.take(stack(), "1")
    evaluator.derived(large, first, 1)
    evaluator._cache.budget_bytes = evaluator.size
    evaluator.take(stack(source=Made(61)), "1")
    assert evaluator.known_derived(large, first, 1) is None
    assert evaluator.known(stack(source=Made(61)), "1") is not None


def test_two_threads_derive_a_value_once(evaluator):
    take, gate, found = evaluator.take(stack(), "1"), threading.Barrier(4), []

    def work():
        gate.wait()
        found.append(evaluator.derived(heights, take))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(CALLS) == 1
    assert all(value is found[0] for value in found)


def test_edit_that_waits_for_a_value_can_be_cancelled_and_tells_no_less_than_before(evaluator):
    told, take = [], evaluator.take(stack(), "1")
    worker = threading.Thread(target=evaluator.derived, args=(slowly, take))
    worker.start()
    assert STARTED.wait(10.0)

    def tell(fraction):
        told.append(fraction)
        if len(told) > 6:
            raise Cancelled

    try:
        with pytest.raises(Cancelled):
            evaluator.take(stack(Patient()), "1", tell)
        assert told == sorted(told)
        assert told[-1] == pytest.approx(0.85)
    finally:
        GO_ON.set()
        worker.join()


def test_value_made_of_no_take_is_refused(evaluator):
    with pytest.raises(AssertionError, match="nobody's to forget"):
        evaluator.derived(len, "abc")


# What sliders ask for again: two settings of each, and what is derived from the take or the motion before it.
SLIDERS = {
    "succession": (
        (Stagger(0.02), Stagger(0.03)),
        [(evidence_of, "take", Stagger().settings), (layers_of, "motion", Stagger().quick_s)],
    ),
    "exaggerate the body": (
        (Exaggerate(1.2), Exaggerate(1.4)),
        [(body_facts, "motion"), (body_measured, "motion", ExtremaSettings())],
    ),
    "exaggerate joints": (
        (Exaggerate(1.2, "joints"), Exaggerate(1.4, "joints")),
        [(body_facts, "motion"), (joint_extremes, "motion")],
    ),
    "cartoon filter": ((Exaggerate(1.2, "cartoon"), Exaggerate(1.4, "cartoon")), [(find_headings, "motion")]),
    "few to many": (
        (ExtremePoses(level=0.3), ExtremePoses(level=0.8)),
        [(body_measured, "motion", ExtremePoses().settings)],
    ),
}


@pytest.mark.parametrize("slider", SLIDERS)
def test_sliders_find_what_they_asked_for_before(evaluator, slider):
    edits, asked = SLIDERS[slider]
    found = []
    for edit in edits:
        before, after = evaluator.stages(stack(edit, source=ProceduralGait(seconds=3.0)), "1")
        assert not after.failed
        of = {"take": before.take, "motion": before.take.motion}
        found.append([evaluator.known_derived(work, of[what], *more) for work, what, *more in asked])
    assert all(value is not None and value is again for value, again in zip(*found, strict=True))
