"""Whom to treat, when some would have come anyway: the matrix of page Uplift."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import amount


def treatment_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Both columns earn on the event; treating costs a contact, and the redemption of an event."""
    cells = np.zeros((n_levels, 2))
    cells[0] = parameters["value"]
    cells[:, 0] -= parameters["contact"]
    cells[0, 0] -= parameters["redemption"]
    return cells


TREATMENT = payoff.DecisionMatrix(
    id="payoff.treatment",
    label="Treat or not",
    help="Whom to treat, when those left alone may come too: act only where the effect pays.",
    formula="treat: value − contact − redemption if the customer comes, else −contact; "
    "leave alone: value if the customer comes, else 0",
    reference="Radcliffe 2007, incremental profit of a campaign",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Treat", "Leave alone"),
    consequences=treatment_cells,
    acting="Treat",
    do_nothing=None,
    level_words=("comes", "does not come"),
    case_word=("customer", "customers"),
    parameters=(
        amount("value", "one who comes brings", 12.0, "Margin before the cost of treating."),
        amount("contact", "a contact costs", 0.15, "Paid for every treated customer."),
        amount("redemption", "a redemption costs", 0.0, "Paid for each treated one who comes."),
    ),
    expected_failures=(
        (
            "Acting pays for some case",
            "A chance of coming does not say what treating changes: page Uplift reads the effect.",
        ),
    ),
)
