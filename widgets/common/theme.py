"""Colours: calm greys and one accent; any other colour means something.

A widget asks `theme()` when it draws, and draws again when its palette changes.
"""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from resources import path_of

GRID = 8  # pixels: sizes and gaps are multiples of it, or halves


@dataclass(frozen=True)
class Theme:
    """The colours of a theme, as `#rrggbb`. The viewport's sky fades from top to horizon, its ground from there on."""

    name: str
    window: str
    panel: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    sky: str
    horizon: str
    ground: str
    grid: str
    # What colours mean, the same everywhere.
    left: str
    right: str
    centre: str
    source: str
    extreme: str
    contact: str
    warning: str
    problem: str
    # The axes of curves.
    axis_x: str
    axis_y: str
    axis_z: str


DARK = Theme(
    name="dark",
    window="#1E2024",
    panel="#26292E",
    raised="#31353B",
    line="#3C4148",
    text="#E4E6E9",
    muted="#A3A9B2",
    accent="#5B9BD5",
    on_accent="#0E1116",
    sky="#2B2F36",
    horizon="#3D434C",
    ground="#2A2E34",
    grid="#4A5059",
    left="#4C9BE8",
    right="#E8704C",
    centre="#C9CCD1",
    source="#7D8FA8",
    extreme="#E5B94E",
    contact="#5FBF77",
    warning="#E5B94E",
    problem="#E0524D",
    axis_x="#F0719A",
    axis_y="#A9CF5A",
    axis_z="#A394F7",
)
LIGHT = Theme(
    name="light",
    window="#ECEDEF",
    panel="#F7F8F9",
    raised="#FFFFFF",
    line="#CDD1D6",
    text="#1D2126",
    muted="#555C66",
    accent="#1F6FB8",
    on_accent="#FFFFFF",
    sky="#DCE1E7",
    horizon="#F1F3F5",
    ground="#D5D9DE",
    grid="#B4BAC2",
    left="#1C6FC4",
    right="#C4491F",
    centre="#5A616B",
    source="#6D7F99",
    extreme="#9A7210",
    contact="#2A8544",
    warning="#8F6A0C",
    problem="#C2332E",
    axis_x="#BC2563",
    axis_y="#537610",
    axis_z="#5F49CF",
)
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}

_current = DARK


def theme() -> Theme:
    """The theme in use."""
    return _current


def colour(name: str, alpha: float = 1.0) -> QColor:
    """A colour of the theme in use, by its name there."""
    made = QColor(getattr(_current, name))
    made.setAlphaF(alpha)
    return made


def apply_theme(application: QApplication, chosen: Theme) -> None:
    """Use a theme from now on. Widgets get a change of palette."""
    global _current
    _current = chosen
    undress(application)
    if application.style().objectName() != "fusion":
        application.setStyle("Fusion")
    application.setPalette(_palette(chosen))
    application.setStyleSheet(_style(chosen))


def undress(application: QApplication) -> None:
    """Take the theme's style sheet off.

    A sheet put in place of another makes Qt go through all widgets several times; taken off first, twice.
    """
    application.setStyleSheet("")


