"""Every check of the conformance kit by family, as the kit runs them."""

from __future__ import annotations

from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution
from payoff.testing.checks import KERNEL_CHECKS, Check
from payoff.testing.distribution_checks import DISTRIBUTION_CHECKS
from payoff.testing.distribution_edges import DISTRIBUTION_EDGES
from payoff.testing.distribution_promises import DISTRIBUTION_PROPERTIES
from payoff.testing.matrix_checks import MATRIX_CHECKS
from payoff.testing.matrix_edges import MATRIX_EDGES
from payoff.testing.metric_checks import METRIC_CHECKS
from payoff.testing.metric_edges import METRIC_EDGES
from payoff.testing.reader_checks import READER_CHECKS
from payoff.testing.system_checks import SYSTEM_CHECKS

SPEC_CHECK = "Spec is filled in"

ALL_DISTRIBUTION_CHECKS: tuple[Check[LossDistribution], ...] = (
    *DISTRIBUTION_CHECKS,
    *DISTRIBUTION_EDGES,
    *DISTRIBUTION_PROPERTIES,
)
ALL_METRIC_CHECKS: tuple[Check[EvaluationMetric], ...] = (*METRIC_CHECKS, *METRIC_EDGES)
ALL_MATRIX_CHECKS: tuple[Check[DecisionMatrix], ...] = (*MATRIX_CHECKS, *MATRIX_EDGES)

PLUGIN_CHECKS = (
    "Manifest is valid",
    "Id is free",
    "Contract version fits",
    "Imports",
    "Hooks answer as announced",
    "Names are not taken",
    "Leaves the program as it was",
)
"""What is checked of a plugin as a whole, in the order in which it is led through."""

FAMILY_CHECKS: dict[str, tuple[str, ...]] = {
    "plugin": (*PLUGIN_CHECKS, SPEC_CHECK),
    "distributions": tuple(check.name for check in ALL_DISTRIBUTION_CHECKS),
    "metrics": tuple(check.name for check in ALL_METRIC_CHECKS),
    "decision_matrices": tuple(check.name for check in ALL_MATRIX_CHECKS),
    "readers": tuple(check.name for check in READER_CHECKS),
    "evaluation_systems": tuple(check.name for check in SYSTEM_CHECKS),
}
"""Family -> names of its checks; "plugin" for those of any family.

``KERNEL_CHECKS`` are made of losses and metrics that have kernels, where all of these pass.
"""

__all__ = [
    "ALL_DISTRIBUTION_CHECKS",
    "ALL_MATRIX_CHECKS",
    "ALL_METRIC_CHECKS",
    "FAMILY_CHECKS",
    "KERNEL_CHECKS",
    "PLUGIN_CHECKS",
    "READER_CHECKS",
    "SPEC_CHECK",
    "SYSTEM_CHECKS",
]
