"""Train against validation side by side: the same models on two sets of rows."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QComboBox, QWidget

from core.document.compare.metric_words import metric_interval, metric_value, signed_metric
from core.document.data.model import RowUse
from core.document.data.row_defaults import uses_there
from core.document.plugin_results import MetricInfo
from core.document.results import EvaluationResult, SeenRows
from core.questions.compare import CompareModels
from gui.pages.compare.study_dialog import StudyDialog
from gui.pages.compare.words import flattering_words, use_words
from gui.workspace import Workspace

DRAWS = 200


class SideBySideDialog(StudyDialog):
    """Every figure on two sets of rows with the gap between them.

    The rows differ, so nothing is paired here; a gap beyond both intervals is a sign of a model
    that knows its training rows by heart.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "Two sets of rows side by side",
            (
                "The same models on two sets of rows. These are different cases: the gap is no "
                "paired difference, and figures on rows a model has seen are marked."
            ),
            parent,
        )
        document = workspace.document
        there = uses_there(document.split)
        entries = [(use_words(use, document), use) for use in (*there, RowUse.ALL)]
        self.first = self.add_choice("Rows", entries)
        self.second = self.add_choice("beside", entries)
        uses = [use for _, use in entries]
        self.first.setCurrentIndex(0)
        self.second.setCurrentIndex(1 if len(uses) > 2 else len(uses) - 1)
        self.choices.addStretch(1)
        self._results: dict[RowUse, EvaluationResult] = {}
        for combo in (self.first, self.second):
            combo.activated.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Ask for both sets of rows."""
        self.begin()
        self._results = {}
        self.say("Being worked out…")
        for use in dict.fromkeys((_use(self.first), _use(self.second))):
            of = partial(replace, rows_used=use, charts=(), report=())
            question = CompareModels(level=self.workspace.level, resamples=DRAWS)
            title = f"Judging {use_words(use).lower()} rows"
            self.put(question, partial(self._take, use), of=of, title=title)

    def _take(self, use: RowUse, result: EvaluationResult) -> None:
        self._results[use] = result
        first, second = (self._results.get(_use(combo)) for combo in (self.first, self.second))
        if first is not None and second is not None:
            self._show(first, second)

    def _show(self, first: EvaluationResult, second: EvaluationResult) -> None:
        rows, beyond = [], []
        compared = 0  # figures with an interval on both sets of rows
        for info in second.metrics:
            for cell in second.cells:
                if cell.metric != info.metric:
                    continue
                other = next(
                    (c for c in first.cells if (c.metric, c.model) == (info.metric, cell.model)),
                    None,
                )
                if other is None:
                    continue
                gap = other.estimate.value - cell.estimate.value
                rows.append(
                    (
                        info.title,
                        cell.model,
                        _written(
                            info, other.estimate.value, other.estimate.low, other.estimate.high
                        ),
                        _written(info, cell.estimate.value, cell.estimate.low, cell.estimate.high),
                        signed_metric(info, gap),
                        _marks(cell.model, first.seen, second.seen),
                    )
                )
                ours, theirs = cell.estimate, other.estimate
                ends = (theirs.low, theirs.high, ours.low, ours.high)
                compared += all(map(math.isfinite, ends))
                is_apart = (
                    other.estimate.low > cell.estimate.high
                    or other.estimate.high < cell.estimate.low
                )
                if is_apart and cell.model not in beyond:
                    beyond.append(cell.model)
        names = (self.first.currentText(), self.second.currentText())
        columns = ("Metric", "Model", *names, "Gap", "Seen")
        self.show_rows(columns, rows, right=(2, 3, 4), wide=5)
        self.say(self._verdict(beyond, compared), (first.rows.text, second.rows.text))

    def _verdict(self, beyond: list[str], compared: int) -> str:
        if _use(self.first) is _use(self.second):
            return "Choose two different sets of rows."
        if not compared:
            return "No figure has an interval on both sets of rows: nothing to tell."
        if not beyond:
            return "No figure differs by more than its intervals allow."
        return f"Beyond the intervals: {', '.join(beyond)}."


def _use(combo: QComboBox) -> RowUse:
    """The use chosen; a selector keeps its plain text."""
    return RowUse(combo.currentData())


def _written(info: MetricInfo, value: float, low: float, high: float) -> str:
    text = metric_value(info, value)
    if math.isfinite(low) and math.isfinite(high):
        text += f"  ({metric_interval(info, low, high)})"
    return text


def _marks(model: str, *sides: tuple[SeenRows, ...]) -> str:
    """What the model has seen of either side."""
    found = [flattering_words(model, seen) for seen in sides]
    return " | ".join(text for text in found if text)
