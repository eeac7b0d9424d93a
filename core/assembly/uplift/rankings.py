"""Every ranking of an experiment in slices with RATE, and over orders of its tied rows.

Metrics of the task "uplift" from plugins, built-in and third parties', over the rankings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.assembly.context import AssemblyContext
from core.assembly.running import fair_threads, metric_calls
from core.assembly.uplift.prepared import prepared_uplift
from core.assembly.weights import MOST_CASES
from core.document.model import Document, WeightKind
from core.document.results import EvaluationResult, RowsNote
from core.document.studies.uplift import (
    ModelSlices,
    Rate,
    RateFigure,
    RowOrderModel,
    RowOrderResult,
    RowOrderRow,
    SlicesResult,
    UpliftMetricsResult,
)
from core.evaluation import (
    EvaluationProblem,
    JudgedScores,
    MetricRequest,
    assess,
)
from core.evaluation.binding import BoundMetric
from core.evaluation.naming import metric_request, parse_metric
from core.extensions import Registry
from core.questions.uplift import RowOrder, Slices, UpliftMetrics
from core.uplift.experiment import Experiment
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.rates import rates_of
from core.uplift.ranked.row_order import audit_row_order
from core.uplift.segments import ArmSums, balance_of, slices_of
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.specs import EvaluationMetric
from payoff.types import AnyArray
from payoff.vocabulary import MetricForm, MetricOutput, Task


def measure_uplift(
    document: Document, question: UpliftMetrics, context: AssemblyContext
) -> UpliftMetricsResult:
    """Every chosen metric of every ranking, with intervals and paired differences.

    Raises
    ------
    PayoffError
        As page Uplift, and where nothing ranks the cases.
    """
    made = prepared_uplift(document, context)
    if not made.rankings:
        raise PayoffError(
            "No model ranks these cases yet.", remedy="Train one, or name a column of scores."
        )
    registry = context.registry
    offered = uplift_metrics(registry)
    chosen, missing = _chosen(document, registry, offered)
    infos = tuple(BoundMetric(MetricRequest(spec=spec)).info() for spec in offered)
    names = tuple(made.rankings)

    def shown(result: EvaluationResult) -> UpliftMetricsResult:
        named = replace(result, warnings=(*missing, *result.warnings))
        return UpliftMetricsResult(evaluation=named, offered=infos, models=names)

    def tell(fraction: float, stage: str, partial: EvaluationResult | None) -> None:
        context.progress(fraction, stage, shown(partial) if partial else None)

    with fair_threads(context):
        result = assess(
            metric_problem(
                made.experiment,
                made.rankings,
                chosen,
                rows=made.cases.note,
                draws=question.draws,
                seed=document.seed,
            ),
            progress=tell,
            should_stop=context.should_stop,
            calling=metric_calls(context),
            with_charts=False,
        )
    return shown(result)


def uplift_metrics(registry: Registry) -> tuple[EvaluationMetric, ...]:
    """Scalar metrics of the task "uplift" that plugins offer, built-in ones first."""
    found = [
        spec
        for spec in registry.metrics()
        if Task.UPLIFT in spec.tasks and spec.output == MetricOutput.SCALAR
    ]
    return tuple(sorted(found, key=registry.is_third_party))


def _chosen(
    document: Document, registry: Registry, offered: tuple[EvaluationMetric, ...]
) -> tuple[tuple[MetricRequest, ...], tuple[str, ...]]:
    """The metrics of the table; the usual ones are the fast ones and every third party's."""
    if not document.uplift.metrics:
        usual = [
            spec
            for spec in offered
            if spec.form != MetricForm.GENERAL or registry.is_third_party(spec)
        ]
        return tuple(MetricRequest(spec=spec) for spec in usual), ()
    known: dict[str, MetricRequest] = {}
    warnings: list[str] = []
    for name in document.uplift.metrics:
        try:
            request = metric_request(offered, *parse_metric(name), word="uplift metric")
            known.setdefault(request.key, request)
        except PayoffError as missing:
            warnings.append(
                f"The metric '{name}' is left out. No plugin offers it. {missing.remedy}".strip()
            )
    if not known:
        raise PayoffError("No metric is left to show.", why=" ".join(warnings))
    return tuple(known.values()), tuple(warnings)


