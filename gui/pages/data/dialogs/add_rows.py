"""Further files whose rows are for training, validation, test, or to be decided."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from core.document.data.model import DataRef, FileRef, RowsSpec, RowUse
from core.document.files.atomic import file_identity
from core.document.studies.data import SecondFile, SecondFileArguments
from gui.pages.data.dialogs.second_file import (
    HowItIsRead,
    ask_for_data,
    part_of,
    parts_of_data,
    reader_beside,
)
from gui.pages.data.words import USE_WORDS
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import ElidedLabel, TextLabel, clear_layout
from gui.widgets.dialog import dialog_buttons, dialog_column
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.message_lines import MessageLines
from payoff.counting import counted

WIDTH = 620
USES = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.TO_DECIDE)
_BY_NAME = (
    ("train", RowUse.TRAIN),
    ("valid", RowUse.VALIDATION),
    ("val", RowUse.VALIDATION),
    ("test", RowUse.TEST),
    ("score", RowUse.TO_DECIDE),
    ("new", RowUse.TO_DECIDE),
)


class AddRowsDialog(QDialog):
    """A line per file with its use; all rows stand in one table afterwards."""

    changes_table = True  # it closes by itself when they are there

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.files: list[tuple[FileRef, int]] = []
        self.uses: list[QComboBox] = []
        body = dialog_column(self, "Training, validation and test files", width=WIDTH, spacing=10)
        hint = (
            "Columns are brought together by their names. A column row_use says which file a row "
            "came from, and what it is for."
        )
        body.addWidget(TextLabel(hint, "quiet", wraps=True))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        body.addLayout(self._grid)
        self.browse = QPushButton("Add a file…")
        self.browse.clicked.connect(self.ask)
        self.how = HowItIsRead(session, self.read_again)
        self._newest: FileRef | None = None
        choose = QHBoxLayout()
        choose.addWidget(self.browse)
        choose.addWidget(self.how)
        choose.addStretch(1)
        body.addLayout(choose)
        self.lines = MessageLines()
        body.addWidget(self.lines)
        body.addStretch(1)
        body.addWidget(self._make_buttons())
        data = session.project.document.data
        recipe = data.recipe if data is not None else None
        self.own_use = self._use_combo(
            recipe.own_use if recipe and recipe.rows else use_of(data.path if data else "")
        )
        self.own_use.setEnabled(not (recipe and recipe.rows))
        self._show_files()

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, self.add = dialog_buttons(self, "Add rows", self.take)
        return buttons

    def _use_combo(self, use: RowUse) -> QComboBox:
        combo = ChoiceBox()
        for entry in USES:
            combo.addItem(USE_WORDS[entry], entry)
        combo.setCurrentIndex(combo.findData(use))
        combo.setAccessibleName("Use of the rows")
        return combo

    # ------------------------------------------------------------ files

    def ask(self) -> QFileDialog:
        """Ask for a further file."""
        return ask_for_data(self, self.session, self.read)

    def read(self, path: str) -> None:
        """Read a file and put it into the list."""
        reader = reader_beside(self.session, path, (part_of(file) for file, _rows in self.files))
        self.how.show_for(path)
        self.lines.clear()
        self.lines.add("clock", "quiet", f"Reading {Path(path).name} …")
        Request(self, self.session.project).run(  # several files may be read at a time
            "second_file",
            SecondFileArguments(document=self.session.project.document, path=path, reader=reader),
            SecondFile,
            title=f"Reading {Path(path).name}",
            on_result=self._take_file,
            on_error=self._take_error,
        )

    def read_again(self, path: str) -> None:
        """Read the newest file as was said now, in the place of how it was read."""
        if self._newest is not None and file_identity(self._newest.path) == file_identity(path):
            self._take_out(part_of(self._newest))
        self.read(path)

    def _take_file(self, found: SecondFile) -> None:
        self.lines.clear()
        if part_of(found.file) in parts_of_data(self.session):
            self.lines.add_error(f"The rows of {_caption(found.file)} are in the data already.")
            return
        self._take_out(part_of(found.file))
        self._newest = found.file
        self.files.append((found.file, found.rows))
        self.uses.append(self._use_combo(use_of(found.file.path)))
        data = self.session.project.document.data
        names = {name for name, _kind, _is_taken in found.columns}
        lacking = [name for name in data.columns if name not in names] if data else []
        if lacking:
            shown = ", ".join(lacking[:5]) + (" …" if len(lacking) > 5 else "")
            self.lines.add_warning(f"The file has no {shown}: missing in its rows.")
        self._show_files()

    def _take_out(self, part: tuple[str, str | None]) -> None:
        """A file, or a sheet, that is read again stands in the list once."""
        for place, (file, _rows) in reversed(list(enumerate(self.files))):
            if part_of(file) == part:
                del self.files[place]
                combo = self.uses.pop(place)
                self._grid.removeWidget(combo)
                combo.deleteLater()
        self._show_files()

    def _take_error(self, error: Exception) -> None:
        self.lines.clear()
        self.lines.add_error(str(error))
        self.add.setEnabled(bool(self.files))

    def _show_files(self) -> None:
        for combo in (self.own_use, *self.uses):
            self._grid.removeWidget(combo)  # clear_layout would delete it
            combo.setParent(self)
        clear_layout(self._grid)
        data = self.session.project.document.data
        lines = [(_caption(data), data.rows)] if data is not None else []
        lines += [(_caption(file), rows) for file, rows in self.files]
        for row, ((name, rows), combo) in enumerate(
            zip(lines, [self.own_use, *self.uses], strict=False)
        ):
            self._grid.addWidget(ElidedLabel(name, "strong"), row, 0)
            count = TextLabel(counted(rows, "row"), "quiet")
            self._grid.addWidget(count, row, 1)
            self._grid.addWidget(combo, row, 2)
            combo.show()
        self.add.setEnabled(bool(self.files))

    # ------------------------------------------------------------ answering

    def take(self) -> None:
        """Add the rows; the dialog closes once they are there."""
        rows = tuple(
            RowsSpec(file=file, use=RowUse(combo.currentData()))
            for (file, _count), combo in zip(self.files, self.uses, strict=True)
        )
        self.add.setEnabled(False)
        self.session.tables.add_rows(RowUse(self.own_use.currentData()), rows, self._ended, of=self)

    def _ended(self, error: Exception | None) -> None:
        if error is None:
            self.accept()
            return
        self._take_error(error)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 360)


def _caption(file: FileRef | DataRef) -> str:
    """The name of a file, with its sheet where it has several."""
    return ", ".join(filter(None, (Path(file.path).name, file.reader.part)))


def use_of(path: str) -> RowUse:
    """What a file's rows are for, as its name suggests; training rows where it suggests nothing."""
    name = Path(path).stem.casefold()
    return next((use for word, use in _BY_NAME if word in name), RowUse.TRAIN)
