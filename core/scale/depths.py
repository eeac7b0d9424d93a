"""Profit by depth of more cases than memory holds: counts by code at depths and at the best ends.

What a case brings is a function of its code (class, decision, other decision, fold). A scan of one
key range keeps the counts around each depth of a grid, and the ends of groups that may be the best.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from core.decisions.depths.chance_curve import corrected_probability
from core.decisions.depths.depth import DepthPoints, Weighting
from core.decisions.depths.sums import (
    BASE,
    CASES,
    COST,
    CROSS,
    CROSS_0,
    EXPECTED,
    GAINED,
    OWN,
    OWN_WORTH,
    SPENT,
    SQUARE,
    SQUARE_0,
    SUMS,
    VALUE,
    VALUE_0,
)
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.rating_kernels import FOLD, LEVEL
from core.kernels import own_kernel
from core.kernels.sorting import scores_of_keys
from core.scale.exact_sums import SumArray, merge_sums, new_sums, rounded_values
from core.scale.ranked.coded import (
    GroupBlock,
    add_between,
    group_blocks,
    weighted_counts,
)
from core.scale.ranked.kernels import KeyArray
from core.scale.ranked.records import SpilledRange
from payoff.types import FloatArray, IntArray

ROUNDING = 1e-12  # of what a depth moves, and of all cases: less than that is no difference

GroupAt: TypeAlias = tuple[IntArray, IntArray, int, SumArray]
"""A group: counts before it and with it (codes,), its key, and the range's exact sums of expected
values before it, (levels, 67)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DepthRule:
    """How cases of a code count along the order.

    Attributes
    ----------
    parts : (codes, 4) uint8
    worth : (codes, 5) float64
        As of ``code_worth``.
    location : (codes,) float64
        What a case adds to the depth.
    objectives : (3, codes) float64
        What a case adds to the profit of all, of fold 0 and of fold 1.
    slacks : (3,) float64
        Differences that are none.
    targets : (M,) float64
        Depths, rising, as sums of locations.
    sign : float
        -1 where a small score is better: keys are of scores times it.
    ratio : (2,) or (0,) float64
        By which the event's chance is corrected, where scores are chances.
    is_by_probability : bool
        Whether scores are chances of the event; else advantages of acting.
    """

    parts: ByteArray
    worth: FloatArray
    location: FloatArray
    objectives: FloatArray
    slacks: FloatArray
    targets: FloatArray
    sign: float
    ratio: FloatArray
    is_by_probability: bool

    @property
    def levels(self) -> int:
        """The number of classes."""
        return int(self.parts[:, LEVEL].max()) + 1

    def scores(self, keys: KeyArray) -> FloatArray:
        """Scores as they are in the data, (n,)."""
        return np.asarray(self.sign * scores_of_keys(keys))

    def expected(self, keys: KeyArray) -> FloatArray:
        """What a case of a key adds to expected sums: its corrected chance, or its advantage."""
        scores = self.scores(keys)
        if not self.is_by_probability or not len(self.ratio):
            return scores
        out = np.empty(len(scores))
        _correct(scores, self.ratio, out)
        return out

    def by_level(self, counts: IntArray) -> FloatArray:
        """Counts (..., codes) by class, (levels, ...)."""
        return np.stack(
            [
                counts[..., self.parts[:, LEVEL] == level].sum(axis=-1, dtype=np.float64)
                for level in range(self.levels)
            ]
        )


@own_kernel
def _correct(probability: FloatArray, ratio: FloatArray, out: FloatArray) -> None:
    for row in range(probability.shape[0]):
        out[row] = corrected_probability(probability[row], ratio)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DepthTask:
    """A key range and how it is scanned."""

    range: SpilledRange
    rule: DepthRule


@dataclass(slots=True, kw_only=True, eq=False)
class DepthSummary:
    """What the scan of a range gives; ranges merge in any order.

    Attributes
    ----------
    depths : mapping of the number of a target to its group
    best : list by objective of (value, group at whose end it is), values rising
    sums : (levels, 67)
        Exact sums of expected values of all cases of the range.
    """

    ranking: int
    number: int
    sums: SumArray
    groups: int = 0
    depths: dict[int, GroupAt] = field(default_factory=dict)
    best: tuple[list[tuple[float, GroupAt]], ...] = field(default_factory=lambda: ([], [], []))


