"""What is to be decided: the matrix, costs and priors that all models share, and their posteriors.

Numbers of a matrix are kept as the user wrote them; ``Consequences`` holds them in the sense of
profit (higher is better), with constant costs taken off, ready for the kernels.

What every decision brings in every class and case: the one record that kernels read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.decisions.amounts import CaseAmounts
from core.decisions.number_targets.knots import KnotTable, PredictedQuantiles, sorted_knots
from core.decisions.ties import TIE_FACTOR
from core.document.decisions.commands import knot_name
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode, OldPriorKind
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import BoolArray, CodeArray, FloatArray, IntArray

__all__ = [
    "LARGEST",
    "CaseAmounts",
    "ChartMode",
    "DecisionProblem",
    "LeafCases",
    "ModelScores",
    "Words",
    "checked_priors",
    "refuse_interval",
]


class Consequences(NamedTuple):
    """Q(i, t, d) = ``gain[t, d]`` - ``rate[t, d]`` x cost of case i.

    ``gain`` and ``rate`` are (levels, decisions + 1): the last column is the implicit do-nothing,
    worth 0. ``cost_row[d]`` is the row of ``costs`` (rows, n) with the cost of each case, -1 =
    none; ``rate`` is then 0, and 1 for a cost that falls due in every class. Amounts of the cases
    stand among the costs, at rates of what one unit of them takes away.

    Kernels take it whole: compiled code reads a named tuple as fast as its arrays.
    """

    gain: FloatArray
    constant_cost: FloatArray
    cost_row: IntArray
    rate: FloatArray
    costs: FloatArray
    tolerance: float

    @property
    def has_cost_columns(self) -> bool:
        """Whether a cost differs from case to case."""
        return bool(np.any(self.cost_row >= 0))


MAX_DECISIONS = 250

LARGEST = 1e60
"""Amounts and outcomes beyond this are refused: their squares, added up, would overflow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The user's words, for sentences. Empty ones are made from labels and decisions.

    Attributes
    ----------
    case : (str, str)
        "customer", "customers".
    currency : str
    act : str
        "Mail a customer": what the acting decision does.
    event : str
        "a response": in "the chance of a response".
    event_share : str
        "respond": in "if 5.0 % respond".
    reason : str
        "A letter costs € 1.60 and a response brings € 25.60": put before the fraction.
    number : str
        "gift": an interval target, in "when the predicted gift is above 12.40".
    """

    case: tuple[str, str] = ("case", "cases")
    currency: str = "€"
    act: str = ""
    event: str = ""
    event_share: str = ""
    reason: str = ""
    number: str = "value"


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionProblem:
    """What all models share. Arrays are read, never changed.

    Attributes
    ----------
    levels : tuple of str
        Classes in printed form, the event first.
    decisions : tuple of str
        Columns of the matrix, in the user's order: the first wins ties.
    cells : array (levels, decisions)
        Consequences as the user wrote them.
    kind : MatrixKind
        profit and revenue: money won; loss: money lost.
    outcome : array (n,) of int32, optional
        Codes into ``levels``; -1 = not known.
    frequency : array (n,), optional
        Cases that a row stands for; 0, less or missing: decided, but in no statistic.
    priors : array (levels,), optional
        Class shares in real life; they need not sum to 1.
    prior_range : (float, float), optional
        Shares between which the event's prior lies: intervals of money hold for all of them.
    cost_amounts : array (decisions,), optional
        Constant cost of each decision.
    cost_columns : mapping of decision number to array (n,)
        Cost of each case; takes the place of the constant.
    acting : str
        The decision that counts as acting; left out = the first that is not ``do_nothing``.
    do_nothing : str, optional
    labels : tuple of str
        The user's words for the levels.
    words : Words
    knots : array (levels,), optional
        For an interval target: the values of the outcome that the rows of ``cells`` stand for,
        rising. ``levels`` are then the bands that begin at the knots and ``outcome`` the band of
        each case (``interval_problem`` makes them).
    actual : array (n,), optional
        The outcome of each case of an interval target; missing = NaN.
    is_sampled : bool
        The frequency is a sampling weight: a row counts so much in a total, and is one case that
        was seen. Else it stands for so many equal cases, and each of them is drawn by itself.
    amounts : CaseAmounts, optional
        An amount of each case, and what one unit of it adds to the cells: classes only. Dropped
        where no cell depends on it.

    Raises
    ------
    PayoffError
        For shapes that do not fit, doubled names, cells that are missing or infinite, impossible
        priors, unknown decisions.
    """

    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    cells: FloatArray
    kind: MatrixKind = MatrixKind.PROFIT
    outcome: CodeArray | None = None
    frequency: FloatArray | None = None
    priors: FloatArray | None = None
    cost_amounts: FloatArray | None = None
    cost_columns: Mapping[int, FloatArray] = field(default_factory=dict)
    acting: str = ""
    do_nothing: str | None = None
    labels: tuple[str, ...] = ()
    words: Words = field(default_factory=Words)
    knots: FloatArray | None = None
    actual: FloatArray | None = None
    prior_range: tuple[float, float] | None = None
    amounts: CaseAmounts | None = None
    is_sampled: bool = False

    def __post_init__(self) -> None:
        _check_names(self)
        _check_cells(self)
        if self.knots is not None:
            _check_interval(self)
        if self.priors is not None:
            checked_priors(self.priors, self.levels)
        if self.prior_range is not None:
            _check_range(self.prior_range, self.priors, self.levels)
        if self.amounts is not None:
            _check_amounts(self, self.amounts)
            if not self.amounts.matter:
                object.__setattr__(self, "amounts", None)
        _check_rows(self)

    @property
    def sense(self) -> float:
        """1 where more is better, -1 for a loss matrix."""
        return -1.0 if self.kind == MatrixKind.LOSS else 1.0

    @property
    def acting_index(self) -> int:
        """Column of the acting decision."""
        if self.acting:
            return self.decisions.index(self.acting)
        return next((i for i, name in enumerate(self.decisions) if name != self.do_nothing), 0)

    @property
    def has_costs(self) -> bool:
        """Whether decisions have an investment cost, and so a return on it."""
        amounts = self.cost_amounts
        return bool(self.cost_columns) or (amounts is not None and bool(np.any(amounts != 0)))

    @property
    def tie_tolerance(self) -> float:
        """Largest absolute cell times 2**-41 (seen in SAS score code), amounts at their largest."""
        largest = np.abs(self.cells)
        if self.amounts is not None:
            largest = largest + np.abs(self.amounts.slopes) * self.amounts.tie_scale
        return float(np.max(largest)) * TIE_FACTOR

    def label(self, level: int) -> str:
        """The user's word for a level."""
        return self.labels[level] if len(self.labels) == len(self.levels) else self.levels[level]

    def row_name(self, row: int) -> str:
        """What a row of the matrix stands for, for messages: "level yes" or "knot 10"."""
        if self.knots is None:
            return f"level {self.levels[row]}"
        return f"knot {knot_name(float(self.knots[row]))}"

    @property
    def is_interval(self) -> bool:
        """Whether the outcome is a number, and the rows of the matrix its knots."""
        return self.knots is not None

    @property
    def has_amounts(self) -> bool:
        """Whether cells depend on an amount of the case."""
        return self.amounts is not None

    @property
    def is_by_case(self) -> bool:
        """Whether what decisions bring is no cell of the matrix: numbers, or amounts per case."""
        return self.is_interval or self.has_amounts

    @property
    def is_laid_out(self) -> bool:
        """Whether ``consequences`` has to hold what each decision brings for each case.

        So for numbers, and where a decision has both a share of the amount and a cost by case.
        """
        if self.amounts is None:
            return self.is_interval
        return any(self.amounts.slopes[:, decision].any() for decision in self.cost_columns)

    @cached_property
    def class_gains(self) -> FloatArray:
        """What decisions bring in each class less constant costs, without amounts of the cases.

        Array (levels, decisions) in the sense of profit.
        """
        return np.asarray(self.sense * self.cells - self.constant_costs)

    @property
    def typical_cells(self) -> FloatArray:
        """The matrix at the mean amount of the cases, as the user wrote it, (levels, decisions)."""
        if self.amounts is None:
            return self.cells
        return np.asarray(self.cells + self.amounts.slopes * self.amounts.mean)

    def realised_at(self, level: CodeArray, rows: slice | IntArray) -> FloatArray:
        """Q of some cases of known classes before costs of their own, (decisions, k).

        ``level`` (k,) are their classes, ``rows`` says which cases they are.
        """
        table: FloatArray = np.take(self.class_gains.T, level, axis=1)
        if self.amounts is not None:
            table += self.amounts.by_level(level, self.sense, rows)
        return table

    def expected_value_at(self, probabilities: FloatArray, rows: slice | IntArray) -> FloatArray:
        """Expected consequence of some cases before costs of their own, (decisions, k).

        ``probabilities`` (levels, k) are those that decide.
        """
        table: FloatArray = self.class_gains.T @ probabilities
        if self.amounts is not None:
            table += self.amounts.expected(probabilities, self.sense, rows)
        return table

    @cached_property
    def consequences(self) -> Consequences:
        """The matrix in the sense of profit, with costs, as the kernels read it."""
        return _valued_consequences(self) if self.is_laid_out else _consequences(self)

    @cached_property
    def knot_table(self) -> KnotTable:
        """Consequences at the knots in the sense of profit, constant costs taken off."""
        assert self.knots is not None  # asked of interval problems only
        return KnotTable(self.knots, self.sense * self.cells - self.constant_costs)

    @property
    def constant_costs(self) -> FloatArray:
        """Constant cost of each decision, (decisions,); 0 where each case has its own."""
        constant = np.zeros(len(self.decisions))
        if self.cost_amounts is not None:
            constant += self.cost_amounts
        constant[list(self.cost_columns)] = 0.0
        return constant

    def consequences_at(self, values: FloatArray) -> FloatArray:
        """L(i, y, d) of every case at a value of an interval outcome, (decisions, n)."""
        table = self.knot_table.at(values)
        for decision, column in self.cost_columns.items():
            table[decision] -= column
        return table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafCases:
    """The leaf of a decision tree that each case falls into.

    Attributes
    ----------
    code : array (n,) of int64
        Number of the leaf; -1 = not known.
    is_training : array (n,) of bool, optional
        Cases that consequences and costs are averaged over; left out = all.
    is_honest : bool
        Average over the outcomes of the leaf's cases in place of their posteriors.
    means : array (decisions, leaves), optional
        Averages of other cases that decide in place of these cases' own: new cases have none.
    """

    code: IntArray
    is_training: BoolArray | None = None
    is_honest: bool = False
    means: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelScores:
    """One model's posteriors as they stand in the file, and what it was trained at.

    Attributes
    ----------
    name : str
    posteriors : array (levels, n), C-contiguous
        Missing = NaN.
    old_kind : OldPriorKind
        unknown and corrected: posteriors are taken as they stand; trained_at: they are corrected
        to the problem's priors.
    old_priors : array (levels,), optional
        Class shares of the data the model was trained on.
    predicted : array (n,), optional
        For an interval target: the prediction of each case; ``posteriors`` is then (0, n).
    quantiles : PredictedQuantiles, optional
        For an interval target: the distribution that consequences are averaged over.
    leaf : LeafCases, optional
        A decision tree's leaves: all cases of one get the same decision.
    has_probabilities : bool
        False: the posteriors only rank cases (a score without chances); what needs chances is then
        left out.

    Raises
    ------
    PayoffError
        For a wrong shape or impossible old priors.
    """

    name: str
    posteriors: FloatArray
    old_kind: OldPriorKind = OldPriorKind.UNKNOWN
    old_priors: FloatArray | None = None
    predicted: FloatArray | None = None
    quantiles: PredictedQuantiles | None = None
    leaf: LeafCases | None = None
    has_probabilities: bool = True

    def __post_init__(self) -> None:
        if self.posteriors.ndim != 2 or self.posteriors.dtype != np.float64:
            raise PayoffError(
                f"The posteriors of '{self.name}' must be a table of classes by cases.",
                why=f"They have shape {self.posteriors.shape} and type {self.posteriors.dtype}.",
            )
        if self.old_kind == OldPriorKind.TRAINED_AT:
            if self.old_priors is None:
                raise PayoffError(
                    f"The class shares '{self.name}' was trained at are missing.",
                    where=f"model {self.name}",
                    remedy="Give one share per class, or say that they are not known.",
                )
            names = tuple(str(i + 1) for i in range(self.posteriors.shape[0]))
            checked_priors(self.old_priors, names, what=f"share that '{self.name}' was trained at")


