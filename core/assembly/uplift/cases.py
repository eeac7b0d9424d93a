"""The cases of page Uplift: rows of two arms with a known outcome, with every ranking's scores.

Which rankings page Uplift compares, and the score of every row under each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.cases import without_shared_ids
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.trained import (
    boosted_model,
    trained_effect,
    trained_posteriors,
    trained_predictions,
)
from core.assembly.uplift.data import (
    TreatmentArms,
    guard_columns,
    read_arms,
    read_outcome,
    refuse_gaps,
    values_at,
)
from core.assembly.weights import is_sampled
from core.boosting import Inputs
from core.data import LoadedTable, encode_levels
from core.data.levels import gaps_in, refuse_missing_outcomes
from core.document.data.model import BadValues, MissingOutcomes
from core.document.model import Document, Role, TrainedModel
from core.document.results import RowsNote
from core.document.studies.data import OutcomeGaps
from core.document.uplift.commands import own_outcome
from core.document.uplift.model import UpliftKind, UpliftModel, looks_like_exposure
from core.questions.needs import experiment_columns
from core.questions.uplift import ExperimentGaps
from core.uplift.experiment import (
    OTHER_ARM,
    SCORELESS,
    WEIGHTLESS,
    Experiment,
    make_experiment,
    narrow_intervals,
)
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranker:
    """A ranking: name, and the score of every row of the table, (n,); NaN = none."""

    name: str
    score: FloatArray


def rankers_of(
    document: Document, table: LoadedTable, context: AssemblyContext
) -> tuple[tuple[Ranker, ...], tuple[str, ...]]:
    """Every ranking of the document, and warnings for those that cannot be read.

    Rankings made of trained models come first; their parts are not shown on their own. Then all
    other models: scores and predictions as they stand, chances by the event's.
    """
    parts = {part for model in document.uplift.models for part in model.parts}
    found: list[Ranker] = []
    lost: list[str] = []
    for made in document.uplift.models:
        try:
            score = _made_score(document, table, made, context)
        except PayoffError as refusal:
            if document.bad_values is BadValues.REFUSE_GAPS:
                raise
            lost.append(f"'{made.name}' is left out: {refusal}")
            continue
        found.append(Ranker(name=made.name, score=score))
    for model in document.models:
        if model.name in parts or _is_part(document, model.trained):
            continue
        try:
            score = _model_score(document, table, model.name, context)
        except PayoffError as refusal:
            if document.bad_values is BadValues.REFUSE_GAPS:
                raise
            lost.append(f"'{model.name}' is left out: {refusal}")
            continue
        found.append(Ranker(name=model.name, score=score))
    return tuple(found), tuple(lost)


def _is_part(document: Document, trained: TrainedModel | None) -> bool:
    """Whether a model only serves a difference: of one arm, or with the treatment as an input."""
    if trained is None:
        return False
    treatment = document.uplift.treatment or document.column_of(Role.TREATMENT)
    return trained.only is not None or treatment in trained.features


def _model_score(
    document: Document, table: LoadedTable, name: str, context: AssemblyContext
) -> FloatArray:
    trained = document.trained_model(name)
    if trained is not None and trained.effect_of is not None:
        return _effect(document, table, trained, context)
    if trained is not None:
        return prediction_of(document, table, trained, context)
    column, kind, is_reversed = ranking_column(document, name)
    values = data.column_as_float(table, column, role=kind)
    return -values if is_reversed else values


def ranking_column(document: Document, name: str) -> tuple[str, str, bool]:
    """The column by which a model ranks cases, what it holds, and whether its lowest comes first.

    Raises
    ------
    PayoffError
        Where it has none.
    """
    role = document.score_role(name)
    if role is not None:
        return role.column, "score", role.is_reversed
    column = document.prediction_column(name)
    if column is not None:
        return column, "prediction", False
    columns = document.posterior_columns(name)
    event = document.target.event if document.target is not None else ""
    if event in columns:
        return columns[event], "chance", False
    if len(columns) == 1:  # the chance of the other level
        return next(iter(columns.values())), "chance", True
    raise PayoffError(f"'{name}' has no column that ranks cases.")


def _effect(
    document: Document, table: LoadedTable, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """The effect that a model learned, for the arms that the page compares."""
    from core.assembly.uplift.data import read_arms

    assert trained.effect_of is not None  # by the caller
    spec = document.uplift
    column, treated, control = trained.effect_of
    arms = read_arms(table, column, spec.treated, spec.control, asks=False)
    compared = (arms.treated, arms.control)
    if compared not in ((treated, control), (control, treated)):
        raise PayoffError(
            f"It learned the effect of '{treated}' against '{control}'.",
            remedy="Compare these arms, or train it for the others.",
        )
    effect = trained_effect(table, document, trained, context)
    return effect if compared == (treated, control) else -effect


def prediction_of(
    document: Document, table: LoadedTable, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """Chance of the event, or predicted number, of every row."""
    if document.target is not None and document.target.levels:
        return np.asarray(trained_posteriors(table, document, trained, context)[0])
    return trained_predictions(table, document, trained, context)


def _made_score(
    document: Document, table: LoadedTable, made: UpliftModel, context: AssemblyContext
) -> FloatArray:
    """Predicted effect of every row: the prediction if treated less that if not."""
    models = []
    for part in made.parts:
        trained = document.trained_model(part)
        if trained is None:
            raise PayoffError(f"There is no trained model '{part}'.", remedy="Train it again.")
        models.append(trained)
    if made.kind is UpliftKind.TWO_MODELS:
        treated, control = (prediction_of(document, table, m, context) for m in models)
        return treated - control
    return _requested_twice(document, table, models[0], context)


def _requested_twice(
    document: Document, table: LoadedTable, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """One model with the treatment as an input, asked as if all were treated and as if none."""
    from core.assembly.uplift.data import read_arms

    spec = document.uplift
    column = trained.features[-1]
    arms = read_arms(table, column, spec.treated, spec.control, asks=False)
    key = (
        "asked twice",
        trained.model_hash,
        trained.trees_used,
        table.identity,
        arms.treated,
        arms.control,
    )

    def make() -> tuple[FloatArray, int]:
        model = boosted_model(trained, context)
        inputs = read_inputs(table, model.columns)
        place = next(i for i, entry in enumerate(model.columns) if entry.name == column)
        answers = []
        for arm in (arms.treated, arms.control):
            arrays = list(inputs.arrays)
            arrays[place] = np.full(table.rows, _value_of(table, column, arm, arrays[place]))
            context.check()
            requested = Inputs(inputs.columns, tuple(arrays))
            answers.append(model.response(requested, trained.trees_used or None, None)[0])
        gap = np.ascontiguousarray(answers[0] - answers[1])
        return gap, gap.nbytes

    found: FloatArray = context.cache.get_or_make(key, make)
    return found


def _value_of(table: LoadedTable, column: str, arm: str, present: FloatArray) -> float:
    """How the model reads an arm: the value of the first row that is in it."""
    codes, levels = encode_levels(table, column)
    return float(present[int(np.argmax(codes == levels.index(arm)))])


Kept = dict[str, tuple[Ranker, FloatArray]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UpliftCases:
    """The rows of two arms with everything that page Uplift reads of them.

    The table is not part of them: they are kept between jobs, and a table that a script handed over
    lives no longer than the answer made from it.
    """

    rows: IntArray
    note: RowsNote
    arms: TreatmentArms
    treatment: str
    outcome: str
    event: str
    experiment: Experiment  # at the share of the treated
    columns: tuple[str, ...]
    warnings: tuple[str, ...]


def uplift_cases(document: Document, context: AssemblyContext) -> UpliftCases:
    """The rows used that are in one of the two arms, with a known outcome and a weight above 0.

    A row that is left out is counted once: for its arm, else for its outcome, else for its weight,
    which is looked at in no other rows.
    """
    table = table_of(document, context)
    spec = document.uplift
    target = document.target
    treatment, outcome = experiment_columns(document)
    arms = read_arms(table, treatment, spec.treated, spec.control, asks=False)
    values, event = read_outcome(table, outcome, *event_settings(document, outcome))
    if spec.missing_outcomes is MissingOutcomes.ASK and own_outcome(document):
        without = _without_own_outcome(table, document, arms, values)
        refuse_missing_outcomes(table, outcome, without, page="Uplift")
    usable = data.usable_rows(table, document, keeps_weightless=True)
    rows, note = without_shared_ids(table, document, *usable)
    dropped: list[tuple[str, int]] = []

    def keep(inside: BoolArray, reason: str) -> None:
        nonlocal rows
        if not inside.all():
            dropped.append((reason, int(np.sum(~inside))))
            rows = rows[inside]

    keep(values_at(arms.code, rows) < 2, OTHER_ARM)
    keep(~np.isnan(values_at(values, rows)), f"'{outcome}' not known")
    weight = data.frequency(table, document, rows)
    if weight is not None:
        counts = weight != 0
        keep(counts, WEIGHTLESS)
        weight = weight[counts]
    experiment = make_experiment(
        values_at(values, rows),
        values_at(arms.code, rows) == 1,
        weight=weight,
        is_sampled=is_sampled(document),
        where=table.path,
    )
    warnings = list(context.tables.changed_data(document.data)) if document.data else []
    warnings += exposure_warnings(treatment)
    column = document.column_of(Role.WEIGHT)
    warnings += narrow_intervals(experiment.widening, experiment.total, len(experiment), column)
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
        rows=rows,
        note=note.leaving_out(tuple(dropped)),
        arms=arms,
        treatment=treatment,
        outcome=outcome,
        event=event,
        experiment=experiment,
        columns=columns,
        warnings=tuple(warnings),
    )


def exposure_warnings(treatment: str) -> tuple[str, ...]:
    """That a treatment looks like what cases did, where it does."""
    if not looks_like_exposure(treatment):
        return ()
    return (
        f"'{treatment}' looks like something cases did, not what they were assigned to. "
        "Compare arms as assigned: those who open or click differ to begin with.",
    )


def own_outcome_gaps(
    document: Document, question: ExperimentGaps, context: AssemblyContext
) -> OutcomeGaps:
    """How many rows of both arms have no value in the experiment's own outcome, and the first.

    There are none where the experiment has the project's outcome, of which page Data asks.
    """
    table = table_of(document, context)
    if not own_outcome(document):
        return gaps_in(table, np.zeros(table.rows, dtype=bool))
    treatment, outcome = experiment_columns(document)
    spec = document.uplift
    arms = read_arms(table, treatment, spec.treated, spec.control, asks=False)
    values, _ = read_outcome(table, outcome, *event_settings(document, outcome))
    return gaps_in(table, _without_own_outcome(table, document, arms, values))


def _without_own_outcome(
    table: LoadedTable, document: Document, arms: TreatmentArms, values: FloatArray
) -> BoolArray:
    expected = data.rows_with_outcome_expected(table, document)
    return np.asarray(expected & (arms.code < 2) & np.isnan(values))


def event_settings(
    document: Document, outcome: str
) -> tuple[str, tuple[tuple[str, str], ...] | None]:
    """The event and the spellings of an outcome; the project's as the project reads it."""
    target, event, spellings = document.target, document.uplift.event, None
    if target is not None and target.column == outcome:
        spellings = target.spellings
        if not event and target.levels:
            event = target.event
    return event, spellings


