"""A matrix that names two decisions and gives three columns."""

from __future__ import annotations

import numpy as np

import payoff


def consequences(n_levels, parameters):
    return np.zeros((n_levels, 3))


@payoff.hookimpl
def payoff_register_decision_matrices():
    return [
        payoff.DecisionMatrix(
            id="bad_shape",
            label="Bad",
            help="A matrix that is wrong on purpose.",
            formula="none",
            kind=payoff.ConsequenceKind.PROFIT,
            decisions=("Act", "Do nothing"),
            consequences=consequences,
            acting="Act",
        )
    ]
