"""Tukey's biweight: misses beyond a limit cost no more than the limit, so wild values have no say.

Beaton & Tukey 1974, The fitting of power series, meaning polynomials, illustrated on
band-spectroscopic data, Technometrics 16.
"""

import payoff
from payoff.numeric import identity_response, weighted_median


@payoff.kernel(shape="helper")
def trust(miss, limit):
    """How much a case counts beside one that fits: 1 at no miss, 0 from the limit on."""
    if abs(miss) >= limit:
        return 0.0
    share = miss / limit
    return (1.0 - share * share) ** 2


@payoff.kernel(shape="elementwise")
def loss(outcome, score, parameters, out, start, stop):
    """limit² ÷ 6 · (1 − (1 − (miss ÷ limit)²)³), and limit² ÷ 6 beyond the limit."""
    limit = parameters[0]
    for i in range(start, stop):
        share = min(1.0, abs(outcome[i] - score[0, i]) / limit)
        out[i] = limit * limit / 6.0 * (1.0 - (1.0 - share * share) ** 3)


@payoff.kernel(shape="elementwise")
def negative_gradient(outcome, score, parameters, gradient, curvature, start, stop):
    """Minus the slope of the loss, and the trust in the case in place of its curvature.

    The true curvature turns negative between limit ÷ √5 and the limit. A step by the trust is a
    weighted mean of the misses and never raises the loss.
    """
    for i in range(start, stop):
        miss = outcome[i] - score[0, i]
        curvature[0, i] = trust(miss, parameters[0])
        gradient[0, i] = curvature[0, i] * miss


@payoff.kernel(shape="whole")
def initial_score(outcome, weight, offset, parameters, out, stop_flag):
    """From the weighted median by weighted means to the nearest best constant."""
    value = weighted_median(outcome - offset[0], weight)
    for _ in range(1000):
        total = 0.0
        mass = 0.0
        for i in range(outcome.shape[0]):
            miss = outcome[i] - offset[0, i] - value
            pull = weight[i] * trust(miss, parameters[0])
            total += pull * miss
            mass += pull
        step = total / mass if mass > 0.0 else 0.0
        value += step
        if abs(step) <= 1e-14 * max(1.0, abs(value)) or stop_flag[0] != 0:
            break
    out[0] = value


BIWEIGHT = payoff.LossDistribution(
    id="tukey_biweight",
    label="Tukey's biweight",
    asks="a number in which wild values are to have no say",
    help="Counts small misses squared and stops counting beyond a limit.",
    formula="mean of w · limit² ÷ 6 · (1 − (1 − (y − F)² ÷ limit²)³), at most limit² ÷ 6",
    reference="Beaton & Tukey 1974",
    target=payoff.TargetDomain.REAL,
    loss=loss,
    negative_gradient=negative_gradient,
    initial_score=initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    parameters=(
        payoff.Parameter(
            name="limit",
            words="misses count up to",
            default=4.685,
            minimum=0.0,
            is_minimum_open=True,
            help="In the unit of the outcome; 4.685 times its usual spread is Tukey's advice.",
        ),
    ),
)


@payoff.hookimpl
def payoff_register_distributions():
    """Tell Payoff of the loss."""
    return [BIWEIGHT]
