"""Totals at many matrices at once.

Matrices at many settings of two numbers at once: what decisions and totals are made from.

Exact totals of two-class models at many matrices at once, from sums along the order of chances.

With two classes and costs that are the same for all cases the best decision depends on the event's
chance alone, and changes at the crossings of the decisions' lines. Class sums up to those crossings
give the total, however many cases there are.

Kernels of the totals of a part of the cases at many matrices.

Cases stand class by class, so that what a decision brings is one number for a whole block of them
and every loop over cases is a vector instruction. Places are unsigned, so that nothing has to be
checked for counting from the end.

Totals of any models at many matrices from a part of the cases, and how far off they may be.

The part is drawn within each class, evenly along the chance of the event; each of its cases stands
for as many as its class has more of.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from core.decisions.priors import prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores, checked_priors
from core.decisions.sensitivity.changes import Change, class_weights, prior_line
from core.decisions.sensitivity.switches import SwitchingCases
from core.decisions.ties import better, first_best
from core.kernels import own_kernel, parallel_kernel, prange
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberSettings:
    """P settings of two numbers.

    Attributes
    ----------
    gain : array (P, levels, decisions)
        Consequences in the sense of profit, constant costs taken off.
    slopes : array (P, levels, decisions)
        What one unit of the case's amount adds to them; 0 without amounts.
    weight : array (P, levels)
        Weights of the classes in totals.
    shares : array (P, levels) or None
        Priors where they move, else None.
    """

    gain: FloatArray
    slopes: FloatArray
    weight: FloatArray
    shares: FloatArray | None

    def mass(self, problem: DecisionProblem, model: ModelScores) -> FloatArray:
        """(P, levels) or (1, levels): factors of a model's chances, up to one for all classes."""
        ratio = prior_ratio(problem, model)
        if ratio is None:
            return np.ones((1, len(problem.levels)))
        if self.shares is None:
            return np.maximum(ratio, 0.0)[np.newaxis]
        old = checked_priors(np.asarray(model.old_priors), problem.levels)
        return np.divide(self.shares, old, out=np.zeros_like(self.shares), where=old > 0)


def number_settings(
    problem: DecisionProblem,
    changes: tuple[Change, Change],
    values: tuple[FloatArray, FloatArray],
    class_cases: FloatArray,
) -> NumberSettings:
    """The problem at P pairs of values, (P,) each.

    Raises
    ------
    PayoffError
        If both numbers are the same, or totals are missing.
    """
    first, second = changes
    if (first.kind, first.name) == (second.kind, second.name):
        raise PayoffError(
            f"Both axes show “{first.name}”.", remedy="Choose another number for one of them."
        )
    points = values[0].shape[0]
    shape = (points, *problem.class_gains.shape)
    gain, slopes = np.broadcast_to(problem.class_gains, shape), np.zeros(shape)
    if problem.amounts is not None:
        slopes += problem.sense * problem.amounts.slopes
    weight = np.broadcast_to(class_weights(problem, class_cases), (points, len(problem.levels)))
    shares: FloatArray | None = None
    for change, value in zip(changes, values, strict=True):
        step = value - change.now
        if change.delta is not None:
            gain = gain + step[:, np.newaxis, np.newaxis] * change.delta
            if change.share_delta is not None:
                slopes = slopes + step[:, np.newaxis, np.newaxis] * change.share_delta
        else:
            line = prior_line(problem)
            shares = line[0] + step[:, np.newaxis] * line[1]
            size = shares * class_cases.sum()
            weight = np.divide(size, class_cases, out=np.zeros_like(size), where=class_cases > 0)
    return NumberSettings(gain=gain, slopes=slopes, weight=weight, shares=shares)


_NEAR = 1e-12  # chances this close to a crossing are looked at by themselves
_BLOCK = 8192  # settings at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbabilityGroups:
    """Groups of equal chances, highest first.

    ``probability`` (groups,) falling; ``cases`` (2, groups + 1): sums of frequencies by class
    before each group.
    """

    probability: FloatArray
    cases: FloatArray


