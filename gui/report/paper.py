"""The report on pages: what stands where, painted the same on the screen and in the PDF file."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QLocale, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPageSize, QPainter

from core.presentation.chart import Chart
from gui.plots.fonts import chart_font
from gui.report.entries import ReportEntry, ReportText
from gui.report.pieces import (
    Piece,
    chart_pieces,
    gap,
    table_pieces,
    text_pieces,
    warning_pieces,
)
from gui.theme import LIGHT

DOTS = 96.0  # pages are laid out in logical pixels
MARGIN = 62.0
FOOT = 26.0
CHART_SHARE = 0.46  # height of a chart in widths
HIGH_CHART = 0.62  # of charts with the same share on both axes
_SQUARE = frozenset({"roc", "precision_recall", "calibration", "smooth_calibration"})
TITLE, HEADING, BODY, NUMBER = 22, 14, 12, 26


def usual_paper() -> QPageSize:
    """A4, or Letter where inches are used."""
    is_inches = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return QPageSize(QPageSize.PageSizeId.Letter if is_inches else QPageSize.PageSizeId.A4)


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece at a height of its page, and the entry it belongs to (empty: the head)."""

    piece: Piece
    top: float
    kind: str


@dataclass(slots=True)
class Paper:
    """A report laid out on pages of one size, in logical pixels."""

    text: ReportText
    size: QSizeF
    pages: list[list[Placed]] = field(default_factory=list)

    @property
    def content_width(self) -> float:
        """The width between the margins."""
        return self.size.width() - 2 * MARGIN

    def kind_at(self, page: int, y: float) -> str:
        """The entry at a height of a page; empty where none is."""
        found = [entry for entry in self.pages[page] if entry.top <= y]
        return found[-1].kind if found else ""

    def page_of(self, kind: str) -> tuple[int, float] | None:
        """Page and height at which an entry begins."""
        for number, page in enumerate(self.pages):
            for placed in page:
                if placed.kind == kind:
                    return number, placed.top
        return None

    def paint_page(self, painter: QPainter, number: int) -> None:
        """Paint one page, with its foot, at the painter's origin."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(QPointF(0, 0), self.size), QColor(LIGHT.card))
        for placed in self.pages[number]:
            painter.save()
            painter.translate(MARGIN, placed.top)
            placed.piece.paint(painter)
            painter.restore()
        self._paint_foot(painter, number)

    def _paint_foot(self, painter: QPainter, number: int) -> None:
        font = chart_font()
        painter.setFont(font)
        painter.setPen(QColor(LIGHT.quiet))
        top = self.size.height() - MARGIN + FOOT - QFontMetricsF(font).height()
        room = QRectF(MARGIN, top, self.content_width, FOOT)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft, self.text.title)
        words = f"{number + 1} / {len(self.pages)}"
        painter.drawText(room, Qt.AlignmentFlag.AlignRight, words)


def lay_out(text: ReportText, paper: QPageSize | None = None) -> Paper:
    """Put a report on pages."""
    points = (paper or usual_paper()).size(QPageSize.Unit.Point)
    made = Paper(text, QSizeF(points.width() * DOTS / 72, points.height() * DOTS / 72))
    filling = _Filling(made)
    filling.add("", _head_pieces(text, made.content_width))
    for entry in text.entries:
        filling.add(entry.kind, entry_pieces(entry, made.content_width))
    return made


class _Filling:
    """Fills pages from the top; what keeps together goes to the next page together."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._bottom = paper.size.height() - MARGIN
        self._top = MARGIN
        paper.pages.append([])

    def add(self, kind: str, pieces: list[Piece]) -> None:
        for place, piece in enumerate(pieces):
            needs = _needed(pieces, place)
            is_at_top = self._top <= MARGIN
            if not is_at_top and self._top + needs > self._bottom:
                self._next_page()
                is_at_top = True
                if piece.head is not None:
                    self._put(piece.head, kind)
            if is_at_top and piece.is_gap:
                continue
            self._put(piece, kind)

    def _put(self, piece: Piece, kind: str) -> None:
        self._paper.pages[-1].append(Placed(piece, self._top, kind))
        self._top += piece.height

    def _next_page(self) -> None:
        self._paper.pages.append([])
        self._top = MARGIN


def _needed(pieces: list[Piece], place: int) -> float:
    """The height of a piece and of all that it keeps with it."""
    height = 0.0
    for piece in pieces[place:]:
        height += piece.height
        if not piece.keeps:
            break
    return height


def _head_pieces(text: ReportText, width: float) -> list[Piece]:
    pieces = text_pieces(text.title, chart_font(True, TITLE), width, keeps=True)
    if text.subtitle:
        pieces += text_pieces(text.subtitle, chart_font(False, BODY), width, LIGHT.quiet)
    return pieces


def entry_pieces(entry: ReportEntry, width: float) -> list[Piece]:
    """An entry: its title, its warning, what it shows, the user's note, then its small print."""
    block = entry.block
    small = chart_font()
    pieces = [gap(22)]
    pieces += text_pieces(entry.title, chart_font(True, HEADING), width, keeps=True)
    own = f"{block.title}, {block.subtitle}" if entry.title != block.title else block.subtitle
    if own.strip(", "):
        pieces += text_pieces(own.strip(", "), small, width, LIGHT.quiet, keeps=True)
    if entry.warning:
        pieces += warning_pieces(entry.warning, width)
    if block.figure:
        pieces += text_pieces(block.figure, chart_font(True, NUMBER), width, keeps=True)
    pieces.append(Piece(4, lambda painter: None, keeps=True))
    for line in (block.interval, *block.sentences):
        pieces += text_pieces(line, chart_font(False, BODY), width) if line else []
    for chart in block.charts:
        pieces += chart_pieces(chart, width, chart_height(chart, width))
    for table in block.tables:
        pieces += table_pieces(table, width)
    if entry.note.strip():
        pieces.append(gap(6))
        pieces += text_pieces(entry.note.strip(), chart_font(False, BODY), width)
    if block.notes:
        pieces.append(gap(4))
        for line in block.notes:
            pieces += text_pieces(line, small, width, LIGHT.quiet)
    return pieces


def chart_height(spec: Chart, width: float) -> float:
    """The height of a chart on paper."""
    return width * (HIGH_CHART if spec.kind in _SQUARE else CHART_SHARE)