def _consequences(problem: DecisionProblem) -> Consequences:
    width = len(problem.decisions)
    constant = problem.constant_costs
    cost_row = np.full(width + 1, -1, dtype=np.int64)
    gain, rate = np.zeros((2, len(problem.levels), width + 1))
    gain[:, :width] = problem.class_gains
    columns: list[FloatArray] = []
    for decision, column in sorted(problem.cost_columns.items()):
        cost_row[decision] = len(columns)
        rate[:, decision] = 1.0
        columns.append(np.ascontiguousarray(column, dtype=np.float64))
    if problem.amounts is not None:
        slopes = problem.amounts.slopes
        cost_row[:width][slopes.any(axis=0)] = len(columns)
        rate[:, :width] -= problem.sense * slopes
        columns.append(np.ascontiguousarray(problem.amounts.values, dtype=np.float64))
    costs = np.empty((0, 0))
    if columns:  # one column is not copied: it may hold ten million cases
        costs = columns[0][np.newaxis] if len(columns) == 1 else np.vstack(columns)
    return Consequences(
        gain=gain,
        constant_cost=constant,
        cost_row=cost_row,
        rate=rate,
        costs=costs,
        tolerance=problem.tie_tolerance,
    )


def _valued_consequences(problem: DecisionProblem) -> Consequences:
    """What every decision brings at the actual outcome of each case, as a cost below zero.

    For numbers, and for classes where a decision has a share of the amount and a cost by case.
    Gains are zero, so that all sums along depths, tables and resamples read the amounts of the
    cases themselves. Without an outcome nothing is realised and the amounts are empty.
    """
    width = len(problem.decisions)
    cost_row = np.full(width + 1, -1, dtype=np.int64)
    costs = np.empty((0, 0))
    if problem.actual is not None:
        cost_row[:width] = np.arange(width)
        costs = -problem.consequences_at(problem.actual)
    elif problem.outcome is not None and not problem.is_interval:
        cost_row[:width] = np.arange(width)
        costs = _class_costs(problem, problem.outcome)
    return Consequences(
        gain=np.zeros((len(problem.levels), width + 1)),
        constant_cost=np.zeros(width),
        cost_row=cost_row,
        rate=np.repeat([np.where(cost_row >= 0, 1.0, 0.0)], len(problem.levels), axis=0),
        costs=costs,
        tolerance=problem.tie_tolerance,
    )


