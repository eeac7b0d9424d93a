"""A field for one number, with the user's decimal sign, a unit and a range."""

from __future__ import annotations

import math

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from core.document.wording import MINUS, NBSP
from gui.parts.entries import decimals_of, read_entry
from gui.parts.text_field import TextField
from gui.theme import tabular

PAUSE = 600  # ms without a key after which a number is complete


def format_entry(value: float, *, decimals: int, decimal: str = ".", signed: bool = False) -> str:
    """A number as a field shows it: fixed decimals, the user's decimal sign, a real minus."""
    text = f"{abs(value):.{decimals}f}"
    is_zero = float(text) == 0
    mark = "" if is_zero else MINUS if value < 0 else "+" if signed else ""
    return mark + text.replace(".", decimal)


class NumberField(TextField):
    """A right-aligned number: the one field for numbers of the program.

    A number counts when it is complete: Enter was pressed, the field was left, or no key came for
    a moment. Then ``value_changed`` is sent if it is another one, and ``value_committed``, which
    ends the step that undo takes back; leaving sends it too. What is no number, or out of range, is
    marked with its reason; left so, the field goes back to its value. Nobody else rewrites a field
    that is being typed into.

    ``factor`` scales what is shown: 100 with unit "%" edits a share. Arrow keys step. A field that
    ``may_be_empty`` has NaN for nothing.
    """

    value_changed = Signal(float)
    value_committed = Signal(float)

    def __init__(
        self,
        value: float = 0.0,
        *,
        decimals: int = 2,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        unit: str = "",
        factor: float = 1.0,
        step: float = 1.0,
        signed: bool = False,
        may_be_empty: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", parent)
        self._value = value
        self._decimals = decimals
        self._range = (minimum, maximum)
        self._unit = unit
        self._factor = factor
        self._step = step
        self._signed = signed
        self._may_be_empty = may_be_empty
        self._shown = ""  # the text that says the value
        self._typed = (math.nan, 0)  # the last number that was typed, and its decimals
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._on_pause)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(tabular(self.font()))
        self.textEdited.connect(self._on_edited)
        self.editingFinished.connect(self._on_finished)
        self._show_value()

    def value(self) -> float:
        """The number that is complete, in its own unit (a share, not a percentage)."""
        return self._value

    def entered(self) -> float | None:
        """The number, or None where the field is empty."""
        return None if math.isnan(self._value) else self._value

    def set_value(self, value: float) -> None:
        """Show a number; a field that is being typed into keeps what is typed."""
        if value != self._value:
            self._shown = ""  # what is being typed is not this value, even if it was before
        self._value = value
        self._show_value()

    def choose(self, value: float) -> None:
        """Take a number of the range as if it had been typed."""
        self._take(self._clamped(value))
        self._show_value()

    def set_range(self, minimum: float, maximum: float) -> None:
        """Take numbers within other ends."""
        self._range = (minimum, maximum)
        self._value = self._clamped(self._value)
        self._show_value()

    def set_decimals(self, decimals: int) -> None:
        """Show more or fewer decimals."""
        self._decimals = decimals
        self._show_value()

    def set_scale(self, factor: float, unit: str) -> None:
        """Show another kind of number: 100 with "%" edits a share."""
        self._factor, self._unit = factor, unit
        self._show_value()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        direction = steps.get(Qt.Key(event.key()))
        if direction is None or self.isReadOnly():
            super().keyPressEvent(event)
            return
        self._take_typed()
        times = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        present = 0.0 if math.isnan(self._value) else self._value
        self._take(self._clamped(present + direction * times * self._step / self._factor))
        self.setModified(False)
        self._show_value()

    @staticmethod
    def _decimal_sign() -> str:
        return QLocale().decimalPoint()

    def _show_value(self) -> None:
        """Show the value, unless another is being typed; a selection of all stays one."""
        if self.is_being_typed():
            return
        text = self._words_of_value()
        if text != self.text():
            self.replace_text(text)
            if not self.hasSelectedText():
                self.setCursorPosition(0)
        self.setModified(False)
        self._shown = text
        self._set_invalid(False)

    def _words_of_value(self) -> str:
        if math.isnan(self._value):
            return ""
        typed, digits = self._typed
        is_typed = math.isclose(typed, self._value, rel_tol=1e-12)
        text = format_entry(
            self._value * self._factor,
            decimals=max(self._decimals, digits) if is_typed else self._decimals,
            decimal=self._decimal_sign(),
            signed=self._signed,
        )
        return f"{text}{NBSP}{self._unit}" if self._unit else text

    def _clamped(self, value: float) -> float:
        low, high = self._range
        return min(high, max(low, value))

    def _set_invalid(self, is_invalid: bool) -> None:
        word = "true" if is_invalid else "false"
        if self.property("invalid") != word and (is_invalid or self.property("invalid")):
            self.setProperty("invalid", word)
            self.style().unpolish(self)
            self.style().polish(self)

    def _read(self) -> float | str:
        """What is typed as a value, or why it cannot be taken."""
        text = self.text()
        if self._may_be_empty and not text.strip():
            return math.nan
        entry = read_entry(text, decimal=self._decimal_sign(), unit=self._unit)
        if isinstance(entry, str):
            return entry
        low, high = self._range
        return entry / self._factor if low <= entry / self._factor <= high else self._reason()

    def _on_edited(self, _text: str) -> None:
        found = self._read()
        is_refused = isinstance(found, str)
        self._set_invalid(is_refused)
        self.setToolTip(found if isinstance(found, str) else "")
        self._pause.start()

    def _reason(self) -> str:
        low, high = (end * self._factor for end in self._range)
        if math.isinf(high):
            return self.tr("The number must be %s or more.") % f"{low:g}"
        if math.isinf(low):
            return self.tr("The number must be %s or less.") % f"{high:g}"
        return self.tr("The number must be from %s to %s.") % (f"{low:g}", f"{high:g}")

    def _take_typed(self) -> None:
        """What was typed is complete, and counts if it is a number of the range."""
        self._pause.stop()
        found = self._read() if self.text() != self._shown else ""
        if not isinstance(found, str):
            self._typed = (found, decimals_of(self.text(), self._decimal_sign()))
            self._shown = self.text()
            self._take(found)

    def _on_pause(self) -> None:
        if not isinstance(self._read(), str):
            self._take_typed()
            self.value_committed.emit(self._value)

    def _take(self, value: float) -> None:
        if value != self._value and not (math.isnan(value) and math.isnan(self._value)):
            self._value = value
            self.value_changed.emit(value)

    def _on_finished(self) -> None:
        self._take_typed()
        self._set_invalid(False)
        self._show_value()
        self.value_committed.emit(self._value)
