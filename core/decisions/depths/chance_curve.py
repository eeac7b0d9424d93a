"""Depth where the order of cases is that of the event's posterior, whatever the matrix says.

With two classes, at most one other decision and no cost by case, the advantage of acting is a
straight line in the posterior. Only class sums along the order are then needed; they are kept, and
an edited cell costs a few microseconds however many cases there are. Answers are the same as those
of ``depth.DepthCurve``; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.decisions.depths.depth import DepthPoints, Ordering, Weighting
from core.decisions.depths.sums import (
    CASES,
    COST,
    CROSS,
    CROSS_0,
    EXPECTED,
    OWN,
    SQUARE,
    SQUARE_0,
    STEP,
    SUMS,
    VALUE,
    VALUE_0,
    acting_share,
    find_depths,
)
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.tables import ModelTables
from core.decisions.ties import better
from core.kernels import CHUNK_ROWS, fitting_threads, own_kernel, parallel_kernel, prange
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray

ALL, FIRST_FOLD, CHANCE = range(3)
"""Sums kept per class: cases, cases of fold 0, sum of the corrected posterior of the event."""


@own_kernel(inline=True)
def corrected_probability(probability: float, ratio: FloatArray) -> float:
    """The event's chance of two classes, corrected to the priors."""
    if ratio.shape[0] == 0:
        return probability
    event = float(probability * max(ratio[0], 0.0))
    total = event + (1.0 - probability) * max(ratio[1], 0.0)
    return float(event / total) if total > 0.0 else event


@own_kernel
def _add_range(
    start: int,
    stop: int,
    order: OrderArray,
    key: FloatArray,
    ratio: FloatArray,
    outcome: CodeArray,
    folds: ByteArray,
    frequency: FloatArray,
    sums: FloatArray,
) -> None:
    has_frequency = frequency.shape[0] > 0
    for position in range(start, stop):
        row = np.int64(order[position])
        level = np.int64(outcome[row])
        weight = frequency[row] if has_frequency else 1.0
        sums[level, ALL] += weight
        sums[level, FIRST_FOLD] += weight * (1.0 - np.float64(folds[row]))
        sums[level, CHANCE] += weight * corrected_probability(key[row], ratio)


@parallel_kernel
def _sum_blocks(
    order: OrderArray,
    key: FloatArray,
    ratio: FloatArray,
    outcome: CodeArray,
    folds: ByteArray,
    frequency: FloatArray,
    sums: FloatArray,
) -> None:
    """Class sums of each block of the order, (blocks, 2, 3), zero before."""
    n = order.shape[0]
    for block in prange(sums.shape[0]):
        stop = min(n, (block + 1) * STEP)
        _add_range(block * STEP, stop, order, key, ratio, outcome, folds, frequency, sums[block])


@parallel_kernel
def _sums_at(
    positions: IntArray,
    before: FloatArray,
    order: OrderArray,
    key: FloatArray,
    ratio: FloatArray,
    outcome: CodeArray,
    folds: ByteArray,
    frequency: FloatArray,
    out: FloatArray,
) -> None:
    """Class sums of the first ``positions[k]`` cases of the order, (k, 2, 3)."""
    for place in prange(positions.shape[0]):
        block = positions[place] // STEP
        for level in range(2):  # cell by cell: copying a whole array takes seconds to compile
            for kind in range(3):
                out[place, level, kind] = before[block, level, kind]
        _add_range(
            block * STEP,
            positions[place],
            order,
            key,
            ratio,
            outcome,
            folds,
            frequency,
            out[place],
        )


@own_kernel
def _rule_position(
    order: OrderArray,
    key: FloatArray,
    ratio: FloatArray,
    gain: FloatArray,
    acting: int,
    tolerance: float,
) -> int:
    """How many cases, best first, get the acting decision (two decisions)."""
    rest = 1 - acting
    low, high = 0, order.shape[0]
    while low < high:
        middle = (low + high) // 2
        probability = corrected_probability(key[order[middle]], ratio)
        act = probability * gain[0, acting] + (1.0 - probability) * gain[1, acting]
        other = probability * gain[0, rest] + (1.0 - probability) * gain[1, rest]
        if acting < rest:
            _, name = better(act, float(acting), other, float(rest), tolerance)
        else:
            _, name = better(other, float(rest), act, float(acting), tolerance)
        if name == float(acting):
            low = middle + 1
        else:
            high = middle
    return low


