"""A whole ranking, put together of its ranges: what curves, ranked metrics and draws read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from core.evaluation.ranked.ranking import DEPTH_GRID
from core.evaluation.ranked.rankings import MOST_BINS
from core.scale.exact_sums import exact_value, merge_sums, nearest_double, new_sums
from core.scale.ranked.kernels import KeyArray
from core.scale.ranked.ranges import (
    CELLS,
    GROUPS_KEPT,
    KeyMap,
    RangeSummary,
    RangeTask,
    RankingCounts,
    ends_around,
    hull_corners,
    last_in_cell,
    spilled_ranges,
)
from payoff.types import BoolArray, FloatArray, IntArray

PAIR_CELLS = 65_536
_GRID_BINS = 1_001
_SHALLOW_BINS = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreamedRanking:
    """The figures of one ranking, exact.

    Attributes
    ----------
    whole : (events, others)
    groups : int
        Groups of equal scores.
    area : float
        Under the ROC curve, ties half: whole numbers divided once.
    variance : float
        DeLong's, of the area.
    average_precision, ks : float
    events, others : (g,) float64
        Cumulative, at the ends of groups that are kept: all of them, or the last ends in 2^20
        cells of positions, the corners of the hull, the widest gap and those around named shares.
    half : (events, others)
        The same with the last ends of half as many cells: what moves between them is not exact.
    depth_sides : (M, 4) int64
        Events and others before and with the group that holds each depth of the grid.
    depth_keys : (M,) uint64
    bin_cuts : (B,) uint64
        The first key of every bin of draws but the first.
    cells : PairCells
        Places of cases among the other side, by key.
    """

    whole: tuple[int, int]
    groups: int
    area: float
    variance: float
    average_precision: float
    ks: float
    events: FloatArray
    others: FloatArray
    half: tuple[FloatArray, FloatArray]
    depth_sides: IntArray
    depth_keys: KeyArray
    bin_cuts: KeyArray
    cells: PairCells

    @property
    def is_complete(self) -> bool:
        """Whether every group of equal scores is kept."""
        return len(self.events) == self.groups

    def side_shares(self) -> FloatArray:
        """Shares of events and of others among the best, at the depths of the grid, (2, M)."""
        before, after = self.depth_sides[:, :2].sum(axis=1), self.depth_sides[:, 2:].sum(axis=1)
        part = (DEPTH_GRID * sum(self.whole) - before) / (after - before)
        part = np.clip(part, 0.0, 1.0)
        begin, end = self.depth_sides[:, :2].T, self.depth_sides[:, 2:].T
        reached = begin + part * (end - begin)
        return np.asarray(reached / np.array(self.whole, dtype=np.float64)[:, np.newaxis])


@dataclass(frozen=True, slots=True, eq=False)
class PairCells:
    """Cells of whole groups by key, and the place that cases of either side have in each.

    ``cuts`` (C - 1,) uint64; ``below``, ``above`` (C,) float64: of an event the share of others
    below it, of any other case the share of events above it, ties half.
    """

    cuts: KeyArray
    below: FloatArray
    above: FloatArray
    is_exact: bool


def cut_positions(rows: int) -> tuple[IntArray, IntArray]:
    """Positions at which bins of draws, and cells of pairs, begin: by the number of rows alone."""
    even = np.linspace(0.0, rows, _GRID_BINS)[1:-1]
    shallow = np.geomspace(1.0, rows / (_GRID_BINS - 1), _SHALLOW_BINS)
    bins = np.unique(np.rint(np.concatenate([shallow, even])).astype(np.int64))
    bins = bins[(bins > 0) & (bins < rows)]
    cells = np.unique(np.arange(1, PAIR_CELLS, dtype=np.int64) * rows // PAIR_CELLS)
    return bins, cells[(cells > 0) & (cells < rows)]


def range_tasks(
    ranking: int, counts: RankingCounts, keys: KeyMap, shares: FloatArray, held: int
) -> Iterator[RangeTask]:
    """The ranges of one ranking that hold a case."""
    sides = np.add.reduceat(counts.counts, keys.first, axis=0)
    rows = int(sides.sum())
    cuts = np.union1d(*cut_positions(rows))
    for own in spilled_ranges(ranking, sides, counts.files, keys, held):
        yield RangeTask(range=own, points=DEPTH_GRID * rows, shares=shares, cuts=cuts)


def put_together(
    ranges: Iterable[RangeSummary], whole: tuple[int, int], shares: FloatArray
) -> StreamedRanking:
    """One ranking of the summaries of its ranges, in any order."""
    parts = sorted(ranges, key=lambda part: part.number)
    area = Fraction(sum(part.twice_area for part in parts), 2 * whole[0] * whole[1])
    sums = new_sums(3)
    for part in parts:
        sums = merge_sums(sums, part.placements)
    groups = sum(part.groups for part in parts)
    events, others, half = _kept_ends(parts, shares)
    widest = max(part.widest for part in parts)
    bins, cells = _cuts(parts, whole, groups)
    depths = np.array(sorted(row for part in parts for row in part.depths), dtype=object)
    return StreamedRanking(
        whole=whole,
        groups=groups,
        area=nearest_double(area),
        variance=_delong_variance(exact_value(sums[0]), exact_value(sums[1]), area, whole),
        average_precision=nearest_double(exact_value(sums[2]) / whole[0]),
        ks=min(widest[0], 1.0),
        events=events.astype(np.float64),
        others=others.astype(np.float64),
        half=(events[half].astype(np.float64), others[half].astype(np.float64)),
        depth_sides=depths[:, 1:5].astype(np.int64),
        depth_keys=depths[:, 5].astype(np.uint64),
        bin_cuts=bins,
        cells=cells,
    )


def _delong_variance(
    events: Fraction, others: Fraction, area: Fraction, whole: tuple[int, int]
) -> float:
    """From sums of squared places less a half; both sides have the area as their mean."""
    if min(whole) < 2:
        return float("nan")
    centre = (area - Fraction(1, 2)) ** 2
    found = Fraction(0)
    for squares, size in ((events, whole[0]), (others, whole[1])):
        found += max(squares - size * centre, Fraction(0)) / (size * (size - 1))
    return nearest_double(found)


def _kept_ends(
    parts: list[RangeSummary], shares: FloatArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Ends of groups by rules that know of no range: what is kept beside them is let go.

    With them which are left where cells are twice as wide.
    """
    ends = np.concatenate([end for part in parts for end in part.ends])
    events, others = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
    gap = np.abs(events * (1.0 / events[-1]) - others * (1.0 / others[-1]))
    is_named = np.zeros(len(events), dtype=bool)
    is_named[int(np.argmax(gap))] = True
    is_named[ends_around(events, others, shares)] = True
    is_named[hull_corners(others, events)] = True
    whole = int(events[-1] + others[-1])
    is_kept = is_named | last_in_cell(events + others, whole)
    half = (is_named | last_in_cell(events + others, whole, 2))[is_kept]
    return events[is_kept], others[is_kept], half


