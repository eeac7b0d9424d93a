"""A metric or a curve from one function: ``@payoff.metric`` and ``@payoff.curve`` make a whole
plugin of a single ``.py`` file.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from payoff import formula_kernels
from payoff.curves import CurveAxes, CurveLine
from payoff.errors import PayoffError
from payoff.kernels import is_kernel, kernel
from payoff.parameters import Parameter, Parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric
from payoff.vocabulary import (
    CurveAxis,
    Direction,
    Input,
    MetricForm,
    MetricOutput,
    NumberUnit,
    Task,
    WeightMeaning,
)

OwnFunction = Callable[..., Any]

_ARGUMENTS = (("outcome", "score"), ("outcome", "score", "weight"))
_OF_A_CASE = ("y", "p")
_MARK = "is_own_metric"
_LINE = re.compile(r"(?m)^@(payoff\.)?(metric|curve)\(")


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
    parameters: tuple[Parameter, ...] = (),
) -> Callable[[OwnFunction], EvaluationMetric]:
    """Make an evaluation metric of a function of numpy arrays, or of one case.

    The function's name is the metric's id, the first line of its docstring its explanation. It is
    called as ``f(outcome, score)`` or ``f(outcome, score, weight)``; ``outcome`` is 1 for the event
    and 0 for all else (the value itself for numbers), ``score`` the chance of the event (the
    prediction), ``weight`` the case weights with priors; all float64 (n,). It returns a number.

    A function without ``weight`` is refused on weighted cases; its resamples are drawn by row.

    Called ``f(y, p)`` it is the figure of one case, of numbers and ``math`` alone: the metric is
    the weighted mean over cases. The program writes the loop, compiles it, and is as fast as with
    metrics that ship.

    Parameters
    ----------
    title : str
        Heads the column, and may name parameters: "Miss beyond {limit}".
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
    parameters : tuple of Parameter
        Numbers that the user sets: the function takes them last, by their names.

    Raises
    ------
    PayoffError
        If the function's arguments or one of the words are not those above.
    """

    def wrap(function: OwnFunction) -> EvaluationMetric:
        """Make the metric of a function; its arguments say whether it takes weights."""
        better = Direction(_word(direction, [str(item) for item in Direction], "direction"))
        return EvaluationMetric(
            **_own(function, title, task, formula, reference, parameters, of_case=True),
            label=title,
            title=title,
            direction=better,
            value_range=value_range,
            random_value=random_value,
            perfect_value=perfect_value,
            decimals=decimals,
            number_unit=NumberUnit(_word(unit, [str(item) for item in NumberUnit], "unit")),
        )

    return wrap


def curve(
    question: str,
    *,
    x: str,
    y: str,
    axis: str = "value",
    label: str = "",
    task: str = "binary",
    x_unit: str = "percent",
    y_unit: str = "percent",
    value_range: tuple[float, float] = (-np.inf, np.inf),
    references: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    formula: str = "",
    reference: str = "",
) -> Callable[[OwnFunction], EvaluationMetric]:
    """Make a chart of page Compare of a function of numpy arrays.

    The function is called as that of ``payoff.metric`` is, and returns ``(x, y)``, two arrays of
    one length, x from left to right. Bands come from resamples of the cases.

    Parameters
    ----------
    question : str
        Heads the chart.
    x, y : str
        Names of the axes.
    axis : {"depth", "lowest", "chance", "share", "prediction", "value"}
        What the x axis is: the shared cursor stands in a chart by depth, chance or prediction.
    label : str, optional
        The field's word, below the question; left out = the function's name.
    task : {"binary", "regression"}
    x_unit, y_unit : {"percent", ""}
    value_range : (float, float)
        Smallest and largest y.
    references : {name: (x, y)}, optional
        Grey lines.
    formula, reference : str
        For "what is this?".

    Raises
    ------
    PayoffError
        If the function's arguments or one of the words are not those above.
    """
    units = [str(unit) for unit in NumberUnit]
    grey = tuple(
        CurveLine(name=name, x=np.asarray(ends[0], float), y=np.asarray(ends[1], float))
        for name, ends in (references or {}).items()
    )
    axes = CurveAxes(
        question=question,
        x=x,
        y=y,
        axis=CurveAxis(_word(axis, [str(item) for item in CurveAxis], "axis")),
        x_unit=NumberUnit(_word(x_unit, units, "unit")),
        y_unit=NumberUnit(_word(y_unit, units, "unit")),
        references=(lambda basis, lines, parameters: grey) if grey else None,
    )

    def wrap(function: OwnFunction) -> EvaluationMetric:
        """Make the curve of a function."""
        return EvaluationMetric(
            **_own(function, question, task, formula, reference),
            label=label or function.__name__.replace("_", " "),
            title=question,
            direction=Direction.NONE,
            output=MetricOutput.CURVE,
            value_range=value_range,
            axes=axes,
        )

    return wrap


def _own(
    function: OwnFunction,
    title: str,
    task: str,
    formula: str,
    reference: str,
    parameters: tuple[Parameter, ...] = (),
    *,
    of_case: bool = False,
) -> dict[str, Any]:
    """What a metric and a curve of one function have in common."""
    names = tuple(inspect.signature(function).parameters)
    last = tuple(item.name for item in parameters)
    first = names[: len(names) - len(last)]
    known = (*_ARGUMENTS, _OF_A_CASE) if of_case else _ARGUMENTS
    if first not in known or names != (*first, *last):
        wanted = " or ".join(f"f({', '.join((*words, *last))})" for words in known)
        raise PayoffError(
            f"The function '{function.__name__}' takes {', '.join(names) or 'nothing'}.",
            remedy=f"Write {wanted}.",
        )
    has_classes = _word(task, ("binary", "regression"), "task") == "binary"
    made = _rows_of if first == _OF_A_CASE else _compute_of
    return {
        "id": function.__name__,
        "help": (inspect.getdoc(function) or title).splitlines()[0],
        "formula": formula or f"{function.__name__}({', '.join(names)})",
        "reference": reference or "your own function",
        "inputs": (Input.OUTCOME, Input.PROBABILITY if has_classes else Input.PREDICTIONS),
        "tasks": (Task.BINARY if has_classes else Task.REGRESSION,),
        "parameters": parameters,
        **made(function, last, has_classes=has_classes, is_weighted=len(first) == 3),
    }


def _compute_of(
    function: OwnFunction, last: tuple[str, ...], *, has_classes: bool, is_weighted: bool
) -> dict[str, Any]:
    """The fields of a metric that is a function of all cases."""
    del has_classes

    def compute(sample: Sample, parameters: Parameters) -> Any:
        """Call the function with outcome, score and, if it takes them, weights."""
        event = sample.outcome == 0 if sample.labels else sample.outcome
        arguments = [event.astype(np.float64), sample.score]
        weight = [sample.weight] if is_weighted else []
        answer = function(*arguments, *weight, *(parameters[name] for name in last))
        return answer if isinstance(answer, tuple) else float(answer)

    setattr(compute, _MARK, True)
    return {
        "form": MetricForm.GENERAL,
        "weights": WeightMeaning.CASE if is_weighted else WeightMeaning.NONE,
        "compute": compute,
    }


def _rows_of(
    function: OwnFunction, last: tuple[str, ...], *, has_classes: bool, is_weighted: bool
) -> dict[str, Any]:
    """The fields of a metric that is the mean of a function of one case."""
    del is_weighted
    template = formula_kernels.class_rows if has_classes else formula_kernels.number_rows
    rows = formula_kernels.bind(
        template,
        f"{function.__name__}_rows",
        "elementwise",
        VALUES=formula_kernels.values_of(len(last), f"The metric '{function.__name__}'"),
        FORMULA=function if is_kernel(function) else kernel(shape="helper")(function),
    )
    setattr(rows, _MARK, True)
    return {"form": MetricForm.ROW_MEAN, "weights": WeightMeaning.CASE, "rows": rows}


def _word(given: str, known: Any, name: str) -> str:
    if given not in known:
        raise PayoffError(
            f"There is no {name} '{given}'.",
            where="payoff.metric",
            remedy=f"Known: {', '.join(repr(item) for item in known)}.",
        )
    return given


def own_metrics(names: dict[str, Any]) -> list[EvaluationMetric]:
    """What ``payoff.metric`` and ``payoff.curve`` made in a module, in its order."""
    specs = [value for value in names.values() if isinstance(value, EvaluationMetric)]
    found = [spec for spec in specs if getattr(spec.compute or spec.rows, _MARK, False)]
    return list(dict.fromkeys(found))


def has_own_metric(source: str) -> bool:
    """Whether a file's text uses one of the two; asked before any of its code runs."""
    return _LINE.search(source) is not None
