"""What hands do with menus, docks and whole windows."""

from random import Random

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from tests.driver import seeing
from tests.driver.hand import LEFT, NO_KEYS
from tests.driver.world import Deed, Step, World, at_place, dragging, name_of, trigger, xy


def action(world: World, random: Random) -> tuple[str, Deed] | None:
    """Any action of the menus."""
    actions = [one for one in seeing.menu_actions(world.window.menuBar()) if name_of(one) not in world.never]
    if not actions or QApplication.activeModalWidget() is not None:
        return None
    chosen = random.choice(actions)

    def steps() -> Deed:
        yield lambda: trigger(chosen), 0

    return f"action {name_of(chosen)}", steps()


def open_menu(world: World, random: Random) -> tuple[str, Deed] | None:
    """Open a menu of the menu bar with the mouse; what is chosen from it is the next deed."""
    bar = world.window.menuBar()
    titles = [one for one in bar.actions() if one.isVisible() and one.isEnabled()]
    if not titles or QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
        return None
    chosen = random.choice(titles)
    at = bar.mapToGlobal(bar.actionGeometry(chosen).center())

    def steps() -> Deed:
        yield lambda: world.hand.press(at), 0
        yield lambda: world.hand.release(at), 0

    return f"menu {chosen.text()}", steps()


def drag_dock(world: World, random: Random) -> tuple[str, Deed] | None:
    """Drag a dock by its title or its tab, fast, and let it go somewhere."""
    places = seeing.tab_places(world.window) + seeing.title_places(world.window)
    if not places or QApplication.activeModalWidget() is not None:
        return None
    name, start = random.choice(places)
    frame = world.window.frameGeometry()
    points = [start]
    for _ in range(random.randint(1, 3)):
        to = QPoint(random.randint(frame.left(), frame.right()), random.randint(frame.top(), frame.bottom()))
        count = random.randint(2, 8)
        points += [points[-1] + (to - points[-1]) * n / count for n in range(1, count + 1)]
    between: tuple[Step, ...] = ((lambda: world.hand.key(Qt.Key.Key_Escape), 0),) if random.random() < 0.1 else ()
    return f"drag dock {name} to {xy(points[-1])}", dragging(world, points, LEFT, NO_KEYS, between)


def double_click_dock(world: World, random: Random) -> tuple[str, Deed] | None:
    """Let a dock float, or put it back."""
    places = seeing.title_places(world.window)
    if not places:
        return None
    name, at = random.choice(places)

    def steps() -> Deed:
        yield lambda: world.hand.press(at), 0
        yield lambda: world.hand.release(at), 0
        yield lambda: world.hand.double_click(at), 0

    return f"double click on the title of {name}", steps()


def show_dock(world: World, random: Random) -> tuple[str, Deed] | None:
    """Bring a dock back that is closed or behind others."""
    hidden = [dock for dock in world.window.findChildren(QDockWidget) if dock.visibleRegion().isEmpty()]
    tabs = seeing.tab_places(world.window)
    if not hidden:
        return None
    dock = random.choice(hidden)
    place = next((at for name, at in tabs if name == dock.windowTitle()), None)

    def steps() -> Deed:
        if place is not None:
            yield lambda: world.hand.press(place), 0
            yield lambda: world.hand.release(place), 0
        else:
            yield lambda: trigger(dock.toggleViewAction()), 0

    return f"show dock {dock.windowTitle()}", steps()


def close_window(world: World, random: Random) -> tuple[str, Deed] | None:
    """Close a window that is open beside the main one, as by the button of its frame."""
    windows = seeing.extra_windows(world.window)
    if not windows:
        return None
    chosen = random.choice(windows)

    def steps() -> Deed:
        yield chosen.close, 0

    return f"close {chosen.windowTitle() or type(chosen).__name__}", steps()


def resize(world: World, random: Random) -> tuple[str, Deed] | None:
    sizes = [(random.randint(500, 1900), random.randint(400, 1150)) for _ in range(random.randint(1, 4))]

    def steps() -> Deed:
        for width, height in sizes:
            yield lambda width=width, height=height: world.window.resize(width, height), 0  # type: ignore[misc]

    return f"resize to {sizes[-1]}", steps()


def drop_files(world: World, random: Random) -> tuple[str, Deed] | None:
    """Let files of another program fall on something that takes them."""
    targets = [one for one in seeing.reachable_widgets() if one.acceptDrops()]
    target = seeing.pick_widget(random, targets)
    at = seeing.pick_place(random, target) if target is not None else None
    if target is None or at is None:
        return None
    names = random.sample(world.files, random.randint(1, 2))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(name) for name in names])
    return f"drop {', '.join(name.rpartition('/')[2] for name in names)} on {at_place(target, at)}", _dropping(
        target, at, data
    )


def _dropping(target: QWidget, at: QPoint, data: QMimeData) -> Deed:
    both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    inside = target.mapFromGlobal(at)

    def drop() -> None:
        entering = QDragEnterEvent(inside, both, data, LEFT, NO_KEYS)
        QApplication.sendEvent(target, entering)
        if entering.isAccepted():
            QApplication.sendEvent(target, QDropEvent(QPointF(inside), both, data, LEFT, NO_KEYS))

    yield drop, 0