def sums_by_probability(cases: SwitchingCases) -> ProbabilityGroups:
    """Sort the cases by the event's chance and add up frequencies by class."""
    order = np.argsort(cases.probabilities[0])[::-1]
    probability = cases.probabilities[0][order]
    is_last = np.ones(probability.shape[0], dtype=bool)
    is_last[:-1] = probability[1:] != probability[:-1]
    weight, level = cases.frequency[order], cases.outcome[order]
    sums = np.zeros((2, int(is_last.sum()) + 1))
    for place in (0, 1):
        sums[place, 1:] = np.cumsum(np.where(level == place, weight, 0.0))[is_last]
    return ProbabilityGroups(probability=probability[is_last], cases=sums)


def prefix_totals(
    problem: DecisionProblem, model: ModelScores, sums: ProbabilityGroups, settings: NumberSettings
) -> FloatArray:
    """The model's total at each setting, decisions made anew, (P,)."""
    points = settings.gain.shape[0]
    totals = np.empty(points)
    mass = np.broadcast_to(settings.mass(problem, model), (points, 2))
    tolerance = problem.consequences.tolerance
    for start in range(0, points, _BLOCK):
        here = slice(start, min(points, start + _BLOCK))
        real = settings.gain[here] * settings.weight[here][:, :, np.newaxis]
        totals[here] = _block(sums, settings.gain[here], mass[here], real, tolerance)
    return totals


