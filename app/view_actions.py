"""What the menus Play and View do: time, camera, what is shown, and how the window looks."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from widgets.common.theme import DARK, LIGHT, THEMES, apply_theme, theme, undress
from widgets.desk.contributions import Action
from widgets.desk.tool_actions import tool_action
from widgets.viewport.camera import Preset
from widgets.viewport.tool_box import SELECT

if TYPE_CHECKING:
    from app.window import Window


class ViewActions(QObject):
    """How the clip that is looked at is seen."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        window.viewport.set_options(mouse="maya" if window.settings.mouse == "maya" else "blender")

    def actions(self) -> tuple[Action, ...]:
        select = tool_action(self._window, SELECT, "&Select", "Pose", 110, "Click joints to select them", "Q", "select")
        return (select, *self._playing(), *self._looking())

    def _playing(self) -> tuple[Action, ...]:
        timeline, look = self._window.timeline, self._window.session.look
        has_clip, has_markers = self._has_clip, self._has_markers
        step = timeline.step
        return (
            Action("play", "&Play", "Play", 110, "Play or pause", timeline.playback.toggle, "Space", "play",
                   is_enabled=has_clip),
            Action("first_frame", "&First frame", "Play", 120, "Go to the first frame",
                   partial(timeline.go_to_frame, 0), "Home", is_enabled=has_clip),
            Action("last_frame", "&Last frame", "Play", 130, "Go to the last frame",
                   partial(timeline.go_to_frame, -1), "End", is_enabled=has_clip),
            Action("next_frame", "&Next frame", "Play", 140, "One frame on", partial(step, 1), "Right"),
            Action("previous_frame", "&Previous frame", "Play", 150, "One frame back", partial(step, -1), "Left"),
            Action("ten_on", "Ten frames &on", "Play", 160, "Ten frames on", partial(step, 10), "Shift+Right"),
            Action("ten_back", "Ten frames &back", "Play", 170, "Ten frames back", partial(step, -10), "Shift+Left"),
            Action("loop_start", "Loop from &here", "Play", 210, "Start the loop at this frame",
                   timeline.loop_from_here, "["),
            Action("loop_stop", "Loop &up to here", "Play", 220, "End the loop at this frame",
                   timeline.loop_up_to_here, "]"),
            Action("loop_clear", "&Clear the loop", "Play", 230, "Play the whole clip", partial(look, loop_s=None)),
            Action("add_marker", "Add &marker", "Play", 310, "Mark this frame", timeline.add_marker_here, "Ctrl+M",
                   is_enabled=has_clip),
            Action("previous_marker", "P&revious marker", "Play", 320, "Go to the marker before this frame",
                   partial(timeline.go_to_marker, -1), "Ctrl+Left", is_enabled=has_markers),
            Action("next_marker", "Ne&xt marker", "Play", 330, "Go to the marker after this frame",
                   partial(timeline.go_to_marker, 1), "Ctrl+Right", is_enabled=has_markers),
        )  # fmt: skip

    def _looking(self) -> tuple[Action, ...]:
        viewport = self._window.viewport
        look_from = viewport.look_from
        return (
            Action("frame_selection", "&Frame selection", "View", 110, "Bring the selection into view",
                   viewport.frame_selection, "F", synonyms="zoom focus"),
            Action("frame_all", "Frame &all", "View", 120, "Bring everything into view", viewport.frame_all, "A",
                   synonyms="zoom home"),
            Action("view_front", "Fr&ont", "View/Camera", 130, "Look from the front",
                   partial(look_from, Preset.FRONT), "1"),
            Action("view_side", "&Side", "View/Camera", 131, "Look from the side",
                   partial(look_from, Preset.SIDE), "3"),
            Action("view_top", "&Top", "View/Camera", 132, "Look from above", partial(look_from, Preset.TOP), "7"),
            Action("view_free", "Three-&quarter", "View/Camera", 133, "Look from above and aside",
                   partial(look_from, Preset.THREE_QUARTER), "0", synonyms="perspective"),
            self._mouse("blender", "&Blender mouse", 140, "Middle drag orbits, Shift moves"),
            self._mouse("maya", "&Maya mouse", 141, "Alt and left drag orbits"),
            self._option("follow", "F&ollow the figure", "View", 150, "Keep the figure in view as it moves", "follow",
                         "Shift+F", "camera track"),
            self._option("ghosts", "&Ghost of the source", "View/Ghosts", 160, "Show the source in grey-blue",
                         "ghost_source", "G", "onion skin compare before original"),
            self._option("trails", "&Trails", "View", 190, "Show trails of hands and feet", "trails", "T",
                         "motion trail path arc"),
            self._option("contacts", "&Contact marks", "View", 191, "Show where feet rest on the ground", "contacts",
                         "C", "foot plant footprint"),
            self._option("mass", "C&entre of mass", "View", 192, "Show the centre of mass", "centre_of_mass", "",
                         "balance com"),
            Action("dark", "&Dark theme", "View", 210, "Light on dark, or dark on light", self.dark, checkable=True,
                   is_checked=lambda: self._window.settings.theme != LIGHT.name),
            Action("full_screen", "F&ull screen", "View", 220, "Use the whole screen", self.full_screen, "F11",
                   checkable=True, is_checked=self._window.isFullScreen),
        )  # fmt: skip

    def _option(
        self, name: str, text: str, menu: str, at: int, tip: str, option: str, keys: str, synonyms: str
    ) -> Action:
        viewport = self._window.viewport
        return Action(
            name, text, menu, at, tip, lambda on: viewport.set_options(**{option: on}), keys, checkable=True,
            is_checked=lambda: bool(getattr(viewport.options, option)), synonyms=synonyms,
        )  # fmt: skip

    def _mouse(self, preset: str, text: str, at: int, tip: str) -> Action:
        viewport = self._window.viewport
        return Action(
            f"mouse_{preset}", text, "View/Mouse", at, tip, partial(self._use_mouse, preset), checkable=True,
            group="mouse", is_checked=lambda: viewport.options.mouse == preset,
        )  # fmt: skip

    def _use_mouse(self, preset: str, on: bool) -> None:
        if on:
            self._window.viewport.set_options(mouse=preset)
            self._window.settings.mouse = preset

    def _has_clip(self) -> bool:
        return self._window.clip is not None

    def _has_markers(self) -> bool:
        clip = self._window.clip
        return clip is not None and bool(clip.markers)

    # The window

    def dark(self, on: bool) -> None:
        """Change the theme in two turns: for each Qt goes through all widgets, which takes about 30 ms."""
        self._window.settings.theme = (DARK if on else LIGHT).name
        if self._window.settings.theme != theme().name:
            self._window.setUpdatesEnabled(False)
            undress(_application())
            self._window.after_layout(self._dress)

    def _dress(self) -> None:
        apply_theme(_application(), THEMES[self._window.settings.theme])
        self._window.actions_.redraw_icons()
        self._window.thumbnails.redraw()
        self._window.setUpdatesEnabled(True)

    def full_screen(self, on: bool) -> None:
        if on:
            self._window.showFullScreen()
        elif self._window.isFullScreen():
            self._window.showNormal()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
