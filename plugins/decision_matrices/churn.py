"""Whom to make an offer to stay, when not everyone who would leave accepts it."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import amount


def churn_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """The mean over what is known of acceptance: Beta(accepted, refused), as cells are linear.

    A customer who stays anyway takes the offer, and it is spent for nothing.
    """
    accepted, refused = parameters["accepted"], parameters["refused"]
    acceptance = accepted / (accepted + refused)
    offer, contact = parameters["offer"], parameters["contact"]
    cells = np.zeros((n_levels, 2))
    cells[0, 0] = acceptance * (parameters["customer_value"] - offer) - contact
    cells[1:, 0] = -offer - contact
    return cells


def _count(name: str, words: str, default: float, help_text: str) -> payoff.Parameter:
    return payoff.Parameter(
        name=name, words=words, default=default, minimum=0.0, is_minimum_open=True, help=help_text
    )


CHURN = payoff.DecisionMatrix(
    id="payoff.churn",
    label="Churn",
    help="Whom to make an offer to stay: it keeps only some of those who would leave, and those "
    "who would stay anyway take it too.",
    formula="offer: γ (value − offer) − contact if the customer would leave, −offer − contact if "
    "not; γ = accepted ÷ (accepted + refused); do nothing: 0",
    reference="Verbraken, Verbeke & Baesens 2013, A novel profit maximizing metric for measuring "
    "classification performance of customer churn prediction models",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Offer", "Do nothing"),
    consequences=churn_cells,
    acting="Offer",
    do_nothing="Do nothing",
    level_words=("leaves", "stays"),
    case_word=("customer", "customers"),
    parameters=(
        amount("customer_value", "a customer kept is worth", 200.0, "Value over the time to come."),
        amount("offer", "an offer taken costs", 10.0, "The rebate or present itself."),
        amount("contact", "a contact costs", 1.0, "The call or letter, taken or not."),
        _count(
            "accepted", "leavers who accepted such offers", 6.0, "Count, or as good as counted."
        ),
        _count("refused", "leavers who refused them", 14.0, "Count, or as good as counted."),
    ),
    is_linear=False,
)
