"""Small line charts as SVG text, with bands, for the report: no library, no script."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import numpy as np

from payoff.types import FloatArray

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 78, 118, 14, 46
NAME_STEP = 15
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87D00", "#2E86B8", "#000000")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: ``series`` None draws a thin grey baseline."""

    name: str
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    series: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis: its words and how its numbers are written."""

    label: str
    text: Callable[[float], str]
    low: float
    high: float


def nice_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers between two limits, about ``wanted`` of them."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * f for f in (1, 2, 2.5, 5, 10) if power * f >= rough)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def line_chart(title: str, lines: tuple[Line, ...], x: Axis, y: Axis) -> str:
    """One chart as an ``<svg>`` element with an accessible title."""
    to_x = _scale(x.low, x.high, LEFT, WIDTH - RIGHT)
    to_y = _scale(y.low, y.high, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        *_axes(x, y, to_x, to_y),
        *(_band(line, to_x, to_y) for line in lines if line.low is not None),
        *(_path(line, to_x, to_y) for line in lines),
        *_names(lines, to_y),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


Scale = Callable[[float], float]


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _axes(x: Axis, y: Axis, to_x: Scale, to_y: Scale) -> list[str]:
    base = HEIGHT - BOTTOM
    parts = []
    for value in nice_ticks(y.low, y.high):
        level = to_y(value)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}" '
            f'stroke="#E8EBEF"/><text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end" '
            f'class="tick">{escape(y.text(value))}</text>'
        )
    for value in nice_ticks(x.low, x.high):
        parts.append(
            f'<text x="{to_x(value):.1f}" y="{base + 17}" text-anchor="middle" '
            f'class="tick">{escape(x.text(value))}</text>'
        )
    parts.append(
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{base}" y2="{base}" stroke="#8A93A0"/>'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle" '
        f'class="tick">{escape(x.label)}</text>'
        f'<text transform="translate(14 {(TOP + base) / 2}) rotate(-90)" text-anchor="middle" '
        f'class="tick">{escape(y.label)}</text>'
    )
    return parts


def _points(x: FloatArray, y: FloatArray, to_x: Scale, to_y: Scale) -> list[str]:
    usable = np.isfinite(x) & np.isfinite(y)
    return [f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in zip(x[usable], y[usable], strict=True)]


def _path(line: Line, to_x: Scale, to_y: Scale) -> str:
    points = " ".join(_points(line.x, line.y, to_x, to_y))
    if line.series is None:
        style = 'stroke="#5B6470" stroke-width="1" stroke-dasharray="4 3"'
    else:
        dash = DASHES[line.series % len(DASHES)]
        colour = COLOURS[line.series % len(COLOURS)]
        style = f'stroke="{colour}" stroke-width="2"' + (
            f' stroke-dasharray="{dash}"' if dash else ""
        )
    return f'<polyline points="{points}" fill="none" {style}/>'


def _band(line: Line, to_x: Scale, to_y: Scale) -> str:
    if line.low is None or line.high is None or line.series is None:
        return ""
    upper = _points(line.x, line.high, to_x, to_y)
    lower = _points(line.x, line.low, to_x, to_y)
    colour = COLOURS[line.series % len(COLOURS)]
    return f'<polygon points="{" ".join(upper + lower[::-1])}" fill="{colour}" opacity="0.15"/>'


def _names(lines: tuple[Line, ...], to_y: Scale) -> list[str]:
    """Names at the line ends, moved apart so that none covers another."""
    ends = []
    for line in lines:
        usable = np.flatnonzero(np.isfinite(line.y))
        if len(usable):
            ends.append((to_y(float(line.y[usable[-1]])), line))
    ends.sort(key=lambda entry: entry[0])
    placed: list[str] = []
    lowest = float("-inf")
    for index, (level, line) in enumerate(ends):
        room_below = HEIGHT - BOTTOM - NAME_STEP * (len(ends) - 1 - index)
        lowest = max(min(level + 4, room_below), lowest + NAME_STEP)
        colour = "#5B6470" if line.series is None else COLOURS[line.series % len(COLOURS)]
        placed.append(
            f'<text x="{WIDTH - RIGHT + 8}" y="{lowest:.1f}" class="name" '
            f'fill="{colour}">{escape(line.name)}</text>'
        )
    return placed
