"""Tukey's biweight: misses beyond a limit cost no more than the limit, so wild values have no say.

Beaton & Tukey 1974, The fitting of power series, meaning polynomials, illustrated on
band-spectroscopic data, Technometrics 16.
"""

import payoff
from payoff.numeric import weighted_median

LIMIT = payoff.Parameter(
    name="limit",
    words="misses count up to",
    default=4.685,
    minimum=0.0,
    is_minimum_open=True,
    help="In the unit of the outcome; 4.685 times its usual spread is Tukey's advice.",
)


@payoff.kernel(shape="helper")
def trust(miss, limit):
    """How much a case counts beside one that fits: 1 at no miss, 0 from the limit on."""
    if abs(miss) >= limit:
        return 0.0
    share = miss / limit
    return (1.0 - share * share) ** 2


@payoff.kernel(shape="helper")
def nearest_centre(y, f, weight, limit):
    """From the weighted median by weighted means to the nearest best constant."""
    value = weighted_median(y - f, weight)
    for _ in range(1000):
        total = 0.0
        mass = 0.0
        for i in range(y.shape[0]):
            miss = y[i] - f[i] - value
            pull = weight[i] * trust(miss, limit)
            total += pull * miss
            mass += pull
        step = total / mass if mass > 0.0 else 0.0
        value += step
        if abs(step) <= 1e-14 * max(1.0, abs(value)):
            break
    return value


@payoff.loss(
    "Tukey's biweight",
    asks="a number in which wild values are to have no say",
    formula="mean of w · limit² ÷ 6 · (1 − (1 − (y − F)² ÷ limit²)³), at most limit² ÷ 6",
    reference="Beaton & Tukey 1974",
    parameters=(LIMIT,),
)
class TukeyBiweight:
    """Counts small misses squared and stops counting beyond a limit."""

    start = payoff.best_shift(nearest_centre)

    def loss(y, f, limit):
        share = min(1.0, abs(y - f) / limit)
        return limit * limit / 6.0 * (1.0 - (1.0 - share * share) ** 3)

    def step(y, f, limit):
        # The true curvature turns negative between limit ÷ √5 and the limit. A step by the trust
        # is a weighted mean of the misses and never raises the loss.
        weight = trust(y - f, limit)
        return weight * (y - f), weight


@payoff.hookimpl
def payoff_register_distributions():
    """Tell Payoff of the loss."""
    return [TukeyBiweight]
