"""Charts whose colours fill an area, and steps below each other: where things stand, and pixels.

The screen, files and pages draw what this says, each with its own pen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.presentation.charts.chart import (
    CONSTANT,
    AxisSpec,
    Chart,
    RegionsSpec,
    ShadesSpec,
    StepSpec,
)
from core.presentation.charts.scales import Ticks, make_ticks, nice_step
from core.presentation.theme import Theme
from payoff.types import FloatArray, IntArray

Pixels = NDArray[np.uint8]
"""(rows from above, columns, red green blue)."""
TextWidth = Callable[[str], float]

FAINT, STRONG = 0.28, 0.80  # share of a region's colour where it barely and clearly wins
EDGE = 0.45  # how far the edge of a region goes towards the colour of text
LABELLED = 0.02  # a region that fills less of the map gets no name in it
STEP_ROW, ROOMY_STEP_ROW = 26, 40
"""A step takes at least the one and at most the other, by the room there is."""
STEP_BAR = 12.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, from the top."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right end."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower end."""
        return self.top + self.height


# ---------------------------------------------------------------- colours


def _channels(colour: str) -> FloatArray:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)


def region_colour(series: int, place: int, theme: Theme) -> str:
    """The colour of a model, or one of the greys of constant rules."""
    if series != CONSTANT:
        return theme.series_colour(series)
    greys = (theme.quiet, theme.disabled, theme.control_border)
    return greys[place % len(greys)]


def area_pixels(chart: Chart, theme: Theme) -> Pixels:
    """One pixel for each point of the grid."""
    if chart.regions is not None:
        return _region_pixels(chart.regions, theme)
    assert chart.shades is not None
    return shade_pixels(chart.shades.values, chart.shades, theme)


def _region_pixels(regions: RegionsSpec, theme: Theme) -> Pixels:
    """The winner's colour, stronger with the margin; edges are darker."""
    region, margin = regions.region.astype(np.int64), regions.margin
    known = margin[np.isfinite(margin)]
    most = float(np.quantile(known, 0.9)) if known.size else 0.0
    strength = np.clip(margin / most, 0.0, 1.0) if most > 0 else np.ones(margin.shape)
    share = (FAINT + (STRONG - FAINT) * np.sqrt(strength))[:, :, np.newaxis]
    colours = [region_colour(s, place, theme) for place, s in enumerate(regions.series)]
    table = np.array([_channels(colour) for colour in colours])
    background = _channels(theme.card)
    pixels = background + share * (table[region] - background)
    is_edge = _edges(region)
    pixels[is_edge] += EDGE * (_channels(theme.text) - pixels[is_edge])
    return np.ascontiguousarray(pixels[::-1].round().astype(np.uint8))


def _edges(region: IntArray) -> NDArray[np.bool_]:
    """Settings whose right or upper neighbour has another winner."""
    edges = np.zeros(region.shape, dtype=bool)
    edges[:, :-1] |= region[:, 1:] != region[:, :-1]
    edges[:-1] |= region[1:] != region[:-1]
    return edges


def shade_pixels(values: FloatArray, shades: ShadesSpec, theme: Theme) -> Pixels:
    """Values (rows from below, columns) from the card's colour to the model's."""
    low, high = shade_ends(shades)
    span = (high - low) or 1.0
    share = np.clip((np.nan_to_num(values, nan=low) - low) / span, 0.0, 1.0)[::-1, :, np.newaxis]
    first, last = _channels(theme.track), _channels(theme.series_colour(shades.series))
    return np.ascontiguousarray((first + share * (last - first)).round().astype(np.uint8))


