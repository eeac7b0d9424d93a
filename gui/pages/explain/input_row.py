"""One input of a case: a slider over its range, or its levels, a missing value, the way back."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QWidget,
)

from core.document.studies.models import CaseInput
from gui.theme import current_theme, icon
from gui.widgets import ElidedLabel, NumberField
from gui.widgets.fields.choice_box import ChoiceBox

STEPS = 1000
NAME, FIELD = 88, 70
MISSING = "missing"


class MarkedSlider(QSlider):
    """A slider with a mark at the case's own value; ``mark`` is a step, None without one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, STEPS)
        self.setSingleStep(STEPS // 100)
        self.setPageStep(STEPS // 10)
        self.mark: int | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.mark is None:
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style, control = self.style(), QStyle.ComplexControl.CC_Slider
        groove = style.subControlRect(control, option, QStyle.SubControl.SC_SliderGroove, self)
        handle = style.subControlRect(control, option, QStyle.SubControl.SC_SliderHandle, self)
        room = groove.width() - handle.width()
        at = QStyle.sliderPositionFromValue(0, STEPS, self.mark, room)
        x = groove.left() + handle.width() // 2 + at
        painter = QPainter(self)
        painter.fillRect(QRect(x - 1, self.height() - 6, 2, 6), QColor(current_theme().text))
        painter.end()


class InputRow(QWidget):
    """Says ``tried`` (input, value as text) while it is moved; nothing = missing."""

    tried = Signal(str, str)
    looked_at = Signal(str)

    def __init__(
        self, facts: CaseInput, words: tuple[str, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.facts, self._words = facts, words
        self._value = facts.tried_value
        self.label = ElidedLabel(facts.column, "body", mode=Qt.TextElideMode.ElideMiddle)
        self.label.setFixedWidth(NAME)
        self.missing = QToolButton()
        self.missing.setText("∅")
        self.missing.setCheckable(True)
        self.missing.setToolTip(f"{facts.column} is missing")
        self.missing.setAccessibleName(f"{facts.column}: missing")
        self.missing.clicked.connect(self._on_missing)
        self.back = QToolButton()
        self.back.setIcon(icon("undo"))
        self.back.setToolTip(f"Back to the case's own value: {facts.own or MISSING}")
        self.back.setAccessibleName(f"{facts.column}: back to the case's own value")
        self.back.clicked.connect(self.reset)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.label)
        self.slider: MarkedSlider | None = None
        self.field: NumberField | None = None
        self.levels: QComboBox | None = None
        if facts.levels:
            self._add_levels(row)
        else:
            self._add_number(row)
        row.addWidget(self.missing)
        row.addWidget(self.back)
        self._show()

    def _add_number(self, row: QHBoxLayout) -> None:
        self.slider = MarkedSlider()
        self.field = NumberField(
            self._value, may_be_empty=True, whole=self.facts.is_whole, decimals=self._shown()
        )
        self.field.setProperty("small", True)
        self.field.setFixedWidth(FIELD)
        self.slider.valueChanged.connect(self._on_slid)
        self.field.value_changed.connect(self.set_value)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        self._watch(self.slider, self.field)

    def _add_levels(self, row: QHBoxLayout) -> None:
        self.levels = ChoiceBox()
        self.levels.addItems(self._words)
        self.levels.setMinimumContentsLength(6)
        self.levels.activated.connect(lambda place: self.set_value(float(place)))
        row.addWidget(self.levels, 1)
        self._watch(self.levels)

    def _watch(self, *editors: QWidget) -> None:
        for editor in editors:
            editor.setAccessibleName(self.facts.column)
            editor.installEventFilter(self)

    @property
    def value(self) -> float:
        """What is tried: a number, the place of a level, NaN for a missing value."""
        return self._value

    @property
    def is_moved(self) -> bool:
        """Whether another value than the case's own is tried."""
        own = self.facts.own_value
        return self._value != own and not (math.isnan(self._value) and math.isnan(own))

    @property
    def text(self) -> str:
        """What is tried, as a question takes it."""
        if not self.is_moved:
            return self.facts.own
        if math.isnan(self._value):
            return ""
        return self.facts.levels[int(self._value)] if self.facts.levels else repr(self._value)

    def set_value(self, value: float) -> None:
        """Try a value."""
        is_same = value == self._value or (math.isnan(value) and math.isnan(self._value))
        if is_same:
            return
        self._value = value
        self._show()
        self.tried.emit(self.facts.column, self.text)

    def go_to(self, value: float) -> None:
        """Try a place of the curve, with no more digits than the slider has."""
        if self.facts.levels:
            self.set_value(float(min(len(self.facts.levels) - 1, max(0, round(value)))))
        else:
            self.set_value(self._rounded(value))

    def reset(self) -> None:
        """Back to the case's own value."""
        self.set_value(self.facts.own_value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Whoever takes hold of it looks at its curve."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress):
            self.looked_at.emit(self.facts.column)
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ showing

    def _ends(self) -> tuple[float, float]:
        """The range, widened to the case's own value and to one that was typed beyond it."""
        known = (self.facts.low, self.facts.high, self.facts.own_value, self._value)
        inside = [value for value in known if math.isfinite(value)]
        return (min(inside), max(inside)) if inside else (0.0, 1.0)

    def _place(self, value: float) -> int:
        low, high = self._ends()
        return round((value - low) / (high - low) * STEPS) if high > low else 0

    def _decimals(self) -> int:
        if self.facts.is_whole:
            return 0
        low, high = self._ends()
        return min(6, max(0, 2 - math.floor(math.log10(high - low)))) if high > low else 2

    def _shown(self) -> int:
        """Decimals of the field: those of the slider, or of the own value's six digits."""
        fraction = f"{self.facts.own_value:.6g}".partition(".")[2]
        return max(self._decimals(), len(fraction) if fraction.isdigit() else 0)

    def _show(self) -> None:
        is_missing = math.isnan(self._value)
        self.missing.setChecked(is_missing)
        self.back.setEnabled(self.is_moved)
        if self.levels is not None:
            self.levels.setCurrentIndex(-1 if is_missing or self._value < 0 else int(self._value))
            self.levels.setPlaceholderText(MISSING if is_missing else self.facts.own)
        if self.slider is None or self.field is None:
            return
        own = self.facts.own_value
        self.slider.mark = None if math.isnan(own) else self._place(own)
        if not is_missing:
            self.slider.blockSignals(True)
            self.slider.setValue(self._place(self._value))
            self.slider.blockSignals(False)
        self.slider.update()
        self.field.set_value(self._value)

    # ------------------------------------------------------------ moving

    def _on_slid(self, step: int) -> None:
        low, high = self._ends()
        own = self.facts.own_value
        is_near = not math.isnan(own) and abs(step - self._place(own)) <= STEPS // 200
        value = own if is_near else self._rounded(low + (high - low) * step / STEPS)
        self.set_value(value)

    def _rounded(self, value: float) -> float:
        return round(value, self._decimals()) + 0.0

    def _on_missing(self, is_missing: bool) -> None:
        if is_missing:
            self.set_value(math.nan)
            return
        own, low = self.facts.own_value, self.facts.low
        first = 0.0 if self.facts.levels else self._rounded((low + self.facts.high) / 2)
        self.set_value(first if math.isnan(own) else own)
