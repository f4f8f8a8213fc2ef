"""Features of other packages, which name them in their entry points of the group `motionwright.features`.

An entry point names a half of a feature, a `CoreFeature` or a `VisibleFeature`. What is wrong with a package is
reported on standard error in one sentence, and costs nothing but what that package brings.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature, CoreFeatures, Verb, VerbModule
from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "motionwright.features"
# The contributions of a feature that are not known before they are asked for.
_LATER = ("edits", "sources", "commands", "values")


class PlugInError(Exception):
    """A verb of another package cannot be loaded."""


@dataclass(frozen=True, eq=False)
class PlugIn:
    """What an entry point names. package : who brings it; value : not yet looked at."""

    package: str
    value: object


@cache
def plug_ins() -> tuple[PlugIn, ...]:
    """What the entry points of all packages name, loaded once; those that cannot be loaded are reported."""
    found: list[PlugIn] = []
    packages: set[str] = set()
    for metadata, distribution in _declaring():
        try:
            package = distribution.name or metadata
            entries = () if package in packages else distribution.entry_points.select(group=GROUP)
        except Exception as error:
            _report(metadata, error)
            continue
        packages.add(package)
        for entry in entries:
            try:
                found.append(PlugIn(package, entry.load()))
            except (Exception, SystemExit) as error:
                _report(package, error)
    return tuple(found)


def with_plug_ins(features: CoreFeatures) -> CoreFeatures:
    """Features and those of other packages. A package's may need another's, in whichever order they are found."""
    waiting = tuple(plug_in for plug_in in plug_ins() if not isinstance(plug_in.value, VisibleFeature))
    while waiting:
        refused: dict[PlugIn, Exception] = {}
        for plug_in in waiting:
            try:
                features = _admitted(plug_in, features)
            except Exception as error:
                refused[plug_in] = error
        if len(refused) == len(waiting):
            for plug_in, reason in refused.items():
                _report(plug_in.package, reason)
            break
        waiting = tuple(refused)
    return features


def visible_plug_ins() -> Iterator[tuple[str, VisibleFeature]]:
    """What features of other packages show, with the packages' names."""
    for plug_in in plug_ins():
        if isinstance(plug_in.value, VisibleFeature):
            yield plug_in.package, plug_in.value


def _admitted(plug_in: PlugIn, features: CoreFeatures) -> CoreFeatures:
    """Features with one more. Raises where it is none, or does not go together with those that are there."""
    feature = plug_in.value
    if not isinstance(feature, CoreFeature):
        raise TypeError(f"a {type(feature).__name__} is neither a CoreFeature nor a VisibleFeature")
    package = plug_in.package
    feature = replace(feature, verbs=tuple(replace(verb, module=_loading(verb, package)) for verb in feature.verbs))
    for contribution in _LATER:
        guarded: dict[str, Any] = {contribution: _guarded(feature, contribution, features, package)}
        feature = replace(feature, **guarded)
    return CoreFeatures((*features, feature))


def _guarded(feature: CoreFeature, contribution: str, others: CoreFeatures, package: str) -> Callable[[], Any]:
    """Gives what a feature brings; nothing, with a report, where that fails or has a name that another brings."""

    @cache
    def give() -> tuple[Any, ...]:
        try:
            getattr(CoreFeatures((*others, feature)), contribution)
            return tuple(getattr(feature, contribution)())
        except Exception as error:
            _report(package, error)
            return ()

    return give


def _loading(verb: Verb, package: str) -> Callable[[], VerbModule]:
    """Imports the module of a verb. Raises PlugInError where that fails."""

    def load() -> VerbModule:
        try:
            return verb.module()
        except Exception as error:
            raise PlugInError(f"the verb {verb.name!r} of {_blame(package, error)}") from error

    return load


def _report(package: str, error: BaseException) -> None:
    print(f"motionwright: a feature of {_blame(package, error)}", file=sys.stderr)


def _blame(package: str, error: BaseException) -> str:
    """The rest of a sentence about what a package brings, on one line."""
    return f"the package {package!r} cannot be used: {type(error).__name__}: {' '.join(str(error).split())}"


def _declaring() -> "Iterator[tuple[str, Distribution]]":
    """Packages whose metadata names our group, with the name of that metadata; first those that are imported first.

    A glance at the files takes a millisecond. To ask importlib.metadata for the entry points of all packages takes some
    tens, so it is asked only for those that have any for us, and for those in zip files.
    """
    for place in sys.path:
        try:
            names = sorted(
                name for name in os.listdir(place or os.curdir) if name.endswith((".dist-info", ".egg-info"))
            )
        except NotADirectoryError:
            from importlib.metadata import distributions

            yield from ((os.path.basename(place), distribution) for distribution in distributions(path=[place]))
            continue
        except OSError:
            continue
        for name in names:
            metadata = os.path.join(place, name)
            if _names_our_group(os.path.join(metadata, "entry_points.txt")):
                from importlib.metadata import Distribution

                yield name, Distribution.at(metadata)


def _names_our_group(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return GROUP.encode() in file.read()
    except OSError:  # the package has no entry points
        return False
