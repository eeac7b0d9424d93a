"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.metrics.chances import ACCURACY, BRIER, LOG_LOSS
from plugins.metrics.lists import MAP, MRR, NDCG, ORDERED_PAIRS
from plugins.metrics.money import AVERAGE_PROFIT, TOTAL_PROFIT
from plugins.metrics.numbers import MAE, RMSE
from plugins.metrics.ranking import (
    AUC,
    AVERAGE_PRECISION,
    CAPTURED_AT,
    GINI,
    KS,
    LIFT_AT,
    MACRO_AUC,
)
from plugins.metrics.survival import CONCORDANCE


@payoff.hookimpl
def payoff_register_metrics() -> list[payoff.EvaluationMetric]:
    """Return the built-in metrics; deviances come with the distributions."""
    return [
        AUC,
        GINI,
        KS,
        AVERAGE_PRECISION,
        LIFT_AT,
        CAPTURED_AT,
        MACRO_AUC,
        LOG_LOSS,
        BRIER,
        ACCURACY,
        RMSE,
        MAE,
        CONCORDANCE,
        NDCG,
        MAP,
        MRR,
        ORDERED_PAIRS,
        TOTAL_PROFIT,
        AVERAGE_PROFIT,
    ]
