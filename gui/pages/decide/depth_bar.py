"""Three depths under the chart, named apart: at the cursor, by the rule, best on these rows."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from core.document.commands import SetChartMode
from core.document.model import ChartMode, Document
from core.document.results import DecisionResult, ModelProfit
from core.document.wording import format_money_interval, format_number, format_share
from core.presentation.decide import figures
from core.presentation.labels import Labels
from gui.theme import text_font
from gui.widgets import ElidedLabel, TextLabel
from gui.widgets.fields.choice_box import ChoiceBox


class DepthBar(QWidget):
    """Each depth is a button that moves the cursor there; at the right end the chart's mode."""

    depth_chosen = Signal(object)  # float, or None for the rule
    command_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rule: float | None = None
        self._best: float | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        self.cursor_words = TextLabel("", "note")
        self.rule_button = self._link("Move the cursor to the depth of the rule")
        self.best_button = self._link("")
        self.honest = ElidedLabel("", "note", mode=Qt.TextElideMode.ElideRight)
        self.mode = ChoiceBox()
        self.mode.setProperty("small", True)
        self.mode.setAccessibleName("What the profit chart adds up")
        self.mode.addItem("Act on the best n %", ChartMode.ACT_ON_BEST)
        self.mode.addItem("Each case its own decision", ChartMode.FIRM)
        self.mode.setToolTip(
            "Act on the best n %: all others get their best other decision, or nothing.\n"
            "Each case its own decision: the last point is the total."
        )
        for widget in (self.cursor_words, self.rule_button, self.best_button, self.honest):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.mode)
        self.mode.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.rule_button.clicked.connect(lambda: self.depth_chosen.emit(None))
        self.best_button.clicked.connect(self._on_best)
        self.mode.activated.connect(self._on_mode)

    @staticmethod
    def _link(tip: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "link")
        button.setProperty("small", True)
        button.setToolTip(tip)
        button.setFont(text_font("note"))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def show_result(self, document: Document, result: DecisionResult | None, depth: float) -> None:
        """Show the depths of the chosen model."""
        chosen = figures.profit_of(result, document.reference_model) if result else None
        self.setVisible(chosen is not None)
        if result is None or chosen is None:
            return
        words = Labels.of(document, result)
        self._rule, self._best = chosen.rule_depth, chosen.best_depth
        self.cursor_words.setText(f"At the cursor {format_share(depth)}")
        self.rule_button.setText(f"by the rule {format_share(chosen.rule_depth)}")
        self.rule_button.setEnabled(chosen.has_probabilities)
        self.rule_button.setToolTip(
            "Go where each case gets its own best decision"
            if chosen.has_probabilities
            else chosen.total.note
        )
        best = format_share(chosen.best_depth)
        self.best_button.setText(f"best on these rows {best}")
        as_good = self._as_good(chosen.best_range)
        self._show_honest(chosen, words, as_good)
        honest = chosen.best_profit_crossfitted
        span = format_money_interval(*words.interval(honest.low, honest.high))
        self.best_button.setToolTip(
            (
                "A peak read off the rows it was chosen on flatters. Chosen on one half and read "
                f"on the other it is {words.money(honest.value)} ({span})."
            )
            + (f" {self._range_words(as_good)}" if as_good else "")
        )
        self.mode.setCurrentIndex(self.mode.findData(document.chart_mode))
        self.best_button.setEnabled(math.isfinite(chosen.best_depth))
        firm = self.mode.findData(ChartMode.FIRM)
        choices = self.mode.model()
        if isinstance(choices, QStandardItemModel):  # each case's own decision needs its chance
            choices.item(firm).setEnabled(chosen.has_probabilities)
            choices.item(firm).setToolTip(chosen.total.note if not chosen.has_probabilities else "")

    def set_compact(self, is_compact: bool) -> None:
        """Leave out what the flag says already where room is short."""
        self.cursor_words.setVisible(not is_compact)

    @staticmethod
    def _as_good(ends: tuple[float, float]) -> str:
        """The depths that cannot be told apart from the best: "14.2 to 30.1 %"."""
        low, high = ends
        if not (math.isfinite(low) and math.isfinite(high)):
            return ""
        return f"{format_number(100 * low, 1)} to {format_share(high, 1)}"

    def _range_words(self, ends: str) -> str:
        return f"Depths from {ends} cannot be told apart from it on these rows (paired, 95 %)."

    def _show_honest(self, chosen: ModelProfit, words: Labels, as_good: str) -> None:
        value = chosen.best_profit_crossfitted.value
        is_known = math.isfinite(value)
        self.honest.setVisible(is_known)
        if not is_known:
            return
        short = f"cross-fitted {words.money(value)}"
        long = short + f"; uncorrected {words.money(chosen.best_profit)}"
        full = long + f"; as good: {as_good}" if as_good else long
        self.honest.set_full_text(f"({full})", f"({long})", f"({short})")

    def _on_best(self) -> None:
        if self._best is not None and math.isfinite(self._best):
            self.depth_chosen.emit(self._best)

    def _on_mode(self, index: int) -> None:
        self.command_requested.emit(SetChartMode(mode=ChartMode(self.mode.itemData(index))))
