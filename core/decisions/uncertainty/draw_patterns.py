"""Rows that bring the same are drawn as one pattern: their draws are counted, then weighed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.uncertainty.draw_rows import BLOCK, WordArray
from core.kernels import LANES, own_kernel, parallel_kernel, prange
from core.kernels.draws import fill_poisson_rows
from payoff.types import CodeArray, FloatArray, IntArray

MOST_PATTERNS = 256
"""Beyond so many different rows they are added one by one; each pattern has 32 counters."""

PATTERN_SAMPLE = 2048
"""Rows that are sorted to find patterns; the others are looked up among theirs."""


@own_kernel
def _add_patterns(
    words: WordArray, base: int, count: int, pattern: IntArray, counts: CodeArray
) -> None:
    """Add ``count`` drawn rows from ``base`` to the counters of their patterns."""
    drawn = words.view(np.uint8)
    for step in range(count):
        name = pattern[base + step]
        if name >= 0:
            into = counts[np.uint64(name)]
            first = np.uint64(step) * np.uint64(LANES)
            for lane in range(np.uint64(LANES)):
                into[lane] += np.int32(drawn[first + lane])


@parallel_kernel
def count_patterns(
    seed: int, first_group: int, units: IntArray, pattern: IntArray, counts: CodeArray
) -> None:
    """Count the drawn rows of each pattern, (groups, patterns, LANES); -1 = does not count."""
    rows = pattern.shape[0]
    for group in prange(counts.shape[0]):
        words = np.empty(BLOCK * LANES // 4, dtype=np.uint32)
        for base in range(0, rows, BLOCK):
            count = min(BLOCK, rows - base)
            own = units[base : base + count]
            fill_poisson_rows(seed, first_group + group, own, words, 0, count)
            _add_patterns(words, base, count, pattern, counts[group])


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Rows that bring the same by every measure, and stand for as many cases of one class.

    ``of_row`` (rows,), -1 = does not count; ``level`` and ``frequency`` (patterns,); ``values``
    (measures, patterns).
    """

    of_row: IntArray
    level: IntArray
    frequency: FloatArray
    values: FloatArray

    def add(self, counts: CodeArray, cases: FloatArray, sums: FloatArray) -> None:
        """Add drawn rows, counts (groups, patterns, LANES), to the sums of their draws."""
        weight = counts * self.frequency[:, np.newaxis]
        for level in range(cases.shape[1]):
            here = self.level == level
            drawn = weight[:, here]
            cases[:, level] += drawn.sum(axis=1)
            sums[:, level] += np.einsum("gpl,mp->gml", drawn, self.values[:, here])


def patterns_of(values: FloatArray, level: IntArray, frequency: FloatArray) -> Patterns | None:
    """Patterns of some rows, or None where there are too many to be worth it.

    ``level`` is -1 where a row does not count.
    """
    columns = np.vstack([values, level, frequency])
    of_row = _numbered(np.sqrt(np.arange(2.0, 2.0 + columns.shape[0])) @ columns)
    if of_row is None:
        return None
    first = np.empty(of_row.max() + 1, dtype=np.int64)
    first[of_row[::-1]] = np.arange(of_row.shape[0])[::-1]
    if not np.array_equal(columns[:, first][:, of_row], columns):
        return None  # two patterns met in one mixed number
    return Patterns(
        of_row=np.where(level < 0, -1, of_row).astype(np.int64),
        level=level[first],
        frequency=frequency[first],
        values=values[:, first],
    )


def _numbered(values: FloatArray) -> IntArray | None:
    """The rank of each value among the different ones; None where there are too many of them.

    Most stand among the first rows, and finding a value is quicker than sorting all of them.
    """
    known = np.unique(values[:PATTERN_SAMPLE])
    place = np.minimum(np.searchsorted(known, values), known.shape[0] - 1)
    is_new = known[place] != values
    if is_new.any():
        known = np.unique(np.concatenate([known, values[is_new]]))
        place = np.searchsorted(known, values)
    return place if known.shape[0] <= MOST_PATTERNS else None
