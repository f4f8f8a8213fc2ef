"""How benchmarks measure and what they print."""

import gc
import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def seconds(call: Callable[[], Any], repeats: int = 5) -> float:
    """The shortest of several runs: the one that the rest of the machine disturbed least."""
    best = float("inf")
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
        del result
        if best > 20.0:
            break
    return best


def peak_bytes(call: Callable[[], Any]) -> int:
    """The most memory held at once while `call` runs, beyond what was held before."""
    gc.collect()
    tracemalloc.start()
    result = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del result
    return peak


class Report:
    """Prints a table as it grows, and at the end which goals were met."""

    def __init__(self) -> None:
        self._missed: list[str] = []
        self._met = 0

    def title(self, text: str) -> None:
        print(f"\n{text}\n{'-' * len(text)}", flush=True)

    def time(self, what: str, taken_s: float, ours_s: float | None = None) -> None:
        """A time, and how many times ours it is."""
        ratio = "" if ours_s is None else f"{taken_s / ours_s:10.2f} x ours"
        print(f"  {what:<52}{taken_s * 1000:10.1f} ms{ratio}", flush=True)

    def figure(self, what: str, value: float, unit: str = "") -> None:
        print(f"  {what:<52}{value:10.2f} {unit}", flush=True)

    def goal(self, what: str, value: float, at_least: float | None = None, at_most: float | None = None) -> None:
        """A ratio that should be reached; missing one is told, not fatal to the rest."""
        met = (at_least is None or value >= at_least) and (at_most is None or value <= at_most)
        bound = f"at least {at_least:g}" if at_least is not None else f"at most {at_most:g}"
        print(f"  {'goal met   ' if met else 'GOAL MISSED'} {what}: {value:.2f} ({bound})", flush=True)
        if met:
            self._met += 1
        else:
            self._missed.append(what)

    def finish(self) -> int:
        print(f"\n{self._met} goals met, {len(self._missed)} missed" + "".join(f"\n  {m}" for m in self._missed))
        return 1 if self._missed else 0
