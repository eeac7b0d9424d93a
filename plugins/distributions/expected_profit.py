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
from payoff.numeric import log1p_exp, logit, sigmoid
from payoff.types import FloatArray, StopFlag
from plugins.distributions.bernoulli import bernoulli_link, bernoulli_response

# A sample of one class only has no finite best score.
FURTHEST_SCORE = 30.0
LARGEST_STEP = 1.0
MOST_ROUNDS = 500


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
def fill_shares(promised: FloatArray, softness: float, shares: FloatArray) -> float:
    """Fill the share of each decision and return softness x log sum exp(promised / softness)."""
    most = promised[0]
    for d in range(1, promised.shape[0]):
        most = max(most, promised[d])
    total = 0.0
    for d in range(promised.shape[0]):
        shares[d] = math.exp((promised[d] - most) / softness)
        total += shares[d]
    for d in range(promised.shape[0]):
        shares[d] /= total
    return float(most + softness * math.log(total))


@payoff.kernel(shape="helper")
def missed_of(
    known: FloatArray, promised: FloatArray, softness: float, shares: FloatArray
) -> float:
    """Return what the soft decision at ``promised`` earns less than at the known class."""
    best = fill_shares(known, softness, shares)
    earned = fill_shares(promised, softness, shares)
    for d in range(promised.shape[0]):
        earned += shares[d] * (known[d] - promised[d])
    return best - earned


@payoff.kernel(shape="helper")
def focus_of(
    brings: FloatArray, case: int, chance: float, softness: float, room: FloatArray
) -> float:
    """Return the second derivative of Phi by the chance; ``room`` is (2, decisions)."""
    decisions = brings.shape[2]
    for d in range(decisions):
        slope = brings[case, 1, d] - brings[case, 0, d]
        room[0, d] = brings[case, 0, d] + chance * slope
    fill_shares(room[0], softness, room[1])
    mean = 0.0
    square = 0.0
    first = brings[case, 1, 0] - brings[case, 0, 0]
    for d in range(decisions):
        slope = brings[case, 1, d] - brings[case, 0, d] - first
        mean += room[1, d] * slope
        square += room[1, d] * slope * slope
    return float(max(square - mean * mean, 0.0) / softness)


@payoff.kernel(shape="helper")
def pull_of(
    brings: FloatArray, case: int, chance: float, parameters: FloatArray, room: FloatArray
) -> float:
    """Return the factor of a case before y - p and p (1 - p): what is at stake for it here."""
    unit, whole = stakes_of(brings, case)
    if whole <= 0.0:
        return 0.0
    focus = focus_of(brings, case, chance, parameters[0] * unit, room)
    share = parameters[1]
    return float((1.0 - share) * chance * (1.0 - chance) * focus + share * whole)


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
    promised, shares = np.empty(decisions), np.empty(decisions)
    for i in range(start, stop):
        own = 1 if outcome[i] > 0.5 else 0
        unit, whole = stakes_of(brings, i)
        if whole <= 0.0:
            out[i] = 0.0
            continue
        chance = sigmoid(score[0, i])
        for d in range(decisions):
            promised[d] = (1.0 - chance) * brings[i, 0, d] + chance * brings[i, 1, d]
        missed = missed_of(brings[i, own], promised, parameters[0] * unit, shares)
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
    room = np.empty((2, brings.shape[2]))
    for i in range(start, stop):
        chance = sigmoid(score[0, i])
        pull = pull_of(brings, i, chance, parameters, room)
        gradient[0, i] = pull * (outcome[i] - chance)
        curvature[0, i] = pull * chance * sigmoid(-score[0, i])


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
    """Fill the constant at which the pulls balance, by Newton steps from the logit of the share."""
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
    room = np.empty((2, brings.shape[2]))
    is_mixed = 0.0 < events < mass
    for _ in range(MOST_ROUNDS if is_mixed else 0):
        slope = 0.0
        bend = 0.0
        for i in range(outcome.shape[0]):
            total = value + offset[0, i]
            chance = sigmoid(total)
            pull = weight[i] * pull_of(brings, i, chance, parameters, room)
            slope += pull * (outcome[i] - chance)
            bend += pull * chance * sigmoid(-total)
        if bend <= 0.0 or stop_flag[0] != 0:
            break
        step = min(max(slope / bend, -LARGEST_STEP), LARGEST_STEP)
        value += step
        if abs(step) <= 1e-12 * max(1.0, abs(value)):
            break
    out[0] = value


def check_stakes(
    outcome: FloatArray, weight: FloatArray, parameters: payoff.Parameters, columns: payoff.Columns
) -> None:
    """Refuse cases without consequences, and cases for which every decision brings the same."""
    brings = columns["consequences"]
    unknown = ~np.isfinite(brings).all(axis=(1, 2))
    if unknown.any():
        raise payoff.PayoffError(
            "What decisions bring is not known for every case.",
            where=f"row {int(np.argmax(unknown)) + 1}",
            why=f"{int(unknown.sum()):,} cases lack a cost or an amount.",
            remedy="Fill them in, or train on the other rows only.",
        )
    if not (np.ptp(brings, axis=2) > 0.0).any():
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
    help="Keeps chances sensible far from any break-even; 1 is log loss weighted by the stakes.",
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
    help="Fits the chance of an event where your decision matrix makes it matter, in money.",
    formula=FORMULA,
    reference=REFERENCE,
    target=payoff.TargetDomain.BINARY,
    loss=expected_profit_loss,
    negative_gradient=expected_profit_gradient,
    initial_score=expected_profit_initial_score,
    response=bernoulli_response,
    link=bernoulli_link,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    parameters=(SOFTNESS, LOG_SHARE),
    extras=(payoff.Extra.WEIGHT, payoff.Extra.OFFSET, payoff.Extra.CONSEQUENCES),
    check_cases=check_stakes,
    response_low=0.0,
    response_high=1.0,
)
