"""A metric whose kernel raises: caught by the conformance check."""

from __future__ import annotations

import payoff


def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    raise RuntimeError("this metric always fails")


@payoff.hookimpl
def payoff_register_metrics():
    return [
        payoff.EvaluationMetric(
            id="bad_raises",
            label="Bad",
            help="A metric that is wrong on purpose.",
            formula="none",
            reference="",
            direction=payoff.Direction.LOWER,
            inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
            tasks=(payoff.Task.REGRESSION,),
            form=payoff.MetricForm.ROW_MEAN,
            rows=rows,
        )
    ]
