"""A small dialog for one name or one number."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QWidget

from gui.widgets import NumberField, TextField, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column

WIDTH = 360


class AskDialog(QDialog):
    """One field under its words; OK and Enter take what is in it.

    Parameters
    ----------
    parent : QWidget
    title, words : str
        Of the window, and before the field.
    field : TextField
        A number where it is a ``NumberField``.
    take : callable
        Called once the field is confirmed; the dialog stays where it says False: refused.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        words: str,
        field: TextField,
        take: Callable[[], object],
    ) -> None:
        super().__init__(parent)
        self.field = field
        self._take = take
        body = dialog_column(self, title, width=WIDTH)
        field.setAccessibleName(words)
        buttons, self.ok = dialog_buttons(self, "OK")
        for widget in (TextLabel(words), field, buttons):
            body.addWidget(widget)
        if isinstance(field, NumberField):
            field.returnPressed.connect(self._on_enter)
        else:
            field.textChanged.connect(self._check)
        self._check()
        field.setFocus()
        field.selectAll()

    def accept(self) -> None:
        if self._take() is not False:
            super().accept()

    def _check(self) -> None:
        self.ok.setEnabled(bool(self.field.text().strip()))

    def _on_enter(self) -> None:
        """One Enter is enough where nothing else depends on the number."""
        if self.field.is_being_typed() and not self.field.holds_refused():
            QTimer.singleShot(0, self, self.ok.click)


def ask_name(
    parent: QWidget, title: str, words: str, take: Callable[[str], object], text: str = ""
) -> AskDialog:
    """Ask for a name, beginning with a text; ``take`` is called with the one that is given."""
    field = TextField(text)
    dialog = AskDialog(parent, title, words, field, lambda: take(field.text().strip()))
    dialog.open()
    return dialog


def ask_number(
    parent: QWidget, title: str, words: str, take: Callable[[float], object], largest: float
) -> AskDialog:
    """Ask for a number; ``take`` is called with the one that is given."""
    field = NumberField(0.0, minimum=-largest, maximum=largest)
    dialog = AskDialog(parent, title, words, field, lambda: take(field.value()))
    dialog.open()
    return dialog
