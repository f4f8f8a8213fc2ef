"""Actions that take tools of the viewport: one is always in use."""

from functools import partial

from widgets.desk.contributions import Action
from widgets.desk.desk import Desk

TOOLS = "tools"  # the group of these actions


def tool_action(desk: Desk, name: str, text: str, menu: str, at: int, tip: str, keys: str, icon: str) -> Action:
    """The action that takes a tool, called `tool_` and the tool's name."""
    return Action(
        f"tool_{name}", text, menu, at, tip, partial(_use, desk, name), keys, icon, checkable=True, group=TOOLS,
        is_checked=lambda: desk.tools.name == name,
    )  # fmt: skip


def _use(desk: Desk, name: str, on: bool) -> None:
    if on:
        desk.tools.use(name)
