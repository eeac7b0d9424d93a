"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.distributions.bernoulli import BERNOULLI
from plugins.distributions.gaussian import GAUSSIAN
from plugins.distributions.laplace import LAPLACE
from plugins.distributions.poisson import POISSON


@payoff.hookimpl
def payoff_register_distributions() -> list[payoff.LossDistribution]:
    """Return the built-in distributions."""
    return [GAUSSIAN, BERNOULLI, POISSON, LAPLACE]
