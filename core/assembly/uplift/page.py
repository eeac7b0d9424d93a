"""What page Uplift shows: guard first, then curves, criteria, choice and prices.

Prices of page Uplift from the project's decision matrix: treat or not, outcome or not.

Of two classes and two decisions only three differences matter to an experiment: what the outcome
is worth among the untreated, what it is worth less among the treated, and what treating costs a
case without it. They are the three prices of the page, so a matrix says the same in other words.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.assembly.context import AssemblyContext, table_of
from core.assembly.matrix import matrix_of
from core.assembly.running import fair_threads
from core.assembly.uplift.cases import UpliftCases, scored_cases, true_effects
from core.assembly.uplift.data import covariate_matrix
from core.assembly.uplift.prepared import prepared_uplift, with_known_probabilities, without_prices
from core.data import LoadedTable
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from core.document.results import RowsNote
from core.document.studies.uplift import (
    ArmEffect,
    UpliftModelResult,
    UpliftResult,
    Validity,
)
from core.document.uplift.model import UpliftSpec
from core.questions.uplift import Uplift
from core.uplift.effects import adjusted_effect, arm_spread, next_test_size, plain_effect
from core.uplift.experiment import Experiment
from core.uplift.overlays import reference_curves, with_other_rows, with_truth
from core.uplift.page_figures import best_choice, differences_of, model_result, prices_of
from core.uplift.ranked.ranking import UpliftRanking
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray

Cells = tuple[tuple[float, float], tuple[float, float]]


def prices_of_cells(cells: Cells) -> tuple[float, float, float]:
    """Value, contact and redemption of a matrix of the event and all else by treat and leave."""
    (event_treat, event_leave), (else_treat, else_leave) = cells
    value = event_leave - else_leave
    return value, else_leave - else_treat, value - (event_treat - else_treat)


def spec_with_prices(document: Document, context: AssemblyContext) -> UpliftSpec:
    """The experiment with the prices that hold: the page's own, or those of the matrix.

    Raises
    ------
    PayoffError
        Where prices follow a matrix that is not there, or has more than two classes or decisions.
    """
    spec = document.uplift
    if not spec.follows_matrix:
        return spec
    value, contact, redemption = prices_of_cells(_cells_of(document, context))
    return replace(spec, value=value, contact=contact, redemption=redemption)


def _cells_of(document: Document, context: AssemblyContext) -> Cells:
    wanted = document.matrix
    target = document.target
    if wanted is None or target is None or len(target.levels) != 2:
        raise PayoffError(
            "There is no decision matrix of two classes to take prices from.",
            remedy="Make one on page Decide, or write prices on page Uplift.",
        )
    if document.uplift.outcome not in ("", target.column):
        raise PayoffError(
            f"The matrix is about '{target.column}', the experiment about another outcome.",
            where=document.uplift.outcome,
            remedy="Choose the same outcome, or write prices on page Uplift.",
        )
    matrix = matrix_of(document, context)
    if matrix.shares is not None or any(cost.column for cost in matrix.spec.costs):
        raise PayoffError(
            "The matrix reads amounts or costs case by case.",
            why="Prices of page Uplift are the same for every case.",
            remedy="Use a matrix of fixed cells.",
        )
    decisions = matrix.spec.decisions
    if len(decisions) != 2:
        raise PayoffError(
            f"The matrix has {counted(len(decisions), 'decision')}.",
            why="An experiment compares treating with leaving alone.",
            remedy="Use a matrix of two decisions, such as 'Treat or not'.",
        )
    acting = decisions.index(matrix.spec.acting)
    sign = -1.0 if matrix.spec.kind is MatrixKind.LOSS else 1.0
    rows = sign * matrix.cells[:, [acting, 1 - acting]]
    for place, column in enumerate((acting, 1 - acting)):
        if matrix.spec.costs:
            rows[:, place] -= matrix.spec.costs[column].amount
    return (
        (float(rows[0, 0]), float(rows[0, 1])),  # the event is the first level
        (float(rows[1, 0]), float(rows[1, 1])),
    )


def work_out_uplift(document: Document, question: Uplift, context: AssemblyContext) -> UpliftResult:
    """Everything page Uplift shows of a document.

    Raises
    ------
    PayoffError
        For a document without a treatment or an outcome, and data that are no experiment of two
        arms; each names column and row.
    """
    begun = time.perf_counter()
    content = context.tables.data_hash(document.data) if document.data is not None else ""
    key = ("uplift", content, without_prices(document), question.draws)
    with fair_threads(context):
        base: UpliftBase = context.cache.get_or_make(
            key, lambda: _make_base(document, question, begun, context)
        )
        return with_prices(base, document, begun, context)


@dataclass(frozen=True, slots=True, eq=False)
class UpliftBase:
    """What does not depend on prices: kept, so that a changed price is answered at once."""

    result: UpliftResult
    rankings: dict[str, UpliftRanking]


def with_prices(
    base: UpliftBase, document: Document, begun: float, context: AssemblyContext
) -> UpliftResult:
    """The result with the best depths at the prices that hold."""
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredUplift:
    """What the page is drawn from: an experiment, its effect without a model, checks, rankings."""

    note: RowsNote
    treatment: str
    treated: str
    control: str
    outcome: str
    event: str
    experiment: Experiment
    guard: Validity
    effects: tuple[ArmEffect, ...]
    rankings: dict[str, UpliftRanking]
    warnings: tuple[str, ...]


def _make_base(
    document: Document, question: Uplift, begun: float, context: AssemblyContext
) -> tuple[UpliftBase, int]:
    made = prepared_uplift(document, context)
    cases, rankings = made.cases, made.rankings
    table = table_of(document, context)
    measured = MeasuredUplift(
        note=cases.note,
        treatment=cases.treatment,
        treated=cases.arms.treated,
        control=cases.arms.control,
        outcome=cases.outcome,
        event=cases.event,
        experiment=made.experiment,
        guard=made.guard,
        effects=_effects(cases, table),
        rankings=rankings,
        warnings=made.notes,
    )
    result = drawn_result(measured, document, question.draws, begun, context)
    result = with_truth(result, rankings, true_effects(document, table, cases.rows))

    def rankings_of(use: RowUse) -> Mapping[str, UpliftRanking]:
        return _rankings_on(replace(document, rows_used=use), context)

    result = with_other_rows(result, rankings, document.rows_used, rankings_of)
    return UpliftBase(result, rankings), 1_000_000 * max(1, len(rankings))


def drawn_result(
    measured: MeasuredUplift, document: Document, draws: int, begun: float, context: AssemblyContext
) -> UpliftResult:
    """Curves, areas and prices; parts without curves, and without uniform bands, come first."""
    spec = spec_with_prices(document, context)
    document = replace(document, uplift=spec)
    experiment, guard, rankings = measured.experiment, measured.guard, measured.rankings
    result = UpliftResult(
        rows=measured.note,
        treatment=measured.treatment,
        treated=measured.treated,
        control=measured.control,
        outcome=measured.outcome,
        event=measured.event,
        is_binary=experiment.is_binary,
        cases=experiment.total,
        treated_cases=experiment.sizes[0],
        control_cases=experiment.sizes[1],
        guard=guard,
        effects=measured.effects,
        models=(),
        differences=(),
        prices=None,
        price_used=(spec.value, spec.contact, spec.redemption),
        has_propensity=experiment.has_propensity,
        draws=0,
        seconds=time.perf_counter() - begun,
        warnings=measured.warnings,
        references=reference_curves(experiment),
    )
    context.progress(0.4, "Drawing the curves", result)
    models = _models(document, rankings, guard, 0, context)
    result = replace(
        result,
        models=models,
        differences=differences_of(rankings, models),
        prices=prices_of(rankings, document.uplift),
    )
    if draws and rankings:
        context.progress(0.6, "Resampling whole curves", result)
        models = _models(document, rankings, guard, draws, context)
        result = replace(result, models=models, draws=draws)
    return result


def _rankings_on(document: Document, context: AssemblyContext) -> Mapping[str, UpliftRanking]:
    """The rankings on other rows, unchecked unless the checks make the chances of treatment."""
    if document.uplift.estimates_propensity:
        return prepared_uplift(document, context).rankings
    kept, cases, _lost = scored_cases(document, context)
    experiment = with_known_probabilities(document, table_of(document, context), cases)
    return {name: UpliftRanking(experiment, score) for name, (_, score) in kept.items()}


def _effects(cases: UpliftCases, table: LoadedTable) -> tuple[ArmEffect, ...]:
    """The effect without a model: plain, and adjusted where there are columns to adjust for."""
    matrix = covariate_matrix(table, cases.columns, cases.rows) if cases.columns else None
    return effects_of(cases.experiment, cases.arms.treated, cases.arms.control, matrix)


def effects_of(
    experiment: Experiment, arm: str, control: str, covariates: FloatArray | None = None
) -> tuple[ArmEffect, ...]:
    """The plain effect of the treated arm, and the one adjusted for covariates (n, k)."""
    inside = experiment.treated > 0
    weight = experiment.weight if len(experiment.weight) else None
    found = [
        plain_effect(experiment.outcome, inside, ~inside, weight=weight, arm=arm, control=control)
    ]
    if covariates is not None:
        found.append(
            adjusted_effect(
                experiment.outcome,
                inside,
                ~inside,
                covariates,
                weight=weight,
                arm=arm,
                control=control,
            )
        )
    spread = arm_spread(experiment)
    out = []
    for effect in found:
        try:
            size = next_test_size(effect.effect / 2, spread)
        except PayoffError:
            size = 0
        out.append(ArmEffect(effect=effect, next_test=size))
    return tuple(out)


def _models(
    document: Document,
    rankings: Mapping[str, UpliftRanking],
    guard: Validity,
    draws: int,
    context: AssemblyContext,
) -> tuple[UpliftModelResult, ...]:
    found = []
    for place, (name, ranking) in enumerate(rankings.items()):

        def step(part: float, place: int = place) -> None:
            context.progress(0.6 + 0.4 * (place + part) / len(rankings), "Resampling whole curves")

        found.append(
            model_result(
                ranking,
                name=name,
                spec=document.uplift,
                guard=guard,
                seed=document.seed,
                draws=draws,
                should_stop=context.should_stop,
                step=step,
            )
        )
    return tuple(found)
