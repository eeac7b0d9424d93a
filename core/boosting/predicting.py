"""Scoring: bin each case once by the forest's own thresholds, then all trees over blocks of cases.

Trees of two-way splits with up to 256 leaves are read without walking: each split clears the bits
of its left leaves for the cases that go right; the lowest bit left is the leaf (QuickScorer,
Lucchese et al. 2015). Eight leaves are a byte, so that one instruction serves 32 cases, and a split
touches only the bytes of its left leaves. Other trees are walked. Both add leaf values in tree
order, in float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.binning import BYTE_LEVELS, BinArray, Borders, bin_inputs
from core.boosting.growing.rules import whole
from core.boosting.inputs import InputColumn, Inputs
from core.boosting.trees import Forest, Node32
from core.kernels import limited_threads, own_kernel, parallel_kernel, prange, threads
from payoff.types import FloatArray, IntArray

BLOCK = 1024
MOST_BYTE_BORDERS = 253
MOST_LEAVES = 256
WORD = 64  # leaves whose bits are kept together

MaskArray = NDArray[np.uint64]


class FastSplits(NamedTuple):
    """The splits of a forest for bit masks, tree by tree; S splits, Q nominal splits.

    A number goes right where uint8(bin + shift) > bound; shift 1 brings the missing bin to 0.
    """

    start: IntArray  # (T + 1,)
    column: Node32  # (S,) of ``ColumnParts``
    shift: NDArray[np.uint8]  # (S,)
    bound: NDArray[np.uint8]  # (S,)
    table: Node32  # (S,) row of ``tables`` of a nominal split, else -1
    tables: NDArray[np.uint8]  # (Q, 256) 1 = goes right
    first_byte: NDArray[np.uint8]  # (S,) where the bits of its left leaves begin
    n_bytes: NDArray[np.uint8]  # (S,)
    kept: NDArray[np.uint8]  # (S, bytes) what is left of each for a case that goes right
    leaf_start: IntArray  # (T + 1,)
    leaf_value: FloatArray


@dataclass(frozen=True, slots=True)
class ColumnParts:
    """Columns whose bins are bytes: one of more thresholds stands as several, one after the other.

    A case's bin in each part is the number of that part's thresholds that it reaches, so a split
    need only ask the part that its threshold is in.

    Attributes
    ----------
    borders : Borders
        The distinct thresholds of each part.
    sources : tuple of int
        The column of each part.
    first : int32 (F,)
        The first part of each column.
    """

    borders: Borders
    sources: tuple[int, ...]
    first: Node32

    @classmethod
    def of(cls, borders: Borders) -> ColumnParts:
        """Cut columns of too many thresholds apart."""
        numbers, n_bins, sources = [], [], []
        for place, cuts in enumerate(borders.numbers):
            for start in range(0, max(1, cuts.shape[0]), MOST_BYTE_BORDERS):
                part = cuts[start : start + MOST_BYTE_BORDERS]
                numbers.append(part)
                n_bins.append(part.shape[0] + 1 if cuts.shape[0] else borders.n_bins[place])
                sources.append(place)
        first = np.searchsorted(sources, np.arange(len(borders.numbers))).astype(np.int32)
        whole_borders = Borders(tuple(numbers), np.array(n_bins, dtype=np.int64), is_wide=False)
        return cls(whole_borders, tuple(sources), first)

    def bin(self, inputs: Inputs) -> BinArray:
        """Bins of every case, uint8 (parts, n)."""
        if len(self.sources) == len(inputs.arrays):
            return bin_inputs(inputs, self.borders)
        arrays = [np.ascontiguousarray(array) for array in inputs.arrays]
        columns = tuple(inputs.columns[place] for place in self.sources)
        parts = Inputs(columns, tuple(arrays[place] for place in self.sources))
        return bin_inputs(parts, self.borders)


@dataclass(frozen=True, slots=True)
class Predictor:
    """A forest made ready for scoring.

    Attributes
    ----------
    borders : Borders
        The distinct thresholds of each column.
    bins : int32 (N,)
        Last bin that goes left of each numeric split.
    parts : ColumnParts
        The columns as ``fast`` reads them.
    fast : FastSplits or None
        None where trees must be walked.
    """

    forest: Forest
    columns: tuple[InputColumn, ...]
    borders: Borders
    bins: Node32
    parts: ColumnParts
    fast: FastSplits | None

    @property
    def is_nominal(self) -> NDArray[np.bool_]:
        """Whether each column has levels, (F,)."""
        return np.array([column.is_nominal for column in self.columns])

    def link(self, inputs: Inputs, initial: FloatArray, trees: int | None = None) -> FloatArray:
        """Link scores (K, n) of the first ``trees`` trees (of K outputs in turn)."""
        out = np.repeat(initial[:, None], inputs.n_rows, axis=1)
        self.add_to(inputs, out, trees)
        return out

    def staged(
        self, inputs: Inputs, initial: FloatArray, ends: Sequence[int]
    ) -> Iterator[FloatArray]:
        """Yield the link scores (K, n) of the first ``ends`` trees, rising; one array, refilled.

        They are those of ``link`` to the last bit.
        """
        out = np.repeat(initial[:, None], inputs.n_rows, axis=1)
        binned = self._bin(inputs)
        first = 0
        for end in ends:
            self._add_trees(binned, out, first, end)
            first = end
            yield out

    def add_to(self, inputs: Inputs, out: FloatArray, trees: int | None = None) -> None:
        """Add the first ``trees`` trees to scores (K, n), in tree order."""
        used = self.forest.n_trees if trees is None else trees
        if used:
            self._add_trees(self._bin(inputs), out, 0, used)

    def _bin(self, inputs: Inputs) -> BinArray:
        if self.fast is not None:
            return self.parts.bin(inputs)
        return bin_inputs(inputs, self.borders)

    def _add_trees(self, binned: BinArray, out: FloatArray, first: int, end: int) -> None:
        """Add the trees from ``first`` to before ``end``; whole iterations, of K trees each."""
        if first == end or binned.shape[1] == 0:
            return
        # Of one block a second thread takes nothing, and would be waited for until it is awake.
        with limited_threads(1 if binned.shape[1] <= BLOCK else threads()):
            self._add_blocks(binned, out, first, end)

    def _add_blocks(self, binned: BinArray, out: FloatArray, first: int, end: int) -> None:
        if self.fast is not None:
            some_trees = self.fast._replace(
                start=self.fast.start[first : end + 1],
                leaf_start=self.fast.leaf_start[first : end + 1],
            )
            _score_fast(binned, some_trees, out)
            return
        forest = self.forest._replace(tree_start=self.forest.tree_start[first : end + 1])
        _score_walk(binned, self.borders.missing_bin, self.is_nominal, self.bins, forest, out)


def make_predictor(forest: Forest, columns: tuple[InputColumn, ...]) -> Predictor:
    """Make a forest ready for scoring."""
    numbers = []
    n_bins = []
    bins = np.full(forest.feature.shape[0], -1, dtype=np.int32)
    for place, column in enumerate(columns):
        here = (forest.feature == place) & (forest.level_set < 0)
        cuts = np.unique(forest.threshold[here])
        cuts = cuts[~np.isnan(cuts)]
        numbers.append(cuts)
        n_bins.append(len(column.levels) if column.is_nominal else cuts.shape[0] + 1)
        wanted = forest.threshold[here]
        found = np.searchsorted(cuts, wanted).astype(np.int32)
        bins[here] = np.where(np.isnan(wanted), cuts.shape[0], found)
    most = max((cuts.shape[0] for cuts in numbers), default=0)
    levels = max((len(c.levels) for c in columns if c.is_nominal), default=0)
    is_wide = most > MOST_BYTE_BORDERS or levels > BYTE_LEVELS
    borders = Borders(tuple(numbers), np.array(n_bins, dtype=np.int64), is_wide)
    parts = ColumnParts.of(borders)
    fast = None if levels > BYTE_LEVELS else _fast_splits(forest, bins, parts)
    return Predictor(forest, columns, borders, bins, parts, fast)


def _fast_splits(forest: Forest, bins: Node32, parts: ColumnParts) -> FastSplits | None:
    """The bit masks of a forest, or None where a tree has a third child or too many leaves."""
    is_split = forest.feature >= 0
    is_two_way = (forest.missing == forest.left) | (forest.missing == forest.right)
    starts = forest.tree_start
    n_leaves = np.add.reduceat(~is_split, starts[:-1]) if forest.n_trees else np.zeros(1)
    most = int(n_leaves.max())
    if not bool((is_two_way | ~is_split).all()) or most > MOST_LEAVES:
        return None
    n_splits = np.concatenate([[0], np.cumsum(is_split)])[starts].astype(np.int64)
    leaf_start = np.concatenate([[0], np.cumsum(~is_split)])[starts].astype(np.int64)
    mask = np.zeros((int(is_split.sum()), max(1, -(-most // WORD))), dtype=np.uint64)
    leaf_value = np.zeros(int((~is_split).sum()))
    _fill_masks(forest, n_splits, leaf_start, mask, leaf_value)
    kept = mask.astype("<u8").view(np.uint8)
    is_touched = kept != 255
    first_byte, n_bytes = is_touched.argmax(axis=1), is_touched.sum(axis=1)
    missing_left = (forest.missing == forest.left)[is_split]
    table = np.full(mask.shape[0], -1, dtype=np.int32)
    sets = forest.level_set[is_split]
    table[sets >= 0] = np.arange(int((sets >= 0).sum()))
    part, last_left = np.divmod(np.maximum(bins[is_split], 0), MOST_BYTE_BORDERS)
    bound = last_left + missing_left
    has_no_number_right = np.isnan(forest.threshold[is_split])
    part = np.where(has_no_number_right, 0, part)
    bound = np.where(has_no_number_right, 254 + missing_left, bound)
    return FastSplits(
        start=n_splits,
        column=(parts.first[forest.feature[is_split]] + part).astype(np.int32),
        shift=missing_left.astype(np.uint8),
        bound=bound.astype(np.uint8),
        table=table,
        tables=_right_tables(forest, is_split),
        first_byte=first_byte.astype(np.uint8),
        n_bytes=n_bytes.astype(np.uint8),
        kept=kept,
        leaf_start=leaf_start,
        leaf_value=leaf_value,
    )


def _right_tables(forest: Forest, is_split: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Per nominal split which of the 256 bins go right."""
    nodes = np.flatnonzero(is_split & (forest.level_set >= 0))
    tables = np.ones((nodes.shape[0], 256), dtype=np.uint8)
    for place, node in enumerate(nodes):
        bits = forest.level_bits[forest.level_set[node]]
        levels = np.unpackbits(bits.view(np.uint8), bitorder="little")[:256]
        tables[place, : levels.shape[0]] = 1 - levels
        tables[place, 255] = forest.missing[node] == forest.right[node]
        tables[place, 254] = forest.unseen[node] == forest.right[node]
    return tables