def _class_costs(problem: DecisionProblem, outcome: CodeArray) -> FloatArray:
    """What is not brought, (decisions, n): NaN where class, amount or cost is not known."""
    costs = problem.realised_at(np.maximum(outcome, 0), slice(None))
    for decision, column in problem.cost_columns.items():
        costs[decision] -= column
    np.negative(costs, out=costs)
    unknown = outcome < 0
    if unknown.any():
        costs[:, unknown] = np.nan
    return costs


# ---------------------------------------------------------------- checks


def checked_priors(
    priors: FloatArray, levels: tuple[str, ...], *, what: str = "prior"
) -> FloatArray:
    """Return shares scaled to sum to 1; refuse missing or negative ones, or none above zero."""
    values = np.asarray(priors, dtype=np.float64)
    if values.shape != (len(levels),):
        raise PayoffError(
            f"There must be one {what} per level.", where=counted(len(levels), "level")
        )
    for level, value in zip(levels, values, strict=True):
        if not np.isfinite(value) or value < 0:
            raise PayoffError(
                f"The {what} of '{level}' is {'missing' if np.isnan(value) else f'{value:g}'}.",
                where=f"level {level}",
                remedy="Give a share of 0 or more.",
            )
    if not values.sum() > 0:
        raise PayoffError(f"Every {what} is zero.", remedy="At least one must be above zero.")
    return np.asarray(values / values.sum())


