"""What stays the same while a person edits a matrix: marks, folds, orders, mean chances, memory.

A workspace belongs to one table's rows. Edits of cells, priors or costs reuse what they do not
touch; with two classes and two decisions the order of cases is that of the posterior, whatever
the matrix says, and is sorted once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from core.decisions.depths.chance_curve import (
    PlacedDepths,
    ProbabilityCurve,
    ProbabilityPrefix,
    place_depths,
    probability_prefix,
)
from core.decisions.depths.depth import GRID, DepthCurve, Ordering, order_by
from core.decisions.depths.table import DepthTable, depth_table
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.cases import NO_CODES, NO_FLOATS, case_marks
from core.decisions.passes.decision_pass import (
    MARK_COST,
    MARK_FREQUENCY,
    MARK_LEVEL,
    MARK_POSTERIOR,
)
from core.decisions.passes.rating_kernels import (
    ShortArray,
    probability_sums,
    write_folds,
)
from core.decisions.passes.tables import ModelTables, best_by_class
from core.decisions.priors import prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.model import ChartMode
from core.document.results import RowsNote
from core.kernels import CHUNK_ROWS
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import AnyArray, FloatArray

CALIBRATION_BINS = 1000

Answer = TypeVar("Answer")
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class CountedRows:
    """Which rows count in every total, the same for all models."""

    serial: int  # tells one choice of rows from another in a workspace
    marks: ByteArray  # (n,), or empty where every row counts
    rows: int
    class_rows: FloatArray  # (levels,), rows
    class_cases: FloatArray  # (levels,), sum of frequencies
    dropped: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilitySums:
    """Sums of posteriors of one model: (outcome level, level, before and after) and bins."""

    sums: FloatArray
    bins: FloatArray  # (bins, outcome level, cases and sum of the event's chance)


@dataclass(frozen=True, slots=True, eq=False)
class ModelState:
    """One model of the last analysis."""

    scores: ModelScores
    curve: DepthCurve | ProbabilityCurve
    tables: ModelTables
    own_expected: FloatArray  # (levels,), expected consequence of the own decisions
    probabilities: ProbabilitySums

    @property
    def is_by_probability(self) -> bool:
        """Whether cases are in the order of the event's posterior itself."""
        return self.curve.is_by_probability


@dataclass(frozen=True, slots=True, eq=False)
class AnalysisState:
    """The last analysis, for the cursor and for resampling."""

    problem: DecisionProblem
    chart_mode: ChartMode
    reference: int
    rows: CountedRows
    class_weight: FloatArray
    models: tuple[ModelState, ...]
    holds_fixed: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Analysis:
    """An analysis that studies of its cases are worked out from, and the rows it is about."""

    state: AnalysisState
    rows: RowsNote

    def model(self, name: str) -> ModelState:
        """Return a model by its name; refuse a name that is not known."""
        found = next((entry for entry in self.state.models if entry.scores.name == name), None)
        if found is None:
            names = [entry.scores.name for entry in self.state.models]
            raise no_such("model", name, names, listed="Known models")
        return found


