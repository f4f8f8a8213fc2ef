"""Bytes of what is cached: every array once, and nothing that is shared."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pytest

from editor.stack.sizes import arrays_in, bytes_beyond
from model.clip import Report, Take
from model.contacts import Contacts
from tests.clips import waving_figure

EMPTY = bytes_beyond(None, ())


@dataclass(frozen=True, eq=False)
class Nested(Report):
    one: np.ndarray = field(default_factory=lambda: np.zeros(10))
    others: tuple = ()
    named: dict = field(default_factory=dict)

    @cached_property
    def twice(self):
        return np.concatenate([self.one, self.one])


def bytes_in(*values):
    return sum(array.nbytes for array in arrays_in(*values).values())


def take_of(motion, *reports):
    return Take(motion, Contacts(motion.frames, {}, 0.0), reports=reports)


def test_arrays_are_found_in_dataclasses_tuples_and_mappings():
    value = Nested(others=(np.zeros(5), [Nested(), {"a": np.zeros(2)}]), named={1: np.zeros(3), 2: "text"})
    assert bytes_in(value) == 8 * (10 + 5 + 10 + 2 + 3)


def test_array_is_counted_once_and_a_view_as_what_it_looks_at():
    array = np.zeros(100)
    assert bytes_in(array, array[10:20], array.reshape(10, 10).T, Nested(array)) == 800


def test_what_was_cached_on_a_value_counts():
    value = Nested()
    assert bytes_in(value) == 80
    _ = value.twice
    assert bytes_in(value) == 240


def test_what_is_kept_anyway_does_not_count():
    array = np.zeros(100)
    assert bytes_beyond(Nested(array, (np.zeros(5),)), [array]) - EMPTY == 40
    assert bytes_beyond(array[:50], [array]) == EMPTY


def test_takes_count_with_their_reports_and_the_world_positions_to_come():
    motion = waving_figure(60)
    joints, whole = len(motion.skeleton), bytes_beyond(take_of(motion), ())
    assert whole - EMPTY >= 8 * 60 * (3 + 4 * joints + 7 * joints)
    assert bytes_beyond(take_of(motion, Nested()), ()) - whole == 80
    world = 8 * 60 * 7 * joints
    moved = take_of(replace(motion, root_positions=motion.root_positions + 1.0))
    assert bytes_beyond(moved, [take_of(motion)]) - EMPTY == 8 * 60 * 3 + world
    assert bytes_beyond(take_of(motion), [take_of(motion)]) == EMPTY
    _ = moved.motion.world
    assert bytes_beyond(moved, [take_of(motion)]) - EMPTY == pytest.approx(8 * 60 * 3 + world)


def test_part_of_a_motion_shares_its_arrays():
    motion = waving_figure(60)
    part = take_of(motion.sliced(10, 30))
    assert bytes_beyond(part, [take_of(motion)]) - EMPTY == 8 * 20 * 7 * len(motion.skeleton)
