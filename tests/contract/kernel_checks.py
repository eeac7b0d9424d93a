"""Shared by tests of kernel checks."""

from __future__ import annotations

from payoff.testing.checks import KERNEL_CHECKS
from tests.helpers.factories.plugins import GENERAL, metric_source

COMPILES, AGREES, KEPT = KERNEL_CHECKS

_ROWS = """\
import time

{before}

@payoff.kernel(shape="elementwise")
def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    for i in range(start, stop):
        {share}
        contribution[0, i] = share * abs(outcome[i] - prediction[0, i])
        factor[0, i] = 1.0
"""

_HANDED_ON = """\
@payoff.kernel(shape="helper")
def miss(outcome, predicted):
    return abs(outcome - predicted)


@payoff.kernel(shape="helper")
def total(of_case, outcome, predicted, weight):
    gathered = 0.0
    for i in range(outcome.shape[0]):
        gathered += weight[i] * of_case(outcome[i], predicted[i])
    return gathered / weight.sum()


def compute(sample, parameters):
    return total(miss, sample.outcome, sample.posteriors[0], sample.weight)
"""


def row_metric(name: str, *, share: str, before: str = "", further: str = "") -> str:
    """A mean miss with a line of its own in the kernel."""
    return metric_source(name, _ROWS.format(before=before, share=share), further=further)


OVERFLOW = (
    "size = 1\n        for _ in range(70):\n            size *= 2\n        share = size / 2.0**70"
)

BROKEN = {
    COMPILES: row_metric("table", before="SHARES = {0: 1.0}", share="share = SHARES[0]"),
    AGREES: row_metric("overflow", share=OVERFLOW),
    KEPT: metric_source("handed_on", _HANDED_ON, form=GENERAL),
}
