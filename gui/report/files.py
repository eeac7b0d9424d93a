"""The report as a file: one HTML page that needs nothing else, or a PDF, both by Qt's painters."""

from __future__ import annotations

import base64
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QSize
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from core.document.chart_spec import ChartSpec
from core.document.files.guarded import write_file
from core.document.markup import NOTHING, Html, joined
from core.document.report.blocks import ReportBlock, ReportTable
from core.document.report.page import figure_html, page_html, section_html
from gui.plots.export import DOTS, PDF_DOTS
from gui.plots.numbers import chart_table
from gui.report.entries import ReportEntry, ReportText
from gui.report.paper import chart_height, lay_out, usual_paper
from gui.report.pieces import chart_pieces
from payoff.errors import PayoffError

PICTURE_WIDTH = 860.0
MOST_NUMBERS = 120  # rows of numbers behind a chart; a curve has a thousand points
FORMATS = ("html", "pdf")


def write_report(text: ReportText, path: str) -> None:
    """Write the report; the ending of the path says how.

    Raises
    ------
    PayoffError
        For an empty report, another ending, or a file that cannot be written.
    """
    if not text.entries:
        raise PayoffError(
            "There is nothing on the report.",
            remedy="Put a chart, a table or a total on it first.",
        )
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise PayoffError(
            "A report is not written in this format.",
            where=Path(path).name,
            remedy="Choose a name that ends in .html or .pdf.",
        )
    data = html_bytes(text) if kind == "html" else pdf_bytes(text)
    write_file(path, data, what="The report")


# ---------------------------------------------------------------- PDF


def pdf_bytes(text: ReportText, paper: QPageSize | None = None) -> bytes:
    """The report as a PDF file; text stays text, charts stay lines."""
    size = paper or usual_paper()
    laid = lay_out(text, size)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DOTS)
    writer.setTitle(text.title)
    writer.setCreator("Payoff")
    writer.setPageSize(size)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    for number in range(len(laid.pages)):
        if number:
            writer.newPage()
        painter.save()
        painter.scale(PDF_DOTS / DOTS, PDF_DOTS / DOTS)
        laid.paint_page(painter, number)
        painter.restore()
    painter.end()
    return bytes(buffer.data().data())


# ---------------------------------------------------------------- HTML


def html_bytes(text: ReportText) -> bytes:
    """The report as one HTML page with its pictures inside: no network, no script."""
    sections = joined(_section(entry) for entry in text.entries)
    return page_html(text.title, text.subtitle, sections).encode("utf-8")


def _section(entry: ReportEntry) -> Html:
    block = entry.block
    picture = NOTHING if block.chart is None else _picture(block, block.chart, entry.title)
    return section_html(
        block, title=entry.title, note=entry.note, warning=entry.warning, picture=picture
    )


def _picture(block: ReportBlock, spec: ChartSpec, title: str) -> Html:
    data = base64.b64encode(chart_svg(spec)).decode("ascii")
    words = ", ".join(part for part in (title, block.subtitle, *block.lines[:1]) if part)
    return figure_html(f"data:image/svg+xml;base64,{data}", words, numbers_behind(spec))


def chart_svg(spec: ChartSpec, width: float = PICTURE_WIDTH) -> bytes:
    """Legend and chart as an SVG file; text stays text."""
    pieces = chart_pieces(spec, width, chart_height(spec, width))
    height = sum(piece.height for piece in pieces)
    buffer = QBuffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(round(DOTS))
    size = QSize(round(width), round(height))
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(spec.title)
    painter = QPainter(generator)
    top = 0.0
    for piece in pieces:
        painter.save()
        painter.translate(0, top)
        piece.paint(painter)
        painter.restore()
        top += piece.height
    painter.end()
    return bytes(buffer.data().data())


def numbers_behind(spec: ChartSpec) -> ReportTable:
    """The numbers of a chart, of long curves every so many, rounded for reading."""
    header, rows = chart_table(spec)
    step = -(-len(rows) // MOST_NUMBERS)
    thinned = tuple(
        (row[0], *(f"{float(cell):.6g}" if cell else "" for cell in row[1:]))
        for row in rows[:: max(1, step)]
    )
    return ReportTable(columns=header, rows=thinned, right=tuple(range(1, len(header))))
