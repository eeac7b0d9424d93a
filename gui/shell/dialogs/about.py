"""Version, licence, and what the program is built on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.diagnostics import details_text, program_details
from core.settings import state_folder
from gui.theme import icon
from gui.widgets import TextLabel
from payoff.version import __version__


class AboutDialog(QDialog):
    """Version, licence, and details to copy into a message."""

    outlives_data = True  # it is about none that are open

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Payoff")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = QHBoxLayout()
        row.setSpacing(16)
        sign = TextLabel()
        sign.setPixmap(icon("payoff").pixmap(64, 64))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(TextLabel(f"Payoff {__version__}", "title"))
        words.addWidget(
            TextLabel("What is this model worth, and what should we do with each case?")
        )
        words.addWidget(
            TextLabel("Works offline. Nothing leaves this computer. MIT licence.", "quiet")
        )
        words.addWidget(TextLabel("Uses Qt and PySide6 under the LGPL.", "note"))
        words.addLayout(_details_grid())
        folder = TextLabel(f"Settings and log: {state_folder()}", "note", wraps=True)
        folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.addWidget(folder)
        row.addLayout(words, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.copy = QPushButton("Copy details")
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy_details)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(row)
        column.addWidget(buttons)

    def _copy_details(self) -> None:
        """Versions as lines, for a message to whoever helps."""
        QGuiApplication.clipboard().setText(details_text())
        self.copy.setText("Copied")


def _details_grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(2)
    for row, (name, value) in enumerate(program_details()):
        grid.addWidget(TextLabel(name, "note"), row, 0)
        shown = TextLabel(value, "note")
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(shown, row, 1)
    grid.setColumnStretch(1, 1)
    return grid
