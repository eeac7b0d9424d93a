"""Asks for the project's name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from core.document.commands import RenameProject
from gui.workspace import Workspace

WIDTH = 380


class RenameProjectDialog(QInputDialog):
    """One line with the name; Rename renames the project."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rename project"))
        self.setLabelText(self.tr("Name"))
        self.setOkButtonText(self.tr("Rename"))
        self.resize(WIDTH, self.sizeHint().height())
        self.setTextValue(workspace.document.name)
        self.textValueSelected.connect(lambda name: workspace.execute(RenameProject(name=name)))
