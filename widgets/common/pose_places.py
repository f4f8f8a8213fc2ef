"""Where figures are posed by hand: what features bring whose poses can be changed so."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import SignalInstance

from editor.document.session import View
from editor.document.showing import Shown
from editor.posing.place import Place


@dataclass(frozen=True, eq=False)
class PosePlaces:
    """Places of one kind. find : the place at the moment that is looked at, None where there is none; stands_in :
    whether poses are seen there that the take does not have; changed : tells that this is otherwise now.
    """

    find: Callable[[Shown, View], Place | None]
    stands_in: Callable[[], bool]
    changed: SignalInstance