def metric_problem(
    experiment: Experiment,
    rankings: Mapping[str, UpliftRanking],
    metrics: tuple[MetricRequest, ...],
    *,
    rows: RowsNote,
    draws: int,
    seed: int = 20261,
) -> EvaluationProblem:
    """The cases as the metrics host reads them: a number, predicted effects, and the arms."""
    extras: dict[str, AnyArray] = {"treatment": experiment.treated.astype(float)}
    if experiment.has_propensity:
        extras["propensity"] = experiment.propensity
    return EvaluationProblem(
        kind=Task.UPLIFT.value,
        models=tuple(
            JudgedScores(name=name, prediction=ranking.score) for name, ranking in rankings.items()
        ),
        metrics=metrics,
        rows=rows,
        target=experiment.outcome,
        frequency=experiment.weight if len(experiment.weight) else None,
        weight_kind=_weight_kind(experiment),
        extras=extras,
        seed=seed,
        resamples=draws,
        ranked_sums=ArmSums(tuple(rankings.values())),
    )


def _weight_kind(experiment: Experiment) -> str:
    """Weights of an experiment are frequencies: rows are repeated where they are whole numbers."""
    weight = experiment.weight
    is_whole = bool(np.all(weight == np.floor(weight))) and experiment.total <= MOST_CASES
    return WeightKind.FREQUENCY.value if is_whole else WeightKind.SAMPLING.value


MOST_SLICES = 100


def slice_rankings(document: Document, question: Slices, context: AssemblyContext) -> SlicesResult:
    """Equal slices of every ranking, best first, with treatment balance and RATE.

    Raises
    ------
    PayoffError
        As page Uplift, where nothing ranks the cases, and for a number of slices that cannot
        be.
    """
    made = prepared_uplift(document, context)
    if not made.rankings:
        raise PayoffError(
            "No model ranks these cases yet.", remedy="Train one, or name a column of scores."
        )
    with fair_threads(context):
        return slices_result(made.rankings, question, document.seed, context)


def slices_result(
    rankings: Mapping[str, UpliftRanking], question: Slices, seed: int, context: AssemblyContext
) -> SlicesResult:
    """Slices, balance and RATE of some rankings; refuses as ``slice_rankings``."""
    count = question.count
    if not 2 <= count <= MOST_SLICES:
        raise PayoffError(f"{counted(count, 'slice')} cannot be made.", why=f"2 to {MOST_SLICES}.")
    experiment = next(iter(rankings.values())).experiment
    draws = max(2, question.draws)  # an error needs two
    warnings = []
    if experiment.has_propensity:
        warnings.append(
            "Means by slice compare the arms as they are: chances of treatment that differ inside "
            "a slice are not put right here. RATE puts them right."
        )
    models = []
    for place, (name, ranking) in enumerate(rankings.items()):

        def step(part: float, place: int = place) -> None:
            context.progress((place + part) / len(rankings), "Resampling RATE")

        rates = rates_of(
            ranking, draws=draws, seed=seed, should_stop=context.should_stop, step=step
        )
        slices = slices_of(ranking, count)
        models.append(
            ModelSlices(
                model=name,
                slices=slices,
                balance=balance_of(ranking, slices),
                rates=_rate_figures(rates),
            )
        )
    return SlicesResult(
        count=count,
        draws=draws,
        is_binary=experiment.is_binary,
        models=tuple(models),
        warnings=tuple(warnings),
    )


def _rate_figures(rates: tuple[Rate, ...]) -> tuple[RateFigure, ...]:
    """As grf names them, and causalml's figure where it is the same but for a factor."""
    autoc, qini = rates
    grf = "grf, rank_average_treatment_effect"
    return (
        RateFigure(
            name="AUTOC",
            tool=grf,
            formula="mean over q of effect(best q) − effect(all)",
            rate=autoc,
        ),
        RateFigure(
            name="QINI",
            tool=grf,
            formula="mean over q of q (effect(best q) − effect(all))",
            rate=qini,
        ),
        RateFigure(
            name='rate_score, "qini"',
            tool="causalml",
            formula="QINI with weights that sum to 1: × 2",
            rate=_doubled(qini),
        ),
    )


def _doubled(rate: Rate) -> Rate:
    return replace(
        rate,
        value=2.0 * rate.value,
        standard_error=2.0 * rate.standard_error,
        low=2.0 * rate.low,
        high=2.0 * rate.high,
    )


def audit_rows(document: Document, question: RowOrder, context: AssemblyContext) -> RowOrderResult:
    """How far tools that read rows one by one could move with the order of the file."""
    made = prepared_uplift(document, context)
    models, rows = [], []
    for place, (name, ranking) in enumerate(made.rankings.items()):
        context.progress(place / len(made.rankings), f"Shuffling ties of {name}")
        audit = audit_row_order(ranking, seed=document.seed)
        models.append(RowOrderModel(model=name, ties=audit.ties))
        rows += [RowOrderRow(model=name, figure=figure) for figure in audit.ranges]
    return RowOrderResult(models=tuple(models), rows=tuple(rows))
