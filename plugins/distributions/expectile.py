"""Expectile loss: squared error with unequal prices for too much and too little."""

from __future__ import annotations

import payoff
from payoff.numeric import identity_response
from payoff.types import FloatArray, IntArray, StopFlag

# Each step is exact for the cases it finds on either side; sides settle long before.
MOST_STEPS = 100


@payoff.kernel(shape="elementwise")
def expectile_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill alpha (y - F)^2 where y > F, else (1 - alpha) (y - F)^2."""
    for i in range(start, stop):
        miss = outcome[i] - score[0, i]
        out[i] = (parameters[0] if miss > 0.0 else 1.0 - parameters[0]) * miss * miss


@payoff.kernel(shape="elementwise")
def expectile_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the miss times the price of its side, and that price."""
    for i in range(start, stop):
        miss = outcome[i] - score[0, i]
        price = parameters[0] if miss > 0.0 else 1.0 - parameters[0]
        gradient[0, i] = price * miss
        curvature[0, i] = price


@payoff.kernel(shape="whole")
def expectile_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted expectile of outcome less offset; 0 without weight."""
    out[0] = 0.0
    for _ in range(MOST_STEPS):
        pull = 0.0
        mass = 0.0
        for i in range(outcome.shape[0]):
            miss = outcome[i] - offset[0, i]
            price = weight[i] * (parameters[0] if miss > out[0] else 1.0 - parameters[0])
            pull += price * miss
            mass += price
        before = out[0]
        out[0] = pull / mass if mass > 0.0 else 0.0
        if out[0] == before or stop_flag[0] != 0:
            break


@payoff.kernel(shape="by_group")
def expectile_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the weighted expectile of the residuals of each leaf; 0 in a leaf without weight."""
    for leaf in range(first_group, last_group):
        value = 0.0
        for _ in range(MOST_STEPS):
            pull = 0.0
            mass = 0.0
            for k in range(offsets[leaf], offsets[leaf + 1]):
                i = rows[k]
                miss = outcome[i] - score[0, i]
                price = weight[i] * (parameters[0] if miss > value else 1.0 - parameters[0])
                pull += price * miss
                mass += price
            before = value
            value = pull / mass if mass > 0.0 else 0.0
            if value == before:
                break
        out[leaf] = value


EXPECTILE = payoff.LossDistribution(
    id="expectile",
    label="Expectile",
    asks="a number, too little and too much priced unequally",
    help="Squared error with unequal prices: too low counts alpha, too high 1 − alpha.",
    formula="mean of w (α (y − F)² if y > F, else (1 − α) (y − F)²)",
    reference="Newey & Powell 1987",
    target=payoff.TargetDomain.REAL,
    loss=expectile_loss,
    negative_gradient=expectile_gradient,
    initial_score=expectile_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=expectile_leaf_values,
    gradient_factor=0.5,
    parameters=(
        payoff.Parameter(
            name="alpha",
            words="price of too low against too high",
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            is_maximum_open=True,
            help="0.5 is the mean; 0.8 makes a miss below four times as dear as one above.",
        ),
    ),
)
