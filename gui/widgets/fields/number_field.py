"""A field for one number, with the user's decimal sign, a unit and a range."""

from __future__ import annotations

import math

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from core.document.wording import MINUS, NBSP
from gui.theme import tabular
from gui.widgets.fields.entries import decimals_for, read_entry
from gui.widgets.fields.text_field import ENTER, TextField

LARGEST_COUNT = 1e15  # of numbers that must be whole: beyond, counts are no longer exact
MOST_DECIMALS = 12  # what is smaller is written with a power of ten


def format_entry(value: float, *, decimals: int, decimal: str = ".", signed: bool = False) -> str:
    """A number as a field shows it: fixed decimals, the user's decimal sign, a real minus."""
    is_tiny = decimals > MOST_DECIMALS
    text = f"{abs(value):.{3 if is_tiny else decimals}{'g' if is_tiny else 'f'}}"
    is_zero = float(text) == 0
    mark = "" if is_zero else MINUS if value < 0 else "+" if signed else ""
    return mark + text.replace(".", decimal)


class NumberField(TextField):
    """A right-aligned number: the one field for numbers of the program.

    A number counts when it is complete: Enter was pressed, the field was left, or no key came for
    a moment. Then ``value_changed`` is sent if it is another one, and ``value_committed``, which
    ends the step that undo takes back; leaving sends it too. What is no number, or out of range, is
    marked with its reason; left so, the field goes back to its value and says why. Nobody else
    rewrites a field that is being typed into. Enter after typing is the field's own: what a dialog
    shows beside it is then of that number, and the next Enter confirms it.

    ``factor`` scales what is shown: 100 with unit "%" edits a share. Arrow keys step. A field that
    ``may_be_empty`` has NaN for nothing; a ``whole`` one takes no halves.
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
        whole: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", parent)
        self._value = value
        self._decimals = 0 if whole else decimals
        self.is_whole = whole
        self._range = (minimum, min(maximum, LARGEST_COUNT) if whole else maximum)
        self._unit = unit
        self._factor = factor
        self._step = step
        self._signed = signed
        self._may_be_empty = may_be_empty
        self._shown = ""  # the text that says the value
        self._typed = math.nan  # the last number that was typed
        self._start: float | None = None  # the value before something was typed
        self.enter_is_own = True
        self._went_to: QWidget | None = None  # what got the keyboard from a refused entry
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(tabular(self.font()))
        self.textEdited.connect(self._on_edited)
        self.paused.connect(self._on_pause)
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

    def set_facts(
        self,
        *,
        minimum: float,
        maximum: float,
        decimals: int,
        unit: str,
        factor: float,
        step: float,
    ) -> None:
        """Take another range, and write numbers in another way; the number stays."""
        self._range = (minimum, min(maximum, LARGEST_COUNT) if self.is_whole else maximum)
        self._decimals, self._step = 0 if self.is_whole else decimals, step
        self._unit, self._factor = unit, factor
        self._show_value()

    def set_decimals(self, decimals: int) -> None:
        """Show more or fewer decimals."""
        self._decimals = decimals
        self._show_value()

    def set_scale(self, factor: float, unit: str) -> None:
        """Show another kind of number: 100 with "%" edits a share."""
        self._factor, self._unit = factor, unit
        self._show_value()

    def holds_refused(self) -> bool:
        """Whether what is typed does not count, or was refused on the way to what has the keyboard.

        A dialog asks before it is confirmed: the former number is not what the person typed.
        """
        if self.is_being_typed():
            return self.text() != self._shown and isinstance(self._read(), str)
        return self._went_to is not None and self._went_to is QApplication.focusWidget()

    def show_refusal(self) -> None:
        """Take the keyboard back, and say why what was typed does not count."""
        self.finish_typing()
        self._went_to = None
        super().show_refusal()

    # ------------------------------------------------------------ events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        direction = steps.get(Qt.Key(event.key()))
        if direction is None or self.isReadOnly():
            super().keyPressEvent(event)
            if event.key() in ENTER and self.hasFocus():
                self.selectAll()  # what is typed next is another number
            return
        self._take_typed()
        times = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        present = 0.0 if math.isnan(self._value) else self._value
        self._take(self._clamped(present + direction * times * self._step / self._factor))
        self.setModified(False)
        self._show_value()
        self._pause.start()  # a step counts as typing does

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._went_to = None

    def focusOutEvent(self, event: QFocusEvent) -> None:
        is_refused = self.isModified() and isinstance(self._read(), str)
        super().focusOutEvent(event)
        if is_refused and not self.isModified():
            self._went_to = QApplication.focusWidget()

    # ------------------------------------------------------------ showing

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
        self._before = self._shown = text
        self._set_invalid(False)

    def _words_of_value(self) -> str:
        if math.isnan(self._value):
            return ""
        shown = self._value * self._factor
        is_typed = math.isclose(self._typed, self._value, rel_tol=1e-12)
        text = format_entry(
            shown,
            decimals=0 if self.is_whole else decimals_for(shown, self._decimals, exact=is_typed),
            decimal=self._decimal_sign(),
            signed=self._signed,
        )
        return f"{text}{NBSP}{self._unit}" if self._unit else text

    def _clamped(self, value: float) -> float:
        low, high = self._range
        return min(high, max(low, value))

    # ------------------------------------------------------------ taking

    def _read(self) -> float | str:
        """What is typed as a value, or why it cannot be taken."""
        text = self.text()
        if self._may_be_empty and not text.strip():
            return math.nan
        entry = read_entry(text, decimal=self._decimal_sign(), unit=self._unit)
        if isinstance(entry, str):
            return entry
        low, high = self._range
        if not low <= entry / self._factor <= high:
            return self._reason()
        if self.is_whole and entry != math.floor(entry):
            return "The number must be a whole one."
        return entry / self._factor

    def _on_edited(self, _text: str) -> None:
        if self._start is None:
            self._start = self._value
        found = self._read()
        self.refuse(found if isinstance(found, str) else "")

    def _reason(self) -> str:
        low, high = (end * self._factor for end in self._range)
        if math.isinf(high) or (self.is_whole and high >= LARGEST_COUNT):
            return f"The number must be {low:g} or more."
        if math.isinf(low):
            return f"The number must be {high:g} or less."
        return f"The number must be from {low:g} to {high:g}."

    def _take_typed(self) -> None:
        """What was typed is complete, and counts if it is a number of the range."""
        found = self._read() if self.text() != self._shown else ""
        if not isinstance(found, str):
            self._typed = found
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

    def take_back(self) -> None:
        """What was typed goes; a number that counted in a pause goes with it."""
        start = self._start
        super().take_back()
        self._start, self._refusal = None, ""
        if start is not None and start != self._value:
            self._take(start)
            self.value_committed.emit(self._value)
        self._show_value()
        self.selectAll()

    def _on_finished(self) -> None:
        entry, is_changed = self.text(), self.text() != self._shown
        found = self._read() if is_changed else ""
        self._take_typed()
        self._start = None
        self._set_invalid(False)
        self._show_value()
        if is_changed and isinstance(found, str):
            words = "“%s” was not taken. %s It stays as it was."
            self._refusal = words % (entry, found)
            if self.isVisible():
                self._show_refusal()
        self.value_committed.emit(self._value)
