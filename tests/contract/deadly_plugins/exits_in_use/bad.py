"""A metric that passes every check on few cases and ends the process on more than 500."""

from __future__ import annotations

import os

import payoff


def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    if outcome.shape[0] > 500:
        os._exit(0)
    contribution[0, start:stop] = abs(outcome[start:stop] - prediction[0, start:stop])
    factor[0, start:stop] = 1.0


@payoff.hookimpl
def payoff_register_metrics():
    return [
        payoff.EvaluationMetric(
            id="exits_in_use",
            label="Bad",
            help="A metric that is wrong on purpose.",
            formula="none",
            reference="",
            direction=payoff.Direction.LOWER,
            inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
            tasks=(payoff.Task.REGRESSION,),
            form=payoff.MetricForm.ROW_MEAN,
            value_range=(0.0, float("inf")),
            perfect_value=0.0,
            rows=rows,
        )
    ]
