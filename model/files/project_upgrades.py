"""Which version of the project file this is, and how older ones become it.

A change that makes what is stored mean something else, or that renames it, raises VERSION by one and adds a function
here that brings the JSON of the version before to it. New fields with defaults and new kinds need neither.
"""

from collections.abc import Callable, Mapping

from model.files.plain_values import Json

VERSION = 1

# From a version to the next, on the whole JSON of the file.
UPGRADES: Mapping[int, Callable[[dict[str, Json]], dict[str, Json]]] = {}


def upgraded(root: dict[str, Json], version: int) -> dict[str, Json]:
    """The JSON of an older version as this one would have written it."""
    for older in range(version, VERSION):
        root = UPGRADES[older](root)
    return root
