"""Charts as SVG text for pages: every kind of chart, no library, no script, no window.

The report of the window and the one without it hold the same picture, to the byte.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator

import numpy as np

from core.document.markup import Html, joined, tag
from core.presentation.charts.areas import (
    STEP_ROW,
    TILE_LINES,
    Box,
    Pixels,
    StepPlace,
    TilePlaces,
    area_pixels,
    area_ticks,
    now_place,
    region_names,
    shade_ends,
    shade_pixels,
    step_places,
    tile_places,
)
from core.presentation.charts.chart import BarsSpec, Chart, PointsSpec, SeriesSpec
from core.presentation.charts.names import PLATE, Frame, Lettering, baseline_names
from core.presentation.charts.reading import quantity_words
from core.presentation.charts.scales import Ticks, axis_label, floor_to, make_ticks, nice_step
from core.presentation.theme import LIGHT, series_dash

WIDTH, HEIGHT, SQUARE_HEIGHT = 760, 350, 470
TOP, FOOT, RIGHT = 12.0, 42.0, 18.0
LETTER, NARROW = 6.6, 3.7  # widths at 11 pixels, rather too wide than too narrow
ASCENT, TEXT = 9.0, 13.0  # height above the line, and whole
NAME, BOLD_NAME = 1.1, 1.25  # how much wider names are, at 12 pixels
NAME_STEP, SAMPLE = 15.0, 22.0
LEGEND_ROW = 20.0
_SQUARE = frozenset({"roc", "precision_recall", "calibration", "smooth_calibration"})
_NARROW_LETTERS = frozenset("iljtf.,:;'| ()[]-")


def text_width(text: str) -> float:
    """About how wide a small text is, whatever font the reader has."""
    return sum(NARROW if letter in _NARROW_LETTERS else LETTER for letter in text)


def _name_width(text: str) -> float:
    return NAME * text_width(text)


def _bold_width(text: str) -> float:
    return BOLD_NAME * text_width(text)


def chart_svg(chart: Chart) -> Html:
    """Return a chart as an ``<svg>`` element with an accessible title."""
    if chart.steps:
        height = float(STEP_ROW * len(chart.steps))
        parts = list(_steps(chart, height))
    elif chart.tiles:
        places = tile_places(chart, float(WIDTH), 0.0)
        height = places.tiles[-1].bottom + 1.0
        parts = list(_tiles(chart, places))
    elif chart.fills_area:
        height = float(HEIGHT)
        parts = list(_area(chart, height))
    else:
        legend = _legend(chart)
        height = (SQUARE_HEIGHT if chart.kind in _SQUARE else HEIGHT) + LEGEND_ROW * bool(legend)
        parts = [*legend, *_lines(chart, height, TOP + LEGEND_ROW * bool(legend))]
    content = joined((tag("title", chart.title), *parts), "\n")
    size = f"0 0 {WIDTH} {height:.0f}"
    return tag("svg", content, viewBox=size, role="img", aria_label=chart.title)


def _text(words: str, x: float, y: float, **attributes: object) -> Html:
    kinds: dict[str, object] = {"kind": "tick", **attributes}
    return tag("text", words, x=f"{x:.1f}", y=f"{y:.1f}", **kinds)


def _segment(x1: float, y1: float, x2: float, y2: float, colour: str, **attributes: object) -> Html:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return tag("line", **ends, stroke=colour, **attributes)


def _rectangle(box: Box, colour: str, **attributes: object) -> Html:
    sides = {"width": f"{max(0.0, box.width):.1f}", "height": f"{max(0.0, box.height):.1f}"}
    return tag("rect", x=f"{box.left:.1f}", y=f"{box.top:.1f}", **sides, fill=colour, **attributes)


# ---------------------------------------------------------------- lines, bars, points


def _lines(chart: Chart, height: float, top: float) -> Iterator[Html]:
    axis = chart.y_axis
    step = nice_step(axis.high - axis.low, 5, is_percent=axis.quantity == "percent")
    low = axis.low if axis.low >= 0 else floor_to(axis.low, step)
    high = axis.high + 0.03 * (axis.high - low) if axis.high > low else low + 1.0
    y_ticks = make_ticks(axis, low, axis.high, step, False)
    most = 8 if not chart.x_axis.words else max(2, int(WIDTH / 90))
    span = chart.x_axis.high - chart.x_axis.low
    x_step = nice_step(span, most, is_percent=chart.x_axis.quantity == "percent")
    x_ticks = make_ticks(chart.x_axis, chart.x_axis.low, chart.x_axis.high, x_step, False)
    ends = _end_names(chart)
    right = NAME * max((text_width(name) for name, _ in ends), default=0.0)
    right = min(right + SAMPLE + 20.0, 220.0) if ends else RIGHT
    plot = _plot(y_ticks, top, right, height)
    x_high = chart.x_axis.high if span > 0 else chart.x_axis.low + 1.0
    frame = Frame(plot, chart.x_axis.low, x_high, low, high)
    yield from _axes(chart, frame, x_ticks, y_ticks)
    yield from (bar for bars in chart.visible_bars() for bar in _bars(bars, frame))
    yield from (_band(entry, frame) for entry in chart.visible_series() if entry.low is not None)
    yield from (dot for group in chart.visible_points() for dot in _dots(group, frame))
    for line in chart.baselines:
        dash = "4 3" if line.is_dashed else None
        yield _path(frame.points(line.x, line.y), LIGHT.baseline, 1, dash)
    for entry in chart.visible_series():
        yield _path(frame.points(entry.x, entry.y), *_stroke(entry))
    yield from _baseline_names(chart, frame)
    yield from _names(ends, frame)


def _plot(y_ticks: Ticks, top: float, right: float, height: float) -> Box:
    widest = max((text_width(text) for text in y_ticks.texts), default=20.0)
    left = 24.0 + min(widest, 170.0) + 10.0
    return Box(left, top, WIDTH - left - right, height - top - FOOT)


def _axes(chart: Chart, frame: Frame, x_ticks: Ticks, y_ticks: Ticks) -> Iterator[Html]:
    plot = frame.plot
    for value, text in zip(y_ticks.values, y_ticks.texts, strict=True):
        at = frame.y(value)
        colour = LIGHT.control_border if value == 0.0 and frame.y_low < 0.0 else LIGHT.grid
        yield _segment(plot.left, at, plot.right, at, colour)
        yield _text(text, plot.left - 8, at + 4, text_anchor="end")
    yield _segment(plot.left, plot.bottom, plot.right, plot.bottom, LIGHT.control_border)
    if chart.rug is not None:
        for value in chart.rug[np.isfinite(chart.rug)].tolist():
            if frame.x_low <= value <= frame.x_high:
                at = frame.x(value)
                yield _segment(at, plot.bottom - 7, at, plot.bottom, LIGHT.control_border)
    yield from _axis_words(chart, plot, [(frame.x(v), t) for v, t in _paired(x_ticks)])


def _paired(ticks: Ticks) -> Iterator[tuple[float, str]]:
    return zip(ticks.values, ticks.texts, strict=True)


def _axis_words(chart: Chart, plot: Box, x_ticks: list[tuple[float, str]]) -> Iterator[Html]:
    """Values of the x axis that have room, and the names of both axes."""
    taken = float("-inf")
    for at, text in x_ticks:
        half = text_width(text) / 2
        if at - half > taken:
            yield _text(text, at, plot.bottom + 17, text_anchor="middle")
            taken = at + half + 6
    middle, base = plot.left + plot.width / 2, plot.bottom + 35
    yield _text(axis_label(chart.x_axis, False), middle, base, text_anchor="middle")
    if chart.x_axis.first_word:
        yield _text(chart.x_axis.first_word, plot.left, base)
    if chart.x_axis.last_word:
        yield _text(chart.x_axis.last_word, plot.right, base, text_anchor="end")
    turned = f"translate(14 {plot.top + plot.height / 2:.1f}) rotate(-90)"
    label = axis_label(chart.y_axis, False)
    yield tag("text", label, transform=turned, text_anchor="middle", kind="tick")


def _stroke(entry: SeriesSpec) -> tuple[str, int, str | None]:
    """Colour, width and dash of a line, in the picture and beside its name."""
    dash = series_dash(entry.series) if entry.dash is None else entry.dash
    colour = LIGHT.baseline if entry.is_quiet else LIGHT.series_colour(entry.series)
    return colour, 2, " ".join(f"{2 * part:g}" for part in dash) or None


def _path(points: list[str], colour: str, width: int, dash: str | None) -> Html:
    return tag(
        "polyline",
        points=" ".join(points),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_dasharray=dash,
    )


def _band(entry: SeriesSpec, frame: Frame) -> Html:
    assert entry.low is not None
    high = entry.y if entry.high is None else entry.high
    points = frame.points(entry.x, high) + frame.points(entry.x, entry.low)[::-1]
    opacity = LIGHT.band_chosen if entry.is_chosen else LIGHT.band_other
    colour = LIGHT.series_colour(entry.series)
    return tag("polygon", points=" ".join(points), fill=colour, opacity=opacity)


def _group_colour(series: int) -> str:
    return LIGHT.control_border if series < 0 else LIGHT.series_colour(series)


def _bars(bars: BarsSpec, frame: Frame) -> Iterator[Html]:
    foot = frame.y(max(0.0, frame.y_low))
    for x, y in zip(bars.x.tolist(), bars.y.tolist(), strict=True):
        if not np.isfinite(y):
            continue
        left = frame.x(x + bars.offset - bars.width / 2)
        right, top = frame.x(x + bars.offset + bars.width / 2), frame.y(y)
        box = Box(left, min(top, foot), right - left, abs(foot - top))
        yield _rectangle(box, _group_colour(bars.series), opacity=0.75)


def _dots(group: PointsSpec, frame: Frame) -> Iterator[Html]:
    """Points as lines of no length with round ends: one element for the whole group."""
    places = [point.replace(",", " ") for point in frame.points(group.x, group.y)]
    if places:
        yield tag(
            "path",
            d="".join(f"M{place}h0" for place in places),
            stroke=_group_colour(group.series),
            stroke_width=group.size,
            stroke_linecap="round",
            opacity=0.6,
        )


def _baseline_names(chart: Chart, frame: Frame) -> Iterator[Html]:
    """The names of the grey lines beside them."""
    for name in baseline_names(chart, frame, Lettering(text_width, ASCENT, TEXT)):
        if name.is_over:
            yield _rectangle(name.room, LIGHT.card, opacity=PLATE, rx=3)
        yield _text(name.text, name.left, name.base)


def _end_names(chart: Chart) -> list[tuple[str, SeriesSpec]]:
    """Lines that are named at their ends."""
    named = (entry for entry in chart.visible_series() if entry.name)
    return [(entry.name, entry) for entry in named if np.isfinite(entry.y).any()]


def _names(ends: list[tuple[str, SeriesSpec]], frame: Frame) -> Iterator[Html]:
    """Names at the line ends with a piece of the line, moved apart: none covers another."""
    found = []
    for _, entry in ends:
        last = int(np.flatnonzero(np.isfinite(entry.y))[-1])
        found.append((frame.y(float(entry.y[last])), entry))
    found.sort(key=lambda place: place[0])
    lowest = float("-inf")
    for index, (level, entry) in enumerate(found):
        margin_below = frame.plot.bottom - NAME_STEP * (len(found) - 1 - index)
        lowest = max(min(level + 4, margin_below), lowest + NAME_STEP)
        left, middle = frame.plot.right + 8, lowest - 4
        colour, width, dash = _stroke(entry)
        sample = {"stroke_width": width, "stroke_dasharray": dash}
        yield _segment(left, middle, left + SAMPLE, middle, colour, **sample)
        yield _text(entry.name, left + SAMPLE + 6, lowest, kind="name", fill=colour)


def _legend(chart: Chart) -> list[Html]:
    """Groups of bars and of points by name, in a row above the plot."""
    groups: list[BarsSpec | PointsSpec] = [*chart.visible_bars(), *chart.visible_points()]
    named = {group.name: group for group in groups if group.name}
    found, left = [], 24.0
    for name, group in named.items():
        found.append(_rectangle(Box(left, 5.0, 14.0, 9.0), _group_colour(group.series)))
        found.append(_text(name, left + 20, 14.0, kind="name"))
        left += 44.0 + NAME * text_width(name)
    return found


# ---------------------------------------------------------------- areas and steps


def _area(chart: Chart, height: float) -> Iterator[Html]:
    y_ticks = area_ticks(chart.y_axis, 6)
    plot = _plot(y_ticks, TOP, RIGHT if chart.shades is None else 110.0, height)
    frame = Frame(plot, chart.x_axis.low, chart.x_axis.high, chart.y_axis.low, chart.y_axis.high)
    yield _picture(area_pixels(chart, LIGHT), plot)
    yield _rectangle(plot, "none", stroke=LIGHT.control_border)
    for value, text in _paired(y_ticks):
        yield _text(text, plot.left - 8, frame.y(value) + 4, text_anchor="end")
    ticks = [(frame.x(value), text) for value, text in _paired(area_ticks(chart.x_axis, 7))]
    yield from _axis_words(chart, plot, ticks)
    if chart.regions is not None:
        yield from _region_marks(chart, plot)
    else:
        yield from _shade_line(chart, frame)
        yield from _rugs(chart, frame)
        yield from _shade_scale(chart, plot)


def _shade_line(chart: Chart, frame: Frame) -> Iterator[Html]:
    shades = chart.shades
    assert shades is not None
    if shades.line is not None:
        colour = LIGHT.series_colour(shades.series + 1)
        yield _path(frame.points(shades.line, shades.y), colour, 2, None)


def _rugs(chart: Chart, frame: Frame) -> Iterator[Html]:
    """Where the cases lie along both edges."""
    shades, plot = chart.shades, frame.plot
    assert shades is not None
    for value in () if shades.rug_x is None else shades.rug_x.tolist():
        if frame.x_low <= value <= frame.x_high:
            at = frame.x(value)
            yield _segment(at, plot.bottom - 4, at, plot.bottom, LIGHT.text)
    for value in () if shades.rug_y is None else shades.rug_y.tolist():
        if frame.y_low <= value <= frame.y_high:
            at = frame.y(value)
            yield _segment(plot.left, at, plot.left + 4, at, LIGHT.text)


def _region_marks(chart: Chart, plot: Box) -> Iterator[Html]:
    """Names of regions; two thin lines to the present point."""
    for name in region_names(chart, plot, _bold_width, TEXT, ASCENT):
        yield _rectangle(name.room, LIGHT.card, opacity=PLATE, rx=3)
        yield _text(name.text, name.left, name.base, kind="name", font_weight=600)
    x, y = now_place(chart, plot)
    is_across, is_up = plot.left <= x <= plot.right, plot.top <= y <= plot.bottom
    if is_across:
        yield _segment(x, plot.top, x, plot.bottom, LIGHT.text, stroke_dasharray="1 2")
    if is_up:
        yield _segment(plot.left, y, plot.right, y, LIGHT.text, stroke_dasharray="1 2")
    if is_across and is_up:
        at = {"cx": f"{x:.1f}", "cy": f"{y:.1f}"}
        yield tag("circle", **at, r=5, fill=LIGHT.accent, stroke=LIGHT.card, stroke_width=1.5)


def _shade_scale(chart: Chart, plot: Box) -> Iterator[Html]:
    shades = chart.shades
    assert shades is not None
    low, high = shade_ends(shades)
    area = Box(plot.right + 16, plot.top, 12, plot.height)
    yield _picture(shade_pixels(np.linspace(low, high, 64)[:, None], shades, LIGHT), area)
    for value, share in ((high, 0.0), ((low + high) / 2, 0.5), (low, 1.0)):
        y = area.top + share * (area.height - ASCENT) + ASCENT - 1
        yield _text(quantity_words(value, shades.quantity, ""), area.right + 6, y)


def _picture(pixels: Pixels, box: Box) -> Html:
    data = base64.b64encode(_png(pixels)).decode("ascii")
    return tag(
        "image",
        href=f"data:image/png;base64,{data}",
        x=f"{box.left:.1f}",
        y=f"{box.top:.1f}",
        width=f"{box.width:.1f}",
        height=f"{box.height:.1f}",
        preserveAspectRatio="none",
        image_rendering="pixelated",
    )


def _png(pixels: Pixels) -> bytes:
    """Pixels as a PNG file."""
    height, width = pixels.shape[:2]
    lines = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # each begins with its filter: none
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _steps(chart: Chart, height: float) -> Iterator[Html]:
    for place in step_places(chart.steps, float(WIDTH), height, _name_width):
        yield from _step(place)


def _step(place: StepPlace) -> Iterator[Html]:
    if place.step.is_total:
        yield _rectangle(place.row, LIGHT.hover)
    base = place.row.top + place.row.height / 2 + 4
    yield _text(_shortened(place.step.name, place.name_width - 12), 4, base, kind="name")
    yield _text(place.step.words, place.row.right - 4, base, kind="name", text_anchor="end")
    yield _rectangle(place.bar, str(getattr(LIGHT, place.role)))
    if place.thread is not None:
        end = place.row.bottom + (place.row.height - place.bar.height) / 2
        dots = {"stroke_dasharray": "1 2"}
        yield _segment(place.thread, place.bar.bottom, place.thread, end, LIGHT.quiet, **dots)


def _tiles(chart: Chart, places: TilePlaces) -> Iterator[Html]:
    for head, box in zip(chart.tile_heads, places.heads, strict=True):
        words = _shortened(head, box.width)
        yield _text(words, box.left + box.width / 2, box.top + 12, text_anchor="middle")
    for tile, box in zip(chart.tiles, places.tiles, strict=True):
        yield _rectangle(box, LIGHT.card, stroke=LIGHT.border, rx=6)
        left = box.left + 10
        name, figure, note = (box.top + at for at in TILE_LINES)
        yield _text(_shortened(tile.name, box.width - 20), left, name)
        yield _text(tile.figure, left, figure, kind="name", font_weight=600, fill=LIGHT.text)
        yield _text(_shortened(tile.note, box.width - 20), left, note)


def _shortened(text: str, width: float) -> str:
    """A text that fits, its middle left out where it is too long."""
    kept = text
    while _name_width(kept) > width and len(text) > 4:
        text = text[: len(text) // 2 - 1] + text[len(text) // 2 + 1 :]
        kept = f"{text[: len(text) // 2]}…{text[len(text) // 2 :]}"
    return kept