def contrast(one: str, other: str) -> float:
    """How well two colours stand apart, 1 to 21: the ratio that WCAG defines."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(name: str) -> float:
    parts = [value / 255.0 for value in bytes.fromhex(name.lstrip("#"))]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _palette(chosen: Theme) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for where, name in (
        (role.Window, chosen.window),
        (role.WindowText, chosen.text),
        (role.Base, chosen.panel),
        (role.AlternateBase, chosen.raised),
        (role.Text, chosen.text),
        (role.Button, chosen.raised),
        (role.ButtonText, chosen.text),
        (role.ToolTipBase, chosen.raised),
        (role.ToolTipText, chosen.text),
        (role.PlaceholderText, chosen.muted),
        (role.Highlight, chosen.accent),
        (role.HighlightedText, chosen.on_accent),
        (role.Link, chosen.accent),
        (role.Light, chosen.raised),
        (role.Midlight, chosen.line),
        (role.Mid, chosen.line),
        (role.Dark, chosen.line),
        (role.Shadow, chosen.window),
    ):
        palette.setColor(where, QColor(name))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, _between(chosen.muted, chosen.panel, 0.35))
    return palette


def _between(one: str, other: str, part: float) -> QColor:
    pairs = zip(bytes.fromhex(one.lstrip("#")), bytes.fromhex(other.lstrip("#")), strict=True)
    return QColor(*(round(x + part * (y - x)) for x, y in pairs))


def _drawing(name: str, chosen: Theme) -> str:
    """Where a style sheet finds a drawing in the colour of a theme: it cannot tint one itself."""
    return path_of("icons", f"{name}_{chosen.name}.svg").as_posix()


def _style(chosen: Theme) -> str:
    """What Fusion's palette cannot say."""
    soft = _between(chosen.panel, chosen.accent, 0.3).name()
    return f"""
QToolTip {{ color: {chosen.text}; background: {chosen.raised}; border: 1px solid {chosen.line}; padding: 4px; }}
QMainWindow::separator {{ background: {chosen.window}; width: 4px; height: 4px; }}
QDockWidget {{ titlebar-close-icon: none; titlebar-normal-icon: none; }}
QDockWidget::title {{ background: {chosen.window}; padding: 6px 8px; text-align: left; }}
QMenuBar {{ background: {chosen.window}; }}
QMenuBar::item {{ padding: 4px 8px; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {chosen.accent}; color: {chosen.on_accent}; }}
QMenu {{ background: {chosen.raised}; border: 1px solid {chosen.line}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px 4px 16px; }}
QMenu::separator {{ height: 1px; background: {chosen.line}; margin: 4px 8px; }}
QToolBar {{
    background: {chosen.window}; border: none; border-bottom: 1px solid {chosen.line};
    padding: 4px; spacing: 4px;
}}
QStatusBar {{ background: {chosen.window}; }}
QStatusBar::item {{ border: none; }}
QTabBar::tab {{ padding: 6px 12px; background: {chosen.window}; border: none; }}
QTabBar::tab:selected {{ background: {chosen.panel}; border-bottom: 2px solid {chosen.accent}; }}
QTreeView, QListView, QTableView {{ background: {chosen.panel}; border: none; outline: none; }}
QTreeView::item, QListView::item {{ padding: 3px; }}
QLineEdit, QAbstractSpinBox, QComboBox {{
    background: {chosen.window}; border: 1px solid {chosen.line}; border-radius: 4px;
    padding: 3px 6px; min-height: 18px;
}}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {{ border-color: {chosen.accent}; }}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ image: url("{_drawing("drop_down", chosen)}"); width: 12px; height: 12px; }}
QCheckBox::indicator, QTreeView::indicator, QListView::indicator {{
    width: 14px; height: 14px; border: 1px solid {chosen.muted}; border-radius: 3px; background: {chosen.window};
}}
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {{
    background: {chosen.accent}; border-color: {chosen.accent}; image: url("{_drawing("tick", chosen)}");
}}
QTreeView::indicator:indeterminate {{
    background: {chosen.accent}; border-color: {chosen.accent}; image: url("{_drawing("dash", chosen)}");
}}
QCheckBox::indicator:disabled {{ border-color: {chosen.line}; }}
QCheckBox::indicator:checked:disabled {{ background: {chosen.muted}; border-color: {chosen.muted}; }}
QCheckBox:focus {{ color: {chosen.accent}; }}
QPushButton {{
    background: {chosen.raised}; border: 1px solid {chosen.line}; border-radius: 4px;
    padding: 5px 12px; min-height: 18px;
}}
QPushButton:hover, QToolButton:hover {{ border-color: {chosen.accent}; }}
QPushButton:focus, QToolButton:focus {{ border: 1px solid {chosen.accent}; }}
QPushButton:default {{ background: {chosen.accent}; color: {chosen.on_accent}; border-color: {chosen.accent}; }}
QPushButton:disabled {{ color: {chosen.muted}; }}
QPushButton:checked {{ background: {soft}; border-color: {chosen.accent}; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 4px; }}
QToolButton:checked {{ background: {chosen.raised}; border-color: {chosen.accent}; }}
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected {{
    background: {soft}; color: {chosen.text};
}}
QHeaderView::section {{
    background: {chosen.panel}; color: {chosen.muted}; padding: 4px 6px;
    border: none; border-bottom: 1px solid {chosen.line};
}}
QTableView {{ gridline-color: {chosen.line}; }}
QScrollBar:vertical {{ background: {chosen.panel}; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: {chosen.panel}; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {chosen.line}; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {chosen.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QScrollArea {{ border: none; background: transparent; }}
QProgressBar {{ background: {chosen.line}; border: none; border-radius: 4px; }}
QProgressBar::chunk {{ background: {chosen.accent}; border-radius: 4px; }}
QSlider::groove:horizontal {{ height: 4px; background: {chosen.line}; border-radius: 2px; }}
QSlider::handle:horizontal {{ width: 12px; margin: -5px 0; border-radius: 6px; background: {chosen.accent}; }}
"""
