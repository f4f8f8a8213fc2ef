"""`motionwright batch VERB … --over DIR`: a verb over every motion file of a folder, in parallel."""

import argparse
import contextlib
import io
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.verbs.common import Verbs, add_verb, print_json


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "batch", "do a verb over every motion file of a folder, in parallel",
        "motionwright batch convert --over clips -o 'out/*.bvh' --fps 30", run,
    )  # fmt: skip
    parser.add_argument("inner", metavar="VERB", help="the verb to repeat; its own options follow as usual")
    parser.add_argument("--over", metavar="DIR", required=True, help="the folder, searched with its subfolders")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="where results go: 'DIR/*.EXT', the star standing for the clip"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="clips worked on at a time (as many as cores)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


@dataclass(frozen=True)
class Outcome:
    """What one clip gave."""

    file: str
    status: int
    output: str
    messages: str


def run(parsed: argparse.Namespace) -> int:
    files = _files(Path(parsed.over))
    calls = _calls(parsed, files)
    jobs = parsed.jobs if parsed.jobs is not None else os.cpu_count() or 1
    if jobs < 1:
        raise ValueError(f"--jobs is {jobs}; it must be at least 1")
    outcomes = []
    for outcome in _in_parallel(calls, min(jobs, len(calls))):
        outcomes.append(outcome)
        if not parsed.json:
            print(outcome.output, end="")
        print(outcome.messages, end="", file=sys.stderr)
    failed = sum(outcome.status != 0 for outcome in outcomes)
    if parsed.json:
        print_json({"files": [_as_json(outcome) for outcome in outcomes]})
    print(f"{len(outcomes) - failed} of {len(outcomes)} files done, {failed} failed", file=sys.stderr)
    return 1 if failed else 0


def _files(folder: Path) -> list[Path]:
    from model.files.formats import READABLE

    if not os.path.isdir(folder):
        raise ValueError(f"--over: {folder} is not a folder")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in READABLE and path.is_file())
    if not files:
        raise ValueError(f"--over: {folder} holds no motion files ({', '.join(READABLE)})")
    return files


def _calls(parsed: argparse.Namespace, files: list[Path]) -> list[tuple[str, list[str]]]:
    """For each file the command line that works on it. Raises ValueError for a call that cannot work."""
    from app.command_line import parser

    if parsed.inner == "batch":
        raise ValueError("batch cannot repeat batch")
    calls = []
    outputs: dict[Path, Path] = {}
    for file in files:
        # An absolute path cannot be taken for an option, whatever the clip is called.
        arguments = [parsed.inner, str(file.absolute()), *parsed.options]
        if parsed.output is not None:
            output = _output(parsed.output, file.relative_to(parsed.over))
            if output in outputs:
                raise ValueError(f"{outputs[output]} and {file} would both be written to {output}")
            outputs[output] = file
            arguments += ["-o", str(output)]
        calls.append((str(file), arguments))
    # A wrong option is said once, before any work, by the verb's own parser.
    inner = parser().parse_args(calls[0][1])
    if parsed.json and hasattr(inner, "json"):
        calls = [(file, [*arguments, "--json"]) for file, arguments in calls]
    for output in outputs:
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"-o: the folder {output.parent} cannot be made: {error.strerror}") from None
    return calls


def _output(pattern: str, clip: Path) -> Path:
    """The output of a clip: the star in the pattern stands for its path below the folder."""
    if pattern.count("*") != 1:
        raise ValueError(f"-o: {pattern!r} must hold one star for the clip's name, as in 'out/*.bvh'")
    return Path(pattern.replace("*", str(clip.with_suffix(""))))


def _in_parallel(calls: Sequence[tuple[str, list[str]]], jobs: int) -> Iterator[Outcome]:
    """The outcomes in the order of the calls, with a progress bar where somebody watches."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    from tqdm import tqdm

    # Ctrl-C reaches the workers as well; they finish the file at hand while we take no more of their results.
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    try:
        work = pool.map(_work, calls)
        yield from tqdm(work, total=len(calls), unit="clip", disable=None, leave=False)
    except BrokenProcessPool:
        raise ValueError("a worker died, perhaps for lack of memory: try --jobs 1") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _work(call: tuple[str, list[str]]) -> Outcome:
    """One call in a worker process, its output caught."""
    from app.command_line import run as run_call

    file, arguments = call
    output, messages = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        status = run_call(arguments)
    return Outcome(file, status, output.getvalue(), messages.getvalue())


def _as_json(outcome: Outcome) -> dict[str, Any]:
    try:
        result = json.loads(outcome.output)
    except json.JSONDecodeError:
        result = None
    return {
        "file": outcome.file,
        "status": outcome.status,
        "result": result,
        "messages": outcome.messages.splitlines(),
    }
