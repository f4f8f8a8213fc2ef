"""Lookups kept for the last few arguments: what a skeleton, a pose or an object on the ground is to somebody.

They are small, and forgotten together when another project is opened. What holds takes, motions or their arrays does
not belong here but into the evaluator's cache; see `model.derived`.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar, Generic, ParamSpec, TypeVar, cast
from weakref import WeakSet

_P = ParamSpec("_P")
_K = TypeVar("_K")
_V = TypeVar("_V")

_CLEARS: list[Callable[[], None]] = []


def recent(most: int) -> Callable[[Callable[_P, _V]], Callable[_P, _V]]:
    """Let a function keep its results for the last few arguments it was called with."""

    def keeping(function: Callable[_P, _V]) -> Callable[_P, _V]:
        kept = lru_cache(maxsize=most)(function)
        _CLEARS.append(kept.cache_clear)
        return cast(Callable[_P, _V], kept)

    return keeping


class Recent(Generic[_K, _V]):
    """Values for the last few keys that were asked for."""

    _all: ClassVar["WeakSet[Recent[object, object]]"] = WeakSet()

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[_K, _V] = OrderedDict()
        Recent._all.add(cast("Recent[object, object]", self))

    def get(self, key: _K, make: Callable[[], _V]) -> _V:
        """The value of a key, made where it is not kept."""
        if key not in self._values:
            self._values[key] = make()
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        self._values.move_to_end(key)
        return self._values[key]

    def forget(self) -> None:
        self._values.clear()


def forget_recent() -> None:
    """Forget all that was kept."""
    for clear in _CLEARS:
        clear()
    for values in list(Recent._all):
        values.forget()
