"""What can be reached on the screen at this moment: widgets, places on them, actions. It knows no panel by name."""

import re
from collections.abc import Iterator
from random import Random

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QRubberBand,
    QTabBar,
    QWidget,
)

_TRIES = 8
_ODD = re.compile(
    r"NoneType|broadcast|Traceback|has no attribute|object at 0x|dataclass|np\.float|array\(|\bnan\b|[A-Z]\w+Error\b"
    r"|index \d+ is out of bounds|not supported between|Role\.|shape \(|arrays? (must|do)|\bNone\b"
)
_QUOTED = re.compile("“[^”]*”")  # what somebody typed is theirs


def reachable_windows() -> list[QWidget]:
    """The windows that answer: the popup that is open, the dialog that waits, or all."""
    first = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if first is not None:
        return [first.window()]
    return [
        window
        for window in QApplication.topLevelWidgets()
        if window.isVisible() and window.isEnabled() and not isinstance(window, QRubberBand | QLabel | QMenu)
    ]


def reachable_widgets() -> list[QWidget]:
    """Everything that can be seen and is enabled, in the order in which it was made."""
    found: list[QWidget] = []
    for window in reachable_windows():
        for widget in (window, *window.findChildren(QWidget)):
            if widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty():
                found.append(widget)
    return found


def panel_of(widget: QWidget) -> str:
    """Where a widget is: the title of its dock or window, or what kind of bar it is in."""
    above: QWidget | None = widget
    while above is not None:
        if isinstance(above, QDockWidget):
            return above.windowTitle()
        if isinstance(above, QMenuBar | QTabBar) or above.isWindow():
            break
        above = above.parentWidget()
    if above is None or isinstance(above, QMainWindow):
        return type(_below_window(widget)).__name__
    return above.windowTitle() or type(above).__name__


def _below_window(widget: QWidget) -> QWidget:
    """The part of a main window that a widget belongs to; of its middle, the part of that."""
    parts = [widget]
    while parts[-1].parentWidget() is not None:
        parts.append(parts[-1].parentWidget())
    window = parts[-1]
    below = parts[-2] if len(parts) > 1 else window
    middle = window.centralWidget() if isinstance(window, QMainWindow) else None
    return parts[-3] if below is middle and len(parts) > 2 else below


def pick_widget(random: Random, widgets: list[QWidget]) -> QWidget | None:
    """A widget: large panels are likelier than small ones, and kinds that answer likelier than labels and frames."""
    panels: dict[str, dict[str, list[QWidget]]] = {}
    sizes: dict[str, float] = {}
    for widget in widgets:
        panel = panel_of(widget)
        panels.setdefault(panel, {}).setdefault(type(widget).__name__, []).append(widget)
        size = float(widget.width() * widget.height()) ** 0.5 * _liveliness(widget)
        sizes[panel] = max(sizes.get(panel, 1.0), size)
    if not panels:
        return None
    kinds = list(panels[random.choices(list(panels), [sizes[panel] for panel in panels])[0]].values())
    return random.choice(random.choices(kinds, [_liveliness(kind[0]) for kind in kinds])[0])


def _liveliness(widget: QWidget) -> float:
    """How much is likely to come of it when somebody presses on a widget."""
    if isinstance(widget, QAbstractButton):
        return 2.0
    if _item_view(widget) is not None or _hears_mouse(type(widget)):
        return 3.0
    if isinstance(widget, QLineEdit | QComboBox | QAbstractSlider):
        return 2.0
    return 1.0 if isinstance(widget, QTabBar | QMenuBar | QMenu) else 0.2


def _hears_mouse(kind: type[QWidget]) -> bool:
    """Whether a class of ours does something with the mouse, and does not only hold other widgets."""
    ours = (one for one in kind.__mro__ if not one.__module__.startswith(("PySide6", "Shiboken")))
    return any("mousePressEvent" in vars(one) or "mouseMoveEvent" in vars(one) for one in ours)


