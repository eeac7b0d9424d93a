"""A bank's own figure: what it costs to set aside money by a model's chances of default.

For each loan the bank sets aside chance × loss given default × exposure. Where the loan defaults,
what is missing has to be found at once; where it does not, the money lay idle for a year.
"""

import payoff


@payoff.kernel(shape="elementwise")
def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    """What each loan costs beyond a model that knows; the default is code 0."""
    for i in range(start, stop):
        at_stake = parameters[0] * parameters[1]
        if outcome[i] == 0:
            contribution[0, i] = at_stake * (1.0 - prediction[0, i])
        else:
            contribution[0, i] = at_stake * prediction[0, i] * parameters[2]
        factor[0, i] = 1.0


CREDIT_LOSS = payoff.EvaluationMetric(
    id="expected_credit_loss",
    label="Expected credit loss",
    title="Credit loss per loan",
    help="What is missing where a loan defaults, and idle money where it does not, per loan.",
    formula="mean of exposure × LGD × (1 − chance) for defaults, × chance × rate for the others",
    reference="",
    direction=payoff.Direction.LOWER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    tasks=(payoff.Task.BINARY,),
    form=payoff.MetricForm.ROW_MEAN,
    value_range=(0.0, float("inf")),
    perfect_value=0.0,
    number_unit=payoff.NumberUnit.MONEY,
    decimals=2,
    prior_weighted=True,
    rows=rows,
    parameters=(
        payoff.Parameter(
            name="exposure",
            words="a loan amounts to",
            default=10_000.0,
            minimum=0.0,
            unit=payoff.NumberUnit.MONEY,
        ),
        payoff.Parameter(
            name="loss_given_default",
            words="lost of it after a default",
            default=0.45,
            minimum=0.0,
            maximum=1.0,
            unit=payoff.NumberUnit.PERCENT,
        ),
        payoff.Parameter(
            name="rate",
            words="idle money costs a year",
            default=0.08,
            minimum=0.0,
            maximum=1.0,
            unit=payoff.NumberUnit.PERCENT,
        ),
    ),
)


@payoff.hookimpl
def payoff_register_metrics():
    """Tell Payoff of the metric."""
    return [CREDIT_LOSS]
