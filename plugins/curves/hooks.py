"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.curves.cut_offs import CUT_OFF_CURVES
from plugins.curves.lists import LIST_CURVES
from plugins.curves.numbers import NUMBER_CURVES
from plugins.curves.probabilities import PROBABILITY_CURVES
from plugins.curves.ranked import RANKED_CURVES
from plugins.curves.survival import SURVIVAL_CURVES


@payoff.hookimpl
def payoff_register_metrics() -> list[payoff.EvaluationMetric]:
    """Return the built-in curves."""
    return [
        *RANKED_CURVES,
        *PROBABILITY_CURVES,
        *CUT_OFF_CURVES,
        *NUMBER_CURVES,
        *LIST_CURVES,
        *SURVIVAL_CURVES,
    ]
