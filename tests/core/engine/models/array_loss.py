"""A plugin whose loss is written as kernels over arrays, the form of contract 1.0."""

from __future__ import annotations

from pathlib import Path

from core.extensions.authoring import new_plugin

SOURCE = '''"""My plugin: the logarithm of the hyperbolic cosine of the miss, as a loss."""

import math

import payoff
from payoff.numeric import identity_response


@payoff.kernel(shape="elementwise")
def loss(outcome, score, parameters, out, start, stop):
    """The loss of each case: width² log cosh(miss ÷ width)."""
    width = parameters[0]
    for i in range(start, stop):
        size = abs(outcome[i] - score[0, i]) / width
        # log cosh without overflow: e to a large number never appears.
        out[i] = width * width * (size + math.log1p(math.exp(-2.0 * size)) - math.log(2.0))


@payoff.kernel(shape="elementwise")
def negative_gradient(outcome, score, parameters, gradient, curvature, start, stop):
    """Minus the slope of the loss by the score, and its curvature."""
    width = parameters[0]
    for i in range(start, stop):
        pull = math.tanh((outcome[i] - score[0, i]) / width)
        gradient[0, i] = width * pull
        curvature[0, i] = 1.0 - pull * pull


@payoff.kernel(shape="whole")
def initial_score(outcome, weight, offset, parameters, out, stop_flag):
    """The best number for all cases, found between the smallest and the largest outcome."""
    width = parameters[0]
    low, high = math.inf, -math.inf
    for i in range(outcome.shape[0]):
        if weight[i] > 0.0:
            low = min(low, outcome[i] - offset[0, i])
            high = max(high, outcome[i] - offset[0, i])
    for _ in range(200):  # halving: the sum of pulls falls as the score rises
        middle = 0.5 * (low + high)
        total = 0.0
        for i in range(outcome.shape[0]):
            total += weight[i] * math.tanh((outcome[i] - offset[0, i] - middle) / width)
        if total > 0.0:
            low = middle
        else:
            high = middle
        if stop_flag[0] != 0:
            break
    out[0] = 0.5 * (low + high)


LOSS = payoff.LossDistribution(
    id="my_plugin",
    label="My plugin",
    asks="a number in which large misses should not rule",
    help="Counts small misses squared and large ones as they are.",
    formula="mean of w · width² log cosh((y − F) ÷ width)",
    target=payoff.TargetDomain.REAL,
    loss=loss,
    negative_gradient=negative_gradient,
    initial_score=initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,  # the gradient above is the slope of the loss above, not half of it
    parameters=(
        payoff.Parameter(
            name="width",
            words="a miss is large from",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
        ),
    ),
)


@payoff.hookimpl
def payoff_register_distributions():
    """Tell Payoff of the loss."""
    return [LOSS]
'''


def new_array_loss(name: str, folder: Path) -> Path:
    """Make a plugin with such a loss in a folder of plugins; return its file."""
    place = Path(new_plugin("distribution", name, folder)) / "loss.py"
    text = SOURCE.replace("my_plugin", name.lower()).replace("My plugin", name.capitalize())
    place.write_text(text, "utf-8")
    return place
