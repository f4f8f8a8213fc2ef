"""`motionwright batch VERB … --over DIR`: a verb over every motion file of a folder, in parallel."""

import argparse
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor.stack.verbs import add_force, print_json

if TYPE_CHECKING:
    from app.workers import Call, Interruptions, Outcome

EXAMPLE = "motionwright batch convert --over clips -o 'out/*.bvh' --fps 30"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inner", metavar="VERB", help="the verb to repeat; its own options follow as usual")
    parser.add_argument("--over", metavar="DIR", required=True, help="the folder, searched with its subfolders")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="where results go: 'DIR/*.EXT', the star standing for the clip"
    )
    add_force(parser)
    parser.add_argument(
        "--skip-existing", action="store_true", help="skip clips whose output is there, as after a run that was stopped"
    )
    parser.add_argument(
        "--shard",
        type=_shard,
        default=(1, 1),
        metavar="I/N",
        help="only part I of N, for N computers that share the work",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="clips worked on at a time (as many as cores)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _shard(text: str) -> tuple[int, int]:
    """For argparse: which part of how many."""
    part, slash, parts = text.partition("/")
    if not slash or not part.isdecimal() or not parts.isdecimal() or not 1 <= int(part) <= int(parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a part of the work; use a form such as 1/4")
    return int(part), int(parts)


@dataclass(frozen=True)
class _Plan:
    """What there is to do: a call for each file, and the files whose output is there already."""

    calls: "list[Call]"
    skipped: list[str]


def run(parsed: argparse.Namespace) -> int:
    from app.workers import Interruptions

    if parsed.skip_existing and parsed.output is None:
        raise ValueError("--skip-existing goes with -o: there are no outputs to skip")
    jobs = parsed.jobs if parsed.jobs is not None else os.cpu_count() or 1
    if jobs < 1:
        raise ValueError(f"--jobs is {jobs}; it must be at least 1")
    plan = _plan(parsed)
    with Interruptions() as interruptions:
        outcomes = _outcomes(plan.calls, jobs, interruptions, prints_output=not parsed.json)
        not_done = [call.file for index, call in enumerate(plan.calls) if index not in outcomes]
        if parsed.json:
            with interruptions.raising():
                files = [_as_json(outcome) for _, outcome in sorted(outcomes.items())]
                print_json({"files": files, "skipped": plan.skipped, "not_done": not_done})
        failed = sum(outcome.status != 0 for outcome in outcomes.values())
        summary = f"{len(outcomes) - failed} of {len(plan.calls) + len(plan.skipped)} files done, {failed} failed"
        if plan.skipped:
            summary += f", {len(plan.skipped)} skipped"
        if not_done:
            summary = f"stopped: {summary}, {len(not_done)} not done"
            if parsed.output is not None:
                summary += "; to go on, call it again with --skip-existing"
        print(summary, file=sys.stderr)
    return 1 if failed or not_done else 0


def _files(folder: Path) -> list[Path]:
    from model.files.formats import READABLE

    if not os.path.isdir(folder):
        raise ValueError(f"--over: {folder} is not a folder")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in READABLE and path.is_file())
    if not files:
        raise ValueError(f"--over: {folder} holds no motion files ({', '.join(READABLE)})")
    return files


def _clips(files: list[Path]) -> list[Path]:
    """The files without the skeletons that stand beside motions, which are no clips of their own."""
    with_motion = {path.parent for path in files if path.suffix.lower() == ".amc"}
    return [path for path in files if path.suffix.lower() != ".asf" or path.parent not in with_motion]


def _plan(parsed: argparse.Namespace) -> _Plan:
    """The calls of all clips. Raises ValueError for a call that cannot work."""
    if parsed.inner == "batch":
        raise ValueError("batch cannot repeat batch")
    files = _files(Path(parsed.over))
    clips = _clips(files)
    outputs: dict[Path, Path] = {}
    skipped: set[Path] = set()
    if parsed.output is not None:
        outputs = {clip: _output(parsed.output, clip.relative_to(parsed.over)) for clip in clips}
        if parsed.skip_existing:
            # What an earlier run wrote into the folder is no clip of this one.
            results = {_place(output) for clip, output in outputs.items() if _place(output) != _place(clip)}
            clips = [clip for clip in clips if _place(clip) not in results]
            skipped = {clip for clip in clips if outputs[clip].is_file()}
        to_write = {clip: outputs[clip] for clip in clips if clip not in skipped}
        _check_outputs(to_write, [] if parsed.force else files)
    part, parts = parsed.shard
    clips = clips[part - 1 :: parts]
    calls = _calls(parsed, [clip for clip in clips if clip not in skipped], outputs)
    return _Plan(calls, [str(clip) for clip in clips if clip in skipped])


def _calls(parsed: argparse.Namespace, clips: list[Path], outputs: dict[Path, Path]) -> "list[Call]":
    """For each clip the command line that works on it, and a folder for what it writes."""
    from app.command_line import features_for, parser
    from app.workers import Call

    more = (*parsed.options, *(["--force"] if parsed.force else []))
    if clips:  # a wrong option is said once, before any work, by the verb's own parser
        first = [parsed.inner, str(clips[0].absolute()), *_naming(outputs.get(clips[0])), *more]
        inner = parser(features_for(first)).parse_args(first)
        if parsed.json and hasattr(inner, "json"):
            more = (*more, "--json")
    calls = []
    for clip in clips:
        output = outputs.get(clip)
        # An absolute path cannot be taken for an option, whatever the clip is called.
        arguments = (parsed.inner, str(clip.absolute()), *_naming(output), *more)
        calls.append(Call(str(clip), arguments, output))
        if output is not None:
            _make_folder(output.parent)
    return calls


def _naming(output: Path | None) -> list[str]:
    return [] if output is None else ["-o", str(output)]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"-o: the folder {folder} cannot be made: {error.strerror}") from None


