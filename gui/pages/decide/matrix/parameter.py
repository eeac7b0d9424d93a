"""One worded parameter: "a letter costs [1.60]". Dragging its words tries other values."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.widgets import NumberField, TextLabel
from payoff.parameters import Parameter

PIXELS_PER_STEP = 4
LEAST_WIDTH = 54


def step_for(value: float) -> float:
    """A step that a hand can aim with: about a twentieth to a fiftieth of the value, round.

    >>> step_for(1.6), step_for(25.6)
    (0.05, 0.5)
    """
    size = max(abs(value), 0.1)
    power = 10.0 ** math.floor(math.log10(size))
    return round(power / 20, 10)


class DragLabel(TextLabel):
    """Words that can be dragged sideways or turned with the wheel."""

    stepped = Signal(int)
    released = Signal()

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, "body", parent=parent)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setToolTip("Drag to the left or right to try other values")
        self._start: QPointF | None = None
        self._sent = 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._start, self._sent = event.globalPosition(), 0
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is None:
            return
        moved = int((event.globalPosition().x() - self._start.x()) / PIXELS_PER_STEP)
        if moved != self._sent:
            self.stepped.emit(moved - self._sent)
            self._sent = moved

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._start is not None:
            self._start = None
            self.released.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if turned:
            self.stepped.emit(1 if turned > 0 else -1)
        event.accept()


class ParameterField(QWidget):
    """The words, the field, and one way of changing for dragging, turning and typing."""

    value_changed = Signal(str, float)  # name, value
    editing_finished = Signal()

    def __init__(
        self,
        name: str,
        words: str,
        value: float,
        *,
        detail: Parameter | None = None,
        minimum: float = 0.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.name = name
        self.label = DragLabel(words)
        self._range = (detail.minimum, detail.maximum) if detail else (minimum, math.inf)
        self._is_share = detail is not None and detail.unit == "percent"
        self._is_plain = detail is not None and not detail.unit  # a count, not an amount
        self.field = NumberField(
            value,
            minimum=self._range[0],
            maximum=self._range[1],
            whole=detail is not None and detail.is_whole,
            unit="%" if self._is_share else "",
            factor=100.0 if self._is_share else 1.0,
            step=1.0 if self._is_share else step_for(value),
        )
        self.field.setAccessibleName(words)
        self.label.setBuddy(self.field)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.label, 1)
        row.addWidget(self.field)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._step: float | None = None
        self.set_value(value)
        self.label.stepped.connect(self._on_stepped)
        self.label.released.connect(self._on_released)
        self.field.value_changed.connect(lambda number: self.value_changed.emit(name, number))
        self.field.value_committed.connect(lambda _value: self.editing_finished.emit())

    def set_value(self, value: float) -> None:
        """Show a value without telling; large whole amounts without decimals."""
        is_whole = value == round(value) and (abs(value) >= 1000 or self._is_plain)
        self.field.set_decimals(1 if self._is_share else 0 if is_whole else 2)
        self.field.set_value(value)
        text = self.field.fontMetrics().horizontalAdvance(self.field.text())
        width = max(LEAST_WIDTH, text + 20)
        if width != self.field.width():
            self.field.setFixedWidth(width)

    def value(self) -> float:
        """The value shown."""
        return self.field.value()

    def _on_stepped(self, steps: int) -> None:
        # The step of a drag stays that of its start, so that going back leads to where it began.
        if self._step is None:
            self._step = 0.01 if self._is_share else step_for(self.field.value())
        moved = round(self.field.value() + steps * self._step, 10)
        changed = min(max(self._range[0], moved), self._range[1])
        if changed != self.field.value():
            self.field.set_value(changed)
            self.value_changed.emit(self.name, changed)

    def _on_released(self) -> None:
        self._step = None
        self.editing_finished.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.field.setModified(False)
        super().keyPressEvent(event)
