"""What is to be evaluated: outcomes, models' chances or predictions, weights, priors, metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from core.document.results import EvaluationResult, RowsNote
from core.evaluation.rows.row_kernels import class_counts
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.specs import EvaluationMetric
from payoff.types import AnyArray, CodeArray, FloatArray, IntArray

ProgressCall = Callable[[float, str, EvaluationResult | None], None]
CallingCall = Callable[[EvaluationMetric], AbstractContextManager[None]]
StopCall = Callable[[], bool]
StepCall = Callable[[float, str], None]


def ignore_partial(fraction: float, stage: str, partial: EvaluationResult | None) -> None:
    """The progress call of a caller that does not look."""


def call_unmarked(spec: EvaluationMetric) -> AbstractContextManager[None]:
    """The marker of a caller that need not know which metric is being called."""
    del spec
    return nullcontext()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedScores:
    """What one model says about the cases.

    Attributes
    ----------
    name : str
        The model's name.
    posteriors : (K, n) float64 array or None
        Chances per class as decisions use them, that is after prior correction. Charts and ranked
        metrics read them. None for an interval target.
    prediction : (n,) float64 array or None
        Predicted values of an interval target.
    fit_posteriors : (K, n) float64 array or None
        Chances before prior correction, for the statistics of fit (log loss, Brier, accuracy),
        which are not prior-weighted. None: the same as ``posteriors``.
    extras : mapping of role to (n,) array
        Per-case arrays of this model that metrics ask for by role: "consequences" = what each case
        brought under the model's decisions.
    has_probabilities : bool
        False: the posteriors only rank cases (a score without chances), so that metrics of chances
        and money by the rule are refused with the reason.
    """

    name: str
    posteriors: FloatArray | None = None
    prediction: FloatArray | None = None
    fit_posteriors: FloatArray | None = None
    extras: Mapping[str, AnyArray] = field(default_factory=dict)
    has_probabilities: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRequest:
    """One metric with its parameters; ``key`` names its column in the table.

    ``name`` is what it was asked for by, where that is not its id.
    """

    spec: EvaluationMetric
    parameters: tuple[tuple[str, Any], ...] = ()
    name: str = ""

    @property
    def columns(self) -> dict[str, str]:
        """The column chosen for each that the metric reads; first the one of its own name."""
        given = dict(self.parameters)
        return {item.name: str(given.get(item.name, item.name)) for item in self.spec.columns}

    @property
    def numbers(self) -> dict[str, Any]:
        """The parameters that were given, without columns."""
        names = {item.name for item in self.spec.columns}
        return {name: value for name, value in self.parameters if name not in names}

    @property
    def key(self) -> str:
        """``id`` or ``id(parameter=value)``, as scripts address it."""
        if not self.parameters:
            return self.name or self.spec.id
        inner = ", ".join(f"{name}={_printed(value)}" for name, value in self.parameters)
        return f"{self.name or self.spec.id}({inner})"


def _printed(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


class RankedSums(Protocol):
    """Sums at the ends of groups of equal scores of every model, rows as in ``UpliftSum``."""

    def whole(self, model: int, *, has_propensity: bool) -> FloatArray:
        """Of the cases as they are, (rows, 1, groups)."""

    def binned(self, model: int, *, has_propensity: bool) -> FloatArray:
        """The same at the ends of the bins that draws are made on, (rows, 1, bins)."""

    def draws(
        self,
        draws: int,
        seed: int,
        *,
        has_propensity: bool,
        should_stop: Callable[[], bool],
        step: Callable[[float], None],
    ) -> Iterator[tuple[int, list[FloatArray]]]:
        """Number of the first draw, and for every model (rows, lanes, bins)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationProblem:
    """Everything an evaluation needs, as arrays over the rows used.

    Attributes
    ----------
    kind : str
        "binary" or "multiclass"; of a number "regression" ("interval"), "survival" or "ranking";
        "uplift" of an experiment, whose outcome is a number and whose predictions are effects.
    models : tuple of ModelScores
        The models, in the order of the table.
    metrics : tuple of MetricRequest
        The columns of the table.
    rows : RowsNote
        Which rows these are, in words.
    levels : tuple of str
        Classes in printed form, the event first (binary, multiclass).
    class_order : tuple of str
        The same levels in their own order, where it was declared or asked.
    outcome : (n,) int32 array or None
        Codes into ``levels``; every one known (the caller drops and counts -1).
    target : (n,) float64 array or None
        Values of an interval target.
    frequency : (n,) float64 array or None
        Case weights, above 0.
    priors : (K,) float64 array or None
        Class shares that charts, ranked metrics and profits are weighted to.
    level : str or None
        The level that ranks and charts call the event; None: the first.
    reference : str or None
        The model that others are compared with; None: the first.
    resamples : int
        Poisson bootstrap draws; 0 gives analytic intervals only.
    extras : mapping of role to array
        Per-case arrays, the same for all models, that metrics may ask for by role (group ...).
    labels : tuple of str
        The user's words for ``levels``, or empty.
    cluster : (n,) array or None
        Cases of one value hang together (a customer's visits): intervals draw them together.
    weight_kind : str
        "sampling": a weight says how much a case counts, and it is one case in an interval;
        "frequency": it says how often the row stands there, and rows are repeated.
    case_word : (str, str)
        One case, several cases.
    row_numbers : (n,) int64 array or None
        Rows as the user counts them in the file, for messages; None: 1, 2, ...
    charts : tuple of str
        Kinds of charts (``core.document.compare.chart_kinds``) beyond the usual five of classes.
    curves : tuple of MetricRequest
        The curve plugins that there are; those among ``charts``, and the usual ones, are drawn.
    convention : str
        Whose definitions the charts follow.
    ranked_sums : RankedSums or None
        Of an experiment: the sums by arm that its ranked metrics read.
    """

    kind: str
    models: tuple[JudgedScores, ...]
    metrics: tuple[MetricRequest, ...]
    rows: RowsNote
    levels: tuple[str, ...] = ()
    class_order: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    outcome: CodeArray | None = None
    target: FloatArray | None = None
    frequency: FloatArray | None = None
    priors: FloatArray | None = None
    level: str | None = None
    reference: str | None = None
    seed: int = 20261
    resamples: int = 1000
    extras: Mapping[str, AnyArray] = field(default_factory=dict)
    row_numbers: IntArray | None = None
    case_word: tuple[str, str] = ("case", "cases")
    charts: tuple[str, ...] = ()
    curves: tuple[MetricRequest, ...] = ()
    convention: str = "payoff"
    cluster: AnyArray | None = None
    weight_kind: str = "sampling"
    ranked_sums: RankedSums | None = None

    @property
    def size(self) -> int:
        """Rows that figures are computed from."""
        values = self.target if self.outcome is None else self.outcome
        return 0 if values is None else len(values)

    @property
    def event_code(self) -> int:
        """The position of the event level in ``levels``."""
        return 0 if self.level is None else self.levels.index(self.level)

    @property
    def reference_name(self) -> str:
        """The model that others are compared with."""
        return self.reference or (self.models[0].name if self.models else "")

    def row_text(self, position: int) -> str:
        """How a message names a row."""
        number = position + 1 if self.row_numbers is None else self.row_numbers[position]
        return f"row {int(number):,}"


