"""What hands do with the mouse, what they do with what waits for an answer, and how often each deed is done."""

from random import Random

from PySide6 import Shiboken
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from tests.driver import seeing
from tests.driver.hand import LEFT, NO_KEYS
from tests.driver.key_deeds import paste_text, shortcut, some_keys, type_text, undo_and_redo
from tests.driver.window_deeds import (
    action,
    close_window,
    double_click_dock,
    drag_dock,
    drop_files,
    open_menu,
    resize,
    show_dock,
)
from tests.driver.world import (
    ALT,
    CTRL,
    MIDDLE,
    RIGHT,
    SHIFT,
    Deed,
    Step,
    World,
    at_place,
    dragging,
    name_of,
    spot,
    trigger,
    with_keys,
    xy,
)


def click(world: World, random: Random) -> tuple[str, Deed] | None:
    return _clicking(world, random, LEFT, NO_KEYS)


def click_with_keys(world: World, random: Random) -> tuple[str, Deed] | None:
    button = random.choice((LEFT, LEFT, MIDDLE))
    return _clicking(world, random, button, random.choice((CTRL, SHIFT, ALT, CTRL | SHIFT)))


def right_click(world: World, random: Random) -> tuple[str, Deed] | None:
    return _clicking(world, random, RIGHT, NO_KEYS)


