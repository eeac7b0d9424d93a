"""The cases of page Uplift: rows of two arms with a known outcome, with every ranking's scores."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.shared_ids import without_shared_ids
from core.assembly.uplift.data import Arms, guard_columns, read_arms, read_outcome
from core.assembly.uplift.models import Ranker, rankers_of
from core.assembly.weights import is_sampled
from core.data import LoadedTable
from core.data.outcome_gaps import refuse_missing_outcomes
from core.document.data.missing_outcomes import MissingOutcomes
from core.document.model import Document, Role
from core.document.results import RowsNote
from core.document.uplift.model import looks_like_exposure
from core.document.uplift.outcome import experiment_outcome, own_outcome
from core.uplift.experiment import Experiment, make_experiment, narrow_intervals
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

Kept = dict[str, tuple[Ranker, FloatArray]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UpliftCases:
    """The rows of two arms with everything that page Uplift reads of them."""

    table: LoadedTable
    rows: IntArray
    note: RowsNote
    arms: Arms
    treatment: str
    outcome: str
    event: str
    experiment: Experiment  # at the share of the treated
    columns: tuple[str, ...]
    warnings: tuple[str, ...]


def uplift_cases(document: Document, context: AssemblyContext) -> UpliftCases:
    """The rows used that are in one of the two arms, with a known outcome."""
    table = table_of(document, context)
    spec = document.uplift
    target = document.target
    treatment, outcome = _experiment_columns(document)
    arms = read_arms(table, treatment, spec.treated, spec.control, asks=False)
    values, event = _experiment_outcome(table, document, outcome)
    if spec.missing_outcomes is MissingOutcomes.ASK and own_outcome(document):
        without = _without_own_outcome(table, document, arms, values)
        refuse_missing_outcomes(table, outcome, without, page="Uplift")
    rows, note = without_shared_ids(table, document, *data.usable_rows(table, document))
    inside = (arms.code[rows] < 2) & ~np.isnan(values[rows])
    others = int(np.sum(arms.code[rows] == 2))
    missing = int(np.sum((arms.code[rows] < 2) & np.isnan(values[rows])))
    weight = data.frequency(table, document)
    no_case = np.zeros(len(rows), dtype=bool) if weight is None else weight[rows] == 0
    weightless = int(np.sum(inside & no_case))
    rows = rows[inside & ~no_case]
    experiment = make_experiment(
        values[rows],
        arms.code[rows] == 1,
        weight=None if weight is None else weight[rows],
        is_sampled=is_sampled(document),
        where=table.path,
    )
    dropped = list(note.dropped)
    if others:
        dropped.append(("in another arm", others))
    if missing:
        dropped.append((f"'{outcome}' not known", missing))
    if weightless:
        dropped.append(("of weight 0", weightless))
    warnings = list(context.tables.changed_data(document.data)) if document.data else []
    if looks_like_exposure(treatment):
        warnings.append(
            f"'{treatment}' looks like something cases did, not what they were assigned to. "
            "Compare arms as assigned: those who open or click differ to begin with."
        )
    warnings += narrow_intervals(experiment, document.column_of(Role.WEIGHT) or "")
    skip = {treatment, outcome, target.column if target is not None else ""}
    skip |= {spec.true_effect or "", spec.true_control or ""}
    inputs = tuple(c for c in document.columns_of(Role.INPUT) if c not in skip)
    columns, after = guard_columns(table, inputs)
    if after:
        warnings.append(
            "Left out of the checks, as measured after the treatment: "
            f"{', '.join(after[:6])}{' ...' if len(after) > 6 else ''}."
        )
    return UpliftCases(
        table=table,
        rows=rows,
        note=replace(note, rows=len(rows), dropped=tuple(dropped)),
        arms=arms,
        treatment=treatment,
        outcome=outcome,
        event=event,
        experiment=experiment,
        columns=columns,
        warnings=tuple(warnings),
    )


def own_outcome_gaps(document: Document, context: AssemblyContext) -> tuple[LoadedTable, BoolArray]:
    """The table, and which rows of both arms have no value in the experiment's own outcome.

    There are none where the experiment has the project's outcome, of which page Data asks.
    """
    table = table_of(document, context)
    if not own_outcome(document):
        return table, np.zeros(table.rows, dtype=bool)
    treatment, outcome = _experiment_columns(document)
    spec = document.uplift
    arms = read_arms(table, treatment, spec.treated, spec.control, asks=False)
    values, _ = _experiment_outcome(table, document, outcome)
    return table, _without_own_outcome(table, document, arms, values)


def _without_own_outcome(
    table: LoadedTable, document: Document, arms: Arms, values: FloatArray
) -> BoolArray:
    expected = data.rows_with_outcome_expected(table, document)
    return np.asarray(expected & (arms.code < 2) & np.isnan(values))


def _experiment_columns(document: Document) -> tuple[str, str]:
    """Treatment and outcome; refused where one is not named."""
    treatment = document.uplift.treatment or document.column_of(Role.TREATMENT) or ""
    if not treatment:
        raise PayoffError(
            "No column is named as the treatment.",
            why="An effect is measured between those who were treated and those who were not.",
            remedy="Choose the treatment above, or give a column that role on page Data.",
        )
    outcome = experiment_outcome(document)
    if not outcome:
        raise PayoffError("No column is named as the outcome.", remedy="Choose the outcome above.")
    if outcome == treatment:
        raise PayoffError(
            f"'{outcome}' is both treatment and outcome.", remedy="Choose another outcome."
        )
    return treatment, outcome


def _experiment_outcome(
    table: LoadedTable, document: Document, outcome: str
) -> tuple[FloatArray, str]:
    """The outcome's numbers and its event; the project's as the project reads it."""
    target, event, spellings = document.target, document.uplift.event, None
    if target is not None and target.column == outcome:
        spellings = target.spellings
        if not event and target.levels:
            event = target.event
    return read_outcome(table, outcome, event, spellings)


def scored_cases(
    document: Document, context: AssemblyContext
) -> tuple[Kept, UpliftCases, tuple[str, ...]]:
    """The cases that every ranking scores, their scores, and warnings of rankings left out."""
    cases = uplift_cases(document, context)
    context.progress(0.1, "Reading the rankings")
    rankers, lost = rankers_of(document, cases.table, context)
    kept, cases = _with_scores(cases, rankers)
    return kept, cases, lost


def _with_scores(cases: UpliftCases, rankers: tuple[Ranker, ...]) -> tuple[Kept, UpliftCases]:
    """Scores over the cases; cases without one of them are left out of all, so models compare."""
    known = np.ones(len(cases.rows), dtype=bool)
    for ranker in rankers:
        known &= ~np.isnan(ranker.score[cases.rows])
    if not known.all():
        missing = int(np.sum(~known))
        note = replace(
            cases.note,
            rows=int(known.sum()),
            dropped=(*cases.note.dropped, ("a model says nothing", missing)),
        )
        places = np.flatnonzero(known)
        if not len(places):
            raise PayoffError("No case has a score of every model.")
        kept = cases.experiment.rows(places)
        made = make_experiment(
            kept.outcome,
            kept.treated,
            weight=kept.weight if len(kept.weight) else None,
            is_sampled=kept.is_sampled,
        )
        cases = replace(cases, rows=cases.rows[places], note=note, experiment=made)
    scores: Kept = {
        ranker.name: (ranker, np.ascontiguousarray(ranker.score[cases.rows])) for ranker in rankers
    }
    return scores, cases