@own_kernel
def _fill_masks(
    forest: Forest,
    split_start: IntArray,
    leaf_start: IntArray,
    mask: MaskArray,
    leaf_value: FloatArray,
) -> None:
    """Number leaves from left to right and fill each split's mask: all but its left leaves."""
    one = np.uint64(1)
    for tree in range(forest.tree_start.shape[0] - 1):
        first = forest.tree_start[tree]
        size = forest.tree_start[tree + 1] - first
        place = np.empty(size, dtype=np.int64)  # number of each split in its tree
        count = 0
        for node in range(size):
            place[node] = count
            if forest.feature[first + node] >= 0:
                count += 1
        stack = np.empty(2 * size + 2, dtype=np.int64)
        begun = np.zeros(size, dtype=np.int64)  # first leaf below a split
        stack[0] = 0
        depth = 1
        leaves = 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if node < 0:  # back from the left side of split -node - 1
                node = -node - 1
                kept = mask[split_start[tree] + place[node]]
                kept[:] = ~(one - one)
                for leaf in range(begun[node], leaves):
                    kept[leaf // WORD] &= ~(one << np.uint64(leaf % WORD))
                continue
            if forest.feature[first + node] < 0:
                leaf_value[leaf_start[tree] + leaves] = forest.value[first + node]
                leaves += 1
                continue
            begun[node] = leaves
            stack[depth] = forest.right[first + node]
            stack[depth + 1] = -node - 1
            stack[depth + 2] = forest.left[first + node]
            depth += 3


@own_kernel
def _lowest_bits(alive: NDArray[np.uint8], first: int, size: int, out: Node32) -> None:
    """Number of the lowest bit in four bytes per case; -127 where there is none.

    The exponent of a power of two as float32 is its bit's number.
    """
    a, b, c, d = alive[first], alive[first + 1], alive[first + 2], alive[first + 3]
    power = np.empty(BLOCK, dtype=np.float32)
    exponent = power.view(np.int32)
    for i in range(size):
        low = np.int32(np.int32(a[i]) | np.int32(np.int32(b[i]) << np.int32(8)))
        high = np.int32(np.int32(c[i]) | np.int32(np.int32(d[i]) << np.int32(8)))
        bits = np.int32(low | np.int32(high << np.int32(16)))
        power[i] = np.float32(np.int32(bits & np.int32(-bits)))
    for i in range(size):
        out[i] = np.int32(((exponent[i] >> np.int32(23)) & np.int32(255)) - np.int32(127))


@own_kernel
def _fast_block(
    bins: BinArray,
    low: int,
    size: int,
    splits: FastSplits,
    out: FloatArray,
) -> None:
    """Add all trees to the scores of one block of cases."""
    start, column, shift, bound = splits.start, splits.column, splits.shift, splits.bound
    table, tables, kept = splits.table, splits.tables, splits.kept
    first_byte, n_bytes = splits.first_byte, splits.n_bytes
    leaf_start, leaf_value = splits.leaf_start, splits.leaf_value
    outputs = out.shape[0]
    every = np.uint8(255)
    alive = np.empty((MOST_LEAVES // 8, BLOCK), dtype=np.uint8)
    leaf, lower = np.empty(BLOCK, dtype=np.int32), np.empty(BLOCK, dtype=np.int32)
    for tree in range(start.shape[0] - 1):
        last_group = (start[tree + 1] - start[tree]) // 32  # of 32 leaves, which are four bytes
        alive[: 4 * last_group + 4] = every
        for split in range(start[tree], start[tree + 1]):
            values = bins[column[split]][low : low + size]
            from_byte = whole(first_byte[split])
            for byte in range(from_byte, from_byte + whole(n_bytes[split])):
                state = alive[byte]
                left = kept[split, byte]
                if table[split] >= 0:
                    is_right = tables[table[split]]
                    for i in range(size):
                        state[i] &= left if is_right[values[i]] != 0 else every
                    continue
                move = shift[split]
                last = bound[split]
                for i in range(size):
                    state[i] &= left if np.uint8(values[i] + move) > last else every
        _lowest_bits(alive, 4 * last_group, size, leaf)
        for group in range(last_group - 1, -1, -1):
            _lowest_bits(alive, 4 * group, size, lower)
            for i in range(size):
                leaf[i] = lower[i] if lower[i] >= 0 else leaf[i] + 32
        first = leaf_start[tree]
        score = out[tree % outputs]
        for i in range(size):
            score[low + i] += leaf_value[first + leaf[i]]


@parallel_kernel
def _score_fast(
    bins: BinArray,
    splits: FastSplits,
    out: FloatArray,
) -> None:
    n = bins.shape[1]
    for block in prange((n + BLOCK - 1) // BLOCK):
        low = whole(block) * BLOCK
        _fast_block(bins, low, min(BLOCK, n - low), splits, out)


@parallel_kernel
def _score_walk(
    bins: BinArray,
    missing_bin: int,
    is_nominal: NDArray[np.bool_],
    last_left: Node32,
    forest: Forest,
    out: FloatArray,
) -> None:
    outputs = out.shape[0]
    n = bins.shape[1]
    starts, feature, left, right = forest.tree_start, forest.feature, forest.left, forest.right
    missing, unseen, value = forest.missing, forest.unseen, forest.value
    level_set, level_bits = forest.level_set, forest.level_bits
    for block in prange((n + BLOCK - 1) // BLOCK):
        for tree in range(starts.shape[0] - 1):
            first = starts[tree]
            for row in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
                node = first
                while feature[node] >= 0:
                    column = feature[node]
                    x = whole(bins[column, row])
                    if x == missing_bin:
                        node = first + missing[node]
                    elif not is_nominal[column]:
                        node = first + (left[node] if x <= last_left[node] else right[node])
                    elif x == missing_bin - 1:
                        node = first + unseen[node]
                    else:
                        word = level_bits[level_set[node], x >> 6]
                        is_left = (word >> np.uint64(x & 63)) & np.uint64(1)
                        node = first + (left[node] if is_left != 0 else right[node])
                out[tree % outputs, row] += value[node]
