"""What deeds are made of: their steps, the world that they are done to, and how places and keys are called.

A deed yields its steps: what to do next, and how long to wait after it, in milliseconds. A step may open a dialog or
begin a drag that runs an event loop of its own; the next steps are then done in that loop.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget
from shiboken6 import isValid

from tests.driver import seeing
from tests.driver.hand import NO_KEYS, Hand

Step = tuple[Callable[[], object], int]
Deed = Iterator[Step]

FAST_MS = 8
RIGHT, MIDDLE = Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@dataclass(frozen=True)
class World:
    """What deeds are done to. never : names of actions that are not chosen; files : what is dropped on the window."""

    window: QMainWindow
    hand: Hand
    never: frozenset[str]
    files: tuple[str, ...]


def dragging(
    world: World, places: list[QPoint], button: Qt.MouseButton, keys: Qt.KeyboardModifier, between: tuple[Step, ...]
) -> Deed:
    yield lambda: world.hand.move(places[0]), 0
    yield lambda: world.hand.press(places[0], button, keys), FAST_MS
    for n, at in enumerate(places[1:]):
        yield lambda at=at: world.hand.move(at), FAST_MS  # type: ignore[misc]
        if n == len(places) // 2:
            yield from between
    yield lambda: world.hand.release(places[-1]), 0


def trigger(action: QAction) -> None:
    """Do what an action does, unless it went with its menu since it was chosen, as recent files do."""
    if isValid(action) and action.isEnabled():
        action.trigger()


def spot(random: Random, widgets: list[QWidget] | None = None) -> tuple[QWidget, QPoint] | None:
    widgets = seeing.reachable_widgets() if widgets is None else widgets
    for _ in range(5):
        widget = seeing.pick_widget(random, widgets)
        at = seeing.pick_place(random, widget) if widget is not None else None
        if widget is not None and at is not None:
            return widget, at
    return None


def name_of(action: QAction) -> str:
    return action.objectName() or action.text().replace("&", "")


def with_keys(keys: Qt.KeyboardModifier) -> str:
    return "" if keys == NO_KEYS else f" with {keys.name.replace('Modifier', '')}"


def at_place(widget: QWidget, at: QPoint) -> str:
    return f"{seeing.describe(widget)} at {xy(at)}"


def xy(at: QPoint) -> str:
    return f"{at.x()},{at.y()}"
