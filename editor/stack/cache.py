"""Values by what they were made of, computed once and kept within a byte budget.

What nothing else was made of goes first, the longest unused before others; so whatever is kept can be found again. Safe
to use from several threads. It knows neither takes nor edits.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Kept:
    """A value as a cache keeps it. size : its bytes beyond what it was made of.

    made_of : objects that it is not kept without; stands_for : those that others are made of when they are made of it.
    Both are known by identity.
    """

    value: Any
    size: int
    made_of: tuple[object, ...] = ()
    stands_for: tuple[object, ...] = ()


@dataclass(eq=False)
class _Entry:
    """A kept value. parents : what it was made of; children : how many others were made of it."""

    key: Hashable
    kept: Kept
    parents: "tuple[_Entry, ...]" = ()
    children: int = field(default=0)


class Cache:
    """Keeps values by their keys."""

    def __init__(self, budget_bytes: int) -> None:
        self.budget_bytes = budget_bytes
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._by_object: dict[int, list[_Entry]] = {}  # by the identity of what entries stand for, which they hold
        self._size = 0
        self._running: dict[Hashable, threading.Event] = {}
        self._lock = threading.Lock()
        self._times_cleared = 0

    @property
    def size(self) -> int:
        """The bytes kept."""
        return self._size

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: Hashable, fits: Callable[[Any], bool] | None = None) -> Kept | None:
        """What is kept of a key, if it fits. It never waits for those who compute."""
        with self._lock:
            return self._find(key, fits)

    def computed(
        self,
        key: Hashable,
        work: Callable[[], Kept],
        waits: Callable[[], None],
        fits: Callable[[Any], bool] | None = None,
    ) -> Any:
        """The value of a key, computed where it is not kept or does not fit, by one thread at a time.

        waits : called again and again while another thread computes it; may raise.
        """
        while True:
            with self._lock:
                known = self._find(key, fits)
                if known is not None:
                    return known.value
                running = self._running.get(key)
                if running is None:
                    mine = self._running[key] = threading.Event()
                    times_cleared = self._times_cleared
                    break
            while not running.wait(0.05):
                waits()
        try:
            made = work()
            with self._lock:
                if times_cleared == self._times_cleared:
                    self._keep(key, made)
            return made.value
        finally:
            with self._lock:
                del self._running[key]
            mine.set()

    def forget_all(self) -> None:
        """Forget everything, and what is being computed now."""
        with self._lock:
            self._entries.clear()
            self._by_object.clear()
            self._size = 0
            self._times_cleared += 1

    def _find(self, key: Hashable, fits: Callable[[Any], bool] | None) -> Kept | None:
        """What is kept of a key, which is now the one used last."""
        entry = self._entries.get(key)
        if entry is None or not (fits is None or fits(entry.kept.value)):
            return None
        self._entries.move_to_end(key)
        return entry.kept

    def _keep(self, key: Hashable, made: Kept) -> None:
        """Keep a value, and forget others where that is too much.

        What the value was made of is never forgotten for it. Where it does not fit beside that, it is not kept, unless
        it was made of nothing: the source of a clip is always kept, so that changing an edit does not need it again.
        """
        if key in self._entries:  # which did not fit
            self._forget_with_children(self._entries[key])
        found = [self._by_object.get(id(one)) for one in made.made_of]
        parents = tuple(dict.fromkeys(entries[0] for entries in found if entries))
        if not all(found):
            return  # what it was made of is forgotten already: nobody could find it again
        entry = self._entries[key] = _Entry(key, made, parents)
        self._size += made.size
        for one in made.stands_for:
            self._by_object.setdefault(id(one), []).append(entry)
        for parent in parents:
            parent.children += 1
        while self._size > self.budget_bytes:
            leaves = (other for other in self._entries.values() if not other.children and other is not entry)
            oldest = next(leaves, None)
            if oldest is None:
                if parents:
                    self._forget(entry)
                return
            self._forget(oldest)

    def _forget(self, entry: _Entry) -> None:
        """Forget a value that nothing was made of."""
        del self._entries[entry.key]
        self._size -= entry.kept.size
        for one in entry.kept.stands_for:
            self._by_object[id(one)].remove(entry)
            if not self._by_object[id(one)]:
                del self._by_object[id(one)]
        for parent in entry.parents:
            parent.children -= 1

    def _forget_with_children(self, entry: _Entry) -> None:
        """Forget a value and all that was made of it."""
        for other in list(self._entries.values()):
            if entry in other.parents and self._entries.get(other.key) is other:
                self._forget_with_children(other)
        self._forget(entry)
