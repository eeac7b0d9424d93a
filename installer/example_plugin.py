# /// payoff
# id = "org.example.share-above"
# name = "Share above a limit"
# version = "1.0"
# api = ">=1,<2"
# families = ["metrics"]
# licence = "MIT"
# author = "The Payoff developers"
# description = "Share of the cases whose chance is above a limit."
# ///
"""A plugin for trials of an installed program: a metric with a compiled kernel and a constant."""

import payoff

LIMIT = 0.05


@payoff.kernel(shape="elementwise")
def above_rows(outcome, prediction, parameters, contribution, factor, start, stop):
    """1 for a case whose chance is above the limit, else 0."""
    for i in range(start, stop):
        contribution[0, i] = 1.0 if prediction[0, i] > LIMIT else 0.0
        factor[0, i] = 1.0


SHARE = payoff.EvaluationMetric(
    id="share_above",
    label="Share above a limit",
    help="Share of the cases whose chance is above a limit.",
    formula="mean of [p > limit]",
    reference="",
    direction=payoff.Direction.NONE,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
    tasks=(payoff.Task.BINARY,),
    form=payoff.MetricForm.ROW_MEAN,
    value_range=(0.0, 1.0),
    rows=above_rows,
)


@payoff.hookimpl
def payoff_register_metrics() -> list[payoff.EvaluationMetric]:
    """The one metric."""
    return [SHARE]
