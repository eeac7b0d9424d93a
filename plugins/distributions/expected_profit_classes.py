"""Expected profit over several classes: ``expected_profit`` with a score and a tree per class."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import fill_exp
from payoff.types import FloatArray, StopFlag
from plugins.distributions.expected_profit import (
    BLOCK,
    EXPECTED_PROFIT,
    LARGEST_STEP,
    MOST_ROUNDS,
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
def fill_expected(
    brings: FloatArray, case: int, probabilities: FloatArray, expected: FloatArray
) -> None:
    """Fill what each decision promises at some chances."""
    expected[:] = 0.0
    for t in range(probabilities.shape[0]):
        for d in range(expected.shape[0]):
            expected[d] += probabilities[t] * brings[case, t, d]


@payoff.kernel(shape="helper")
def fill_probabilities(score: FloatArray, case: int, probabilities: FloatArray) -> None:
    """Fill the softmax of a case's scores."""
    whole = log_total(score, case)
    for k in range(score.shape[0]):
        probabilities[k] = math.exp(score[k, case] - whole)


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
    expected, shares = np.empty(decisions), np.empty(decisions)
    probabilities = np.empty(score.shape[0])
    for i in range(start, stop):
        own = int(outcome[i])
        unit, whole = stakes_of(brings, i)
        if whole <= 0.0:
            out[i] = 0.0
            continue
        fill_probabilities(score, i, probabilities)
        fill_expected(brings, i, probabilities, expected)
        missed = missed_of(brings[i, own], expected, parameters[0] * unit, shares)
        surprise = log_total(score, i) - score[own, i]
        out[i] = (1.0 - parameters[1]) * missed + parameters[1] * whole * surprise


@payoff.kernel(shape="helper")
def fill_softmax(score: FloatArray, room: FloatArray) -> None:
    """Fill the chances of (K, m) scores into the first K rows of the room; K more are used up."""
    classes, cases = score.shape
    for i in range(cases):
        most = score[0, i]
        for k in range(1, classes):
            most = max(most, score[k, i])
        for k in range(classes):
            room[classes + k, i] = score[k, i] - most
    for k in range(classes):
        fill_exp(room[classes + k, :cases], room[k, :cases])
    for i in range(cases):
        total = 0.0
        for k in range(classes):
            total += room[k, i]
        for k in range(classes):
            room[k, i] /= total


@payoff.kernel(shape="helper")
def fill_soft_decisions(
    score: FloatArray, brings: FloatArray, softness: float, room: FloatArray
) -> None:
    """Fill, for (m, K, D) cases at (K, m) scores, what is known before the outcome is.

    Rows of the room: K chances, K that are used up, D promises, D that are used up, D shares of
    the soft decisions, one over the softness in money (0 without a stake), and the whole stake.
    """
    cases, classes, decisions = brings.shape
    expected, shares = 2 * classes, 2 * classes + 2 * decisions
    fill_softmax(score, room)
    for i in range(cases):
        for d in range(decisions):
            room[expected + d, i] = 0.0
        inverse = whole = 0.0
        for k in range(classes):
            probability = room[k, i]
            low = high = brings[i, k, 0]
            for d in range(decisions):
                one = brings[i, k, d]
                low, high = min(low, one), max(high, one)
                room[expected + d, i] += probability * one
            if high > low:
                whole += high - low
                inverse += 1.0 / (high - low)
        most = room[expected, i]
        for d in range(1, decisions):
            most = max(most, room[expected + d, i])
        sharpness = inverse / softness
        for d in range(decisions):
            room[expected + decisions + d, i] = (room[expected + d, i] - most) * sharpness
        room[shares + decisions, i], room[shares + decisions + 1, i] = sharpness, whole
    for d in range(decisions):
        fill_exp(room[expected + decisions + d, :cases], room[shares + d, :cases])
    for i in range(cases):
        total = 0.0
        for d in range(decisions):
            total += room[shares + d, i]
        for d in range(decisions):
            room[shares + d, i] /= total


