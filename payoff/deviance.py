"""The deviance metric that every loss distribution brings along.

The metric judges predictions on the response scale: its kernel turns them into scores with the
distribution's ``link``, takes the ``loss`` and subtracts the ``saturated`` loss. One template
serves all distributions; a copy of it is bound to the distribution's kernels, so that it compiles
and caches like a kernel written out by hand.
"""

from __future__ import annotations

from types import FunctionType

import numpy as np

from payoff.errors import PayoffError
from payoff.kernels import kernel
from payoff.parameters import Parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, Kernel, LossDistribution
from payoff.types import CodeArray, FloatArray
from payoff.vocabulary import Direction, Extra, Input, MetricForm, TargetDomain, Task

_OWN_EXTRAS = {Extra.WEIGHT, Extra.OFFSET}
_NUMBER_DOMAINS = (TargetDomain.REAL, TargetDomain.COUNTS, TargetDomain.POSITIVE)


@kernel(shape="elementwise")
def no_saturated_loss(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the saturated loss of distributions whose perfect prediction costs nothing."""
    out[start:stop] = 0.0


# The names bound in each copy of the templates; here the ones that cost nothing.
LINK: Kernel = no_saturated_loss
LOSS: Kernel = no_saturated_loss
SATURATED: Kernel = no_saturated_loss
DEVIANCE: Kernel = no_saturated_loss


def _number_rows(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    size = stop - start
    score = np.empty((1, size))
    lowest = np.empty(size)
    cost = np.empty(size)
    LINK(prediction[0:1, start:stop].copy(), parameters, score, 0, size)
    LOSS(outcome[start:stop], score, parameters, cost, 0, size)
    SATURATED(outcome[start:stop], parameters, lowest, 0, size)
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
    DEVIANCE(outcome, prediction, parameters, contribution[0], start, stop)
    factor[0, start:stop] = 1.0


def _event_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    size = stop - start
    is_event = np.empty(size)
    for i in range(size):
        is_event[i] = 1.0 if outcome[start + i] == 0 else 0.0
    score = np.empty((1, size))
    lowest = np.empty(size)
    cost = np.empty(size)
    LINK(prediction[0:1, start:stop].copy(), parameters, score, 0, size)
    LOSS(is_event, score, parameters, cost, 0, size)
    SATURATED(is_event, parameters, lowest, 0, size)
    for i in range(size):
        contribution[0, start + i] = cost[i] - lowest[i]
        factor[0, start + i] = 1.0


def _class_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    size = stop - start
    classes = outcome[start:stop].astype(np.float64)
    score = np.empty((prediction.shape[0], size))
    lowest = np.empty(size)
    cost = np.empty(size)
    LINK(prediction[:, start:stop].copy(), parameters, score, 0, size)
    LOSS(classes, score, parameters, cost, 0, size)
    SATURATED(classes, parameters, lowest, 0, size)
    for i in range(size):
        contribution[0, start + i] = cost[i] - lowest[i]
        factor[0, start + i] = 1.0


def deviance_metric(distribution: LossDistribution) -> EvaluationMetric | None:
    """Return the metric ``<id>_deviance`` of a distribution, or None where a case cannot be judged
    alone by its prediction (survival, groups, further columns).
    """
    if set(distribution.extras) - _OWN_EXTRAS or distribution.arrange is not None:
        return None
    if distribution.target == TargetDomain.CLASSES and distribution.n_scores == 0:
        task, needs, template = (
            Task.MULTICLASS,
            Input.PROBABILITY,
            _bound(_class_rows, distribution),
        )
    elif distribution.n_scores != 1:
        return None
    elif distribution.target == TargetDomain.BINARY:
        task, needs, template = Task.BINARY, Input.PROBABILITY, _bound(_event_rows, distribution)
    elif distribution.target in _NUMBER_DOMAINS:
        task, needs = Task.REGRESSION, Input.PREDICTIONS
        direct = distribution.deviance is not None
        template = _bound(_direct_rows if direct else _number_rows, distribution)
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
        rows=template,
        check=_prediction_check(distribution),
        expected_failures=distribution.deviance_expected_failures,
    )


def _bound(template: Kernel, distribution: LossDistribution) -> Kernel:
    """Copy the template with its three names bound to the distribution's kernels.

    The copy has a qualified name of its own: compiled code on disk is filed by that name.
    """
    assert isinstance(template, FunctionType)
    names = {
        **globals(),
        "LINK": distribution.link,
        "LOSS": distribution.loss,
        "SATURATED": distribution.saturated or no_saturated_loss,
        "DEVIANCE": distribution.deviance or no_saturated_loss,
    }
    name = f"{distribution.id}_deviance_rows"
    copy = FunctionType(template.__code__, names, name)
    copy.__qualname__, copy.__module__ = name, __name__
    copy.__doc__ = f"Deviance of {distribution.label}, case by case."
    return kernel(shape="elementwise")(copy)


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
