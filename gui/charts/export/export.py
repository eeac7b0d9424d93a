"""Charts on paper: PNG, SVG, PDF and CSV at a size in millimetres, always in the light theme.

Qt's own painters write the files; text stays text in SVG and PDF. A file appears only when it is
whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QMimeData,
    QPointF,
    QRect,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator

from core.document.files.guarded import write_file
from core.document.files.spreadsheet import pasted_text
from core.presentation.charts.reading import chart_csv, chart_numbers
from gui.charts.areas import paint_area, paint_steps, paint_tiles
from gui.charts.corners import box_corner, hides_curves
from gui.charts.curves import paint_curves
from gui.charts.fonts import chart_font, paper_fonts
from gui.charts.frame import paint_axes, paint_baseline_names, paint_grid
from gui.charts.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH, Zoom, make_layout
from gui.charts.overlay import fitted, overlay_geometry, paint_overlay
from gui.charts.spec import Chart, CursorState
from gui.theme import LIGHT
from payoff.errors import PayoffError

FORMATS = ("png", "svg", "pdf", "csv")
DOTS = 96.0  # the logical resolution in which charts are laid out
PNG_DOTS = 300
PDF_DOTS = 1200
SMALLEST_MM, LARGEST_MM = 30.0, 1000.0
_TITLE = 30.0


@paper_fonts()
def paint_chart(
    painter: QPainter,
    spec: Chart,
    width: float,
    height: float,
    *,
    state: CursorState | None = None,
    zoom: Zoom | None = None,
    is_compact: bool = False,
    has_title: bool = True,
) -> None:
    """Paint title, chart and cursor into ``width`` x ``height`` logical pixels, light."""
    painter.fillRect(0, 0, round(width) + 1, round(height) + 1, QColor(LIGHT.card))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    head = _TITLE if has_title else 0.0
    if has_title:
        _paint_title(painter, spec, width)
    painter.translate(0, head)
    if spec.steps or spec.tiles:
        paint = paint_steps if spec.steps else paint_tiles
        paint(painter, spec, width, height - head, LIGHT)
        return
    is_sparse = width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT
    layout = make_layout(
        spec, width, height - head, is_compact=is_compact, is_sparse=is_sparse, zoom=zoom
    )
    if spec.fills_area:
        paint_area(painter, spec, layout, LIGHT)
    else:
        paint_grid(painter, layout, LIGHT)
        paint_curves(painter, spec, layout, LIGHT)
    paint_axes(painter, spec, layout, LIGHT)
    if state is None:
        paint_baseline_names(painter, spec, layout, LIGHT)
        return
    state = fitted(state, layout)
    has_flag = not is_compact and state.x is not None
    corner = box_corner(state, spec, layout, has_flag=has_flag)
    geometry = overlay_geometry(state, layout, has_flag=has_flag, corner=corner)
    geometry.is_over = hides_curves(state, spec, layout, corner, has_flag=has_flag)
    names = paint_baseline_names(painter, spec, layout, LIGHT, geometry.home)
    paint_overlay(painter, state, layout, geometry, LIGHT, names)


def _paint_title(painter: QPainter, spec: Chart, width: float) -> None:
    painter.setFont(chart_font(True, 14))
    metrics = QFontMetricsF(painter.font())
    title = metrics.elidedText(spec.title, Qt.TextElideMode.ElideRight, width - 20)
    painter.setPen(QColor(LIGHT.text))
    painter.drawText(QPointF(11, 20), title)
    left = 11 + metrics.horizontalAdvance(title) + 8
    painter.setFont(chart_font())
    metrics = QFontMetricsF(painter.font())
    subtitle = metrics.elidedText(spec.subtitle, Qt.TextElideMode.ElideRight, width - left - 8)
    painter.setPen(QColor(LIGHT.quiet))
    if width - left > 60:
        painter.drawText(QPointF(left, 20), subtitle)


def export_chart(
    spec: Chart,
    path: str,
    *,
    width_mm: float,
    height_mm: float,
    state: CursorState | None = None,
    zoom: Zoom | None = None,
    is_compact: bool = False,
) -> None:
    """Write a chart; the ending of the path says how.

    Parameters
    ----------
    path : str
        Ends in .png (300 dots per inch), .svg, .pdf or .csv (every curve with its band).
    width_mm, height_mm : float
        Size on paper, 30 to 1,000 mm; CSV takes none.

    Raises
    ------
    PayoffError
        For another ending, a size that is no size, or a file that cannot be written.
    """
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise PayoffError(
            "A chart is not written in this format.",
            where=Path(path).name,
            remedy="Choose a name that ends in .png, .svg, .pdf or .csv.",
        )
    if not (SMALLEST_MM <= width_mm <= LARGEST_MM and SMALLEST_MM <= height_mm <= LARGEST_MM):
        raise PayoffError(
            "A chart cannot have this size.",
            where=f"{width_mm:g} x {height_mm:g} mm",
            remedy="Width and height go from 30 to 1,000 mm.",
        )
    sheet = Sheet(spec, width_mm, height_mm, state, zoom, is_compact)
    if kind == "csv":
        data = chart_csv(spec).encode("utf-8")
    elif kind == "png":
        data = _png_bytes(sheet)
    elif kind == "svg":
        data = svg_bytes(sheet)
    else:
        data = _pdf_bytes(sheet)
    write_file(path, data, what="The chart")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A chart on a piece of paper."""

    spec: Chart
    width_mm: float
    height_mm: float
    state: CursorState | None = None
    zoom: Zoom | None = None
    is_compact: bool = False
    has_title: bool = True

    def paint(self, painter: QPainter) -> None:
        """Paint in logical pixels and end the painter."""
        paint_chart(
            painter,
            self.spec,
            logical_pixels(self.width_mm),
            logical_pixels(self.height_mm),
            state=self.state,
            zoom=self.zoom,
            is_compact=self.is_compact,
            has_title=self.has_title,
        )
        painter.end()