def _block(
    sums: ProbabilityGroups, gain: FloatArray, mass: FloatArray, real: FloatArray, tolerance: float
) -> FloatArray:
    """Totals of a block of settings; ``gain`` and ``real`` are (P, 2, decisions), mass (P, 2)."""
    expect = gain * mass[:, :, np.newaxis]
    edges = _edges(sums, expect, tolerance * mass)
    total = np.zeros(expect.shape[0])
    every = np.arange(expect.shape[0])
    groups = sums.probability.shape[0]
    for left, right in pairwise(edges):
        middle = np.minimum((left + right) // 2, groups - 1)
        probability = sums.probability[middle]
        margin = tolerance * (probability * mass[:, 0] + (1.0 - probability) * mass[:, 1])
        value = (
            probability[:, np.newaxis] * expect[:, 0]
            + (1.0 - probability)[:, np.newaxis] * expect[:, 1]
        )
        decision = first_best(value.T, margin)
        for level in (0, 1):
            cases = sums.cases[level, right] - sums.cases[level, left]
            total += cases * real[every, level, decision]
    return total


def _edges(sums: ProbabilityGroups, expect: FloatArray, margin: FloatArray) -> IntArray:
    """Numbers of groups before each possible change of the decision, rising, (edges, P).

    A later decision takes over where its line is above that of an earlier one by the margin of a
    tie, (P, 2) by class.
    """
    groups = sums.probability.shape[0]
    rising = sums.probability[::-1]
    found = [np.zeros(expect.shape[0], dtype=np.int64)]
    for first, second in combinations(range(expect.shape[2]), 2):
        event, other = (expect[:, :, second] - expect[:, :, first] - margin).T
        turn = other - event
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = np.where(turn != 0, other / turn, np.inf)
        for near in (1.0 - _NEAR, 1.0 + _NEAR):
            found.append(groups - np.searchsorted(rising, crossing * near, side="left"))
    found.append(np.full(expect.shape[0], groups, dtype=np.int64))
    edges = np.stack(found)
    return np.sort(edges, axis=0) if edges.shape[0] > 3 else edges


BLOCK = 512
"""Cases worked out side by side, decision by decision."""


@own_kernel
def _expect_block(
    probabilities: FloatArray,
    costs: FloatArray,
    amounts: FloatArray,
    worth: FloatArray,
    share_worth: FloatArray,
    decision: int,
    first: int,
    count: int,
    whole: FloatArray,
    expected: FloatArray,
) -> None:
    """What one decision promises in ``count`` cases from ``first``; ``whole``: their mass.

    Beside ``expect_block`` of the decision pass for its speed: with that one's loops the totals of
    200 settings over 20,000 cases take 2 to 14 % more processor time.
    """
    size, start = np.uint64(count), np.uint64(first)
    for level in range(probabilities.shape[0]):
        own, source = worth[level, decision], probabilities[level]
        if level == 0:
            for case in range(size):
                expected[case] = source[start + case] * own
        else:
            for case in range(size):
                expected[case] += source[start + case] * own
        if amounts.shape[0]:
            share = share_worth[level, decision]
            for case in range(size):
                expected[case] += source[start + case] * amounts[start + case] * share
    if costs.shape[0]:
        spent = costs[decision]
        for case in range(size):
            expected[case] -= spent[start + case] * whole[case]


@own_kernel
def _bring_block(
    costs: FloatArray,
    amounts: FloatArray,
    gain: float,
    share: float,
    decision: int,
    first: int,
    count: int,
    realised: FloatArray,
) -> None:
    """What one decision brings in some cases of a class."""
    size, start = np.uint64(count), np.uint64(first)
    for case in range(size):
        realised[case] = gain
    if amounts.shape[0]:
        for case in range(size):
            realised[case] += share * amounts[start + case]
    if costs.shape[0]:
        spent = costs[decision]
        for case in range(size):
            realised[case] -= spent[start + case]


@own_kernel
def _choose_block(
    probabilities: FloatArray,
    costs: FloatArray,
    amounts: FloatArray,
    level: int,
    gain: FloatArray,
    shares: FloatArray,
    mass: FloatArray,
    tolerance: float,
    first: int,
    count: int,
    scratch: FloatArray,
) -> None:
    """What the best decisions bring in some cases of a class: the first row of ``scratch``.

    Chances are not divided by their mass, so the tolerance of ties is multiplied by it.
    ``scratch`` is (5, BLOCK).
    """
    size, start = np.uint64(count), np.uint64(first)
    value, highest, expected, whole, realised = (
        scratch[0],
        scratch[1],
        scratch[2],
        scratch[3],
        scratch[4],
    )
    levels, decisions = gain.shape
    worth, share_worth = np.empty((levels, decisions)), np.empty((levels, decisions))
    for place in range(levels):
        for decision in range(decisions):
            worth[place, decision] = gain[place, decision] * mass[place]
            share_worth[place, decision] = shares[place, decision] * mass[place]
    whole[:] = 0.0
    for place in range(levels):
        factor, source = mass[place], probabilities[place]
        for case in range(size):
            whole[case] += source[start + case] * factor
    highest[:] = -np.inf
    for decision in range(decisions):
        _expect_block(
            probabilities,
            costs,
            amounts,
            worth,
            share_worth,
            decision,
            first,
            count,
            whole,
            expected,
        )
        _bring_block(
            costs,
            amounts,
            gain[level, decision],
            shares[level, decision],
            decision,
            first,
            count,
            realised,
        )
        for case in range(size):
            slack = tolerance * whole[case]
            top, own = better(highest[case], value[case], expected[case], realised[case], slack)
            highest[case], value[case] = top, own


@parallel_kernel
def add_points(
    probabilities: FloatArray,
    costs: FloatArray,
    amounts: FloatArray,
    ends: IntArray,
    frequency: FloatArray,
    gain: FloatArray,
    shares: FloatArray,
    mass: FloatArray,
    weight: FloatArray,
    tolerance: float,
    totals: FloatArray,
) -> None:
    """Totals of every model at every point.

    Parameters
    ----------
    probabilities : array (models, levels, k)
        Cases class by class.
    costs : array (decisions, k), or (0, 0) without costs by case
    amounts : array (k,), or empty where no cell is a share of one
    ends : array (levels + 1,)
        Where the cases of each class begin and end.
    frequency : array (k,)
    gain, shares : array (P, levels, decisions)
        Cells, and what one unit of the amount adds to them.
    mass : array (models, P, levels)
        Factors of the chances.
    weight : array (P, levels)
        Weights of the classes in totals.
    tolerance : float
        Of ties.
    totals : array (models, P)
        Filled.
    """
    models, points = totals.shape
    for point in prange(points):
        scratch = np.zeros((5, BLOCK))
        for model in range(models):
            total = 0.0
            for level in range(ends.shape[0] - 1):
                realised = 0.0
                for start in range(ends[level], ends[level + 1], BLOCK):
                    count = min(BLOCK, ends[level + 1] - start)
                    _choose_block(
                        probabilities[model],
                        costs,
                        amounts,
                        level,
                        gain[point],
                        shares[point],
                        mass[model, point],
                        tolerance,
                        start,
                        count,
                        scratch,
                    )
                    first, value = np.uint64(start), scratch[0]
                    for case in range(np.uint64(count)):
                        realised += value[case] * frequency[first + case]
                total += realised * weight[point, level]
            totals[model, point] = total


@parallel_kernel
def add_gaps(
    probabilities: FloatArray,
    costs: FloatArray,
    amounts: FloatArray,
    ends: IntArray,
    frequency: FloatArray,
    gain: FloatArray,
    shares: FloatArray,
    mass: FloatArray,
    weight: FloatArray,
    tolerance: float,
    pairs: IntArray,
    moments: FloatArray,
) -> None:
    """Sums and sums of squares, by class, of what two candidates bring differently in a case.

    Parameters as of ``add_points``, and

    pairs : array (P, 2)
        Numbers of two candidates: a model; from the number of models on a decision for all cases;
        beyond the decisions doing nothing.
    moments : array (P, levels, 2)
        Filled.
    """
    models, decisions = probabilities.shape[0], gain.shape[2]
    for point in prange(pairs.shape[0]):
        scratch, gap = np.zeros((5, BLOCK)), np.zeros(BLOCK)
        moments[point] = 0.0
        for level in range(ends.shape[0] - 1):
            for start in range(ends[level], ends[level + 1], BLOCK):
                count = min(BLOCK, ends[level + 1] - start)
                gap[:] = 0.0
                for side in range(2):
                    name, sign = pairs[point, side], 1.0 - 2.0 * side
                    same = name - models
                    if same >= decisions:
                        continue
                    if same < 0:
                        _choose_block(
                            probabilities[name],
                            costs,
                            amounts,
                            level,
                            gain[point],
                            shares[point],
                            mass[name, point],
                            tolerance,
                            start,
                            count,
                            scratch,
                        )
                    else:
                        _bring_block(
                            costs,
                            amounts,
                            gain[point, level, same],
                            shares[point, level, same],
                            same,
                            start,
                            count,
                            scratch[0],
                        )
                    for case in range(count):
                        gap[case] += sign * scratch[0, case]
                for case in range(count):
                    value = gap[case] * frequency[start + case] * weight[point, level]
                    moments[point, level, 0] += value
                    moments[point, level, 1] += value * value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A part of the cases for every model.

    ``cases`` (one per model), class by class, have frequencies that sum to the whole class's;
    ``share`` (levels,) is
    the part of each class that was drawn, ``rows`` (levels,) how many rows that is.
    """

    cases: tuple[SwitchingCases, ...]
    share: FloatArray
    rows: IntArray

    @property
    def size(self) -> int:
        """Rows in the part."""
        return int(self.rows.sum())

    @property
    def is_whole(self) -> bool:
        """Whether every case is in it."""
        return bool(np.all(self.share >= 1.0))


def draw_part(cases: tuple[SwitchingCases, ...], reference: int, size: int) -> Part:
    """About ``size`` cases, of each class half an equal share at least, the same for all models."""
    outcome, probability = cases[reference].outcome, cases[reference].probabilities[0]
    levels = cases[0].probabilities.shape[0]
    count = np.bincount(outcome, minlength=levels)
    least = size // (2 * levels)
    wanted = np.maximum(np.rint(size * count / count.sum()).astype(np.int64), least)
    rows = np.minimum(count, wanted)
    chosen = []
    for place, wanted_rows in enumerate(rows):
        members = np.flatnonzero(outcome == place)
        if wanted_rows < count[place]:
            members = members[np.argsort(probability[members], kind="stable")]
            places = (np.arange(wanted_rows) + 0.5) * count[place] / wanted_rows
            members = members[places.astype(np.int64)]
        chosen.append(members)
    picked = np.concatenate([np.sort(members) for members in chosen])  # class by class
    level = outcome[picked]
    factor = _factors(cases[reference].frequency, outcome, picked, levels)[level]
    part = tuple(
        SwitchingCases(
            probabilities=np.ascontiguousarray(entry.probabilities[:, picked]),
            outcome=level,
            frequency=entry.frequency[picked] * factor,
            costs={decision: column[picked] for decision, column in entry.costs.items()},
            amounts=None if entry.amounts is None else entry.amounts[picked],
        )
        for entry in cases
    )
    share = np.divide(rows, count, out=np.ones(levels), where=count > 0)
    return Part(cases=part, share=share, rows=rows)


def _factors(
    frequency: FloatArray, outcome: CodeArray, picked: IntArray, levels: int
) -> FloatArray:
    """By how much the frequencies of each class are raised so that they sum to the whole."""
    whole = np.bincount(outcome, weights=frequency, minlength=levels)
    part = np.bincount(outcome[picked], weights=frequency[picked], minlength=levels)
    return np.divide(whole, part, out=np.ones(levels), where=part > 0)


class SampledTotals:
    """Totals of a part's models and of the constant rules at any settings."""

    def __init__(
        self, problem: DecisionProblem, models: tuple[ModelScores, ...], part: Part
    ) -> None:
        self._problem, self._models, self._part = problem, models, part
        self._tolerance = problem.tie_tolerance
        cases = part.cases[0]
        self._probabilities = np.stack([entry.probabilities for entry in part.cases])
        self._outcome = np.ascontiguousarray(cases.outcome, dtype=np.int32)
        self._amounts = np.empty(0) if cases.amounts is None else cases.amounts
        self._ends = np.searchsorted(self._outcome, np.arange(len(problem.levels) + 1))
        self._frequency = np.ascontiguousarray(cases.frequency, dtype=np.float64)
        self._costs = np.zeros((0, 0))
        if cases.costs:
            self._costs = np.zeros((len(problem.decisions), cases.rows))
            for decision, column in cases.costs.items():
                self._costs[decision] = column

    def of_models(self, settings: NumberSettings) -> FloatArray:
        """Totals of the models, (models, P)."""
        totals = np.empty((len(self._models), len(settings.weight)))
        add_points(*self._cases(), *self._points(settings), self._tolerance, totals)
        return totals

    def of_constants(self, settings: NumberSettings) -> FloatArray:
        """Totals if every case gets the same decision, (decisions, P)."""
        levels = len(self._problem.levels)

        def by_class(factor: FloatArray | float) -> FloatArray:
            weights = self._frequency * factor
            return np.asarray(np.bincount(self._outcome, weights=weights, minlength=levels))

        realised = settings.gain * by_class(1.0)[:, np.newaxis]
        if self._amounts.shape[0]:
            realised = realised + settings.slopes * by_class(self._amounts)[:, np.newaxis]
        if self._costs.shape[0]:
            realised = realised - np.array([by_class(cost) for cost in self._costs]).T
        return np.asarray(np.einsum("pl,pld->dp", settings.weight, realised))

    def errors(self, settings: NumberSettings, pairs: IntArray) -> FloatArray:
        """Standard errors (P,) of the differences of two candidates, numbers (P, 2).

        From looking at a part of the cases: within each class, as if its cases had been drawn at
        random; the even draw along the chance is at least as good where totals follow the chance.
        """
        levels = len(self._problem.levels)
        moments = np.empty((len(pairs), levels, 2))
        pairs = np.ascontiguousarray(pairs)
        add_gaps(*self._cases(), *self._points(settings), self._tolerance, pairs, moments)
        rows = self._part.rows.astype(np.float64)
        squares = moments[:, :, 1] - moments[:, :, 0] ** 2 / np.maximum(rows, 1.0)
        spread = np.maximum(squares, 0.0) / np.maximum(rows - 1.0, 1.0)
        is_drawn = (self._part.share < 1.0) & (rows > 1)
        variance = (spread * rows * (1.0 - self._part.share))[:, is_drawn].sum(axis=1)
        return np.asarray(np.sqrt(variance))

    def _cases(self) -> tuple[FloatArray, FloatArray, FloatArray, IntArray, FloatArray]:
        return self._probabilities, self._costs, self._amounts, self._ends, self._frequency

    def _points(
        self,
        settings: NumberSettings,
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Gain, shares of the amount, factors of the chances and class weights of each point."""
        shape = settings.weight.shape
        mass = [
            np.broadcast_to(settings.mass(self._problem, model), shape) for model in self._models
        ]
        gain, slopes, weight = (
            np.ascontiguousarray(each) for each in (settings.gain, settings.slopes, settings.weight)
        )
        return gain, slopes, np.stack(mass), weight
