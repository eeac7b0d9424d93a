"""Columns of a script's data that are numbers already: nothing of them need be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from core.data.kinds import LARGEST_EXACT
from payoff.types import AnyArray

_FEW_ROWS = 1_000


def plain_numbers(data: Any, names: Sequence[str]) -> list[AnyArray] | None:
    """The named columns, or nothing where one of them needs a look.

    Parameters
    ----------
    data : pandas.DataFrame, mapping of name to array, or whatever a script may give
    names : sequence of str

    Returns
    -------
    list of (n,) float32 or float64 arrays, or None
        Missing = NaN, as in a loaded table. None: texts, dates, whole numbers that a double does
        not hold, infinities, no such column, no rows, other kinds of data.
    """
    kind = type(data)  # asked in place of the table, which would work its types out
    is_frame = hasattr(kind, "columns") and hasattr(kind, "dtypes")
    if isinstance(data, pa.Table) or not (is_frame or isinstance(data, Mapping)):
        return None
    if not names:
        return None
    if not is_frame:
        return _columns(data, names)
    labels = list(data.columns)  # looks into an index cost more than a row is worth
    places = {name: place for place, name in enumerate(labels)}
    if len(places) < len(labels) or any(name not in places for name in names):
        return None
    if len(data) < _FEW_ROWS:
        return _few_rows(data, [places[name] for name in names]) or _columns(data, names)
    return _columns(data, names)


def _few_rows(frame: Any, places: Sequence[int]) -> list[AnyArray] | None:
    """All columns at once, where the whole table is numbers: each look at a column costs more."""
    matrix: AnyArray = frame.to_numpy()
    if matrix.dtype != np.float64 or matrix.size == 0:
        return None
    numbers = np.ascontiguousarray(matrix.T[places])
    if (np.abs(numbers) >= LARGEST_EXACT).any():  # a longer whole number, or infinite
        return None
    return list(numbers)


def _columns(data: Any, names: Sequence[str]) -> list[AnyArray] | None:
    """One column after the other."""
    found: list[AnyArray] = []
    for name in names:
        numbers = _numbers(data[name]) if name in data else None
        if numbers is None:
            return None
        found.append(numbers)
    lengths = {numbers.shape[0] for numbers in found}
    return found if len(lengths) == 1 and lengths != {0} else None


def _numbers(values: Any) -> AnyArray | None:
    """One column, where it holds numbers that need no look."""
    if not isinstance(getattr(values, "dtype", None), np.dtype) or values.ndim != 1:
        return None
    numbers: AnyArray = np.asarray(values)
    if numbers.dtype.kind == "b":
        return numbers.astype(np.float64)
    if numbers.dtype.kind in "iu":
        if numbers.size and max(abs(int(numbers.min())), int(numbers.max())) > LARGEST_EXACT:
            return None
        return numbers.astype(np.float64)
    if numbers.dtype not in (np.float32, np.float64):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        total = numbers.sum()  # tells that all are finite, unless it overflows itself
    is_plain = np.isfinite(total) or not np.isinf(numbers).any()
    return np.ascontiguousarray(numbers) if is_plain else None
