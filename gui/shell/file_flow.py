"""Opening and saving: file dialogs, the import dialog, unsaved work. Nothing here blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QObject
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from core.document.data.model import PARTS, ReaderSettings
from core.document.files.guarded import file_name
from core.document.files.project import ProjectChangedError
from core.document.wording import join_words
from core.settings import state_folder
from gui.session.files import SAVING, Taking
from gui.shell.commands.pasting import keep_pasted
from gui.shell.page_list import PageId
from gui.widgets.file_dialog import file_dialog
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.pages.data.reading.import_dialog import ImportDialog
    from gui.session.session import Session

PROJECT_SUFFIX = ".payoff"
PLUGIN_SUFFIXES = (".payoff-plugin", ".py", ".whl")  # a .zip may be data as well
#: What the file dialog shows at first; the kinds of file that the built-in readers open.
_TEXT = (".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".asc")
_PARQUET = (".parquet", ".pq")
_PACKED = (".gz", ".bz2", ".xz", ".zip")
_WORKBOOKS = (".xlsx", ".xlsm")
_STATISTICS = (".sas7bdat", ".xpt", ".xport", ".sav", ".zsav", ".dta")
_FIXED_WIDTH = (".fwf", ".prn")
_LIBSVM = (".libsvm", ".svm", ".svmlight")
_PROJECTS = ("Payoff projects (*.payoff)", "All files (*)")
_PAGES = (".html", ".htm", ".xls")  # portals save tables of pages under the name of a workbook
_OTHERS = (*_FIXED_WIDTH, *_LIBSVM, *_PAGES, ".arff")
DATA_SUFFIXES = (*_TEXT, *_PARQUET, *_PACKED, *_WORKBOOKS, *_STATISTICS, *_OTHERS)


class FileFlow(QObject):
    """What happens between "open" and the session."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        session.files.asks_about_unsaved = self._ask_about_unsaved

    # ------------------------------------------------------------ open

    def new_project(self) -> None:
        """Begin anew with nothing open, and show Home."""

        def begin() -> None:
            self._session.files.new_project()
            self._session.page_requested.emit(PageId.HOME)

        self.when_saved(begin)

    def choose_data(self) -> None:
        """Ask for a data file, then show how it would be read; it begins a new project."""
        self._choose_data("Open data", Taking.NEW)

    def choose_parts(self) -> None:
        """Ask for a folder whose files are the parts of one table; it begins a new project."""
        dialog = self._file_dialog("Open a folder of parts", self.open_path)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, on=True)
        dialog.open()

    def open_parts(self, path: str) -> None:
        """Open a folder of parts, or a file, to be read in pieces: nothing is to be settled."""
        self._remember_folder(path)
        self._session.files.open_data(path, ReaderSettings(format=PARTS), asks=True)

    def choose_replacement(self) -> None:
        """Ask for a file that takes the place of the project's data."""
        self._choose_data("Replace the data of this project", Taking.REPLACE)

    def _choose_data(self, title: str, taking: Taking) -> None:
        plugins = self._session.plugins.known
        endings = (*DATA_SUFFIXES, *(plugins.endings if plugins is not None else ()))
        kinds = " ".join(f"*{ending}" for ending in dict.fromkeys(endings))
        self._file_dialog(
            title,
            lambda path: self.import_file(QDir.toNativeSeparators(path), taking=taking),
            kinds=[f"Data ({kinds})", "All files (*)"],
        ).open()

    def choose_project(self) -> None:
        """Ask for a project file."""
        self._file_dialog("Open project", self.open_path, kinds=_PROJECTS).open()

    def find_data(self) -> None:
        """Ask where the data file of the project has gone."""
        self._file_dialog("Find the data file", self._session.files.find_data).open()

    def open_recent(self, project: str) -> None:
        """Open a recent project, or ask where its file has gone."""
        if Path(project).is_file():
            self.open_path(project)
        else:
            self.find_for(project)

    def find_for(self, project: str) -> QFileDialog:
        """Ask where a recent project has gone, or else its data; then open it from there."""
        is_project = not Path(project).is_file()
        title = "Find the project" if is_project else "Find the data file"
        take = self._open_moved if is_project else self._open_with_data
        kinds = _PROJECTS if is_project else ()
        dialog = self._file_dialog(title, partial(take, project), kinds=kinds)
        dialog.open()
        return dialog

    def _open_moved(self, old: str, path: str) -> None:
        """Open a project at its new place, and forget the old one."""
        store = self._session.settings
        if store is not None:
            store.change(store.settings.without_recent(old))
        self.open_path(path)

    def _open_with_data(self, project: str, path: str) -> None:
        def open_both() -> None:
            if self._session.files.open_project(project):
                self._session.files.find_data(path)
                self._session.page_requested.emit(PageId.DECIDE)

        self.when_saved(open_both)

    def open_path(self, path: str) -> None:
        """Open a project, or show how a data file would be read."""
        path = QDir.toNativeSeparators(path)  # Qt's dialogs answer with "/" on Windows too
        self._remember_folder(path)
        if Path(path).suffix.lower() == PROJECT_SUFFIX:
            self.when_saved(lambda: self._open_project(path))
        elif Path(path).is_dir():
            self.open_parts(path)
        else:
            self.import_file(path)

    def import_file(
        self, path: str, reader: ReaderSettings | None = None, *, taking: Taking = Taking.NEW
    ) -> ImportDialog | None:
        """Show the first rows and how they are read; Load takes them.

        Where that begins a new project, unsaved work is asked about.
        """
        self._remember_folder(path)
        if not Path(path).is_file():
            self._session.project.post(
                PayoffError(
                    "The file could not be opened.",
                    where=path,
                    why="It is not there, or it is a folder.",
                    remedy="Choose another file.",
                )
            )
            return None
        remembered = self._remembered_reader(path) if reader is None else None
        given = reader or remembered or ReaderSettings()
        from gui.pages.data.reading.import_dialog import ImportDialog

        dialog = ImportDialog(self._session, path, given, self._window)
        if remembered is not None:
            dialog.show_remembered()
        if taking is Taking.NEW and Path(path).suffix.lower() in _PARQUET:
            dialog.offer_pieces(lambda: self.open_parts(path))
        if taking is Taking.REPLACE:
            dialog.show_replaces(self._session.project.document.name)
        dialog.accepted.connect(lambda: self._take(path, dialog.reader(), taking))
        dialog.open()
        return dialog

    def _take(self, path: str, reader: ReaderSettings, taking: Taking) -> None:
        """Open a file as it was settled, and remember how."""
        store = self._session.settings
        if store is not None:
            store.change(store.settings.with_reader(path, reader))
        self._session.files.open_data(path, reader, taking=taking, asks=True)

    def _remembered_reader(self, path: str) -> ReaderSettings | None:
        store = self._session.settings
        return None if store is None else store.settings.reader_of(path)

    def paste_data(self) -> None:
        """Keep the table on the clipboard as a file of its own, and show how it would be read."""
        try:
            path = keep_pasted(QApplication.clipboard().text(), state_folder() / "pasted")
        except PayoffError as refusal:
            self._session.project.post(refusal)
            return
        self.import_file(str(path))

    def read_again(self) -> None:
        """Show the import dialog for the data that is open, with its settings."""
        data = self._session.project.document.data
        if data is not None and data.reader.format == PARTS:
            self._session.files.open_data(data.path, data.reader, taking=Taking.AGAIN)
        elif data is not None:
            self.import_file(data.path, data.reader, taking=Taking.AGAIN)

    def _open_project(self, path: str) -> None:
        """Open a project; one that is open elsewhere to be read, or as a copy."""
        holder = self._session.files.holder_of(path) if Path(path).is_file() else None
        if holder is None:
            self._show_opened(path)
            return
        self._choose(
            "Project in use",
            f"“{Path(path).name}” is open in {holder.words}.",
            "Both would write the same file. Changes of a copy are saved elsewhere.",
            (
                ("Open read-only", lambda: self._show_opened(path)),
                ("Open a copy", lambda: self._show_opened(path, as_copy=True)),
            ),
        )

    def _show_opened(self, path: str, *, as_copy: bool = False) -> None:
        if self._session.files.open_project(path, as_copy=as_copy):
            self._session.page_requested.emit(self._session.files.first_page)

    # ------------------------------------------------------------ save

    def save(self, after: Callable[[], None] | None = None) -> None:
        """Save where the project was opened or saved last, or ask."""
        path = self._session.files.project_path
        if path is None:
            self.save_as(after)
        else:
            self._write(path, after)

    def _write(
        self, path: str, after: Callable[[], None] | None, *, overwrites: bool = False
    ) -> None:
        """Save; where it is refused, say why and offer another place."""
        try:
            self._session.files.write_project(path, overwrites=overwrites)
        except ProjectChangedError as refusal:
            self._choose(
                "Save project",
                refusal.what,
                " ".join(part for part in (f"({refusal.where})", refusal.why) if part),
                (
                    ("Overwrite", lambda: self._write(path, after, overwrites=True)),
                    ("Save as…", lambda: self.save_as(after)),
                ),
            )
        except PayoffError as refusal:
            self._session.project.post(refusal, SAVING)
            notice = getattr(self._window, "notice", None)
            if notice is not None:
                notice.offer("Save as…", lambda: self.save_as(after))
        else:
            if after is not None:
                after()

    def save_as(self, after: Callable[[], None] | None = None) -> None:
        """Ask where to save the project."""

        def on_selected(path: str) -> None:
            self._remember_folder(path)
            self._write(path, after)

        name = file_name(self._session.project.document.name)
        self._file_dialog("Save project", on_selected, kinds=_PROJECTS[:1], saves_as=name).open()

    def when_saved(self, action: Callable[[], None], *, is_end: bool = False) -> None:
        """Do something that ends the present project; ask first if it has unsaved changes."""
        self._session.files.when_saved(action, is_end=is_end)

    def _ask_about_unsaved(self, action: Callable[[], None], losses: tuple[str, ...]) -> None:
        session = self._session
        kinds = QMessageBox.StandardButton
        box = QMessageBox(self._window)
        trained = join_words([entry.name for entry in session.trainings.running])
        if session.files.has_changes:
            box.setWindowTitle("Unsaved changes")
            box.setText(f"Save the changes to “{session.project.document.name}”?")
            box.setInformativeText(" ".join(("Without saving, the changes are lost.", *losses)))
            box.setStandardButtons(kinds.Save | kinds.Discard | kinds.Cancel)
            box.button(kinds.Discard).setText("Do&n’t save")
            box.setDefaultButton(kinds.Save)
        else:
            box.setWindowTitle("Still in training" if trained else "Not finished or not kept")
            box.setText(f"End the training of {trained}?" if trained else "Leave it all the same?")
            kept = ("Stop on page Models keeps it.",) if trained else ()
            box.setInformativeText(" ".join((*losses, *kept)))
            box.setStandardButtons(kinds.Discard | kinds.Cancel)
            box.button(kinds.Discard).setText("&End it" if trained else "&Leave it")
            box.setDefaultButton(kinds.Cancel)

        def on_finished(_result: int) -> None:
            answer = box.standardButton(box.clickedButton())
            if answer == kinds.Save:
                self.save(action)
            elif answer == kinds.Discard:
                session.files.throw_away()
                action()
            box.deleteLater()

        box.finished.connect(on_finished)
        box.open()

    def _choose(
        self,
        title: str,
        text: str,
        additional: str,
        choices: tuple[tuple[str, Callable[[], None]], ...],
    ) -> None:
        """Ask for one of some ways; Cancel, the usual answer, does nothing."""
        box = QMessageBox(self._window)
        box.setWindowTitle(title)
        box.setText(text)
        box.setInformativeText(additional)
        role = QMessageBox.ButtonRole.ActionRole
        buttons = [(box.addButton(words, role), action) for words, action in choices]
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))

        def on_finished(_result: int) -> None:
            clicked = box.clickedButton()
            chosen = next((action for button, action in buttons if button is clicked), None)
            box.deleteLater()
            if chosen is not None:
                chosen()

        box.finished.connect(on_finished)
        box.open()

    # ------------------------------------------------------------ folders

    def _file_dialog(
        self,
        title: str,
        take: Callable[[str], object],
        *,
        kinds: Sequence[str] = (),
        saves_as: str = "",
    ) -> QFileDialog:
        session = self._session
        folder = session.folder_to_write if saves_as else session.folder_to_read
        return file_dialog(self._window, title, folder, take, kinds=kinds, saves_as=saves_as)

    def _remember_folder(self, path: str) -> None:
        store = self._session.settings
        if store is not None:
            store.change(replace(store.settings, last_folder=str(Path(path).resolve().parent)))
