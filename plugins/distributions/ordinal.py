"""Ordinal logistic loss: classes with an order, such as grades, by one score and cut points.

Scores of a case: the latent score F, the lowest cut point c_0, and the logs of the gaps between
neighbouring cut points. Only F gets trees; the cut points move by one number for all cases.
"""

from __future__ import annotations

import math

import payoff
from payoff.numeric import log1p_exp, log_or_minus_infinity, sigmoid
from payoff.types import FloatArray, StopFlag

# A class without any case has no finite cut point; it gets that of this share of the cases.
LEAST_SHARE = 1e-9
MOST_ROUNDS = 500
LARGEST_STEP = 1.0
# Cut points of certain classes: exp(-700) is nearly the smallest number there is.
FURTHEST_CUT = 700.0


@payoff.kernel(shape="helper")
def ends_of(score: FloatArray, case: int, own: int) -> tuple[float, float]:
    """Return the lower and upper cut point of a class, less the case's F; -inf and inf outside."""
    below = -math.inf
    above = score[1, case] - score[0, case]
    for k in range(own):
        below = above
        if k + 2 < score.shape[0]:
            above += math.exp(score[k + 2, case])
    if own == score.shape[0] - 1:
        above = math.inf
    return below, above


@payoff.kernel(shape="helper")
def gap_of(score: FloatArray, case: int, own: int) -> float:
    """Return the distance between the cut points of a class; inf for the first and the last."""
    if own == 0 or own == score.shape[0] - 1:
        return math.inf
    return math.exp(score[own + 1, case])


@payoff.kernel(shape="elementwise")
def ordinal_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill -log p of the case's own class: p = S(b) S(-a) (1 - exp(a - b)), S the sigmoid."""
    for i in range(start, stop):
        own = int(outcome[i])
        below, above = ends_of(score, i, own)
        width = -math.expm1(-gap_of(score, i, own))
        out[i] = log1p_exp(-above) + log1p_exp(below) - log_or_minus_infinity(width)


@payoff.kernel(shape="helper")
def gap_slope(
    log_gap: float, own: int, output: int, low: float, high: float
) -> tuple[float, float]:
    """Return minus the slope of a case's loss by the log of a gap, and the curvature.

    ``low`` and ``high`` are S(a) and S(-b). The curvature leaves out the term that vanishes at
    the best value.
    """
    if output > own + 1:
        return 0.0, 0.0
    gap = math.exp(log_gap)
    high_hessian = high * (1.0 - high)
    if output <= own:
        return gap * (high - low), gap * gap * (high_hessian + low * (1.0 - low))
    gradient = gap * high
    hessian = gap * gap * high_hessian
    if gap < 700.0:
        grown = math.expm1(gap)
        ratio = gap / grown if gap > 0.0 else 1.0
        gradient += ratio
        hessian += ratio * ratio * (grown + 1.0)
    return gradient, hessian


