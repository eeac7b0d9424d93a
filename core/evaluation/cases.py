"""A problem made ready: the event first, weights, prior weights, and each model's arrays.

Frequency weights: rows that stand for several are repeated, and intervals count them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.evaluation.problem import EvaluationProblem, JudgedScores, check_problem
from core.evaluation.ranked.ranking import RankedSample, prior_factor
from core.evaluation.rows.row_kernels import class_counts
from core.kernels import argsort_descending, group_ends
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.sample import Sample
from payoff.types import AnyArray, CodeArray, FloatArray, IntArray, OrderArray
from payoff.vocabulary import ResampleUnit, Task

WEIGHT_KINDS = ("sampling", "frequency")
MOST_ROWS = 100_000_000
_COPIES = 2**24  # copies of a row that get numbers of their own


def repeated(problem: EvaluationProblem) -> tuple[EvaluationProblem, IntArray | None]:
    """The problem with each row as often as its frequency weight says.

    Returns
    -------
    problem : EvaluationProblem
        Without weights; the same one where there is nothing to repeat.
    units : (rows,) int64 array or None
        A number for each copy that depends on its row's number only; None where nothing changed.

    Raises
    ------
    PayoffError
        For an unknown kind, weights that are not whole, or too many rows.
    """
    if problem.weight_kind not in WEIGHT_KINDS:
        raise no_such("kind of weights", problem.weight_kind, WEIGHT_KINDS)
    if problem.weight_kind == "sampling" or problem.frequency is None:
        return problem, None
    times = _times(problem)
    rows = np.repeat(np.arange(problem.size), times)
    numbers = np.arange(1, problem.size + 1) if problem.row_numbers is None else problem.row_numbers
    first = np.cumsum(times) - times
    copy = np.arange(len(rows)) - first[rows]
    units = np.asarray(numbers[rows] * _COPIES + copy, dtype=np.int64)
    models = tuple(
        replace(
            model,
            posteriors=_columns(model.posteriors, rows),
            prediction=_values(model.prediction, rows),
            fit_posteriors=_columns(model.fit_posteriors, rows),
            extras=_mapped(model.extras, rows),
        )
        for model in problem.models
    )
    made = replace(
        problem,
        models=models,
        outcome=None if problem.outcome is None else problem.outcome[rows],
        target=_values(problem.target, rows),
        frequency=None,
        cluster=None if problem.cluster is None else problem.cluster[rows],
        extras=_mapped(problem.extras, rows),
        row_numbers=np.asarray(numbers[rows], dtype=np.int64),
    )
    return made, units


def _times(problem: EvaluationProblem) -> IntArray:
    weight = problem.frequency
    assert weight is not None
    wrong = (weight != np.floor(weight)) | (weight >= _COPIES)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            f"The weight {weight[row]:g} cannot be a number of rows.",
            where=problem.row_text(row),
            why="Frequency weights say how often a row stands there: they are whole numbers.",
            remedy="Call the weights sampling weights.",
        )
    if weight.sum() > MOST_ROWS:
        raise PayoffError(
            f"The weights stand for {counted(weight.sum(), 'row')}; at most {MOST_ROWS:,} are "
            "repeated.",
            remedy="Call the weights sampling weights: values stay, intervals are wider.",
        )
    return weight.astype(np.int64)


def _columns(values: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if values is None else np.ascontiguousarray(values[:, rows])


def _values(values: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if values is None else values[rows]


def _mapped(columns: Mapping[str, AnyArray], rows: IntArray) -> dict[str, AnyArray]:
    return {name: values[rows] for name, values in columns.items()}


_NUMBER_TASKS = {"survival": Task.SURVIVAL, "ranking": Task.RANKING, "uplift": Task.UPLIFT}
_NO_WEIGHT: FloatArray = np.empty(0)


class JudgedCases:
    """The cases of a problem, with code 0 for the event.

    Parameters
    ----------
    problem : EvaluationProblem

    Raises
    ------
    PayoffError
        As in ``check_problem``, and for priors that no row can be weighted to.
    """

    def __init__(self, problem: EvaluationProblem) -> None:
        check_problem(problem)
        problem, units = repeated(problem)
        self.problem = problem
        event = problem.event_code
        rest = [code for code in range(len(problem.levels)) if code != event]
        self.places = np.array([event, *rest] if problem.levels else [], dtype=np.int64)
        self.levels: tuple[str, ...] = tuple(problem.levels[place] for place in self.places)
        self.weight = _NO_WEIGHT if problem.frequency is None else _plain(problem.frequency)
        self.units: IntArray = np.arange(problem.size, dtype=np.int64)
        if problem.row_numbers is not None:
            self.units = np.ascontiguousarray(problem.row_numbers, dtype=np.int64)
        if units is not None:
            self.units = units
        self._samples: dict[tuple[str, str], Sample] = {}
        self._counts: dict[tuple[object, ...], int] = {}
        self.keeps_orders = False
        self._orders: dict[str, tuple[OrderArray, IntArray]] = {}
        self.keeps_ranking = False  # the last one: some 20 bytes a row
        self._ranking: tuple[str, int, RankedSample] | None = None

    def __len__(self) -> int:
        return self.problem.size

    @property
    def has_classes(self) -> bool:
        """Whether the target has classes (else it is a number)."""
        return bool(self.levels)

    @property
    def class_count(self) -> int:
        """Classes; 1 for a number."""
        return max(len(self.levels), 1)

    @property
    def is_weighted(self) -> bool:
        """Whether cases count differently."""
        return len(self.weight) > 0 and bool(np.ptp(self.weight) > 0)

    @cached_property
    def codes(self) -> CodeArray:
        """Class codes, the event 0; zeros for a number. (n,) int32."""
        if self.problem.outcome is None:
            return np.zeros(len(self), dtype=np.int32)
        outcome = np.ascontiguousarray(self.problem.outcome, dtype=np.int32)
        if np.array_equal(self.places, np.arange(len(self.places))):
            return outcome
        return np.asarray(np.argsort(self.places)[outcome], dtype=np.int32)

    @cached_property
    def outcome(self) -> CodeArray | FloatArray:
        """What metrics are given: class codes, or the target's values."""
        return self.codes if self.has_classes else _plain(self.problem.target)

    @cached_property
    def class_frequency(self) -> FloatArray:
        """Sum of case weights per class, (K,)."""
        if not len(self.weight):
            return self.class_rows.astype(np.float64)
        counts = np.bincount(self.codes, weights=self.weight, minlength=self.class_count)
        return counts.astype(np.float64)

    @cached_property
    def class_rows(self) -> IntArray:
        """Rows per class, (K,)."""
        return class_counts(self.codes, self.class_count)

    @property
    def total_weight(self) -> float:
        """Sum of case weights."""
        return float(self.class_frequency.sum())

    @cached_property
    def priors(self) -> FloatArray | None:
        """Priors in the order of ``levels``, summing to 1."""
        if self.problem.priors is None or not self.has_classes:
            return None
        priors = np.asarray(self.problem.priors, dtype=np.float64)[self.places]
        if not (np.isfinite(priors) & (priors >= 0)).all() or priors.sum() <= 0:
            raise PayoffError(
                "Priors must be 0 or more, with one above 0.",
                where=f"priors {', '.join(f'{prior:g}' for prior in priors)}",
            )
        return np.asarray(priors / priors.sum())

    @cached_property
    def factor(self) -> FloatArray | None:
        """Prior weight of each class, (K,), or None without priors."""
        return prior_factor(self.class_frequency, self.priors)

    @cached_property
    def prior_weight(self) -> FloatArray:
        """Case weight times prior weight, (n,)."""
        weight = self.weight if len(self.weight) else np.ones(len(self))
        return weight if self.factor is None else np.asarray(weight * self.factor[self.codes])

    @cached_property
    def class_weight(self) -> FloatArray:
        """Weight of each class with prior weights, (K,)."""
        return self.class_frequency if self.factor is None else self.class_frequency * self.factor

    def probabilities(self, model: JudgedScores) -> FloatArray:
        """Posteriors (K, n) in the order of ``levels``, as decisions use them."""
        assert model.posteriors is not None
        return self._in_order(model.posteriors)

    def fitted_probabilities(self, model: JudgedScores) -> FloatArray:
        """Posteriors before prior correction, or predictions as (1, n)."""
        if not self.has_classes:
            return _plain(model.prediction).reshape(1, -1)
        if model.fit_posteriors is None:
            return self.probabilities(model)
        return self._in_order(model.fit_posteriors)

    def _in_order(self, posteriors: FloatArray) -> FloatArray:
        if np.array_equal(self.places, np.arange(len(self.places))):
            return _plain(posteriors)
        return np.ascontiguousarray(posteriors[self.places])

    def ranked(self, model: JudgedScores, level: int = 0) -> RankedSample:
        """The model's cases ranked by the chance of a level, that level's code swapped with 0."""
        if self._ranking is not None and self._ranking[:2] == (model.name, level):
            return self._ranking[2]
        codes, factor = self.codes, self.factor
        if level:
            swap = np.arange(self.class_count, dtype=np.int32)
            swap[[0, level]] = swap[[level, 0]]
            codes = swap[codes]
            factor = None if factor is None else factor[swap]
        score = np.ascontiguousarray(self.probabilities(model)[level])
        weight = self.weight if len(self.weight) else None
        self._ranking = None  # let go before the next one is made
        made = RankedSample(score, codes, classes=self.class_count, weight=weight, factor=factor)
        if self.keeps_ranking:
            self._ranking = model.name, level, made
        return made

    def keep_order(self, model: JudgedScores, ranking: RankedSample) -> None:
        """Let the samples of a model take over the order by the event's chance, if any is wanted.

        ``keeps_orders`` says whether: an order takes 12 bytes a row.
        """
        if self.keeps_orders:
            self._orders[model.name] = ranking.order, ranking.group_ends
            cumulated = _read_only(ranking.events), _read_only(ranking.others)
            self.sample(model).kept("payoff cumulative", lambda: cumulated, by_weight=True)

    def extra(self, model: JudgedScores, name: str) -> AnyArray | None:
        """A further array that a metric asks for, or None where there is none."""
        found = model.extras.get(name)
        return self.problem.extras.get(name) if found is None else found

    def treated_share(self) -> FloatArray | None:
        """The share of the treated as every case's chance of treatment, (n,); None without arms."""
        treated = self.problem.extras.get("treatment")
        if treated is None:
            return None
        weight = self.weight if len(self.weight) else np.ones(len(self))
        return np.full(len(self), float(weight @ treated.astype(np.float64) / weight.sum()))

    def units_of(self, unit: ResampleUnit) -> IntArray | None:
        """Numbers of what is drawn: rows, groups or clusters; None where the column is missing.

        Where the problem has clusters, rows are drawn by cluster too.
        """
        if unit == ResampleUnit.ROW:
            return self.units if self.clusters is None else self.clusters
        column = self.problem.extras.get(str(unit))
        if column is None:
            return self.clusters if unit == ResampleUnit.CLUSTER else None
        return np.unique(column, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def clusters(self) -> IntArray | None:
        """Number of each case's cluster, 0 upward, or None without clusters."""
        if self.problem.cluster is None:
            return None
        return np.unique(self.problem.cluster, return_inverse=True)[1].astype(np.int64)

    @property
    def cluster_count(self) -> int:
        """Clusters; 0 without."""
        return 0 if self.clusters is None else int(self.clusters.max()) + 1

    def counted(self, key: tuple[object, ...], count: Callable[[], int]) -> int:
        """A number of these cases, counted once."""
        if key not in self._counts:
            self._counts[key] = count()
        return self._counts[key]

    @property
    def drawn_words(self) -> str:
        """What a method adds where clusters are drawn."""
        return "" if self.clusters is None else f", by {counted(self.cluster_count, 'cluster')}"

    def sample(self, model: JudgedScores) -> Sample:
        """The sample of metrics weighted to the priors: corrected chances, prior weights."""
        prediction = (
            self.probabilities(model) if self.has_classes else self.fitted_probabilities(model)
        )
        return self._sample_of(("", model.name), model, prediction, self.prior_weight)

    def fit_sample(self, model: JudgedScores) -> Sample:
        """The sample of statistics of fit: chances before correction, case weights only."""
        if not self.has_classes or (self.factor is None and model.fit_posteriors is None):
            return self.sample(model)
        weight = self.weight if len(self.weight) else np.ones(len(self))
        return self._sample_of(("fit", model.name), model, self.fitted_probabilities(model), weight)

    def _sample_of(
        self, key: tuple[str, str], model: JudgedScores, prediction: FloatArray, weight: FloatArray
    ) -> Sample:
        if key not in self._samples:
            is_ranked = self.has_classes and (not key[0] or model.fit_posteriors is None)

            def rank(score: FloatArray) -> tuple[OrderArray, IntArray]:
                kept = self._orders.get(model.name) if is_ranked else None
                return _ranked(score) if kept is None else kept

            self._samples[key] = Sample(
                self.outcome,
                np.ascontiguousarray(prediction[0]),
                prediction=prediction,
                weight=weight,
                labels=self.levels,
                class_order=self.problem.class_order,
                task=None if self.has_classes else _NUMBER_TASKS.get(self.problem.kind),
                roles={**self.problem.extras, **model.extras},
                ranking=rank,
            )
        return self._samples[key]

    def release(self, model: JudgedScores) -> None:
        """Give back what a model's samples keep for metrics of the same weights."""
        for (_, name), sample in self._samples.items():
            if name == model.name:
                sample.release()

    def holds_fixed(self) -> str:
        """What prior-weighted intervals hold fixed, in words: "if 5.0 % are 'yes'"."""
        if self.priors is None:
            return ""
        level = self.levels[0]
        labels = self.problem.labels
        if len(labels) == len(self.problem.levels):
            level = labels[self.problem.event_code]
        return f"if {percent(float(self.priors[0]))} are '{level}'"


def _ranked(score: FloatArray) -> tuple[OrderArray, IntArray]:
    order = argsort_descending(score)
    return order, group_ends(order, score)


def _read_only(values: FloatArray) -> FloatArray:
    view = values.view()
    view.flags.writeable = False
    return view


def percent(share: float) -> str:
    """A share in words: one decimal, two below 1 %."""
    text = f"{share:.2%}" if 0 < share < 0.01 else f"{share:.1%}"
    return text.replace("%", "\N{NO-BREAK SPACE}%")


def _plain(values: FloatArray | None) -> NDArray[np.float64]:
    """A C-contiguous float64 array of its own flags, so that kernels compile once."""
    assert values is not None
    return np.ascontiguousarray(values, dtype=np.float64)
