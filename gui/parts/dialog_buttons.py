"""The foot of a dialog: one primary button, and Cancel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton


def dialog_buttons(
    dialog: QDialog, words: str, take: Callable[[], object] | None = None
) -> tuple[QDialogButtonBox, QPushButton]:
    """A box with the button that takes what was entered and Cancel, and that button.

    Parameters
    ----------
    dialog : QDialog
        Cancel rejects it.
    words : str
        On the primary button, which Return presses.
    take : callable, optional
        What the button does; left out: the dialog is accepted.
    """
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    primary = QPushButton(words)
    primary.setProperty("kind", "primary")
    primary.setDefault(True)
    box.addButton(primary, QDialogButtonBox.ButtonRole.AcceptRole)
    box.accepted.connect(take or dialog.accept)
    box.rejected.connect(dialog.reject)
    return box, primary
