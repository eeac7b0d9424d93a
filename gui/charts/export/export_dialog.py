"""Asks for format and size of a chart on paper, then for the place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from core.document.files.guarded import file_name
from core.settings import documents_folder
from gui.charts.export.export import LARGEST_MM, SMALLEST_MM
from gui.widgets import NumberField, Segments, TextLabel
from gui.widgets.dialog import dialog_buttons
from payoff.errors import PayoffError


class ExportDialog(QDialog):
    """Format, width and height; "Export" asks where to.

    ``write`` takes the path, the width and the height in millimetres.
    """

    failed = Signal(object)  # PayoffError
    exported = Signal(str)

    def __init__(self, card: QWidget, write: Callable[[str, float, float], None]) -> None:
        super().__init__(card)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export chart")
        self._card, self._write = card, write
        formats = (
            ("png", "PNG"),
            ("svg", "SVG"),
            ("pdf", "PDF"),
            ("csv", "CSV"),
            ("xlsx", "Excel"),
        )
        self.format = Segments(formats, name="Format")
        self.format.choose("png")
        self.width_mm = self._size_field(160.0)
        self.height_mm = self._size_field(100.0)
        form = QFormLayout()
        form.addRow("Format", self.format)
        form.addRow("Width", self.width_mm)
        form.addRow("Height", self.height_mm)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(
            TextLabel(
                "Always in light colours; text stays text in SVG and PDF, PNG has 300 dpi.",
                "note",
                wraps=True,
            )
        )
        buttons, _export = dialog_buttons(self, "Export…", self._ask_where)
        column.addWidget(buttons)

    @staticmethod
    def _size_field(value: float) -> NumberField:
        return NumberField(
            value, decimals=0, minimum=SMALLEST_MM, maximum=LARGEST_MM, unit="mm", step=10.0
        )

    def _ask_where(self) -> None:
        kind = self.format.choice()
        name = file_name(self._card.accessibleName(), f".{kind}")
        path, _ = QFileDialog.getSaveFileName(
            self, "Export chart", str(documents_folder() / name), f"{kind.upper()} (*.{kind})"
        )
        if path:
            self.export(path)

    def export(self, path: str) -> None:
        """Write the chart to a path; the ending is added where it is missing."""
        kind = self.format.choice()
        target = path if path.lower().endswith(f".{kind}") else f"{path}.{kind}"
        try:
            self._write(target, self.width_mm.value(), self.height_mm.value())
        except PayoffError as refusal:
            self.failed.emit(refusal)
            return
        self.exported.emit(target)
        self.accept()
