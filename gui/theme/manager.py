"""Switching the theme, and following the desktop."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from core.presentation.theme import DARK, LIGHT, Theme
from gui.theme.current import theme_notifier
from gui.theme.fonts import application_font
from gui.theme.style import style_sheet

THEME_CHOICES = ("light", "dark", "system")


def resolve_theme(choice: str) -> Theme:
    """The theme that a choice stands for now."""
    if choice == "system":
        scheme = QGuiApplication.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    return DARK if choice == "dark" else LIGHT


def palette_of(theme: Theme) -> QPalette:
    """Qt's palette in the theme's colours."""
    roles = QPalette.ColorRole
    pairs = (
        (roles.Window, theme.window),
        (roles.WindowText, theme.text),
        (roles.Base, theme.card),
        (roles.AlternateBase, theme.window),
        (roles.ToolTipBase, theme.card),
        (roles.ToolTipText, theme.text),
        (roles.PlaceholderText, theme.quiet),
        (roles.Text, theme.text),
        (roles.Button, theme.card),
        (roles.ButtonText, theme.text),
        (roles.BrightText, theme.error),
        (roles.Highlight, theme.selection),
        (roles.HighlightedText, theme.text),
        (roles.Link, theme.accent),
        (roles.LinkVisited, theme.accent),
        (roles.Light, theme.card),
        (roles.Midlight, theme.hover),
        (roles.Mid, theme.border),
        (roles.Dark, theme.control_border),
        (roles.Shadow, theme.border),
        (roles.Accent, theme.accent),
    )
    palette = QPalette()
    for role, colour in pairs:
        palette.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.disabled))
    return palette


def _follow_desktop() -> None:
    """Listen to the desktop's colour scheme, once an application exists."""
    notifier = theme_notifier()
    if not notifier.follows_desktop:
        QGuiApplication.styleHints().colorSchemeChanged.connect(_take_desktop)
        notifier.follows_desktop = True


def _take_desktop() -> None:
    application = QApplication.instance()
    if theme_notifier().choice == "system" and isinstance(application, QApplication):
        apply_theme(application, "system")


def apply_theme(app: QApplication, choice: str) -> Theme:
    """Set light, dark or the desktop's theme, live; returns the theme now in use."""
    if choice not in THEME_CHOICES:
        raise ValueError(f"no theme named {choice}")
    notifier = theme_notifier()
    notifier.choice = choice
    _follow_desktop()
    theme, font = resolve_theme(choice), application_font()
    if app.font() != font:  # first: the sheet names the family of its semi-bold
        app.setFont(font)
    sheet = style_sheet(theme)
    if notifier.theme is theme and app.styleSheet() == sheet:
        return theme  # in use already: every widget would be styled anew, and every chart drawn
    notifier.theme = theme
    if not app.styleSheet():  # with a sheet, ours is the style below it, which has no name then
        app.setStyle(QStyleFactory.create("Fusion"))
    app.setPalette(palette_of(theme))
    app.setStyleSheet(sheet)
    notifier.theme_changed.emit(theme)
    return theme