def _check_range(
    ends: tuple[float, float], priors: FloatArray | None, levels: tuple[str, ...]
) -> None:
    """The range of the event's prior holds the prior itself, and another class is possible."""
    if priors is None:
        raise PayoffError("A range of a prior needs the prior.", remedy="Give priors as well.")
    low, high = ends
    shares = checked_priors(priors, levels)
    if not 0.0 < low <= shares[0] <= high < 1.0:
        raise PayoffError(
            "The range must hold the prior itself.",
            where=f"{100 * low:g} to {100 * high:g} %, prior {100 * shares[0]:g} %",
            remedy="Give shares above 0 and below 100 %, one on each side of the prior.",
        )


def _check_names(problem: DecisionProblem) -> None:
    """Refuse names that are missing, stand twice or are not known."""
    for what, names in (("level", problem.levels), ("decision", problem.decisions)):
        if not names:
            raise PayoffError(f"The decision matrix has no {what}.", where="decision matrix")
        doubled = [name for i, name in enumerate(names) if name in names[:i]]
        if doubled:
            raise PayoffError(
                f"The {what} '{doubled[0]}' stands twice in the decision matrix.",
                remedy="Give each its own name.",
            )
    if len(problem.decisions) > MAX_DECISIONS:
        raise PayoffError(f"More than {MAX_DECISIONS} decisions cannot be compared.")
    for name in (problem.acting, problem.do_nothing):
        if name and name not in problem.decisions:
            raise no_such("decision", name, problem.decisions, listed="Known decisions")