@parallel_kernel
def paired_probabilities(
    outcome: CodeArray,
    frequency: FloatArray,
    gain: FloatArray,
    first_key: FloatArray,
    first_cuts: tuple[float, float, float, float],
    second_key: FloatArray,
    second_cuts: tuple[float, float, float, float],
    sign: float,
    sums: FloatArray,
) -> None:
    """Sums by class of the difference of two models case by case, and of its square.

    Cuts are (key and share of the outer cut, key and share of the inner cut): a case brings
    outer * (rest + inner * (act - rest)). ``gain`` (2, 2) holds rest and act - rest by class;
    ``sums`` is (chunks, 2, 2), zero before.
    """
    n = first_key.shape[0]
    for chunk in prange(sums.shape[0]):
        into = sums[chunk]
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            a, b = first_key[row], second_key[row]
            level = outcome[row]
            if level < 0 or np.isnan(a) or np.isnan(b):
                continue
            rest, more = gain[level, 0], gain[level, 1]
            first = acting_share(a, first_cuts[0], first_cuts[1], sign) * (
                rest + acting_share(a, first_cuts[2], first_cuts[3], sign) * more
            )
            second = acting_share(b, second_cuts[0], second_cuts[1], sign) * (
                rest + acting_share(b, second_cuts[2], second_cuts[3], sign) * more
            )
            difference = first - second
            weight = frequency[row] if frequency.shape[0] else 1.0
            into[level, 0] += weight * difference
            into[level, 1] += weight * difference * difference


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbabilityPrefix:
    """Class sums along one model's order: changed by its posteriors and priors, not by cells."""

    ordering: Ordering
    ratio: FloatArray
    outcome: CodeArray
    folds: ByteArray
    frequency: FloatArray
    before: FloatArray  # (blocks + 1, 2, 3)

    def sums(self, positions: IntArray) -> FloatArray:
        """Class sums of the first cases, (positions, 2, 3)."""
        out = np.empty((positions.shape[0], *self.before.shape[1:]))
        with fitting_threads(positions.shape[0] * STEP):
            self._fill(positions, out)
        return out

    def _fill(self, positions: IntArray, out: FloatArray) -> None:
        _sums_at(
            positions,
            self.before,
            self.ordering.order,
            self.ordering.key,
            self.ratio,
            self.outcome,
            self.folds,
            self.frequency,
            out,
        )


