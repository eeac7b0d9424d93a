"""A field for one number, with the user's decimal sign, a unit and a range."""

from __future__ import annotations

import math

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from core.document.wording import MINUS, NBSP
from gui.theme import tabular

_SPACES = (" ", NBSP, "\u202f", "'", "’")


def parse_entry(text: str, *, decimal: str = ".") -> float | None:
    """The number a person typed, or None.

    Both comma and point are read as the decimal sign when one of them stands alone; with both, the
    user's decimal sign decides and the other groups thousands. Units and spaces are dropped.
    """
    plain = text.strip().replace(MINUS, "-").rstrip("%").strip()
    plain = plain.lstrip("€$£").strip()
    for space in _SPACES:
        plain = plain.replace(space, "")
    other = "," if decimal == "." else "."
    if decimal in plain or plain.count(other) > 1:
        plain = plain.replace(other, "")
    plain = plain.replace(other, ".").replace(decimal, ".")
    try:
        value = float(plain)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def format_entry(value: float, *, decimals: int, decimal: str = ".", signed: bool = False) -> str:
    """A number as a field shows it: fixed decimals, the user's decimal sign, a real minus."""
    text = f"{abs(value):.{decimals}f}"
    is_zero = float(text) == 0
    mark = "" if is_zero else MINUS if value < 0 else "+" if signed else ""
    return mark + text.replace(".", decimal)


class NumberField(QLineEdit):
    """A right-aligned number. ``value_changed`` is sent for each valid entry while typing,
    ``value_committed`` when the field is left or Enter pressed.

    ``factor`` scales what is shown: 100 with unit "%" edits a share. Arrow keys step.
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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._value = value
        self._decimals = decimals
        self._range = (minimum, maximum)
        self._unit = unit
        self._factor = factor
        self._step = step
        self._signed = signed
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(tabular(self.font()))
        self.textEdited.connect(self._on_edited)
        self.editingFinished.connect(self._on_finished)
        self._show_value()

    def value(self) -> float:
        """The number, in its own unit (a share, not a percentage)."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number; a field that is being typed into is left alone."""
        if self.hasFocus() and self.isModified():
            return
        self._value = value
        self._set_invalid(False)
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
        times = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        self._take(self._clamped(self._value + direction * times * self._step / self._factor))
        self._show_value()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectAll()

    @staticmethod
    def _decimal_sign() -> str:
        return QLocale().decimalPoint()

    def _show_value(self) -> None:
        text = format_entry(
            self._value * self._factor,
            decimals=self._decimals,
            decimal=self._decimal_sign(),
            signed=self._signed,
        )
        self.setText(f"{text}{NBSP}{self._unit}" if self._unit else text)
        self.setModified(False)
        self.setCursorPosition(0)

    def _clamped(self, value: float) -> float:
        low, high = self._range
        return min(high, max(low, value))

    def _set_invalid(self, is_invalid: bool) -> None:
        word = "true" if is_invalid else "false"
        if self.property("invalid") != word and (is_invalid or self.property("invalid")):
            self.setProperty("invalid", word)
            self.style().unpolish(self)
            self.style().polish(self)

    def _on_edited(self, text: str) -> None:
        entry = parse_entry(text, decimal=self._decimal_sign())
        low, high = self._range
        fits = entry is not None and low <= entry / self._factor <= high
        self._set_invalid(not fits)
        self.setToolTip("" if fits else self._reason(entry))
        if entry is not None and fits:
            self._take(entry / self._factor)

    def _reason(self, entry: float | None) -> str:
        if entry is None:
            return self.tr("This is not a number.")
        low, high = (end * self._factor for end in self._range)
        if math.isinf(high):
            return self.tr("The number must be %s or more.") % f"{low:g}"
        if math.isinf(low):
            return self.tr("The number must be %s or less.") % f"{high:g}"
        return self.tr("The number must be from %s to %s.") % (f"{low:g}", f"{high:g}")

    def _take(self, value: float) -> None:
        if value != self._value:
            self._value = value
            self.value_changed.emit(value)

    def _on_finished(self) -> None:
        self._set_invalid(False)
        self._show_value()
        self.value_committed.emit(self._value)
