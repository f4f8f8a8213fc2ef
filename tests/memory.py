"""How much memory something takes, for tests that assert on it: it is the same on every machine, unlike time."""

import gc
import tracemalloc


def peak_bytes(call):
    """The most memory held at once while `call` runs, beyond what was held before."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
