"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.decision_matrices.plain import LOSS, PROFIT, REVENUE
from plugins.decision_matrices.worded import CREDIT, DIRECT_MAIL


@payoff.hookimpl
def payoff_register_decision_matrices() -> list[payoff.DecisionMatrix]:
    """Return the built-in decision matrices."""
    return [PROFIT, LOSS, REVENUE, DIRECT_MAIL, CREDIT]
