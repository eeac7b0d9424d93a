"""Version, licence, and what the program is built on."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from core.settings import state_folder
from gui.parts import TextLabel
from gui.theme import icon
from payoff.version import __version__


class AboutDialog(QDialog):
    """About Payoff."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Payoff"))
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
            TextLabel(self.tr("What is this model worth, and what should we do with each case?"))
        )
        words.addWidget(
            TextLabel(self.tr("Works offline. Nothing leaves this computer. MIT licence."), "quiet")
        )
        versions = (
            f"Python {platform.python_version()}, Qt and PySide6 {PySide6.__version__} (LGPL)"
        )
        words.addWidget(TextLabel(versions, "note"))
        folder = TextLabel(self.tr("Settings and log: %s") % state_folder(), "note", wraps=True)
        folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.addWidget(folder)
        row.addLayout(words, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(row)
        column.addWidget(buttons)
