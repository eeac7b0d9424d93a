"""What a page of the report is made of: lines of text, charts and rows of tables, in pixels.

A piece knows its height and paints itself at the origin. A page is as wide as ``Sheet.content``;
pieces never break, so long texts are pieces line by line and tables row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextLayout, QTextOption

from core.presentation.chart import BarsSpec, Chart, PointsSpec, SeriesSpec
from core.presentation.table import Table
from gui.plots.curves import bar_colour, line_pen, points_pen
from gui.plots.export import paint_chart
from gui.plots.fonts import chart_font
from gui.theme import LIGHT
from gui.theme.icons import paint_icon

Paint = Callable[[QPainter], None]
CELL_PAD, ROW_PAD = 6.0, 4.0
LEGEND = 20.0
_LEAST_COLUMN = 46.0


@dataclass(frozen=True, slots=True)
class Piece:
    """Something of one height. ``keeps`` holds it on one page with the next; ``head`` is painted
    again above it where it begins a page.
    """

    height: float
    paint: Paint
    keeps: bool = False
    head: Piece | None = None
    is_gap: bool = False


def gap(height: float) -> Piece:
    """Room; it vanishes at the top of a page."""
    return Piece(height, lambda painter: None, keeps=True, is_gap=True)


def text_pieces(
    text: str, font: QFont, width: float, colour: str = LIGHT.text, *, keeps: bool = False
) -> list[Piece]:
    """A text wrapped to a width, a piece per line; line breaks of the text stay."""
    return [
        Piece(height, _line_painter(line, font, colour, baseline), keeps)
        for paragraph in text.split("\n")
        for line, height, baseline in _lines(paragraph, font, width)
    ]


def _lines(text: str, font: QFont, width: float) -> Iterator[tuple[str, float, float]]:
    """Lines of a paragraph with height and baseline."""
    metrics = QFontMetricsF(font)
    height, baseline = metrics.height() * 1.25, metrics.ascent() + metrics.height() * 0.125
    for line in wrapped(text, font, width):
        yield line, height, baseline


def wrapped(text: str, font: QFont, width: float) -> list[str]:
    """A paragraph cut into lines that fit."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    layout.beginLayout()
    lines = []
    while True:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        lines.append(text[line.textStart() : line.textStart() + line.textLength()].rstrip())
    layout.endLayout()
    return lines or [""]


def _line_painter(text: str, font: QFont, colour: str, baseline: float) -> Paint:
    def paint(painter: QPainter) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(QPointF(0, baseline), text)

    return paint


def warning_pieces(text: str, width: float) -> list[Piece]:
    """A warning with its sign, indented."""
    font = chart_font()
    indent = 18.0
    pieces = text_pieces(text, font, width - indent, LIGHT.loss, keeps=True)

    def paint(inner: Paint, is_first: bool) -> Paint:
        def painted(painter: QPainter) -> None:
            if is_first:
                paint_icon(painter, "warning", LIGHT.loss, QRectF(0, 1, 13, 13))
            painter.translate(indent, 0)
            inner(painter)

        return painted

    return [
        Piece(piece.height, paint(piece.paint, place == 0), keeps=True)
        for place, piece in enumerate(pieces)
    ]


# ---------------------------------------------------------------- charts


def chart_pieces(spec: Chart, width: float, height: float) -> list[Piece]:
    """The legend and the picture of a chart; its title stands above as text."""

    def paint(painter: QPainter) -> None:
        paint_chart(painter, spec, width, height, has_title=False)

    return [*_legend(spec, width), Piece(height, paint)]


Sample = SeriesSpec | BarsSpec | PointsSpec


def _legend(spec: Chart, width: float) -> list[Piece]:
    """Every line, group of bars and group of points by name, in as many rows as needed."""
    samples: list[Sample] = [
        *(entry for entry in spec.series if entry.name not in spec.hidden),
        *spec.visible_bars(),
        *spec.visible_points(),
    ]
    named: dict[str, Sample] = {}
    for sample in samples:
        if sample.name:
            named.setdefault(sample.name, sample)
    if not named:
        return []
    metrics = QFontMetricsF(chart_font())
    rows: list[list[tuple[float, Sample]]] = [[]]
    left = 0.0
    for name, sample in named.items():
        needs = 28 + metrics.horizontalAdvance(name) + 18
        if rows[-1] and left + needs > width:
            rows.append([])
            left = 0.0
        rows[-1].append((left, sample))
        left += needs
    return [Piece(LEGEND, _legend_painter(row), keeps=True) for row in rows]


