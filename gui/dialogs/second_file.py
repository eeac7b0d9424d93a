"""What the dialogs on further files share: the field that names a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from gui.parts import ElidedLabel
from gui.workspace import Workspace


class FileField(QWidget):
    """The chosen file and the button that asks for one."""

    chosen = Signal(str)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.label = ElidedLabel(self.tr("No file chosen yet"), "strong")
        self.browse = QPushButton(self.tr("Choose file…"))
        self.browse.clicked.connect(self.ask)
        row.addWidget(self.label, 1)
        row.addWidget(self.browse)

    def ask(self) -> QFileDialog:
        """Ask for a file beside the data."""
        dialog = QFileDialog(self, self.tr("Choose a data file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        data = self._workspace.document.data
        if data is not None:
            dialog.setDirectory(str(Path(data.path).parent))
        dialog.fileSelected.connect(self.take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def take(self, path: str) -> None:
        """Show the file and tell of it."""
        self.label.set_full_text(Path(path).name)
        self.label.setToolTip(path)
        self.chosen.emit(path)