USUAL_OF_CLASSES = ("roc", "gains", "lift", "calibration", "score_distribution")
"""Charts of classes that are always drawn."""


def wanted_curves(problem: EvaluationProblem) -> tuple[MetricRequest, ...]:
    """The curve plugins that are to be drawn."""
    usual = USUAL_OF_CLASSES if problem.levels else ()
    return tuple(entry for entry in problem.curves if entry.spec.id in (*usual, *problem.charts))


def check_problem(problem: EvaluationProblem) -> None:
    """Refuse a problem that no number could be given for.

    Raises
    ------
    PayoffError
        No rows, no models, lengths that differ, unknown outcomes, weights that are not above 0,
        chances that are missing or outside 0 to 1, or a target with one class only.
    """
    if not problem.models:
        raise PayoffError("There is no model to evaluate.", remedy="Name a model's columns.")
    if problem.size == 0:
        raise PayoffError(
            "No row is left to evaluate.",
            where=problem.rows.text,
            why="Every row was dropped, or the outcome is known in none.",
            remedy="Choose other rows, or check the target's column.",
        )
    _check_weights(problem)
    if not problem.levels:
        for model in problem.models:
            _check_prediction(problem, model)
        return
    _check_classes(problem)
    for model in problem.models:
        _check_posteriors(problem, model)


