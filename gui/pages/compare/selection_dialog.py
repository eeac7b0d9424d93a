"""Choosing the best model by a metric or by profit, with its margin against the noise."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from core.document.compare.commands import ChooseModel
from core.document.compare.metric_words import metric_interval, metric_value
from core.document.model import MetricChoice
from core.document.plugin_results import MetricInfo
from core.document.results import EvaluationResult, Selection
from core.document.wording import format_count, format_number, format_p_value, format_share
from core.questions.compare import CompareModels
from gui.pages.compare.study_dialog import StudyDialog
from gui.pages.compare.words import flattering_words
from gui.results import RESAMPLES
from gui.workspace import Workspace

PROFIT = "total_profit"


class SelectionDialog(StudyDialog):
    """The winner by one metric, how often it wins in resamples, and what choosing adds."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "Choose the best model",
            (
                "The best of several models is partly the luckiest. Here is its lead over every "
                "other, how often it is the best when the cases are drawn again, and how much "
                "choosing it on these rows flatters it."
            ),
            parent,
        )
        self._chosen: Selection | None = None
        self.take_button = QPushButton("Take it")
        self.take_button.setProperty("kind", "primary")
        self.take_button.setEnabled(False)
        self.buttons.addButton(self.take_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.take_button.clicked.connect(self.take)
        self.by = self.add_choice("Best by", self._offered())
        self.choices.addStretch(1)
        self.by.activated.connect(self.refresh)
        self.refresh()

    def _offered(self) -> list[tuple[str, object]]:
        """Metrics of the table first, then profit, then every other one."""
        workspace = self.workspace
        shown = workspace.evaluation.metrics if workspace.evaluation is not None else ()
        entries: list[tuple[str, object]] = [
            (info.title, info.metric) for info in shown if info.direction != "none"
        ]
        keys = {info.id or info.metric for info in shown}
        document = workspace.document
        has_money = document.matrix is not None and bool(document.target and document.target.levels)
        if has_money and PROFIT not in keys:
            entries.append(("Profit by the rule", PROFIT))
        offered = workspace.plugins.metrics if workspace.plugins is not None else ()
        for info in sorted(offered, key=lambda entry: entry.title):
            if info.metric not in (*keys, PROFIT) and info.direction != "none":
                entries.append((info.title, info.metric))
        return entries

    def refresh(self) -> None:
        """Show the choice by the metric named; ask the engine where the table has it not."""
        self.begin()
        self.take_button.setEnabled(False)
        key = str(self.by.currentData() or "")
        self._chosen = None
        evaluation = self.workspace.evaluation
        of = partial(replace, metrics=(self._choice_of(key),), charts=(), report=())
        question = CompareModels(level=self.workspace.level, resamples=RESAMPLES)
        if evaluation is not None and any(entry.metric == key for entry in evaluation.selections):
            self.rest_on(question, of)
            self._show(evaluation, key)
            return
        self.say("Being worked out…")
        title = f"Choosing by {self.by.currentText()}"
        take = partial(self._take_result, key=key)
        self.put(question, take, of=of, title=title)

    def _show_freshness(self, _document: object = None) -> None:
        """A choice by figures of another project is not taken."""
        super()._show_freshness()
        self.take_button.setEnabled(self._chosen is not None and not self.is_stale)

    def _choice_of(self, key: str) -> MetricChoice:
        """The metric with the parameters that it has in the table."""
        evaluation = self.workspace.evaluation
        shown = evaluation.metrics if evaluation is not None else ()
        found = next((info for info in shown if info.metric == key), None)
        return MetricChoice(metric=key) if found is None else found.choice()

    def _take_result(self, result: EvaluationResult, key: str) -> None:
        self._show(result, result.metrics[0].metric if result.metrics else key)

    def _show(self, result: EvaluationResult, key: str) -> None:
        info = next((entry for entry in result.metrics if entry.metric == key), None)
        chosen = next((entry for entry in result.selections if entry.metric == key), None)
        if info is None or chosen is None:
            why = " ".join(result.warnings[-1:])
            self.say(f"There is nothing to choose by this metric. {why}")
            self.show_rows((), ())
            return
        self._chosen = chosen
        wins = dict(chosen.wins)
        rows = []
        for model, _ in chosen.wins:
            cell = next(c for c in result.cells if (c.metric, c.model) == (key, model))
            estimate = cell.estimate
            rows.append(
                (
                    model,
                    metric_value(info, estimate.value),
                    metric_interval(info, estimate.low, estimate.high)
                    if math.isfinite(estimate.low)
                    else "",
                    wins_words(wins[model], chosen.resamples),
                    flattering_words(model, result.seen),
                )
            )
        columns = (
            "Model",
            info.title,
            "95 %",
            "Best in resamples",
            "Seen",
        )
        self.show_rows(columns, rows, right=(1, 2, 3), wide=4)
        self.say(verdict(info, chosen), self._notes(info, chosen, result))
        self.take_button.setText(f"Take {chosen.winner}")
        self.take_button.setEnabled(not self.is_stale)

    def _notes(self, info: MetricInfo, chosen: Selection, result: EvaluationResult) -> list[str]:
        notes = []
        if math.isfinite(chosen.optimism):
            notes.append(
                "Choosing the best on these rows flatters its figure by "
                f"{optimism_words(info, chosen.optimism)} on average."
            )
        if result.favoured:
            notes.append(result.favoured)
        notes.append(result.rows.text)
        return notes

    def take(self) -> None:
        """Make the winner the reference model; the rows used flatter it from then on."""
        if self._chosen is not None:
            self.workspace.execute(
                ChooseModel(model=self._chosen.winner, metric=self._chosen.metric)
            )
            self.close()


def verdict(info: MetricInfo, chosen: Selection) -> str:
    """The choice in words: "gbm 2 is ahead of logit by 0.022 (0.012 to 0.032)."."""
    estimate = chosen.margin.estimate
    size = metric_value(info, abs(estimate.value))
    is_known = math.isfinite(estimate.low) and math.isfinite(estimate.high)
    low, high = estimate.low, estimate.high
    if info.direction == "lower":
        low, high = -high, -low
    if estimate.value == 0:
        text = f"{chosen.winner} and {chosen.runner_up} are level"
        apart = f"; the difference may be anything from {metric_interval(info, low, high)}"
        text += f"{apart if is_known and low < high else ''}."
    elif is_known and low <= 0 <= high:
        text = f"{chosen.winner} has the best figure, {size} better than {chosen.runner_up}; "
        text += f"the difference may be anything from {metric_interval(info, low, high)}."
    else:
        text = f"{chosen.winner} is ahead of {chosen.runner_up} by {size}"
        text += f" ({metric_interval(info, low, high)})." if is_known else "."
    if math.isfinite(chosen.corrected):
        told = format_p_value(chosen.corrected)
        if chosen.corrected < 0.05:
            text += f" Ahead of every other model, corrected for their number ({told})."
        else:
            text += f" Not distinguishable from every other model ({told}, corrected)."
    wins = dict(chosen.wins).get(chosen.winner, 0)
    if chosen.resamples and 0 < wins < chosen.resamples:
        text += f" It is the best in {format_share(wins / chosen.resamples)} of the resamples."
    return text


def wins_words(wins: float, resamples: int) -> str:
    """How often a model is the best; never all of them without a p-value.

    Models that are level in a resample share it, so a half can remain.
    """
    if resamples == 0:
        return ""
    text = f"{format_number(wins, 0 if wins == round(wins) else 1)} of {format_count(resamples)}"
    return f"{text} (p < {2 / resamples:.3g})" if wins == resamples else text


def optimism_words(info: MetricInfo, optimism: float) -> str:
    """What choosing adds, with one decimal more than the metric: "about 0.0004"."""
    finer = replace(info, decimals=info.decimals + 1)
    smallest = 10.0**-(finer.decimals) * (0.01 if info.unit == "percent" else 1.0)
    if abs(optimism) < smallest:
        return f"less than {metric_value(finer, smallest)}"
    return f"about {metric_value(finer, abs(optimism))}"
