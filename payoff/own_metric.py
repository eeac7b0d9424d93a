"""A metric or a curve from one function: ``@payoff.metric`` and ``@payoff.curve`` make a whole
plugin of a single ``.py`` file.
"""

from __future__ import annotations

import copyreg
import importlib
import inspect
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from payoff import formula_kernels
from payoff.curves import CurveAxes, CurveLine, CurveRanking
from payoff.errors import PayoffError
from payoff.kernels import is_kernel, kernel
from payoff.parameters import Parameter, Parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, ReferenceValue
from payoff.types import FloatArray
from payoff.vocabulary import (
    CurveAxis,
    DataColumn,
    Direction,
    Input,
    MetricForm,
    MetricOutput,
    NumberUnit,
    Task,
    WeightMeaning,
)

OwnFunction = Callable[..., Any]

_MARK = "is_own_metric"
_LINE = re.compile(r"(?m)^@(payoff\.)?(metric|curve)\(")


def metric(
    title: str,
    *,
    direction: str = "higher",
    task: str = "binary",
    value_range: tuple[float, float] = (-np.inf, np.inf),
    random_value: ReferenceValue = None,
    perfect_value: ReferenceValue = None,
    decimals: int = 3,
    unit: str = "",
    formula: str = "",
    reference: str = "",
    parameters: tuple[Parameter, ...] = (),
    columns: tuple[DataColumn, ...] = (),
    combine: Callable[[FloatArray, Parameters], FloatArray] | None = None,
    needs_others: bool = True,
    **fields: Any,
) -> Callable[[OwnFunction], EvaluationMetric]:
    """Make an evaluation metric of a function of numpy arrays, of one case, or of a ranking.

    The function's name is the metric's id, the first paragraph of its docstring its explanation.
    It is called as ``f(outcome, score)`` or ``f(outcome, score, weight)``; ``outcome`` is 1 for the
    event and 0 for all else (the value itself for numbers), ``score`` the chance of the event (the
    prediction), ``weight`` the case weights with priors; all float64 (n,). It returns a number.

    A function without ``weight`` is refused on weighted cases; its resamples are drawn by row.

    Called ``f(y, p)`` it is the figure of one case, of numbers and ``math`` alone: the metric is
    the weighted mean over cases. It may return ``(figure, counts)``: the mean is then over cases as
    far as they count, that of precision over the cases predicted as the event. With ``combine`` it
    returns several figures, or several such pairs.

    Called ``f(events, others)`` it is the figure of one ranking: float64 (groups,), the cumulative
    weight of the event and of all other cases at the end of each group of equal scores, highest
    score first; the last of each is the total, above 0. A ranking without events has no value, nor
    has one of events alone but with ``needs_others=False``. For these two the program writes the
    loop, over cases or draws, and compiles it. The metrics that ship are written so.

    Parameters
    ----------
    title : str
        Heads the column, and may name parameters: "Miss beyond {limit}".
    direction : {"higher", "lower", "none"}
        Which way is better.
    task : {"binary", "regression"}
    value_range : (float, float)
        Smallest and largest value.
    random_value, perfect_value : float or function, optional
        Of a model that knows nothing, and of one that knows all; a function gets (sample,
        parameters).
    decimals : int
    unit : {"", "money", "percent"}
    formula, reference : str
        For "what is this?".
    parameters : tuple of Parameter
        Numbers that the user sets: the function takes them last, by their names.
    columns : tuple of DataColumn
        A column of the data that the user chooses, an amount: ``f(y, p, amount)``; at most one.
    combine : function, optional
        ``combine(means, parameters)``, numpy: the metric of the means of several figures of a case,
        float64 (figures, draws), (draws,).
    needs_others : bool
        Of a ranking: whether one of events alone has no value.
    fields
        Further fields of ``payoff.EvaluationMetric``: aliases, is_maximum, area_slope ...

    Raises
    ------
    PayoffError
        If the function's arguments or one of the words are not those above.
    """
    if len(columns) > 1:
        raise PayoffError(
            "A function of one case reads one column of the data.",
            remedy="Write the metric of several as a kernel: payoff.EvaluationMetric.",
        )
    words = _Words(title, task, formula, reference, parameters, columns, combine, needs_others)

    def wrap(function: OwnFunction) -> EvaluationMetric:
        """Make the metric of a function; its arguments say what it is a function of."""
        better = Direction(_word(direction, [str(item) for item in Direction], "direction"))
        made = {
            **_own(function, words, _METRICS),
            "label": title,
            "title": title,
            "direction": better,
            "value_range": value_range,
            "random_value": random_value,
            "perfect_value": perfect_value,
            "decimals": decimals,
            "number_unit": NumberUnit(_word(unit, [str(item) for item in NumberUnit], "unit")),
        }
        return EvaluationMetric(**{**made, **fields})

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
    parameters: tuple[Parameter, ...] = (),
) -> Callable[[OwnFunction], EvaluationMetric]:
    """Make a chart of page Compare of a function of numpy arrays.

    The function is called as that of ``payoff.metric`` is, and returns ``(x, y)``, two arrays of
    one length, x from left to right. Bands come from resamples of the cases.

    Called ``f(depth, found, others)`` it is drawn of one ranking: float64 (1001,), the share of all
    cases that is acted on, and the shares of all events and of all others among them. The program
    calls it for the cases and for each draw; nothing is sorted again.

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
    parameters : tuple of Parameter
        Numbers that the user sets: the function takes them last, by their names.

    Raises
    ------
    PayoffError
        If the function's arguments or one of the words are not those above.
    """
    words = _Words(question, task, formula, reference, parameters)
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
            **_own(function, words, _CURVES),
            label=label or function.__name__.replace("_", " "),
            title=question,
            direction=Direction.NONE,
            output=MetricOutput.CURVE,
            value_range=value_range,
            axes=axes,
        )

    return wrap


