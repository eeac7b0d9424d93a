"""Small made-up runs that compile the kernels, or load them from the cache, before they are needed.

Kernels are compiled per argument types, not sizes: a few hundred cases reach all that a project of
millions will call.
"""

from __future__ import annotations

import numpy as np

from core import boosting, data
from core.decisions import (
    DecisionProblem,
    DecisionWorkspace,
    ModelScores,
    analyse,
    decide_cases,
    read_cursor,
)
from core.document.model import ChartMode, OldPriorKind
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, MetricRequest, evaluate
from core.evaluation import ModelScores as EvaluatedScores
from core.extensions import Registry
from payoff.types import CodeArray, FloatArray

ROWS = 300
_LEVELS = ("yes", "no")


def _cases() -> tuple[CodeArray, FloatArray]:
    """Made-up outcomes (n,) and chances (2, n)."""
    chance = (np.arange(ROWS) + 0.5) / ROWS
    outcome = np.where((np.arange(ROWS) * 7) % 10 < 10 * chance, 0, 1).astype(np.int32)
    return outcome, np.ascontiguousarray(np.vstack([chance, 1.0 - chance]))


def warm_data() -> None:
    """The table's own imports."""
    data.from_data({"score": np.arange(4.0)})


def warm_decisions() -> None:
    """The analysis of a plain matrix, corrected to priors, and the cursor."""
    _analyse({})


def warm_costs() -> None:
    """The same where a cost differs from case to case, and the results per case."""
    _analyse({0: np.linspace(0.5, 1.5, ROWS)})


def _analyse(cost_columns: dict[int, FloatArray]) -> None:
    outcome, posteriors = _cases()
    problem = DecisionProblem(
        levels=_LEVELS,
        decisions=("Act", "Wait"),
        cells=np.array([[8.0, 0.0], [-2.0, 0.0]]),
        outcome=outcome,
        priors=np.array([0.2, 0.8]),
        cost_columns=cost_columns,
        do_nothing="Wait",
    )
    models = (
        ModelScores(
            name="corrected",
            posteriors=posteriors,
            old_kind=OldPriorKind.TRAINED_AT,
            old_priors=np.array([0.5, 0.5]),
        ),
        ModelScores(name="plain", posteriors=posteriors, old_kind=OldPriorKind.CORRECTED),
    )
    workspace = DecisionWorkspace()
    for mode in ChartMode:
        analyse(problem, models, workspace=workspace, chart_mode=mode)
        read_cursor(workspace, 0.3)
    decide_cases(problem, models[0], with_posteriors=True)


def warm_evaluation(registry: Registry) -> None:
    """The metric table with resamples."""
    outcome, posteriors = _cases()
    served = {spec.id: spec for spec in registry.metrics()}
    names = ("auc", "ks", "average_precision", "log_loss", "brier", "accuracy")
    evaluate(
        EvaluationProblem(
            kind="binary",
            models=(
                EvaluatedScores(name="first", posteriors=posteriors),
                EvaluatedScores(name="second", posteriors=posteriors[:, ::-1].copy()),
            ),
            metrics=tuple(MetricRequest(spec=served[name]) for name in names if name in served),
            rows=RowsNote(use="all", text="", rows=ROWS),
            levels=_LEVELS,
            outcome=outcome,
            resamples=20,
        )
    )


def warm_boosting(registry: Registry, precision: boosting.Precision) -> None:
    """A yes or no trained on a number with gaps and on levels, judged and scored."""
    outcome, posteriors = _cases()
    number = posteriors[0].copy()
    number[::7] = np.nan
    columns = (
        boosting.InputColumn(name="number"),
        boosting.InputColumn(name="level", levels=("a", "b", "c")),
    )
    inputs = boosting.Inputs(columns, (number, np.arange(ROWS) % 3.0))
    cases = boosting.Cases(
        inputs=inputs, outcome=1.0 - outcome, n_train=ROWS - 100, n_classes=len(_LEVELS)
    )
    settings = boosting.BoostSettings(n_trees=2, interaction_depth=3, precision=precision)
    loss = registry.distribution("bernoulli")
    model = boosting.fit(cases, loss, {}, settings, classes=_LEVELS)
    model.response(inputs)
