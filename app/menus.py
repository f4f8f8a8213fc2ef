"""The menus of the window, made of the actions that there are."""

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu, QMenuBar

from app.actions import Actions
from widgets.desk.contributions import Action, Menu

_OURS = (
    Menu("File", 10),
    Menu("Edit", 20),
    Menu("Clip", 30),
    Menu("Play", 70),
    Menu("View", 80),
    Menu("Window", 90),
    Menu("Help", 100),
)
_AMONG_FEATURES = 65
_GROUP = 100  # places of another hundred come after a line


def in_menu_order(actions: Iterable[Action], brought: Iterable[Menu]) -> list[Action]:
    """Actions as the menus have them, first to last: so lists of shortcuts are read."""
    places = {menu.name: menu.at for menu in (*_OURS, *brought)}
    return sorted(actions, key=lambda one: (places.get(one.menu.partition("/")[0], _AMONG_FEATURES), one.at))


def build_menus(bar: QMenuBar, actions: Actions, brought: Iterable[Menu]) -> dict[str, QMenu]:
    """The menus by name, "View/Camera" for one within another; such a one stands where its first action would."""
    menus: dict[str, QMenu] = {}
    described = sorted((actions.described(name) for name in actions.names()), key=lambda one: one.at)
    known = {menu.name: menu for menu in (*_OURS, *brought)}
    for action in described:  # some may stand in the menu of a feature that is not there
        top = action.menu.partition("/")[0]
        known.setdefault(top, Menu(top, _AMONG_FEATURES))
    for menu in sorted(known.values(), key=lambda one: one.at):
        menus[menu.name] = bar.addMenu(f"&{menu.name}")
        menus[menu.name].aboutToShow.connect(actions.refresh_now)
    last: dict[str, int] = {}  # the group in which each menu ends so far
    for action in described:
        _draw_line(menus, last, action.menu, action.at)
        _menu(menus, action.menu).addAction(actions[action.name])
    return menus


def _draw_line(menus: dict[str, QMenu], last: dict[str, int], path: str, at: int) -> None:
    """Draw a line before an action that begins another group; where it begins a menu within one, there."""
    while path not in menus and "/" in path:
        path = path.rpartition("/")[0]
    group = at // _GROUP
    if last.get(path, group) != group:
        _menu(menus, path).addSeparator()
    last[path] = group


def _menu(menus: dict[str, QMenu], path: str) -> QMenu:
    if path not in menus:
        above, _, name = path.rpartition("/")
        menus[path] = menus[above].addMenu(name)
    return menus[path]
