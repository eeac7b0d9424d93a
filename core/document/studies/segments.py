"""Metrics, totals and a curve by group of cases."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.plugin_results import MetricInfo
from core.document.results import ChartData, Estimate, RowsNote

GROUPS = 4
MOST_GROUPS = 12
FEW_ROWS = 100
FEW_EVENTS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One group of cases."""

    name: str
    rows: int
    events: int  # rows with the event; of a number 0
    note: str = ""  # why its figures are rough, or are not there


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentCell:
    """One metric of one model in one group."""

    segment: str
    model: str
    metric: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentsResult:
    """Figures by group; ``whole`` are those of all rows."""

    rows: RowsNote
    column: str
    segments: tuple[Segment, ...]
    metrics: tuple[MetricInfo, ...]
    cells: tuple[SegmentCell, ...]
    whole: tuple[SegmentCell, ...]  # ``segment`` is empty
    chart: ChartData | None  # curves of one model, each named by its group
    model: str  # whose curves they are
    metric: str = ""  # the figure that was asked for; empty: the first
    warnings: tuple[str, ...]
    seconds: float

    def cell(self, segment: str, model: str, metric: str) -> Estimate | None:
        """One figure; the empty segment is all rows."""
        for entry in (*self.cells, *self.whole):
            if (entry.segment, entry.model, entry.metric) == (segment, model, metric):
                return entry.estimate
        return None