def _clicking(
    world: World, random: Random, button: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> tuple[str, Deed] | None:
    place = spot(random)
    if place is None:
        return None
    widget, at = place

    def steps() -> Deed:
        yield lambda: world.hand.move(at), 0
        yield lambda: world.hand.press(at, button, keys), 0
        yield lambda: world.hand.release(at), 0

    return f"{button.name} click{with_keys(keys)} on {at_place(widget, at)}", steps()


def double_click(world: World, random: Random) -> tuple[str, Deed] | None:
    place = spot(random)
    if place is None:
        return None
    widget, at = place

    def steps() -> Deed:
        yield lambda: world.hand.move(at), 0
        yield lambda: world.hand.press(at), 0
        yield lambda: world.hand.release(at), 0
        yield lambda: world.hand.double_click(at), 0

    return f"double click on {at_place(widget, at)}", steps()


def wheel(world: World, random: Random) -> tuple[str, Deed] | None:
    place = spot(random)
    if place is None:
        return None
    widget, at = place
    clicks = random.choice((-3, -1, 1, 3))
    keys = random.choice((NO_KEYS, NO_KEYS, CTRL, SHIFT))

    def steps() -> Deed:
        for _ in range(random.randint(1, 4)):
            yield lambda: world.hand.wheel(at, clicks, keys), 0

    return f"wheel {clicks}{with_keys(keys)} on {at_place(widget, at)}", steps()


def drag(world: World, random: Random) -> tuple[str, Deed] | None:
    """From a place of a widget to another; mostly of the same widget, else anywhere."""
    line = _line(world, random, seeing.reachable_widgets())
    if line is None:
        return None
    what, places = line
    button = random.choices((LEFT, MIDDLE, RIGHT), (8, 2, 1))[0]
    keys = random.choices((NO_KEYS, SHIFT, CTRL, ALT), (8, 1, 1, 1))[0]
    return f"{button.name} drag{with_keys(keys)} {what}", dragging(world, places, button, keys, ())


def grip(world: World, random: Random) -> tuple[str, Deed] | None:
    """Look for something that changes the mouse pointer's shape, and drag it."""
    widget = seeing.pick_widget(random, seeing.grips())
    if widget is None:
        return None
    tried = [seeing.near_middle(random, widget) for _ in range(8)]
    by = QPoint(random.randint(-120, 120), random.randint(-90, 90))
    count = random.randint(3, 8)
    between = random.choice(_interruptions(world, random)) if random.random() < 0.3 else ("", ())

    def steps() -> Deed:
        usual = widget.cursor().shape()
        at = tried[0]
        for at in tried:
            yield lambda at=at: world.hand.move(at), 0  # type: ignore[misc]
            if not Shiboken.isValid(widget) or widget.cursor().shape() != usual:
                break
        places = [at + by * n / count for n in range(count + 1)]
        yield from dragging(world, places, LEFT, NO_KEYS, between[1])

    during = f", and in the middle {between[0]}" if between[0] else ""
    return f"grip something on {at_place(widget, tried[0])} and drag it by {xy(by)}{during}", steps()


def broken_drag(world: World, random: Random) -> tuple[str, Deed] | None:
    """A drag in the middle of which something else happens."""
    line = _line(world, random, seeing.grips())
    if line is None:
        return None
    what, places = line
    name, between = random.choice(_interruptions(world, random))
    return f"drag {what}, and in the middle {name}", dragging(world, places, LEFT, NO_KEYS, between)


def _interruptions(world: World, random: Random) -> list[tuple[str, tuple[Step, ...]]]:
    hand = world.hand
    actions = [action for action in seeing.menu_actions(world.window.menuBar()) if name_of(action) not in world.never]
    action = random.choice(actions) if actions else None
    removing = [action for action in actions if "delete" in action.text().lower().replace("&", "")]
    found: list[tuple[str, tuple[Step, ...]]] = [
        ("Esc", ((lambda: hand.key(Qt.Key.Key_Escape), 0),)),
        ("Delete", ((lambda: hand.key(Qt.Key.Key_Delete), 0),)),
        ("undo", ((lambda: hand.key(Qt.Key.Key_Z, CTRL), 0),)),
        ("another button", ((lambda: hand.tap(RIGHT), 0),)),
        ("the keyboard goes elsewhere", ((hand.look_elsewhere, 60), (hand.come_back, 0))),
    ]
    if action is not None:
        found.append((f"action {name_of(action)}", ((lambda: trigger(action), 0),)))
    if removing:
        chosen = random.choice(removing)
        found.append((f"action {name_of(chosen)}", ((lambda: trigger(chosen), 0),)))
    return found


def _line(world: World, random: Random, widgets: list[QWidget]) -> tuple[str, list[QPoint]] | None:
    start = spot(random, widgets)
    if start is None:
        return None
    widget, at = start
    end, to = None, seeing.pick_place(random, widget)
    if random.random() < 0.25:
        other = spot(random)
        if other is not None:
            end, to = other
    if to is None:
        return None
    count = random.randint(3, 10)
    places = [at + (to - at) * n / count for n in range(count + 1)]
    return f"from {at_place(widget, at)} to {at_place(end, to) if end is not None else xy(to)}", places


def answer(world: World, random: Random) -> tuple[str, Deed] | None:
    """Do something with the menu or the dialog that waits."""
    waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if waiting is None:
        return None
    if random.random() < 0.2:

        def escape() -> Deed:
            yield lambda: world.hand.key(Qt.Key.Key_Escape), 0

        return f"Esc in {type(waiting).__name__}", escape()
    if isinstance(waiting, QMenu):
        entries = [one for one in waiting.actions() if one.isEnabled() and name_of(one) not in world.never]
        entries = [one for one in entries if not one.isSeparator()]
        if entries:
            chosen = random.choice(entries)
            at = waiting.mapToGlobal(waiting.actionGeometry(chosen).center())

            def choose() -> Deed:
                yield lambda: world.hand.move(at), 0
                yield lambda: world.hand.press(at), 0
                yield lambda: world.hand.release(at), 0

            return f"choose {name_of(chosen)} of a menu", choose()
    return click(world, random)


# What is done how often, where nothing waits for an answer.
USUAL = {
    click: 22,
    click_with_keys: 4,
    right_click: 5,
    double_click: 3,
    wheel: 3,
    drag: 10,
    grip: 22,
    broken_drag: 7,
    shortcut: 11,
    some_keys: 6,
    type_text: 10,
    action: 18,
    open_menu: 3,
    undo_and_redo: 4,
    drag_dock: 4,
    double_click_dock: 1,
    show_dock: 6,
    close_window: 5,
    resize: 1,
    drop_files: 1,
    paste_text: 1,
}