def scan_depths(task: DepthTask) -> DepthSummary:
    """Scan the groups of a range.

    Raises
    ------
    PayoffError
        For a spilled file that is damaged.
    """
    own, rule = task.range, task.rule
    found = DepthSummary(ranking=own.ranking, number=own.number, sums=new_sums(rule.levels))
    slack = ROUNDING * float(weighted_counts(own.whole, rule.location))
    aims = rule.targets - slack
    begin = float(weighted_counts(own.before, rule.location))
    is_first = not own.before.any()
    first = 0 if is_first else int(np.searchsorted(aims, begin, side="right"))
    for block in group_blocks(own):
        first = _add_block(found, block, rule, aims, first)
    return found


def _add_block(
    found: DepthSummary, block: GroupBlock, rule: DepthRule, aims: FloatArray, first: int
) -> int:
    """Take in some groups; the number of the first target that they do not reach."""
    reached = weighted_counts(block.ends[1:], rule.location)
    stop = max(first, int(np.searchsorted(aims, reached[-1], side="right")))
    places = np.searchsorted(reached, aims[first:stop], side="left")
    best = [_promising(block, rule, found.best[number], number) for number in range(3)]
    cuts = np.unique(np.concatenate([places, *best])).astype(np.int64)
    values, times = rule.expected(block.keys), rule.by_level(block.inside)
    before = dict(zip(cuts.tolist(), add_between(values, times, cuts, found.sums), strict=True))

    def group_at(place: int) -> GroupAt:
        ends = block.ends[place].copy(), block.ends[place + 1].copy()
        return *ends, int(block.keys[place]), before[place]

    for number, place in enumerate(places.tolist(), start=first):
        found.depths[number] = group_at(place)
    for number, chosen in enumerate(best):
        height = weighted_counts(block.ends[1:][chosen], rule.objectives[number])
        kept = found.best[number]
        kept += [(float(h), group_at(p)) for h, p in zip(height, chosen.tolist(), strict=True)]
        if kept:
            least = kept[-1][0] - rule.slacks[number]
            kept[:] = [entry for entry in kept if entry[0] >= least]
    found.groups += len(block)
    return stop


def _promising(
    block: GroupBlock, rule: DepthRule, known: list[tuple[float, GroupAt]], number: int
) -> IntArray:
    """Places of ends that are higher than all before, and no lower than the highest less slack."""
    height = weighted_counts(block.ends[1:], rule.objectives[number])
    highest = np.maximum.accumulate(height)
    bar = known[-1][0] if known else -np.inf
    before = np.concatenate([[bar], np.maximum(highest[:-1], bar)])
    least = highest[-1] - rule.slacks[number]
    return np.flatnonzero((height > before) & (height >= least)).astype(np.int64)


# ---------------------------------------------------------------- put together


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreamedCurve:
    """One model's depths under one matrix, as far as they were read: see ``DepthCurve``.

    ``known`` are the depths of ``points``; ``peaks`` the best of them all, by all cases, by those
    of fold 0 and of fold 1.
    """

    known: DepthPoints
    peaks: tuple[float, float, float]
    end: FloatArray  # (levels, SUMS)
    weighting: Weighting
    groups: int
    is_by_probability: bool

    def points(self, depths: FloatArray) -> DepthPoints:
        """Quantities at depths that were read.

        Raises
        ------
        KeyError
            For another depth.
        """
        known = self.known
        number = {depth: place for place, depth in enumerate(known.depth.tolist())}
        places = np.array([number[depth] for depth in depths.tolist()], dtype=np.int64)
        return DepthPoints(
            depth=np.asarray(depths),
            groups=known.groups[places],
            fraction=known.fraction[places],
            low=known.low[places],
            high=known.high[places],
            cut=known.cut[places],
            weighting=self.weighting,
        )