def shade_ends(shades: ShadesSpec) -> tuple[float, float]:
    """The lowest and the highest value."""
    known = shades.values[np.isfinite(shades.values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)


# ---------------------------------------------------------------- places


def area_ticks(axis: AxisSpec, most: int) -> Ticks:
    """Round values along an axis, or its names in the middle of their cells."""
    if axis.words:
        span = axis.high - axis.low
        count = len(axis.words)
        places = tuple(axis.low + span * (at + 0.5) / count for at in range(count))
        return Ticks(values=places, texts=axis.words)
    step = nice_step(axis.high - axis.low, most, is_percent=axis.quantity == "percent")
    return make_ticks(axis, axis.low, axis.high, step, True)


def now_place(chart: Chart, plot: Box) -> tuple[float, float]:
    """Where the present values are, inside the map or not."""
    assert chart.regions is not None
    x, y = chart.regions.now
    across = (x - chart.x_axis.low) / (chart.x_axis.high - chart.x_axis.low)
    up = (y - chart.y_axis.low) / (chart.y_axis.high - chart.y_axis.low)
    return plot.left + across * plot.width, plot.bottom - up * plot.height


@dataclass(frozen=True, slots=True)
class RegionName:
    """The name of a region with the room behind it; its text begins at ``left`` on ``base``."""

    text: str
    left: float
    base: float
    room: Box


def region_names(
    chart: Chart, plot: Box, text_width: TextWidth, height: float, ascent: float
) -> list[RegionName]:
    """The name of each large region at its middle: the second code beside the colour."""
    regions = chart.regions
    assert regions is not None
    rows, columns = regions.region.shape
    now_x, now_y = now_place(chart, plot)
    found = []
    for place, name in enumerate(regions.names):
        inside = np.argwhere(regions.region == place)
        if inside.shape[0] < LABELLED * regions.region.size:
            continue
        middle = inside.mean(axis=0)
        nearest = inside[np.abs(inside - middle).sum(axis=1).argmin()]
        x = plot.left + plot.width * nearest[1] / max(1, columns - 1)
        y = plot.bottom - plot.height * nearest[0] / max(1, rows - 1)
        width = text_width(name)
        left = min(max(plot.left + 4, x - width / 2), plot.right - width - 4)
        if abs(now_x - x) < width / 2 + 10 and abs(now_y - y) < height + 4:
            y = now_y + 1.8 * height  # the present point stays in sight
        base = float(min(max(plot.top + ascent + 3, y), plot.bottom - 5))
        room = Box(float(left) - 4, base - ascent - 1, width + 8, height + 2)
        found.append(RegionName(name, float(left), base, room))
    return found


# ---------------------------------------------------------------- tiles

TILE_HEAD, TILE_GAP = 18.0, 6.0
TILE_LEAST, TILE_MOST = 56.0, 76.0
"""A tile is at least and at most so high."""
TILE_LINES = (16.0, 33.0, 49.0)
"""Where name, figure and note of a tile stand, from its top."""


@dataclass(frozen=True, slots=True)
class TilePlaces:
    """Boxes of tiles, row by row, and of the heads above them."""

    heads: tuple[Box, ...]
    tiles: tuple[Box, ...]


def tile_places(chart: Chart, width: float, height: float) -> TilePlaces:
    """As many columns as there are heads."""
    columns = len(chart.tile_heads)
    rows = -(-len(chart.tiles) // columns)
    wide = (width - TILE_GAP * (columns - 1)) / columns
    room = (height - TILE_HEAD - TILE_GAP * (rows - 1)) / rows
    tall = min(max(TILE_LEAST, room), TILE_MOST)
    lefts = [column * (wide + TILE_GAP) for column in range(columns)]
    tops = [TILE_HEAD + row * (tall + TILE_GAP) for row in range(rows)]
    boxes = [Box(left, top, wide, tall) for top in tops for left in lefts]
    heads = tuple(Box(left, 0.0, wide, TILE_HEAD) for left in lefts)
    return TilePlaces(heads, tuple(boxes[: len(chart.tiles)]))


# ---------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class StepPlace:
    """One step with its row and its bar; ``thread`` is where the next step begins, or None."""

    step: StepSpec
    row: Box
    bar: Box
    name_width: float
    thread: float | None

    @property
    def role(self) -> str:
        """The colour of its bar."""
        return "text" if self.step.is_total else self.step.role


def step_places(
    steps: tuple[StepSpec, ...], width: float, height: float, text_width: TextWidth
) -> list[StepPlace]:
    """Names left, words right, and between them the bars on one scale."""
    names = min(max(text_width(step.name) for step in steps) + 16.0, 0.4 * width)
    values = max(text_width(step.words) for step in steps) + 12.0
    low = min(min(step.start, step.end) for step in steps)
    high = max(max(step.start, step.end) for step in steps)
    room = max(20.0, width - names - values)
    scale = room / (high - low) if high > low else 0.0
    tall = height / len(steps)
    places = []
    for place, step in enumerate(steps):
        left = names + (min(step.start, step.end) - low) * scale
        length = max(2.0, abs(step.end - step.start) * scale)
        row = Box(0.0, place * tall, width, tall)
        bar = Box(left, row.top + (tall - STEP_BAR) / 2, length, STEP_BAR)
        thread = bar.right - 1 if step.end > step.start else bar.left
        is_last = place + 1 == len(steps)
        places.append(StepPlace(step, row, bar, names, None if is_last else thread))
    return places
