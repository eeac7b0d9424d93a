"""Expected profit over several classes: ``expected_profit`` with a score and a tree per class."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.types import FloatArray, StopFlag
from plugins.distributions.expected_profit import (
    EXPECTED_PROFIT,
    LARGEST_STEP,
    MOST_ROUNDS,
    fill_shares,
    missed_of,
    stakes_of,
)
from plugins.distributions.multinomial import (
    LEAST_SHARE,
    log_total,
    multinomial_link,
    multinomial_response,
)


@payoff.kernel(shape="helper")
def fill_promises(brings: FloatArray, case: int, chances: FloatArray, promised: FloatArray) -> None:
    """Fill what each decision promises at some chances."""
    promised[:] = 0.0
    for t in range(chances.shape[0]):
        for d in range(promised.shape[0]):
            promised[d] += chances[t] * brings[case, t, d]


@payoff.kernel(shape="helper")
def fill_chances(score: FloatArray, case: int, chances: FloatArray) -> None:
    """Fill the softmax of a case's scores."""
    whole = log_total(score, case)
    for k in range(score.shape[0]):
        chances[k] = math.exp(score[k, case] - whole)


@payoff.kernel(shape="elementwise")
def expected_profit_classes_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    brings: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill what the soft decision at p earns less than at the known class, with its log loss."""
    decisions = brings.shape[2]
    promised, shares = np.empty(decisions), np.empty(decisions)
    chances = np.empty(score.shape[0])
    for i in range(start, stop):
        own = int(outcome[i])
        unit, whole = stakes_of(brings, i)
        if whole <= 0.0:
            out[i] = 0.0
            continue
        fill_chances(score, i, chances)
        fill_promises(brings, i, chances, promised)
        missed = missed_of(brings[i, own], promised, parameters[0] * unit, shares)
        surprise = log_total(score, i) - score[own, i]
        out[i] = (1.0 - parameters[1]) * missed + parameters[1] * whole * surprise


@payoff.kernel(shape="helper")
def add_slopes(
    brings: FloatArray,
    case: int,
    own: int,
    chances: FloatArray,
    parameters: FloatArray,
    promised: FloatArray,
    shares: FloatArray,
    slope: FloatArray,
    bend: FloatArray,
) -> None:
    """Fill the working response and the curvature of a case by every score, (K,) each.

    With c_t the covariance, over decisions taken with the shares, of Q_t and Q_y - E: the slope is
    p_k (c_k - sum of p_t c_t) / softness, and the curvature p_k^2 times the variance of Q_k - E
    over softness: the expectation of the second derivative at p.
    """
    unit, whole = stakes_of(brings, case)
    slope[:] = 0.0
    bend[:] = 0.0
    if whole <= 0.0:
        return
    softness = parameters[0] * unit
    fill_promises(brings, case, chances, promised)
    fill_shares(promised, softness, shares)
    surprise_mean = 0.0
    for d in range(promised.shape[0]):
        surprise_mean += shares[d] * (brings[case, own, d] - promised[d])
    middle = 0.0
    for k in range(chances.shape[0]):
        mean = 0.0
        for d in range(promised.shape[0]):
            mean += shares[d] * (brings[case, k, d] - promised[d])
        shared = 0.0
        spread = 0.0
        for d in range(promised.shape[0]):
            gap = brings[case, k, d] - promised[d] - mean
            shared += shares[d] * gap * (brings[case, own, d] - promised[d] - surprise_mean)
            spread += shares[d] * gap * gap
        # Q_k and Q_k - E differ by the same for all k: it falls out of c_k less its mean.
        slope[k] = shared
        middle += chances[k] * shared
        bend[k] = spread
    part, share = (1.0 - parameters[1]) / softness, parameters[1] * whole
    for k in range(chances.shape[0]):
        chance = chances[k]
        is_own = 1.0 if k == own else 0.0
        slope[k] = part * chance * (slope[k] - middle) + share * (is_own - chance)
        bend[k] = part * chance * chance * bend[k] + share * chance * (1.0 - chance)


@payoff.kernel(shape="elementwise")
def expected_profit_classes_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    brings: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill minus the slopes by every score, and their expected curvatures."""
    promised, shares = np.empty(brings.shape[2]), np.empty(brings.shape[2])
    chances, slope = np.empty(score.shape[0]), np.empty(score.shape[0])
    bend = np.empty(score.shape[0])
    for i in range(start, stop):
        fill_chances(score, i, chances)
        add_slopes(
            brings, i, int(outcome[i]), chances, parameters, promised, shares, slope, bend
        )  # fmt: skip
        for k in range(score.shape[0]):
            gradient[k, i] = slope[k]
            curvature[k, i] = bend[k]


@payoff.kernel(shape="whole")
def expected_profit_classes_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    brings: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the constants, of mean 0, at which the slopes balance: Newton steps class by class."""
    classes, decisions = offset.shape[0], brings.shape[2]
    observed = np.zeros(classes)
    mass = 0.0
    for i in range(outcome.shape[0]):
        observed[int(outcome[i])] += weight[i]
        mass += weight[i]
    out[:] = 0.0
    if mass <= 0.0:
        return
    is_mixed = True
    for k in range(classes):
        is_mixed = is_mixed and observed[k] > 0.0
        out[k] = math.log(max(observed[k] / mass, LEAST_SHARE))
        for i in range(outcome.shape[0]):
            out[k] -= weight[i] * offset[k, i] / mass
    promised, shares = np.empty(decisions), np.empty(decisions)
    chances, slope, bend = np.empty(classes), np.empty(classes), np.empty(classes)
    score = np.empty((classes, 1))
    slopes, bends = np.empty(classes), np.empty(classes)
    for _ in range(MOST_ROUNDS if is_mixed else 0):
        slopes[:] = 0.0
        bends[:] = 0.0
        for i in range(outcome.shape[0]):
            for k in range(classes):
                score[k, 0] = out[k] + offset[k, i]
            fill_chances(score, 0, chances)
            add_slopes(
                brings, i, int(outcome[i]), chances, parameters, promised, shares, slope, bend
            )  # fmt: skip
            for k in range(classes):
                slopes[k] += weight[i] * slope[k]
                bends[k] += weight[i] * bend[k]
        furthest = 0.0
        for k in range(classes):
            # Half a step: all classes move at once, and each answers what the others do.
            step = 0.5 * slopes[k] / bends[k] if bends[k] > 0.0 else 0.0
            out[k] += min(max(step, -LARGEST_STEP), LARGEST_STEP)
            furthest = max(furthest, abs(step))
        if furthest <= 1e-12 or stop_flag[0] != 0:
            break
    out -= np.mean(out)


EXPECTED_PROFIT_CLASSES = replace(
    EXPECTED_PROFIT,
    id="expected_profit_classes",
    label="Expected profit, several classes",
    asks="one of several classes, to decide by money",
    help="Fits the chance of each class where your decision matrix makes it matter, in money.",
    target=payoff.TargetDomain.CLASSES,
    loss=expected_profit_classes_loss,
    negative_gradient=expected_profit_classes_gradient,
    initial_score=expected_profit_classes_initial_score,
    response=multinomial_response,
    link=multinomial_link,
    n_scores=0,
    is_shift_free=True,
)
