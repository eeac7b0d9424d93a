"""Searching a node's histogram for its best split.

Planes hold gradient, curvature and count per bin, as int32 with a unit or as float64. The common
case (numbers, no bounds) runs over arrays that vectorise; its gains are float32 where the sums are
rounded anyway. The winner's gain is computed again in float64.

What each numeric column promises: its best gain in float32, eight columns at once.

A search of every column bin by bin costs more than counting the rows of a small leaf. Here the
columns of a tile are scanned side by side; only those whose promise comes near the best one are
then searched exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.level_search import believed, order_levels
from core.boosting.growing.moments import Moments
from core.boosting.growing.records import TILE_COLUMNS
from core.boosting.growing.rules import Rules, bounded_improvement, improvement
from core.boosting.trees import LevelBits
from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray

PlaneArray = NDArray[Any]
"""int32 or float64 (3, P)."""


@own_kernel
def _gains(
    gradient: PlaneArray,
    hessian: PlaneArray,
    count: PlaneArray,
    size: int,
    start: PlaneArray,
    total: PlaneArray,
    min_cases: int,
    least: float,
    l2: float,
    work: PlaneArray,
) -> tuple[float, int]:
    """Best sum of g^2 / (h + l2) over the two sides, and its bin; -1 where none may split.

    ``start`` holds what lies left before the first bin (missing values sent left), ``total``
    all: gradient, curvature, count each. ``work`` (4, 256) gives the type of the arithmetic.
    """
    left_g = work[0]
    left_h = work[1]
    right_g = work[2]
    right_h = work[3]
    a = start[0]
    b = start[1]
    c = start[2]
    all_g = total[0]
    all_h = total[1]
    all_c = total[2]
    first = size
    last = -1
    for i in range(size):
        a += gradient[i]
        b += hessian[i]
        c += count[i]
        left_g[i] = a
        left_h[i] = b
        right_g[i] = all_g - a
        right_h[i] = all_h - b
        if c >= min_cases and all_c - c >= min_cases:
            first = min(first, i)
            last = i
    one = work[4]
    for i in range(first, last + 1):
        x = left_h[i] + l2
        y = right_h[i] + l2
        gain = (left_g[i] * left_g[i] * y + right_g[i] * right_g[i] * x) / (x * y)
        one[i] = gain if (left_h[i] >= least and right_h[i] >= least) else -1.0
    best = work.dtype.type(-1.0)
    chosen = -1
    for i in range(first, last + 1):
        if one[i] > best:
            best = one[i]
            chosen = i
    return best, chosen


@own_kernel
def search_numbers(
    planes: PlaneArray,
    first: int,
    step: int,
    size: int,
    missing_slot: int,
    totals: PlaneArray,
    units: FloatArray,
    rules: Rules,
    sign: int,
    low: float,
    high: float,
    work: PlaneArray,
) -> tuple[float, int, bool]:
    """Best gain of a numeric column, the last bin on the left, and whether missing goes left.

    ``units`` are the worth of one gradient and one curvature unit.
    """
    end = first + size * step
    gradient = planes[0][first:end:step]
    hessian = planes[1][first:end:step]
    count = planes[2][first:end:step]
    missing = np.empty(3, planes.dtype)
    for part in range(3):
        missing[part] = planes[part][first + missing_slot * step]
    has_missing = missing[2] > 0
    if rules.has_bounds or sign != 0:
        return _search_bounded(
            gradient, hessian, count, missing, totals, units, rules, sign, low, high
        )
    nothing = np.zeros(3, planes.dtype)
    whole = totals
    if rules.is_third_child and has_missing:
        whole = totals - missing
    least = work.dtype.type(rules.least / units[1])
    l2 = work.dtype.type(rules.l2 / units[1])
    best, chosen = _gains(
        gradient, hessian, count, size, nothing, whole, rules.min_cases, least, l2, work
    )
    is_left = False
    if has_missing and not rules.is_third_child:
        other, place = _gains(
            gradient, hessian, count, size, missing, whole, rules.min_cases, least, l2, work
        )
        if other > best:
            best, chosen, is_left = other, place, True
    if chosen < 0:
        return 0.0, -1, False
    a = 0.0
    b = 0.0
    for i in range(chosen + 1):
        a += gradient[i]
        b += hessian[i]
    if is_left:
        a += missing[0]
        b += missing[1]
    third = rules.is_third_child and has_missing
    mg = float(missing[0]) if third else 0.0
    mh = float(missing[1]) if third else 0.0
    gain = improvement(
        a * units[0],
        b * units[1],
        (whole[0] - a) * units[0],
        (whole[1] - b) * units[1],
        mg * units[0],
        mh * units[1],
        rules.l2,
    )
    return gain, chosen, is_left


@own_kernel
def _search_bounded(
    gradient: PlaneArray,
    hessian: PlaneArray,
    count: PlaneArray,
    missing: PlaneArray,
    totals: PlaneArray,
    units: FloatArray,
    rules: Rules,
    sign: int,
    low: float,
    high: float,
) -> tuple[float, int, bool]:
    """As ``search_numbers`` under bounds, bin by bin in float64."""
    unit_g, unit_h = units[0], units[1]
    mg, mh, mc = missing[0] * unit_g, missing[1] * unit_h, float(missing[2])
    all_g = totals[0] * unit_g - mg
    all_h = totals[1] * unit_h - mh
    all_c = float(totals[2]) - mc
    best = 0.0
    chosen = -1
    is_left = False
    a = b = c = 0.0
    sides = 1 if (mc == 0.0 or rules.is_third_child) else 2
    for i in range(gradient.shape[0]):
        a += gradient[i] * unit_g
        b += hessian[i] * unit_h
        c += count[i]
        for side in range(sides):
            is_missing_left = side == 1
            is_third = rules.is_third_child
            lg = a + (mg if is_missing_left else 0.0)
            lh = b + (mh if is_missing_left else 0.0)
            lc = c + (mc if is_missing_left else 0.0)
            rg = all_g - a + (0.0 if is_missing_left or is_third else mg)
            rh = all_h - b + (0.0 if is_missing_left or is_third else mh)
            rc = all_c - c + (0.0 if is_missing_left or is_third else mc)
            if lc < rules.min_cases or rc < rules.min_cases:
                continue
            if lh < rules.least or rh < rules.least:
                continue
            gain = bounded_improvement(
                lg,
                lh,
                rg,
                rh,
                mg if is_third else 0.0,
                mh if is_third else 0.0,
                rules.l2,
                sign,
                low,
                high,
                rules.is_gbm,
            )
            if gain > best:
                best, chosen, is_left = gain, i, is_missing_left
    return best, chosen, is_left


@own_kernel
def search_levels(
    planes: PlaneArray,
    first: int,
    step: int,
    size: int,
    missing_slot: int,
    totals: PlaneArray,
    units: FloatArray,
    moments: Moments,
    first_spread: float,
    rules: Rules,
    low: float,
    high: float,
    bits: LevelBits,
) -> tuple[float, float, bool]:
    """Best gain of a nominal column, the trust in it; fills the levels that go left.

    Levels in order of their mean make a sequence whose bins are searched like numbers.
    """
    held = np.empty(size, np.int64)
    present = 0
    for i in range(size):
        held[present] = i
        present += 1 if planes[2][first + i * step] > 0 else 0
    raw = np.empty(present)
    hessians = np.empty(present)
    count = np.empty(present)
    for k in range(present):
        at = first + held[k] * step
        raw[k] = planes[0][at] * units[0]
        hessians[k] = planes[1][at] * units[1]
        count[k] = planes[2][at]
    missing = np.empty(3)
    whole = np.empty(3)
    for part in range(3):
        unit = units[part] if part < 2 else 1.0
        missing[part] = planes[part][first + missing_slot * step] * unit
        whole[part] = totals[part] * unit
    shrunk = raw.copy()
    order, noise = order_levels(
        shrunk, hessians, missing[0], missing[1], moments, first_spread, rules
    )
    gain, chosen, is_left = _search_bounded(
        shrunk[order],
        hessians[order],
        count[order],
        missing,
        whole,
        np.ones(2),
        rules,
        0,
        low,
        high,
    )
    for word in range(bits.shape[0]):
        bits[word] = np.uint64(0)
    raw_g = shrunk_g = side_h = 0.0
    for k in range(chosen + 1):
        place = order[k]
        level = held[place]
        bits[level >> 6] |= np.uint64(1) << np.uint64(level & 63)
        raw_g += raw[place]
        shrunk_g += shrunk[place]
        side_h += hessians[place]
    if rules.level_penalty == 0.0 or chosen < 0:
        return gain, 1.0, is_left
    if is_left:
        raw_g, shrunk_g, side_h = raw_g + missing[0], shrunk_g + missing[0], side_h + missing[1]
    has_third = rules.is_third_child and missing[2] > 0.0
    if has_third:
        whole -= missing
    gain, trust = believed(gain, noise, raw_g, shrunk_g, side_h, whole[0], whole[1], has_third)
    return gain, trust, is_left


@own_kernel
def _scan(
    gradient: PlaneArray,
    hessian: PlaneArray,
    count: PlaneArray,
    bins: int,
    step: int,
    min_cases: np.int32,
    least: np.float32,
    l2: np.float32,
    running: NDArray[np.int32],
    best: NDArray[np.float32],
) -> None:
    """Raise ``best`` (step,) to the largest sum of g^2 / (h + l2) over two sides of each column.

    ``running`` (192,): totals of gradient, curvature and count, then what lies left so far, 32
    places each. Written so that the loop over columns becomes one of vectors: no store under a
    condition, one type per array.
    """
    nothing = np.float32(0.0)
    for place in range(bins):
        base = place * step
        more_g = gradient[base : base + step]
        more_h = hessian[base : base + step]
        more_c = count[base : base + step]
        for c in range(step):
            g = np.int32(running[96 + c] + more_g[c])
            h = np.int32(running[128 + c] + more_h[c])
            cases = np.int32(running[160 + c] + more_c[c])
            running[96 + c] = g
            running[128 + c] = h
            running[160 + c] = cases
            rest_g = np.float32(np.int32(running[c] - g))
            rest_h = np.float32(np.int32(running[32 + c] - h))
            rest_cases = np.int32(running[64 + c] - cases)
            left_g = np.float32(g)
            left_h = np.float32(h)
            x = left_h + l2
            y = rest_h + l2
            gain = (left_g * left_g * y + rest_g * rest_g * x) / (x * y)
            is_fit = (cases >= min_cases) & (rest_cases >= min_cases)
            is_fit = is_fit & (left_h >= least) & (rest_h >= least)
            gain = gain if is_fit else nothing
            more = gain - best[c]
            best[c] += more if more > nothing else nothing


@own_kernel
def screen_columns(
    planes: NDArray[np.int32],
    step: int,
    n_bins: IntArray,
    missing_slot: int,
    totals: PlaneArray,
    limits: FloatArray,
    is_third_child: bool,
    running: NDArray[np.int32],
    expected_gain: NDArray[np.float32],
) -> None:
    """Fill each column's best sum of g^2 / (h + l2), near enough to tell which to search.

    Parameters
    ----------
    planes : int32 (3, P)
        Gradient, curvature and count of a leaf.
    step, n_bins, missing_slot
        Layout of the planes.
    totals : int32 (3,)
        Sums of the leaf.
    limits : float64 (3,)
        Least cases and least curvature of a side, and l2, in units of the sums.
    is_third_child : bool
        Missing values are on neither side.
    running : int32 (192,)
        Working memory.
    expected_gain : float32 (tiles x step,)
        A column's place is tile x step + its number in the tile.
    """
    min_cases, least, l2 = np.int32(limits[0]), np.float32(limits[1]), np.float32(limits[2])
    size = 256 * step
    at_missing = missing_slot * step
    expected_gain[:] = 0.0
    for tile in range(planes.shape[1] // size):
        gradient = planes[0][tile * size : tile * size + size]
        hessian = planes[1][tile * size : tile * size + size]
        count = planes[2][tile * size : tile * size + size]
        best = expected_gain[tile * step : tile * step + step]
        bins = 0
        for column in range(TILE_COLUMNS * tile, min(TILE_COLUMNS * (tile + 1), n_bins.shape[0])):
            bins = max(bins, n_bins[column])
        absent = 0
        for c in range(step):
            absent += count[at_missing + c]
            running[c], running[32 + c], running[64 + c] = totals[0], totals[1], totals[2]
            running[96 + c] = running[128 + c] = running[160 + c] = 0
            if is_third_child:
                running[c] -= gradient[at_missing + c]
                running[32 + c] -= hessian[at_missing + c]
                running[64 + c] -= count[at_missing + c]
        _scan(gradient, hessian, count, bins, step, min_cases, least, l2, running, best)
        if absent == 0 or is_third_child:
            continue
        for c in range(step):
            running[96 + c] = gradient[at_missing + c]
            running[128 + c] = hessian[at_missing + c]
            running[160 + c] = count[at_missing + c]
        _scan(gradient, hessian, count, bins, step, min_cases, least, l2, running, best)
