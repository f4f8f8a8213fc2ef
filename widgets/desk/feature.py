"""The visible half of a feature: one value, in `widgets/<feature>/feature.py`. Nothing of Qt is imported here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


@dataclass(frozen=True, eq=False)
class VisibleFeature:
    """What a feature shows. name : that of its core half, if it has one; needs : the features without which it cannot
    be seen.

    begin : called once for every window. It makes what the feature keeps for that window, and gives all that it brings:
    actions, panels, lanes, tools and whatever else `contributions` and the hosts' contracts name. What is heavy is
    imported there. What other features bring may be asked for later, not yet.
    """

    name: str
    begin: "Callable[[Desk], Iterable[object]]"
    needs: tuple[str, ...] = ()