@dataclass(frozen=True, slots=True)
class _Words:
    """What a metric and a curve say of themselves alike."""

    title: str
    task: str
    formula: str
    reference: str
    parameters: tuple[Parameter, ...]
    columns: tuple[DataColumn, ...] = ()
    combine: Callable[..., Any] | None = None
    needs_others: bool = True

    @property
    def last(self) -> tuple[str, ...]:
        """Names of the arguments that are parameters."""
        return tuple(item.name for item in self.parameters)

    @property
    def own(self) -> tuple[str, ...]:
        """Names of the arguments after those that say what it is a function of."""
        return (*(item.name for item in self.columns), *self.last)

    @property
    def has_classes(self) -> bool:
        """Whether the outcome has levels."""
        return _word(self.task, ("binary", "regression"), "task") == "binary"


def _own(function: OwnFunction, words: _Words, forms: Mapping[tuple[str, ...], _Form]) -> Any:
    """The fields of a spec that follow from its function and from what is said of it.

    Raises
    ------
    PayoffError
        If the function takes other arguments than one of the forms.
    """
    names = tuple(inspect.signature(function).parameters)
    first = names[: len(names) - len(words.own)]
    known = [("y", "p")] if words.columns else list(forms)  # a column has a value for each case
    if first not in known or names != (*first, *words.own):
        wanted = " or ".join(f"f({', '.join((*given, *words.own))})" for given in known)
        raise PayoffError(
            f"The function '{function.__name__}' takes {', '.join(names) or 'nothing'}.",
            remedy=f"Write {wanted}.",
        )
    if words.combine is not None and first != ("y", "p"):
        raise PayoffError(
            f"'{function.__name__}' has combine=, and is no function of one case.",
            remedy=f"Write f({', '.join(('y', 'p', *words.own))}), or leave combine out.",
        )
    if first in _RANKED and not words.has_classes:
        raise PayoffError(
            f"'{function.__name__}' is a function of a ranking, and its outcome is a number.",
            remedy=f"Write task='binary', or f({', '.join(('outcome', 'score', *words.last))}).",
        )
    prediction = Input.PROBABILITY if words.has_classes else Input.PREDICTIONS
    return {
        "id": function.__name__,
        "help": " ".join((inspect.getdoc(function) or words.title).split("\n\n")[0].split()),
        "formula": words.formula or f"{function.__name__}({', '.join(names)})",
        "reference": words.reference or "your own function",
        "inputs": (Input.OUTCOME, Input.SCORE if first in _RANKED else prediction),
        "tasks": (Task.BINARY if words.has_classes else Task.REGRESSION,),
        "parameters": words.parameters,
        "weights": WeightMeaning.CASE,
        **forms[first](function, words),
    }