@payoff.kernel(shape="helper")
def fill_gaps(
    brings: FloatArray, known: FloatArray, own: int, classes: int, gaps: FloatArray
) -> None:
    """Fill, for one case, how far class and promise differ: (K + 1, D) of Q_k - E less its mean.

    ``brings`` is (K, D), ``known`` the case's column of the room; the mean is over soft decisions.
    The last row has the shares times the gaps of the own class.
    """
    decisions = gaps.shape[1]
    expected, shares = 2 * classes, 2 * classes + 2 * decisions
    for k in range(classes):
        mean = 0.0
        for d in range(decisions):
            gaps[k, d] = brings[k, d] - known[expected + d]
            mean += known[shares + d] * gaps[k, d]
        for d in range(decisions):
            gaps[k, d] -= mean
    for d in range(decisions):
        gaps[classes, d] = known[shares + d] * gaps[own, d]


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
    """Fill minus the slopes by every score, and their expected curvatures.

    Over decisions taken with the shares: the slope is p_k / softness times the covariance of
    Q_y - E and Q_k - E, and the curvature p_k^2 / softness times the variance of Q_k - E: the
    expectation of the second derivative at p.
    """
    classes, decisions = score.shape[0], brings.shape[2]
    room = np.empty((2 * classes + 3 * decisions + 2, BLOCK))
    gaps = np.empty((classes + 1, decisions))
    shares = 2 * classes + 2 * decisions
    for first in range(start, stop, BLOCK):
        last = min(stop, first + BLOCK)
        fill_soft_decisions(score[:, first:last], brings[first:last], parameters[0], room)
        for i in range(first, last):
            place, own = i - first, int(outcome[i])
            part = (1.0 - parameters[1]) * room[shares + decisions, place]
            share = parameters[1] * room[shares + decisions + 1, place]
            fill_gaps(brings[i], room[:, place], own, classes, gaps)
            for k in range(classes):
                shared = spread = 0.0
                for d in range(decisions):
                    shared += gaps[classes, d] * gaps[k, d]
                    spread += room[shares + d, place] * gaps[k, d] * gaps[k, d]
                probability = room[k, place]
                is_own = 1.0 if k == own else 0.0
                gradient[k, i] = part * probability * shared + share * (is_own - probability)
                curvature[k, i] = (
                    part * probability * probability * spread
                    + share * probability * (1.0 - probability)
                )


@payoff.kernel(shape="helper")
def add_balance(
    outcome: FloatArray,
    weight: FloatArray,
    score: FloatArray,
    brings: FloatArray,
    parameters: FloatArray,
    room: FloatArray,
    slopes: FloatArray,
    hessians: FloatArray,
) -> None:
    """Add the slopes (K,) of (m,) cases and the lower half of their expected curvatures (K, K)."""
    classes, decisions = score.shape[0], brings.shape[2]
    shares = 2 * classes + 2 * decisions
    gaps = np.empty((classes + 1, decisions))
    fill_soft_decisions(score, brings, parameters[0], room)
    for i in range(outcome.shape[0]):
        own = int(outcome[i])
        part = weight[i] * (1.0 - parameters[1]) * room[shares + decisions, i]
        share = weight[i] * parameters[1] * room[shares + decisions + 1, i]
        fill_gaps(brings[i], room[:, i], own, classes, gaps)
        for k in range(classes):
            probability = room[k, i]
            shared = 0.0
            for d in range(decisions):
                shared += gaps[classes, d] * gaps[k, d]
                gaps[k, d] *= probability
            is_own = 1.0 if k == own else 0.0
            slopes[k] += part * probability * shared + share * (is_own - probability)
            for other in range(k + 1):
                together = 0.0
                for d in range(decisions):
                    together += room[shares + d, i] * gaps[k, d] * gaps[other, d]
                hessians[k, other] += part * together - share * probability * room[other, i]
            hessians[k, k] += share * probability


