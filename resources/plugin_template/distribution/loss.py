"""My plugin: the logarithm of the hyperbolic cosine of the miss, as a loss to train with."""

import math

import payoff

WIDTH = payoff.Parameter(
    name="width",
    words="a miss is large from",
    default=1.0,
    minimum=0.0,
    is_minimum_open=True,
)


@payoff.loss(
    "My plugin",
    asks="a number in which large misses should not rule",
    formula="mean of w · width² log cosh((y − F) ÷ width)",
    parameters=(WIDTH,),
)
class MyPlugin:
    """Counts small misses squared and large ones as they are."""

    def loss(y, f, width):
        size = abs(y - f) / width
        # log cosh without overflow: e to a large number never appears.
        return width * width * (size + math.log1p(math.exp(-2.0 * size)) - math.log(2.0))

    def step(y, f, width):
        pull = math.tanh((y - f) / width)
        return width * pull, 1.0 - pull * pull


@payoff.hookimpl
def payoff_register_distributions():
    """Tell Payoff of the loss."""
    return [MyPlugin]
