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
from core.document.studies.power import AVERAGE, LEVEL, POWER, TOTAL, PairPower, PowerResult
from core.document.wording import UNDEFINED, format_money_interval, format_share
from core.questions.compare import DetectableDifference
from core.questions.needs import predicts_no_amount
from gui.pages.compare.study_dialog import StudyDialog
from gui.parts import NumberField, TextLabel
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
        self._units: dict[str, str] = {}
        self.figure = self.add_choice("Figure", self._figures())
        models = [(entry.name, entry.name) for entry in workspace.document.models]
        self.model = self.add_choice("Models", [("every pair", None), *models])
        self.level = self._percent("False alarms", LEVEL, 0.001, 0.5)
        self.level.setToolTip(
            "How often a test finds a difference where there is none: its level, two-sided"
        )
        self.power = self._percent("Power", POWER, 0.5, 0.999)
        self.power.setToolTip("How often a test finds a difference that is there")
        self.difference = NumberField(math.nan, decimals=0, minimum=0.0, may_be_empty=True)
        self.difference.setAccessibleName("Difference to plan for")
        self.difference.setFixedWidth(120)
        self.choices.addWidget(TextLabel("To find", "quiet"))
        self.choices.addWidget(self.difference)
        self.choices.addStretch(1)
        self._result: PowerResult | None = None
        self.figure.activated.connect(self._on_figure)
        self.model.activated.connect(self.refresh)
        for field in (self.level, self.power, self.difference):
            field.value_changed.connect(self.refresh)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self._on_figure()

    def _figures(self) -> list[tuple[str, object]]:
        """Money and the metrics of the table; the unit of each is kept for the field."""
        document, evaluation = self.workspace.document, self.workspace.evaluation
        entries: list[tuple[str, object]] = [("all", "")]
        if document.matrix is not None and not predicts_no_amount(document):
            for words, key in (
                ("Total profit", TOTAL),
                ("Average profit", AVERAGE),
            ):
                entries.append((words, key))
                self._units[key] = "money"
        for info in evaluation.metrics if evaluation is not None else ():
            if info.metric not in self._units:
                entries.append((info.title, info.metric))
                self._units[info.metric] = info.unit
        return entries

    def _percent(self, caption: str, value: float, low: float, high: float) -> NumberField:
        field = NumberField(
            value, decimals=0, minimum=low, maximum=high, unit="%", factor=100.0, step=1.0
        )
        field.setAccessibleName(caption)
        field.setFixedWidth(64)
        self.choices.addWidget(TextLabel(caption, "quiet"))
        self.choices.addWidget(field)
        return field

    def _unit(self) -> str:
        """The unit of the figure that a difference is typed for."""
        chosen = str(self.figure.currentData() or "")
        return self._units.get(chosen or next(iter(self._units), ""), "")

    def _on_figure(self) -> None:
        """A difference is typed in the unit of the figure; another figure has another."""
        words = {"money": self.workspace.document.currency, "percent": "points"}
        unit = words.get(self._unit(), "")
        self.difference.setPlaceholderText(f"{'as observed'} {unit}".strip())
        self.difference.set_value(math.nan)
        self.refresh()

    def refresh(self, *_ignored: object) -> None:
        """Ask for the figures and models chosen."""
        self.begin()
        self.say("Being worked out…")
        wanted = self.difference.entered()
        if wanted is not None and self._unit() == "percent":
            wanted /= 100.0
        question = DetectableDifference(
            model=self.model.currentData(),
            metric=str(self.figure.currentData() or ""),
            difference=wanted or None,
            level=self.level.value(),
            power=self.power.value(),
        )
        self.put(question, self._take)

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
