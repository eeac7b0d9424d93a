"""A path that is written or read: its field, the button that looks for it, what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.studies.data import EXPORT_KINDS
from gui.widgets import TextField, TextLabel
from gui.widgets.fields.choice_box import ChoiceBox

CSV = ".csv"
ENDINGS = tuple(ending for ending, _name in EXPORT_KINDS)
Ask: TypeAlias = Callable[[QWidget, str], str]
"""Shows the dialog that looks for a path, from the present one on; empty: nothing was chosen."""


class PathRow(QWidget):
    """A path and *Browse…*; below them why nothing can be done with it, or what will be replaced.

    Parameters
    ----------
    name : str
        For who cannot see the field.
    ask : callable
    beside : sequence of QWidget
        Between the field and the button.
    """

    path_changed = Signal(str)

    def __init__(
        self, name: str, ask: Ask, beside: Sequence[QWidget] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        row.setSpacing(8)
        self._ask = ask
        self.path = TextField()
        self.path.setAccessibleName(name)
        self.path.setMinimumWidth(280)
        self.browse = QPushButton("Browse…")
        self.note = TextLabel("", "note", wraps=True)
        self.note.hide()
        row.addWidget(self.path, 1)
        for widget in (*beside, self.browse):
            row.addWidget(widget)
        column.addLayout(row)
        column.addWidget(self.note)
        self.path.textChanged.connect(lambda _text: self.path_changed.emit(self.text()))
        self.browse.clicked.connect(self._on_browse)

    def text(self) -> str:
        """The path."""
        return self.path.text().strip()

    def set_text(self, path: str) -> None:
        """Put another path in the field, as if it had been typed."""
        self.path.setText(path)

    def problem(self) -> str:
        """Why nothing can be done with the path, or an empty text."""
        return "" if self.text() else "Name a file."

    def replaced(self) -> str:
        """What is there already and will be replaced, in words; empty: nothing."""
        return ""

    def show_problem(self, problem: str) -> None:
        """Say why nothing can be written, or what will be replaced."""
        text = problem or self.replaced()
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.note.set_role("error" if problem else "plainNote")

    def _on_browse(self) -> None:
        chosen = self._ask(self, self.text())
        if chosen:
            self.set_text(chosen)


class FileToWrite(PathRow):
    """A file to write."""

    def problem(self) -> str:
        """Why nothing can be written there, or an empty text."""
        text = self.text()
        if not text:
            return "Name a file to write."
        if Path(text).is_dir():
            return "This is a folder; name a file in it."
        return no_folder(text)

    def replaced(self) -> str:
        """That a file of that name is there."""
        return "The file that stands there will be replaced." if Path(self.text()).is_file() else ""


class TableToWrite(FileToWrite):
    """A table to write, with its format."""

    def __init__(self, path: str = "", parent: QWidget | None = None) -> None:
        self.format = ChoiceBox()
        self.format.setAccessibleName("Format of the file")
        for ending, name in EXPORT_KINDS:
            self.format.addItem(name, ending)
        super().__init__("File to write", _ask_to_save, (self.format,), parent)
        self.path_changed.connect(lambda _path: self._show_format())
        self.format.activated.connect(self._on_format)
        self.set_text(path)

    def text(self) -> str:
        """The path; one without a known ending gets that of the format chosen."""
        text = super().text()
        if not text or Path(text).suffix.lower() in ENDINGS:
            return text
        return text + str(self.format.currentData())

    def _show_format(self) -> None:
        place = self.format.findData(Path(self.path.text().strip()).suffix.lower())
        if place >= 0:
            self.format.setCurrentIndex(place)

    def _on_format(self, place: int) -> None:
        text = self.path.text().strip()
        if text:
            is_known = Path(text).suffix.lower() in ENDINGS
            stem = str(Path(text).with_suffix("")) if is_known else text
            self.set_text(stem + str(self.format.itemData(place)))


def no_folder(path: str) -> str:
    """Why nothing can be written beside a path: its folder is not there; empty where it is."""
    folder = Path(path).parent
    return "" if folder.is_dir() else f"There is no folder {folder}."


def _ask_to_save(parent: QWidget, start: str) -> str:
    kinds = ";;".join(f"{name} (*{ending})" for ending, name in EXPORT_KINDS)
    return QFileDialog.getSaveFileName(parent, "Save decisions", start, kinds)[0]
