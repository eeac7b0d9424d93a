"""The report on pages: its HTML laid out by Qt, the same on the screen and in the PDF file.

Charts are drawn as lines where the HTML has a picture. What belongs together stays on one page: a
title with what follows it, a chart with what is said below it, the lines of a table's row; the head
of a table stands on every page.

The legend of a chart on paper: every line, group of bars and group of points by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QLocale, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetricsF,
    QPageSize,
    QPainter,
    QPalette,
    QPyTextObject,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)

from core.document.markup import Html, joined, tag
from core.presentation.charts.chart import BarsSpec, Chart, PointsSpec, SeriesSpec
from core.presentation.report.page import ReportText, entry_html, main_html
from gui.charts.curves import bar_colour, line_pen, points_pen
from gui.charts.export.export import paint_chart
from gui.charts.fonts import chart_font, paper_fonts
from gui.theme import LIGHT
from gui.widgets.labels import set_markup

LEGEND = 20.0  # the height of a row


Sample = SeriesSpec | BarsSpec | PointsSpec


Row = list[tuple[float, Sample]]


def legend_rows(spec: Chart, width: float) -> list[Row]:
    """Return what stands in each row of a legend, with its place; in as many rows as needed."""
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
    rows: list[Row] = [[]]
    left = 0.0
    for name, sample in named.items():
        needs = 28 + metrics.horizontalAdvance(name) + 18
        if rows[-1] and left + needs > width:
            rows.append([])
            left = 0.0
        rows[-1].append((left, sample))
        left += needs
    return rows


def paint_legend(painter: QPainter, rows: list[Row]) -> None:
    """Paint a legend at the painter's origin."""
    painter.setFont(chart_font())
    for number, row in enumerate(rows):
        painter.save()
        painter.translate(0, number * LEGEND)
        for left, sample in row:
            _paint_sample(painter, sample, left)
            painter.setPen(QColor(LIGHT.text))
            painter.drawText(QPointF(left + 28, 13), sample.name)
        painter.restore()


def _paint_sample(painter: QPainter, sample: Sample, left: float) -> None:
    if isinstance(sample, BarsSpec):
        painter.fillRect(QRectF(left + 4, 5, 14, 9), bar_colour(sample, LIGHT))
    elif isinstance(sample, PointsSpec):
        painter.setPen(points_pen(sample, LIGHT))
        painter.drawPoint(QPointF(left + 11, 9))
    else:
        painter.setPen(line_pen(sample, LIGHT))
        painter.drawLine(QPointF(left, 9), QPointF(left + 22, 9))


DOTS = 96.0  # pages are laid out in logical pixels
MARGIN = 62.0
FOOT = 26.0
CHART_SHARE = 0.46  # height of a chart in widths
LOW_TABLE = 0.3  # in heights of a page: such a table is not parted
_MOST_LOW = 24  # rows of such a table
HIGH_CHART = 0.62  # of charts with the same share on both axes
_SQUARE = frozenset({"roc", "precision_recall", "calibration", "smooth_calibration"})
_CHART = QTextFormat.ObjectTypes.UserObject.value + 1
_PLACE = QTextFormat.Property.UserProperty.value + 1  # which chart of the report it is
_PICTURE = "\ufffc"  # stands in a text for what is drawn there
_LEADS = 1  # the state of blocks that stay with what follows them
_BREAK = QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore
STYLE = f"""
body {{ font-size: 12px; color: {LIGHT.text}; }}
h1 {{ font-size: 22px; font-weight: 600; margin: 0 0 4px 0; -qt-user-state: {_LEADS}; }}
h2 {{ font-size: 14px; font-weight: 600; margin: 22px 0 4px 0; -qt-user-state: {_LEADS}; }}
p {{ margin: 0 0 4px 0; }}
.big {{ font-size: 26px; font-weight: 600; -qt-user-state: {_LEADS}; }}
.stale {{ color: {LIGHT.loss}; font-size: 11px; -qt-user-state: {_LEADS}; }}
.quiet {{ color: {LIGHT.quiet}; font-size: 11px; }}
.own {{ color: {LIGHT.quiet}; font-size: 11px; -qt-user-state: {_LEADS}; }}
table {{ border-collapse: collapse; margin: 6px 0 8px 0; }}
th {{ color: {LIGHT.quiet}; font-weight: 400; border-bottom: 1px solid {LIGHT.control_border}; }}
td {{ border-bottom: 1px solid {LIGHT.border}; }}
td, th {{ padding: 3px 6px; text-align: right; font-size: 11px; vertical-align: middle; }}
.left {{ text-align: left; }} .best {{ font-weight: 600; }}
"""