def _compute_of(function: OwnFunction, words: _Words) -> dict[str, Any]:
    """The fields of a metric that is a function of all cases without weights."""
    return {**_weighted_compute_of(function, words, False), "weights": WeightMeaning.NONE}


def _weighted_compute_of(
    function: OwnFunction, words: _Words, is_weighted: bool = True
) -> dict[str, Any]:
    """The fields of a metric that is a function of all cases."""

    def compute(sample: Sample, parameters: Parameters) -> Any:
        """Call the function with outcome, score and, if it takes them, weights."""
        event = sample.outcome == 0 if sample.labels else sample.outcome
        arguments = [event.astype(np.float64), sample.score]
        weight = [sample.weight] if is_weighted else []
        answer = function(*arguments, *weight, *(parameters[name] for name in words.last))
        return answer if isinstance(answer, tuple) else float(answer)

    formula_kernels.note_formula(compute, function)
    return {"form": MetricForm.GENERAL, "compute": _marked(compute)}


def _kernel_of(
    function: OwnFunction, words: _Words, template: OwnFunction, part: str, **names: object
) -> OwnFunction:
    """A template of ``formula_kernels`` bound to a function."""
    values = formula_kernels.values_of(len(words.last), f"The metric '{function.__name__}'")
    formula = function if is_kernel(function) else kernel(shape="helper")(function)
    made = formula_kernels.bind(
        template,
        f"{function.__name__}_{part}",
        "elementwise",
        VALUES=values,
        FORMULA=formula,
        **names,
    )
    return _marked(made)


def _rows_of(function: OwnFunction, words: _Words) -> dict[str, Any]:
    """The fields of a metric that is made of means of a function of one case."""
    keep, n_means = _kept(function, words)
    rows = _kernel_of(
        function,
        words,
        formula_kernels.column_rows if words.columns else formula_kernels.case_rows,
        "rows",
        OUTCOME=formula_kernels.event_of if words.has_classes else formula_kernels.number_of,
        KEEP=keep,
    )
    form = MetricForm.ROW_MEAN if words.combine is None else MetricForm.SMOOTH
    return {
        "form": form,
        "rows": rows,
        "columns": words.columns,
        "combine": words.combine,
        "n_means": n_means,
    }


def _kept(function: OwnFunction, words: _Words) -> tuple[OwnFunction, int]:
    """How a formula's answer is kept, and of how many means; one case is tried to see it.

    Raises
    ------
    PayoffError
        If it answers with something else than its form allows.
    """
    defaults = [item.default for item in words.parameters]
    try:
        answer = function(1.0, 0.5, *(1.0 for _ in words.columns), *defaults)
    except (ArithmeticError, ValueError):  # undefined for this case: a number for others
        answer = math.nan
    answers = answer if isinstance(answer, tuple) and words.combine is not None else (answer,)
    are_pairs = [isinstance(item, tuple) and len(item) == 2 for item in answers]
    if all(are_pairs) or not any(isinstance(item, tuple) for item in answers):
        several = len(answers) > 1
        single = formula_kernels.keep_pair if all(are_pairs) else formula_kernels.keep_number
        many = formula_kernels.keep_pairs if all(are_pairs) else formula_kernels.keep_numbers
        return many if several else single, len(answers)
    raise PayoffError(
        f"The function '{function.__name__}' of one case returns {answer!r}.",
        remedy="Return a number, or a number and how much the case counts; several of either "
        "where the metric has combine=.",
    )


