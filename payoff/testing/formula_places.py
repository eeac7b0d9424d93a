"""Where in a plugin's file the formula stands that a failed check is about."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from payoff.formula_kernels import formula_of
from payoff.specs import LossDistribution

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
    formula = formula_of(function)
    if formula is None:
        return ""
    code = formula.__code__
    line = code.co_firstlineno
    if arguments and callable(function):
        line = _last_line(code, function, arguments) or line
    return f" ({Path(code.co_filename).name}, line {line}, in {formula.__name__})"


def checked_formula(spec: object, check: str) -> str:
    """Return the place of the formula that a check of a loss is about, or ""."""
    if not isinstance(spec, LossDistribution) or check not in _FIELDS:
        return ""
    field = _FIELDS[check]
    found = getattr(spec, field)
    return formula_place(spec.negative_gradient if found is None else found)


def _last_line(code: CodeType, function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
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
        function(*arguments)
    finally:
        sys.settrace(before)
    return reached[0]
