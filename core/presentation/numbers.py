"""Numbers in sentences: numbers of the matrix, distances from them, predictions."""

from __future__ import annotations

import math

from core.document.wording import MINUS, NBSP, format_number, format_share

LARGE = 10_000.0  # from here on amounts have no decimals
FARTHEST = 10_000.0  # per cent: what lies further says nothing by its number


def setting_words(value: float, unit: str, currency: str) -> str:
    """A number of the matrix as it is written in a sentence: € 1.60, −€ 24.00, 6.25 %."""
    if unit == "share":
        return format_share(value, 2)
    text = format_number(abs(value), 2 if abs(value) < LARGE else 0)
    mark = MINUS if value < 0 and text.strip("0.,") else ""
    return f"{mark}{currency}{NBSP}{text}" if currency else f"{mark}{text}"


def distance_words(value: float, now: float, unit: str) -> str:
    """How far a value lies from the present one: +46.9 %, or the difference where that is 0."""
    step = value - now
    sign = "+" if step > 0 else MINUS if step < 0 else ""
    if now == 0:
        size = format_share(abs(step), 2) if unit == "share" else format_number(abs(step), 2)
        return f"{sign}{size}"
    percent = 100.0 * abs(step / now)
    if not percent < FARTHEST:
        return f"{sign} over {format_number(FARTHEST / 100, 0)}{NBSP}×"
    return f"{sign}{format_number(percent, 1 if percent < 100 else 0)}{NBSP}%"


def predicted_words(value: float, *, is_chance: bool) -> str:
    """A prediction in words: a chance in percent, else a number with four digits that matter."""
    if is_chance:
        return format_share(value)
    return number_words(value)


def number_words(value: float) -> str:
    """A number with about four digits that matter."""
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    decimals = 0 if size >= 1000 or value == round(value) else 3 - max(0, len(f"{size:.0f}") - 1)
    return format_number(value, max(0, decimals))


def signed_words(amount: float) -> str:
    """An amount with its sign, to a hundredth where it is small."""
    size = abs(amount)
    words = format_number(size, 2) if size < 10 else number_words(size)
    return f"{'+' if amount >= 0 else '−'}{words}"
