"""The order of a column as a table is sorted by it: numbers by size, text by letters."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from core.data.table import LoadedTable
from payoff.types import FloatArray, IntArray


def column_ranks(table: LoadedTable, name: str, rows: IntArray) -> FloatArray:
    """Places of some rows in the order of a column; missing = NaN, equal values share no place.

    Returns
    -------
    array (k,) of float64
        0 for the smallest.
    """
    values = table.require_column(name)
    if len(rows) < table.rows:
        values = values.take(rows)
    order = pc.sort_indices(values).to_numpy()
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order), dtype=np.float64)
    ranks[values.is_null().to_numpy()] = np.nan
    return ranks
