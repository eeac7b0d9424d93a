"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.distributions.adaboost import Adaboost
from plugins.distributions.aft import AFT
from plugins.distributions.bernoulli import Bernoulli
from plugins.distributions.coxph import COXPH
from plugins.distributions.expected_profit import EXPECTED_PROFIT
from plugins.distributions.expected_profit_classes import EXPECTED_PROFIT_CLASSES
from plugins.distributions.expectile import Expectile
from plugins.distributions.gamma import Gamma
from plugins.distributions.gaussian import Gaussian
from plugins.distributions.huber import Huber
from plugins.distributions.huberized import Huberized
from plugins.distributions.laplace import Laplace
from plugins.distributions.multi_quantile import MULTI_QUANTILE
from plugins.distributions.multinomial import MULTINOMIAL
from plugins.distributions.negative_binomial import NegativeBinomial
from plugins.distributions.ordinal import ORDINAL
from plugins.distributions.pairwise import PAIRWISE
from plugins.distributions.poisson import Poisson
from plugins.distributions.quantile import Quantile
from plugins.distributions.tdist import Tdist
from plugins.distributions.tweedie import Tweedie
from plugins.distributions.uplift import UPLIFT, UPLIFT_BASELINE

BUILT_IN: tuple[object, ...] = (
    # numbers
    Gaussian,
    Laplace,
    Tdist,
    Quantile,
    MULTI_QUANTILE,
    Expectile,
    Huber,
    # classes
    Bernoulli,
    Huberized,
    Adaboost,
    MULTINOMIAL,
    ORDINAL,
    # money
    EXPECTED_PROFIT,
    EXPECTED_PROFIT_CLASSES,
    # counts and amounts
    Poisson,
    NegativeBinomial,
    Gamma,
    Tweedie,
    # times and rankings
    COXPH,
    AFT,
    PAIRWISE,
    # effects
    UPLIFT,
    UPLIFT_BASELINE,
)


@payoff.hookimpl
def payoff_register_distributions() -> list[payoff.LossDistribution]:
    """Return the built-in distributions."""
    return [payoff.loss_of(item) for item in BUILT_IN]