def scored_cases(
    document: Document, context: AssemblyContext
) -> tuple[Kept, UpliftCases, tuple[str, ...]]:
    """The cases that every ranking scores, their scores, and warnings of rankings left out.

    Raises
    ------
    PayoffError
        As ``uplift_cases``; if no case has a score of every ranking; where the document refuses
        gaps, for a ranking that cannot be read and a case without a score.
    """
    cases = uplift_cases(document, context)
    context.progress(0.1, "Reading the rankings")
    table = table_of(document, context)
    rankers, lost = rankers_of(document, table, context)
    scores = [values_at(ranker.score, cases.rows) for ranker in rankers]
    if document.bad_values is BadValues.REFUSE_GAPS:
        for ranker, score in zip(rankers, scores, strict=True):
            role = document.score_role(ranker.name)
            name = ranker.name if role is None else role.column
            refuse_gaps(table, cases.rows, score, "score", name)
    kept, cases = _with_scores(cases, rankers, scores)
    return kept, cases, lost


def true_effects(document: Document, table: LoadedTable, rows: IntArray) -> FloatArray | None:
    """The true effect of each of some rows, (m,), NaN = not known; None where none is named.

    Raises
    ------
    PayoffError
        If a named column is not there, or holds no number for any of the rows; where the document
        refuses gaps, for every gap.
    """
    spec = document.uplift
    if spec.true_effect is None:
        return None
    truth = _numbers(table, spec.true_effect, rows)
    if document.bad_values is BadValues.REFUSE_GAPS:
        refuse_gaps(table, rows, truth, "effect", spec.true_effect)
    if spec.true_control is not None:
        truth = truth - _numbers(table, spec.true_control, rows)
    if not np.isfinite(truth).any():
        raise PayoffError(
            f"'{spec.true_effect}' says no case's true effect.",
            where=table.path,
            remedy="Name another column in the menu Experiment, or none.",
        )
    return truth


def _numbers(table: LoadedTable, name: str, rows: IntArray) -> FloatArray:
    table.require_column(name)
    return values_at(data.column_as_float(table, name, role="true effect"), rows)


def _with_scores(
    cases: UpliftCases, rankers: tuple[Ranker, ...], scores: list[FloatArray]
) -> tuple[Kept, UpliftCases]:
    """Scores over the cases; cases without one of them are left out of all, so models compare."""
    known = np.ones(len(cases.rows), dtype=bool)
    for score in scores:
        known &= ~np.isnan(score)
    if not known.all():
        missing = int(np.sum(~known))
        note = cases.note.leaving_out(((SCORELESS, missing),))
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
        scores = [score[places] for score in scores]
    found = zip(rankers, scores, strict=True)
    return {ranker.name: (ranker, score) for ranker, score in found}, cases
