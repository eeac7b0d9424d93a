"""The one place of colours, sizes, type and icons.

``current_theme()`` is read at paint time; ``theme_notifier().theme_changed`` tells when to repaint.
``apply_theme(app, choice)`` sets "light", "dark" or "system" (follows the desktop, live).
"""

from gui.theme.current import ThemeNotifier, current_theme, theme_choice, theme_notifier
from gui.theme.fonts import strengthen, strong_family, tabular, text_font
from gui.theme.icons import icon, icon_pixmap
from gui.theme.manager import THEME_CHOICES, apply_theme
from gui.theme.values import DARK, LIGHT, SERIES_DASHES, Sizes, Theme, series_dash

__all__ = [
    "DARK",
    "LIGHT",
    "SERIES_DASHES",
    "THEME_CHOICES",
    "Sizes",
    "Theme",
    "ThemeNotifier",
    "apply_theme",
    "current_theme",
    "icon",
    "icon_pixmap",
    "series_dash",
    "strengthen",
    "strong_family",
    "tabular",
    "text_font",
    "theme_choice",
    "theme_notifier",
]
