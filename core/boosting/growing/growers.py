"""The two growers behind one face: exact float64 on every value, or histograms."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.boosting.growing.exact import bag_orders, grow_exact, new_exact_space, sorted_rows
from core.boosting.growing.leaves import RowArray, add_by_values
from core.boosting.growing.rules import MaskArray, Rules, rules_of
from core.boosting.inputs import Inputs
from core.boosting.settings import EXACT_CELLS, BoostSettings, Precision
from core.boosting.trees import TreeBuffers, new_buffers
from payoff.types import FloatArray


class Grower(Protocol):
    """Grows trees over the training cases and adds them to the scores of the other cases."""

    rules: Rules
    tree: TreeBuffers

    def grow(
        self,
        g: FloatArray,
        h: FloatArray,
        bag: MaskArray | None,
        drawn: MaskArray,
        tree_number: int,
        first_spread: FloatArray,
    ) -> RowArray:
        """Grow ``tree`` on weighted gradients and weights; the bagged rows leaf by leaf.

        ``tree_number`` counts all trees of the model: random rounding depends on it.
        ``first_spread`` (F,) of levels: ``core.boosting.growing.level_search``.
        """
        ...

    def add_to_others(self, value: FloatArray, score: FloatArray, skip: MaskArray) -> None:
        """Add the tree's node values to the scores (n,) of the cases whose ``skip`` is 0."""
        ...


def words_of(inputs: Inputs) -> int:
    """Words of 64 level bits that the widest nominal column needs; at least one."""
    most = max((len(c.levels) for c in inputs.columns if c.is_nominal), default=1)
    return max(1, -(-most // 64))


def input_rules(settings: BoostSettings, inputs: Inputs, case_weight: float) -> Rules:
    """The growers' form of settings for these columns."""
    return rules_of(
        settings,
        [column.is_nominal for column in inputs.columns],
        [len(column.levels) for column in inputs.columns],
        case_weight,
    )


def is_exact(settings: BoostSettings, inputs: Inputs, train_rows: int) -> bool:
    """Whether trees are grown on every distinct value; see ``Precision``."""
    if settings.gbm_compatible or settings.precision == Precision.EXACT:
        return True
    cells = train_rows * len(inputs.columns)
    return settings.precision == Precision.AUTO and cells <= EXACT_CELLS


class ExactGrower:
    """Exact growing; keeps the values as float64 (F, n) and each column's sorted rows."""

    def __init__(
        self, inputs: Inputs, weight: FloatArray, case_weight: float, settings: BoostSettings
    ) -> None:
        train_rows = weight.shape[0]
        self.rules = input_rules(settings, inputs, case_weight)
        self._weight = weight
        self.tree = new_buffers(
            settings.interaction_depth, words_of(inputs), self.rules.is_third_child
        )
        self._values = inputs.values()
        self._sorted = sorted_rows(self._values[:, :train_rows])
        self._all = np.ones(train_rows, dtype=np.uint8)
        self._space = new_exact_space(
            len(inputs.columns),
            train_rows,
            self.tree.feature.shape[0],
            self.tree.levels.shape[1],
            int(self.rules.n_levels.max()),
        )

    def grow(
        self,
        g: FloatArray,
        h: FloatArray,
        bag: MaskArray | None,
        drawn: MaskArray,
        tree_number: int,
        first_spread: FloatArray,
    ) -> RowArray:
        mask = self._all if bag is None else bag
        rows = int(mask.sum())
        bag_orders(self._sorted, mask, self._space.order)
        self._space.first_spread[:] = first_spread
        grow_exact(
            self.tree, rows, self._values, g, h, self._weight, self.rules, self._space, drawn
        )
        return self._space.order[0, :rows]

    def add_to_others(self, value: FloatArray, score: FloatArray, skip: MaskArray) -> None:
        add_by_values(self.tree, self.rules.nominal, self._values, skip, value, score)
