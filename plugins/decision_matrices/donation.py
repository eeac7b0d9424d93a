"""Whom to ask for a gift, when the outcome is the amount given."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import amount, share

DONATION_KNOTS = (0.0, 100.0)


def donation_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """What is kept of a gift less the letter; a straight line through two knots, both ways on."""
    cells = np.zeros((len(DONATION_KNOTS), 2))
    cells[:, 0] = parameters["kept"] * np.array(DONATION_KNOTS) - parameters["letter_cost"]
    return cells


DONATION = payoff.DecisionMatrix(
    id="payoff.donation",
    label="Donations",
    help="Whom to ask for a gift, when the outcome is the amount given, 0 for none, and every "
    "letter costs the same.",
    formula="ask: share kept × amount given − letter; do nothing: 0",
    reference="KDD Cup 1998, gifts of lapsed donors (a letter costs 0.68)",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Ask", "Do nothing"),
    consequences=donation_cells,
    acting="Ask",
    do_nothing="Do nothing",
    case_word=("donor", "donors"),
    parameters=(
        amount("letter_cost", "a letter costs", 0.68, "Print, postage and all."),
        share("kept", "kept of a gift", 1.0, "What is left after fees and thanks."),
    ),
    is_interval=True,
    knots=DONATION_KNOTS,
)
