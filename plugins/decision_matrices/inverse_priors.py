"""A rare class weighs as much as a common one: the diagonal of inverse priors."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray


def inverse_prior_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Being right is worth 1 ÷ the share of the class, being wrong nothing."""
    share = parameters["event_share"]
    return np.diag([1.0 / share, 1.0 / (1.0 - share)])


INVERSE_PRIORS = payoff.DecisionMatrix(
    id="payoff.inverse_priors",
    label="Inverse prior",
    help="A start when nothing is known of money: a rare class counts as much as the common one, "
    "so the event is said wherever its chance is above its share.",
    formula="1 ÷ share of the class where the decision is right, 0 where it is wrong",
    reference="SAS Enterprise Miner, Default with Inverse Prior Weights (SAS note 47965)",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Take as event", "Take as other"),
    consequences=inverse_prior_cells,
    acting="Take as event",
    parameters=(
        payoff.Parameter(
            name="event_share",
            words="share of the event",
            default=0.05,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            is_maximum_open=True,
            unit=payoff.NumberUnit.PERCENT,
            help="Share of the event in real life.",
        ),
    ),
    n_levels=2,
    is_linear=False,
)
