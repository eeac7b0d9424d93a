"""Amounts of the cases themselves (a loan, a transaction, a basket) that cells are shares of.

A cell is then a + b x amount: Q(i, t, d) = a(t, d) + b(t, d) x amount(i) - cost(i, d).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from payoff.types import CodeArray, FloatArray, IntArray

TOP = 0.01
"""The share of cases whose part of all amounts is looked at."""
FEWEST = 1000
"""With fewer cases the largest hundredth is no more than a handful."""


@dataclass(frozen=True, eq=False)
class AmountFacts:
    """What is asked of the amounts ``values`` (n,) again and again, worked out once."""

    values: FloatArray

    @cached_property
    def largest(self) -> float:
        """The largest absolute amount; 0 where none is known."""
        if not self.values.size:
            return 0.0
        ends = (np.fmax.reduce(self.values), np.fmin.reduce(self.values))
        return float(np.nanmax(np.abs(ends), initial=0.0))

    @cached_property
    def mean(self) -> float:
        """The mean of the known amounts; 0 where none is known."""
        known = self.values[np.isfinite(self.values)]
        return float(known.mean()) if known.size else 0.0

    @cached_property
    def below_zero(self) -> tuple[int, int]:
        """How many amounts are below 0, and the row of the first (0 where there is none)."""
        below = self.values < 0
        return int(np.count_nonzero(below)), int(np.argmax(below)) if below.size else 0

    @cached_property
    def part_of_largest(self) -> float:
        """The part of all that the largest hundredth holds; 0 with fewer than ``FEWEST``."""
        sizes = np.abs(self.values[np.isfinite(self.values)])
        whole, count = float(sizes.sum()), int(TOP * sizes.size)
        if sizes.size < FEWEST or whole <= 0:
            return 0.0
        largest = np.partition(sizes, sizes.size - count)[sizes.size - count :]
        return float(largest.sum() / whole)


_NO_FACTS = AmountFacts(np.empty(0))


@dataclass(frozen=True, kw_only=True, eq=False)
class CaseAmounts:
    """The amount of each case, and what one unit of it adds to the cells.

    Attributes
    ----------
    values : array (n,)
        Missing = NaN: such a case is marked C, as one with a missing cost, and not decided.
    slopes : array (levels, decisions)
        As the user wrote them: in a loss matrix what is lost.
    name : str
        What sentences call it: "the amount", or the name of its column.
    scale : float, optional
        The amount that ties are judged by; left out = the largest of ``values``.
    facts : AmountFacts, optional
        Of the same ``values``, kept from an earlier matrix; else they are worked out anew.
    """

    values: FloatArray
    slopes: FloatArray
    name: str = "the amount"
    scale: float | None = None
    facts: AmountFacts = _NO_FACTS

    def __post_init__(self) -> None:
        if self.facts.values is not self.values:
            object.__setattr__(self, "facts", AmountFacts(self.values))

    @property
    def matter(self) -> bool:
        """Whether any cell depends on the amount."""
        return bool(self.slopes.any())

    @property
    def largest(self) -> float:
        """The largest absolute amount; 0 where none is known."""
        return self.facts.largest

    @property
    def tie_scale(self) -> float:
        """The amount that ties are judged by."""
        return self.largest if self.scale is None else self.scale

    @property
    def mean(self) -> float:
        """The mean of the known amounts; 0 where none is known."""
        return self.facts.mean

    @property
    def are_never_below_zero(self) -> bool:
        """Whether no amount is negative, so that shares of it keep their sign."""
        return self.facts.below_zero[0] == 0

    def by_level(self, level: CodeArray, sense: float, rows: slice | IntArray) -> FloatArray:
        """b(t, d) x amount of some cases of known classes, (decisions, k), in a sense.

        Parameters
        ----------
        level : array (k,)
            Class of each of these cases.
        sense : float
            1, or -1 for losses.
        rows : slice or array (k,)
            Which cases they are.
        """
        share = (sense * self.slopes).T
        return np.asarray(np.take(share, level, axis=1) * self.values[rows])

    def expected(
        self, probabilities: FloatArray, sense: float, rows: slice | IntArray
    ) -> FloatArray:
        """Sum over classes of b(t, d) x amount x chance (levels, k), (decisions, k)."""
        expected: FloatArray = (sense * self.slopes).T @ probabilities
        expected *= self.values[rows]
        return expected
