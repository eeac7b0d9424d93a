"""Round ticks and how they are written."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.document.wording import NBSP, format_number
from core.presentation.charts.chart import AxisSpec
from payoff.types import FloatArray

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_PLAIN_STEPS = (1.0, 2.0, 3.0, 4.0, 5.0, 10.0)  # money and numbers: 4,000 reads better than 2,500


@dataclass(frozen=True, slots=True)
class Ticks:
    """Tick values with their texts."""

    values: tuple[float, ...]
    texts: tuple[str, ...]


def nice_step(span: float, most: int, *, is_percent: bool = False) -> float:
    """The smallest round step with at most ``most`` steps: 1, 2, 3, 4 or 5 times a power of ten.

    Percentages take 2.5 instead of 3 and 4, so that 100 % is always a tick.
    """
    if not math.isfinite(span) or span <= 0:
        return 1.0
    raw = span / max(1, most)
    power = 10.0 ** math.floor(math.log10(raw))
    for step in _STEPS if is_percent else _PLAIN_STEPS:
        if step * power >= raw * (1 - 1e-9):
            return step * power
    return 10.0 * power


def floor_to(value: float, step: float) -> float:
    """The last multiple of ``step`` at or below a value."""
    return math.floor(value / step + 1e-9) * step


def ceil_to(value: float, step: float) -> float:
    """The first multiple of ``step`` at or above a value."""
    return math.ceil(value / step - 1e-9) * step


def money_unit(largest: float, is_compact: bool) -> tuple[float, str]:
    """Divisor and word of a money axis: small charts say "thousand" sooner."""
    limits = (1e10, 1e7, 1e4) if is_compact else (1e11, 1e8, 1e6)
    for limit, divisor, word in zip(
        limits, (1e9, 1e6, 1e3), ("billion", "million", "thousand"), strict=True
    ):
        if largest >= limit:
            return divisor, word
    return 1.0, ""


def axis_label(axis: AxisSpec, is_compact: bool) -> str:
    """The axis' quantity and unit: "total profit, thousand €"."""
    if axis.quantity != "money":
        return axis.label
    _, word = money_unit(max(abs(axis.low), abs(axis.high)), is_compact)
    unit = f"{word} {axis.currency}".strip()
    return f"{axis.label}, {unit}" if unit else axis.label


def make_ticks(axis: AxisSpec, low: float, high: float, step: float, is_compact: bool) -> Ticks:
    """Ticks at the multiples of a step between two values, written in the axis' unit.

    An axis of names has a tick at every name, or at every second, third ... where they are many.
    """
    if axis.words:
        gap = max(1, round(step))
        places = range(0, len(axis.words), gap)
        inside = [place for place in places if low <= place <= high]
        return Ticks(
            values=tuple(float(place) for place in inside),
            texts=tuple(axis.words[place] for place in inside),
        )
    last = high if axis.last_tick is None else min(high, axis.last_tick)
    first = math.ceil(low / step - 1e-9)
    count = math.floor(last / step + 1e-9) - first + 1
    values = tuple((first + index) * step for index in range(max(0, count)))
    return Ticks(values=values, texts=tuple(_write(axis, v, step, is_compact) for v in values))


def _write(axis: AxisSpec, value: float, step: float, is_compact: bool) -> str:
    scale, suffix = 1.0, ""
    if axis.quantity == "percent":
        scale, suffix = 0.01, f"{NBSP}%"
    elif axis.quantity == "money":
        scale, _ = money_unit(max(abs(axis.low), abs(axis.high)), is_compact)
    decimals = max(0, -math.floor(math.log10(step / scale) + 1e-9))
    if round(step / scale * 10**decimals, 6) % 1:  # a step of 2.5 needs one decimal more
        decimals += 1
    return f"{format_number(value / scale, decimals)}{suffix}"


def extent(lines: list[FloatArray], *, count: int = 4) -> tuple[float, float]:
    """Round ends of an axis of money that holds zero and all lines."""
    values = np.concatenate([line[np.isfinite(line)] for line in lines] or [np.zeros(1)])
    low = min(0.0, float(values.min(initial=0.0)))
    high = max(0.0, float(values.max(initial=0.0)))
    if high <= low:
        return low - 1.0, high + 1.0
    step = nice_step(high - low, count)
    return math.floor(low / step + 1e-9) * step if low < 0 else 0.0, high