class DecisionWorkspace:
    """Reusable parts of analyses of the same rows. One analysis at a time (``lock``)."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.state: AnalysisState | None = None
        self._kept: dict[int, AnyArray] = {}
        self._answers: dict[tuple[object, ...], tuple[tuple[object, ...], object]] = {}
        self._tables: dict[int, DepthTable] = {}
        self._serial = 0
        self._buffers: dict[tuple[str, str], AnyArray] = {}

    def _remember(self, *arrays: AnyArray | None) -> tuple[int, ...]:
        """Identity of arrays; they are kept alive so that it stays theirs."""
        for values in arrays:
            if values is not None:
                self._kept[id(values)] = values
        return tuple(id(values) if values is not None else 0 for values in arrays)

    def begin(self, problem: DecisionProblem, models: tuple[ModelScores, ...]) -> None:
        """Forget what belongs to other rows or models."""
        needed: list[AnyArray | None] = [problem.outcome, problem.frequency]
        needed += (*problem.cost_columns.values(), _amounts(problem))
        needed += [values for model in models for values in _scores_of(model)]
        alive = {id(values) for values in needed if values is not None}
        gone = set(self._kept) - alive
        if gone:
            self._answers = {
                family: answer
                for family, answer in self._answers.items()
                if gone.isdisjoint(part for part in family if isinstance(part, int))
            }
            self._kept = {name: values for name, values in self._kept.items() if name in alive}
        wanted = {model.name for model in models}
        self._buffers = {name: held for name, held in self._buffers.items() if name[0] in wanted}

    def buffer(self, model: str, name: str, rows: int, kind: type[Number]) -> NDArray[Number]:
        """Memory that an analysis of this model fills anew; its first touch is what costs."""
        held = self._buffers.get((model, name))
        if held is None or held.shape[0] != rows or held.dtype != np.dtype(kind):
            held = np.empty(rows, dtype=kind)
            self._buffers[(model, name)] = held
        return cast("NDArray[Number]", held)

    def _answer(
        self, family: tuple[object, ...], version: tuple[object, ...], make: Callable[[], Answer]
    ) -> Answer:
        """What was worked out before for this version, or make it; older versions are dropped."""
        known = self._answers.get(family)
        if known is not None and known[0] == version:
            return cast(Answer, known[1])
        made = make()
        self._answers[family] = (version, made)
        return made

    def counted_rows(
        self, problem: DecisionProblem, models: tuple[ModelScores, ...]
    ) -> CountedRows:
        """Rows with a known class, a frequency, every cost, and good posteriors of every model."""
        version = (
            *self._remember(problem.outcome, problem.frequency, *problem.cost_columns.values()),
            *self._remember(_amounts(problem)),
            *self._remember(*(values for model in models for values in _scores_of(model))),
            *(_refused_levels(problem, model) for model in models),
        )

        def make() -> CountedRows:
            self._serial += 1
            return _count_rows(problem, models, self._serial)

        return self._answer(("rows",), version, make)

    def folds(self, rows: int, seed: int) -> ByteArray:
        """Fold 0 or 1 of every row, by row number and seed."""

        def make() -> ByteArray:
            folds = np.empty(rows, dtype=np.uint8)
            write_folds(seed, folds)
            return folds

        return self._answer(("folds",), (rows, seed), make)

    def probability_order(self, model: ModelScores, counted: CountedRows, sign: float) -> Ordering:
        """Cases by the event's posterior, highest first (lowest for sign -1)."""

        def make() -> Ordering:
            key = model.posteriors[0]
            if counted.marks.shape[0]:
                key = np.where(counted.marks == 0, key, np.nan)
            return order_by(np.ascontiguousarray(key), counted.rows, sign)

        family = ("order", *self._remember(model.posteriors), sign)
        return self._answer(family, (counted.serial,), make)

    def probability_sums(
        self, problem: DecisionProblem, model: ModelScores, ordering: Ordering, seed: int
    ) -> ProbabilityPrefix:
        """Class sums along the order of the event's posterior."""
        ratio = prior_ratio(problem, model)
        assert problem.outcome is not None  # counted_rows refuses without

        def make() -> ProbabilityPrefix:
            assert problem.outcome is not None
            return probability_prefix(
                ordering,
                NO_FLOATS if ratio is None else ratio,
                problem.outcome,
                self.folds(problem.outcome.shape[0], seed),
                NO_FLOATS if problem.frequency is None else problem.frequency,
            )

        version = (id(ordering), seed, None if ratio is None else ratio.tobytes())
        return self._answer(("sums", *self._remember(model.posteriors)), version, make)

    def grid_places(
        self, model: ModelScores, prefix: ProbabilityPrefix, location_weight: FloatArray
    ) -> PlacedDepths:
        """Where the depths of the grid end in that order."""
        return self._answer(
            ("grid", *self._remember(model.posteriors)),
            (id(prefix), location_weight.tobytes()),
            lambda: place_depths(prefix, GRID, location_weight),
        )

    def is_complement(self, model: ModelScores) -> bool:
        """Whether the second of two posteriors is 1 less the first, up to rounding."""

        def make() -> bool:
            gap = np.abs(model.posteriors[0] + model.posteriors[1] - 1.0)
            return not bool(np.nanmax(gap, initial=0.0) > 1e-12)

        return self._answer(("complement", *self._remember(model.posteriors)), (), make)

    def cost_sums(self, problem: DecisionProblem, counted: CountedRows) -> FloatArray:
        """What the cost columns add up to by class, (levels, decisions)."""
        if problem.is_laid_out:  # amounts of the cases, new with every matrix
            return _sum_costs(problem, counted)
        given = problem.consequences
        if not given.has_cost_columns:
            return np.zeros((len(problem.levels), len(problem.decisions)))
        ids = self._remember(*_cost_columns(problem))
        sums = self._answer(
            ("costs",), (counted.serial, *ids), lambda: _column_sums(problem, counted)
        )
        return np.asarray(given.rate[:, :-1] * sums[:, given.cost_row[:-1]])

    def best_sums(
        self, problem: DecisionProblem, counted: CountedRows, code: ShortArray
    ) -> FloatArray:
        """What the best decisions bring by class; ``code`` of any model says which cases count."""
        given, outcome = problem.consequences, problem.outcome
        assert outcome is not None  # counted_rows refuses without
        if not given.has_cost_columns:
            return np.asarray(counted.class_cases * given.gain[:, :-1].max(axis=1))
        frequency = NO_FLOATS if problem.frequency is None else problem.frequency
        if problem.is_laid_out:
            return best_by_class(code, outcome, frequency, given)
        ids = self._remember(*_cost_columns(problem))
        parts = (given.gain, given.rate, given.cost_row)
        version = (counted.serial, *(part.tobytes() for part in parts), *ids)
        return self._answer(
            ("best",), version, lambda: best_by_class(code, outcome, frequency, given)
        )

    def probabilities(
        self, problem: DecisionProblem, model: ModelScores, counted: CountedRows
    ) -> ProbabilitySums:
        """Mean chances before and after correction, and calibration bins."""
        ratio = prior_ratio(problem, model)
        version = (counted.serial, None if ratio is None else ratio.tobytes())
        return self._answer(
            ("chances", *self._remember(*_scores_of(model))),
            version,
            lambda: _sum_probabilities(
                problem, model, counted, NO_FLOATS if ratio is None else ratio
            ),
        )

    def depth_table(self, curve: DepthCurve) -> DepthTable:
        """Tables along one model's order; made when a cursor first asks, dropped with the curve."""
        known = self._tables.get(id(curve))
        if known is None:
            known = depth_table(curve.ordering, curve.cases)
            self._tables[id(curve)] = known
        return known

    def keep(self, state: AnalysisState) -> None:
        """Keep an analysis for the cursor and for resampling; tables of the one before go."""
        self.state = state
        self._tables = {}


