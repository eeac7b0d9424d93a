"""One axis of the winner map: which number, from where to where."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from core.document.studies.numbers import TriedNumber
from core.document.studies.winner_map import MapAxis
from core.presentation.labels import capitalised
from gui.parts import NumberField, TextLabel

WIDTH = 62


class AxisChoice(QWidget):
    """A number from a list, and the ends of its range."""

    changed = Signal()

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._numbers: tuple[TriedNumber, ...] = ()
        self.number = QComboBox()
        self.number.setProperty("small", True)
        self.number.setAccessibleName(words)
        self.number.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.number.setMinimumContentsLength(14)
        label = TextLabel(words, "note")
        label.setBuddy(self.number)
        self.low = self._field(f"{words}, lowest")
        self.high = self._field(f"{words}, highest")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(label)
        row.addWidget(self.number)
        row.addWidget(self.low)
        row.addWidget(TextLabel("to", "note"))
        row.addWidget(self.high)
        self.number.activated.connect(self._on_number)
        for field in (self.low, self.high):
            field.value_committed.connect(lambda _value: self.changed.emit())

    def _field(self, name: str) -> NumberField:
        field = NumberField(0.0, step=1.0)
        field.setProperty("small", True)
        field.setAccessibleName(name)
        field.setFixedWidth(WIDTH)
        return field

    def show_axis(self, axis: TriedNumber, numbers: tuple[TriedNumber, ...]) -> None:
        """Show the axis that is drawn, and the numbers there are."""
        if numbers != self._numbers:
            self._numbers = numbers
            self.number.clear()
            for entry in numbers:
                self.number.addItem(capitalised(entry.name))
        places = [entry.number for entry in numbers]
        self.number.setCurrentIndex(places.index(axis.number) if axis.number in places else -1)
        self._show_range(axis)

    def _show_range(self, axis: TriedNumber) -> None:
        is_share = axis.unit == "share"
        for field, value in ((self.low, axis.low), (self.high, axis.high)):
            field.set_scale(100.0 if is_share else 1.0, "%" if is_share else "")
            field.set_value(value)

    def _on_number(self, index: int) -> None:
        self._show_range(self._numbers[index])
        self.changed.emit()

    def axis(self) -> MapAxis | None:
        """What is chosen; None before anything was shown."""
        index = self.number.currentIndex()
        if not 0 <= index < len(self._numbers):
            return None
        return MapAxis(
            number=self._numbers[index].number, low=self.low.value(), high=self.high.value()
        )
