"""Small line charts as SVG text, with bands, for the report: no library, no script."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.document.markup import NOTHING, Html, joined, tag
from payoff.types import FloatArray

WIDTH, HEIGHT = 660, 300
LEFT, RIGHT, TOP, BOTTOM = 78, 152, 22, 46
SAMPLE = 22
NAME_STEP = 15
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87D00", "#2E86B8", "#000000")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class SvgLine:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """An upright line at a place of the x axis, with its words: where the cursor stands."""

    at: float
    words: str


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


def line_chart(
    title: str, lines: tuple[SvgLine, ...], x: Axis, y: Axis, mark: Mark | None = None
) -> Html:
    """One chart as an ``<svg>`` element with an accessible title."""
    to_x = _scale(x.low, x.high, LEFT, WIDTH - RIGHT)
    to_y = _scale(y.low, y.high, HEIGHT - BOTTOM, TOP)
    parts = (
        tag("title", title),
        *_axes(x, y, to_x, to_y),
        _zero(y, to_y),
        *(_band(line, to_x, to_y) for line in lines if line.low is not None),
        *(_path(line, to_x, to_y) for line in lines),
        *(() if mark is None else _mark(mark, to_x)),
        *_names(lines, to_y),
    )
    content = joined((part for part in parts if part), "\n")
    return tag("svg", content, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)


Scale = Callable[[float], float]


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _tick(text: str, anchor: str = "middle", **place: object) -> Html:
    """A text of an axis."""
    return tag("text", text, **place, text_anchor=anchor, kind="tick")


def _axes(x: Axis, y: Axis, to_x: Scale, to_y: Scale) -> list[Html]:
    base = HEIGHT - BOTTOM
    left, right = LEFT, WIDTH - RIGHT
    parts = []
    for value in nice_ticks(y.low, y.high):
        level = to_y(value)
        at = f"{level:.1f}"
        parts.append(tag("line", x1=left, x2=right, y1=at, y2=at, stroke="#E8EBEF"))
        parts.append(_tick(y.text(value), "end", x=LEFT - 8, y=f"{level + 4:.1f}"))
    for value in nice_ticks(x.low, x.high):
        parts.append(_tick(x.text(value), x=f"{to_x(value):.1f}", y=base + 17))
    parts.append(tag("line", x1=left, x2=right, y1=base, y2=base, stroke="#8A93A0"))
    parts.append(_tick(x.label, x=(left + right) / 2, y=HEIGHT - 8))
    turned = f"translate(14 {(TOP + base) / 2}) rotate(-90)"
    parts.append(_tick(y.label, transform=turned))
    return parts


def _zero(y: Axis, to_y: Scale) -> Html:
    """The line at 0, where gain and loss part; none where it is an end of the axis."""
    if not y.low < 0.0 < y.high:
        return NOTHING
    at = f"{to_y(0.0):.1f}"
    return tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=at, y2=at, stroke="#8A93A0")


def _mark(mark: Mark, to_x: Scale) -> tuple[Html, Html]:
    at = f"{to_x(mark.at):.1f}"
    line = tag("line", x1=at, x2=at, y1=TOP, y2=HEIGHT - BOTTOM, stroke="#1B1F24")
    middle = (LEFT + WIDTH - RIGHT) / 2
    anchor = "start" if to_x(mark.at) < middle else "end"
    return line, tag("text", mark.words, x=at, y=TOP - 7, text_anchor=anchor, kind="tick")


def _points(x: FloatArray, y: FloatArray, to_x: Scale, to_y: Scale) -> list[str]:
    usable = np.isfinite(x) & np.isfinite(y)
    return [f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in zip(x[usable], y[usable], strict=True)]


def _path(line: SvgLine, to_x: Scale, to_y: Scale) -> Html:
    points = " ".join(_points(line.x, line.y, to_x, to_y))
    return tag("polyline", points=points, fill="none", **_stroke(line))


def _stroke(line: SvgLine) -> dict[str, object]:
    """Colour, width and dash of a line, in the picture and beside its name."""
    if line.series is None:
        return {"stroke": "#5B6470", "stroke_width": 1, "stroke_dasharray": "4 3"}
    return {
        "stroke": COLOURS[line.series % len(COLOURS)],
        "stroke_width": 2,
        "stroke_dasharray": DASHES[line.series % len(DASHES)] or None,
    }


def _band(line: SvgLine, to_x: Scale, to_y: Scale) -> Html:
    if line.low is None or line.high is None or line.series is None:
        return NOTHING
    upper = _points(line.x, line.high, to_x, to_y)
    lower = _points(line.x, line.low, to_x, to_y)
    colour = COLOURS[line.series % len(COLOURS)]
    return tag("polygon", points=" ".join(upper + lower[::-1]), fill=colour, opacity=0.15)


def _names(lines: tuple[SvgLine, ...], to_y: Scale) -> list[Html]:
    """Names at the line ends with a piece of the line, moved apart so that none covers another."""
    ends = []
    for line in lines:
        usable = np.flatnonzero(np.isfinite(line.y))
        if len(usable):
            ends.append((to_y(float(line.y[usable[-1]])), line))
    ends.sort(key=lambda entry: entry[0])
    placed: list[Html] = []
    lowest = float("-inf")
    for index, (level, line) in enumerate(ends):
        margin_below = HEIGHT - BOTTOM - NAME_STEP * (len(ends) - 1 - index)
        lowest = max(min(level + 4, margin_below), lowest + NAME_STEP)
        colour = "#5B6470" if line.series is None else COLOURS[line.series % len(COLOURS)]
        left, middle = WIDTH - RIGHT + 8, f"{lowest - 4:.1f}"
        sample = {"x1": left, "x2": left + SAMPLE, "y1": middle, "y2": middle}
        placed.append(tag("line", **sample, **_stroke(line)))
        place = {"x": left + SAMPLE + 6, "y": f"{lowest:.1f}"}
        placed.append(tag("text", line.name, **place, kind="name", fill=colour))
    return placed
