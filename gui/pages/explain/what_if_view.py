"""The view What if of page Explain: a case's inputs to drag, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.studies.models import CaseWhatIfResult
from core.presentation.charts.chart import Chart
from core.presentation.labels import Labels
from core.presentation.view import View
from gui.charts.view_widget import ViewWidget
from gui.pages.explain.input_row import InputRow
from gui.theme import current_theme
from gui.widgets import Card
from gui.widgets.scrolled import scrolled

INPUTS, WORDS = 372, 292


class WhatIfView(QWidget):
    """Holds what is tried; ``requested_again`` when that, or the curve looked at, changes."""

    requested_again = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.along = ""
        self._rows: dict[str, InputRow] = {}
        self._case: tuple[object, ...] = ()
        self.card = Card("Inputs")
        self.card.setFixedWidth(INPUTS)
        self.reset_button = QPushButton("Reset")
        self.reset_button.setProperty("small", True)
        self.reset_button.setToolTip("All inputs back to the case's own values")
        self.reset_button.clicked.connect(self.reset)
        self.card.add_header_widget(self.reset_button)
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(6)
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        column.addLayout(self._list)
        column.addStretch(1)
        self.card.body.addWidget(scrolled(holder, name="Inputs of the case", is_sideways=True), 1)
        words = Card("What follows")
        words.setAccessibleName("What follows from the inputs")
        self.panel = ViewWidget("left", WORDS, card=words)
        self.panel.pointed.connect(self._on_pointed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(current_theme().sizes.gap)
        row.addWidget(self.card)
        row.addWidget(self.panel, 1)
        self.show_words("Being worked out.")

    @property
    def view(self) -> View | None:
        """What is shown of a case; None while none is known."""
        return self.panel.view

    @property
    def rows(self) -> Mapping[str, InputRow]:
        """The inputs that can be moved, by name."""
        return self._rows

    def values(self) -> tuple[tuple[str, str], ...]:
        """The inputs at other values than the case's own."""
        return tuple((name, row.text) for name, row in self._rows.items() if row.is_moved)

    def leave_case(self) -> None:
        """Another case, model or file: nothing of this one stays."""
        self._case = ()
        self._drop_rows()
        self.reset_button.setEnabled(False)

    def reset(self) -> None:
        """All inputs back to the case's own values."""
        if not self.values():
            return
        self.blockSignals(True)
        for row in self._rows.values():
            row.reset()
        self.blockSignals(False)
        self._on_tried()

    def show_words(self, text: str) -> None:
        """Say why there is nothing to show."""
        self.panel.show_words(text)

    def show_answer(self, answer: CaseWhatIfResult, view: View, labels: Labels) -> None:
        """Show what follows; the sliders stay where the hand has them."""
        columns = tuple(entry.column for entry in answer.inputs)
        case = (answer.model, answer.row, answer.rows, columns)
        if case != self._case:
            self._make_rows(answer, labels)
            self._case = case
        self.panel.show_view(replace(view, charts=tuple(map(self._held, view.charts))))
        self.reset_button.setEnabled(bool(self.values()))

    def _held(self, chart: Chart) -> Chart:
        """The curve with its cursor where the hand has it by now; the answer is a moment old."""
        row = self._rows.get(self.along)
        if row is None or chart.rests_at is None or chart.x_axis.label != self.along:
            return chart
        at = None if math.isnan(row.value) else row.value
        own = chart.points[:-1] if at is not None and len(chart.points) > 1 else chart.points
        return replace(chart, rests_at=at, points=own)  # the cursor's ring is where it is now

    # ------------------------------------------------------------ inputs

    def _make_rows(self, answer: CaseWhatIfResult, labels: Labels) -> None:
        self._drop_rows()
        for facts in answer.inputs:
            row = InputRow(facts, labels.values(facts.column, facts.levels))
            row.tried.connect(self._on_tried)
            row.looked_at.connect(self.look_at)
            self._list.addWidget(row)
            self._rows[facts.column] = row
        if self.along not in self._rows:
            self.along = next(iter(self._rows), "")

    def _drop_rows(self) -> None:
        for row in self._rows.values():
            self._list.removeWidget(row)
            row.deleteLater()
        self._rows = {}

    def look_at(self, column: str) -> None:
        """Draw the curve over another input."""
        if column != self.along:
            self.along = column
            self.requested_again.emit()

    def _on_tried(self, column: str = "", _text: str = "") -> None:
        if column:
            self.along = column
        self.reset_button.setEnabled(bool(self.values()))
        self.requested_again.emit()

    def _on_pointed(self, place: float) -> None:
        """The point is dragged along its curve."""
        row = self._rows.get(self.along)
        if row is not None:
            row.go_to(place)
