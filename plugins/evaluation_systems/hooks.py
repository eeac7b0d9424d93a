"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.evaluation_systems.composed import COMPOSED, COMPOSED_ANCHOR
from plugins.evaluation_systems.linear import LINEAR_NOISE, LINEAR_THRESHOLD
from plugins.evaluation_systems.stocks import MIX_AMOUNTS, MIX_ROWS, TRADING


@payoff.hookimpl
def payoff_register_evaluation_systems() -> list[payoff.EvaluationSystem]:
    """Return the built-in evaluation systems."""
    return [
        LINEAR_THRESHOLD,
        LINEAR_NOISE,
        COMPOSED,
        COMPOSED_ANCHOR,
        MIX_ROWS,
        MIX_AMOUNTS,
        TRADING,
    ]
