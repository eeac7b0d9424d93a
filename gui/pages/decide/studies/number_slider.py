"""One number that is tried: its words, a slider over its range, a field, and the way back."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QWidget

from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.studies.moving_numbers import TriedNumber
from core.presentation.labels import capitalised
from gui.theme import icon
from gui.widgets import NumberField, TextLabel

STEPS = 200
WORDS, FIELD = 152, 76


class NumberSlider(QWidget):
    """Says ``changed`` while it is moved; the present value is where nothing is tried."""

    changed = Signal()

    def __init__(self, entry: TriedNumber, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        self._value = entry.now
        self.label = TextLabel("", wraps=True)
        self.label.setFixedWidth(WORDS)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.field = NumberField(entry.now)
        self.field.setProperty("small", True)
        self.field.setFixedWidth(FIELD)
        self.back = QToolButton()
        self.back.setIcon(icon("undo"))
        self.back.setToolTip("Back to the present value")
        self._show_facts()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.label)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        row.addWidget(self.back)
        self.slider.valueChanged.connect(self._on_slid)
        self.field.value_changed.connect(self._on_typed)
        self.back.clicked.connect(self.reset)
        self._show()

    @property
    def number(self) -> NumberRef:
        """What it is a value of."""
        return self._entry.number

    @property
    def name(self) -> str:
        """What the number is called: "cost per letter"."""
        return self._entry.name

    @property
    def value(self) -> float:
        """The value that is tried."""
        return self._value

    @property
    def is_tried(self) -> bool:
        """Whether the value differs from the present one."""
        return self._value != self._entry.now

    def take(self, entry: TriedNumber) -> None:
        """The number's present value or range is another; what is tried stays if it was tried."""
        was_tried = self.is_tried
        self._entry = entry
        self._show_facts()
        if not was_tried:
            self._value = entry.now
        self._show()

    def _show_facts(self) -> None:
        """Name the number, and write it in its unit: a cell may have become a share of an amount.

        Only a share of the cases lies between nothing and all; one of an amount may be a loss.
        """
        words = capitalised(self._entry.name)
        self.label.setText(words)
        for widget in (self.slider, self.field):
            widget.setAccessibleName(words)
        self.back.setAccessibleName(f"{words}: back to the present value")
        is_share = self._entry.unit == "share"
        kind = self._entry.number.kind
        self.field.set_facts(
            minimum=0.0 if kind in (NumberKind.PRIOR, NumberKind.COST) else -math.inf,
            maximum=1.0 if kind is NumberKind.PRIOR else math.inf,
            decimals=2,
            unit="%" if is_share else "",
            factor=100.0 if is_share else 1.0,
            step=1.0,
        )

    def set_value(self, value: float) -> None:
        """Put the slider at a value, which is then tried."""
        if value != self._value:
            self._value = value
            self._show()
            self.changed.emit()

    def reset(self) -> None:
        """Back to the present value."""
        self.set_value(self._entry.now)

    def _ends(self) -> tuple[float, float]:
        """The range, widened to a value that was typed beyond it."""
        return min(self._entry.low, self._value), max(self._entry.high, self._value)

    def _show(self) -> None:
        low, high = self._ends()
        share = (self._value - low) / (high - low) if high > low else 0.0
        self.slider.blockSignals(True)
        self.slider.setValue(round(share * STEPS))
        self.slider.blockSignals(False)
        self.field.set_decimals(0 if abs(self._value) >= 1000 else 2)
        self.field.set_value(self._value)
        self.back.setEnabled(self.is_tried)

    def _on_slid(self, step: int) -> None:
        low, high = self._entry.low, self._entry.high
        raw = low + (high - low) * step / STEPS
        near = abs(raw - self._entry.now) <= (high - low) / STEPS / 2
        self.set_value(self._entry.now if near else self._rounded(raw, (high - low) / STEPS))

    @staticmethod
    def _rounded(value: float, step: float) -> float:
        """A value with no more digits than the step needs."""
        digits = max(0, 1 - math.floor(math.log10(step))) if step > 0 else 6
        return round(value, digits)

    def _on_typed(self, value: float) -> None:
        if value != self._value:
            self._value = value
            self._show()
            self.changed.emit()