def pick_place(random: Random, widget: QWidget) -> QPoint | None:
    """A place of the screen where a widget can be seen; of a list, often on one of its rows."""
    bounds = widget.visibleRegion().boundingRect()
    view = _item_view(widget)
    for _ in range(_TRIES):
        rectangle = _row(random, view).intersected(bounds) if view is not None and random.random() < 0.7 else bounds
        if rectangle.isEmpty():
            continue
        point = QPoint(
            random.randint(rectangle.left(), rectangle.right()), random.randint(rectangle.top(), rectangle.bottom())
        )
        at = widget.mapToGlobal(point)
        below = QApplication.widgetAt(at)
        if below is not None and (below is widget or widget.isAncestorOf(below)):
            return at
    return None


def _item_view(widget: QWidget) -> QAbstractItemView | None:
    parent = widget.parentWidget()
    return parent if isinstance(parent, QAbstractItemView) and parent.viewport() is widget else None


def _row(random: Random, view: QAbstractItemView) -> QRect:
    model = view.model()
    rows = 0 if model is None else model.rowCount(view.rootIndex())
    return view.visualRect(model.index(random.randrange(rows), 0, view.rootIndex())) if rows else QRect()


def grips() -> list[QWidget]:
    """What is there to be dragged on: sliders, lists, and all that draws itself."""
    return [
        widget for widget in reachable_widgets() if _liveliness(widget) == 3.0 or isinstance(widget, QAbstractSlider)
    ]


def near_middle(random: Random, widget: QWidget) -> QPoint:
    """A place of the screen on a widget, likelier near its middle, where things are."""
    bounds = widget.visibleRegion().boundingRect()
    parts = [min(max(random.gauss(0.5, 0.2), 0.02), 0.98) for _ in range(2)]
    inside = QPoint(int(parts[0] * bounds.width()), int(parts[1] * bounds.height()))
    return widget.mapToGlobal(bounds.topLeft() + inside)


def tab_places(window: QMainWindow) -> list[tuple[str, QPoint]]:
    """Where the tabs of docks are, and what they say."""
    return [
        (bar.tabText(tab), bar.mapToGlobal(bar.tabRect(tab).center()))
        for bar in window.findChildren(QTabBar)
        if bar.parent() is window and bar.isVisible()
        for tab in range(bar.count())
    ]


def title_places(window: QMainWindow) -> list[tuple[str, QPoint]]:
    """Where the titles of docks are by which they are dragged, and what they say."""
    found = []
    for dock in window.findChildren(QDockWidget):
        inside = dock.widget()
        if dock.isVisible() and inside is not None and inside.y() > 8 and not dock.visibleRegion().isEmpty():
            found.append((dock.windowTitle(), dock.mapToGlobal(QPoint(30, inside.y() // 2))))
    return found


def extra_windows(window: QMainWindow) -> list[QWidget]:
    """Dialogs and helpers that are open beside the window."""
    return [one for one in reachable_windows() if one is not window and not isinstance(one, QDockWidget)]


def menu_actions(bar: QMenuBar) -> list[QAction]:
    """Every action of the menus that can be chosen now."""
    return list(_below(bar.actions()))


def _below(actions: list[QAction]) -> Iterator[QAction]:
    for action in actions:
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from _below(menu.actions())
        elif action.isEnabled() and action.isVisible() and not action.isSeparator():
            yield action


def odd_texts() -> list[str]:
    """What is written on the screen that is Python's or numpy's, and means nothing to those who animate."""
    texts = (
        label.text() for window in reachable_windows() for label in window.findChildren(QLabel) if label.isVisible()
    )
    return [text for text in texts if _ODD.search(_QUOTED.sub("", text))]


def describe(widget: QWidget) -> str:
    """A widget as a person would find it."""
    text = (
        widget.accessibleName() or widget.objectName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
    )
    parent = widget.parentWidget()
    kind = type(parent if isinstance(parent, QAbstractScrollArea) else widget).__name__
    return f"{panel_of(widget)}/{kind}" + (f" “{text[:40]}”" if text else "")
