"""The smallest detectable difference: the power of every paired comparison."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from core.assembly.analysis import study_lock
from core.assembly.cases import cases_of
from core.assembly.compare.evaluating import (
    chosen_metrics,
    money_metrics,
    problem_of,
    requested_metric,
)
from core.assembly.compare.own_probabilities import with_own_probabilities
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.models.task import task_of
from core.assembly.running import metric_calls
from core.decisions.uncertainty.paired import total_difference
from core.document.compare.words import power_sentences
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document, MetricChoice, Role
from core.document.results import Estimate
from core.document.studies.compare import (
    MONEY,
    PairPower,
    PowerResult,
    money_figures,
)
from core.evaluation import EvaluationRequest, MetricRequest
from core.evaluation.binding import BoundMetric
from core.evaluation.compare import DifferenceError
from core.evaluation.naming import parse_metric, requested
from core.evaluation.power import pair_power
from core.inference.normal import error_of_interval
from core.questions.compare import CompareModels, DetectableDifference
from core.questions.needs import predicts_no_amount, require_target, require_two_models
from payoff.counting import counted
from payoff.errors import PayoffError, no_such

FEW_UNITS = 30

_Pair = tuple[str, str]
_Observed = tuple[Estimate, DifferenceError]


def weigh_pairs(
    document: Document, question: DetectableDifference, context: AssemblyContext
) -> PowerResult:
    """Return what these cases could show of every pair of models, in money and in metrics.

    Raises
    ------
    PayoffError
        For a level, power or difference that cannot be, a model or figure that is not there.
    """
    began = time.perf_counter()
    _check(question)
    document, lost = without_lost_models(document, context)
    require_two_models(document)
    pairs = _pairs(document, question.model)
    requests, left_out = _requests(document, question, context)
    evaluation, unsure = _evaluated(document, question, requests, context)
    known = {info.metric: info for info in evaluation.result.metrics}
    infos = [known.get(entry.key) or BoundMetric(entry).info() for entry in requests]
    metric = infos[0].metric
    money = _amounts(document, pairs, context) if not evaluation.cases.has_classes else {}
    cases = len(evaluation.cases)
    found = []
    for info in infos:
        requested = question.difference if info.metric == metric else None
        for pair in pairs:
            if info.metric in money:
                estimate, error = money[info.metric][pair]
                error = replace(error, units=cases)
            else:
                estimate = evaluation.compare(*pair, info.metric).estimate
                error = evaluation.error_of(*pair, info.metric)
            found.append(
                pair_power(
                    pair,
                    info.metric,
                    estimate,
                    error,
                    level=question.level,
                    target_power=question.power,
                    requested=requested,
                    cases=cases,
                )
            )
    return PowerResult(
        rows=evaluation.problem.rows,
        cases=cases,
        level=question.level,
        target_power=question.power,
        metric=metric,
        metrics=tuple(infos),
        pairs=tuple(found),
        verdict=tuple(
            power_sentences(
                entry,
                infos[0],
                cases=cases,
                power=question.power,
                currency=document.currency,
                case_words=document.case_word,
            )
            for entry in found
            if entry.metric == metric
        ),
        warnings=(*lost, *left_out, *unsure, *_warnings(document, question, found, bool(money))),
        seconds=time.perf_counter() - began,
    )


def _check(question: DetectableDifference) -> None:
    if not 0.0 < question.level <= 0.5:
        raise PayoffError(
            f"The level is {question.level:g}.", remedy="Give one above 0 and up to 0.5: 0.05."
        )
    if not 0.5 <= question.power < 1.0:
        raise PayoffError(
            f"The power is {question.power:g}.", remedy="Give one from 0.5 to below 1: 0.8."
        )
    requested = question.difference
    if requested is not None and (requested == 0.0 or not math.isfinite(requested)):
        raise PayoffError(
            f"The difference is {requested:g}.",
            why="No number of cases shows a difference of 0, or one without end.",
            remedy="Give the smallest difference that would matter.",
        )


def _pairs(document: Document, model: str | None) -> list[_Pair]:
    """Every pair of models, or those of one model, which then comes first."""
    names = [entry.name for entry in document.outcome_models]
    if model is None:
        return list(combinations(names, 2))
    if model not in names:
        raise no_such("model", model, names, listed="Known models")
    return [(model, name) for name in names if name != model]


def _requests(
    document: Document, question: DetectableDifference, context: AssemblyContext
) -> tuple[tuple[MetricRequest, ...], tuple[str, ...]]:
    """Money first, then the chosen metrics; or the one that is named, chosen or not."""
    target, registry = require_target(document), context.registry
    chosen, left_out = chosen_metrics(document, target, registry)
    money = money_metrics(document, registry) if not predicts_no_amount(document) else ()
    known = {request.spec.id for request in money}
    requests = (*money, *(entry for entry in chosen if entry.spec.id not in known))
    if not question.metric:
        if not requests:
            raise PayoffError("There is no figure to compare.", why=" ".join(left_out))
        return requests, left_out
    try:
        return (requested(requests, question.metric),), ()
    except PayoffError:
        name, given = parse_metric(question.metric)
        choice = MetricChoice(metric=name, parameters=given)
        requested_metric(registry, choice, task_of(document))  # names what is wrong with it
        alone = replace(document, metrics=(choice,))
        named, refused = chosen_metrics(alone, target, registry)
        if refused:
            raise PayoffError(" ".join(refused)) from None
        return named, ()


def _evaluated(
    document: Document,
    question: DetectableDifference,
    requests: tuple[MetricRequest, ...],
    context: AssemblyContext,
) -> tuple[EvaluationRequest, tuple[str, ...]]:
    """The metrics as page Compare has them, with their draws; money of a number is none of them."""
    used = cases_of(document, context)
    if used.outcome is None:
        requests = tuple(entry for entry in requests if entry.spec.id not in MONEY)
    plain = replace(document, charts=(), metrics=())
    requested = CompareModels(resamples=question.resamples)
    problem = problem_of(plain, requested, used, requests, context)
    table = table_of(document, context)
    problem, unsure = with_own_probabilities(problem, document, table, used.rows, context)
    evaluation = EvaluationRequest(
        problem,
        progress=lambda fraction, stage, _partial: context.progress(fraction, stage),
        should_stop=context.should_stop,
        calling=metric_calls(context),
        with_charts=False,
    )
    return evaluation, unsure


def _amounts(
    document: Document, pairs: Iterable[_Pair], context: AssemblyContext
) -> dict[str, dict[_Pair, _Observed]]:
    """Differences of totals and averages where the outcome is a number, as page Decide has them."""
    if document.matrix is None or predicts_no_amount(document):
        return {}
    figures = money_figures(document)
    sense = -1.0 if document.matrix.kind is MatrixKind.LOSS else 1.0
    money: dict[str, dict[_Pair, _Observed]] = {name: {} for name in figures}
    with study_lock(document, context) as state:
        models = {entry.scores.name: entry for entry in state.models}
        size = float(np.nansum(state.class_weight * state.rows.class_cases))
        for first, second in pairs:
            whole = total_difference(state, models[first], models[second]).estimate
            for name, divisor in zip(figures, (sense, sense * size), strict=True):
                low, high = sorted((whole.low / divisor, whole.high / divisor))
                estimate = replace(whole, value=whole.value / divisor, low=low, high=high)
                error = error_of_interval(low, high)
                method = f"{whole.method}, paired"
                money[name][first, second] = (
                    estimate,
                    DifferenceError(error=error, units=0, method=method),
                )
    return money


def _warnings(
    document: Document, question: DetectableDifference, pairs: list[PairPower], is_apart: bool
) -> Iterator[str]:
    """What to know before the figures are used; ``is_apart``: money does not know of clusters."""
    fewest = min((pair.units for pair in pairs if math.isfinite(pair.smallest)), default=FEW_UNITS)
    if fewest < FEW_UNITS:
        yield (
            f"Standard errors rest on {counted(fewest, 'unit')} only: what follows from "
            "them is rough."
        )
    if is_apart and document.column_of(Role.CLUSTER) is not None:
        yield "Amounts of money take every case by itself, whatever its cluster."
    if document.prior_range is not None and document.priors is not None:
        yield (
            "The priors are taken as they are: the range that was given for them widens the "
            "intervals of page Decide, and no number of cases narrows it."
        )
    if any(pair.metric == money_figures(document)[0] for pair in pairs):
        yield (
            "Differences of totals are those of as many cases as there are here; cases needed are "
            "counted at the same difference per case."
        )
    if question.difference is None:
        yield (
            "An observed difference is itself uncertain: to plan, give the smallest difference "
            "that would matter rather than the one that was seen."
        )
