"""Results are kept for the last few arguments, until all are forgotten."""

import gc
import weakref

from model.recent import Recent, forget_recent, recent


class Thing:
    pass


def test_result_is_computed_once_for_the_last_few_arguments():
    asked = []

    @recent(2)
    def doubled(number):
        asked.append(number)
        return 2 * number

    assert [doubled(number) for number in (1, 2, 1, 3, 1, 2)] == [2, 4, 2, 6, 2, 4]
    assert asked == [1, 2, 3, 2]


def test_values_are_kept_for_the_last_few_keys():
    made, values = [], Recent(2)
    for key in (1, 2, 1, 3, 1, 2):
        assert values.get(key, lambda key=key: made.append(key) or key) == key
    assert made == [1, 2, 3, 2]


def test_nothing_is_held_once_all_is_forgotten():
    @recent(4)
    def same(thing):
        return thing

    values, thing = Recent(4), Thing()
    same(thing)
    values.get(thing, Thing)
    held = weakref.ref(thing)
    del thing
    gc.collect()
    assert held() is not None
    forget_recent()
    gc.collect()
    assert held() is None
