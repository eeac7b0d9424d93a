"""What the curves share: the spec's usual fields, grey lines, shares in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import payoff
from payoff.curves import CurveLine
from payoff.types import FloatArray

CLASSES = (payoff.Task.BINARY, payoff.Task.MULTICLASS)
WHOLE = (0.0, 1.0)
OF_PROBABILITIES: dict[str, Any] = {
    "inputs": (payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    "tasks": CLASSES,
    "form": payoff.MetricForm.GENERAL,
}
"""Fields of curves that look at the chance of each case."""


def curve_spec(
    name: str, label: str, axes: payoff.CurveAxes, **fields: Any
) -> payoff.EvaluationMetric:
    """A curve's spec; its title is the question that its chart answers."""
    return payoff.EvaluationMetric(
        id=name,
        label=label,
        title=axes.question,
        direction=payoff.Direction.NONE,
        output=payoff.MetricOutput.CURVE,
        axes=axes,
        **fields,
    )


def over_probabilities(question: str, y: str, **fields: Any) -> payoff.CurveAxes:
    """Axes of a chart over the event's predicted chance."""
    return payoff.CurveAxes(
        question=question, x="predicted chance", y=y, axis=payoff.CurveAxis.CHANCE, **fields
    )


def grey(name: str, x: Sequence[float] | FloatArray, y: Sequence[float] | FloatArray) -> CurveLine:
    """A grey line of a few points."""
    return CurveLine(
        name=name, x=np.asarray(x, dtype=np.float64), y=np.asarray(y, dtype=np.float64)
    )


def steady(*lines: CurveLine) -> Callable[..., tuple[CurveLine, ...]]:
    """Grey lines that are the same for all cases, as ``CurveAxes.references`` takes them."""

    def references(
        basis: Any, models: Sequence[CurveLine], parameters: payoff.Parameters
    ) -> tuple[CurveLine, ...]:
        """The lines, whatever the cases are."""
        del basis, models, parameters
        return lines

    return references


def percent(share: float) -> str:
    """A share in words: one decimal, two below 1 %."""
    text = f"{share:.2%}" if 0 < share < 0.01 else f"{share:.1%}"
    return text.replace("%", "\N{NO-BREAK SPACE}%")
