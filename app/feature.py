"""What a feature is as a whole: its core half and its visible half, either of which may be missing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
    """Features together, in the order in which menus offer what they bring. core : what command line, scripts and
    project files know of them.
    """

    def __init__(self, features: Iterable[Feature], core: CoreFeatures | None = None) -> None:
        """core : the core halves, where there are more than those of these features. Raises ValueError for two cores
        of one name, and for one that needs another which is not there.
        """
        self._features = tuple(features)
        self.core = core or CoreFeatures(feature.core for feature in self._features if feature.core is not None)

    def __iter__(self) -> Iterator[Feature]:
        return iter(self._features)

    def without(self, name: str) -> "Features":
        """The features that are left when one goes, with all that need it."""
        gone = {name}
        while more := {feature.name for feature in self._features if gone & feature.needs} - gone:
            gone |= more
        return Features(feature for feature in self._features if feature.name not in gone)
