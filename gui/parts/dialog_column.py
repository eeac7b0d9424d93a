"""The column in which the widgets of a dialog stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout

MARGIN = 16


def dialog_column(dialog: QDialog, title: str, *, width: int, spacing: int = 12) -> QVBoxLayout:
    """Give a dialog its title, least width and column; closing it ends it."""
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setMinimumWidth(width)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    column.setSpacing(spacing)
    return column
