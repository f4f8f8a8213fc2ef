"""The command line: verbs that features bring, one way to fail.

Results go to standard output, messages and progress to standard error. Exit status 0 is done, 1 work
that failed, 2 a wrong call or a bad file. The module of a verb is imported when that verb is called, and nothing heavy
before it runs.
"""

import argparse
import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from app import VERSION
from app.features import FEATURES, core_features
from app.plug_ins import PlugInError
from editor.stack.contributions import CoreFeatures, Verb

_DESCRIPTION = """\
Motionwright, an editor for recorded human motion. With files or nothing it opens the editor; with a verb it works
without a window."""
_EPILOG = """\
examples:
  motionwright walk.bvh                   the editor, on a clip, a folder of clips or a project
  motionwright info walk.bvh              what is in a file
  motionwright convert walk.bvh -o slow.bvh --fps 30
  motionwright batch info --over clips    the same for every clip of a folder
'motionwright VERB --help' tells about each verb."""


class VerbParser(argparse.ArgumentParser):
    """The parser of a verb, whose options are those of the verb's module, imported when there is something to parse."""

    def __init__(self, *, verb: Verb, **options: Any) -> None:
        super().__init__(
            description=f"{verb.does[:1].upper()}{verb.does[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )
        self._verb: Verb | None = verb

    def complete(self) -> None:
        """Ask the verb's module for the options, once. Raises PlugInError where that of another package is broken."""
        if self._verb is None:
            return
        module = self._verb.module()
        self._verb = None
        self.epilog = f"example:\n  {module.EXAMPLE}"
        self.set_defaults(run=module.run)
        module.add_arguments(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.complete()
        return super().parse_known_args(args, namespace)


def parser(features: CoreFeatures) -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="motionwright",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"Motionwright {VERSION}")
    parsers = top.add_subparsers(dest="verb", metavar="VERB", title="verbs", parser_class=VerbParser)
    for name, verb in features.verbs.items():
        parsers.add_parser(name, help=verb.does.replace("%", "%%"), verb=verb)
    return top


def features_for(arguments: Sequence[str]) -> CoreFeatures:
    """The features that a call needs to know: those of other packages too, unless it names a verb of our own."""
    return FEATURES if arguments and arguments[0] in FEATURES.verbs else core_features()


def run(arguments: Sequence[str], features: CoreFeatures | None = None) -> int:
    """Do what the command line says. -> the exit status. Never raises for what a user can cause.

    features : those that bring the verbs, if not all that there are.
    """
    _make_printable()
    with contextlib.redirect_stderr(_Messages(sys.stderr)):
        try:
            return _run(arguments, features or features_for(arguments))
        except SystemExit as stop:  # argparse has said why
            return int(stop.code or 0)
        except PlugInError as error:
            return _fail(str(error), 1)
        except KeyboardInterrupt:
            _silence(sys.stdout)  # perhaps nobody reads what is still to be printed
            return _fail("stopped; no file was left half-written", 1)


def _make_printable() -> None:
    """Let every name be printed, on terminals that cannot show it too, and to streams that are closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  for as long as the process lives
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _Messages(io.TextIOBase):
    """Standard error for as long as somebody takes it: work goes on where its messages cannot."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            _silence(self._stream)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            _silence(self._stream)

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


def _silence(stream: TextIO) -> None:
    """Let what is still written to a stream go nowhere, so that Python does not complain at exit."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _run(arguments: Sequence[str], features: CoreFeatures) -> int:
    """Parse and carry out a call, turning its failures into a one-line reason and an exit status."""
    if _names_files(arguments, features):
        return _edit(arguments)
    top = parser(features)
    parsed, others = top.parse_known_args(arguments)
    if parsed.verb == "batch":
        parsed.options = others  # they belong to the verb that is repeated
    elif others:
        top.error(f"unrecognized arguments: {' '.join(others)}")
    if parsed.verb is None:
        return _edit([])
    import model.files.formats  # noqa: F401  the heavy part of every verb
    from editor.stack.verbs import check_output
    from model.files.problems import MissingSkeletonError, MotionFileError, ProtectedFileError, WriteError

    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends us politely leaves no debris either
    try:
        if parsed.verb != "batch":  # whose output is a pattern
            check_output(parsed)
        status: int = parsed.run(parsed)
        sys.stdout.flush()
        return status
    except MissingSkeletonError as error:
        return _fail(f"{error}; name it with --skeleton", 2)
    except ProtectedFileError as error:
        return _fail(f"{error}, or replace it with --force", 2)
    except WriteError as error:
        return _fail(str(error), 1)
    except (MotionFileError, ValueError) as error:
        return _fail(str(error), 2)
    except BrokenPipeError:
        _silence(sys.stdout)  # whoever read our output has seen enough
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'writing the output'}: {error.strerror or error}", 1)
    except MemoryError:
        return _fail("there is not enough memory for this", 1)


def _names_files(arguments: Sequence[str], features: CoreFeatures) -> bool:
    """Whether all that is said are files or folders for the editor."""
    if not arguments or arguments[0] in features.verbs:
        return False
    return all(not argument.startswith("-") and _looks_like_a_file(argument) for argument in arguments)


def _looks_like_a_file(argument: str) -> bool:
    """Whether it is a file or folder, or is written like one."""
    return os.path.exists(argument) or os.sep in argument or bool(os.path.splitext(argument)[1])


def _edit(paths: Sequence[str]) -> int:
    """Open the editor, where there is a screen to open it on."""
    from app.application import has_display, start

    for path in paths:
        if not os.path.exists(path):
            return _fail(f"{path}: there is no such file", 2)
    if not has_display():
        return _fail("there is no screen for a window; verbs work without one, see motionwright --help", 1)
    return start(paths)


def _fail(reason: str, status: int) -> int:
    print(f"motionwright: {reason}", file=sys.stderr)
    return status
