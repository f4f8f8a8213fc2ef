"""What a feature is as a whole: its core half and its visible half, either of which may be missing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from editor.stack.contributions import CoreFeature, CoreFeatures
from widgets.desk.feature import VisibleFeature


@dataclass(frozen=True, eq=False)
class Feature:
    """A feature. package : that of others which brings it, None for our own."""

    core: CoreFeature | None = None
    visible: VisibleFeature | None = None
    package: str | None = None

    @property
    def name(self) -> str:
        half = self.core or self.visible
        assert half is not None
        return half.name

    @property
    def needs(self) -> frozenset[str]:
        return frozenset(name for half in (self.core, self.visible) if half is not None for name in half.needs)


class Features:
    """Features together, in the order in which menus offer what they bring."""

    def __init__(self, features: Iterable[Feature]) -> None:
        """Raises ValueError for two of one name, and for one that needs another which is not there."""
        self._features = tuple(features)

    def __iter__(self) -> Iterator[Feature]:
        return iter(self._features)

    @cached_property
    def core(self) -> CoreFeatures:
        """What command line, scripts and project files know."""
        return CoreFeatures(feature.core for feature in self._features if feature.core is not None)

    def without(self, name: str) -> "Features":
        """The features that are left when one goes, with all that need it."""
        gone = {name}
        while more := {feature.name for feature in self._features if gone & feature.needs} - gone:
            gone |= more
        return Features(feature for feature in self._features if feature.name not in gone)
