"""Logistic loss: the chance of a yes-or-no outcome."""

from __future__ import annotations

import payoff
from payoff.numeric import log1p_exp


@payoff.loss(
    "Bernoulli",
    asks="a yes or no",
    usual_for=(payoff.Task.BINARY,),
    gbm_improvement_factor=0.5,
    plain=payoff.PlainWords(
        "Chance of yes",
        "Learns how likely a yes is for each case. Every tree corrects the chances where they are "
        "still wrong.",
        "when decisions and profit need true chances.",
    ),
    formula="mean of −2 w (y F − log(1 + e^F)), F = logit of the chance",
    reference="Friedman 2001; Ridgeway, Generalized boosted models",
    target=payoff.TargetDomain.BINARY,
    link="logit",
    gradient_factor=0.5,
)
class Bernoulli:
    """Logistic loss: fits the chance of an event; twice the log loss."""

    @staticmethod
    def loss(y: float, f: float) -> float:
        """Return -2 (y F - log(1 + exp F)), written so that a certain and right score costs 0."""
        return 2.0 * log1p_exp(-f if y > 0.5 else f)

    @staticmethod
    def step(y: float, f: float, mu: float, slope: float) -> tuple[float, float]:
        """Return y - p and p (1 - p)."""
        return y - mu, slope

    start = payoff.balance(is_of_mean=True)
