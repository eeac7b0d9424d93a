"""How small a difference between two models these cases could show, and how many it would take."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from core.document.compare.metric_words import metric_interval
from core.document.compare.power_words import (
    amount_words,
    lead_words,
    needed_words,
    power_sentences,
)
from core.document.plugin_results import MetricInfo
from core.document.studies.power import PairPower, PowerResult
from core.document.wording import UNDEFINED, format_money_interval, format_share
from core.questions.compare import DetectableDifference
from gui.pages.compare.study_dialog import StudyDialog
from gui.workspace import Workspace


class PowerDialog(StudyDialog):
    """A row for every figure of every pair; the sentence above is of the row that is chosen."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "Smallest detectable difference",
            (
                "A test on few cases overlooks small differences, so that “no difference was "
                "found” may only mean “too few cases”. Here is how large a true difference must "
                "be for these cases to show it, and how many cases a smaller one would need."
            ),
            parent,
        )
        self.resize(1060, 560)
        names = ("metric", "model", "level", "power", "difference")
        self.form = self.add_form(DetectableDifference, names)
        self._result: PowerResult | None = None
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the figures and models chosen."""
        self.begin()
        self.say("Being worked out…")
        self.put(self.form.question(), self._take)

    def _take(self, result: PowerResult) -> None:
        self._result = result
        columns = (
            "Figure",
            "Models",
            "Ahead here",
            "Difference, 95 %",
            "Standard error",
            "Smallest that shows",
            "To find",
            "Found with a chance of",
            "Cases needed",
        )
        rows = [self._row(pair, result.info(pair.metric)) for pair in result.pairs]
        self.show_rows(columns, rows, right=range(3, 9), wide=1)
        self.table.selectRow(0)
        self._say_row(0)

    def _row(self, pair: PairPower, info: MetricInfo) -> tuple[str, ...]:
        currency = self.workspace.document.currency
        observed = pair.observed
        interval = UNDEFINED
        if math.isfinite(observed.low) and math.isfinite(observed.high):
            is_money = info.unit == "money"
            interval = (
                format_money_interval(observed.low, observed.high)
                if is_money
                else metric_interval(info, observed.low, observed.high)
            )
        return (
            info.title,
            f"{pair.first} – {pair.second}",
            lead_words(pair, info, currency),
            interval,
            amount_words(info, pair.standard_error, currency),
            amount_words(info, pair.smallest, currency),
            amount_words(info, pair.difference, currency),
            format_share(pair.power, 0),
            needed_words(pair),
        )

    def _on_row(self, current: QModelIndex, _before: QModelIndex) -> None:
        self._say_row(current.row())

    def _say_row(self, row: int) -> None:
        result, document = self._result, self.workspace.document
        if result is None or not 0 <= row < len(result.pairs):
            return
        pair = result.pairs[row]
        text = power_sentences(
            pair,
            result.info(pair.metric),
            cases=result.cases,
            power=result.target_power,
            currency=document.currency,
            case_words=document.case_word,
        )
        usual = (
            f"“Usually” is {format_share(result.target_power, 0)} of such tests; the "
            f"figure rests on: {pair.method}."
        )
        self.say(text, (usual, *result.warnings))
