"""Kernels that draw cases again and add up what the drawn rows bring."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.decisions.case_blocks import ByteArray
from core.decisions.consequences import Consequences
from core.decisions.depths.case_worth import acting_share, case_value
from core.decisions.rating_kernels import LEVEL, NO_CODE, ShortArray
from core.kernels import LANES, own_kernel, parallel_kernel, prange
from core.kernels.draws import fill_poisson_rows
from payoff.types import FloatArray, IntArray

BLOCK = 512
"""Rows whose weights are drawn in one go."""

WordArray = NDArray[np.uint32]


@parallel_kernel
def value_rows(
    start: int,
    stop: int,
    code: ShortArray,
    key: FloatArray,
    cut: tuple[float, float, float],
    parts: ByteArray,
    worth: FloatArray,
    given: Consequences,
    acting: int,
    is_by_rule: bool,
    out: FloatArray,
) -> None:
    """What the cases of some rows bring; 0 for those that do not count."""
    cost_row, rate, costs = given.cost_row, given.rate, given.costs
    for place in prange(stop - start):
        row = start + place
        name = np.int64(code[row])
        out[place] = 0.0
        if name != NO_CODE:
            share = 0.0 if is_by_rule else acting_share(key[row], cut[0], cut[1], cut[2])
            out[place] = case_value(
                row, name, parts, worth, cost_row, rate, costs, acting, is_by_rule, share
            )


@own_kernel
def _add_rows(
    words: WordArray,
    base: int,
    count: int,
    start: int,
    values: FloatArray,
    code: ShortArray,
    parts: ByteArray,
    frequency: FloatArray,
    cases: FloatArray,
    sums: FloatArray,
) -> None:
    """Add ``count`` drawn rows from ``base`` to the sums of one group of draws."""
    drawn = words.view(np.uint8)
    weight = np.empty(LANES)
    for step in range(count):
        place = base + step
        name = np.int64(code[start + place])
        if name == NO_CODE:
            continue
        level = np.int64(parts[name, LEVEL])
        factor = frequency[start + place] if frequency.shape[0] else 1.0
        first = np.uint64(step) * np.uint64(LANES)
        into = cases[level]
        for lane in range(np.uint64(LANES)):
            weight[lane] = factor * drawn[first + lane]
            into[lane] += weight[lane]
        for measure in range(values.shape[0]):
            value = values[measure, place]
            if value != 0.0:
                total = sums[level, measure]
                for lane in range(np.uint64(LANES)):
                    total[lane] += weight[lane] * value


@parallel_kernel
def draw_rows(
    seed: int,
    first_group: int,
    units: IntArray,
    values: FloatArray,
    code: ShortArray,
    parts: ByteArray,
    frequency: FloatArray,
    cases: FloatArray,
    sums: FloatArray,
) -> None:
    """Add drawn rows, in row order, to each draw's sums.

    ``units``: their numbers, rising by 1; ``values`` (measures, rows) what they bring; ``cases``
    (groups, levels, LANES) and ``sums`` (groups, levels, measures, LANES) go on from what they
    hold. A group of draws belongs to one thread, so that sums do not depend on threads.
    """
    rows, start = units.shape[0], units[0]
    for group in prange(cases.shape[0]):
        words = np.empty(BLOCK * LANES // 4, dtype=np.uint32)
        for base in range(0, rows, BLOCK):
            count = min(BLOCK, rows - base)
            own = units[base : base + count]
            fill_poisson_rows(seed, first_group + group, own, words, 0, count)
            _add_rows(
                words,
                base,
                count,
                start,
                values,
                code,
                parts,
                frequency,
                cases[group],
                sums[group],
            )
