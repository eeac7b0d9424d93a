"""The theme of the moment, switching it, and following the desktop."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from core.presentation.theme import DARK, LIGHT, Theme
from gui.theme.fonts import application_font
from gui.theme.style import style_sheet

THEME_CHOICES = ("light", "dark", "system")


class ThemeNotifier(QObject):
    """Says when the theme has changed; the new one is ``current_theme()``."""

    theme_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.choice: str = "system"
        self._follows_desktop = False

    def follow_desktop(self) -> None:
        """Listen to the desktop's colour scheme once an application exists."""
        if not self._follows_desktop:
            hints = QGuiApplication.styleHints()
            hints.colorSchemeChanged.connect(self._on_scheme_changed)
            self._follows_desktop = True

    def _on_scheme_changed(self) -> None:
        application = QApplication.instance()
        if self.choice == "system" and isinstance(application, QApplication):
            apply_theme(application, "system")


_notifier: list[ThemeNotifier] = []


def theme_notifier() -> ThemeNotifier:
    """The one notifier of the process."""
    if not _notifier:
        _notifier.append(ThemeNotifier())
    return _notifier[0]


def current_theme() -> Theme:
    """The theme in use; read it when painting, never keep it."""
    return theme_notifier().theme


def theme_choice() -> str:
    """What the user chose: "light", "dark" or "system"."""
    return theme_notifier().choice


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


def apply_theme(app: QApplication, choice: str) -> Theme:
    """Set light, dark or the desktop's theme, live; returns the theme now in use."""
    if choice not in THEME_CHOICES:
        raise ValueError(f"no theme named {choice}")
    notifier = theme_notifier()
    notifier.choice = choice
    notifier.follow_desktop()
    theme = resolve_theme(choice)
    notifier.theme = theme
    if app.style().name() != "fusion":
        app.setStyle(QStyleFactory.create("Fusion"))
    app.setFont(application_font())
    app.setPalette(palette_of(theme))
    app.setStyleSheet(style_sheet(theme))
    notifier.theme_changed.emit(theme)
    return theme
