"""What a feature brings to the core: kinds of edits and sources, commands, the values that these take, and verbs.

A feature is one value, in `editor/<feature>/feature.py`. `app/features.py` lists them all; nothing else names one. What
they bring is imported when it is asked for, so that listing features, and verbs with their help, costs nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from editor.stack.command import Command
    from model.clip import Edit, Source
    from model.files.project_file import Kinds


def _nothing() -> tuple[()]:
    return ()


class VerbModule(Protocol):
    """What the module of a verb holds.

    EXAMPLE : a call, shown at the end of the verb's help. `run` gives the exit status, 0 for done and 1 for work that
    failed, and raises ValueError naming the argument for a wrong call.
    """

    EXAMPLE: str

    def add_arguments(self, parser: "ArgumentParser", /) -> None: ...

    def run(self, parsed: "Namespace", /) -> int: ...


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb of the command line.

    does : what it does, as one line of the list of verbs; module : imports the verb's module, called when the verb is;
    place : verbs are listed by it, those of one place in the order of features.
    """

    name: str
    does: str
    module: Callable[[], VerbModule]
    place: int = 500


@dataclass(frozen=True, eq=False)
class CoreFeature:
    """The core half of a feature. Each function imports what it gives.

    edits, sources : in the order of menus; commands : see `commands_in`; values : what scripts call to make the
    arguments of commands; verbs : of the command line; needs : the features without which this one cannot be.
    """

    name: str
    edits: "Callable[[], tuple[type[Edit], ...]]" = _nothing
    sources: "Callable[[], tuple[type[Source], ...]]" = _nothing
    commands: "Callable[[], tuple[Command, ...]]" = _nothing
    values: Callable[[], tuple[Callable[..., Any], ...]] = _nothing
    verbs: tuple[Verb, ...] = ()
    needs: tuple[str, ...] = ()


def commands_in(*modules: ModuleType) -> "tuple[Command, ...]":
    """The commands that modules define."""
    from editor.stack.command import is_command

    found = ((module.__name__, value) for module in modules for value in vars(module).values() if is_command(value))
    return tuple(command for home, command in found if command.__module__ == home)


class CoreFeatures:
    """Features together: what project files, scripts, menus and the command line know.

    verbs : every verb of the command line by its name, in the order in which they are listed.
    """

    def __init__(self, features: Iterable[CoreFeature]) -> None:
        """Raises ValueError for two features or verbs of one name, and for features that need one that is not there."""
        self._features = tuple(features)
        names = [feature.name for feature in self._features]
        for place, feature in enumerate(self._features):
            if feature.name in names[:place]:
                raise ValueError(f"there are two features called {feature.name!r}")
            if missing := [name for name in feature.needs if name not in names]:
                raise ValueError(f"the feature {feature.name!r} needs {', '.join(missing)}")
        verbs = sorted((verb for feature in self._features for verb in feature.verbs), key=lambda verb: verb.place)
        self.verbs: Mapping[str, Verb] = _distinct((verb.name, verb) for verb in verbs)

    def __iter__(self) -> Iterator[CoreFeature]:
        return iter(self._features)

    def without(self, name: str) -> "CoreFeatures":
        """The features that are left when one goes, with all that need it."""
        gone = {name}
        while more := {feature.name for feature in self._features if gone & {*feature.needs}} - gone:
            gone |= more
        return CoreFeatures(feature for feature in self._features if feature.name not in gone)

    @cached_property
    def edits(self) -> "Mapping[str, type[Edit]]":
        """Every kind of edit by the name that project files use, in the order of menus."""
        return _by_kind(edit for feature in self._features for edit in feature.edits())

    @cached_property
    def sources(self) -> "Mapping[str, type[Source]]":
        """Every kind of source by the name that project files use."""
        return _by_kind(source for feature in self._features for source in feature.sources())

    @cached_property
    def kinds(self) -> "Kinds":
        """What project files may hold."""
        from model.files.project_file import Kinds

        return Kinds(self.sources, self.edits)

    @cached_property
    def commands(self) -> "Mapping[str, Command]":
        """Every command by its name."""
        return _by_name(command for feature in self._features for command in feature.commands())

    @cached_property
    def values(self) -> Mapping[str, Callable[..., Any]]:
        """What scripts call to make the arguments of commands, by name: edits and sources too."""
        made = (value for feature in self._features for value in feature.values())
        return _by_name((*self.edits.values(), *self.sources.values(), *made))


def _by_kind(kinds: Iterable[Any]) -> dict[str, Any]:
    return _distinct((kind.kind, kind) for kind in kinds)


def _by_name(functions: Iterable[Callable[..., Any]]) -> dict[str, Any]:
    return _distinct((function.__name__, function) for function in functions)


def _distinct(named: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in named:
        if found.setdefault(name, value) is not value:
            raise ValueError(f"two features bring something called {name!r}")
    return found
