"""The theme of the moment."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.theme.values import LIGHT, Theme


class ThemeNotifier(QObject):
    """Says when the theme has changed; the new one is ``current_theme()``."""

    theme_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.choice: str = "system"
        self.follows_desktop = False


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
