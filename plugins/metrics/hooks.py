"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.metrics.areas import H_MEASURE, HAND_TILL, partial_auc
from plugins.metrics.calibration_specs import CALIBRATION_METRICS
from plugins.metrics.lists import MAP, MRR, NDCG, ORDERED_PAIRS
from plugins.metrics.lists_at import EXPECTED_RANK, PRECISION_AT, RECALL_AT
from plugins.metrics.money import AVERAGE_LOSS, AVERAGE_PROFIT, TOTAL_LOSS, TOTAL_PROFIT
from plugins.metrics.number_fits import NUMBER_METRICS
from plugins.metrics.numbers import mae, rmse
from plugins.metrics.probabilities import ACCURACY, BRIER, LOG_LOSS
from plugins.metrics.quantile_sets import QUANTILE_METRICS
from plugins.metrics.ranking import (
    auc,
    average_precision,
    captured_at,
    gini,
    ks,
    lift_at,
    macro_auc,
    weighted_auc,
)
from plugins.metrics.survival import CONCORDANCE
from plugins.metrics.survival_specs import SURVIVAL_METRICS
from plugins.metrics.tables import BALANCED_ACCURACY, KAPPA, MCC
from plugins.metrics.thresholds import (
    f_beta,
    net_benefit,
    precision,
    recall,
    specificity,
    youden,
)
from plugins.metrics.uplift_rows import ALL_UPLIFT_METRICS


@payoff.hookimpl
def payoff_register_metrics() -> list[payoff.EvaluationMetric]:
    """Return the built-in metrics; deviances come with the distributions."""
    return [
        auc,
        gini,
        ks,
        average_precision,
        lift_at,
        captured_at,
        macro_auc,
        ACCURACY,
        LOG_LOSS,
        BRIER,
        rmse,
        mae,
        CONCORDANCE,
        NDCG,
        MAP,
        MRR,
        ORDERED_PAIRS,
        TOTAL_PROFIT,
        AVERAGE_PROFIT,
        TOTAL_LOSS,
        AVERAGE_LOSS,
        partial_auc,
        H_MEASURE,
        weighted_auc,
        HAND_TILL,
        BALANCED_ACCURACY,
        precision,
        recall,
        specificity,
        f_beta,
        youden,
        MCC,
        KAPPA,
        net_benefit,
        *CALIBRATION_METRICS,
        *NUMBER_METRICS,
        *QUANTILE_METRICS,
        PRECISION_AT,
        RECALL_AT,
        EXPECTED_RANK,
        *SURVIVAL_METRICS,
        *ALL_UPLIFT_METRICS,
    ]
