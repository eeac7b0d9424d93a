"""Where in a plugin's file the formula stands that a failed check is about."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from payoff.formula_kernels import formula_of
from payoff.specs import EvaluationMetric, LossDistribution
from payoff.testing.cases import scored_sample
from payoff.testing.host import metric_answer
from payoff.vocabulary import Task

_OF_WORDS = ("Spec is filled in", "Words are there")
_FIELDS = {
    "Leaf value obeys its kind": "leaf_values",
    "Initial score is the best constant": "initial_score",
    "Offsets are honoured": "initial_score",
    "Cases of weight 0 do not count": "initial_score",
    "The unit of the weights does not matter": "leaf_values",
    "Weight 2 equals a row twice": "leaf_values",
    "No missing or infinite values": "loss",
    "Response and link agree": "link",
    "Predictions stay in their range": "response",
    "A higher score never turns the prediction back": "response",
}
"""Check -> the field of a loss that it is about first; gradients say their own line."""


def formula_place(function: object, *arguments: Any) -> str:
    """Return " (own.py, line 12, in step)" for a kernel made of a formula, "" for any other.

    With the arguments of a call the line is the last one of the formula that the call runs.
    """
    if arguments and callable(function):
        return _place(function, lambda: function(*arguments))
    return _place(function, None)


def _place(function: object, call: Callable[[], Any] | None) -> str:
    """The place of the formula that a function was made of: where a call of it ends, if any."""
    formula = formula_of(function)
    if formula is None:
        return ""
    code = formula.__code__
    line = code.co_firstlineno
    if call is not None:
        line = _last_line(code, call) or line
    return f" ({Path(code.co_filename).name}, line {line}, in {formula.__name__})"


def checked_formula(spec: object, check: str) -> str:
    """Return the place of the formula that a check of a loss or metric is about, or ""."""
    if isinstance(spec, EvaluationMetric) and check not in _OF_WORDS:
        return _metric_place(spec)
    if not isinstance(spec, LossDistribution) or check not in _FIELDS:
        return ""
    field = _FIELDS[check]
    found = getattr(spec, field)
    return formula_place(spec.negative_gradient if found is None else found)


def _metric_place(metric: EvaluationMetric) -> str:
    """The line with which a decorated metric answers on made-up cases."""
    function = metric.rows or metric.ranked or metric.trace or metric.compute
    sample = scored_sample(Task(metric.tasks[0]), 60, np.random.default_rng(1))
    if formula_of(function) is None:
        return ""
    try:
        return _place(function, lambda: metric_answer(metric, sample))
    except Exception:  # it raises on these cases: the function itself is named
        return formula_place(function)


def _last_line(code: CodeType, call: Callable[[], Any]) -> int:
    """The line at which a call leaves the code of a formula for the last time."""
    reached = [0]

    def watch(frame: FrameType, event: str, _: object) -> Any:
        """Note the lines of the formula; other frames are not watched."""
        if frame.f_code is not code:
            return None
        reached[0] = frame.f_lineno
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        call()
    finally:
        sys.settrace(before)
    return reached[0]
