"""One sort per model's score, from which every curve and ranked metric is read.

Cases of equal score form a group. A depth inside a group takes a proportional share of it, so that
no number depends on the order of rows in the file.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.evaluation.ranked.passes import (
    CHUNK,
    MOST_CLASSES,
    PackedArray,
    add_places,
    assign_bins,
    count_at,
    fill_groups,
    pack_rows,
    place_rows,
    scan_rows,
)
from core.inference.draws import BinArray
from core.kernels import argsort_descending, limited_threads, run_chunks
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray

GRID_POINTS = 1_001
DEPTH_GRID: FloatArray = np.linspace(0.0, 1.0, GRID_POINTS)
"""The common grid of depths that every screen curve lies on."""

_NO_WEIGHT: FloatArray = np.empty(0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChunkStarts:
    """What each chunk of ranked rows must know of the rows before it."""

    counts: FloatArray  # (chunks, K) class weights before the chunk
    sides: FloatArray  # (chunks, 2) factored weight of the event and of all others before it
    ends: FloatArray  # (chunks, 2) the same at the last end of a group before it
    positions: IntArray  # (chunks,) position after that end
    groups: IntArray  # (chunks,) groups that end before it
    class_weight: FloatArray  # (K,) of all rows
    group_count: int


@dataclass(frozen=True, slots=True, eq=False)
class RankingSummary:
    """What a screen shows of one ranking.

    Attributes
    ----------
    auc, average_precision, ks : float
        Area under the ROC curve (ties half), step sum of precision over recall, and the largest
        distance between the shares of events and others.
    depth : (M,) float64
        Share of the weighted cases acted on.
    class_share : (K, M) float64
        Share of each class that is among the best, proportional within groups of equal scores.
    cases : (M,) float64
        Unweighted rows among the best.
    threshold : (M,) float64
        Score of the last case within; at depth 0 the highest score.
    """

    auc: float
    average_precision: float
    ks: float
    depth: FloatArray
    class_share: FloatArray
    cases: FloatArray
    threshold: FloatArray


class RankedSample:
    """Cases with known class, sorted once by one score, highest first.

    Parameters
    ----------
    score : (n,) float64
        Higher = more likely the event. No NaN.
    outcome : (n,) int32
        Class codes; 0 is the event.
    classes : int
        Number of classes, at most 128.
    weight : (n,) float64, optional
        Case weights; left out = 1 each.
    factor : (K,) float64, optional
        What each class's weight counts for: the prior weights; left out = 1 each.

    Raises
    ------
    PayoffError
        If the event or all others have no weight, or there are too many classes.
    """

    def __init__(
        self,
        score: FloatArray,
        outcome: CodeArray,
        *,
        classes: int = 2,
        weight: FloatArray | None = None,
        factor: FloatArray | None = None,
    ) -> None:
        if classes > MOST_CLASSES:
            raise PayoffError(
                f"The target has {counted(classes, 'class', 'classes')}; at most "
                f"{MOST_CLASSES} can be ranked."
            )
        self.score = score
        self.weight = _NO_WEIGHT if weight is None else weight
        self.factor = np.ones(classes) if factor is None else factor
        self.packed: PackedArray = np.empty(len(score), dtype=np.uint8)
        # One thread where there is one chunk: waking the others costs more than it saves.
        with limited_threads(1) if len(score) <= CHUNK else nullcontext():
            self.order: OrderArray = argsort_descending(score)
        self.starts = self._pack(outcome)
        if self.event_weight <= 0 or self.others_weight <= 0:
            missing = "the event" if self.event_weight <= 0 else "the other classes"
            raise PayoffError(
                f"No case of {missing} is left: a ranking needs both.",
                remedy="Choose rows in which both happen, and priors above 0 for both.",
            )

    def __len__(self) -> int:
        return len(self.packed)

    @property
    def class_weight(self) -> FloatArray:
        """Weight of each class, (K,), prior weights applied."""
        return self.starts.class_weight * self.factor

    @property
    def event_weight(self) -> float:
        """Weight of the event."""
        return float(self.class_weight[0])

    @property
    def others_weight(self) -> float:
        """Weight of all other classes."""
        return float(self.class_weight[1:].sum())

    def _pack(self, codes: CodeArray) -> ChunkStarts:
        """Pack the ranked rows and find what each chunk must know of those before it."""
        classes, chunks = len(self.factor), (len(self) + CHUNK - 1) // CHUNK
        totals, sides = np.empty((chunks, classes)), np.empty((chunks, 2, 2))
        state = np.empty((chunks, 2), dtype=np.int64)
        arrays = (
            self.order,
            self.score,
            codes.astype(np.uint8),
            self.weight,
            self.factor,
            self.packed,
            totals,
            sides,
            state,
        )
        run_chunks(pack_rows, arrays, len(self))
        before, ends = np.zeros((chunks + 1, 2)), np.zeros((chunks + 1, 2))
        positions = np.zeros(chunks + 1, dtype=np.int64)
        for chunk in range(chunks):
            before[chunk + 1] = before[chunk] + sides[chunk, 0]
            has_end = state[chunk, 1] >= 0
            ends[chunk + 1] = before[chunk] + sides[chunk, 1] if has_end else ends[chunk]
            positions[chunk + 1] = state[chunk, 1] if has_end else positions[chunk]
        none, zero = np.zeros((1, classes)), np.zeros(1, dtype=np.int64)
        counts = np.concatenate([none, np.cumsum(totals, axis=0)])
        groups = np.concatenate([zero, np.cumsum(state[:, 0])])
        return ChunkStarts(
            counts=counts[:-1],
            sides=before[:-1],
            ends=ends[:-1],
            positions=positions[:-1],
            groups=groups[:-1],
            class_weight=counts[-1],
            group_count=int(groups[-1]),
        )

    def summary(self, grid: FloatArray = DEPTH_GRID) -> RankingSummary:
        """Areas and the grid of depths in one pass over the ranked rows.

        Parameters
        ----------
        grid : (M,) float64
            Ascending depths from 0 to 1.
        """
        starts = self.starts
        whole = np.array([self.event_weight, self.others_weight])
        parts = np.zeros((len(starts.counts), 3))
        sides, portions = np.zeros((2, len(grid))), np.zeros(len(grid))
        places = np.zeros((len(grid), 2), dtype=np.int64)
        weights = grid * whole.sum()
        beyond = np.searchsorted(weights, starts.ends.sum(axis=1), side="right")
        first_points = np.where(starts.positions > 0, beyond, 0).astype(np.int64)
        arrays = (
            self.packed,
            self.order,
            self.weight,
            self.factor,
            weights,
            starts.sides,
            starts.ends,
            starts.positions,
            first_points,
            whole,
            parts,
            sides,
            places,
            portions,
        )
        run_chunks(scan_rows, arrays, len(self))
        area, precision = np.cumsum(parts[:, :2], axis=0)[-1]
        return RankingSummary(
            auc=float(area / (whole[0] * whole[1])),
            average_precision=float(precision / whole[0]),
            ks=float(parts[:, 2].max()),
            depth=grid,
            class_share=self._class_shares(sides / whole[:, np.newaxis], places, portions),
            cases=np.asarray(places[:, 0] + portions * (places[:, 1] - places[:, 0]), np.float64),
            threshold=self.score[self.order[places[:, 1] - 1]],
        )

    def _class_shares(
        self, side_shares: FloatArray, places: IntArray, portions: FloatArray
    ) -> FloatArray:
        """Share of each class at the grid; NaN for a class without weight."""
        if len(self.factor) == 2:
            return side_shares
        at_places = np.empty((2, len(self.factor), len(places)))
        firsts = np.arange(0, len(self), CHUNK)
        for which in (0, 1):
            positions = np.ascontiguousarray(places[:, which])
            arrays = (
                self.packed,
                self.order,
                self.weight,
                self.starts.counts,
                positions,
                np.searchsorted(positions, firsts, side="left").astype(np.int64),
                at_places[which],
            )
            run_chunks(count_at, arrays, len(self))
        counts = at_places[0] + portions * (at_places[1] - at_places[0])
        safe = np.where(self.starts.class_weight > 0, self.starts.class_weight, np.nan)
        return np.asarray(counts / safe[:, np.newaxis])

    @cached_property
    def _groups(self) -> tuple[IntArray, FloatArray]:
        ends = np.empty(self.starts.group_count, dtype=np.int64)
        cumulative = np.empty((len(self.factor), self.starts.group_count))
        arrays = (
            self.packed,
            self.order,
            self.weight,
            self.starts.counts,
            self.starts.groups,
            ends,
            cumulative,
        )
        run_chunks(fill_groups, arrays, len(self))
        return ends, cumulative

    @property
    def group_ends(self) -> IntArray:
        """Position after the last row of each group of equal scores, (G,)."""
        return self._groups[0]

    @property
    def cumulative(self) -> FloatArray:
        """Weight of each class at the end of each group, (K, G), before prior weights."""
        return self._groups[1]

    @cached_property
    def events(self) -> FloatArray:
        """Weight of the event at the end of each group, (G,), prior weights applied."""
        return _scaled(self.cumulative[0], self.factor[0])

    @cached_property
    def others(self) -> FloatArray:
        """Weight of all other classes at the end of each group, (G,), prior weights applied."""
        if len(self.factor) == 2:
            return _scaled(self.cumulative[1], self.factor[1])
        return np.asarray(self.factor[1:] @ self.cumulative[1:])

    @property
    def group_depth(self) -> FloatArray:
        """Weight of all cases at the end of each group, (G,), prior weights applied."""
        return self.depth_of()

    def depth_of(self, groups: slice = slice(None)) -> FloatArray:
        """``group_depth`` of some groups."""
        return self.events[groups] + self.others[groups]

    @property
    def thresholds(self) -> FloatArray:
        """Score of each group, (G,), descending."""
        return self.threshold_of()

    def threshold_of(self, groups: slice = slice(None)) -> FloatArray:
        """``thresholds`` of some groups."""
        return self.score[self.order[self.group_ends[groups] - 1]]

    def placements(self) -> FloatArray:
        """How each case compares with the other side, (n,) in row order.

        For a case of the event the share of other cases ranked below it, for any other case the
        share of event cases ranked above it, ties half: the structural components of DeLong,
        DeLong and Clarke-Pearson (1988). The mean over either side is the AUC.
        """
        out = np.empty(len(self))
        arrays = (self.packed, self.order, self.starts.groups, self.events, self.others, out)
        run_chunks(place_rows, arrays, len(self))
        return out

    def place_moments(self, centre: float) -> FloatArray:
        """Moments by class of the placements less ``centre``, (K, 4), as ``add_places`` says."""
        sums = np.zeros((len(self.starts.counts), len(self.factor), 4))
        arrays = (
            self.packed,
            self.order,
            self.weight,
            self.starts.groups,
            self.events,
            self.others,
            centre,
            sums,
        )
        run_chunks(add_places, arrays, len(self))
        return np.asarray(np.cumsum(sums, axis=0)[-1])

    def bins(self, cuts: IntArray) -> BinArray:
        """The bin of each row, (n,) in row order: whole groups of equal scores by ``cuts``."""
        out = np.empty(len(self), dtype=np.uint16)
        first_bins = np.searchsorted(cuts, self.starts.positions, side="right").astype(np.int64)
        run_chunks(assign_bins, (self.packed, self.order, first_bins, cuts, out), len(self))
        return out


def _scaled(values: FloatArray, factor: float) -> FloatArray:
    return values if factor == 1.0 else np.asarray(values * factor)


def prior_factor(
    outcome_weight: FloatArray, priors: FloatArray | None
) -> NDArray[np.float64] | None:
    """Weight of each class under priors: Paw(t) = prior(t) * sum F / sum of F in class t.

    Parameters
    ----------
    outcome_weight : (K,) float64
        Frequency of each class in the data.
    priors : (K,) float64 or None
        Class shares wanted; they are scaled to sum 1.

    Raises
    ------
    PayoffError
        For a class with a prior above 0 that no row has.
    """
    if priors is None:
        return None
    shares = priors / priors.sum()
    empty = (outcome_weight <= 0) & (shares > 0)
    if empty.any():
        raise PayoffError(
            f"Class number {int(np.argmax(empty)) + 1} has a prior above 0 but no row.",
            why="Its share cannot be weighted up from nothing.",
            remedy="Set its prior to 0, or choose rows that hold it.",
        )
    safe = np.where(outcome_weight > 0, outcome_weight, 1.0)
    return np.asarray(shares * outcome_weight.sum() / safe)