def _output(pattern: str, clip: Path) -> Path:
    """The output of a clip: the star in the pattern stands for its path below the folder."""
    if pattern.count("*") != 1:
        raise ValueError(f"-o: {pattern!r} must hold one star for the clip's name, as in 'out/*.bvh'")
    return Path(pattern.replace("*", str(clip.with_suffix(""))))


def _place(path: Path) -> str:
    """A path by which a file is known, whichever way leads to it."""
    return os.path.normcase(os.path.realpath(path))


def _check_outputs(outputs: dict[Path, Path], sources: list[Path]) -> None:
    """Raise where two clips have the same output, or one has a source for its output. outputs : of clips."""
    from model.files.problems import ProtectedFileError

    clips: dict[str, Path] = {}
    known = {(state.st_dev, state.st_ino) for state in map(os.stat, sources)}
    for clip, output in outputs.items():
        other = clips.setdefault(_place(output), clip)
        if other != clip:
            raise ValueError(
                f"{other} and {clip} would both be written to {output}: move one of them to another folder"
            )
        try:
            state = os.stat(output)
        except OSError:  # it is not there, or the call will say what is wrong with it
            continue
        if (state.st_dev, state.st_ino) in known:
            raise ProtectedFileError(
                str(output), None, "is one of the files to work on, and is not replaced: choose other names with -o"
            )


def _outcomes(
    calls: "list[Call]", jobs: int, interruptions: "Interruptions", prints_output: bool
) -> "dict[int, Outcome]":
    """The outcomes by the index of their call, printed in that order, with a progress bar where somebody watches."""
    from contextlib import closing

    from tqdm import tqdm

    from app.workers import carry_out

    outcomes: dict[int, Outcome] = {}
    printed = 0
    with (
        closing(carry_out(calls, jobs, interruptions)) as work,
        tqdm(total=len(calls), unit="clip", disable=None, leave=False) as bar,
    ):
        for index, outcome in work:
            outcomes[index] = outcome
            bar.update()
            with interruptions.raising():
                while printed in outcomes:
                    _print(outcomes[printed], prints_output)
                    printed += 1
    with interruptions.raising():
        for index in sorted(outcomes):  # those behind one that was not done
            if index >= printed:
                _print(outcomes[index], prints_output)
    return outcomes


def _print(outcome: "Outcome", prints_output: bool) -> None:
    if prints_output:
        print(outcome.output, end="")
    print(outcome.messages, end="", file=sys.stderr)


def _as_json(outcome: "Outcome") -> dict[str, Any]:
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