@payoff.kernel(shape="elementwise")
def ordinal_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill minus the slopes by every score, and their curvatures."""
    for i in range(start, stop):
        own = int(outcome[i])
        below, above = ends_of(score, i, own)
        low, high = sigmoid(below), sigmoid(-above)
        hessian = low * (1.0 - low) + high * (1.0 - high)
        gradient[0, i] = low - high
        gradient[1, i] = high - low
        curvature[0, i] = hessian
        curvature[1, i] = hessian
        for k in range(2, score.shape[0]):
            gradient[k, i], curvature[k, i] = gap_slope(score[k, i], own, k, low, high)


@payoff.kernel(shape="helper")
def logs_of_cuts(shares: FloatArray, out: FloatArray) -> None:
    """Fill (K,) the latent score 0, the lowest cut point and the log gaps of K class shares."""
    below = 0.0
    above = 0.0
    for k in range(shares.shape[0]):
        above += shares[k]
    whole = above
    last = 0.0
    out[0] = 0.0
    for k in range(shares.shape[0] - 1):
        below += shares[k]
        above = 0.0
        for m in range(k + 1, shares.shape[0]):
            above += shares[m]
        cut = -FURTHEST_CUT if below <= 0.0 else FURTHEST_CUT
        if below > 0.0 and above > 0.0:
            cut = math.log(below / above)
        out[k + 1] = cut if k == 0 else log_or_minus_infinity(max(cut - last, 0.0))
        last = cut
    if whole <= 0.0:
        out[:] = 0.0


@payoff.kernel(shape="whole")
def ordinal_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill latent scores of mean 0 and the best cut points, one after the other until they stand.

    Without offsets the start, the logits of the cumulative shares, is exact.
    """
    outputs = offset.shape[0]
    shares = out.copy()
    shares[:] = 0.0
    mass = 0.0
    centre = 0.0
    for i in range(outcome.shape[0]):
        shares[int(outcome[i])] += weight[i]
        centre += weight[i] * offset[0, i]
        mass += weight[i]
    out[:] = 0.0
    if mass <= 0.0:
        return
    for k in range(outputs):
        shares[k] = max(shares[k] / mass, LEAST_SHARE)
    logs_of_cuts(shares, out)
    out[0] = -centre / mass
    score = offset.copy()
    for _ in range(MOST_ROUNDS):
        furthest = 0.0
        for k in range(1, outputs):
            gradient = 0.0
            hessian = 0.0
            for m in range(outputs):
                score[m, :] = offset[m] + out[m]
            for i in range(outcome.shape[0]):
                own = int(outcome[i])
                below, above = ends_of(score, i, own)
                low, high = sigmoid(below), sigmoid(-above)
                one, two = high - low, low * (1.0 - low) + high * (1.0 - high)
                if k > 1:
                    one, two = gap_slope(score[k, i], own, k, low, high)
                gradient += weight[i] * one
                hessian += weight[i] * two
            step = gradient / hessian if hessian > 0.0 else 0.0
            out[k] += min(max(step, -LARGEST_STEP), LARGEST_STEP)
            furthest = max(furthest, abs(gradient) / mass)
        if furthest <= 1e-12 or stop_flag[0] != 0:
            break


@payoff.kernel(shape="elementwise")
def ordinal_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the chance of each class."""
    for i in range(start, stop):
        for k in range(score.shape[0]):
            below, above = ends_of(score, i, k)
            width = -math.expm1(-gap_of(score, i, k))
            out[k, i] = sigmoid(above) * sigmoid(-below) * width


@payoff.kernel(shape="elementwise")
def ordinal_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the latent score 0 with the cut points that give the chances."""
    for i in range(start, stop):
        shares = prediction[:, i].copy()
        cuts = shares.copy()
        logs_of_cuts(shares, cuts)
        for k in range(cuts.shape[0]):
            out[k, i] = cuts[k]


ORDINAL = payoff.LossDistribution(
    id="ordinal",
    label="Ordinal logistic",
    asks="one of several classes in a known order",
    plain=payoff.PlainWords(
        "Classes in an order",
        "Learns how far up each case stands, and where one class ends and the next begins.",
        "when classes are grades or stages and neighbours are alike.",
    ),
    help="Proportional odds: one score for the place in the order, cut points for the classes.",
    formula="mean of −w log p_y, p_k = S(c_k − F) − S(c_(k−1) − F), S(x) = 1 / (1 + e^−x)",
    reference="McCullagh 1980; R package MASS, polr (Venables & Ripley 2002)",
    target=payoff.TargetDomain.CLASSES,
    loss=ordinal_loss,
    negative_gradient=ordinal_gradient,
    initial_score=ordinal_initial_score,
    response=ordinal_response,
    link=ordinal_link,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    n_scores=0,
    grown_scores=1,
    has_ordered_classes=True,
    response_low=0.0,
    response_high=1.0,
)
