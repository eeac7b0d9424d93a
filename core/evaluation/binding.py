"""Metric plugins bound to their parameters and compiled, and calls into them made safe."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from core.document.plugin_results import MetricInfo
from core.evaluation.cases import JudgedCases
from core.evaluation.problem import JudgedScores, MetricRequest
from core.evaluation.rows.row_kernels import MARKS, UNFILLED, settle_rows
from core.kernels import compile_kernel, with_kernels
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.facts import facts_of
from payoff.kernels import is_kernel
from payoff.parameters import Parameters, parameter_array, resolve_parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, metric_title
from payoff.types import AnyArray, FloatArray, IntArray
from payoff.vocabulary import COLUMN_ROLE, Input, MetricForm, WeightMeaning

Answer = TypeVar("Answer")

_FROM_PROBABILITIES = frozenset({Input.PROBABILITY, Input.PREDICTIONS, Input.CONSEQUENCES})
_PLAIN_INPUTS = frozenset({Input.OUTCOME, Input.SCORE, Input.PROBABILITY, Input.PREDICTIONS})


class MetricRefusal(Exception):  # noqa: N818 - a gap in the table with its reason, not a failure
    """A metric has no value for these data; the text says why."""


def _known(cases: JudgedCases, model: JudgedScores, words: str, column: str) -> AnyArray:
    """A column of the data that a metric chose, (n,).

    Raises
    ------
    MetricRefusal
        If there is no such column of numbers, or it has gaps.
    """
    found = cases.extra(model, f"{COLUMN_ROLE}{column}")
    if found is None:
        raise MetricRefusal(f"It needs a column of numbers for {words}; '{column}' is none.")
    gaps = int(np.count_nonzero(np.isnan(found)))
    if gaps:
        raise MetricRefusal(f"The column '{column}' has no number in {counted(gaps, 'case')}.")
    return np.ascontiguousarray(found)


@dataclass(frozen=True, eq=False)
class BoundMetric:
    """A metric with checked parameters."""

    request: MetricRequest

    @property
    def spec(self) -> EvaluationMetric:
        """What the plugin registered."""
        return self.request.spec

    @property
    def key(self) -> str:
        """The name that cells and comparisons call this metric by."""
        return self.request.key

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Parameter values by name, defaults filled in."""
        return resolve_parameters(self.spec.parameters, self.request.numbers)

    @property
    def parameter_words(self) -> str:
        """The parameters that were given, in the user's words: "bins 5, slope fitted along"."""
        requested = dict(self.request.parameters)
        read = [item for item in self.spec.columns if item.name in requested]
        columns = [f"{item.words} {requested[item.name]}" for item in read]
        numbers = [
            f"{item.words} {item.text(self.parameters[item.name])}"
            for item in self.spec.parameters
            if any(name in requested for name in (item.name, *item.aliases))
        ]
        return ", ".join((*columns, *numbers))

    @cached_property
    def array(self) -> FloatArray:
        """Parameter values as kernels take them."""
        return parameter_array(self.spec.parameters, self.parameters)

    @property
    def is_prior_weighted(self) -> bool:
        """Whether prior weights apply.

        Rankings, money and general metrics are weighted to the priors; statistics of fit (log loss,
        Brier, accuracy) are not, and read the chances before correction. A spec may say otherwise.
        """
        if self.spec.prior_weighted is not None:
            return self.spec.prior_weighted
        is_mean = self.spec.form in (MetricForm.ROW_MEAN, MetricForm.SMOOTH)
        return not is_mean or Input.CONSEQUENCES in self.spec.inputs

    @cached_property
    def rows(self) -> Callable[..., Any]:
        """The kernel of row_mean and smooth metrics."""
        return _compiled(self.spec.rows, self.key)

    @cached_property
    def ranked(self) -> Callable[..., Any]:
        """The kernel of ranked metrics."""
        return _compiled(self.spec.ranked, self.key)

    @cached_property
    def compute(self) -> Callable[..., Any]:
        """The function of general metrics; kernels that it calls are compiled."""
        if self.spec.compute is None:
            raise MetricRefusal(f"The plugin of '{self.key}' gives no function for its form.")
        return with_kernels(self.spec.compute)

    @cached_property
    def trace(self) -> Callable[..., Any]:
        """The function of ranked curves; kernels that it calls are compiled."""
        if self.spec.trace is None:
            raise MetricRefusal(f"The plugin of '{self.key}' gives no function for its form.")
        return with_kernels(self.spec.trace)

    def remark(self, sample: Sample) -> str:
        """What the metric says beside its number, or an empty text."""
        if self._remark is None:
            return ""
        return str(self._remark(sample, self.parameters))

    @cached_property
    def _remark(self) -> Callable[[Sample, Parameters], str] | None:
        return None if self.spec.remark is None else with_kernels(self.spec.remark)

    def limits(self, sample: Sample) -> tuple[float, float, str] | None:
        """A 95 % interval of the metric's own and its name, or None."""
        if self.spec.interval is None:
            return None
        return with_kernels(self.spec.interval)(sample, self.parameters)

    @cached_property
    def _check(self) -> Callable[[Sample, Parameters], None] | None:
        return None if self.spec.check is None else with_kernels(self.spec.check)

    def info(self) -> MetricInfo:
        """What the table says over this metric: title, help, direction, variant."""
        spec = self.spec
        given: dict[str, float | str] = {**self.request.columns, **self.parameters}
        return facts_of(
            spec,
            MetricInfo,
            metric=self.key,
            title=metric_title(spec, self.parameters, self.request.columns),
            direction=str(spec.direction),
            unit=str(spec.number_unit),
            tasks=tuple(str(task) for task in spec.tasks),
            given=tuple(given.items()) if self.request.parameters else (),
        )

    def extras(self, cases: JudgedCases, model: JudgedScores) -> tuple[AnyArray, ...]:
        """The further arrays the kernel takes, in the order of the spec.

        Raises
        ------
        MetricRefusal
            If one is missing.
        """
        arrays = []
        for name in self.spec.inputs:
            if name in _PLAIN_INPUTS:
                continue
            found = cases.extra(model, str(name))
            if found is None and name == Input.PROPENSITY:
                found = cases.treated_share()
            if found is None:
                raise MetricRefusal(f"It needs {_words(name)}.")
            arrays.append(np.ascontiguousarray(found))
        for column in self.spec.columns:
            chosen = self.request.columns[column.name]
            arrays.append(_known(cases, model, column.words, chosen))
        return tuple(arrays)

    def check(self, cases: JudgedCases, model: JudgedScores) -> None:
        """Refuse what the metric says it cannot judge.

        Raises
        ------
        MetricRefusal
            With the reason.
        """
        self.check_kind(cases, model)
        if self._check is not None:
            self.refuse_sample(self.sample(cases, model))

    def check_kind(self, cases: JudgedCases, model: JudgedScores) -> None:
        """Refuse weights, and scores without chances, where the metric takes none.

        Raises
        ------
        MetricRefusal
        """
        is_weighted = cases.is_weighted or (self.is_prior_weighted and cases.factor is not None)
        if self.spec.weights == WeightMeaning.NONE and is_weighted:
            raise MetricRefusal(
                f"{self.spec.label} cannot take weights, and these cases are weighted."
            )
        needed = set(self.spec.inputs)
        if not model.has_probabilities and _FROM_PROBABILITIES & needed:
            raise MetricRefusal(
                f"'{model.name}' is a score without chances, and {self.spec.label} judges "
                "chances. Turn the score into chances first."
            )

    def refuse_sample(self, sample: Sample) -> None:
        """Refuse a sample that the metric says it cannot judge; as its check raises."""
        if self._check is not None:
            self._check(sample, self.parameters)

    def sample(self, cases: JudgedCases, model: JudgedScores) -> Sample:
        """The sample that the metric's checks and ``compute`` see."""
        return cases.sample(model) if self.is_prior_weighted else cases.fit_sample(model)

    @property
    def means(self) -> int:
        """How many means the rows give: several for smooth metrics."""
        return self.spec.n_means if self.spec.form == MetricForm.SMOOTH else 1

    def fill_rows(
        self,
        outcome: AnyArray,
        prediction: FloatArray,
        extras: tuple[AnyArray, ...],
        contribution: FloatArray,
        factor: FloatArray,
    ) -> None:
        """Let the plugin fill contributions and factors, (means, n) each, NaN before."""
        self.rows(outcome, prediction, self.array, *extras, contribution, factor, 0, len(outcome))

    def row_values(
        self,
        outcome: AnyArray,
        prediction: FloatArray,
        extras: tuple[AnyArray, ...],
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """Contribution times factor, factor, both (means, n), and the marks of ``settle_rows``.

        Raises
        ------
        MetricRefusal
            Where the plugin left factors unfilled.
        """
        numerator, divisor = np.full((2, self.means, len(outcome)), np.nan)
        marks = np.empty(MARKS, dtype=np.int64)
        self.fill_rows(outcome, prediction, extras, numerator, divisor)
        settle_rows(numerator, divisor, marks)
        refuse_unfilled(marks)
        return numerator, divisor, marks

    def rank_values(self, *sums: FloatArray) -> FloatArray:
        """The ranked kernel over draws: cumulative weights, L draws, to (L,).

        Of classes events and others, (L, G) each; of an experiment one array (rows, L, G).
        """
        draws = sums[0].shape[-2]
        out = np.full(draws, np.nan)
        self.ranked(*sums, self.array, out, 0, draws)
        return out

    def combined(self, means: FloatArray) -> FloatArray:
        """A smooth metric from row means (means, draws) to (draws,)."""
        assert self.spec.combine is not None
        values = np.asarray(self.spec.combine(means, self.parameters), dtype=np.float64)
        if values.shape != means.shape[1:]:
            raise MetricRefusal(
                f"The plugin's 'combine' gave shape {values.shape}, not {means.shape[1:]}."
            )
        return values


def refuse_unfilled(marks: IntArray) -> None:
    """Refuse rows without a factor.

    Raises
    ------
    MetricRefusal
        Where the plugin left factors unfilled.
    """
    if marks[UNFILLED]:
        raise MetricRefusal("Its rows have no weight factor: the plugin did not fill them.")


def _compiled(function: Callable[..., Any] | None, key: str) -> Callable[..., Any]:
    if function is None:
        raise MetricRefusal(f"The plugin of '{key}' gives no kernel for its form.")
    if is_kernel(function) and isinstance(function, types.FunctionType):
        return compile_kernel(function)
    return with_kernels(function)


def _words(name: Input) -> str:
    if name == Input.CONSEQUENCES:
        return "a decision matrix"
    return f"a column with the role '{name}'"


def reason_of(error: BaseException) -> str:
    """Why a metric has no value, in one line."""
    if isinstance(error, MetricRefusal):
        return str(error)
    if isinstance(error, PayoffError):
        return str(error)
    return f"The plugin failed: {type(error).__name__}: {error}"
