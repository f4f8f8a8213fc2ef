"""The array type of the kernels, the check of the shapes they are given, and work shared between cores."""

import os
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]


def freeze(array: Array) -> Array:
    """The same array, made read-only: for a fresh array that nobody else writes to."""
    array.setflags(write=False)
    return array


def require_shape(name: str, array: Array, shape: tuple[int | None, ...]) -> None:
    """Raise ValueError naming the argument unless its trailing axes are `shape` (None: any length)."""
    tail = array.shape[-len(shape) :] if shape else ()
    fits = len(tail) == len(shape) and all(want is None or have == want for have, want in zip(tail, shape, strict=True))
    if not fits:
        wanted = ", ".join("any" if want is None else str(want) for want in shape)
        raise ValueError(f"{name} has shape {array.shape}; its last axes must be ({wanted})")


def in_parallel(work: Callable[[int], None], parts: Sequence[int]) -> None:
    """Do `work` for each part, on all cores where there are several parts: numpy lets threads run side by side."""
    cores = min(os.cpu_count() or 1, len(parts))
    if cores < 2:
        for part in parts:
            work(part)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(cores) as pool:
        for done in [pool.submit(work, part) for part in parts]:
            done.result()
