"""What is asked before a plugin is installed: what it adds, and that it runs with your rights."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.document.plugin_results import PluginOfferings
from gui.pages.plugins.words import offering_lines
from gui.widgets import IconLabel, Rule, TextLabel
from gui.widgets.dialog import keep_default

WIDTH = 520
FRAME = 56  # px of it that are margins and a scroll bar
LARGEST_LIST = 420  # px of the list of several plugins: the dialog fits a screen of 720


class InstallDialog(QDialog):
    """Says what a file would install; accepted = install it."""

    outlives_data = True  # it is about none that are open

    def __init__(self, path: str, found: PluginOfferings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        several = len(found.plugins) > 1
        self.setWindowTitle("Install plugins" if several else "Install a plugin")
        self.setMinimumWidth(WIDTH)
        body = QVBoxLayout(self)
        body.setContentsMargins(20, 16, 20, 16)
        body.setSpacing(8)
        body.addWidget(TextLabel(Path(path).name, "quiet"))
        body.addWidget(_scrolled(found) if several else _listed(found), 1)
        body.addLayout(self._make_warning())
        body.addLayout(self._make_buttons())
        keep_default(self.install)
        self.resize(WIDTH, body.totalHeightForWidth(WIDTH))

    def _make_warning(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(IconLabel("warning", "loss", 16))
        words = (
            "A plugin is a program: it runs with your own rights and can read what you can read. "
            "It runs in a process of its own, is checked before it is used, and cannot take the "
            "window down. Install only what you trust."
        )
        label = TextLabel(words, "body", wraps=True)
        label.setFixedHeight(label.heightForWidth(WIDTH - FRAME - 16))
        row.addWidget(label, 1)
        return row

    def _make_buttons(self) -> QHBoxLayout:
        self.install = QPushButton("Install")
        self.install.setProperty("kind", "primary")
        self.cancel = QPushButton("Cancel")
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.install)
        self.install.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        return row


def _listed(found: PluginOfferings) -> QWidget:
    """The plugins of a file, one below the other."""
    content = QWidget()
    content.setProperty("scrolled", "true")
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    for entry in found.plugins:
        column.addWidget(TextLabel(f"{entry.name} {entry.version}", "section"))
        by = f"by {entry.author}, licence {entry.licence}"
        column.addWidget(TextLabel(by, "note"))
        for line in offering_lines(entry):
            column.addWidget(TextLabel(line, "body", wraps=True))
        column.addWidget(Rule())
    # Lines that might wrap ask for room as if they did: the list takes what it needs.
    content.setFixedHeight(column.totalHeightForWidth(WIDTH - FRAME))
    return content


def _scrolled(found: PluginOfferings) -> QScrollArea:
    """Several plugins, however many: the dialog stays within the screen."""
    scroll = QScrollArea()
    content = _listed(found)
    scroll.setWidget(content)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setMinimumHeight(min(content.height() + 4, LARGEST_LIST))
    scroll.viewport().setAutoFillBackground(False)
    return scroll
