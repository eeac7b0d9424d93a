"""The deviance metric that every loss distribution brings along.

The metric judges predictions on the response scale: its kernel turns them into scores with the
distribution's ``link``, takes the ``loss`` and subtracts the ``saturated`` loss. One template
serves all distributions; a copy of it is bound to the distribution's kernels, so that it compiles
and caches like a kernel written out by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from payoff.errors import PayoffError
from payoff.formula_kernels import bind
from payoff.kernels import kernel
from payoff.parameters import Parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, Kernel, LossDistribution
from payoff.types import AnyArray, CodeArray, FloatArray
from payoff.vocabulary import Direction, Extra, Input, MetricForm, TargetDomain, Task

_OWN_EXTRAS = {Extra.WEIGHT, Extra.OFFSET}
_EVERY_OUTPUT = 2**31
"""More predictions than a case has: all of them."""
_NUMBER_DOMAINS = (TargetDomain.REAL, TargetDomain.COUNTS, TargetDomain.POSITIVE)


@kernel(shape="elementwise")
def no_saturated_loss(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the saturated loss of distributions whose perfect prediction costs nothing."""
    out[start:stop] = 0.0


@kernel(shape="helper")
def _numbers(outcome: FloatArray) -> FloatArray:
    """Return outcomes that are numbers."""
    return outcome


@kernel(shape="helper")
def _events(codes: CodeArray) -> FloatArray:
    """Return 1 for each event, the first level, and 0 for any other."""
    return np.asarray(codes == 0).astype(np.float64)


@kernel(shape="helper")
def _classes(codes: CodeArray) -> FloatArray:
    """Return codes of classes as losses read them."""
    return codes.astype(np.float64)


# The names bound in each copy of the templates; here the ones that cost nothing.
LINK: Kernel = no_saturated_loss
LOSS: Kernel = no_saturated_loss
SATURATED: Kernel = no_saturated_loss
DEVIANCE: Kernel = no_saturated_loss
ACTUAL: Callable[..., FloatArray] = _numbers
OUTPUTS = 1


def _judged_rows(
    outcome: AnyArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the loss of each case less that of a perfect prediction."""
    size = stop - start
    predicted = prediction[:OUTPUTS, start:stop].copy()
    actual = ACTUAL(outcome[start:stop])
    score = np.empty(predicted.shape)
    lowest = np.empty(size)
    cost = np.empty(size)
    LINK(predicted, parameters, score, 0, size)
    LOSS(actual, score, parameters, cost, 0, size)
    SATURATED(actual, parameters, lowest, 0, size)
    for i in range(size):
        contribution[0, start + i] = cost[i] - lowest[i]
        factor[0, start + i] = 1.0


def _direct_rows(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the deviance of each case as the distribution writes it."""
    DEVIANCE(outcome, prediction, parameters, contribution[0], start, stop)
    factor[0, start:stop] = 1.0


def deviance_metric(distribution: LossDistribution) -> EvaluationMetric | None:
    """Return the metric ``<id>_deviance`` of a distribution, or None where a case cannot be judged
    alone by its prediction (survival, groups, further columns).
    """
    if set(distribution.extras) - _OWN_EXTRAS or distribution.arrange is not None:
        return None
    template: Kernel = _judged_rows
    actual: Callable[..., FloatArray] = _numbers
    outputs = 1
    if distribution.target == TargetDomain.CLASSES and distribution.n_scores == 0:
        task, needs = Task.MULTICLASS, Input.PROBABILITY
        actual, outputs = _classes, _EVERY_OUTPUT
    elif distribution.n_scores != 1:
        return None
    elif distribution.target == TargetDomain.BINARY:
        task, needs, actual = Task.BINARY, Input.PROBABILITY, _events
    elif distribution.target in _NUMBER_DOMAINS:
        task, needs = Task.REGRESSION, Input.PREDICTIONS
        template = _judged_rows if distribution.deviance is None else _direct_rows
    else:
        return None
    return EvaluationMetric(
        id=f"{distribution.id}_deviance",
        label=f"{distribution.label} deviance",
        help=f"Mean loss of the {distribution.label} distribution, 0 for a perfect prediction.",
        formula=distribution.formula,
        reference=distribution.reference,
        direction=Direction.LOWER,
        inputs=(Input.OUTCOME, needs),
        tasks=(task,),
        form=MetricForm.ROW_MEAN,
        value_range=(0.0, np.inf),
        perfect_value=0.0,
        parameters=distribution.parameters,
        decimals=4,
        rows=bind(
            template,
            f"{distribution.id}_deviance_rows",
            "elementwise",
            LINK=distribution.link,
            LOSS=distribution.loss,
            SATURATED=distribution.saturated or no_saturated_loss,
            DEVIANCE=distribution.deviance,
            ACTUAL=actual,
            OUTPUTS=outputs,
        ),
        check=_prediction_check(distribution),
        expected_failures=distribution.deviance_expected_failures,
    )


def _prediction_check(distribution: LossDistribution) -> Kernel:
    """Return the check that predictions lie in the distribution's range."""
    low, high = distribution.response_low, distribution.response_high

    def check(sample: Sample, parameters: Parameters) -> None:
        """Refuse a prediction outside the range, naming its row."""
        predicted = sample.posteriors[0]
        if distribution.is_response_open:
            wrong = ~((predicted > low) & (predicted < high))
        else:
            wrong = ~((predicted >= low) & (predicted <= high))
        if wrong.any():
            row = int(np.argmax(wrong))
            ends = "above" if distribution.is_response_open else "at least"
            raise PayoffError(
                f"The prediction {predicted[row]:g} has no {distribution.label} deviance.",
                where=f"row {row + 1}",
                why=f"It must be {ends} {low:g}"
                + (f" and at most {high:g}." if np.isfinite(high) else "."),
            )

    return check
