"""What the fuzzer knows of a format: its reader, valid files to start from, and how those are broken.

The files of a case are a dictionary from names to bytes, the first of which is opened.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzzing.mutating import mutated_text

Files = dict[str, bytes]


@dataclass(frozen=True)
class Format:
    """A reader: seeds are valid files, cached; `write` gives a file of what was read, None where nothing writes it."""

    name: str
    seeds: Callable[[], list[Files]]
    mutate: Callable[[Files, Random], Files]
    read: Callable[[Path], Any]
    write: Callable[[Any, Path], object] | None = None

    def case(self, seed: int, number: int) -> Files:
        """The files of one case, the same whenever they are asked for."""
        rng = Random(f"{self.name} {seed} {number}")
        return self.mutate(rng.choice(self.seeds()), rng)


def written(name: str, write: Callable[[Path], object]) -> Files:
    """All files that a writer makes, that of this name first."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / name)
        made = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    return {name: made.pop(name), **made}


def one_of_the_files(files: Files, rng: Random, change: Callable[[str, bytes], bytes]) -> Files:
    """One of the files changed, the one that is opened as often as the others together; sometimes all."""
    names = list(files)
    chosen = names if rng.random() < 0.1 else [names[0] if rng.random() < 0.5 else rng.choice(names)]
    return {name: change(name, data) if name in chosen else data for name, data in files.items()}


def broken_text(words: list[str]) -> Callable[[Files, Random], Files]:
    return lambda files, rng: one_of_the_files(files, rng, lambda _, data: mutated_text(data, rng, words))
