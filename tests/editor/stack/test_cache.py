"""The cache: values computed once, kept within a budget, and forgotten such that all that is kept can be found."""

import threading

import pytest

from editor.stack.cache import Cache, Kept


class Thing:
    """Something that values are made of, known by identity."""


class Box:
    """A cache whose entries tests make by name."""

    def __init__(self, budget=1000):
        self.cache, self.things, self.made = Cache(budget), {}, []

    def get(self, name, size=10, of=(), fits=None):
        """What is cached under a name; made of the things of other names."""
        thing = self.things.setdefault(name, Thing())

        def work():
            self.made.append(name)
            return Kept(f"value of {name}", size, tuple(self.things[one] for one in of), (thing,))

        return self.cache.computed(name, work, lambda: None, fits)

    @property
    def kept(self):
        return "".join(name for name in self.things if self.cache.find(name) is not None)


def test_values_are_computed_once():
    box = Box()
    assert box.get("a") == box.get("a") == "value of a"
    assert box.made == ["a"]
    assert box.cache.size == 10


def test_what_others_were_made_of_is_forgotten_after_them():
    box = Box(budget=40)
    box.get("a")
    box.get("b", of="a")
    box.get("c", of="b")
    box.get("d")
    assert box.cache.size == 40
    box.get("e")
    assert box.kept == "abde", "the oldest of those of which nothing was made"
    box.get("f")
    box.get("g")
    assert box.kept == "defg", "b, of which nothing was made any more, and then a"


def test_what_was_used_last_is_forgotten_last():
    box = Box(budget=30)
    for name in "abc":
        box.get(name)
    box.get("a")
    box.get("d")
    assert [name for name in "abcd" if box.cache.find(name)] == ["a", "c", "d"]


def test_value_that_does_not_fit_beside_what_it_was_made_of_is_given_and_not_kept():
    box = Box(budget=30)
    box.get("a")
    assert box.get("b", size=25, of="a") == "value of b"
    assert box.kept == "a"
    box.get("c", size=100)
    assert box.kept == "c", "what was made of nothing is kept whatever its size"


def test_value_made_of_what_is_not_kept_is_not_kept():
    box = Box()
    box.things["gone"] = Thing()
    assert box.get("a", of=["gone"]) == "value of a"
    assert box.kept == ""
    assert box.cache.size == 0


def test_value_of_several_is_kept_as_long_as_all_are():
    box = Box(budget=40)
    box.get("a")
    box.get("b")
    box.get("c", of="ab")
    box.get("d", size=40)
    assert box.kept == "d"
    assert box.cache.size == 40


def test_object_that_two_values_stand_for_holds_what_was_made_of_it():
    cache, shared = Cache(100), Thing()
    for key in "ab":
        cache.computed(key, lambda key=key: Kept(key, 30, (), (shared,)), lambda: None)
    cache.computed("c", lambda: Kept("c", 30, (shared,)), lambda: None)
    cache.computed("d", lambda: Kept("d", 30), lambda: None)
    assert [key for key in "abcd" if cache.find(key)] == ["a", "c", "d"]
    cache.computed("e", lambda: Kept("e", 90), lambda: None)
    assert len(cache) == 1
    assert cache.size == 90


def test_value_that_does_not_fit_any_more_is_computed_again_and_takes_what_was_made_of_it_along():
    box = Box()
    box.get("a")
    box.get("b", of="a")
    box.get("c", of="b")
    box.get("d")
    assert box.cache.find("a", lambda value: False) is None
    box.get("a", fits=lambda value: False)
    assert box.made == ["a", "b", "c", "d", "a"]
    assert box.kept == "ad"
    assert box.cache.size == 20


def test_failing_work_leaves_no_trace_and_the_next_try_works():
    cache = Cache(100)

    def fail():
        raise ValueError("no wings")

    for _ in range(2):
        with pytest.raises(ValueError, match="no wings"):
            cache.computed("a", fail, lambda: None)
    assert cache.computed("a", lambda: Kept(1, 10), lambda: None) == 1


def test_threads_wait_for_who_computes_and_may_give_up():
    cache, started, go_on = Cache(100), threading.Event(), threading.Event()

    def slow():
        started.set()
        assert go_on.wait(10.0)
        return Kept("slow", 10)

    worker = threading.Thread(target=cache.computed, args=("a", slow, lambda: None))
    worker.start()
    assert started.wait(10.0)
    assert cache.find("a") is None, "who only looks does not wait"

    def give_up():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        cache.computed("a", lambda: pytest.fail("it is being computed"), give_up)
    go_on.set()
    assert cache.computed("a", lambda: pytest.fail("it was computed"), lambda: None) == "slow"
    worker.join()


def test_what_is_computed_while_all_is_forgotten_is_not_kept():
    cache = Cache(100)

    def work():
        cache.forget_all()
        return Kept("old", 10)

    assert cache.computed("a", work, lambda: None) == "old"
    assert cache.find("a") is None
    assert cache.size == len(cache) == 0
