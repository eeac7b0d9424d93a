"""Fonts and text widths that painting asks for at every frame, kept until the theme changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetricsF

from gui.theme import text_font, theme_notifier
from gui.theme.fonts import TextRole, searchable

_papers: list[bool] = []  # one for each sheet that is being painted


@contextmanager
def paper_fonts() -> Iterator[None]:
    """Fonts of what is written to a file: figures that can be searched and copied there.

    Figures of equal width, and signs that a font fits to the figures beside them, are shapes that
    it has beside its own, and a PDF cannot name them: its text would lack every number, or the
    minus before it.
    """
    _papers.append(True)
    try:
        yield
    finally:
        _papers.pop()


def chart_font(bold: bool = False, pixels: int = 11) -> QFont:
    """The font of a chart's small text, in whole pixels so that paper scales it like the lines."""
    return _chart_font(bold, pixels, bool(_papers))


def chart_metrics(bold: bool = False, pixels: int = 11) -> QFontMetricsF:
    """Metrics of ``chart_font``."""
    return _chart_metrics(bold, pixels, bool(_papers))


@lru_cache(maxsize=32)
def _chart_font(bold: bool, pixels: int, is_paper: bool) -> QFont:
    font = QFont(text_font("note", bold=bold))
    font.setPixelSize(pixels)
    return searchable(font) if is_paper else font


@lru_cache(maxsize=32)
def _chart_metrics(bold: bool, pixels: int, is_paper: bool) -> QFontMetricsF:
    return QFontMetricsF(_chart_font(bold, pixels, is_paper))


@lru_cache(maxsize=16)
def kept_font(role: TextRole = "body", bold: bool = False) -> QFont:
    """The font of a text role, for delegates."""
    return text_font(role, bold=bold)


@lru_cache(maxsize=16)
def kept_metrics(role: TextRole = "body", bold: bool = False) -> QFontMetricsF:
    """Metrics of ``kept_font``."""
    return QFontMetricsF(kept_font(role, bold))


def text_width(text: str, bold: bool = False, pixels: int = 11) -> float:
    """The width of a chart's small text."""
    return _text_width(text, bold, pixels, bool(_papers))


@lru_cache(maxsize=4096)
def _text_width(text: str, bold: bool, pixels: int, is_paper: bool) -> float:
    return _chart_metrics(bold, pixels, is_paper).horizontalAdvance(text)


def forget_fonts(_theme: object = None) -> None:
    """Look the fonts up anew: the program's font or the screen's resolution has changed."""
    for kept in (_chart_font, _chart_metrics, kept_font, kept_metrics, _text_width):
        kept.cache_clear()


# Connected before any chart is: every chart paints again with the new fonts.
theme_notifier().theme_changed.connect(forget_fonts)
