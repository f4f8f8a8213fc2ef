"""What hands do with the keyboard."""

import re
from random import Random

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget

from tests.driver import seeing
from tests.driver.hand import NO_KEYS
from tests.driver.world import CTRL, SHIFT, Deed, World, at_place, name_of, with_keys

_KEYS = (
    Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Delete, Qt.Key.Key_Backspace,
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Space, Qt.Key.Key_F2, Qt.Key.Key_Menu, Qt.Key.Key_Plus,
)  # fmt: skip
_NUMBER = re.compile(r"\d+(\.\d+)?")
_TEXTS = (
    "0", "1", "-1", "0.5", "2.5", "100", "1e9", "-1e30", "nan", "inf", "1/0", "2*3", "12 cm", "0.3 s", "7:sly", "12f",
    "", " ", "walk", "<b>bold</b>", "a" * 300, "../x", "left", "%s {0}", "1,5", "10..20",
)  # fmt: skip


def shortcut(world: World, random: Random) -> tuple[str, Deed] | None:
    """The keys of some action, whether it is enabled or not."""
    actions = [
        action
        for action in world.window.findChildren(QAction)
        if not action.shortcut().isEmpty() and name_of(action) not in world.never
    ]
    if not actions:
        return None
    action = random.choice(actions)
    keys = QKeySequence(action.shortcut())

    def steps() -> Deed:
        yield lambda: world.hand.shortcut(keys), 0

    return f"keys {keys.toString()} ({name_of(action)})", steps()


def some_keys(world: World, random: Random) -> tuple[str, Deed] | None:
    chosen = [
        (random.choice(_KEYS), random.choice((NO_KEYS, NO_KEYS, NO_KEYS, SHIFT, CTRL)))
        for _ in range(random.randint(1, 4))
    ]

    def steps() -> Deed:
        for key, keys in chosen:
            yield lambda key=key, keys=keys: world.hand.key(key, keys), 0  # type: ignore[misc]

    return "keys " + " ".join(f"{key.name[4:]}{with_keys(keys)}" for key, keys in chosen), steps()


def type_text(world: World, random: Random) -> tuple[str, Deed] | None:
    """Put another text into a field, and keep it or not."""
    fields = [
        one for one in seeing.reachable_widgets() if isinstance(one, QLineEdit | QAbstractSpinBox | QPlainTextEdit)
    ]
    field = seeing.pick_widget(random, fields)
    at = seeing.pick_place(random, field) if field is not None else None
    if field is None or at is None:
        return None
    text = _text(random, field)
    last = random.choice((Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape))

    def steps() -> Deed:
        yield lambda: world.hand.press(at), 0
        yield lambda: world.hand.release(at), 0
        yield lambda: world.hand.key(Qt.Key.Key_A, CTRL), 0
        yield lambda: world.hand.key(Qt.Key.Key_Backspace), 0
        for character in text:
            yield lambda character=character: world.hand.key(character), 0  # type: ignore[misc]
        yield lambda: world.hand.key(last), 0

    return f"type {text[:30]!r} and {last.name[4:]} into {at_place(field, at)}", steps()


def _text(random: Random, field: QWidget) -> str:
    """A number near the one that is there, or whatever people type."""
    there = field.text() if isinstance(field, QLineEdit | QAbstractSpinBox) else ""
    number = _NUMBER.search(there)
    if number is None or random.random() < 0.4:
        return random.choice(_TEXTS)
    value = float(number.group()) * random.choice((0.5, 0.9, 1.2, 2.0)) + random.choice((0.0, 0.0, 0.1, 1.0))
    return there[: number.start()] + f"{value:.3g}" + there[number.end() :]


def paste_text(world: World, random: Random) -> tuple[str, Deed] | None:
    text = random.choice(("ä ö 走 🚶", "1\n2\n3", "x" * 5000, "0.25"))

    def steps() -> Deed:
        yield lambda: QGuiApplication.clipboard().setText(text), 0
        yield lambda: world.hand.key(Qt.Key.Key_V, CTRL), 0

    return f"paste {text[:20]!r}", steps()


def undo_and_redo(world: World, random: Random) -> tuple[str, Deed] | None:
    back = random.choice((1, 1, 2, 3, 5, 20))
    forth = random.randint(0, back)

    def steps() -> Deed:
        for _ in range(back):
            yield lambda: world.hand.key(Qt.Key.Key_Z, CTRL), 0
        for _ in range(forth):
            yield lambda: world.hand.key(Qt.Key.Key_Z, CTRL | SHIFT), 0

    return f"undo {back} times, redo {forth} times", steps()
