"""Expected profit: the chance of a yes-or-no outcome, fitted where it changes what is decided.

With chances p a case's decisions promise E_d = sum over classes of p_t Q(t, d). A decision maker
who knows what decisions bring only up to some noise takes decision d with the share s_d, the
softmax of E_d / (softness x unit), and earns Phi(p) = softness x unit x log sum exp(E_d /
(softness x unit)). Phi is convex, so that Phi(p) + sum_d s_d (Q(y, d) - E_d), what such a decision
maker earns on a case of class y, is largest on average at the true chances: a proper score, with
its weight where decisions change. The loss is what is missing to earning Phi(y) on known classes,
in money (hosts give money in mean stakes). Curvatures are its expectation at p, so never below 0.
"""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.counting import counted
from payoff.numeric import fill_exp, log1p_exp, logistic_response, logit, logit_link, sigmoid
from payoff.types import FloatArray, StopFlag

# A sample of one class only has no finite best score.
FURTHEST_SCORE = 30.0
LARGEST_STEP = 1.0
MOST_ROUNDS = 500

BLOCK = 256  # cases whose powers are worked out together: they stay in the nearest cache


@payoff.kernel(shape="helper")
def stakes_of(brings: FloatArray, case: int) -> tuple[float, float]:
    """Return the unit of softness and the whole stake of a case, both in money.

    The stake of a class is the best less the worst decision. Whole: their sum. Unit: one over the
    sum of their inverses; with two classes and decisions that makes the soft step one wide in log
    odds. A class whatever is decided for which brings the same has no say.
    """
    whole = 0.0
    inverse = 0.0
    for t in range(brings.shape[1]):
        low = high = brings[case, t, 0]
        for d in range(1, brings.shape[2]):
            low = min(low, brings[case, t, d])
            high = max(high, brings[case, t, d])
        if high > low:
            whole += high - low
            inverse += 1.0 / (high - low)
    return (1.0 / inverse if inverse > 0.0 else 0.0), whole


@payoff.kernel(shape="helper")
def fill_shares(expected: FloatArray, softness: float, shares: FloatArray) -> float:
    """Fill the share of each decision and return softness x log sum exp(promised / softness)."""
    most = expected[0]
    for d in range(1, expected.shape[0]):
        most = max(most, expected[d])
    total = 0.0
    for d in range(expected.shape[0]):
        shares[d] = math.exp((expected[d] - most) / softness)
        total += shares[d]
    for d in range(expected.shape[0]):
        shares[d] /= total
    return float(most + softness * math.log(total))


@payoff.kernel(shape="helper")
def missed_of(
    known: FloatArray, expected: FloatArray, softness: float, shares: FloatArray
) -> float:
    """Return what the soft decision at ``expected`` earns less than at the known class."""
    best = fill_shares(known, softness, shares)
    earned = fill_shares(expected, softness, shares)
    for d in range(expected.shape[0]):
        earned += shares[d] * (known[d] - expected[d])
    return best - earned


@payoff.kernel(shape="helper")
def fill_half_steps(score: FloatArray, room: FloatArray) -> None:
    """Fill the chances p of (m,) scores into row 0 of the room and p (1 - p) into row 1."""
    for i in range(score.shape[0]):
        room[3, i] = -abs(score[i])
    fill_exp(room[3, : score.shape[0]], room[4, : score.shape[0]])
    for i in range(score.shape[0]):
        part = 1.0 / (1.0 + room[4, i])
        less = room[4, i] * part  # the smaller of p and 1 - p
        room[0, i] = 1.0 - less if score[i] >= 0.0 else less
        room[1, i] = less * part


