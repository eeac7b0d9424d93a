"""The Decide page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gui.workspace import Workspace


class DecidePage(QWidget):
    """Matrix, priors, costs and reading on the left; the big number, chart and tables on the right."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.setAccessibleName(self.tr("Decide"))
