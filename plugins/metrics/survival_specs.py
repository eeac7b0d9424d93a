"""What the metrics of survival models by time are: words, sources and variants."""

from __future__ import annotations

import payoff
from plugins.metrics.survival import survival_metric
from plugins.metrics.survival_times import (
    auc_at,
    brier_at,
    calibration_at,
    horizon,
    integrated_brier,
    own_times,
    partial_likelihood,
    uno,
    uno_remark,
)

_HIGHER, _LOWER = payoff.Direction.HIGHER, payoff.Direction.LOWER
_TIME = payoff.Parameter(
    name="time",
    words="time",
    default=0.0,
    minimum=0.0,
    help="0 = half of the longest time.",
)


def time_remark(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say at which time, and where the chances come from."""
    now = horizon(sample, parameters)
    own = now in own_times(sample)
    source = "the model's own chances" if own else "chances from a Cox model of the risk"
    return f"At time {now:g}, {source}."


def when_remark(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say at which time."""
    return f"At time {horizon(sample, parameters):g}."


UNO = survival_metric(
    id="uno_concordance",
    label="Uno's C",
    help="Concordance that does not depend on how cases were censored: pairs count the more the "
    "fewer cases are still uncensored. Events count while some are.",
    formula="Σ pairs in order ÷ G(t−)² ÷ Σ pairs ÷ G(t−)², G the chance to be uncensored",
    aliases=("uno_c",),
    reference="Uno et al. 2011; as R survival::concordance(timewt = 'n/G2')",
    direction=_HIGHER,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    parameters=(
        payoff.Parameter(
            name="until",
            aliases=("tau",),
            words="events before this time count",
            default=0.0,
            minimum=0.0,
            help="0 = all events before which some cases are uncensored.",
        ),
    ),
    compute=uno,
    remark=uno_remark,
)

PARTIAL_LIKELIHOOD = survival_metric(
    id="cox_log_likelihood",
    label="Cox log likelihood",
    title="Cox log likelihood, {ties}",
    help="Log partial likelihood of the risks as log hazards, nothing fitted. Compare models on "
    "the same rows only: it grows in size with the cases.",
    formula="Σ over events of risk − ln Σ over cases at risk of exp(risk), by stratum",
    aliases=("cox_partial_log_likelihood",),
    reference="Cox 1972; ties Breslow 1974, Efron 1977; as R survival::coxph's loglik",
    direction=_HIGHER,
    parameters=(
        payoff.Parameter(
            name="ties",
            words="events at one time",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("Breslow", "Efron"),
            help="R's coxph takes Efron, gbm Breslow.",
        ),
    ),
    decimals=2,
    compute=partial_likelihood,
    expected_failures=(
        ("Doubling all weights is as stated", "a log likelihood grows with the cases"),
    ),
)

BRIER_AT = survival_metric(
    id="survival_brier",
    label="Brier at t",
    help="Mean squared distance between the chance to survive to a time and what happened, "
    "censored cases made up for by weights.",
    formula="mean of S² ÷ G(tᵢ−) where the event came by t, (1 − S)² ÷ G(t) where it did not",
    aliases=(
        "brier_at",
        "brier_score_at",
    ),
    reference="Graf et al. 1999, with G just before the event",
    direction=_LOWER,
    value_range=(0.0, float("inf")),
    perfect_value=0.0,
    parameters=(_TIME,),
    decimals=4,
    compute=brier_at,
    remark=time_remark,
)

INTEGRATED_BRIER = survival_metric(
    id="integrated_brier",
    is_over_time=True,
    label="Integrated Brier",
    help="The Brier score averaged over time, up to the time named.",
    formula="trapezoid of Brier at t over t ÷ span; at the times of the model's own chances, else "
    "at 50 even times",
    aliases=("integrated_brier_score",),
    reference="Graf et al. 1999; as sksurv.metrics.integrated_brier_score at the same times",
    direction=_LOWER,
    value_range=(0.0, float("inf")),
    perfect_value=0.0,
    parameters=(_TIME,),
    decimals=4,
    compute=integrated_brier,
    remark=time_remark,
)

AUC_AT = survival_metric(
    id="survival_auc",
    label="AUC at t",
    help="Chance that a case whose event came by a time had a higher risk than one still free of "
    "it then; censored cases made up for by weights. The risk is the model's own chance of the "
    "event by then, where it is known.",
    formula="cases by t weigh 1 ÷ G(tᵢ−), controls all cases beyond t; ties half",
    aliases=(
        "auc_at",
        "time_dependent_auc",
    ),
    reference="Uno et al. 2007, cumulative/dynamic; as sksurv.metrics.cumulative_dynamic_auc",
    direction=_HIGHER,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    parameters=(_TIME,),
    compute=auc_at,
    remark=when_remark,
)

CALIBRATION_AT = survival_metric(
    id="survival_calibration",
    label="Calibration at t",
    help="Mean distance between the predicted and the observed chance of the event by a time, "
    "over tenths of predicted chance; above 0 by chance alone.",
    formula="mean over tenths of |mean predicted − (1 − Kaplan–Meier)|, by weight",
    aliases=("calibration_at",),
    reference="D'Agostino & Nam 2004; grouped calibration error",
    direction=_LOWER,
    value_range=(0.0, 1.0),
    perfect_value=0.0,
    parameters=(_TIME,),
    decimals=4,
    compute=calibration_at,
    remark=time_remark,
)

SURVIVAL_METRICS = (
    UNO,
    PARTIAL_LIKELIHOOD,
    BRIER_AT,
    INTEGRATED_BRIER,
    AUC_AT,
    CALIBRATION_AT,
)