def _cuts(
    parts: list[RangeSummary], whole: tuple[int, int], groups: int
) -> tuple[KeyArray, PairCells]:
    """Keys at which bins of draws begin, and the cells of pairs."""
    rows = sum(whole)
    bins, cells = cut_positions(rows)
    every = _every_group(parts) if groups <= GROUPS_KEPT else None
    begins = None if every is not None else _begins(parts, np.union1d(bins, cells))
    if every is not None:
        keys, events, others = every
        starts = np.concatenate([[0], (events + others)[:-1]])
        places = np.searchsorted(starts, bins, side="left")
        found = keys[places[places < len(keys)]]
        is_few = groups <= MOST_BINS
        return (keys[1:] if is_few else found), _pair_cells(
            keys, np.append(0, events[:-1]), np.append(0, others[:-1]), whole, is_exact=True
        )
    assert begins is not None
    cuts, keys, events, others = begins
    bin_keys = keys[np.searchsorted(cuts, bins[bins <= cuts[-1]])]
    of_cells = np.unique(np.searchsorted(cuts, cells[cells <= cuts[-1]]))
    return bin_keys, _pair_cells(
        keys[of_cells], events[of_cells], others[of_cells], whole, is_exact=False
    )


def _every_group(parts: list[RangeSummary]) -> tuple[KeyArray, IntArray, IntArray]:
    chunks = [chunk for part in parts for chunk in part.keyed or ()]
    keys, events, others = (np.concatenate([chunk[side] for chunk in chunks]) for side in range(3))
    return keys.astype(np.uint64), events.astype(np.int64), others.astype(np.int64)


def _begins(
    parts: list[RangeSummary], cuts: IntArray
) -> tuple[IntArray, KeyArray, IntArray, IntArray]:
    """The first group that begins at or after each cut: in its range, else the next one's first.

    Cuts behind the beginning of the last group have none and are left out.
    """
    firsts = [part.first for part in parts if part.first is not None]
    starts = np.array([first[1] + first[2] for first in firsts], dtype=np.int64)
    known: dict[int, tuple[int, int, int]] = {}
    for part in parts:
        known.update(part.begins)
    kept: list[tuple[int, int, int, int]] = []
    for number, cut in enumerate(cuts):
        entry = known.get(number)
        if entry is None:
            place = int(np.searchsorted(starts, cut, side="left"))
            if place == len(firsts):
                break
            entry = firsts[place]
        kept.append((int(cut), *entry))
    table = list(zip(*kept, strict=True))
    return (
        np.array(table[0], dtype=np.int64),
        np.array(table[1], dtype=np.uint64),
        np.array(table[2], dtype=np.int64),
        np.array(table[3], dtype=np.int64),
    )


def _pair_cells(
    keys: KeyArray,
    events: IntArray,
    others: IntArray,
    whole: tuple[int, int],
    *,
    is_exact: bool,
) -> PairCells:
    """Cells that begin at some groups, by the cases before each."""
    first = np.concatenate([[True], keys[1:] != keys[:-1]])
    keys, events, others = keys[first], events[first], others[first]
    if events[0] + others[0] > 0:  # the first cell begins at the first group
        keys = np.append(np.uint64(0), keys)
        events, others = np.append(0, events), np.append(0, others)
    after_events = np.append(events[1:], whole[0])
    after_others = np.append(others[1:], whole[1])
    below = 1.0 - (others + after_others) * (0.5 / whole[1])
    above = (events + after_events) * (0.5 / whole[0])
    return PairCells(keys[1:], below, above, is_exact)


__all__ = [
    "CELLS",
    "PairCells",
    "StreamedRanking",
    "cut_positions",
    "put_together",
    "range_tasks",
]
