"""What is asked before a plugin is installed: what it adds, and that it runs with your rights."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.studies.plugin_files import PluginOfferings
from gui.pages.plugins.words import offering_lines, tr
from gui.parts import IconLabel, Rule, TextLabel


class InstallDialog(QDialog):
    """Says what a file would install; accepted = install it."""

    def __init__(self, path: str, found: PluginOfferings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        several = len(found.plugins) > 1
        self.setWindowTitle(tr("Install plugins") if several else tr("Install a plugin"))
        self.setMinimumWidth(520)
        body = QVBoxLayout(self)
        body.setContentsMargins(20, 16, 20, 16)
        body.setSpacing(8)
        body.addWidget(TextLabel(Path(path).name, "quiet"))
        for entry in found.plugins:
            body.addWidget(TextLabel(f"{entry.name} {entry.version}", "section"))
            by = tr("by %s, licence %s") % (entry.author, entry.licence)
            body.addWidget(TextLabel(by, "note"))
            for line in offering_lines(entry):
                body.addWidget(TextLabel(line, "body", wraps=True))
            body.addWidget(Rule())
        body.addLayout(self._make_warning())
        body.addLayout(self._make_buttons())

    def _make_warning(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(IconLabel("warning", "loss", 16))
        words = tr(
            "A plugin is a program: it runs with your own rights and can read what you can read. "
            "It runs in a process of its own, is checked before it is used, and cannot take the "
            "window down. Install only what you trust."
        )
        row.addWidget(TextLabel(words, "body", wraps=True), 1)
        return row

    def _make_buttons(self) -> QHBoxLayout:
        self.install = QPushButton(tr("Install"))
        self.install.setProperty("kind", "primary")
        self.install.setDefault(True)
        self.cancel = QPushButton(tr("Cancel"))
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.install)
        self.install.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        return row
