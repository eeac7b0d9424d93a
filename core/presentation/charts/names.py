"""Where the names of grey lines are put: clear of every line, of boxes and of one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.presentation.charts.areas import Box, TextWidth
from core.presentation.charts.chart import BaselineSpec, Chart, SeriesSpec, Side
from payoff.types import FloatArray

PLATE = 0.82
"""Opacity of what is put behind a name that has no free place."""
_ABOVE, _BELOW, _BESIDE, _INSET = 5.0, 4.0, 9.0, 4.0  # pixels between a name and its line, an edge
_AROUND = 2.0  # pixels kept free on both sides of a name
_PLACES = np.linspace(0.05, 0.95, 19)  # of the x axis
_ROWS = 1.3  # of a name's height from one place beside an upright line to the next
_OTHER_SIDE: dict[Side, Side] = {
    "above": "below",
    "below": "above",
    "left": "right",
    "right": "left",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the plot is, and the map from data to its pixels."""

    plot: Box
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        """Pixels from the left of a value on the x axis."""
        return self.plot.left + (value - self.x_low) / (self.x_high - self.x_low) * self.plot.width

    def y(self, value: float) -> float:
        """Pixels from the top of a value on the y axis."""
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.plot.bottom - share * self.plot.height

    def pixels(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same of all points of a line."""
        across = (x - self.x_low) / (self.x_high - self.x_low)
        up = (y - self.y_low) / (self.y_high - self.y_low)
        plot = self.plot
        return plot.left + across * plot.width, plot.bottom - up * plot.height

    def points(self, x: FloatArray, y: FloatArray) -> list[str]:
        """The points of a line as SVG writes them."""
        usable = np.isfinite(x) & np.isfinite(y)
        pairs = zip(x[usable].tolist(), y[usable].tolist(), strict=True)
        return [f"{self.x(a):.1f},{self.y(b):.1f}" for a, b in pairs]

    def is_inside(self, x: float, y: float) -> bool:
        """Is a value within the ranges shown?"""
        return self.x_low <= x <= self.x_high and self.y_low <= y <= self.y_high


@dataclass(frozen=True, slots=True)
class Lettering:
    """The font of names: how wide a text is, how high its letters stand, the height of a line."""

    width: TextWidth
    ascent: float
    height: float


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name whose text begins at ``left`` on ``base``.

    ``is_over``: it has no free place, lies over a line and wants a plate in ``room`` behind it.
    """

    text: str
    left: float
    base: float
    room: Box
    is_over: bool


def baseline_names(
    chart: Chart, frame: Frame, letters: Lettering, taken: Sequence[Box] = ()
) -> list[PlacedName]:
    """Place the names of a chart's grey lines.

    A name is put on its side of its line at its place, else on the other side, else as near to
    that place along its line as it is free. Without a free place it is left out where it
    ``needs_margin``, and gets a plate where it covers least elsewhere.

    Parameters
    ----------
    chart, frame, letters
        What is drawn, where, and in which font.
    taken : sequence of Box
        What a name must not touch, as the box of the cursor. A name that would is left out.
    """
    segments = _segments(chart, frame)
    found: list[PlacedName] = []
    for line in chart.baselines:
        blocks = [*taken, *(name.room for name in found)]
        name = _placed(line, frame, letters, segments, blocks)
        if name is not None:
            found.append(name)
    return found


def _placed(
    line: BaselineSpec,
    frame: Frame,
    letters: Lettering,
    segments: FloatArray,
    blocks: list[Box],
) -> PlacedName | None:
    best, least = None, np.inf
    width = letters.width(line.name)
    for left, base in _places(line, frame, letters, width):
        top = base - letters.ascent
        room = Box(left - _AROUND, top, width + 2 * _AROUND, letters.height)
        if any(_overlap(room, block) for block in blocks):
            continue
        crossing = _crossing(segments, room)
        if crossing < least:
            best = PlacedName(line.name, left, base, room, crossing > 0)
            least = crossing
        if not crossing:
            return best
    return None if line.needs_margin else best


def _places(
    line: BaselineSpec, frame: Frame, letters: Lettering, width: float
) -> Iterator[tuple[float, float]]:
    """Where a name could begin, the place that its line asks for first."""
    known = np.isfinite(line.x) & np.isfinite(line.y)
    if not line.name or not known.any():
        return
    order = np.argsort(line.x[known], kind="stable")
    x, y = line.x[known][order], line.y[known][order]
    wanted = frame.x_low + line.label_at * (frame.x_high - frame.x_low)
    if x[0] == x[-1] and (len(x) > 1 or line.side in ("left", "right")):
        yield from _beside(line.side, wanted, float(np.max(y)), frame, letters, width)
        return
    if not frame.is_inside(wanted, float(np.interp(wanted, x, y))):
        return
    path = frame.pixels(x, y)
    base = float(np.interp(frame.x(wanted), *path)) + letters.ascent
    if line.needs_margin and line.side == "below" and base + 6 >= frame.plot.bottom:
        return
    others = frame.x_low + _PLACES * (frame.x_high - frame.x_low)
    others = others[(others >= x[0]) & (others <= x[-1])]
    nearest = others[np.argsort(np.abs(others - wanted), kind="stable")].tolist()
    for at in (wanted, *nearest):
        for side in (line.side, _OTHER_SIDE[line.side]):
            if frame.is_inside(at, float(np.interp(at, x, y))):
                yield _along(side, frame.x(at), path, frame, letters, width)


def _along(
    side: Side,
    at: float,
    path: tuple[FloatArray, FloatArray],
    frame: Frame,
    letters: Lettering,
    width: float,
) -> tuple[float, float]:
    """Above or below a line, beyond its whole stretch over or under the name."""
    plot = frame.plot
    left = min(max(at - width / 2, plot.left + 2), plot.right - width - 2)
    ends = np.array([left, left + width])
    across, down = path
    under = down[(across >= ends[0]) & (across <= ends[1])]
    heights = np.concatenate([np.interp(ends, across, down), under])
    base = float(heights.min()) - _ABOVE
    if side == "below":
        base = float(heights.max()) + letters.ascent + _BELOW
    return _inside(left, base, plot, letters)


def _beside(
    side: Side, at: float, top: float, frame: Frame, letters: Lettering, width: float
) -> Iterator[tuple[float, float]]:
    """Left or right of an upright line, from its top down."""
    plot = frame.plot
    if not frame.x_low <= at <= frame.x_high:
        return
    wanted: Side = "left" if side == "left" else "right"
    base = max(frame.y(top), plot.top) + letters.ascent + 2
    while base < plot.bottom:
        for place in (wanted, _OTHER_SIDE[wanted]):
            left = frame.x(at) + (_BESIDE if place == "right" else -_BESIDE - width)
            if plot.left <= left <= plot.right - width - 2:
                yield _inside(left, base, plot, letters)
        base += _ROWS * letters.height


def _inside(left: float, base: float, plot: Box, letters: Lettering) -> tuple[float, float]:
    lowest = plot.bottom - _INSET
    return float(round(left)), float(round(min(max(base, plot.top + letters.ascent), lowest)))


def _overlap(one: Box, other: Box) -> bool:
    is_across = one.left < other.right and other.left < one.right
    return is_across and one.top < other.bottom and other.top < one.bottom


def _segments(chart: Chart, frame: Frame) -> FloatArray:
    """All pieces of all lines, in pixels: (pieces, x y x y)."""
    found = [np.empty((0, 4))]
    lines: tuple[SeriesSpec | BaselineSpec, ...] = (*chart.visible_series(), *chart.baselines)
    for line in lines:
        across, down = frame.pixels(line.x, line.y)
        pieces = np.column_stack([across[:-1], down[:-1], across[1:], down[1:]])
        found.append(pieces[np.isfinite(pieces).all(axis=1)])
    return np.concatenate(found)


def _crossing(segments: FloatArray, box: Box) -> int:
    """How many pieces of lines run through a box (Liang and Barsky 1984)."""
    first, last = np.zeros(len(segments)), np.ones(len(segments))
    for axis, low, high in ((0, box.left, box.right), (1, box.top, box.bottom)):
        start = segments[:, axis]
        step = segments[:, axis + 2] - start
        with np.errstate(divide="ignore", invalid="ignore"):
            enter, leave = (low - start) / step, (high - start) / step
        is_level, is_within = step == 0.0, (start >= low) & (start <= high)
        outside = np.where(is_within, -np.inf, np.inf)
        first = np.maximum(first, np.where(is_level, outside, np.minimum(enter, leave)))
        last = np.minimum(last, np.where(is_level, -outside, np.maximum(enter, leave)))
    return int(np.sum(first <= last))
