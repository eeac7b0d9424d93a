"""Numbers in sentences: numbers of the matrix, distances from them, predictions."""

from __future__ import annotations

import math

from core.document.wording import MINUS, NBSP, NumberText, format_number, format_share

LARGE = 10_000.0  # from here on amounts have no decimals
FARTHEST = 10_000.0  # per cent: what lies further says nothing by its number


def every_digit(value: float) -> str:
    """A number so that reading it back gives the same value; missing is empty."""
    return "" if math.isnan(value) else repr(value)


def four_digits(value: float) -> NumberText:
    """A number with four digits that matter, however large or small: 0.0003271, 1.2e+06."""
    return NumberText(f"{value:.4g}", value)


def setting_words(value: float, unit: str, currency: str) -> NumberText:
    """A number of the matrix as it is written in a sentence: € 1.60, −€ 24.00, 6.25 %."""
    if unit == "share":
        return format_share(value, 2)
    text = format_number(abs(value), 2 if abs(value) < LARGE else 0)
    mark = MINUS if value < 0 and text.strip("0.,") else ""
    return NumberText(f"{mark}{currency}{NBSP}{text}" if currency else f"{mark}{text}", value)


def distance_words(value: float, now: float, unit: str) -> NumberText:
    """How far a value lies from the present one: +46.9 %, or the difference where that is 0."""
    step = value - now
    sign = "+" if step > 0 else MINUS if step < 0 else ""
    if now == 0:
        size = format_share(abs(step), 2) if unit == "share" else format_number(abs(step), 2)
        return NumberText(f"{sign}{size}", step)
    far = step / abs(now)
    percent = 100.0 * abs(far)
    if not percent < FARTHEST:
        return NumberText(f"{sign} over {format_number(FARTHEST / 100, 0)}{NBSP}×", far)
    return NumberText(f"{sign}{format_number(percent, 1 if percent < 100 else 0)}{NBSP}%", far)


def predicted_words(value: float, *, is_chance: bool) -> NumberText:
    """A prediction in words: a chance in percent, else a number with four digits that matter."""
    if is_chance:
        return format_share(value)
    return number_words(value)


def number_words(value: float) -> NumberText:
    """A number with about four digits that matter."""
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    decimals = 0 if size >= 1000 or value == round(value) else 3 - max(0, len(f"{size:.0f}") - 1)
    return format_number(value, max(0, decimals))


def signed_words(amount: float) -> NumberText:
    """An amount with its sign, to a hundredth where it is small."""
    size = abs(amount)
    words = format_number(size, 2) if size < 10 else number_words(size)
    return NumberText(f"{'+' if amount >= 0 else '−'}{words}", amount)
