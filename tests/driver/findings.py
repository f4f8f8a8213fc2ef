"""What went wrong, with the deeds that led there and how to see it again."""

import json
from collections import Counter, deque
from dataclasses import asdict, dataclass, field
from pathlib import Path

_DEEDS_KEPT = 30
_TIMES_WRITTEN = 5  # how often the same thing is written to the file; after that it is only counted


@dataclass(frozen=True)
class Finding:
    """Something that went wrong. key : what makes two findings the same; step : after how many deeds of a seed."""

    kind: str
    key: str
    message: str
    stack: str
    seed: int
    step: int
    deeds: tuple[str, ...]
    figures: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        figures = "".join(f", {name} {value:.0f}" for name, value in self.figures.items())
        led = "\n".join(f"    {deed}" for deed in self.deeds[-_DEEDS_KEPT:])
        return (
            f"{self.kind}: {self.message} (seed {self.seed}, step {self.step}{figures})\n{self.stack.rstrip()}\n"
            f"  deeds:\n{led}"
        )


class Findings:
    """Collects findings, and writes each down at once: the next moment may be a crash."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed = seed
        self.step = 0
        self.counts: Counter[str] = Counter()
        self._deeds: deque[str] = deque(maxlen=_DEEDS_KEPT)
        self._file = (folder / "findings.jsonl").open("a", buffering=1)
        self._deed_file = (folder / "deeds.log").open("a", buffering=1)

    def begin(self, step: int, deed: str) -> None:
        """A deed begins."""
        self.step = step
        line = f"{step}: {deed}"
        self._deeds.append(line)
        self._deed_file.write(line + "\n")

    def add(self, kind: str, key: str, message: str, stack: str = "", **figures: float) -> None:
        whole = f"{kind}: {key}"
        self.counts[whole] += 1
        if self.counts[whole] <= _TIMES_WRITTEN:
            found = Finding(kind, key, message, stack, self.seed, self.step, tuple(self._deeds), figures)
            self._file.write(json.dumps(asdict(found)) + "\n")

    def close(self) -> None:
        self._file.close()
        self._deed_file.close()


def read_findings(folder: Path) -> list[Finding]:
    """What a child wrote down."""
    path = folder / "findings.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [Finding(**{**record, "deeds": tuple(record["deeds"])}) for record in map(json.loads, lines)]