def streamed_curve(
    parts: Iterable[DepthSummary],
    rule: DepthRule,
    depths: FloatArray,
    whole: IntArray,
    weighting: Weighting,
    gain: FloatArray,
) -> StreamedCurve:
    """One curve of the scans of its ranges, in any order.

    Parameters
    ----------
    depths : (M,) float64
        What ``rule.targets`` are of all cases.
    whole : (codes,) int64
    gain : (levels,) float64
        What acting adds for each class: expected values of chances are made of it.
    """
    ordered = sorted(parts, key=lambda part: part.number)
    begin = new_sums(rule.levels)
    at: dict[int, GroupAt] = {}
    best: list[list[tuple[float, GroupAt]]] = [[], [], []]
    for part in ordered:
        at.update({number: _moved(group, begin) for number, group in part.depths.items()})
        for number, kept in enumerate(part.best):
            best[number] += [(height, _moved(group, begin)) for height, group in kept]
        begin = merge_sums(begin, part.sums)
    total = float(weighted_counts(whole, rule.location))
    chosen = [_best_end(kept, slack) for kept, slack in zip(best, rule.slacks, strict=True)]
    groups = [at[number] for number in range(len(depths))]
    shares = _shares(groups, rule, total)
    peaks = [0.0, 0.0, 0.0]
    for number, group in enumerate(chosen):
        if group is not None:
            peaks[number] = float(weighted_counts(group[1], rule.location)) / total
            groups.append(group)
            shares = np.append(shares, 1.0)
    own = [peak for peak, group in zip(peaks, chosen, strict=True) if group is not None]
    known = DepthPoints(
        depth=np.concatenate([depths, own]),
        groups=np.array([[low.sum(), high.sum()] for low, high, _, _ in groups], dtype=np.int64),
        fraction=shares,
        low=_all_sums(
            np.array([group[0] for group in groups]),
            np.array([group[3] for group in groups]),
            rule,
            gain,
        ),
        high=_all_sums(
            np.array([group[1] for group in groups]),
            np.array([_with_group(group, rule) for group in groups]),
            rule,
            gain,
        ),
        cut=rule.scores(np.array([group[2] for group in groups], dtype=np.uint64)),
        weighting=weighting,
    )
    return StreamedCurve(
        known=known,
        peaks=(peaks[0], peaks[1], peaks[2]),
        end=_all_sums(whole, begin, rule, gain),
        weighting=weighting,
        groups=sum(part.groups for part in ordered),
        is_by_probability=rule.is_by_probability,
    )


def _moved(group: GroupAt, begin: SumArray) -> GroupAt:
    return *group[:3], merge_sums(begin, group[3])


def _best_end(kept: list[tuple[float, GroupAt]], slack: float) -> GroupAt | None:
    """The lowest of the ends that are as high as the highest; None where depth 0 is."""
    highest = max([height for height, _ in kept], default=0.0)
    least = max(highest, 0.0) - slack
    if least <= 0.0:
        return None
    return next(group for height, group in kept if height >= least)


def _shares(groups: list[GroupAt], rule: DepthRule, total: float) -> FloatArray:
    """Shares of groups that lie within the depths that end in them, as ``find_depths`` has them."""
    start = weighted_counts(np.array([group[0] for group in groups]), rule.location)
    stop = weighted_counts(np.array([group[1] for group in groups]), rule.location)
    slack, target = total * ROUNDING, rule.targets
    whole = np.ones(len(groups))
    share = np.divide(target - start, stop - start, out=whole, where=stop > start)
    share = np.clip(share, 0.0, 1.0)
    share = np.where((stop > start) & (target - start <= slack), 0.0, share)
    return np.asarray(np.where(stop - target <= slack, 1.0, share))


def _with_group(group: GroupAt, rule: DepthRule) -> SumArray:
    """Exact sums of expected values with a group."""
    sums = group[3].copy()
    value = rule.expected(np.array([group[2]], dtype=np.uint64))
    add_between(value, rule.by_level((group[1] - group[0])[np.newaxis]), np.empty(0, int), sums)
    return sums


def _all_sums(
    counts: IntArray, expected: SumArray, rule: DepthRule, gain: FloatArray
) -> FloatArray:
    """All sums of ``DepthCurve`` of cases with some counts by code, (..., levels, SUMS).

    Counts are (..., codes), exact sums of expected values (..., levels, 67).
    """
    out = np.zeros((*counts.shape[:-1], rule.levels, SUMS))
    worth, first = rule.worth, rule.parts[:, FOLD] == 0
    base, value = worth[:, BASE], worth[:, GAINED]
    for level in range(rule.levels):
        own = np.where(rule.parts[:, LEVEL] == level, counts, 0)
        fold = np.where(first, own, 0)
        cases = own.sum(axis=-1).astype(np.float64)
        out[..., level, CASES] = cases
        for number, cut, each in (
            (VALUE, own, value),
            (CROSS, own, 2.0 * base * value),
            (SQUARE, own, value * value),
            (VALUE_0, fold, value),
            (CROSS_0, fold, 2.0 * base * value),
            (SQUARE_0, fold, value * value),
            (OWN, own, worth[:, OWN_WORTH]),
            (COST, own, worth[:, SPENT]),
        ):
            out[..., level, number] = weighted_counts(cut, each)
        sums = rounded_values(expected[..., level, :])
        is_probability = rule.is_by_probability
        out[..., level, EXPECTED] = (
            sums * gain[0] + (cases - sums) * gain[1] if is_probability else sums
        )
    return out


__all__ = ["DepthRule", "DepthSummary", "DepthTask", "StreamedCurve", "scan_depths"]