@payoff.kernel(shape="helper")
def fill_soft_steps(brings: FloatArray, softness: float, room: FloatArray) -> None:
    """Fill what the decisions of (m, 2, D) cases promise at the chances of row 0, softly taken.

    Row 3 has one over the softness in money (0 without a stake), row 4 the whole stake, rows from
    5 on the powers of what each decision promises less than the best; rows from 5 + D are used up.
    """
    decisions = brings.shape[2]
    for i in range(brings.shape[0]):
        probability = room[0, i]
        low = high = brings[i, 0, 0]
        least = largest = brings[i, 1, 0]
        most = low + probability * (least - low)
        room[5 + decisions, i] = most
        for d in range(1, decisions):
            no, yes = brings[i, 0, d], brings[i, 1, d]
            low, high = min(low, no), max(high, no)
            least, largest = min(least, yes), max(largest, yes)
            expected_gain = no + probability * (yes - no)
            room[5 + decisions + d, i] = expected_gain
            most = max(most, expected_gain)
        stake_no, stake_yes = high - low, largest - least
        whole = stake_no + stake_yes
        unit = whole
        if stake_no > 0.0 and stake_yes > 0.0:
            unit = stake_no * (stake_yes / whole)
        sharpness = 1.0 / (softness * unit) if whole > 0.0 else 0.0
        room[3, i], room[4, i] = sharpness, whole
        for d in range(5 + decisions, 5 + 2 * decisions):
            room[d, i] = (room[d, i] - most) * sharpness
    for d in range(5, 5 + decisions):
        fill_exp(room[d + decisions, : brings.shape[0]], room[d, : brings.shape[0]])


@payoff.kernel(shape="helper")
def fill_pulls(
    score: FloatArray, brings: FloatArray, parameters: FloatArray, room: FloatArray
) -> None:
    """Fill the factors before y - p and p (1 - p), what is at stake, into row 2 of the room.

    Of (m,) cases, at most ``BLOCK``; rows 0 and 1 get p and p (1 - p). The factor holds the
    second derivative of Phi: the variance, over soft decisions, of how they answer the chance.
    """
    fill_half_steps(score, room)
    fill_soft_steps(brings, parameters[0], room)
    share = parameters[1]
    for i in range(score.shape[0]):
        total = mean = square = 0.0
        first = brings[i, 1, 0] - brings[i, 0, 0]
        for d in range(brings.shape[2]):
            slope = brings[i, 1, d] - brings[i, 0, d] - first
            power = room[5 + d, i]
            total += power
            mean += power * slope
            square += power * slope * slope
        mean /= total
        focus = max(square / total - mean * mean, 0.0) * room[3, i]
        room[2, i] = (1.0 - share) * room[1, i] * focus + share * room[4, i]


