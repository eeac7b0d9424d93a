"""The job behind page Uplift: guard first, then curves, criteria, choice and prices."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.data import LoadedTable
from core.document.data_model import RowUse
from core.document.model import Document, Role
from core.document.results import Estimate, RowsNote
from core.document.studies.uplift import (
    ArmEffect,
    GuardLine,
    GuardResult,
    UpliftArguments,
    UpliftModelResult,
    UpliftResult,
)
from core.document.uplift import NuChoice, looks_like_exposure
from core.engine.context import JobContext
from core.engine.jobs.shared_ids import without_shared_ids
from core.engine.jobs.tables import table_of
from core.engine.jobs.threads import fair_threads
from core.engine.jobs.uplift_data import (
    Arms,
    column_values,
    covariate_matrix,
    cross_fitted_treatment,
    guard_columns,
    guard_sample,
    read_arms,
    read_outcome,
)
from core.engine.jobs.uplift_models import Ranker, rankers_of
from core.engine.jobs.uplift_overlays import reference_curves, with_other_rows, with_truth
from core.engine.jobs.uplift_prices import spec_with_prices
from core.engine.jobs.uplift_tables import best_choice, differences_of, model_result, prices_of
from core.uplift.effects import adjusted_effect, next_test_size, plain_effect
from core.uplift.experiment import Experiment, checked_propensity, make_experiment
from core.uplift.guard import Validity, check_validity
from core.uplift.ranking import UpliftRanking
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

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


def work_out_uplift(arguments: UpliftArguments, context: JobContext) -> UpliftResult:
    """Everything page Uplift shows of a document.

    Raises
    ------
    PayoffError
        For a document without a treatment or an outcome, and data that are no experiment of two
        arms; each names column and row.
    """
    begun = time.perf_counter()
    document, cache = arguments.document, context.workbench.cache
    content = context.workbench.data_hash(document.data) if document.data is not None else ""
    key = ("uplift", content, _without_prices(document), arguments.draws)
    with fair_threads(context):
        base: _Base = cache.get_or_make(key, lambda: _make_base(arguments, begun, context))
        spec = spec_with_prices(document, context)
        models = tuple(
            replace(model, choice=best_choice(ranking, spec, document.seed))
            for model, ranking in zip(base.result.models, base.rankings.values(), strict=True)
        )
        return replace(
            base.result,
            models=models,
            prices=prices_of(base.rankings, spec),
            price_used=(spec.value, spec.contact, spec.redemption),
            seconds=time.perf_counter() - begun,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """What does not depend on prices: kept, so that a changed price is answered at once."""

    result: UpliftResult
    rankings: dict[str, UpliftRanking]


def _without_prices(document: Document) -> Document:
    spec = replace(
        document.uplift,
        value=1.0,
        contact=0.0,
        redemption=0.0,
        most_cases=None,
        follows_matrix=False,
        metrics=(),
        note="",
    )
    return replace(document, uplift=spec, matrix=None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedUplift:
    """Cases, checks and rankings, which everything on page Uplift is read from."""

    cases: UpliftCases
    kept: Kept
    guard: Validity
    experiment: Experiment  # with the chances of treatment that are to be used
    rankings: dict[str, UpliftRanking]
    notes: tuple[str, ...]


def prepared_uplift(document: Document, context: JobContext) -> PreparedUplift:
    """The rankings of a document over the cases that all of them score, kept between jobs.

    Raises
    ------
    PayoffError
        As ``work_out_uplift``.
    """
    content = context.workbench.data_hash(document.data) if document.data is not None else ""
    plain = _without_prices(document)
    spec = replace(plain.uplift, nu=NuChoice.ZERO)
    key = ("prepared uplift", content, replace(plain, uplift=spec))

    def make() -> tuple[PreparedUplift, int]:
        kept, cases, lost = scored_cases(document, context)
        guard, experiment, notes = _guarded(document, cases, kept, context)
        made = PreparedUplift(
            cases=cases,
            kept=kept,
            guard=guard,
            experiment=experiment,
            rankings={name: UpliftRanking(experiment, s) for name, (_, s) in kept.items()},
            notes=(*cases.warnings, *lost, *notes),
        )
        return made, 8 * len(cases.rows) * 12 * max(1, len(kept))

    found: PreparedUplift = context.workbench.cache.get_or_make(key, make)
    return found


def _make_base(arguments: UpliftArguments, begun: float, context: JobContext) -> tuple[_Base, int]:
    document = arguments.document
    made = prepared_uplift(document, context)
    cases, kept, guard, experiment = made.cases, made.kept, made.guard, made.experiment
    rankings = made.rankings
    spec = spec_with_prices(document, context)
    document = replace(document, uplift=spec)
    result = UpliftResult(
        rows=cases.note,
        treatment=cases.treatment,
        treated=cases.arms.treated,
        control=cases.arms.control,
        outcome=cases.outcome,
        event=cases.event,
        is_binary=experiment.is_binary,
        cases=experiment.total,
        treated_cases=experiment.sizes[0],
        control_cases=experiment.sizes[1],
        guard=_guard_result(guard),
        effects=_effects(cases),
        models=(),
        differences=(),
        prices=None,
        price_used=(spec.value, spec.contact, spec.redemption),
        has_propensity=experiment.has_propensity,
        draws=0,
        seconds=time.perf_counter() - begun,
        warnings=made.notes,
        references=reference_curves(experiment),
    )
    context.progress(0.4, "Drawing the curves", result)
    models = _models(document, rankings, kept, guard, 0, context)
    result = replace(
        result,
        models=models,
        differences=differences_of(rankings, models),
        prices=prices_of(rankings, document.uplift),
    )
    if arguments.draws and rankings:
        context.progress(0.6, "Resampling whole curves", result)
        models = _models(document, rankings, kept, guard, arguments.draws, context)
        result = replace(result, models=models, draws=arguments.draws)
    result = with_truth(result, rankings, cases.table, cases.rows, spec)

    def rankings_of(use: RowUse) -> Mapping[str, UpliftRanking]:
        return _rankings_on(replace(arguments.document, rows_used=use), context)

    result = with_other_rows(result, rankings, document.rows_used, rankings_of)
    return _Base(result, rankings), 1_000_000 * max(1, len(rankings))


def _rankings_on(document: Document, context: JobContext) -> Mapping[str, UpliftRanking]:
    """The rankings on other rows, unchecked unless the checks make the chances of treatment."""
    if document.uplift.estimates_propensity:
        return prepared_uplift(document, context).rankings
    kept, cases, _lost = scored_cases(document, context)
    experiment = with_known_chances(document, cases)
    return {name: UpliftRanking(experiment, score) for name, (_, score) in kept.items()}


def uplift_cases(document: Document, context: JobContext) -> UpliftCases:
    """The rows used that are in one of the two arms, with a known outcome."""
    table = table_of(document, context)
    spec = document.uplift
    treatment = spec.treatment or document.column_of(Role.TREATMENT) or ""
    if not treatment:
        raise PayoffError(
            "No column is named as the treatment.",
            why="An effect is measured between those who were treated and those who were not.",
            remedy="Choose the treatment above, or give a column that role on page Data.",
        )
    target = document.target
    outcome = spec.outcome or (target.column if target is not None else "")
    if not outcome:
        raise PayoffError("No column is named as the outcome.", remedy="Choose the outcome above.")
    if outcome == treatment:
        raise PayoffError(
            f"'{outcome}' is both treatment and outcome.", remedy="Choose another outcome."
        )
    event = spec.event
    if not event and target is not None and target.column == outcome and target.levels:
        event = target.event
    arms = read_arms(table, treatment, spec.treated, spec.control, asks=False)
    values, event = read_outcome(table, outcome, event)
    rows, note = without_shared_ids(table, document, *data.usable_rows(table, document))
    inside = (arms.code[rows] < 2) & ~np.isnan(values[rows])
    others = int(np.sum(arms.code[rows] == 2))
    missing = int(np.sum((arms.code[rows] < 2) & np.isnan(values[rows])))
    rows = rows[inside]
    weight = data.frequency(table, document)
    experiment = make_experiment(
        values[rows],
        arms.code[rows] == 1,
        weight=None if weight is None else weight[rows],
        where=table.path,
    )
    dropped = list(note.dropped)
    if others:
        dropped.append(("in another arm", others))
    if missing:
        dropped.append((f"'{outcome}' not known", missing))
    warnings = list(context.workbench.changed_data(document.data)) if document.data else []
    if looks_like_exposure(treatment):
        warnings.append(
            f"'{treatment}' looks like something cases did, not what they were assigned to. "
            "Compare arms as assigned: those who open or click differ to begin with."
        )
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


def scored_cases(
    document: Document, context: JobContext
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
            kept.outcome, kept.treated, weight=kept.weight if len(kept.weight) else None
        )
        cases = replace(cases, rows=cases.rows[places], note=note, experiment=made)
    scores: Kept = {
        ranker.name: (ranker, np.ascontiguousarray(ranker.score[cases.rows])) for ranker in rankers
    }
    return scores, cases


def _guarded(
    document: Document, cases: UpliftCases, kept: Kept, context: JobContext
) -> tuple[Validity, Experiment, tuple[str, ...]]:
    """The checks, and the experiment with the chances of treatment that are to be used."""
    spec = document.uplift
    key = (
        "uplift treatment",
        cases.table.summary.data.content_hash,
        cases.columns,
        cases.treatment,
        cases.arms.treated,
        cases.arms.control,
        len(cases.rows),
        int(cases.rows.sum()),
        document.seed,
    )
    sample = guard_sample(cases.rows, document.seed)

    def make() -> tuple[FloatArray | None, int]:
        found = cross_fitted_treatment(
            cases.table,
            cases.columns,
            cases.rows[sample],
            cases.experiment.treated[sample],
            context,
            seed=document.seed,
        )
        return found, 0 if found is None else found.nbytes

    predicted: FloatArray | None = context.workbench.cache.get_or_make(key, make)
    experiment = with_known_chances(document, cases)
    notes: tuple[str, ...] = ()
    if spec.estimates_propensity and not experiment.has_propensity:
        experiment, notes = _estimated(cases, predicted, sample, spec.clip, document, context)
    rankings = {name: UpliftRanking(cases.experiment, s) for name, (_, s) in kept.items()}
    guard = check_validity(
        experiment,
        rankings,
        columns={name: column_values(cases.table, name, cases.rows) for name in cases.columns},
        predicted=predicted,
        predicted_rows=sample,
        planned_share=spec.planned_share,
        drawn_by_lot=spec.drawn_by_lot,
    )
    return guard, experiment, notes


def with_known_chances(document: Document, cases: UpliftCases) -> Experiment:
    """The experiment with the column of chances of treatment, where one is named."""
    column = document.uplift.propensity or document.column_of(Role.PROPENSITY)
    if column is None:
        return cases.experiment
    chances = data.column_as_float(cases.table, column, role="propensity")[cases.rows]
    where = f"{cases.table.path}, column {column}"
    return cases.experiment.with_propensity(checked_propensity(chances, len(cases.rows), where))


def _estimated(
    cases: UpliftCases,
    predicted: FloatArray | None,
    sample: IntArray,
    clip: float,
    document: Document,
    context: JobContext,
) -> tuple[Experiment, tuple[str, ...]]:
    if predicted is not None and len(sample) < len(cases.rows):
        predicted = cross_fitted_treatment(
            cases.table,
            cases.columns,
            cases.rows,
            cases.experiment.treated,
            context,
            seed=document.seed,
        )
    if predicted is None:
        return cases.experiment, (
            "Chances of treatment could not be estimated: there are no inputs, or too few cases "
            "of an arm. The share of the treated is used.",
        )
    clipped = int(np.sum((predicted < clip) | (predicted > 1 - clip)))
    note = "Chances of treatment are estimated from the inputs, cross-fitted; that they are "
    note += "estimates is not in the intervals."
    if clipped:
        note += f" {clipped:,} of them were kept {clip:g} from 0 and 1."
    experiment = cases.experiment.with_propensity(np.clip(predicted, clip, 1 - clip))
    return experiment, (note,)


def _guard_result(guard: Validity) -> GuardResult:
    return GuardResult(
        state=guard.state,
        headline=guard.headline,
        advice=guard.advice,
        lines=tuple(
            GuardLine(
                key=check.key,
                title=check.title,
                state=check.state,
                value=check.value,
                detail=check.detail,
            )
            for check in guard.checks
        ),
        balance_depth=guard.balance_depth,
        balance_share=guard.balance_share,
        balance_low=guard.balance_low,
        balance_high=guard.balance_high,
    )


def _effects(cases: UpliftCases) -> tuple[ArmEffect, ...]:
    """The effect without a model: plain, and adjusted where there are columns to adjust for."""
    experiment = cases.experiment
    inside = experiment.treated > 0
    weight = experiment.weight if len(experiment.weight) else None
    arm, control = cases.arms.treated, cases.arms.control
    found = [
        plain_effect(experiment.outcome, inside, ~inside, weight=weight, arm=arm, control=control)
    ]
    if cases.columns:
        matrix = covariate_matrix(cases.table, cases.columns, cases.rows)
        found.append(
            adjusted_effect(
                experiment.outcome, inside, ~inside, matrix, weight=weight, arm=arm, control=control
            )
        )
    spread = float(experiment.outcome[inside].var()), float(experiment.outcome[~inside].var())
    out = []
    for effect in found:
        try:
            size = next_test_size(effect.effect / 2, spread)
        except PayoffError:
            size = 0
        out.append(
            ArmEffect(
                arm=effect.arm,
                cases=round(effect.cases),
                control_cases=round(effect.control_cases),
                mean=effect.mean,
                control_mean=effect.control_mean,
                effect=Estimate(
                    value=effect.effect, low=effect.low, high=effect.high, method=effect.method
                ),
                relative=effect.relative,
                p_value=effect.p_value,
                next_test=size,
            )
        )
    return tuple(out)


def _models(
    document: Document,
    rankings: Mapping[str, UpliftRanking],
    kept: Kept,
    guard: Validity,
    draws: int,
    context: JobContext,
) -> tuple[UpliftModelResult, ...]:
    found = []
    for place, (name, ranking) in enumerate(rankings.items()):
        ranker = kept[name][0]

        def step(part: float, place: int = place) -> None:
            context.progress(0.6 + 0.4 * (place + part) / len(rankings), "Resampling whole curves")

        found.append(
            model_result(
                ranking,
                name=name,
                series=ranker.series,
                spec=document.uplift,
                guard=guard,
                seed=document.seed,
                draws=draws,
                should_stop=context.should_stop,
                step=step,
            )
        )
    return tuple(found)
