"""Damaging files and judging what becomes of it, for every format alike."""

import random
import tracemalloc

import numpy as np

from model.files.problems import MotionFileError, Problem


def read_or_refused(read, path_part):
    """What `read()` gives, or None where it refuses in the one way that is allowed."""
    try:
        reading = read()
    except MotionFileError as refusal:
        error = refusal
    else:
        assert all(isinstance(problem, Problem) for problem in reading.problems)
        assert all(len(problem.message) < 400 for problem in reading.problems)
        return reading
    assert path_part in error.path
    assert error.message
    assert error.line is None or error.line >= 1
    assert "\n" not in str(error)
    assert len(error.message) < 300
    return None


def extra_memory(call):
    """Bytes that a call holds at most beyond what was there before; what it raises is let be."""
    tracemalloc.start()
    try:
        call()
    except MotionFileError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


def is_whole(motion):
    """A motion that came of a damaged file has frames, finite positions and unit rotations."""
    assert motion.frames >= 1
    assert np.all(np.isfinite(motion.world.positions))
    assert np.all(np.isfinite(motion.skeleton.offsets))
    np.testing.assert_allclose(np.linalg.norm(motion.local_rotations, axis=-1), 1.0, atol=1e-9)


def damaged(data, seed, edits, words):
    """Bytes cut, doubled, swapped, overwritten, and with words of the format in the wrong places."""
    rng = random.Random(seed)
    data = bytearray(data)
    for _ in range(edits):
        start = rng.randrange(len(data) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            data[start : start + rng.randrange(40)] = b""
        elif kind == 1:
            data[start:start] = rng.choice(words)
        elif kind == 2:
            data[start : start + 1] = bytes([rng.randrange(256)])
        elif kind == 3:
            start = rng.randrange(min(len(data) + 1, 1200))  # headers are where damage tells
            data[start : start + 1] = bytes([rng.randrange(256)])
        elif kind == 4:
            data[start:start] = data[start : start + rng.randrange(200)]
        else:
            other = rng.randrange(len(data) + 1)
            data[start : start + 20], data[other : other + 20] = data[other : other + 20], data[start : start + 20]
    return bytes(data)
