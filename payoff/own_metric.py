"""A metric from one function: ``@payoff.metric`` makes a whole plugin of a single ``.py`` file."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from payoff.errors import PayoffError
from payoff.parameters import Parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric
from payoff.vocabulary import (
    Direction,
    Input,
    MetricForm,
    NumberUnit,
    Task,
    WeightMeaning,
)

OwnFunction = Callable[..., float]

_ARGUMENTS = (("outcome", "score"), ("outcome", "score", "weight"))
_MARK = "is_own_metric"
_LINE = re.compile(r"(?m)^@(payoff\.)?metric\(")


def metric(
    title: str,
    *,
    direction: str = "higher",
    task: str = "binary",
    value_range: tuple[float, float] = (-np.inf, np.inf),
    random_value: float | None = None,
    perfect_value: float | None = None,
    decimals: int = 3,
    unit: str = "",
    formula: str = "",
    reference: str = "",
) -> Callable[[OwnFunction], EvaluationMetric]:
    """Make an evaluation metric of a function of numpy arrays.

    The function's name is the metric's id, the first line of its docstring its explanation. It is
    called as ``f(outcome, score)`` or ``f(outcome, score, weight)``; ``outcome`` is 1 for the event
    and 0 for all else (the value itself for numbers), ``score`` the chance of the event (the
    prediction), ``weight`` the case weights with priors; all float64 (n,). It returns a number.

    A function without ``weight`` is refused on weighted cases; its resamples are drawn by row.

    Parameters
    ----------
    title : str
        Heads the column.
    direction : {"higher", "lower", "none"}
        Which way is better.
    task : {"binary", "regression"}
    value_range : (float, float)
        Smallest and largest value.
    random_value, perfect_value : float, optional
        Of a model that knows nothing, and of one that knows all.
    decimals : int
    unit : {"", "money", "percent"}
    formula, reference : str
        For "what is this?".

    Raises
    ------
    PayoffError
        If the function's arguments or one of the words are not those above.
    """

    has_classes = _word(task, ("binary", "regression"), "task") == "binary"
    words: dict[str, Any] = {
        "label": title,
        "title": title,
        "reference": reference or "your own function",
        "direction": Direction(_word(direction, [str(item) for item in Direction], "direction")),
        "inputs": (Input.OUTCOME, Input.PROBABILITY if has_classes else Input.PREDICTIONS),
        "tasks": (Task.BINARY if has_classes else Task.REGRESSION,),
        "value_range": value_range,
        "random_value": random_value,
        "perfect_value": perfect_value,
        "decimals": decimals,
        "number_unit": NumberUnit(_word(unit, [str(item) for item in NumberUnit], "unit")),
    }
    return lambda function: _metric_of(function, formula, words)


def _metric_of(function: OwnFunction, formula: str, words: dict[str, Any]) -> EvaluationMetric:
    """The metric of a function; its arguments say whether it takes weights."""
    names = tuple(inspect.signature(function).parameters)
    if names not in _ARGUMENTS:
        raise PayoffError(
            f"The metric '{function.__name__}' takes {', '.join(names) or 'nothing'}.",
            remedy="Write f(outcome, score) or f(outcome, score, weight).",
        )
    is_weighted = len(names) == 3

    def compute(sample: Sample, parameters: Parameters) -> float:
        """Call the function with outcome, score and, if it takes them, weights."""
        del parameters
        event = sample.outcome == 0 if sample.labels else sample.outcome
        arguments = [event.astype(np.float64), sample.score]
        return float(function(*arguments, *([sample.weight] if is_weighted else [])))

    setattr(compute, _MARK, True)
    return EvaluationMetric(
        id=function.__name__,
        help=(inspect.getdoc(function) or words["title"]).splitlines()[0],
        formula=formula or f"{function.__name__}({', '.join(names)})",
        form=MetricForm.GENERAL,
        weights=WeightMeaning.CASE if is_weighted else WeightMeaning.NONE,
        compute=compute,
        **words,
    )


def _word(given: str, known: Any, name: str) -> str:
    if given not in known:
        raise PayoffError(
            f"There is no {name} '{given}'.",
            where="payoff.metric",
            remedy=f"Known: {', '.join(repr(item) for item in known)}.",
        )
    return given


def own_metrics(names: dict[str, Any]) -> list[EvaluationMetric]:
    """The metrics that ``payoff.metric`` made among the names of a module, in their order."""
    found = [
        value
        for value in names.values()
        if isinstance(value, EvaluationMetric) and getattr(value.compute, _MARK, False)
    ]
    return list(dict.fromkeys(found))


def has_own_metric(source: str) -> bool:
    """Whether a file's text uses ``payoff.metric``; asked before any of its code runs."""
    return _LINE.search(source) is not None