def _ranked_of(function: OwnFunction, words: _Words) -> dict[str, Any]:
    """The fields of a metric that is a function of one ranking."""
    template = formula_kernels.ranked_draws
    ranked = _kernel_of(function, words, template, "ranked", NEEDS_OTHERS=words.needs_others)
    return {"form": MetricForm.RANKED, "ranked": ranked}


def _trace_of(function: OwnFunction, words: _Words) -> dict[str, Any]:
    """The fields of a curve that is drawn of one ranking."""

    def trace(ranking: CurveRanking, parameters: Parameters) -> Any:
        """Call the function for the cases, or for each draw of them."""
        values = [parameters[name] for name in words.last]
        if ranking.found.ndim == 1:
            return function(ranking.depth, ranking.found, ranking.others, *values)
        drawn = zip(ranking.found, ranking.others, strict=True)
        lines = [function(ranking.depth, found, others, *values) for found, others in drawn]
        x, y = zip(*lines, strict=True)
        return np.stack(x), np.stack(y)

    formula_kernels.note_formula(trace, function)
    return {"form": MetricForm.RANKED, "trace": _marked(trace)}


_Form = Callable[[OwnFunction, _Words], dict[str, Any]]
_OF_ALL: dict[tuple[str, ...], _Form] = {
    ("outcome", "score"): _compute_of,
    ("outcome", "score", "weight"): _weighted_compute_of,
}
_METRICS: dict[tuple[str, ...], _Form] = {
    **_OF_ALL,
    ("y", "p"): _rows_of,
    ("events", "others"): _ranked_of,
}
_CURVES: dict[tuple[str, ...], _Form] = {**_OF_ALL, ("depth", "found", "others"): _trace_of}
_RANKED = (("events", "others"), ("depth", "found", "others"))
"""What a function is a function of, by its first arguments."""


def _marked(function: OwnFunction) -> OwnFunction:
    """The function, known as made by one of the two."""
    setattr(function, _MARK, True)
    return function


def _word(given: str, known: Any, name: str) -> str:
    if given not in known:
        raise PayoffError(
            f"There is no {name} '{given}'.",
            where="payoff.metric",
            remedy=f"Known: {', '.join(repr(item) for item in known)}.",
        )
    return given


def _metric_of(module: str, name: str) -> EvaluationMetric:
    """The metric that a module has under a name."""
    found: EvaluationMetric = getattr(importlib.import_module(module), name)
    return found


def _as_pickled(spec: EvaluationMetric) -> Any:
    """A metric as another process gets it: by its name, where its module has it under one.

    What one of the two made calls functions that no module has.
    """
    function = spec.compute or spec.rows or spec.ranked or spec.trace
    written = formula_kernels.formula_of(function)
    if written is not None:
        home = sys.modules.get(written.__module__)
        if getattr(home, written.__name__, None) == spec:
            return _metric_of, (written.__module__, written.__name__)
    return object.__reduce_ex__(spec, 4)


copyreg.pickle(EvaluationMetric, _as_pickled)


def own_metrics(names: dict[str, Any]) -> list[EvaluationMetric]:
    """What ``payoff.metric`` and ``payoff.curve`` made in a module, in its order."""
    specs = [value for value in names.values() if isinstance(value, EvaluationMetric)]
    made = [
        spec
        for spec in specs
        if getattr(spec.compute or spec.rows or spec.ranked or spec.trace, _MARK, False)
    ]
    return list(dict.fromkeys(made))


def has_own_metric(source: str) -> bool:
    """Whether a file's text uses one of the two; asked before any of its code runs."""
    return _LINE.search(source) is not None