def _check_weights(problem: EvaluationProblem) -> None:
    weight = problem.frequency
    if weight is None:
        return
    if len(weight) != problem.size:
        raise PayoffError(
            f"{counted(len(weight), 'weight is', 'weights are')} given for "
            f"{counted(problem.size, 'row')}."
        )
    bad = ~(weight > 0) | ~np.isfinite(weight)
    if bad.any():
        row = int(np.argmax(bad))
        raise PayoffError(
            "A weight is not a number above 0.",
            where=f"{problem.row_text(row)}, weight {weight[row]:g}",
            remedy="Drop the row, or mend its weight.",
        )


def _check_classes(problem: EvaluationProblem) -> None:
    outcome = problem.outcome
    assert outcome is not None
    if problem.level is not None and problem.level not in problem.levels:
        raise PayoffError(
            f"'{problem.level}' is not a level of the target.",
            where=f"levels {', '.join(problem.levels)}",
        )
    if outcome.min() < 0:
        row = int(np.argmax(outcome < 0))
        raise PayoffError(
            "The outcome of a row is not known.",
            where=problem.row_text(row),
            remedy="Leave rows without an outcome out before evaluating.",
        )
    counts = class_counts(outcome, len(problem.levels))
    if np.count_nonzero(counts) < 2:
        only = problem.levels[int(np.argmax(counts))]
        raise PayoffError(
            f"The outcome has one class only, '{only}': two are needed to compare models.",
            where=problem.rows.text,
            remedy="Choose rows in which both happen."
            if len(problem.levels) == 2
            else "Choose rows in which two or more of them happen.",
        )


def _check_posteriors(problem: EvaluationProblem, model: JudgedScores) -> None:
    shape = (len(problem.levels), problem.size)
    for probabilities in (model.posteriors, model.fit_posteriors):
        if probabilities is None:
            continue
        if probabilities.shape != shape:
            raise PayoffError(
                f"The chances of '{model.name}' have shape {probabilities.shape}, "
                f"{shape} is needed."
            )
        for code, level in enumerate(problem.levels):
            # A NaN makes both comparisons false.
            if not (probabilities[code].min() >= 0.0 and probabilities[code].max() <= 1.0):
                row = int(np.argmax(~((probabilities[code] >= 0.0) & (probabilities[code] <= 1.0))))
                raise PayoffError(
                    f"A chance of '{model.name}' is missing or not between 0 and 1.",
                    where=f"{problem.row_text(row)}, level {level}, "
                    f"value {probabilities[code][row]:g}",
                    remedy="Mend the value, or leave the row out.",
                )
    if model.posteriors is None:
        raise PayoffError(f"The model '{model.name}' has no chances.", remedy="Name its columns.")


def _check_prediction(problem: EvaluationProblem, model: JudgedScores) -> None:
    prediction = model.prediction
    if prediction is None or problem.target is None:
        raise PayoffError(
            f"The model '{model.name}' has no predictions.", remedy="Name its prediction column."
        )
    if prediction.shape != problem.target.shape:
        raise PayoffError(
            f"'{model.name}' has {counted(len(prediction), 'prediction')} for "
            f"{counted(problem.size, 'row')}."
        )
    bad = ~np.isfinite(prediction)
    if bad.any():
        row = int(np.argmax(bad))
        raise PayoffError(
            f"A prediction of '{model.name}' is missing or not finite.",
            where=f"{problem.row_text(row)}, value {prediction[row]:g}",
            remedy="Mend the value, or leave the row out.",
        )
