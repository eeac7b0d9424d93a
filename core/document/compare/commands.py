"""Commands of page Compare: metrics, charts, whose definitions, the choice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position
from core.document.compare.chart_kinds import CONVENTIONS, chart_kind
from core.document.model import Document, MetricChoice, ModelChoice
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMetrics(Command):
    """Choose the columns of the metric table."""

    label: ClassVar[str] = "Choose metrics"
    metrics: tuple[MetricChoice, ...]

    def apply(self, document: Document) -> Document:
        return replace(document, metrics=self.metrics)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCharts(Command):
    """Choose the charts of page Compare and their order; none = the usual ones."""

    label: ClassVar[str] = "Choose charts"
    charts: tuple[str, ...]

    def apply(self, document: Document) -> Document:
        for kind in self.charts:
            if chart_kind(kind) is None and not kind.isidentifier():
                raise PayoffError(
                    f"There is no chart '{kind}'.",
                    remedy="Name a chart of page Compare, or the id of a plugin's curve.",
                )
        if len(set(self.charts)) != len(self.charts):
            raise PayoffError("A chart was chosen twice.")
        return replace(document, charts=self.charts)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetConvention(Command):
    """Follow another tool's definitions on the charts."""

    label: ClassVar[str] = "Change definitions"
    convention: str

    def apply(self, document: Document) -> Document:
        known = [key for key, _ in CONVENTIONS]
        if self.convention not in known:
            raise PayoffError(
                f"The definitions of '{self.convention}' are not known.",
                why=f"There are: {', '.join(known)}.",
            )
        return replace(document, convention=self.convention)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseModel(Command):
    """Take the model that is best by a metric; the rows used flatter it from then on."""

    label: ClassVar[str] = "Take the best model"
    model: str
    metric: str

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        choice = ModelChoice(
            model=self.model,
            metric=self.metric,
            rows_used=document.rows_used,
            data_hash=document.data_hash,
        )
        return replace(document, reference_model=self.model, choice=choice)
