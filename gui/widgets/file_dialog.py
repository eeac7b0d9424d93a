"""The system's dialog for a file that is there, or for where to write one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFileDialog, QWidget


def file_dialog(
    parent: QWidget,
    title: str,
    folder: str,
    take: Callable[[str], object],
    *,
    kinds: Sequence[str] = (),
    saves_as: str = "",
) -> QFileDialog:
    """Make a dialog that begins in a folder; it is to be opened, and hands over what is chosen.

    Parameters
    ----------
    folder : str
        ``Session.folder_to_read`` or ``folder_to_write``: Qt begins in the process's own otherwise.
    kinds : sequence of str
        Name filters, the usual one first; a name without an ending gets that of the chosen one.
    saves_as : str
        What a file that is written is called at first; empty: one that is there is asked for.
    """
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setDirectory(folder)
    if kinds:
        dialog.setNameFilters(kinds)
    if saves_as:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.selectFile(saves_as)
        dialog.filterSelected.connect(lambda kind: _set_ending(dialog, kind))
        _set_ending(dialog, kinds[0] if kinds else "")
    dialog.fileSelected.connect(take)
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def _set_ending(dialog: QFileDialog, kind: str) -> None:
    """Of "CSV (*.csv)" it is csv."""
    found = re.search(r"\*\.([^\s)]+)", kind)
    dialog.setDefaultSuffix(found[1] if found else "")
