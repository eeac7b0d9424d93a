"""The report as a file: one HTML page that needs nothing else, or a PDF by Qt's painters."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from core.document.files.guarded import write_file
from core.presentation.report.page import ReportText, report_html
from gui.charts.export.export import DOTS, PDF_DOTS
from gui.pages.report.paper import lay_out, usual_paper
from payoff.errors import PayoffError

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
    data = report_html(text).encode("utf-8") if kind == "html" else pdf_bytes(text)
    write_file(path, data, what="The report")


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
    for number in range(laid.page_count):
        if number:
            writer.newPage()
        painter.save()
        painter.scale(PDF_DOTS / DOTS, PDF_DOTS / DOTS)
        laid.paint_page(painter, number)
        painter.restore()
    painter.end()
    return bytes(buffer.data().data())