def usual_paper() -> QPageSize:
    """A4, or Letter where inches are used."""
    is_inches = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return QPageSize(QPageSize.PageSizeId.Letter if is_inches else QPageSize.PageSizeId.A4)


@dataclass(frozen=True, slots=True)
class Span:
    """What an entry takes up of a page."""

    page: int
    top: float
    bottom: float


class Paper:
    """A report laid out on pages of one size, in logical pixels."""

    def __init__(self, text: ReportText, size: QSizeF) -> None:
        self.text, self.size = text, size
        self.charts: list[Chart] = []
        self.document = QTextDocument()
        self._drawer = _ChartDrawer(self)
        self._fill()
        titles = [b.blockNumber() for b in _blocks(self.document) if _is_title(b)]
        kinds = [entry.kind for entry in text.entries]
        self._starts = dict(zip(kinds, titles, strict=True))  # the block each begins with
        tables = {_first_block(table): table for table in self.tables()}
        for block in list(_blocks(self.document)):  # from above: what is moved moves what follows
            _keep_with_next(block, size.height())
            if block.blockNumber() in tables:
                _keep_rows_whole(tables[block.blockNumber()], size.height())

    @property
    def content_width(self) -> float:
        """The width between the margins."""
        return self.size.width() - 2 * MARGIN

    @property
    def page_count(self) -> int:
        """How many pages there are."""
        return self.document.pageCount()

    def tables(self) -> list[QTextTable]:
        """Every table of the report, in order."""
        frames = self.document.rootFrame().childFrames()
        return [frame for frame in frames if isinstance(frame, QTextTable)]

    def spans(self, kind: str) -> list[Span]:
        """Where an entry stands, page by page; none where it is not on the report."""
        kinds = list(self._starts)
        if kind not in kinds:
            return []
        after = kinds[kinds.index(kind) + 1 :]
        first = self._starts[kind]
        end = self._starts[after[0]] if after else self.document.blockCount()
        found: dict[int, Span] = {}
        for number in range(first, end):
            rect = _rect(self.document.findBlockByNumber(number))
            page = int(rect.top() // self.size.height())
            top, bottom = (y - page * self.size.height() for y in (rect.top(), rect.bottom()))
            before = found.get(page, Span(page, top, bottom))
            found[page] = Span(page, min(before.top, top), max(before.bottom, bottom))
        return list(found.values())

    def kind_at(self, page: int, y: float) -> str:
        """The entry at a height of a page; empty where none is."""
        here = [
            (span.top, kind)
            for kind in self._starts
            for span in self.spans(kind)
            if span.page == page and span.top <= y
        ]
        return max(here)[1] if here else ""

    def page_of(self, kind: str) -> tuple[int, float] | None:
        """Page and height at which an entry begins."""
        spans = self.spans(kind)
        return (spans[0].page, spans[0].top) if spans else None

    # ------------------------------------------------------------ filling

    def _fill(self) -> None:
        font = QFont(chart_font(False, 12))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        self.document.setDefaultFont(font)  # places of letters as on paper, whatever the screen
        self.document.setUseDesignMetrics(True)
        entries = [
            entry_html(
                entry.block,
                title=entry.title,
                note=entry.note,
                warning=entry.warning,
                figure=self._picture,
            )
            for entry in self.text.entries
        ]
        page = main_html(self.text.title, self.text.subtitle, joined(entries))
        set_markup(self.document, page, STYLE)
        frame = self.document.rootFrame()
        shape = frame.frameFormat()
        shape.setMargin(MARGIN)
        frame.setFrameFormat(shape)
        self.document.documentLayout().registerHandler(_CHART, self._drawer)
        self._put_charts()
        self.document.setPageSize(self.size)

    def _picture(self, chart: Chart) -> Html:
        self.charts.append(chart)
        return tag("p", tag("img", src=f"chart:{len(self.charts) - 1}"))

    def _put_charts(self) -> None:
        """Put a chart, drawn as lines, where the HTML names a picture."""
        cursor = QTextCursor(self.document)
        for place, at in _pictures(self.document):
            cursor.setPosition(at)
            cursor.setPosition(at + 1, QTextCursor.MoveMode.KeepAnchor)
            shape = QTextCharFormat()
            shape.setObjectType(_CHART)
            shape.setProperty(_PLACE, place)
            cursor.insertText("\ufffc", shape)

    # ------------------------------------------------------------ painting

    @paper_fonts()
    def paint_page(self, painter: QPainter, number: int) -> None:
        """Paint one page, with its foot, at the painter's origin."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(QPointF(0, 0), self.size), QColor(LIGHT.card))
        painter.save()
        top = number * self.size.height()
        painter.translate(0, -top)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(QPointF(0, top), self.size)
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, QColor(LIGHT.text))
        context.palette = palette
        painter.setClipRect(context.clip)
        self.document.documentLayout().draw(painter, context)
        painter.restore()
        self._paint_foot(painter, number)

    def _paint_foot(self, painter: QPainter, number: int) -> None:
        font = chart_font()
        painter.setFont(font)
        painter.setPen(QColor(LIGHT.quiet))
        top = self.size.height() - MARGIN + FOOT - QFontMetricsF(font).height()
        room = QRectF(MARGIN, top, self.content_width, FOOT)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft, self.text.title)
        words = f"{number + 1} / {self.page_count}"
        painter.drawText(room, Qt.AlignmentFlag.AlignRight, words)


@paper_fonts()
def lay_out(text: ReportText, paper: QPageSize | None = None) -> Paper:
    """Put a report on pages."""
    points = (paper or usual_paper()).size(QPageSize.Unit.Point)
    return Paper(text, QSizeF(points.width() * DOTS / 72, points.height() * DOTS / 72))


class _ChartDrawer(QPyTextObject):
    """Draws a chart with its legend as one object of the text: it is never cut."""

    def __init__(self, paper: Paper) -> None:
        super().__init__(paper.document)
        self._charts, self._width = paper.charts, paper.content_width

    def intrinsicSize(self, _document: QTextDocument, _at: int, shape: QTextFormat) -> QSizeF:
        chart = self._charts[shape.property(_PLACE)]
        legend = LEGEND * len(legend_rows(chart, self._width))
        return QSizeF(self._width, legend + chart_height(chart, self._width))

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        _document: QTextDocument,
        _at: int,
        shape: QTextFormat,
    ) -> None:
        chart = self._charts[shape.property(_PLACE)]
        rows = legend_rows(chart, self._width)
        painter.save()
        painter.translate(QRectF(rect).topLeft())
        paint_legend(painter, rows)
        painter.translate(0, LEGEND * len(rows))
        paint_chart(painter, chart, self._width, chart_height(chart, self._width), has_title=False)
        painter.restore()


def chart_height(spec: Chart, width: float) -> float:
    """The height of a chart on paper."""
    return width * (HIGH_CHART if spec.kind in _SQUARE else CHART_SHARE)


# ---------------------------------------------------------------- what stays together


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _rect(block: QTextBlock) -> QRectF:
    layout = block.document().documentLayout()
    layout.documentSize()  # lays out all of it: after a change a block may have no lines until then
    return layout.blockBoundingRect(block)


def _line_end(block: QTextBlock, line: int) -> float:
    """Where a line ends; the rectangle of a block does not follow lines to the next page."""
    return _rect(block).top() + block.layout().lineAt(line).rect().bottom()


def _keep_with_next(block: QTextBlock, height: float) -> None:
    """Begin a page with a title of which a page would end."""
    if block.userState() != _LEADS or block.previous().userState() == _LEADS:
        return
    last = block
    while last.isValid() and last.userState() == _LEADS:
        last = last.next()
    if not last.isValid():
        return
    table, note = QTextCursor(last).currentTable(), last.next()
    has_note = _PICTURE in last.text() and note.isValid() and not _is_title(note)
    end = _line_end(last, 0) if table is None else 0.0
    if has_note and QTextCursor(note).currentTable() is None:  # what a chart shows is said below it
        end = _line_end(note, note.layout().lineCount() - 1)
    if table is not None:
        row = table.rows() - 1 if _is_low(table, height) else min(1, table.rows() - 1)
        end = _row_ends(table, row)[1]
    if int(_rect(block).top() // height) != int((end - 1) // height):
        _begin_page(QTextCursor(block))


def _keep_rows_whole(table: QTextTable, height: float) -> None:
    """Begin a page with a row that would be cut, or with the table where it is a low one."""
    if _is_low(table, height):
        if int(_row_ends(table, 0)[0] // height) != int((_end_of(table) - 1) // height):
            shape = table.format()
            shape.setPageBreakPolicy(_BREAK)
            table.setFormat(shape)
        return
    for row in range(table.format().headerRowCount(), table.rows()):
        top, bottom = _row_ends(table, row)
        if int(top // height) != int((bottom - 1) // height):
            for column in range(table.columns()):
                _begin_page(table.cellAt(row, column).firstCursorPosition())


def _first_block(table: QTextTable) -> int:
    return int(table.cellAt(0, 0).firstCursorPosition().block().blockNumber())


def _is_low(table: QTextTable, height: float) -> bool:
    """Whether a table, wherever its rows stand now, takes up less than a part of a page."""
    rows = (_row_ends(table, row) for row in range(min(table.rows(), _MOST_LOW)))
    low = sum(bottom - top for top, bottom in rows if int(top // height) == int(bottom // height))
    return table.rows() <= _MOST_LOW and low < LOW_TABLE * height


def _end_of(table: QTextTable) -> float:
    return _row_ends(table, table.rows() - 1)[1]


def _row_ends(table: QTextTable, row: int) -> tuple[float, float]:
    """Top and bottom of the texts of a row."""
    cells = [table.cellAt(row, column) for column in range(table.columns())]
    tops = [_rect(cell.firstCursorPosition().block()).top() for cell in cells]
    return min(tops), max(_rect(cell.lastCursorPosition().block()).bottom() for cell in cells)


def _begin_page(cursor: QTextCursor) -> None:
    shape = QTextBlockFormat()
    shape.setPageBreakPolicy(_BREAK)
    cursor.mergeBlockFormat(shape)


def _pictures(document: QTextDocument) -> list[tuple[int, int]]:
    """Which chart stands at which place of the text."""
    found = []
    for block in _blocks(document):
        inside = block.begin()
        while not inside.atEnd():
            fragment = inside.fragment()
            shape = fragment.charFormat()
            if shape.isImageFormat():
                chart = int(shape.toImageFormat().name().removeprefix("chart:"))
                found.append((chart, fragment.position()))
            inside += 1
    return found


def _is_title(block: QTextBlock) -> bool:
    """Whether an entry begins with a block: each has one heading of the second level."""
    return block.blockFormat().headingLevel() == 2
