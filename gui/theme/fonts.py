"""The system's UI font at the theme's sizes, with tabular figures."""

from __future__ import annotations

from functools import cache
from typing import Literal

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QGuiApplication

from core.presentation.theme import Sizes

TextRole = Literal["note", "body", "section", "title", "number"]

# What a bare X server or the offscreen platform names where no desktop has chosen a UI font.
_NOBODY_CHOSE = {"", "sans", "sans serif", "sans-serif", "dejavu sans", "helvetica", "monospace"}
_WIDEST = 53.5
"""Width per character of semi-bold text at 100 pixels; the pages are laid out for Inter's 52.6."""
_ORDINARY = "What each decision earns or costs 0123456789"
_PREFERRED = ("Inter", "Inter Variable", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans")


def points(pixels: float) -> float:
    """Type size in points: Qt takes fractions of points, but only whole pixels."""
    screen = QGuiApplication.primaryScreen()
    dots = screen.logicalDotsPerInchY() if screen is not None else 96.0
    return pixels * 72.0 / dots


def tabular(font: QFont) -> QFont:
    """The font with figures of equal width, so that columns of numbers line up."""
    copy = QFont(font)
    copy.setFeature(QFont.Tag("tnum"), 1)
    return copy


def searchable(font: QFont) -> QFont:
    """The font with its own figures and signs, which a PDF can name: see ``tabular``."""
    copy = QFont(font)
    copy.unsetFeature(QFont.Tag("tnum"))
    for shapes in ("calt", "liga", "clig"):  # signs that follow their neighbours, joined letters
        copy.setFeature(QFont.Tag(shapes), 0)
    return copy


def ui_family() -> str:
    """The desktop's UI font, or the best installed one where no desktop chose."""
    chosen = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    if chosen.lower() not in _NOBODY_CHOSE:
        return chosen
    installed = set(QFontDatabase.families())
    return next((family for family in _PREFERRED if family in installed), chosen)


def strong_family() -> str:
    """The family of semi-bold text.

    Where a package brings single files beside a variable one, the system may answer "regular"
    from the one and "semi-bold" from the other, and their edges are smoothed differently: on a
    dark ground semi-bold then looks no heavier. The single file under its own name avoids that.
    """
    return _strong_family(QGuiApplication.font().family())


@cache
def _strong_family(family: str) -> str:
    names = {f"{family} semi bold".casefold(), f"{family} semibold".casefold()}  # Segoe UI Semibold
    return next((name for name in QFontDatabase.families() if name.casefold() in names), family)


def strengthen(font: QFont) -> QFont:
    """The font in the weight of headings and figures that stand out."""
    copy = QFont(font)
    copy.setFamily(strong_family())
    copy.setWeight(QFont.Weight.DemiBold)
    return copy


def text_font(role: TextRole = "body", *, bold: bool = False) -> QFont:
    """The font of a text role: note 11, body 12.5, section 14, title 18, number 26 pixels."""
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(points(getattr(Sizes(), role)))
    if bold or role in ("section", "title", "number"):
        font = strengthen(font)
    return tabular(font)


@cache
def stretch_of(family: str) -> int:
    """Per cent of its own width at which a wide font fits the room that pages give to words.

    0 leaves the font as it is: a stretch of 100 would widen one that is narrow by design.
    """
    font = QFont(family)
    font.setPixelSize(100)
    font.setWeight(QFont.Weight.DemiBold)
    for stretch in (0, 95, 90, 85):
        font.setStretch(stretch)
        if QFontMetricsF(font).horizontalAdvance(_ORDINARY) <= _WIDEST * len(_ORDINARY):
            return stretch
    return 80


def application_font() -> QFont:
    """The font of the whole program; a wide one is condensed."""
    font = QFont(ui_family())
    font.setStretch(stretch_of(font.family()))
    font.setPointSizeF(points(Sizes().body))
    return tabular(font)
