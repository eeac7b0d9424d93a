"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.curves.ranked import RANKED_CURVES


@payoff.hookimpl
def payoff_register_metrics() -> list[payoff.EvaluationMetric]:
    """Return the built-in curves."""
    return [*RANKED_CURVES]
