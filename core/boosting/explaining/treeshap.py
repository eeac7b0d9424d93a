"""Exact Shapley values of a forest, after TreeSHAP (Lundberg and others 2020, path dependent).

A column that is left out is averaged over, by the weights of the training cases at its splits. A
leaf with elements (column, share z, met or not o) pays

    value x (o_j - z_j) x sum over sets S of the others of |S|! (D-1-|S|)! / D! prod o prod z

to element j. The sums are coefficients of the polynomial prod (z_i + o_i x), from which one factor
is divided out. What a leaf pays depends on nothing but which of its elements are met, so with many
cases it is worked out once for each of the 2^D patterns and then looked up: a case then costs one
comparison and one addition per element, in vector instructions over blocks of cases.

What TreeSHAP reads of a tree: for each leaf the columns on its way, and when each is met.

A leaf's way from the root names D different columns. An element is one of them: the share of the
training weight that its splits let through (what a case counts whose column is unknown), and the
nodes that its splits must lead to (what decides whether a case's own value lets it through).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.binning import BinArray, bin_inputs
from core.boosting.growing.rules import whole
from core.boosting.inputs import Inputs
from core.boosting.predicting import Predictor
from core.boosting.trees import Forest, Node32
from core.kernels import own_kernel, parallel_kernel, prange
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray


class LeafPaths(NamedTuple):
    """The leaves of one tree; L leaves, E elements, W words of 64 nodes.

    ``start`` int64 (L + 1,); ``value`` float64 (L,); ``column`` int32 (E,); ``share`` float64
    (E,); ``needed`` uint64 (E, W), the nodes that a case must be led to.
    """

    start: IntArray
    value: FloatArray
    column: Node32
    share: FloatArray
    needed: NDArray[np.uint64]

    @property
    def most(self) -> int:
        """Most elements of a leaf."""
        return int(np.diff(self.start).max())


def leaf_paths(forest: Forest, tree: int) -> LeafPaths:
    """The leaves of one tree from left to right."""
    begin, end = forest.tree_start[tree], forest.tree_start[tree + 1]
    paths = _tree_paths(forest, begin, end, len(np.unique(forest.feature[begin:end])))
    used = int(paths.start[-1])
    return paths._replace(
        column=paths.column[:used], share=paths.share[:used], needed=paths.needed[:used]
    )


@own_kernel
def _tree_paths(forest: Forest, begin: int, end: int, columns: int) -> LeafPaths:
    """The leaves of the tree of these nodes, on at most so many columns, with room to spare."""
    size = end - begin
    leaves = 0
    for node in range(begin, end):
        if forest.feature[node] < 0:
            leaves += 1
    most = leaves * min(leaves, columns)
    paths = LeafPaths(
        np.zeros(leaves + 1, dtype=np.int64),
        np.zeros(leaves),
        np.zeros(most, dtype=np.int32),
        np.zeros(most),
        np.zeros((most, (size + 63) // 64), dtype=np.uint64),
    )
    _fill_paths(
        forest.feature[begin:end],
        forest.left[begin:end],
        forest.right[begin:end],
        forest.missing[begin:end],
        forest.value[begin:end],
        forest.weight[begin:end],
        paths,
    )
    return paths


@own_kernel
def _share_of(weight: FloatArray, child: int, left: int, right: int) -> float:
    """The share of a split's weight that goes to a child; a third child counts nothing.

    As in the weighted traversal of dependence curves.
    """
    if child not in (left, right):
        return 0.0
    sides = weight[left] + weight[right]
    return weight[child] / sides if sides > 0.0 else 0.5


@own_kernel
def _fill_paths(
    feature: Node32,
    left: Node32,
    right: Node32,
    missing: Node32,
    value: FloatArray,
    weight: FloatArray,
    paths: LeafPaths,
) -> None:
    """Go down to every leaf, keeping the nodes of the way, and gather its elements by column."""
    size = feature.shape[0]
    parent = np.full(size, -1, dtype=np.int32)
    stack = np.empty(size, dtype=np.int32)
    stack[0] = 0
    depth = 1
    leaf = 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if feature[node] >= 0:
            third = missing[node]
            if third not in (left[node], right[node]):
                parent[third] = node
                stack[depth] = third
                depth += 1
            parent[right[node]] = node
            parent[left[node]] = node
            stack[depth] = right[node]
            stack[depth + 1] = left[node]
            depth += 2
            continue
        first = paths.start[leaf]
        last = first
        below = node
        while parent[below] >= 0:
            split = parent[below]
            place = first
            while place < last and paths.column[place] != feature[split]:
                place += 1
            if place == last:
                paths.column[place] = feature[split]
                paths.share[place] = 1.0
                last += 1
            paths.share[place] *= _share_of(weight, below, left[split], right[split])
            paths.needed[place, below >> 6] |= np.uint64(1) << np.uint64(below & 63)
            below = split
        paths.value[leaf] = value[node]
        leaf += 1
        paths.start[leaf] = last


BLOCK = 512
MOST_TABLE_ELEMENTS = 10
"""Elements of a leaf up to which patterns are tabulated."""

CASES_PER_PATTERN = 4
"""A pattern is worth working out beforehand if this many cases share it on average."""

FEW_CASES = 4
"""Up to so many cases are worked out by one thread in one call: beyond, calls for each tree pay."""

MOST_INTERACTION_NUMBERS = 200_000_000

WordArray = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Contributions:
    """What each column adds to the score of each case; K outputs, F columns, n cases.

    Attributes
    ----------
    base : float64 (K,)
        The score of a case of which nothing is known; with the sum over columns the link score.
    values : float64 (K, F, n)
    """

    base: FloatArray
    values: FloatArray


def contributions(
    predictor: Predictor, inputs: Inputs, initial: FloatArray, trees: int
) -> Contributions:
    """Exact Shapley values of the first ``trees`` trees (of K outputs in turn)."""
    outputs = initial.shape[0]
    base = initial.copy()
    values = np.zeros((outputs, len(predictor.columns), inputs.n_rows))
    bins = bin_inputs(inputs, predictor.borders)
    if inputs.n_rows <= FEW_CASES:
        _add_few(predictor, bins, trees, base, values)
        return Contributions(base, values)
    for tree in range(trees):
        paths = leaf_paths(predictor.forest, tree)
        table_start, table = _tables(paths, inputs.n_rows)
        base[tree % outputs] += _expected(paths)
        if paths.most:
            led = _led_words(predictor, tree, bins)
            _add_contributions(led, paths, table_start, table, values[tree % outputs])
    return Contributions(base, values)


def _add_few(
    predictor: Predictor, bins: BinArray, trees: int, base: FloatArray, values: FloatArray
) -> None:
    """Add what all trees give a few cases: for them calls from here, tree by tree, cost most."""
    _explain_few(
        bins,
        predictor.borders.missing_bin,
        predictor.is_nominal,
        predictor.bins,
        predictor.forest,
        trees,
        base,
        values,
    )


@own_kernel
def _explain_few(
    bins: BinArray,
    missing_bin: int,
    is_nominal: NDArray[np.bool_],
    last_left: Node32,
    forest: Forest,
    trees: int,
    base: FloatArray,
    out: FloatArray,
) -> None:
    """Tree by tree as ``contributions``, to the same last digit: leaf by leaf, case by case."""
    outputs, columns, n = out.shape
    for tree in range(trees):
        begin, end = forest.tree_start[tree], forest.tree_start[tree + 1]
        paths = _tree_paths(forest, begin, end, columns)
        leaves = paths.value.shape[0]
        led = np.zeros(((end - begin + 63) // 64, n), dtype=np.uint64)
        _lead(bins, missing_bin, is_nominal, last_left, forest, begin, end, 0, n, led)
        widest = 0
        for leaf in range(leaves):
            widest = max(widest, paths.start[leaf + 1] - paths.start[leaf])
        met = np.empty(widest, dtype=np.uint8)
        poly = np.empty(widest + 1)
        paid = np.empty(widest)
        score = tree % outputs
        for leaf in range(leaves):
            first, last = paths.start[leaf], paths.start[leaf + 1]
            share = 1.0
            for element in range(first, last):
                share *= paths.share[element]
            base[score] += paths.value[leaf] * share
            for row in range(n):
                _fill_met(led, row, first, last, paths, met)
                _pay(paths.share[first:last], met[: last - first], paths.value[leaf], poly, paid)
                for element in range(first, last):
                    out[score, paths.column[element], row] += paid[element - first]


def interactions(
    predictor: Predictor, inputs: Inputs, initial: FloatArray, trees: int
) -> FloatArray:
    """Shapley interaction values (K, F, F, n): symmetric, each row of columns sums to its value.

    Raises
    ------
    PayoffError
        If the answer would need more than 1.6 GB.
    """
    outputs, width, rows = initial.shape[0], len(predictor.columns), inputs.n_rows
    if outputs * width * width * rows > MOST_INTERACTION_NUMBERS:
        raise PayoffError(
            f"Interactions of {counted(rows, 'case')} and "
            f"{counted(width, 'input needs', 'inputs need')} too much memory.",
            remedy="Take fewer cases at a time.",
        )
    out = np.zeros((outputs, width, width, rows))
    bins = bin_inputs(inputs, predictor.borders)
    for tree in range(trees):
        paths = leaf_paths(predictor.forest, tree)
        if paths.most > 1:
            _add_interactions(_led_words(predictor, tree, bins), paths, out[tree % outputs])
    single = contributions(predictor, inputs, initial, trees).values
    for place in range(width):
        out[:, place, place] = single[:, place] - out[:, place].sum(axis=1)
    return out


def _expected(paths: LeafPaths) -> float:
    """Mean value of a tree by the weights of its leaves."""
    total = 0.0
    for leaf in range(paths.value.shape[0]):
        part = slice(paths.start[leaf], paths.start[leaf + 1])
        total += paths.value[leaf] * float(np.prod(paths.share[part]))
    return total


def _tables(paths: LeafPaths, rows: int) -> tuple[IntArray, FloatArray]:
    """Where the table of each leaf begins (-1 = none), and what each pattern pays each element."""
    elements = np.diff(paths.start)
    patterns = 1 << np.minimum(elements, MOST_TABLE_ELEMENTS)
    is_worth = (elements <= MOST_TABLE_ELEMENTS) & (patterns * CASES_PER_PATTERN <= rows)
    sizes = np.where(is_worth, patterns * elements, 0)
    starts = np.where(is_worth, np.cumsum(sizes) - sizes, -1).astype(np.int64)
    table = np.zeros(int(sizes.sum()))
    _fill_tables(paths, starts, table)
    return starts, table


@own_kernel
def _pay(
    share: FloatArray,
    met: NDArray[np.uint8],
    value: float,
    poly: FloatArray,
    out: FloatArray,
) -> None:
    """Fill what a leaf pays each of its D elements."""
    size = share.shape[0]
    poly[0] = 1.0
    for i in range(size):
        poly[i + 1] = poly[i] if met[i] != 0 else 0.0
        for s in range(i, 0, -1):
            poly[s] = share[i] * poly[s] + (poly[s - 1] if met[i] != 0 else 0.0)
        poly[0] *= share[i]
    for j in range(size):
        # Weight of |S| = s: s! (D-1-s)! / D!, from the largest s down.
        weight = 1.0 / size
        total = 0.0
        if met[j] != 0:
            above = poly[size]
            for s in range(size - 1, -1, -1):
                total += weight * above
                weight *= (size - s) / s if s > 0 else 0.0
                above = poly[s] - share[j] * above
            out[j] = value * (1.0 - share[j]) * total
            continue
        for s in range(size - 1, -1, -1):
            total += weight * poly[s]
            weight *= (size - s) / s if s > 0 else 0.0
        # (0 - z) times the coefficients without the factor z: the division cancels.
        out[j] = -value * total


@own_kernel
def _fill_tables(paths: LeafPaths, starts: IntArray, table: FloatArray) -> None:
    met = np.zeros(MOST_TABLE_ELEMENTS, dtype=np.uint8)
    poly = np.zeros(MOST_TABLE_ELEMENTS + 1)
    paid = np.zeros(MOST_TABLE_ELEMENTS)
    for leaf in range(starts.shape[0]):
        if starts[leaf] < 0:
            continue
        first, last = paths.start[leaf], paths.start[leaf + 1]
        size = last - first
        patterns = 1 << size
        for pattern in range(patterns):
            for j in range(size):
                met[j] = (pattern >> j) & 1
            _pay(paths.share[first:last], met[:size], paths.value[leaf], poly, paid)
            for j in range(size):
                table[starts[leaf] + j * patterns + pattern] = paid[j]


def _led_words(predictor: Predictor, tree: int, bins: BinArray) -> WordArray:
    """The nodes that the splits of a tree lead each case to, as bits: uint64 (W, n)."""
    forest = predictor.forest
    first, last = int(forest.tree_start[tree]), int(forest.tree_start[tree + 1])
    led = np.zeros(((last - first + 63) // 64, bins.shape[1]), dtype=np.uint64)
    missing_bin = predictor.borders.missing_bin
    _fill_led(bins, missing_bin, predictor.is_nominal, predictor.bins, forest, first, last, led)
    return led


@parallel_kernel
def _fill_led(
    bins: BinArray,
    missing_bin: int,
    is_nominal: NDArray[np.bool_],
    last_left: Node32,
    forest: Forest,
    first: int,
    last: int,
    led: WordArray,
) -> None:
    n = bins.shape[1]
    for block in prange((n + BLOCK - 1) // BLOCK):
        low = whole(block) * BLOCK
        high = min(n, low + BLOCK)
        _lead(bins, missing_bin, is_nominal, last_left, forest, first, last, low, high, led)


@own_kernel
def _lead(
    bins: BinArray,
    missing_bin: int,
    is_nominal: NDArray[np.bool_],
    last_left: Node32,
    forest: Forest,
    first: int,
    last: int,
    low: int,
    high: int,
    led: WordArray,
) -> None:
    """Mark the nodes that the splits of one tree lead the cases of a block to."""
    one = np.uint64(1)
    left, right, missing, unseen = forest.left, forest.right, forest.missing, forest.unseen
    level_set, level_bits = forest.level_set, forest.level_bits
    for node in range(first, last):
        column = forest.feature[node]
        if column < 0:
            continue
        for row in range(low, high):
            x = whole(bins[column, row])
            if x == missing_bin:
                child = missing[node]
            elif not is_nominal[column]:
                child = left[node] if x <= last_left[node] else right[node]
            elif x == missing_bin - 1:
                child = unseen[node]
            else:
                word = level_bits[level_set[node], x >> 6]
                is_left = (word >> np.uint64(x & 63)) & one
                child = left[node] if is_left != 0 else right[node]
            led[child >> 6, row] |= one << np.uint64(child & 63)


@own_kernel
def _add_from_table(
    led: WordArray,
    low: int,
    size: int,
    first: int,
    last: int,
    paths: LeafPaths,
    table: FloatArray,
    pattern: NDArray[np.int32],
    out: FloatArray,
) -> None:
    """Look up what one leaf pays each case of a block."""
    words = led.shape[0]
    pattern[:size] = 0
    for element in range(first, last):
        bit = np.int32(1 << (element - first))
        if words == 1:
            needed = paths.needed[element, 0]
            these = led[0, low : low + size]
            for i in range(size):
                pattern[i] |= bit if (these[i] & needed) == needed else np.int32(0)
            continue
        for i in range(size):
            is_met = True
            for word in range(words):
                needed = paths.needed[element, word]
                is_met = is_met and (led[word, low + i] & needed) == needed
            pattern[i] |= bit if is_met else np.int32(0)
    patterns = 1 << (last - first)
    for element in range(first, last):
        begin = (element - first) * patterns
        paid = table[begin : begin + patterns]
        to = out[paths.column[element]][low : low + size]
        for i in range(size):
            to[i] += paid[np.uint32(pattern[i])]


@own_kernel
def _fill_met(
    led: WordArray, row: int, first: int, last: int, paths: LeafPaths, met: NDArray[np.uint8]
) -> None:
    """Mark which elements of a leaf a case meets."""
    for element in range(first, last):
        is_met = True
        for word in range(led.shape[0]):
            needed = paths.needed[element, word]
            is_met = is_met and (led[word, row] & needed) == needed
        met[element - first] = 1 if is_met else 0


@parallel_kernel
def _add_contributions(
    led: WordArray, paths: LeafPaths, table_start: IntArray, table: FloatArray, out: FloatArray
) -> None:
    n = led.shape[1]
    leaves = paths.value.shape[0]
    most = 0
    for leaf in range(leaves):
        most = max(most, paths.start[leaf + 1] - paths.start[leaf])
    for block in prange((n + BLOCK - 1) // BLOCK):
        low = whole(block) * BLOCK
        size = min(BLOCK, n - low)
        pattern = np.empty(BLOCK, dtype=np.int32)
        met = np.empty(most, dtype=np.uint8)
        poly = np.empty(most + 1)
        paid = np.empty(most)
        for leaf in range(leaves):
            first, last = paths.start[leaf], paths.start[leaf + 1]
            if table_start[leaf] >= 0:
                part = table[table_start[leaf] :]
                _add_from_table(led, low, size, first, last, paths, part, pattern, out)
                continue
            for row in range(low, low + size):
                _fill_met(led, row, first, last, paths, met)
                _pay(paths.share[first:last], met[: last - first], paths.value[leaf], poly, paid)
                for element in range(first, last):
                    out[paths.column[element], row] += paid[element - first]


@own_kernel
def _pay_pairs(
    share: FloatArray,
    met: NDArray[np.uint8],
    value: float,
    poly: FloatArray,
    out: FloatArray,
) -> None:
    """Fill (D, D) what a leaf pays each pair of its elements, half to either order."""
    size = share.shape[0]
    for i in range(size):
        for j in range(i):
            # The polynomial of all other elements, multiplied up afresh.
            poly[0] = 1.0
            degree = 0
            for k in range(size):
                if k in (i, j):
                    continue
                own = 1.0 if met[k] != 0 else 0.0
                poly[degree + 1] = own * poly[degree]
                for s in range(degree, 0, -1):
                    poly[s] = share[k] * poly[s] + own * poly[s - 1]
                poly[0] *= share[k]
                degree += 1
            # Weight of |S| = s: s! (D-2-s)! / (2 (D-1)!).
            weight = 0.5 / (size - 1)
            total = 0.0
            for s in range(size - 2, -1, -1):
                total += weight * poly[s]
                weight *= (size - 1 - s) / s if s > 0 else 0.0
            total *= value * ((1.0 if met[i] != 0 else 0.0) - share[i])
            total *= (1.0 if met[j] != 0 else 0.0) - share[j]
            out[i, j] = total
            out[j, i] = total


@parallel_kernel
def _add_interactions(led: WordArray, paths: LeafPaths, out: FloatArray) -> None:
    n = led.shape[1]
    leaves = paths.value.shape[0]
    most = 0
    for leaf in range(leaves):
        most = max(most, paths.start[leaf + 1] - paths.start[leaf])
    for row in prange(n):
        met = np.empty(most, dtype=np.uint8)
        poly = np.empty(most + 1)
        paid = np.zeros((most, most))
        for leaf in range(leaves):
            first, last = paths.start[leaf], paths.start[leaf + 1]
            _fill_met(led, row, first, last, paths, met)
            _pay_pairs(paths.share[first:last], met[: last - first], paths.value[leaf], poly, paid)
            for i in range(last - first):
                for j in range(last - first):
                    if i != j:
                        out[paths.column[first + i], paths.column[first + j], row] += paid[i, j]
