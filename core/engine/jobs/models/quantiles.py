"""The job behind the ranges of page Models: predicted quantiles, and how outcomes kept to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.cases import Cases, judged_cases
from core.assembly.context import table_of
from core.assembly.models.trained import seen_warnings, training_rows
from core.document.model import Document, TrainedModel
from core.document.results import RowsNote
from core.document.studies.quantiles import PredictedRange, QuantilesResult
from core.engine.context import JobContext
from core.engine.jobs.models.explaining import trained_entry
from core.questions.explain import QuantileCheck
from payoff.errors import PayoffError
from payoff.groups import effective_cases
from payoff.intervals import wilson_interval
from payoff.types import BoolArray, FloatArray, IntArray

GROUPS = 100
MOST_POINTS = 400
FEWEST_ROWS = 20
_SAME = 1e-9


def judge_quantiles(
    document: Document, question: QuantileCheck, context: JobContext
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
            f"Only {int(known.sum())} rows have an outcome and predicted quantiles.",
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
    trained: TrainedModel, cases: Cases, document: Document, context: JobContext
) -> tuple[BoolArray, bool, tuple[str, ...]]:
    """Which cases judge a model fairly, whether all do, and what is to be said of them.

    Rows that trained it judge it only where folds scored them, or where no others are left.
    """
    table = table_of(document, context)
    notes = seen_warnings(table, document, trained, cases.rows)
    if trained.cv_folds > 1:
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
    share, fan, place = _fan(values, weight, levels)
    draw = np.linspace(0, len(outcome) - 1, min(MOST_POINTS, len(outcome))).astype(np.int64)
    return QuantilesResult(
        model=trained.name,
        target=trained.target,
        rows=note,
        levels=levels,
        below=below,
        below_low=low,
        below_high=high,
        ranges=_ranges(levels, values, outcome, weight, effective),
        share=share,
        fan=fan,
        outcome_share=place[draw],
        outcome=outcome[draw],
        is_fresh=is_fresh,
        notes=notes,
    )


def _fan(
    values: FloatArray, weight: FloatArray, levels: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middles (m,) of groups of cases by their median, mean quantiles (K, m), places (n,)."""
    middle = values[int(np.argmin(np.abs(levels - 0.5)))]
    order = np.argsort(middle, kind="stable")
    mass = np.cumsum(weight[order]) / weight.sum()
    place = np.empty(len(order))
    place[order] = mass - 0.5 * weight[order] / weight.sum()
    group = np.minimum((place * GROUPS).astype(np.int64), GROUPS - 1)
    size = np.bincount(group, weights=weight, minlength=GROUPS)
    used = size > 0
    means = [np.bincount(group, weights=weight * row, minlength=GROUPS)[used] for row in values]
    middles = np.bincount(group, weights=weight * place, minlength=GROUPS)[used]
    return middles / size[used], np.array(means) / size[used], place


def _ranges(
    levels: FloatArray,
    values: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    effective: float,
) -> tuple[PredictedRange, ...]:
    """Ranges whose ends lie as far from 0 as from 1, the widest first."""
    found = []
    for low, high in _pairs(levels):
        inside = (outcome >= values[low]) & (outcome <= values[high])
        held = float(inside @ weight / weight.sum())
        limits = wilson_interval(np.array([held]), np.array([effective]))
        width = float((values[high] - values[low]) @ weight / weight.sum())
        found.append(
            PredictedRange(
                low_level=float(levels[low]),
                high_level=float(levels[high]),
                wanted=float(levels[high] - levels[low]),
                held=held,
                held_low=float(limits[0][0]),
                held_high=float(limits[1][0]),
                width=width,
            )
        )
    return tuple(found)


def _pairs(levels: FloatArray) -> list[tuple[int, int]]:
    """Places of levels that mirror each other around one half, outermost first."""
    pairs = []
    for low in np.flatnonzero(levels < 0.5 - _SAME).tolist():
        matching: IntArray = np.flatnonzero(np.abs(levels - (1.0 - levels[low])) < _SAME)
        if len(matching):
            pairs.append((low, int(matching[0])))
    return pairs