def logical_pixels(millimetres: float) -> float:
    """Millimetres as pixels of the resolution that charts are laid out in."""
    return millimetres * DOTS / 25.4


def _sheet_image(sheet: Sheet) -> QImage:
    """The chart as a picture at 300 dots per inch."""
    size = QSize(round(sheet.width_mm * PNG_DOTS / 25.4), round(sheet.height_mm * PNG_DOTS / 25.4))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(PNG_DOTS / 0.0254))
    image.setDotsPerMeterY(round(PNG_DOTS / 0.0254))
    image.fill(QColor(LIGHT.card))
    painter = QPainter(image)
    painter.scale(PNG_DOTS / DOTS, PNG_DOTS / DOTS)
    sheet.paint(painter)
    return image


def _png_bytes(sheet: Sheet) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(_sheet_image(sheet))
    return bytes(buffer.data().data())


def svg_bytes(sheet: Sheet) -> bytes:
    """The chart as an SVG file."""
    buffer = QBuffer()
    # SVG 1.1 rather than Tiny 1.2, which drops the clip of a zoomed chart.
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(round(DOTS))
    size = QSize(round(logical_pixels(sheet.width_mm)), round(logical_pixels(sheet.height_mm)))
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(sheet.spec.title)
    reading = sheet.state.as_text() if sheet.state is not None else ""
    generator.setDescription(reading or sheet.spec.definition)
    sheet.paint(QPainter(generator))
    return bytes(buffer.data().data())


def _pdf_bytes(sheet: Sheet) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DOTS)
    writer.setTitle(sheet.spec.title)
    writer.setCreator("Payoff")
    page = QSizeF(sheet.width_mm, sheet.height_mm)
    writer.setPageSize(QPageSize(page, QPageSize.Unit.Millimeter))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    painter.scale(PDF_DOTS / DOTS, PDF_DOTS / DOTS)
    sheet.paint(painter)
    return bytes(buffer.data().data())


def copy_chart(
    spec: Chart,
    state: CursorState | None,
    zoom: Zoom | None,
    size_mm: tuple[float, float],
    is_compact: bool = False,
) -> None:
    """Put picture (bitmap and SVG) and numbers (text) on the clipboard."""
    width, height = (min(LARGEST_MM, max(SMALLEST_MM, side)) for side in size_mm)
    sheet = Sheet(spec, width, height, state, zoom, is_compact)
    mime = QMimeData()
    mime.setImageData(_sheet_image(sheet))
    mime.setData("image/svg+xml", QByteArray(svg_bytes(sheet)))
    header, rows = chart_numbers(spec)
    mime.setText(pasted_text([header, *rows]))
    QGuiApplication.clipboard().setMimeData(mime)
