"""Chances at a time of the survival models trained here, for the metrics of page Compare.

A metric of survival with a parameter "time" is given each such model's own chances to last beyond
that time in the role "survival <time>"; for a mean over time, those at a grid of times. For the
curve of AUC by time a model with strata gives them at the curve's times: the risks of two strata
stand on different baselines. Without strata the order of the risks is that of the chances.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.context import AssemblyContext
from core.data import LoadedTable
from core.document.model import Document
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest
from core.evaluation.problem import wanted_curves
from payoff.errors import PayoffError
from payoff.follow_up import ROLE, Followed, times_of_events
from payoff.parameters import resolve_parameters
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Task

TIME = "time"
GRID = 50
FEWER = 20
"""Times of the grid, and with many rows: each costs a number per row and model."""
TIMES = 60
"""Times at which the curve of AUC by time is read."""
MANY_ROWS = 200_000


def with_own_probabilities(
    problem: EvaluationProblem,
    document: Document,
    table: LoadedTable,
    rows: IntArray,
    context: AssemblyContext,
) -> tuple[EvaluationProblem, tuple[str, ...]]:
    """The problem with models' own chances at the times its metrics ask for, and warnings.

    A model that does not know its chances at a time in every row is judged by a Cox model of its
    risk there, as imported scores are; the warning says so.
    """
    requested, drawn = _times_requested(problem), _times_drawn(problem)
    if not len(requested) and not len(drawn):
        return problem, ()
    from core.assembly.compare.survival import has_probabilities, survival_of

    found: list[JudgedScores] = []
    described: list[str] = []
    for scores in problem.models:
        trained = document.trained_model(scores.name)
        has_strata = trained is not None and trained.strata is not None
        times = np.union1d(requested, drawn) if has_strata else requested
        if trained is None or not len(times) or not has_probabilities(trained, context):
            found.append(scores)
            continue
        try:
            probabilities = survival_of(table, document, trained, rows, times, context)
        except PayoffError as refusal:
            described.append(f"{_judged_by_risk(scores.name)}: {refusal.what}")
            found.append(scores)
            continue
        known = np.isfinite(probabilities).all(axis=0)
        if not known.all():
            first = float(times[np.argmin(known)])
            described.append(
                f"{_judged_by_risk(scores.name)} from time {first:g} on: its training rows were "
                "not followed so long."
            )
        own = {_role(times[place]): probabilities[:, place] for place in np.flatnonzero(known)}
        found.append(replace(scores, extras={**own, **scores.extras}))
    return replace(problem, models=tuple(found)), tuple(described)


def _judged_by_risk(name: str) -> str:
    return f"Chances of {name} over time are taken from a Cox model of its risk"


def _role(time: float) -> str:
    return f"{ROLE}{float(time)!r}"


def _times_requested(problem: EvaluationProblem) -> FloatArray:
    """The times at which the metrics of the table read chances, rising."""
    if "time" not in problem.extras:
        return np.empty(0)
    half = 0.5 * float(np.max(problem.extras["time"]))
    found: set[float] = set()
    for request in problem.metrics:
        time = _time_of(request)
        if time is None:
            continue
        end = time if time > 0.0 else half
        number = FEWER if problem.size > MANY_ROWS else GRID
        is_mean = request.spec.is_over_time
        found.update(np.linspace(end / number, end, number) if is_mean else [end])
    return np.array(sorted(found))


def _times_drawn(problem: EvaluationProblem) -> FloatArray:
    """The times at which the curve of AUC by time is read, fewer with many rows."""
    if not any(request.spec.is_over_time for request in wanted_curves(problem)):
        return np.empty(0)
    followed = Followed(
        time=problem.extras["time"].astype(np.float64),
        event=problem.extras["event"] == 1,
        entry=np.zeros(problem.size),
        weight=np.ones(problem.size) if problem.frequency is None else problem.frequency,
    )
    if not followed.event.any():
        return np.empty(0)
    return times_of_events(followed, FEWER if problem.size > MANY_ROWS else TIMES)


def _time_of(request: MetricRequest) -> float | None:
    """The time a metric of survival was asked for, 0 for its default; None of any other metric."""
    spec = request.spec
    if Task.SURVIVAL not in spec.tasks or TIME not in {item.name for item in spec.parameters}:
        return None
    return float(resolve_parameters(spec.parameters, request.numbers)[TIME])
