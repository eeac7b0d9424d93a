"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.metrics.areas import H_MEASURE, HAND_TILL, PARTIAL_AUC, WEIGHTED_AUC
from plugins.metrics.calibration_specs import CALIBRATION_METRICS
from plugins.metrics.chances import ACCURACY, BRIER, LOG_LOSS
from plugins.metrics.lists import MAP, MRR, NDCG, ORDERED_PAIRS
from plugins.metrics.lists_at import EXPECTED_RANK, PRECISION_AT, RECALL_AT
from plugins.metrics.money import AVERAGE_LOSS, AVERAGE_PROFIT, TOTAL_LOSS, TOTAL_PROFIT
from plugins.metrics.number_fits import NUMBER_METRICS
from plugins.metrics.numbers import MAE, RMSE
from plugins.metrics.quantile_sets import QUANTILE_METRICS
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
from plugins.metrics.survival_specs import SURVIVAL_METRICS
from plugins.metrics.tables import BALANCED_ACCURACY, KAPPA, MCC
from plugins.metrics.thresholds import (
    F_BETA,
    NET_BENEFIT,
    PRECISION,
    RECALL,
    SPECIFICITY,
    YOUDEN,
)
from plugins.metrics.uplift_rows import ALL_UPLIFT_METRICS


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
        TOTAL_LOSS,
        AVERAGE_LOSS,
        PARTIAL_AUC,
        H_MEASURE,
        WEIGHTED_AUC,
        HAND_TILL,
        BALANCED_ACCURACY,
        PRECISION,
        RECALL,
        SPECIFICITY,
        F_BETA,
        YOUDEN,
        MCC,
        KAPPA,
        NET_BENEFIT,
        *CALIBRATION_METRICS,
        *NUMBER_METRICS,
        *QUANTILE_METRICS,
        PRECISION_AT,
        RECALL_AT,
        EXPECTED_RANK,
        *SURVIVAL_METRICS,
        *ALL_UPLIFT_METRICS,
    ]