@payoff.kernel(shape="elementwise")
def expected_profit_loss(
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
    for i in range(start, stop):
        own = 1 if outcome[i] > 0.5 else 0
        unit, whole = stakes_of(brings, i)
        if whole <= 0.0:
            out[i] = 0.0
            continue
        probability = sigmoid(score[0, i])
        for d in range(decisions):
            expected[d] = (1.0 - probability) * brings[i, 0, d] + probability * brings[i, 1, d]
        missed = missed_of(brings[i, own], expected, parameters[0] * unit, shares)
        surprise = log1p_exp(score[0, i] if own == 0 else -score[0, i])
        out[i] = (1.0 - parameters[1]) * missed + parameters[1] * whole * surprise


@payoff.kernel(shape="elementwise")
def expected_profit_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    brings: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill pull x (y - p) and pull x p (1 - p)."""
    room = np.empty((5 + 2 * brings.shape[2], BLOCK))
    for first in range(start, stop, BLOCK):
        last = min(stop, first + BLOCK)
        fill_pulls(score[0, first:last], brings[first:last], parameters, room)
        for i in range(first, last):
            pull = room[2, i - first]
            gradient[0, i] = pull * (outcome[i] - room[0, i - first])
            curvature[0, i] = pull * room[1, i - first]


@payoff.kernel(shape="whole")
def expected_profit_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    brings: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the constant at which the pulls balance, by Newton steps from the logit of the share.

    Curvatures are expected ones: steps that become no shorter are halved.
    """
    events = 0.0
    mass = 0.0
    centre = 0.0
    for i in range(outcome.shape[0]):
        events += weight[i] * outcome[i]
        centre += weight[i] * offset[0, i]
        mass += weight[i]
    out[0] = 0.0
    if mass <= 0.0:
        return
    value = min(max(logit(events / mass), -FURTHEST_SCORE), FURTHEST_SCORE) - centre / mass
    room = np.empty((5 + 2 * brings.shape[2], BLOCK))
    total = np.empty(BLOCK)
    is_mixed = 0.0 < events < mass
    before, pace = math.inf, 1.0
    for _ in range(MOST_ROUNDS if is_mixed else 0):
        slope = 0.0
        hessian = 0.0
        for start in range(0, outcome.shape[0], BLOCK):
            cases = min(BLOCK, outcome.shape[0] - start)
            for i in range(cases):
                total[i] = value + offset[0, start + i]
            fill_pulls(total[:cases], brings[start : start + cases], parameters, room)
            for i in range(cases):
                pull = weight[start + i] * room[2, i]
                slope += pull * (outcome[start + i] - room[0, i])
                hessian += pull * room[1, i]
        if hessian <= 0.0 or stop_flag[0] != 0:
            break
        step = min(max(slope / hessian, -LARGEST_STEP), LARGEST_STEP)
        pace = 0.5 * pace if abs(step) >= before else pace
        before = abs(step)
        value += pace * step
        if before <= 1e-12 * max(1.0, abs(value)):
            break
    out[0] = value


def check_stakes(
    outcome: FloatArray, weight: FloatArray, parameters: payoff.Parameters, columns: payoff.Columns
) -> None:
    """Refuse cases without consequences, and cases for which every decision brings the same."""
    brings = columns["consequences"]
    known = np.isfinite(brings)
    if not known.all():
        unknown = ~known.all(axis=(1, 2))
        raise payoff.PayoffError(
            "What decisions bring is not known for every case.",
            where=f"row {int(np.argmax(unknown)) + 1}",
            why=f"{counted(int(unknown.sum()), 'case lacks', 'cases lack')} a cost or an amount.",
            remedy="Fill them in, or train on the other rows only.",
        )
    if (brings == brings[:, :, :1]).all():
        raise payoff.PayoffError(
            "Nothing is at stake in the decision matrix.",
            why="Every decision brings the same, whatever the outcome.",
            remedy="Fill in what each decision earns or costs.",
        )


SOFTNESS = payoff.Parameter(
    name="softness",
    words="softness of the decision",
    default=1.0,
    minimum=0.01,
    maximum=100.0,
    help="How far around the break-even chance cases count, about this many units of log odds.",
)
LOG_SHARE = payoff.Parameter(
    name="log_share",
    words="share of log loss",
    default=0.1,
    minimum=0.0,
    maximum=1.0,
    unit=payoff.NumberUnit.PERCENT,
    help="Keeps chances sensible far from any break-even; 100 % is log loss weighted by the "
    "stakes.",
)
FORMULA = (
    "mean of w ((1 − λ) (Φ(y) − Φ(p) − Σ_d s_d (Q_yd − E_d)) − λ v log p_y), "
    "Φ(p) = τu log Σ_d e^(E_d / τu), E_d = Σ_t p_t Q_td, s_d = e^(E_d / τu) / Σ"
)
REFERENCE = (
    "Savage 1971 and Buja, Stuetzle & Shen 2005: proper scores that look where decisions change"
)

EXPECTED_PROFIT = payoff.LossDistribution(
    id="expected_profit",
    label="Expected profit",
    asks="a yes or no, to decide by money",
    plain=payoff.PlainWords(
        "Chance where money turns",
        "Learns the chance of a yes, with most care near the chances at which your decision matrix "
        "changes its mind, and for the cases with most at stake.",
        "when trees are few or small and the break-even chance is far from one half; with plenty "
        "of rows the plain chance of yes does as well.",
    ),
    help="Fits the chance of an event where your decision matrix makes it matter, in money.",
    formula=FORMULA,
    reference=REFERENCE,
    target=payoff.TargetDomain.BINARY,
    loss=expected_profit_loss,
    negative_gradient=expected_profit_gradient,
    initial_score=expected_profit_initial_score,
    response=logistic_response,
    link=logit_link,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    parameters=(SOFTNESS, LOG_SHARE),
    extras=(payoff.Extra.WEIGHT, payoff.Extra.OFFSET, payoff.Extra.CONSEQUENCES),
    check_cases=check_stakes,
    response_low=0.0,
    response_high=1.0,
)
