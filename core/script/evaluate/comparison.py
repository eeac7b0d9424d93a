"""What an evaluation can be asked in a script: choice, groups, shift, other tools' definitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from core.document.compare.chart_kinds import CONVENTIONS
from core.document.compare.conditions import require_same
from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document
from core.document.results import ChartData, EvaluationResult, Selection
from core.document.studies.compare import ShiftSide
from core.questions.compare import CompareModels, Definitions, Segments, Shift
from core.script.session import engine
from payoff.errors import PayoffError, no_such


def selection_of(result: EvaluationResult, metric: str) -> Selection:
    """The best score by a metric; see ``Evaluation.select``."""
    for entry in result.selections:
        if entry.metric == metric:
            return entry
    known = [entry.metric for entry in result.selections]
    raise PayoffError(
        f"Nothing can be chosen by '{metric}'.",
        why="It has no direction, no values of two scores, or was not computed.",
        remedy=no_such("metric", metric, known).remedy if known else "Evaluate two scores or more.",
    )


def by_column(document: Document, column: str, groups: int, resamples: int) -> pd.DataFrame:
    """Figures by group; see ``Evaluation.by``."""
    asked = Segments(column=column, groups=groups, resamples=resamples)
    result = engine().ask(document, asked)
    notes = {segment.name: segment for segment in result.segments}
    rows = []
    for cell in (*result.cells, *result.whole):
        segment = notes.get(cell.segment)
        rows.append(
            {
                column: cell.segment or "all",
                "score": cell.model,
                "metric": cell.metric,
                "value": cell.estimate.value,
                "low": cell.estimate.low,
                "high": cell.estimate.high,
                "rows": segment.rows if segment is not None else result.rows.rows,
                "events": segment.events if segment is not None else np.nan,
                "note": segment.note if segment is not None else "",
            }
        )
    table = pd.DataFrame(rows)
    table.attrs["warnings"] = list(result.warnings)
    return table


def shift_table(document: Document, other: str | RowUse, use: RowUse) -> pd.DataFrame:
    """Population stability of scores and inputs; see ``Evaluation.shift``."""
    now = ShiftSide(path=other, reader=ReaderSettings())
    if other in tuple(RowUse):
        now = ShiftSide(use=RowUse(other))
    result = engine().ask(document, Shift(then=ShiftSide(use=use), now=now))
    return pd.DataFrame(
        {
            "column": [entry.name for entry in result.columns],
            "kind": ["score" if entry.is_score else "input" for entry in result.columns],
            "index": [entry.index for entry in result.columns],
            "by_chance": [entry.noise for entry in result.columns],
            "verdict": [entry.verdict for entry in result.columns],
        }
    )


def definitions_table(document: Document, convention: str) -> pd.DataFrame:
    """Figures by another tool's definitions; see ``Evaluation.definitions``."""
    known = [name for name, _ in CONVENTIONS]
    if convention not in known:
        raise no_such("convention", convention, known)
    result = engine().ask(document, Definitions(convention=convention))
    return pd.DataFrame(
        {
            "figure": [row.figure for row in result.rows],
            "score": [row.model for row in result.rows],
            "payoff": [row.ours for row in result.rows],
            convention: [row.theirs for row in result.rows],
            "cause": [row.cause for row in result.rows],
        }
    )


def chart_of(document: Document, kind: str, resamples: int) -> ChartData:
    """One chart of page Compare; see ``Evaluation.chart``."""
    known = [name for name, _ in CONVENTIONS]
    if document.convention not in known:
        raise no_such("convention", document.convention, known)
    charted = replace(document, charts=(kind,), metrics=())
    result = engine().ask(charted, CompareModels(resamples=resamples))
    for chart in result.charts:
        if chart.kind == kind:
            return chart
    raise no_such("chart", kind, [chart.kind for chart in result.charts])


def chart_table(chart: ChartData) -> pd.DataFrame:
    """A chart's curves in one table: score, line, x, y, low, high."""
    parts = []
    for curve in chart.curves:
        nowhere = np.full(len(curve.x), np.nan)
        parts.append(
            pd.DataFrame(
                {
                    "score": curve.model,
                    "line": curve.name,
                    "x": curve.x,
                    "y": curve.y,
                    "low": nowhere if curve.low is None else curve.low,
                    "high": nowhere if curve.high is None else curve.high,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


__all__ = [
    "by_column",
    "chart_of",
    "chart_table",
    "definitions_table",
    "require_same",
    "selection_of",
    "shift_table",
]