def _scores_of(model: ModelScores) -> tuple[AnyArray, ...]:
    """The arrays that tell one model's scores from another's."""
    leaf = () if model.leaf is None else (model.leaf.code,)
    spread = () if model.quantiles is None else (model.quantiles.values,)
    own = model.posteriors if model.predicted is None else model.predicted
    return (own, *spread, *leaf)


def _amounts(problem: DecisionProblem) -> FloatArray | None:
    """The amounts that cells depend on, if there are."""
    return None if problem.amounts is None else problem.amounts.values


def _cost_columns(problem: DecisionProblem) -> tuple[FloatArray, ...]:
    """The columns that ``costs`` of the consequences consist of, in their order."""
    columns = [problem.cost_columns[decision] for decision in sorted(problem.cost_columns)]
    amounts = _amounts(problem)
    return tuple(columns) if amounts is None else (*columns, amounts)


def _refused_levels(problem: DecisionProblem, model: ModelScores) -> tuple[int, ...]:
    ratio = prior_ratio(problem, model)
    return () if ratio is None else tuple(int(level) for level in np.flatnonzero(ratio < 0))


def _count_rows(
    problem: DecisionProblem, models: tuple[ModelScores, ...], serial: int
) -> CountedRows:
    if problem.outcome is None:
        raise PayoffError(
            "The outcome of these rows is not known, so nothing can be added up.",
            remedy="Choose rows with a known outcome, or apply the rule to them instead.",
        )
    marks = case_marks(problem, models)
    is_counted = marks == 0
    rows = int(np.count_nonzero(is_counted))
    dropped = dropped_rows(problem, marks)
    if rows == 0:
        reasons = "; ".join(f"{reason}: {count:,}" for reason, count in dropped)
        raise PayoffError(
            "No row can be counted.",
            where=counted(len(marks), "row"),
            why=f"{reasons}." if reasons else "",
            remedy="Check the roles of the columns and the rows used.",
        )
    count = len(problem.levels)
    outcome = problem.outcome
    frequency = problem.frequency
    if rows < marks.shape[0]:
        outcome = outcome[is_counted]
        frequency = None if frequency is None else frequency[is_counted]
    class_rows = np.bincount(outcome, minlength=count).astype(np.float64)
    class_cases = class_rows
    if frequency is not None:
        weighted = np.bincount(outcome, weights=frequency, minlength=count)
        class_cases = weighted.astype(np.float64)
    return CountedRows(
        serial,
        marks if rows < marks.shape[0] else np.empty(0, dtype=np.uint8),
        rows,
        class_rows,
        class_cases,
        dropped,
    )