def _check_cells(problem: DecisionProblem) -> None:
    """Refuse cells and costs that are no numbers, or too large to add up."""
    shape = (len(problem.levels), len(problem.decisions))
    if problem.cells.shape != shape:
        raise PayoffError(
            f"The decision matrix has {problem.cells.shape} cells.",
            why=(
                f"{counted(shape[0], 'level')} and "
                f"{counted(shape[1], 'decision needs', 'decisions need')} {shape}."
            ),
        )
    for row, column in np.argwhere(~(np.abs(problem.cells) <= LARGEST)):
        value = problem.cells[row, column]
        state = "missing" if np.isnan(value) else "infinite" if np.isinf(value) else "too large"
        raise PayoffError(
            f"A cell of the decision matrix is {state}.",
            where=f"{problem.row_name(int(row))}, decision {problem.decisions[column]}"
            + ("" if np.isnan(value) else f", value {value:g}"),
            why="Sums of such amounts overflow." if state == "too large" else "",
            remedy="Type a number, in thousands or millions if need be.",
        )
    amounts = problem.cost_amounts
    if amounts is not None and (amounts.shape != shape[1:] or not np.isfinite(amounts).all()):
        raise PayoffError("There must be one cost per decision.", where="costs")


def _check_interval(problem: DecisionProblem) -> None:
    """Refuse knots that do not fit the rows, and priors beside a number."""
    assert problem.knots is not None  # by the caller
    rising, order = sorted_knots(problem.knots)
    if rising.shape != (len(problem.levels),) or np.any(np.diff(order) < 0):
        raise PayoffError(
            f"{counted(rising.shape[0], 'knot does', 'knots do')} not fit a matrix of "
            f"{counted(len(problem.levels), 'row')}.",
            remedy="Give one knot per row, in rising order.",
        )
    if problem.priors is not None:
        raise PayoffError(
            "Priors need classes, and the outcome is a number.",
            where="priors",
            remedy="Leave the priors out.",
        )


def refuse_interval(problem: DecisionProblem) -> None:
    """Refuse a number as the outcome where a study counts by class and by chance.

    Raises
    ------
    PayoffError
    """
    if problem.is_interval:
        raise PayoffError(
            f"The outcome '{problem.words.number}' is a number without classes.",
            why="This is worked out from the chances of classes.",
            remedy="Ask it of an outcome with classes, such as yes and no.",
        )


def _check_rows(problem: DecisionProblem) -> None:
    """Refuse columns of other lengths, and codes of no level."""
    lengths = {}
    if problem.outcome is not None:
        lengths["outcome"] = problem.outcome.shape
    if problem.frequency is not None:
        lengths["frequency"] = problem.frequency.shape
    if problem.actual is not None:
        lengths["actual"] = problem.actual.shape
    if problem.amounts is not None:
        lengths["amount"] = problem.amounts.values.shape
    for decision, column in problem.cost_columns.items():
        if not 0 <= decision < len(problem.decisions):
            raise PayoffError(f"There is no decision number {decision}.", where="costs")
        lengths[f"cost of {problem.decisions[decision]}"] = column.shape
    if len(set(lengths.values())) > 1:
        raise PayoffError("Columns differ in length.", where=str(lengths))
    if problem.outcome is not None and problem.outcome.size:
        highest = int(problem.outcome.max())
        if highest >= len(problem.levels):
            raise PayoffError(
                f"The outcome code {highest} is not among {counted(len(problem.levels), 'level')}."
            )


def _check_amounts(problem: DecisionProblem, amounts: CaseAmounts) -> None:
    """Refuse amounts per case that cannot be used."""
    if problem.is_interval:
        raise PayoffError(
            "Amounts per case need classes, and the outcome is a number.",
            where="amounts",
            remedy="Leave them out: the rows of the matrix are values of the outcome itself.",
        )
    slopes = amounts.slopes
    if slopes.shape != problem.cells.shape or not (np.abs(slopes) <= LARGEST).all():
        raise PayoffError(
            f"The shares of {amounts.name} do not fit the matrix.",
            where="decision matrix",
            remedy="Give one number per class and decision.",
        )
    if amounts.largest > LARGEST:
        raise PayoffError(
            "An amount is too large.",
            where=f"{amounts.name}, {amounts.largest:g}",
            why="Sums of such amounts overflow.",
            remedy="Use a larger unit, or mend the value.",
        )
