"""What dialogs share: their column, and the foot with one primary button and Cancel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.widgets.fields.text_field import TextField
from gui.widgets.on_screen import bring_inside

MARGIN = 16


class AnswerDialog(QDialog):
    """A dialog whose tables and answers have the menu that the window gives them on a page."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask the window that the dialog belongs to: events end at the edge of their own window."""
        above = self.parentWidget()
        if above is None:
            super().contextMenuEvent(event)
        else:
            QApplication.sendEvent(above.window(), event)


class FittedDialog(AnswerDialog):
    """A dialog that is as high as what it shows."""

    def fit(self) -> None:
        """Take the height of what is shown now, once that has been laid out, on the screen."""
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        self.adjustSize()
        bring_inside(self)

    def sizeHint(self) -> QSize:
        """At least as wide as the dialog was made, and as high as its texts are at that width."""
        layout, hint = self.layout(), super().sizeHint()
        if layout is None:
            return hint
        width = max(self.minimumWidth(), hint.width())
        return QSize(width, max(hint.height(), layout.totalHeightForWidth(width)))


def dialog_column(dialog: QDialog, title: str, *, width: int, spacing: int = 12) -> QVBoxLayout:
    """Give a dialog its title, least width and column; closing it ends it."""
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setMinimumWidth(width)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    column.setSpacing(spacing)
    return column


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
        What the button does; left out: the dialog is accepted. Not called where the number typed
        last is none: its field says so.
    """
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, dialog)
    primary = QPushButton(words)
    primary.setProperty("kind", "primary")
    box.addButton(primary, QDialogButtonBox.ButtonRole.AcceptRole)
    keep_default(primary)
    confirm = take or dialog.accept
    box.accepted.connect(lambda: entries_stand(dialog) and confirm())
    box.rejected.connect(dialog.reject)
    return box, primary


def keep_default(button: QPushButton) -> None:
    """Let Return press a button wherever the keyboard is, once the button is in its dialog.

    One that was made the default before it was there is none any more as soon as it had the
    keyboard and lost it.
    """
    assert isinstance(button.window(), QDialog)
    button.setDefault(True)


def entries_stand(root: QWidget) -> bool:
    """Whether what was typed last counts; its field says why where it does not.

    Asked before what takes long, writes a file, or closes a dialog.
    """
    for field in root.findChildren(TextField):
        if field.isVisible() and field.holds_refused():
            field.show_refusal()
            return False
    return True
