"""How small a difference between two models the cases at hand could show."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.compare.chart_kinds import chart_task
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from core.document.plugin_results import MetricInfo
from core.document.results import Estimate, RowsNote

LEVEL, POWER = 0.05, 0.8
TOTAL, AVERAGE = "total_profit", "average_profit"
TOTAL_LOSS, AVERAGE_LOSS = "total_loss", "average_loss"
MONEY = (TOTAL, AVERAGE, TOTAL_LOSS, AVERAGE_LOSS)
"""Metrics of money by the rule."""


def money_figures(document: Document) -> tuple[str, str]:
    """Return the metrics of money by the rule, total and average, in the project's own sense."""
    matrix = document.matrix
    is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
    return (TOTAL_LOSS, AVERAGE_LOSS) if is_loss else (TOTAL, AVERAGE)


def is_offered(info: MetricInfo, document: Document) -> bool:
    """Return whether lists offer a metric: it judges this outcome, in the project's own sense."""
    if info.metric in MONEY:
        return document.matrix is not None and info.metric in money_figures(document)
    return not info.tasks or chart_task(document) in info.tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPower:
    """One figure of two models. NaN where there is none; ``observed.note`` then says why.

    ``smallest``: the true difference that a test at the level finds with the power. ``units``:
    what the standard error rests on, such as clusters. ``difference``: the one that was asked
    about, without its sign; where none was given the observed one. ``cases_needed`` show that
    difference with the power; ``power`` is that of these cases, NaN for an observed difference:
    it would only restate the p-value.
    """

    first: str
    second: str
    metric: str
    observed: Estimate  # first less second
    standard_error: float
    units: int
    method: str
    smallest: float
    difference: float
    cases_needed: float
    power: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerResult:
    """Every pair of models on every figure, figure by figure.

    A total grows with the cases: differences of totals are counted for as many cases as there are
    here. ``metric``: the figure that a given difference is in the unit of.
    """

    rows: RowsNote
    cases: int
    level: float
    target_power: float
    metric: str
    metrics: tuple[MetricInfo, ...]
    pairs: tuple[PairPower, ...]
    verdict: tuple[str, ...]  # a sentence or two for every pair on ``metric``
    warnings: tuple[str, ...]
    seconds: float

    def info(self, metric: str) -> MetricInfo:
        """Return the words of a figure."""
        return next(entry for entry in self.metrics if entry.metric == metric)
