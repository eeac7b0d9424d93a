"""My plugin: the share of cases that are called rightly when a cut-off calls the event."""

import payoff


@payoff.kernel(shape="elementwise")
def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    """What each case adds: 1 where call and outcome agree. The event is code 0."""
    for i in range(start, stop):
        is_called = prediction[0, i] >= parameters[0]
        is_event = outcome[i] == 0
        contribution[0, i] = 1.0 if is_called == is_event else 0.0
        factor[0, i] = 1.0


METRIC = payoff.EvaluationMetric(
    id="my_plugin",
    label="My plugin",
    title="My plugin, cut-off {cut_off}",
    help="Share of cases that are called rightly at the cut-off.",
    formula="mean of 1[(chance ≥ cut-off) = event]",
    reference="",
    direction=payoff.Direction.HIGHER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    tasks=(payoff.Task.BINARY,),
    form=payoff.MetricForm.ROW_MEAN,
    value_range=(0.0, 1.0),
    perfect_value=1.0,
    rows=rows,
    parameters=(
        payoff.Parameter(
            name="cut_off",
            words="the event is called from a chance of",
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            unit=payoff.NumberUnit.PERCENT,
        ),
    ),
)


@payoff.hookimpl
def payoff_register_metrics():
    """Tell Payoff of the metric."""
    return [METRIC]
