"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.decision_matrices.churn import CHURN
from plugins.decision_matrices.donation import DONATION
from plugins.decision_matrices.fraud import FRAUD_AMOUNT, FRAUD_REVIEW, FRAUD_STAKE
from plugins.decision_matrices.inverse_priors import INVERSE_PRIORS
from plugins.decision_matrices.maintenance import MAINTENANCE
from plugins.decision_matrices.medicine import TEST_AND_TREAT
from plugins.decision_matrices.plain import LOSS, PROFIT, REVENUE
from plugins.decision_matrices.treatment import TREATMENT
from plugins.decision_matrices.worded import CREDIT, CREDIT_LOANS, DIRECT_MAIL


@payoff.hookimpl
def payoff_register_decision_matrices() -> list[payoff.DecisionMatrix]:
    """Return the built-in decision matrices."""
    return [
        PROFIT,
        LOSS,
        REVENUE,
        DIRECT_MAIL,
        CREDIT,
        CREDIT_LOANS,
        FRAUD_REVIEW,
        FRAUD_STAKE,
        CHURN,
        TEST_AND_TREAT,
        MAINTENANCE,
        INVERSE_PRIORS,
        DONATION,
        FRAUD_AMOUNT,
        TREATMENT,
    ]
