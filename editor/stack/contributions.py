"""What a feature brings to the core: kinds of edits and sources, commands, and the values that these are made of.

A feature is one value, in `editor/<feature>/feature.py`. `app/features.py` lists them all; nothing else names one. What
they bring is imported when it is asked for, so that listing features costs nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editor.stack.command import Command
    from model.clip import Edit, Source
    from model.files.project_file import Kinds


def _nothing() -> tuple[()]:
    return ()


@dataclass(frozen=True, eq=False)
class CoreFeature:
    """The core half of a feature. Each function imports what it gives.

    edits, sources : in the order of menus; commands : see `commands_in`; values : what scripts call to make the
    arguments of commands; needs : the features without which this one cannot be.
    """

    name: str
    edits: "Callable[[], tuple[type[Edit], ...]]" = _nothing
    sources: "Callable[[], tuple[type[Source], ...]]" = _nothing
    commands: "Callable[[], tuple[Command, ...]]" = _nothing
    values: Callable[[], tuple[Callable[..., Any], ...]] = _nothing
    needs: tuple[str, ...] = ()


def commands_in(*modules: ModuleType) -> "tuple[Command, ...]":
    """The commands that modules define."""
    from editor.stack.command import is_command

    found = ((module.__name__, value) for module in modules for value in vars(module).values() if is_command(value))
    return tuple(command for home, command in found if command.__module__ == home)


class CoreFeatures:
    """Features together: what project files, scripts and menus know."""

    def __init__(self, features: Iterable[CoreFeature]) -> None:
        """Raises ValueError for two of one name, and for one that needs another which is not there."""
        self._features = tuple(features)
        names = [feature.name for feature in self._features]
        for place, feature in enumerate(self._features):
            if feature.name in names[:place]:
                raise ValueError(f"there are two features called {feature.name!r}")
            if missing := [name for name in feature.needs if name not in names]:
                raise ValueError(f"the feature {feature.name!r} needs {', '.join(missing)}")

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
            raise ValueError(f"two features bring something called {name!r}: {found[name]} and {value}")
    return found
