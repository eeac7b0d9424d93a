"""Commands of page Compare: metrics, charts, whose definitions, the report, the choice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.chart_kinds import CONVENTIONS, chart_kind
from core.document.commands import Command, position
from core.document.model import Document, MetricChoice, ModelChoice, ReportItem
from payoff.errors import PayoffError

METRIC_TABLE = "metrics"
"""The kind of a report item that stands for the metric table."""


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
            if chart_kind(kind) is None:
                raise PayoffError(f"There is no chart '{kind}'.")
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
class PutOnReport(Command):
    """Put a chart, or the metric table, on the report."""

    label: ClassVar[str] = "Add to report"
    kind: str
    note: str = ""

    def apply(self, document: Document) -> Document:
        if self.kind != METRIC_TABLE and chart_kind(self.kind) is None:
            raise PayoffError(f"There is no chart '{self.kind}'.")
        kept = tuple(item for item in document.report if item.kind != self.kind)
        return replace(document, report=(*kept, ReportItem(kind=self.kind, note=self.note)))


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOffReport(Command):
    """Take a chart, or the metric table, off the report."""

    label: ClassVar[str] = "Take off the report"
    kind: str

    def apply(self, document: Document) -> Document:
        kept = tuple(item for item in document.report if item.kind != self.kind)
        return replace(document, report=kept)


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
