"""Which transactions to review: at an average loss, or with the amount of each at stake."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import amount, share

AMOUNT_KNOTS = (0.0, 1000.0)
_REFERENCE = "Bahnsen, Aouada & Ottersten 2015, Example-dependent cost-sensitive decision trees"


def review_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """A reviewed fraud saves the loss; a reviewed honest customer is disturbed."""
    cells = np.zeros((n_levels, 2))
    cells[0, 0] = parameters["loss_saved"]
    cells[1:, 0] = -parameters["disturbance"]
    return cells


def review_costs(
    n_cases: int, parameters: payoff.Parameters, columns: Mapping[str, FloatArray]
) -> FloatArray:
    """A review costs what the case's column says, else the usual amount; passing costs nothing."""
    usual = np.full(n_cases, parameters["review_cost"])
    return np.vstack([columns.get("review_cost", usual), np.zeros(n_cases)])


def amount_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """A review brings back its share of the amount lost and costs the same for every case."""
    cells = np.zeros((len(AMOUNT_KNOTS), 2))
    cells[:, 0] = parameters["recovered"] * np.array(AMOUNT_KNOTS) - parameters["review_cost"]
    return cells


def stake_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """A review costs its work whatever the transaction turns out to be."""
    cells = np.zeros((n_levels, 2))
    cells[:, 0] = -parameters["review_cost"]
    return cells


def stake_shares(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """A reviewed fraud brings back its share of the transaction."""
    shares = np.zeros((n_levels, 2))
    shares[0, 0] = parameters["recovered"]
    return shares


FRAUD_REVIEW = payoff.DecisionMatrix(
    id="payoff.fraud_review",
    label="Fraud review",
    help="Which transactions to look at, when a review costs work and a fraud let through costs "
    "much more; the cost of each review may stand in a column.",
    formula="review: loss saved if it is a fraud, −disturbance if not, less the cost of this "
    "review; pass: 0",
    reference=_REFERENCE,
    kind=payoff.ConsequenceKind.REVENUE,
    decisions=("Review", "Pass"),
    consequences=review_cells,
    costs=review_costs,
    acting="Review",
    do_nothing="Pass",
    level_words=("fraud", "honest"),
    case_word=("transaction", "transactions"),
    parameters=(
        amount("loss_saved", "a fraud found saves", 120.0, "Average loss that a review prevents."),
        amount("disturbance", "disturbing an honest customer costs", 1.0, "Calls, lost goodwill."),
        amount("review_cost", "a review costs", 4.0, "Where no column gives the case's own cost."),
    ),
    columns=(
        payoff.DataColumn(
            name="review_cost",
            words="cost of reviewing this case",
            help="Takes the place of 'a review costs'.",
        ),
    ),
)

FRAUD_AMOUNT = payoff.DecisionMatrix(
    id="payoff.fraud_amount",
    label="Fraud losses",
    help="Which transactions to look at, when each has its own amount at stake: the outcome is the "
    "amount lost to fraud, 0 if it was honest, the prediction is chance × amount.",
    formula="review: share recovered × amount lost − cost of a review; pass: 0",
    reference=_REFERENCE,
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Review", "Pass"),
    consequences=amount_cells,
    acting="Review",
    do_nothing="Pass",
    case_word=("transaction", "transactions"),
    parameters=(
        share("recovered", "a review brings back", 1.0, "Share of the amount lost that is saved."),
        amount("review_cost", "a review costs", 4.0, "Work on one transaction."),
    ),
    is_interval=True,
    knots=AMOUNT_KNOTS,
)

FRAUD_STAKE = payoff.DecisionMatrix(
    id="payoff.fraud_stake",
    label="Fraud, amounts at stake",
    help="Which transactions to look at, when each has its own amount at stake: a small chance of "
    "losing much is worth a review, a high one of losing little is not.",
    formula="review: share recovered × amount − cost of a review if it is a fraud, else −cost of a "
    "review; pass: 0",
    reference=_REFERENCE,
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Review", "Pass"),
    consequences=stake_cells,
    shares=stake_shares,
    amount=payoff.DataColumn(
        name="amount", words="amount", help="What a fraud would take.", is_required=True
    ),
    acting="Review",
    do_nothing="Pass",
    level_words=("fraud", "honest"),
    case_word=("transaction", "transactions"),
    parameters=(
        share("recovered", "a review brings back", 1.0, "Share of the amount that is saved."),
        amount("review_cost", "a review costs", 4.0, "Work on one transaction."),
    ),
)
