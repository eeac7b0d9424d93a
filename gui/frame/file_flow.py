"""Opening and saving: file dialogs, the import dialog, unsaved work. Nothing here blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from core.document.data.model import ReaderSettings
from core.settings import state_folder
from gui.frame.pasting import keep_pasted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.dialogs.import_dialog import ImportDialog
    from gui.workspace import Workspace

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
DATA_SUFFIXES = (*_TEXT, *_PARQUET, *_PACKED, *_WORKBOOKS, *_STATISTICS, *_FIXED_WIDTH, *_LIBSVM)


class FileFlow(QObject):
    """What happens between "open" and the workspace."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._window = window

    # ------------------------------------------------------------ open

    def choose_data(self) -> None:
        """Ask for a data file, then show how it would be read."""
        plugins = self._workspace.plugins
        endings = (*DATA_SUFFIXES, *(plugins.endings if plugins is not None else ()))
        kinds = " ".join(f"*{ending}" for ending in dict.fromkeys(endings))
        dialog = self._file_dialog(self.tr("Open data"))
        dialog.setNameFilters([self.tr("Data (%s)") % kinds, self.tr("All files (*)")])
        dialog.fileSelected.connect(self.import_file)
        dialog.open()

    def choose_project(self) -> None:
        """Ask for a project file."""
        dialog = self._file_dialog(self.tr("Open project"))
        dialog.setNameFilters([self.tr("Payoff projects (*.payoff)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self.open_path)
        dialog.open()

    def find_data(self) -> None:
        """Ask where the data file of the project has gone."""
        dialog = self._file_dialog(self.tr("Find the data file"))
        dialog.fileSelected.connect(self._workspace.find_data)
        dialog.open()

    def find_for(self, project: str) -> QFileDialog:
        """Ask where a recent project has gone, or else its data; then open it from there."""
        is_project = not Path(project).is_file()
        title = self.tr("Find the project") if is_project else self.tr("Find the data file")
        dialog = self._file_dialog(title)
        if is_project:
            dialog.setNameFilters([self.tr("Payoff projects (*.payoff)"), self.tr("All files (*)")])
            dialog.fileSelected.connect(lambda path: self._open_moved(project, path))
        else:
            dialog.fileSelected.connect(lambda path: self._open_with_data(project, path))
        dialog.open()
        return dialog

    def _open_moved(self, old: str, path: str) -> None:
        """Open a project at its new place, and forget the old one."""
        store = self._workspace.settings
        if store is not None:
            store.change(store.settings.without_recent(old))
        self.open_path(path)

    def _open_with_data(self, project: str, path: str) -> None:
        def open_both() -> None:
            if self._workspace.open_project(project):
                self._workspace.find_data(path)
                self._workspace.page_requested.emit("decide")

        self.when_saved(open_both)

    def open_path(self, path: str) -> None:
        """Open a project, or show how a data file would be read."""
        self._remember_folder(path)
        if Path(path).suffix.lower() == PROJECT_SUFFIX:
            self.when_saved(lambda: self._open_project(path))
        else:
            self.import_file(path)

    def import_file(self, path: str, reader: ReaderSettings | None = None) -> ImportDialog | None:
        """Show the first rows and how they are read; Load takes them."""
        self._remember_folder(path)
        if not Path(path).is_file():
            self._workspace.post(
                PayoffError(
                    self.tr("The file could not be opened."),
                    where=path,
                    why=self.tr("It is not there, or it is a folder."),
                    remedy=self.tr("Choose another file."),
                )
            )
            return None
        remembered = self._remembered_reader(path) if reader is None else None
        given = reader or remembered or ReaderSettings()
        from gui.dialogs.import_dialog import ImportDialog

        dialog = ImportDialog(self._workspace, path, given, self._window)
        if remembered is not None:
            dialog.say_remembered()
        dialog.accepted.connect(lambda: self._take(path, dialog.reader()))
        dialog.open()
        return dialog

    def _take(self, path: str, reader: ReaderSettings) -> None:
        """Open a file as it was settled, and remember how."""
        store = self._workspace.settings
        if store is not None:
            store.change(store.settings.with_reader(str(Path(path).resolve()), reader))
        self._workspace.open_data(path, reader)

    def _remembered_reader(self, path: str) -> ReaderSettings | None:
        store = self._workspace.settings
        return None if store is None else store.settings.reader_of(str(Path(path).resolve()))

    def paste_data(self) -> None:
        """Keep the table on the clipboard as a file of its own, and show how it would be read."""
        try:
            path = keep_pasted(QApplication.clipboard().text(), state_folder() / "pasted")
        except PayoffError as refusal:
            self._workspace.post(refusal)
            return
        self.import_file(str(path))

    def read_again(self) -> None:
        """Show the import dialog for the data that is open, with its settings."""
        data = self._workspace.document.data
        if data is not None:
            self.import_file(data.path, data.reader)

    def _open_project(self, path: str) -> None:
        if self._workspace.open_project(path):
            self._workspace.page_requested.emit("decide")

    # ------------------------------------------------------------ save

    def save(self, after: Callable[[], None] | None = None) -> None:
        """Save where the project was opened or saved last, or ask."""
        path = self._workspace.project_path
        if path is None:
            self.save_as(after)
        elif self._workspace.save_project(path) and after is not None:
            after()

    def save_as(self, after: Callable[[], None] | None = None) -> None:
        """Ask where to save the project."""
        dialog = self._file_dialog(self.tr("Save project"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilter(self.tr("Payoff projects (*.payoff)"))
        dialog.setDefaultSuffix("payoff")
        dialog.selectFile(self._workspace.document.name)

        def on_selected(path: str) -> None:
            self._remember_folder(path)
            if self._workspace.save_project(path) and after is not None:
                after()

        dialog.fileSelected.connect(on_selected)
        dialog.open()

    def when_saved(self, action: Callable[[], None]) -> None:
        """Do something that ends the present project; ask first if it has unsaved changes."""
        workspace = self._workspace
        if not workspace.history.is_changed or workspace.document.data is None:
            action()
            return
        kinds = QMessageBox.StandardButton
        box = QMessageBox(self._window)
        box.setWindowTitle(self.tr("Unsaved changes"))
        box.setText(self.tr("Save the changes to “%s”?") % workspace.document.name)
        box.setInformativeText(self.tr("Without saving, the changes are lost."))
        box.setStandardButtons(kinds.Save | kinds.Discard | kinds.Cancel)
        box.setDefaultButton(kinds.Save)

        def on_finished(_result: int) -> None:
            answer = box.standardButton(box.clickedButton())
            if answer == kinds.Save:
                self.save(action)
            elif answer == kinds.Discard:
                action()
            box.deleteLater()

        box.finished.connect(on_finished)
        box.open()

    # ------------------------------------------------------------ folders

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        settings = self._workspace.settings
        if settings is not None and settings.settings.last_folder:
            dialog.setDirectory(settings.settings.last_folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.finished.connect(dialog.deleteLater)
        return dialog

    def _remember_folder(self, path: str) -> None:
        store = self._workspace.settings
        if store is not None:
            store.change(replace(store.settings, last_folder=str(Path(path).resolve().parent)))
