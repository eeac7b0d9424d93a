"""Fonts and text widths that painting asks for at every frame, kept until the theme changes."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetricsF

from gui.theme import text_font, theme_notifier
from gui.theme.fonts import TextRole


@lru_cache(maxsize=16)
def chart_font(bold: bool = False, pixels: int = 11) -> QFont:
    """The font of a chart's small text, in whole pixels so that paper scales it like the lines."""
    font = QFont(text_font("note", bold=bold))
    font.setPixelSize(pixels)
    return font


@lru_cache(maxsize=16)
def chart_metrics(bold: bool = False, pixels: int = 11) -> QFontMetricsF:
    """Metrics of ``chart_font``."""
    return QFontMetricsF(chart_font(bold, pixels))


@lru_cache(maxsize=16)
def kept_font(role: TextRole = "body", bold: bool = False) -> QFont:
    """The font of a text role, for delegates."""
    return text_font(role, bold=bold)


@lru_cache(maxsize=16)
def kept_metrics(role: TextRole = "body", bold: bool = False) -> QFontMetricsF:
    """Metrics of ``kept_font``."""
    return QFontMetricsF(kept_font(role, bold))


@lru_cache(maxsize=4096)
def text_width(text: str, bold: bool = False, pixels: int = 11) -> float:
    """The width of a chart's small text."""
    return chart_metrics(bold, pixels).horizontalAdvance(text)


def forget_fonts(_theme: object = None) -> None:
    """Look the fonts up anew: the program's font or the screen's resolution has changed."""
    for kept in (chart_font, chart_metrics, kept_font, kept_metrics, text_width):
        kept.cache_clear()


# Connected before any chart is: every chart paints again with the new fonts.
theme_notifier().theme_changed.connect(forget_fonts)