def _legend_painter(row: list[tuple[float, Sample]]) -> Paint:
    def paint(painter: QPainter) -> None:
        painter.setFont(chart_font())
        for left, sample in row:
            _paint_sample(painter, sample, left)
            painter.setPen(QColor(LIGHT.text))
            painter.drawText(QPointF(left + 28, 13), sample.name)

    return paint


def _paint_sample(painter: QPainter, sample: Sample, left: float) -> None:
    if isinstance(sample, BarsSpec):
        painter.fillRect(QRectF(left + 4, 5, 14, 9), bar_colour(sample, LIGHT))
    elif isinstance(sample, PointsSpec):
        painter.setPen(points_pen(sample, LIGHT))
        painter.drawPoint(QPointF(left + 11, 9))
    else:
        painter.setPen(line_pen(sample, LIGHT))
        painter.drawLine(QPointF(left, 9), QPointF(left + 22, 9))


# ---------------------------------------------------------------- tables


def table_pieces(shown: Table, width: float) -> list[Piece]:
    """Head and rows; the head stands again on every page."""
    table = shown.as_texts()
    font, bold = chart_font(), chart_font(True)
    widths = column_widths(table, width, bold)
    right = frozenset(table.right)
    head = _row_piece(table.columns, widths, right, font, frozenset(), is_head=True)
    strong = {row: {c for r, c in table.strong if r == row} for row, _ in table.strong}
    rows = [
        _row_piece(cells, widths, right, font, frozenset(strong.get(place, ())), bold=bold)
        for place, cells in enumerate(table.texts())
    ]
    first = [Piece(head.height, head.paint, keeps=True)]
    return first + [Piece(row.height, row.paint, head=head) for row in rows]


def column_widths(table: Table, width: float, font: QFont) -> list[float]:
    """What each column needs; where the page is too narrow the widest give way and wrap."""
    metrics = QFontMetricsF(font)

    def needs(text: str) -> float:
        return max((metrics.horizontalAdvance(line) for line in text.split("\n")), default=0.0)

    columns = [
        max(_LEAST_COLUMN, needs(name), *(needs(row[at]) for row in table.texts())) + 2 * CELL_PAD
        for at, name in enumerate(table.columns)
    ]
    while sum(columns) > width:
        widest = max(columns)
        if widest <= _LEAST_COLUMN:
            return [width / len(columns)] * len(columns)
        over = sum(columns) - width
        others = [entry for entry in columns if entry < widest]
        target = max(max(others, default=0.0), widest - over, _LEAST_COLUMN)
        count = sum(entry == widest for entry in columns)
        target = max(target, widest - over / count)
        columns = [target if entry == widest else entry for entry in columns]
    return columns


def _row_piece(
    cells: tuple[str, ...],
    widths: list[float],
    right: frozenset[int],
    font: QFont,
    strong: frozenset[int],
    *,
    bold: QFont | None = None,
    is_head: bool = False,
) -> Piece:
    fonts = [bold if bold is not None and at in strong else font for at in range(len(cells))]
    texts = [
        [
            line
            for part in cell.split("\n")
            for line in wrapped(part, fonts[at], widths[at] - 2 * CELL_PAD)
        ]
        for at, cell in enumerate(cells)
    ]
    step = QFontMetricsF(font).height() * 1.1
    height = max(len(lines) for lines in texts) * step + 2 * ROW_PAD
    colour = QColor(LIGHT.quiet if is_head else LIGHT.text)

    def paint(painter: QPainter) -> None:
        left = 0.0
        for at, lines in enumerate(texts):
            for number, line in enumerate(lines):
                painter.setFont(fonts[at] if number == 0 else font)
                painter.setPen(colour if number == 0 else QColor(LIGHT.quiet))
                side = Qt.AlignmentFlag.AlignRight if at in right else Qt.AlignmentFlag.AlignLeft
                room = QRectF(
                    left + CELL_PAD, ROW_PAD + number * step, widths[at] - 2 * CELL_PAD, step
                )
                painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, line)
            left += widths[at]
        painter.setPen(QPen(QColor(LIGHT.control_border if is_head else LIGHT.border), 1))
        painter.drawLine(QPointF(0, height), QPointF(left, height))

    return Piece(height, paint)
