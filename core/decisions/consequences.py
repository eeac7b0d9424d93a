"""What every decision brings in every class and case: the one record that kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from payoff.types import FloatArray, IntArray


class Consequences(NamedTuple):
    """Q(i, t, d) = ``gain[t, d]`` - ``rate[t, d]`` x cost of case i.

    ``gain`` and ``rate`` are (levels, decisions + 1): the last column is the implicit do-nothing,
    worth 0. ``cost_row[d]`` is the row of ``costs`` (rows, n) with the cost of each case, -1 =
    none; ``rate`` is then 0, and 1 for a cost that falls due in every class. Amounts of the cases
    stand among the costs, at rates of what one unit of them takes away.

    Kernels take it whole: compiled code reads a named tuple as fast as its arrays.
    """

    gain: FloatArray
    constant_cost: FloatArray
    cost_row: IntArray
    rate: FloatArray
    costs: FloatArray
    tolerance: float

    @property
    def has_cost_columns(self) -> bool:
        """Whether a cost differs from case to case."""
        return bool(np.any(self.cost_row >= 0))
