"""Metrics of money: what the decisions brought under the project's matrix."""

from __future__ import annotations

from dataclasses import replace

import payoff
from payoff.types import AnyArray, FloatArray


@payoff.kernel(shape="elementwise")
def consequence_rows(
    outcome: AnyArray,
    prediction: FloatArray,
    parameters: FloatArray,
    consequences: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill what each case brought; cases whose cost is missing do not count."""
    for i in range(start, stop):
        if consequences[i] == consequences[i]:
            contribution[0, i] = consequences[i]
            factor[0, i] = 1.0
        else:
            contribution[0, i] = 0.0
            factor[0, i] = 0.0


@payoff.kernel(shape="elementwise")
def loss_rows(
    outcome: AnyArray,
    prediction: FloatArray,
    parameters: FloatArray,
    consequences: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill what each case lost; cases whose cost is missing do not count."""
    for i in range(start, stop):
        if consequences[i] == consequences[i]:
            contribution[0, i] = 0.0 - consequences[i]
            factor[0, i] = 1.0
        else:
            contribution[0, i] = 0.0
            factor[0, i] = 0.0


_INPUTS = (payoff.Input.OUTCOME, payoff.Input.CONSEQUENCES)
_TASKS = (payoff.Task.BINARY, payoff.Task.MULTICLASS, payoff.Task.REGRESSION)

TOTAL_PROFIT = payoff.EvaluationMetric(
    id="total_profit",
    label="Total profit",
    help="What all cases together brought when each got its decision under the matrix.",
    formula="mean of C × weight of all cases, C the realised consequence of a case's decision",
    reference="SAS Enterprise Miner, total profit",
    direction=payoff.Direction.HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=payoff.MetricForm.ROW_MEAN,
    aggregate=payoff.Aggregate.TOTAL,
    decimals=0,
    number_unit=payoff.NumberUnit.MONEY,
    rows=consequence_rows,
)

AVERAGE_PROFIT = payoff.EvaluationMetric(
    id="average_profit",
    label="Average profit",
    help="What a case brought on average when each got its decision under the matrix.",
    formula="mean of C, the realised consequence of a case's decision",
    reference="SAS Enterprise Miner, average profit",
    direction=payoff.Direction.HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=payoff.MetricForm.ROW_MEAN,
    decimals=4,
    number_unit=payoff.NumberUnit.MONEY,
    rows=consequence_rows,
)

TOTAL_LOSS = replace(
    TOTAL_PROFIT,
    id="total_loss",
    label="Total loss",
    help="What all cases together lost when each got its decision under the matrix.",
    formula="mean of −C × weight of all cases, C the realised consequence of a case's decision",
    reference="SAS Enterprise Miner, total loss",
    direction=payoff.Direction.LOWER,
    rows=loss_rows,
)

AVERAGE_LOSS = replace(
    AVERAGE_PROFIT,
    id="average_loss",
    label="Average loss",
    help="What a case lost on average when each got its decision under the matrix.",
    formula="mean of −C, the realised consequence of a case's decision",
    reference="SAS Enterprise Miner, average loss",
    direction=payoff.Direction.LOWER,
    rows=loss_rows,
)