def dropped_rows(problem: DecisionProblem, marks: ByteArray) -> tuple[tuple[str, int], ...]:
    """Reasons and counts; a row is counted under its first reason."""
    scores = "a chance is missing or not between 0 and 1"
    if problem.is_interval:
        scores = "a prediction is missing"
    reasons = (
        (MARK_LEVEL, "outcome not known"),
        (MARK_FREQUENCY, "weight missing or not above 0"),
        (MARK_COST, "amount or cost missing" if problem.has_amounts else "cost missing"),
        (MARK_POSTERIOR, scores),
    )
    left = marks.copy()
    found = []
    for bit, reason in reasons:
        here = (left & bit) != 0
        count = int(np.count_nonzero(here))
        if count:
            found.append((reason, count))
            left[here] = 0
    return tuple(found)


def _sum_probabilities(
    problem: DecisionProblem, model: ModelScores, counted: CountedRows, ratio: FloatArray
) -> ProbabilitySums:
    levels, rows = len(problem.levels), model.posteriors.shape[1]
    if problem.is_interval:  # a prediction is no chance
        return ProbabilitySums(
            np.full((levels, levels, 2), np.nan), np.zeros((CALIBRATION_BINS, levels, 2))
        )
    chunk_count = -(-rows // CHUNK_ROWS)
    sums = np.zeros((chunk_count, levels, levels, 2))
    bins = np.zeros((chunk_count, CALIBRATION_BINS, levels, 2))
    probability_sums(
        model.posteriors,
        ratio,
        NO_CODES if problem.outcome is None else problem.outcome,
        NO_FLOATS if problem.frequency is None else problem.frequency,
        counted.marks,
        sums,
        bins,
    )
    return ProbabilitySums(sums.sum(axis=0), bins.sum(axis=0))


def _sum_costs(problem: DecisionProblem, counted: CountedRows) -> FloatArray:
    """What costs by case add up to by class and decision, (levels, decisions)."""
    given = problem.consequences
    if not given.has_cost_columns:
        return np.zeros((len(problem.levels), len(problem.decisions)))
    sums = _column_sums(problem, counted)
    return np.asarray(given.rate[:, :-1] * sums[:, given.cost_row[:-1]])


def _column_sums(problem: DecisionProblem, counted: CountedRows) -> FloatArray:
    """Sums of each row of ``costs`` over the rows that count, (levels, rows of costs)."""
    assert problem.outcome is not None  # counted_rows refuses without
    frequency = problem.frequency
    weight = np.ones(problem.outcome.shape[0]) if frequency is None else frequency
    if counted.marks.shape[0]:
        weight = np.where(counted.marks == 0, weight, 0.0)
    level, levels = np.maximum(problem.outcome, 0), len(problem.levels)
    return np.array(
        [
            np.bincount(level, weights=weight * np.where(weight > 0, column, 0.0), minlength=levels)
            for column in problem.consequences.costs
        ]
    ).T
