"""What the metrics of calibration are: their words, sources and variants."""

from __future__ import annotations

import math
from functools import partial

import payoff
from plugins.metrics.calibration import (
    calibration_error,
    groups_used,
    hosmer_lemeshow,
    hosmer_lemeshow_p,
    reliability,
    resolution,
    skill,
    uncertainty_means,
)
from plugins.metrics.calibration_fit import (
    calibration_intercept,
    calibration_slope,
    check_inner,
)
from plugins.metrics.probabilities import share_variance

_HIGHER, _LOWER = payoff.Direction.HIGHER, payoff.Direction.LOWER
_NONE = payoff.Direction.NONE
_R_TYPES = (7, 1, 2, 3, 4, 5, 6, 8, 9)
_CHOICE = payoff.ParameterKind.CHOICE
_MURPHY = "Murphy 1973; exact over distinct chances: Brier = reliability − resolution + uncertainty"

_metric = partial(
    payoff.EvaluationMetric,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    tasks=(payoff.Task.BINARY,),
    form=payoff.MetricForm.GENERAL,
    prior_weighted=False,
)

BRIER_RELIABILITY = _metric(
    id="brier_reliability",
    label="Reliability",
    help="The part of the Brier score that is lost because chances do not come true.",
    formula="mean over distinct chances of (p − share observed at p)²",
    is_maximum=True,
    reference=_MURPHY,
    direction=_LOWER,
    value_range=(0.0, 1.0),
    random_value=0.0,
    perfect_value=0.0,
    decimals=4,
    compute=reliability,
)

BRIER_RESOLUTION = _metric(
    id="brier_resolution",
    label="Resolution",
    help="The part of the Brier score won by telling cases apart.",
    formula="mean over distinct chances of (share observed at p − overall share)²",
    is_maximum=True,
    reference=_MURPHY,
    direction=_HIGHER,
    value_range=(0.0, 0.25),
    random_value=0.0,
    perfect_value=share_variance,
    decimals=4,
    compute=resolution,
)


@payoff.metric(
    "Uncertainty",
    formula="share × (1 − share)",
    reference=_MURPHY,
    direction="none",
    value_range=(0.0, 0.25),
    random_value=share_variance,
    perfect_value=share_variance,
    decimals=4,
    combine=uncertainty_means,
)
def brier_uncertainty(y: float, p: float) -> float:
    """The Brier score of always giving the overall share; the same for every model."""
    return y


