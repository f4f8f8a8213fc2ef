"""How much memory values hold: the arrays in takes, reports, and what is derived from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from model.clip import Take
from model.ground import Ground
from model.motion import Motion
from model.skeleton import Skeleton

# What an entry of a cache takes besides its arrays, about.
_ENTRY_BYTES = 2000
# What is shared by all that is made on it or with it.
_SHARED = (Ground, Skeleton, str, bytes, int, float)


def bytes_beyond(value: object, others: Sequence[object]) -> int:
    """How much memory a value needs beyond others that are kept anyway. A motion counts with the world positions that
    views will ask for.
    """
    theirs = arrays_in(*others)
    own = sum(array.nbytes for key, array in arrays_in(value).items() if key not in theirs)
    motion = _motion_of(value)
    if motion is not None and not motion.knows_world and all(motion is not _motion_of(other) for other in others):
        own += 7 * 8 * motion.frames * len(motion.skeleton)
    return _ENTRY_BYTES + own


def arrays_in(*values: object) -> dict[int, np.ndarray[Any, Any]]:
    """The arrays whose memory values hold, each once: of views, what they look at. They are found in dataclasses with
    what these have cached, in tuples, lists and mappings.
    """
    found: dict[int, np.ndarray[Any, Any]] = {}
    seen: set[int] = set()
    waiting: list[object] = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            owner = _owner(value)
            found[id(owner)] = owner
        elif value is None or isinstance(value, _SHARED) or id(value) in seen:
            continue
        else:
            seen.add(id(value))
            waiting.extend(_parts(value))
    return found


def _parts(value: object) -> Iterable[object]:
    """What a value is made of, as far as it can hold arrays."""
    if isinstance(value, Take):
        return value.motion, *value.reports
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, tuple | list | set | frozenset):
        return value
    return vars(value).values() if is_dataclass(value) and not isinstance(value, type) else ()


def _owner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array in whose memory another one is."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _motion_of(value: object) -> Motion | None:
    """The motion that a value is, or that of a take."""
    motion = value.motion if isinstance(value, Take) else value
    return motion if isinstance(motion, Motion) else None
