"""What early stopping looks at on the rows that judge: deviance, a metric, realised profit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.assembly.cases import cases_of_rows, prior_array
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.task import judging_columns, task_of_training
from core.assembly.models.training_plan import TrainingPlan, training_shares
from core.boosting.losses import responses
from core.decisions import ModelScores, decide_cases, total_cases
from core.document.model import OldPriorKind
from core.engine.context import JobContext
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest, assess
from payoff.errors import PayoffError
from payoff.parameters import parameter_array
from payoff.types import FloatArray
from payoff.vocabulary import Direction

CHECK_EVERY = 10
"""Trees between two looks at a figure that is costlier than the deviance."""


@dataclass(frozen=True, slots=True)
class TrainingWatch:
    """A figure of the link scores (K, m) of the judging rows; None = their deviance."""

    figure: Callable[[FloatArray], float] | None
    is_higher_better: bool
    every: int
    words: str


def watch_of(plan: TrainingPlan, context: JobContext) -> TrainingWatch:
    """What the settings watch.

    Raises
    ------
    PayoffError
        If there is no such figure, or what it needs is not there.
    """
    name = plan.settings.watch
    if name == "deviance" or len(plan.judging_rows) == 0:
        return TrainingWatch(None, False, 1, "deviance")
    if name == "profit":
        return TrainingWatch(_profit_figure(plan, context), True, CHECK_EVERY, "realised profit")
    spec = context.registry.metric(name)
    if spec.direction == Direction.NONE:
        raise PayoffError(f"'{spec.label}' is not better high or low: it cannot be watched.")
    figure = _metric_figure(plan, MetricRequest(spec=spec), context)
    return TrainingWatch(figure, spec.direction == Direction.HIGHER, CHECK_EVERY, spec.label)


def _predictions(plan: TrainingPlan, link: FloatArray) -> FloatArray:
    """Posteriors in the order of the target's levels, or predictions (1, m), of link scores."""
    values = parameter_array(plan.spec.parameters, plan.parameters)
    response = responses(plan.spec, values, np.ascontiguousarray(link))
    if not plan.classes:
        return response
    if len(response) == 1:  # the chance of the second of two classes
        response = np.vstack([1.0 - response[0], response[0]])
    return plan.in_order_of_levels(response)


def _profit_figure(plan: TrainingPlan, context: JobContext) -> Callable[[FloatArray], float]:
    document = plan.document
    target = document.target
    if target is None or not target.levels or document.matrix is None:
        raise PayoffError(
            "There is no profit to watch.",
            why="It needs an outcome with classes and a decision matrix.",
            remedy="Watch the deviance, or fill in the matrix on page Decide.",
        )
    cases = cases_of_rows(plan.table, plan.document, plan.judging_rows, "judging")
    problem = decision_problem(document, cases, matrix_of(document, context), plan.table, context)
    shares = training_shares(plan)

    def figure(link: FloatArray) -> float:
        scores = ModelScores(
            name=plan.settings.name,
            posteriors=_predictions(plan, link),
            old_kind=OldPriorKind.TRAINED_AT,
            old_priors=shares,
        )
        return problem.sense * total_cases(problem, decide_cases(problem, scores)).total

    return figure


def _metric_figure(
    plan: TrainingPlan, request: MetricRequest, context: JobContext
) -> Callable[[FloatArray], float]:
    document = plan.document
    target = document.target
    assert target is not None
    cases = cases_of_rows(plan.table, plan.document, plan.judging_rows, "judging")
    registry = context.registry
    extras = judging_columns(plan.table, plan.settings, cases.rows, cases.target)
    owner = registry.owner(request.spec).plugin if registry.is_third_party(request.spec) else ""

    def figure(link: FloatArray) -> float:
        values = _predictions(plan, link)
        judged = JudgedScores(name=plan.settings.name, posteriors=values)
        if not target.levels:
            judged = JudgedScores(name=plan.settings.name, prediction=values[0])
        problem = EvaluationProblem(
            kind=target.kind if target.levels else task_of_training(plan.settings).value,
            models=(judged,),
            metrics=(request,),
            rows=cases.note,
            levels=target.levels,
            outcome=cases.outcome,
            target=cases.target,
            frequency=cases.frequency,
            extras=extras,
            priors=prior_array(document, target) if target.levels else None,
            resamples=0,
        )
        with context.marked(owner, f"metric {request.spec.id}"):
            result = assess(problem, with_charts=False)
        return float(result.cells[0].estimate.value)

    return figure