@payoff.kernel(shape="helper")
def solve_steps(hessians: FloatArray, steps: FloatArray) -> None:
    """Solve bends x = steps in place by Cholesky's factors, from the lower half (K, K).

    The curvatures of scores that a common shift leaves alone do not add up to anything in that
    direction: a number added everywhere takes it out. A score without curvature stays.
    """
    classes = steps.shape[0]
    lift = 0.0
    for k in range(classes):
        lift = max(lift, hessians[k, k])
    for k in range(classes):
        before = hessians[k, k]
        for other in range(k + 1):
            left = hessians[k, other] + lift
            for j in range(other):
                left -= hessians[k, j] * hessians[other, j]
            if other < k:
                hessians[k, other] = (
                    left / hessians[other, other] if hessians[other, other] > 0.0 else 0.0
                )
            else:
                hessians[k, k] = np.sqrt(left) if left > 1e-13 * (before + lift) else 0.0
    for k in range(classes):
        for j in range(k):
            steps[k] -= hessians[k, j] * steps[j]
        steps[k] = steps[k] / hessians[k, k] if hessians[k, k] > 0.0 else 0.0
    for k in range(classes - 1, -1, -1):
        for j in range(k + 1, classes):
            steps[k] -= hessians[j, k] * steps[j]
        steps[k] = steps[k] / hessians[k, k] if hessians[k, k] > 0.0 else 0.0


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
    """Fill the constants, of mean 0, at which the slopes balance: Newton steps of all classes.

    Curvatures are expected ones: a step that is no shorter than the one before is halved.
    """
    classes, rows = offset.shape
    observed = np.zeros(classes)
    for i in range(rows):
        observed[int(outcome[i])] += weight[i]
    mass = np.sum(observed)
    out[:] = 0.0
    if mass <= 0.0:
        return
    for k in range(classes):
        out[k] = math.log(max(observed[k] / mass, LEAST_SHARE))
        for i in range(rows):
            out[k] -= weight[i] * offset[k, i] / mass
    is_mixed = np.min(observed) > 0.0
    room = np.empty((2 * classes + 3 * brings.shape[2] + 2, BLOCK))
    score = np.empty((classes, BLOCK))
    slopes, hessians = np.empty(classes), np.empty((classes, classes))
    before, pace = math.inf, 1.0
    for _ in range(MOST_ROUNDS if is_mixed else 0):
        slopes[:] = 0.0
        hessians[:] = 0.0
        for first in range(0, rows, BLOCK):
            last = min(rows, first + BLOCK)
            for k in range(classes):
                for i in range(first, last):
                    score[k, i - first] = out[k] + offset[k, i]
            add_balance(
                outcome[first:last],
                weight[first:last],
                score[:, : last - first],
                brings[first:last],
                parameters,
                room,
                slopes,
                hessians,
            )
        solve_steps(hessians, slopes)
        furthest = np.max(np.abs(slopes))
        is_rounding = furthest <= 1e-9 and furthest >= before
        pace = max(0.5 * pace, 1.0 / 64.0) if furthest >= before else pace
        before = furthest
        for k in range(classes):
            out[k] += min(max(pace * slopes[k], -LARGEST_STEP), LARGEST_STEP)
        if furthest <= 1e-12 or is_rounding or stop_flag[0] != 0:
            break
    out -= np.mean(out)


EXPECTED_PROFIT_CLASSES = replace(
    EXPECTED_PROFIT,
    id="expected_profit_classes",
    label="Expected profit, several classes",
    asks="one of several classes, to decide by money",
    plain=payoff.PlainWords(
        "Chances where money turns",
        "Learns the chance of every class, with most care where your decision matrix changes its "
        "mind, and for the cases with most at stake.",
        "when trees are few or small and some mistakes cost far more than others; with plenty of "
        "rows the plain chances do as well.",
    ),
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