def probability_prefix(
    ordering: Ordering,
    ratio: FloatArray,
    outcome: CodeArray,
    folds: ByteArray,
    frequency: FloatArray,
) -> ProbabilityPrefix:
    """Add up classes along the order and keep the sums before every block."""
    blocks = -(-ordering.order.shape[0] // STEP)
    before = np.zeros((blocks + 1, 2, 3))
    _sum_blocks(ordering.order, ordering.key, ratio, outcome, folds, frequency, before[1:])
    np.cumsum(before, axis=0, out=before)
    return ProbabilityPrefix(
        ordering=ordering,
        ratio=ratio,
        outcome=outcome,
        folds=folds,
        frequency=frequency,
        before=before,
    )


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDepths:
    """Where depths end in an order, with class sums there: no cell of the matrix enters."""

    depths: FloatArray
    groups: IntArray
    fraction: FloatArray
    low: FloatArray  # (k, 2, 3)
    high: FloatArray
    weight_before: FloatArray  # (blocks + 1,), prior-weighted cases before every block


def place_depths(
    prefix: ProbabilityPrefix,
    depths: FloatArray,
    location_weight: FloatArray,
    weight_before: FloatArray | None = None,
) -> PlacedDepths:
    """Find depths in an order; ``weight_before`` of an earlier call with the same weights helps."""
    ordering = prefix.ordering
    if weight_before is None:
        weight_before = prefix.before[:, :, ALL] @ location_weight
    groups = np.empty((depths.shape[0], 2), dtype=np.int64)
    fraction = np.empty(depths.shape[0])
    # For the kernel the class itself is the code of a case.
    find_depths(
        np.ascontiguousarray(depths, dtype=np.float64),
        weight_before,
        ordering.order,
        ordering.key,
        prefix.outcome,
        np.array([[0], [1]], dtype=np.uint8),
        location_weight,
        prefix.frequency,
        groups,
        fraction,
    )
    return PlacedDepths(
        depths,
        groups,
        fraction,
        prefix.sums(np.ascontiguousarray(groups[:, 0])),
        prefix.sums(np.ascontiguousarray(groups[:, 1])),
        weight_before,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbabilityCurve:
    """One model's depths under one matrix, from class sums. See ``depth.DepthCurve``.

    ``within`` and ``beyond`` are (gain for the event, gain for the other class) of cases that get
    the acting decision by the rule and of those that do not; ``rule`` is how many get it.
    """

    prefix: ProbabilityPrefix
    weighting: Weighting
    grid: PlacedDepths
    gain: FloatArray  # (2, 2): class by (acting, rest)
    cost: FloatArray  # (2,): constant cost of acting and rest
    rule: int
    rule_sums: FloatArray  # (2, 3): class sums of the cases within the rule
    is_firm: bool
    decisions: int  # 1: the rest is the implicit do-nothing, no decision of the matrix
    is_by_probability: ClassVar[bool] = True

    @property
    def ordering(self) -> Ordering:
        """The order of the cases, those worth acting on most first."""
        return self.prefix.ordering

    @property
    def rule_cut(self) -> tuple[float, float]:
        """Key and share of the last case that gets the acting decision."""
        ordering = self.ordering
        if self.rule == 0:
            return ordering.sign * np.inf, 0.0
        return float(ordering.key[ordering.order[self.rule - 1]]), 1.0

    def points(self, depths: FloatArray) -> DepthPoints:
        """Quantities at some depths (0 to 1)."""
        with fitting_threads(depths.shape[0] * STEP):
            return self._points(depths)

    def _points(self, depths: FloatArray) -> DepthPoints:
        placed = self.grid
        if depths is not placed.depths:
            placed = place_depths(
                self.prefix, depths, self.weighting.location_weight, placed.weight_before
            )
        groups = placed.groups
        return DepthPoints(
            depth=depths,
            groups=groups,
            fraction=placed.fraction,
            low=self._expand(groups[:, 0], placed.low),
            high=self._expand(groups[:, 1], placed.high),
            cut=self.ordering.key[self.ordering.order[groups[:, 0]]],
            weighting=self.weighting,
        )

    def sums_before(self, positions: IntArray) -> FloatArray:
        """Sums of the first so many cases of the order, (k, 2, SUMS)."""
        return self._expand(positions, self.prefix.sums(positions))

    @property
    def end(self) -> FloatArray:
        """Sums over all counted cases, (2, SUMS)."""
        last = np.array([self.ordering.order.shape[0]])
        return np.asarray(self._expand(last, self.prefix.before[-1:])[0])

    def tables(self) -> ModelTables:
        """Sums by class and own decision, columns (acting, rest)."""
        total = self.prefix.before[-1][:, ALL]
        cases = np.column_stack([self.rule_sums[:, ALL], total - self.rule_sums[:, ALL]])
        rest = self.gain[:, 1:]
        rows = self.ordering.order.shape[0]
        return ModelTables(
            rows=np.array([self.rule, rows - self.rule], dtype=np.float64),
            cases=cases,
            own=cases * self.gain,
            own_square=cases * self.gain**2,
            rest=cases * rest,
            rest_square=cases * rest**2,
            best=total * self.gain[:, : self.decisions].max(axis=1),
            cost=cases * self.cost,
        )

    def expected_by_class(self) -> tuple[FloatArray, FloatArray]:
        """Expected consequence of the own decisions, and if all got the rest decision."""
        total, inside = self.prefix.before[-1], self.rule_sums
        own = self._expected(inside, 0) + self._expected(total - inside, 1)
        return own, self._expected(total, 1)

    def _expected(self, sums: FloatArray, column: int) -> FloatArray:
        """Sum of expected consequences of a decision from class sums (..., 2, 3)."""
        event, other = self.gain[0, column], self.gain[1, column]
        probability = sums[..., CHANCE]
        return np.asarray(probability * event + (sums[..., ALL] - probability) * other)

    def _expand(self, positions: IntArray, sums: FloatArray) -> FloatArray:
        """All sums of ``DepthCurve`` at positions, from class sums (k, 2, 3)."""
        out = np.zeros((positions.shape[0], 2, SUMS))
        is_inside = (positions <= self.rule)[:, np.newaxis, np.newaxis]
        inside = np.where(is_inside, sums, self.rule_sums)
        outside = sums - inside
        act, rest = self.gain[:, 0], self.gain[:, 1]
        out[:, :, CASES] = sums[:, :, ALL]
        out[:, :, OWN] = inside[:, :, ALL] * act + outside[:, :, ALL] * rest
        out[:, :, COST] = inside[:, :, ALL] * self.cost[0] + outside[:, :, ALL] * self.cost[1]
        if self.is_firm:
            out[:, :, VALUE] = out[:, :, OWN]
            out[:, :, SQUARE] = inside[:, :, ALL] * act**2 + outside[:, :, ALL] * rest**2
            first = inside[:, :, FIRST_FOLD], outside[:, :, FIRST_FOLD]
            out[:, :, VALUE_0] = first[0] * act + first[1] * rest
            out[:, :, SQUARE_0] = first[0] * act**2 + first[1] * rest**2
            out[:, :, EXPECTED] = self._expected(inside, 0) + self._expected(outside, 1)
            return out
        more = act - rest
        for cases, value, cross, square in (
            (sums[:, :, ALL], VALUE, CROSS, SQUARE),
            (sums[:, :, FIRST_FOLD], VALUE_0, CROSS_0, SQUARE_0),
        ):
            out[:, :, value] = cases * more
            out[:, :, cross] = 2.0 * cases * rest * more
            out[:, :, square] = cases * more**2
        out[:, :, EXPECTED] = self._expected(sums, 0) - self._expected(sums, 1)
        return out


def rule_position(
    prefix: ProbabilityPrefix, gain: FloatArray, acting: int, decisions: int, tolerance: float
) -> int:
    """How many cases, best first, get the acting decision; all where there is no other."""
    ordering = prefix.ordering
    if decisions == 1:
        return int(ordering.order.shape[0])
    return int(_rule_position(ordering.order, ordering.key, prefix.ratio, gain, acting, tolerance))
