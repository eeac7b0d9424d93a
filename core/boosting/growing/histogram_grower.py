"""The histogram grower: bins once, then rounds gradients and grows tree after tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.boosting.growing.binning import bin_inputs, find_borders, joined_borders
from core.boosting.growing.growers import input_rules, words_of
from core.boosting.growing.histograms import Fit, HistogramSpace, Layout, grow_by_histogram
from core.boosting.growing.leaves import RowArray, add_by_bins, set_thresholds
from core.boosting.growing.moments import fill_terms
from core.boosting.growing.records import (
    LARGEST,
    LARGEST_ALONE,
    SIZED_ROWS,
    TILE_COLUMNS,
    lane_shift,
    largest_sizes,
    new_records,
    write_gradients,
)
from core.boosting.growing.rules import MaskArray
from core.boosting.growing.sampling import STREAM_ROUNDING, generator
from core.boosting.inputs import Inputs
from core.boosting.settings import BoostSettings
from core.boosting.trees import new_buffers
from core.kernels import fitting_threads, threads
from payoff.types import FloatArray

MOST_NOISE = 0.1
"""Share of the gradients' own variance that rounding may add before float64 sums are taken."""


class HistogramGrower:
    """Histogram growing over uint8 or uint16 bins; see ``Precision.HISTOGRAM``.

    Gradients are rounded afresh for every tree. Where that would add more than a tenth to their
    variance (few cases carry nearly all of it), and with more than 255 bins, the tree is grown
    on float64 sums instead.
    """

    def __init__(
        self, inputs: Inputs, weight: FloatArray, case_weight: float, settings: BoostSettings
    ) -> None:
        train_rows = weight.shape[0]
        self.rules = input_rules(settings, inputs, case_weight)
        self._weight = weight
        self._terms = np.empty((train_rows if self.rules.level_penalty > 0.0 else 0, 3))
        self.tree = new_buffers(
            settings.interaction_depth, words_of(inputs), self.rules.is_third_child
        )
        self._settings = settings
        self._train_rows = train_rows
        self._borders = find_borders(inputs, train_rows, settings.max_bins)
        self._every_border = joined_borders(self._borders)
        self._bins = bin_inputs(inputs, self._borders)
        self._records = None if self._borders.is_wide else new_records(self._bins, train_rows)
        self._spaces: dict[bool, tuple[Layout, HistogramSpace]] = {}
        self._rows = np.empty((3, train_rows), dtype=np.int32)
        self._every_row = np.arange(train_rows, dtype=np.int32)

    def grow(
        self,
        g: FloatArray,
        h: FloatArray,
        bag: MaskArray | None,
        drawn: MaskArray,
        tree_number: int,
        first_spread: FloatArray,
    ) -> RowArray:
        rows: RowArray = self._rows[0]
        size = self._train_rows
        if bag is None:
            rows[:] = self._every_row
        else:
            chosen = np.flatnonzero(bag)
            size = chosen.shape[0]
            rows[:size] = chosen
        g, h = g[: self._train_rows], h[: self._train_rows]
        if self._terms.shape[0]:
            fill_terms(g, self._weight, self._terms)
        fit = self._rounded(g, h, first_spread, size, tree_number)
        is_rounded = fit is not None
        layout, space = self._space_for(is_rounded)
        grow_by_histogram(
            self.tree,
            size,
            self._records if is_rounded else None,
            self._bins,
            layout,
            fit or Fit(g, h, self._terms, first_spread, np.ones(2), False),
            self.rules,
            space,
            drawn,
        )
        set_thresholds(self.tree, self.rules.nominal, *self._every_border)
        grown: RowArray = rows[:size]
        return grown

    def add_to_others(self, value: FloatArray, score: FloatArray, skip: MaskArray) -> None:
        missing = self._borders.missing_bin
        add_by_bins(self.tree, self.rules.nominal, self._bins, missing, skip, value, score)

    def _rounded(
        self, g: FloatArray, h: FloatArray, first_spread: FloatArray, size: int, tree_number: int
    ) -> Fit | None:
        """Write rounded gradients into the records, or None where float64 sums are needed."""
        records = self._records
        if records is None:
            return None
        parts = np.zeros((-(-g.shape[0] // SIZED_ROWS), 5))
        with fitting_threads(g.shape[0]):
            largest_sizes(g, h, parts)
        most, high, low = float(parts[:, 0].max()), float(parts[:, 3].max()), parts[:, 4].min()
        absolute, square = float(parts[:, 1].sum()), float(parts[:, 2].sum())
        is_alone = bool(high == low)
        levels = min(LARGEST_ALONE if is_alone else LARGEST, (2**31 - 1) // max(size, 1))
        is_usable = 0.0 < most < np.inf and 0.0 < high < np.inf and low >= 0.0
        if not is_usable or most / levels * absolute > MOST_NOISE * square:
            return None
        scale_g = (levels - 1) / most
        scale_h = 0.0 if is_alone else (levels - 1) / high
        seed = int(generator(self._settings.seed, STREAM_ROUNDING, tree_number).integers(2**32))
        with fitting_threads(g.shape[0]):
            write_gradients(g, h, scale_g, scale_h, seed, records.words, records.stride)
        units = np.array([1.0 / scale_g, high if is_alone else 1.0 / scale_h])
        return Fit(g, h, self._terms, first_spread, units, is_alone)

    def _space_for(self, is_rounded: bool) -> tuple[Layout, HistogramSpace]:
        wanted = threads()
        known = self._spaces.get(is_rounded)
        if known is None or known[1].part_counts.shape[0] != wanted:
            self._spaces[is_rounded] = known = self._new_space(is_rounded, wanted)
        return known

    def _new_space(self, is_rounded: bool, parts: int) -> tuple[Layout, HistogramSpace]:
        n_bins = self._borders.n_bins
        columns = n_bins.shape[0]
        nodes = self.tree.feature.shape[0]
        words = self.tree.levels.shape[1]
        missing_bin = self._borders.missing_bin
        tiles, step = -(-columns // TILE_COLUMNS), 1 << lane_shift(columns)
        tile, number = np.divmod(np.arange(columns, dtype=np.int64), TILE_COLUMNS)
        place = tile * step + number
        if is_rounded:
            first = tile * 256 * step + number
            missing_slot = np.full(columns, 255, dtype=np.int64)
            size = tiles * 256 * step
        else:
            step = 1
            first = np.concatenate([[0], np.cumsum(n_bins + 2)[:-1]]).astype(np.int64)
            missing_slot = n_bins + 1
            size = int((n_bins + 2).sum())
        plane: Any = np.int32 if is_rounded else np.float64
        work: Any = np.float32 if is_rounded else np.float64
        slots = 1 + (2 if self.rules.is_third_child else 1) * self._settings.interaction_depth
        lanes = size if is_rounded else 0
        space = HistogramSpace(
            rows=self._rows[0],
            left_rows=self._rows[1],
            right_rows=self._rows[2],
            part_counts=np.zeros((parts, 2), dtype=np.int64),
            pool=np.zeros((slots, 3, size), dtype=plane),
            slot=np.zeros(nodes, dtype=np.int64),
            sums=np.zeros((parts, lanes), dtype=np.int64),
            planes=np.zeros((parts, 3, lanes), dtype=np.int32),
            totals=np.zeros((nodes, 3), dtype=plane),
            work=np.zeros((5, int(n_bins.max()) + 1), dtype=work),
            running=np.zeros(192, dtype=np.int32),
            expected_gains=np.zeros((3, int(place[-1]) + 32), dtype=np.float32),
            searched=np.zeros(3, dtype=np.int64),
            side=np.zeros(missing_bin + 1, dtype=np.uint8),
            best_gain=np.zeros(nodes),
            best_feature=np.zeros(nodes, dtype=np.int32),
            best_bin=np.zeros(nodes, dtype=np.int32),
            best_missing_left=np.zeros(nodes, dtype=np.uint8),
            best_levels=np.zeros((nodes, words), dtype=np.uint64),
            best_trust=np.ones(nodes),
            moments=np.zeros((nodes, 3)),
            levels=np.zeros(words, dtype=np.uint64),
            used=np.zeros((nodes, columns), dtype=np.uint8),
            allowed=np.zeros(columns, dtype=np.uint8),
            low=np.zeros(nodes),
            high=np.zeros(nodes),
        )
        return Layout(first, step, place, n_bins, missing_slot, missing_bin), space
