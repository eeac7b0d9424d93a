"""The ranges of page Models: predicted quantiles, and how outcomes kept to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.cases import Cases, judged_cases
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.explaining import trained_entry
from core.assembly.models.trained import seen_warnings, training_rows
from core.document.model import Document, TrainedModel
from core.document.results import RowsNote
from core.document.studies.compare import QuantilesResult
from core.evaluation.judged_predictions import predicted_ranges, quantile_fan
from core.questions.explain import QuantileCheck
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.groups import effective_cases
from payoff.intervals import wilson_interval
from payoff.types import BoolArray, FloatArray

MOST_POINTS = 400
FEWEST_ROWS = 20


def judge_quantiles(
    document: Document, question: QuantileCheck, context: AssemblyContext
) -> QuantilesResult:
    """Predicted quantiles of the rows used that did not train the model, beside their outcomes.

    Raises
    ------
    PayoffError
        If the model was not trained here, predicts no quantiles, or hardly any row is left.
    """
    trained = trained_entry(document, question.model)
    only = tuple(entry for entry in document.models if entry.name == trained.name)
    document = replace(document, models=only, reference_model=trained.name)
    cases = judged_cases(document, context)
    spread = cases.spreads.get(trained.name)
    if spread is None or cases.target is None:
        raise PayoffError(
            f"'{trained.name}' predicts no quantiles.",
            remedy="Train 'Several quantiles' on page Models.",
        )
    kept, is_fresh, notes = _fresh(trained, cases, document, context)
    known = kept & np.isfinite(cases.target) & spread.is_known
    if int(known.sum()) < FEWEST_ROWS:
        raise PayoffError(
            f"Only {counted(int(known.sum()), 'row has', 'rows have')} an outcome and "
            "predicted quantiles.",
            why=f"At least {FEWEST_ROWS} are needed to say how often ranges hold.",
            remedy="Choose other rows on page Compare.",
        )
    places = np.flatnonzero(known)
    weight = np.ones(len(places)) if cases.frequency is None else cases.frequency[places]
    values, outcome = spread.values[:, places], cases.target[places]
    note = replace(cases.note, rows=len(places), text=_rows_text(cases.note, len(places), is_fresh))
    return _judged(trained, spread.levels, values, outcome, weight, note, is_fresh, notes)


def _rows_text(note: RowsNote, rows: int, is_fresh: bool) -> str:
    if rows == note.rows:
        return note.text
    return f"{note.text}; {rows:,} of them " + ("did not train it" if is_fresh else "are known")


def _fresh(
    trained: TrainedModel, cases: Cases, document: Document, context: AssemblyContext
) -> tuple[BoolArray, bool, tuple[str, ...]]:
    """Which cases judge a model fairly, whether all do, and what is to be said of them.

    Rows that trained it judge it only where folds scored them, or where no others are left.
    """
    table = table_of(document, context)
    notes = seen_warnings(table, document, trained, cases.rows)
    if trained.has_folds:
        return np.ones(len(cases.rows), dtype=bool), True, notes
    seen = np.isin(cases.rows, training_rows(table, document, trained))
    if int((~seen).sum()) < FEWEST_ROWS:
        return np.ones(len(cases.rows), dtype=bool), not bool(seen.any()), notes
    left = np.flatnonzero(~seen)
    return ~seen, True, seen_warnings(table, document, trained, cases.rows[left])


def _judged(
    trained: TrainedModel,
    levels: FloatArray,
    values: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    note: RowsNote,
    is_fresh: bool,
    notes: tuple[str, ...],
) -> QuantilesResult:
    below = (outcome <= values).astype(np.float64) @ weight / weight.sum()
    effective = effective_cases(weight)
    low, high = wilson_interval(below, np.full(len(levels), effective))
    share, fan, place = quantile_fan(values, weight, levels)
    draw = np.linspace(0, len(outcome) - 1, min(MOST_POINTS, len(outcome))).astype(np.int64)
    return QuantilesResult(
        model=trained.name,
        target=trained.target,
        rows=note,
        levels=levels,
        below=below,
        below_low=low,
        below_high=high,
        ranges=predicted_ranges(levels, values, outcome, weight, effective),
        share=share,
        fan=fan,
        outcome_share=place[draw],
        outcome=outcome[draw],
        is_fresh=is_fresh,
        notes=notes,
    )