@payoff.metric(
    "Brier skill",
    formula="1 − Brier ÷ (share × (1 − share))",
    reference="Brier skill score; as sklearn.metrics.d2_brier_score",
    value_range=(-math.inf, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    combine=skill,
)
def brier_skill(y: float, p: float) -> tuple[float, float]:
    """How much of the Brier score of the class share the model saves: 0 none, 1 all."""
    return (p - y) ** 2, y


CALIBRATION_ERROR = _metric(
    id="calibration_error",
    label="Calibration error",
    title="Calibration error, {bins} bins, {edges}, {norm}",
    help="Distance between mean chance and observed share over bins of chance. It depends on "
    "bins, edges and norm, and is above 0 by chance alone.",
    formula="norm over bins of |mean chance − share observed|, bins (a, b], weighted by cases",
    aliases=(
        "expected_calibration_error",
        "ece",
    ),
    is_maximum=True,
    reference="Naeini, Cooper & Hauskrecht 2015 (ECE, MCE)",
    direction=_LOWER,
    value_range=(0.0, 1.0),
    perfect_value=0.0,
    parameters=(
        payoff.Parameter(
            name="bins",
            words="bins",
            default=10.0,
            kind=payoff.ParameterKind.INTEGER,
            minimum=1.0,
            maximum=1000.0,
        ),
        payoff.Parameter(
            name="edges",
            aliases=("scheme",),
            words="how bins are cut",
            default=0.0,
            kind=_CHOICE,
            choices=("equal width", "equal count"),
            choice_aliases=(
                ("uniform", "equal_width", "width"),
                ("quantile", "equal_count", "count"),
            ),
            help="Of equal count: equal chances are shared out evenly.",
        ),
        payoff.Parameter(
            name="norm",
            words="how bins are put together",
            default=0.0,
            kind=_CHOICE,
            choices=("mean (ECE)", "largest (MCE)", "root mean square"),
            choice_aliases=(("mean", "ece", "l1"), ("largest", "mce", "max"), ("rms", "l2")),
        ),
    ),
    decimals=4,
    compute=calibration_error,
)

CALIBRATION_SLOPE = _metric(
    id="calibration_slope",
    label="Calibration slope",
    help="1 where chances are spread rightly; below 1 they are too extreme (overfitting), above "
    "too timid.",
    formula="b of logit P(event) = a + b · logit p",
    reference="Cox 1958; Van Calster et al. 2016",
    direction=_NONE,
    compute=calibration_slope,
    check=check_inner,
)

CALIBRATION_INTERCEPT = _metric(
    id="calibration_intercept",
    label="Calibration intercept",
    help="0 where chances are right on average; above 0 they are too low, below 0 too high.",
    formula="a of logit P(event) = a + logit p (slope held at 1), or of the fit of both",
    reference="Cox 1958; calibration-in-the-large, Van Calster et al. 2016; both: rms::val.prob",
    direction=_NONE,
    parameters=(
        payoff.Parameter(
            name="slope",
            words="slope",
            default=0.0,
            kind=_CHOICE,
            choices=("held at 1", "fitted along"),
        ),
    ),
    compute=calibration_intercept,
    check=check_inner,
)

_LEMESHOW_PARAMETERS = (
    payoff.Parameter(
        name="groups",
        words="groups",
        default=10.0,
        kind=payoff.ParameterKind.INTEGER,
        minimum=3.0,
        maximum=1000.0,
    ),
    payoff.Parameter(
        name="quantile",
        aliases=("quantile_type",),
        words="quantiles that cut the groups",
        default=0.0,
        kind=_CHOICE,
        choices=tuple(f"R type {kind}" for kind in _R_TYPES),
        choice_aliases=tuple((str(kind),) for kind in _R_TYPES),
        help="Type 7 is R's default (ResourceSelection); tools differ, and so does the number.",
    ),
    payoff.Parameter(
        name="rows",
        words="rows",
        default=0.0,
        kind=_CHOICE,
        choices=("new to the model", "the model was fitted on"),
        help="Degrees of freedom: all groups on new rows, two fewer on the rows of the fit.",
    ),
)
_LEMESHOW = "Hosmer & Lemeshow 1980; groups as ResourceSelection::hoslem.test"

HOSMER_LEMESHOW = _metric(
    id="hosmer_lemeshow",
    label="Hosmer–Lemeshow",
    help="Distance of events observed and expected over groups of equal size by chance. Not one "
    "number: it depends on the grouping, and grows with the cases.",
    formula="Σ over groups of (O − E)²/E + (O − E)²/(n − E)",
    reference=_LEMESHOW,
    direction=_LOWER,
    value_range=(0.0, math.inf),
    parameters=_LEMESHOW_PARAMETERS,
    decimals=2,
    compute=hosmer_lemeshow,
    remark=groups_used,
    expected_failures=(
        ("Direction is as stated", "fewer than 3 different chances make no groups"),
        ("Doubling all weights is as stated", "a chi-square grows with the cases"),
    ),
)

HOSMER_LEMESHOW_P = _metric(
    id="hosmer_lemeshow_p",
    label="Hosmer–Lemeshow p",
    help="Chance of at least this distance if all chances were right; small = they are not.",
    formula="upper tail of chi-square with g, or g − 2, degrees of freedom",
    reference=_LEMESHOW,
    direction=_HIGHER,
    value_range=(0.0, 1.0),
    parameters=_LEMESHOW_PARAMETERS,
    compute=hosmer_lemeshow_p,
    remark=groups_used,
    expected_failures=(
        ("Direction is as stated", "fewer than 3 different chances make no groups"),
        ("Doubling all weights is as stated", "a chi-square grows with the cases"),
    ),
)

CALIBRATION_METRICS = (
    BRIER_RELIABILITY,
    BRIER_RESOLUTION,
    brier_uncertainty,
    brier_skill,
    CALIBRATION_ERROR,
    CALIBRATION_SLOPE,
    CALIBRATION_INTERCEPT,
    HOSMER_LEMESHOW,
    HOSMER_LEMESHOW_P,
)
