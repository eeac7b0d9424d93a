"""Opening a file in the running window as a person does: the import dialog, then Load."""

from __future__ import annotations

from pathlib import Path

from gui.pages.data.reading.import_dialog import ImportDialog
from tests.helpers.program import Program


def dialog_of(program: Program, path: Path) -> ImportDialog:
    """The import dialog on a file, its first rows shown."""
    program.session.project.history.mark_saved()
    dialog = program.window.files.import_file(str(path))
    assert dialog is not None
    program.wait(lambda: dialog._preview is not None)
    return dialog


def load(program: Program, dialog: ImportDialog) -> None:
    """Press Load and wait for the data."""
    path = dialog._path
    program.wait(dialog._load.isEnabled)
    dialog.accept()
    program.wait(lambda: _is_open(program, path))
    program.settle()


def open_file(program: Program, path: Path) -> None:
    """Through the import dialog, as a person does."""
    load(program, dialog_of(program, path))


def _is_open(program: Program, path: str) -> bool:
    data = program.session.project.document.data
    return data is not None and data.path == path and program.session.project.summary is not None
