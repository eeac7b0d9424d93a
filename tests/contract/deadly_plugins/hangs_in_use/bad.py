"""A metric that passes every check on few cases and hangs on more than 500."""

from __future__ import annotations

import time

import payoff


def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    while outcome.shape[0] > 500:
        time.sleep(0.05)
    contribution[0, start:stop] = abs(outcome[start:stop] - prediction[0, start:stop])
    factor[0, start:stop] = 1.0


@payoff.hookimpl
def payoff_register_metrics():
    return [
        payoff.EvaluationMetric(
            id="hangs_in_use",
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
