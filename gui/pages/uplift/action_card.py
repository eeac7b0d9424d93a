"""What to do: prices, the best depth and what it brings, and which model wins at which price."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from core.document.decisions.chosen_depth import gain_of
from core.document.studies.uplift import UpliftResult
from core.document.uplift.model import UpliftSpec
from core.document.wording import format_money_interval, format_share
from core.presentation.table import Cell, Table
from gui.pages.uplift.charts import PriceChart
from gui.pages.uplift.gain_words import GainWords, gain_words
from gui.pages.uplift.words import UpliftWords
from gui.parts import Card, HelpText, NumberField, TextLabel
from gui.parts.figure_table import FigureTable


class ActionCard(Card):
    """The right column of page Uplift."""

    price_set = Signal(str, float)  # value, contact or redemption, and the amount
    editing_finished = Signal()
    limit_set = Signal(object)  # int | None
    mending_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "What to do",
            help_text=HelpText(
                title="Net gain",
                text=(
                    "What treating the best n % earns: extra units of the outcome times their "
                    "worth, less contacts, less what every treated case with the outcome costs, "
                    "also those who would have come anyway. The best depth is chosen on these "
                    "rows, so their own gain there flatters. Shown large is the cross-fitted one: "
                    "each half is treated to the depth that the other half chose."
                ),
                formula="value × extra − contact × treated − redemption × outcomes of the treated",
            ),
            parent=parent,
        )
        self._make_fields()
        self.gain_label = TextLabel("Expected net gain", "quiet")
        self.gain = TextLabel("", "number")
        self.interval = TextLabel("", "quiet", wraps=True)
        self.advice = TextLabel("", "body", wraps=True)
        self.detail = TextLabel("", "quiet", wraps=True)
        self.invalid = TextLabel("", "error", wraps=True)
        self.mend = QPushButton()
        self.mend.clicked.connect(lambda _checked: self.mending_wanted.emit())
        for widget in (self.invalid, self.mend):
            widget.hide()
            self.body.addWidget(widget)
        for label in (self.gain_label, self.gain, self.interval, self.advice, self.detail):
            self.body.addWidget(label)
        self.chart = PriceChart()
        self.chart.setProperty("card", "false")
        self.chart.setMinimumHeight(180)
        self.chart.price_moved.connect(lambda price: self.price_set.emit("contact", price))
        self.chart.cursor_released.connect(self.editing_finished)
        self.body.addWidget(self.chart, 1)
        self.table = FigureTable("Best depth of each model")
        self.body.addWidget(self.table)

    def heightForWidth(self, width: int) -> int:
        """The least: the chart gives way before the column scrolls."""
        return self.body.minimumHeightForWidth(width)

    def _make_fields(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        self.fields: dict[str, NumberField] = {}
        self.labels: dict[str, TextLabel] = {}
        names = (
            ("value", "One is worth"),
            ("contact", "A contact costs"),
            ("redemption", "Per buyer treated"),
        )
        for place, (name, words) in enumerate(names):
            label = TextLabel(words, "note")
            field = NumberField(0.0, decimals=2, step=0.05)
            field.setMinimumWidth(60)
            field.setAccessibleName(words)
            label.setBuddy(field)
            field.value_changed.connect(lambda price, name=name: self.price_set.emit(name, price))
            field.value_committed.connect(lambda _price: self.editing_finished.emit())
            self.fields[name], self.labels[name] = field, label
            grid.addWidget(label, 0, place)
            grid.addWidget(field, 1, place)
        self.limit_label = TextLabel("At most", "note")
        self.limit = NumberField(math.nan, whole=True, minimum=1, step=100.0, may_be_empty=True)
        self.limit.setPlaceholderText("no limit")
        self.limit.setAccessibleName("Most cases that can be treated")
        self.limit.value_changed.connect(lambda _most: self._take_limit())
        grid.addWidget(self.limit_label, 0, 3)
        grid.addWidget(self.limit, 1, 3)
        self.body.addLayout(grid)

    def _take_limit(self) -> None:
        most = self.limit.entered()
        self.limit_set.emit(None if most is None else int(most))

    def show_prices(self, spec: UpliftSpec, currency: str, outcome: str) -> None:
        """Show the project's prices in its words."""
        self.fields["value"].set_value(spec.value)
        self.fields["contact"].set_value(spec.contact)
        self.fields["redemption"].set_value(spec.redemption)
        for field in self.fields.values():
            said = "From the decision matrix; a price written here stands on its own again"
            field.setToolTip(said if spec.follows_matrix else "")
        self.labels["value"].setText(f"A {_short(outcome)} is worth, {currency}")
        self.labels["contact"].setText(f"Contact, {currency}")
        self.labels["redemption"].setText(f"Redeemed, {currency}")
        self.labels["redemption"].setToolTip(
            "Paid for each treated case with the outcome, those who come anyway too"
        )
        self.limit.set_value(math.nan if spec.most_cases is None else float(spec.most_cases))

    def show_result(
        self, result: UpliftResult, words: UpliftWords, spec: UpliftSpec, chosen: str
    ) -> None:
        """Show the best depth of the chosen model, the price axis and every model's best."""
        model = next((m for m in result.models if m.model == chosen), None)
        self.chart.show_result(result, words, spec.contact)
        self.table.show_content(best_rows(result, words))
        self.table.setFixedHeight(self.table.content_height() + 2)
        if model is None:
            return
        self._show_words(gain_words(result, model, words, spec))

    def _show_words(self, said: GainWords) -> None:
        is_invalid = bool(said.invalid)
        self.gain_label.setText(said.label)
        self.gain.setText(said.figure)
        self.interval.setText(said.interval)
        self.advice.setText(said.advice)
        self.detail.setText(said.detail)
        self.invalid.setText(said.invalid)
        self.invalid.setVisible(is_invalid)
        self.gain.set_role("quietNumber" if is_invalid else "number")
        self.advice.set_role("quiet" if is_invalid else "body")
        self.table.setEnabled(not is_invalid)
        self.gain.setAccessibleName(f"{said.label}: {said.figure}. {said.invalid}".strip())

    def offer_mending(self, words: str) -> None:
        """Offer the step that makes the figures valid; no words = there is none."""
        self.mend.setText(words)
        self.mend.setVisible(bool(words))


def _short(outcome: str) -> str:
    return outcome if len(outcome) <= 12 else outcome[:11] + "…"


def best_rows(result: UpliftResult, words: UpliftWords) -> Table:
    """Every model at its own best depth."""
    estimates = [gain_of(model.choice).estimate for model in result.models]
    best = max((e.value for e in estimates), default=0.0)
    rows = []
    for model, estimate in zip(result.models, estimates, strict=True):
        ends = format_money_interval(estimate.low, estimate.high)
        rows.append(
            (
                Cell(text=model.model, is_left=True, series=model.series),
                Cell(text=format_share(model.choice.depth)),
                Cell(text=words.money(estimate.value), is_bold=estimate.value == best),
                Cell(text=ends, role="quiet"),
            )
        )
    header = ("At these prices", "Best depth", "Net gain", "95 %")
    crossed = "Cross-fitted: each half of the cases treated to the depth the other half chose"
    return Table(columns=header, rows=tuple(rows), help=("", "", crossed, crossed))
