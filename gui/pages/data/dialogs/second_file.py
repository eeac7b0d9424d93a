"""What the dialogs on further files share: the field that names a file, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from core.document.data.model import DataRef, FileRef, ReaderSettings
from core.document.files.atomic import file_identity
from gui.session.session import Session
from gui.widgets import ElidedLabel
from gui.widgets.file_dialog import file_dialog

if TYPE_CHECKING:
    from gui.pages.data.reading.import_dialog import ImportDialog


def reader_of(session: Session, path: str) -> ReaderSettings:
    """How a file was read the last time; a new one is found out."""
    return remembered_reader(session, path) or ReaderSettings()


def part_of(file: FileRef | DataRef) -> tuple[str, str | None]:
    """What tells one list of rows from another: the file, and its sheet."""
    return file_identity(file.path), file.reader.part


def parts_of_data(session: Session) -> set[tuple[str, str | None]]:
    """The files whose rows are in the data, and which sheet of each."""
    data = session.project.document.data
    return set() if data is None else {part_of(data), *(part_of(e.file) for e in data.recipe.rows)}


def ask_for_data(parent: QWidget, session: Session, take: Callable[[str], object]) -> QFileDialog:
    """Ask for a further data file, beside those of the project at first."""
    data = session.project.document.data
    folder = session.folder_to_read if data is None else str(Path(data.path).parent)
    dialog = file_dialog(parent, "Choose a data file", folder, take)
    dialog.open()
    return dialog


def reader_beside(
    session: Session, path: str, others: Iterable[tuple[str, str | None]] = ()
) -> ReaderSettings:
    """How a further file is read: as the last time, but which of its sheets is asked again where
    that one is in the data, or among ``others``."""
    reader = reader_of(session, path)
    taken = parts_of_data(session) | set(others)
    if reader.part and (file_identity(path), reader.part) in taken:
        return replace(reader, part=None, left_out=None)
    return reader


def remembered_reader(session: Session, path: str) -> ReaderSettings | None:
    """How a file was read the last time, if that is known."""
    store = session.settings
    return None if store is None else store.settings.reader_of(path)


def reader_of_new_cases(session: Session, path: str) -> ReaderSettings:
    """How new cases are read: as the last time, else as the project's file of the same format."""
    data = session.project.document.data
    is_alike = data is not None and Path(data.path).suffix.lower() == Path(path).suffix.lower()
    usual = data.reader if data is not None and is_alike else ReaderSettings()
    return remembered_reader(session, path) or usual


def ask_how(session: Session, path: str, parent: QWidget, take: Callable[[], None]) -> ImportDialog:
    """Show how a further file is read; what is said is remembered, then ``take`` is called."""
    from gui.pages.data.reading.import_dialog import ImportDialog

    dialog = ImportDialog(session, path, reader_of(session, path), parent)

    def accepted() -> None:
        store = session.settings
        if store is not None:
            store.change(store.settings.with_reader(path, dialog.reader()))
        take()

    dialog.accepted.connect(accepted)
    dialog.open()
    return dialog


class HowItIsRead(QPushButton):
    """Leads to the settings of a further file; hidden until there is one."""

    def __init__(self, session: Session, take: Callable[[str], None]) -> None:
        super().__init__("How it is read…")
        self._session = session
        self._path = ""
        self._take = take
        self.setProperty("kind", "link")
        self.hide()
        self.clicked.connect(self.ask)

    def show_for(self, path: str) -> None:
        """Offer the settings of a file."""
        self._path = path
        self.setToolTip(path)
        self.show()

    def ask(self) -> ImportDialog:
        """Show the settings; the file is read again when they are taken."""
        path = self._path
        return ask_how(self._session, path, self, lambda: self._take(path))


class FileField(QWidget):
    """The chosen file, the button that asks for one, and the way to how it is read."""

    chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.label = ElidedLabel("No file chosen yet", "strong")
        self.browse = QPushButton("Choose file…")
        self.browse.clicked.connect(self.ask)
        self.how = HowItIsRead(session, self.take)
        row.addWidget(self.label, 1)
        row.addWidget(self.how)
        row.addWidget(self.browse)

    def ask(self) -> QFileDialog:
        """Ask for a file beside the data."""
        return ask_for_data(self, self._session, self.take)

    def take(self, path: str) -> None:
        """Show the file and tell of it."""
        self.label.set_full_text(Path(path).name)
        self.label.setToolTip(path)
        self.how.show_for(path)
        self.chosen.emit(path)
