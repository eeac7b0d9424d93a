"""The hooks: one per family, each returning a list of frozen specs.

A plugin marks functions of these names with ``@payoff.hookimpl``::

    @payoff.hookimpl
    def payoff_register_metrics() -> list[payoff.EvaluationMetric]:
        return [my_metric]
"""

from __future__ import annotations

import pluggy

from payoff.readers import TableReader
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution
from payoff.systems import EvaluationSystem

PROJECT_NAME = "payoff"

hookspec = pluggy.HookspecMarker(PROJECT_NAME)
hookimpl = pluggy.HookimplMarker(PROJECT_NAME)


@hookspec
def payoff_register_distributions() -> list[LossDistribution]:
    """Return the loss distributions of this plugin."""


@hookspec
def payoff_register_metrics() -> list[EvaluationMetric]:
    """Return the evaluation metrics of this plugin."""


@hookspec
def payoff_register_decision_matrices() -> list[DecisionMatrix]:
    """Return the decision matrices of this plugin."""


@hookspec
def payoff_register_readers() -> list[TableReader]:
    """Return the readers of this plugin."""


@hookspec
def payoff_register_evaluation_systems() -> list[EvaluationSystem]:
    """Return the evaluation systems of this plugin."""


HOOKS = {
    "distributions": "payoff_register_distributions",
    "metrics": "payoff_register_metrics",
    "decision_matrices": "payoff_register_decision_matrices",
    "readers": "payoff_register_readers",
    "evaluation_systems": "payoff_register_evaluation_systems",
}
"""Family -> name of its hook."""
