"""Posteriors of a model as a document names them: columns by level, checked and made whole.

How many digits a program kept when it wrote numbers to a file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from core.data.levels import printed
from core.data.profile.summary import cell_text
from core.data.table import LoadedTable
from core.data.values import column_as_float, place_of
from core.document.data.model import BadValues
from core.document.model import Document
from core.kernels import CHUNK_ROWS, own_kernel, run_chunks, run_rows
from payoff.counting import counted_of
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

__all__ = [
    "complete_posteriors",
    "look_at_rows",
    "posterior_warnings",
    "posteriors",
]


MOST_DIGITS = 9
FEWEST_DIGITS = 2  # of chances: coarser ones say too little to be told from wrong ones
EXACT = 1e-6
_LOOKED_AT = 10_000


def decimals_of(values: FloatArray) -> int:
    """Decimals that the values were rounded to; ``MOST_DIGITS`` where they were not.

    Parameters
    ----------
    values : (n,) float64
        Missing ones (NaN) are passed over; the first 10,000 are looked at.
    """
    known = values[:_LOOKED_AT]
    known = np.abs(known[np.isfinite(known)])
    for digits in range(MOST_DIGITS):
        scaled = known * 10.0**digits
        if bool(np.all(np.abs(scaled - np.rint(scaled)) <= 1e-6 * np.maximum(1.0, scaled * 1e-6))):
            return digits
    return MOST_DIGITS


def sum_tolerance(columns: Sequence[FloatArray]) -> float:
    """How far the chances of one case may be from a sum of 1 by their own rounding.

    Parameters
    ----------
    columns : sequence of (n,) float64
        One per class, as shares of 1.

    Returns
    -------
    float
        Half a unit of the last digit for each class; at least 1e-6, and that where fewer than two
        digits were kept.
    """
    digits = max(map(decimals_of, columns), default=MOST_DIGITS)
    if not FEWEST_DIGITS <= digits < MOST_DIGITS:
        return EXACT
    return max(EXACT, 0.5 * len(columns) * 10.0**-digits * (1.0 + 1e-9) + 1e-12)


def posteriors(table: LoadedTable, document: Document, model: str) -> FloatArray:
    """A model's posteriors.

    Returns
    -------
    (K, n) float64, C-contiguous
        One row per level of the target, in its order. A level without a column is what the others
        leave. Where any is missing all K are NaN.

    Raises
    ------
    PayoffError
        For a value outside 0 to 1 (or 100 where the column is percent), a sum that is off by more
        than the digits in the file allow for (rounded chances are scaled to sum to 1), or more than
        one level without a column. Where the document marks cases of bad
        values, single values outside, and those beside a missing one, stay as they are.
    """
    target = document.target
    if target is None:
        raise PayoffError("Name the target first: posteriors belong to its levels.")
    columns = _columns_by_level(document, model)
    given = tuple(printed(level) for level in target.levels)
    unknown = [level for level in columns if level not in given]
    if unknown:
        raise PayoffError(
            f"Model '{model}' has posteriors for '{unknown[0]}', which is no level of the target.",
            where=f"column {columns[unknown[0]]}",
            why=f"Levels of '{target.column}' are: {', '.join(target.levels)}.",
        )
    missing = [level for level in given if level not in columns]
    if len(missing) > 1:
        raise PayoffError(
            f"Model '{model}' has no column for level '{missing[0]}' of '{target.column}'.",
            why=f"Posteriors are missing for the levels {', '.join(missing)}. Only one may be left "
            "out: it is what the others leave.",
            remedy="Give each level a posterior column (in the window on page Data).",
        )
    read = {level: _one_posterior(table, document, name) for level, name in columns.items()}
    result = complete_posteriors(read, given)
    is_off, has_gap = look_at_rows(result)
    if is_off and len(columns) == len(given) > 1:
        _settle_sums(table, result, model, next(iter(columns.values())))
    if has_gap and document.bad_values is not BadValues.MARK:
        result[:, np.isnan(result).any(axis=0)] = np.nan
    return result


def look_at_rows(result: FloatArray) -> tuple[bool, bool]:
    """Whether the chances (K, n) of some row do not sum to 1, and whether any is missing."""
    rows = result.shape[1]
    found = np.zeros((-(-rows // CHUNK_ROWS), 2), dtype=np.bool_)
    run_chunks(look_at_sums, (result, EXACT, found), rows)
    return bool(found[:, 0].any()), bool(found[:, 1].any())


@own_kernel
def look_at_sums(
    values: FloatArray, allowed: float, found: BoolArray, start: int, stop: int
) -> None:
    """Note of a chunk of rows of (K, n) whether a sum is off, and whether a value is missing."""
    chunk = start // CHUNK_ROWS
    for row in range(start, stop):
        total = 0.0
        for place in range(values.shape[0]):
            total += values[place, row]
        if math.isnan(total):
            found[chunk, 1] = True
        elif abs(total - 1.0) > allowed:
            found[chunk, 0] = True


def posterior_warnings(table: LoadedTable, document: Document, model: str) -> tuple[str, ...]:
    """How many chances of a model lie outside 0 to 1, where the document marks their cases."""
    if document.bad_values is not BadValues.MARK:
        return ()
    warnings = []
    for column in _columns_by_level(document, model).values():
        if _is_known_good(table, document, column):
            continue
        values = _in_shares(table, document, column)
        bad = _outside(table, document, column, values)
        if len(bad):
            where = place_of(table, int(bad[0]), column, f"{values[bad[0]]:g}")
            warnings.append(
                f"{counted_of(len(bad), len(values), 'value')} of '{column}' lie outside 0 to "
                "1 and are "
                f"marked P: the first is {where}."
            )
    return tuple(warnings)


def complete_posteriors(columns: Mapping[str, FloatArray], levels: tuple[str, ...]) -> FloatArray:
    """Stack posterior columns in level order; one missing level is the complement of the others.

    Parameters
    ----------
    columns : mapping of level to array (n,)
    levels : tuple of str

    Returns
    -------
    array (levels, n) of float64, C-contiguous

    Raises
    ------
    PayoffError
        If a column names no level, or more than one level has no column.
    """
    unknown = [level for level in columns if level not in levels]
    if unknown or not columns:
        raise PayoffError(
            f"There is no level '{unknown[0]}'." if unknown else "No posterior column is given.",
            where="posteriors",
            remedy=f"Known levels: {', '.join(levels)}.",
        )
    missing = [level for level in levels if level not in columns]
    if len(missing) > 1:
        raise PayoffError(
            f"Posteriors are missing for the levels {', '.join(missing)}.",
            where="posteriors",
            remedy="Only one level may be left out: it is the complement of the others.",
        )
    rows = len(next(iter(columns.values())))
    table = np.empty((len(levels), rows), dtype=np.float64)
    for place, level in enumerate(levels):
        if level in columns:
            run_rows(_copy, (columns[level], table[place]), rows)
    if missing:
        place = levels.index(missing[0])
        others = [i for i in range(len(levels)) if i != place]
        left = table[others].sum(axis=0) if len(others) > 1 else table[others[0]]
        np.subtract(1.0, left, out=table[place])
        if len(levels) > 2:  # rounding of several columns may leave -1e-17
            small = np.abs(table[place]) < 1e-12
            table[place][small] = 0.0
    return table


def _copy(values: FloatArray, out: FloatArray, start: int, stop: int) -> None:
    """Copy some rows: in all threads, since new pages cost most of it."""
    out[start:stop] = values[start:stop]


def _columns_by_level(document: Document, model: str) -> dict[str, str]:
    """Printed level -> posterior column; a column without a level stands for the event."""
    assert document.target is not None
    columns = document.posterior_columns(model)
    if not columns:
        raise PayoffError(
            f"Model '{model}' has no posterior column.",
            remedy="Give one of its columns the role posterior on page Data.",
        )
    return {printed(level or document.target.event): name for level, name in columns.items()}


def _in_shares(table: LoadedTable, document: Document, name: str) -> FloatArray:
    """A posterior column as shares of 1."""
    role = document.role_of(name)
    values = column_as_float(table, name, role="posterior")
    return values / 100.0 if role is not None and role.is_percent else values


def _is_known_good(table: LoadedTable, document: Document, name: str) -> bool:
    """Whether all values of a column are known to lie from 0 to 1 (100 for percent)."""
    if not isinstance(table.table, pa.Table):
        return False  # of columns that are read on need only the first rows were looked at
    role, seen = document.role_of(name), table.overview.known_column(name)
    if seen is None:
        return False
    most = 100.0 if role is not None and role.is_percent else 1.0
    low, high = seen.minimum, seen.maximum
    return low is not None and high is not None and low >= 0.0 and high <= most


def _outside(table: LoadedTable, document: Document, name: str, values: FloatArray) -> IntArray:
    """Rows of a column's chances outside 0 to 1; missing ones are not meant."""
    role = document.role_of(name)
    as_read = (name, role is not None and role.is_percent)
    if as_read in table.shares:
        return np.empty(0, dtype=np.int64)
    if are_shares(values):
        table.shares.add(as_read)
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero((values < 0) | (values > 1))


def are_shares(values: FloatArray) -> bool:
    """Whether no value (n,) lies outside 0 to 1; missing ones are not meant."""
    found = np.zeros(1, dtype=np.bool_)
    run_chunks(look_at_range, (values, found), len(values))
    return not found[0]


@own_kernel
def look_at_range(values: FloatArray, found: BoolArray, start: int, stop: int) -> None:
    """Note whether a value of some rows lies outside 0 to 1; threads may note the same."""
    is_outside = False
    for row in range(start, stop):
        is_outside |= (values[row] < 0.0) | (values[row] > 1.0)
    if is_outside:
        found[0] = True


def _one_posterior(table: LoadedTable, document: Document, name: str) -> FloatArray:
    """One posterior column between 0 and 1."""
    values = _in_shares(table, document, name)
    if _is_known_good(table, document, name):
        return values
    bad = _outside(table, document, name, values)
    are_most = 2 * len(bad) > table.rows
    if not len(bad) or (document.bad_values is BadValues.MARK and not are_most):
        return values
    row = int(bad[0])
    role = document.role_of(name)
    is_share = role is None or not role.is_percent
    high, low = float(np.nanmax(values)), float(np.nanmin(values))
    is_percent = is_share and 1 < high <= 100 and low >= 0 and are_most  # a slip is no other unit
    raise PayoffError(
        "A posterior lies outside 0 to 1.",
        where=place_of(table, row, name, cell_text(table.table.column(name)[row].as_py())),
        why=f"{counted_of(len(bad), table.rows, 'value', verbs='does/do')}. "
        + ("They look like percentages." if is_percent else "They may be scores, not chances."),
        remedy="Divide them by 100, or say on page Data that the column is in percent."
        if is_percent
        else "Turn them into chances first (in scripts by payoff.calibrate), or say on page Data "
        "that the column is a score in points: it then ranks cases.",
    )


def _settle_sums(table: LoadedTable, result: FloatArray, model: str, column: str) -> None:
    """Scale rounded posteriors to sum to 1; refuse rows that are off by more.

    Rows with a single value outside 0 to 1 are left as they are.
    """
    sums = result.sum(axis=0)
    off = np.abs(sums - 1.0)
    bad = np.flatnonzero(off > EXACT)
    bad = bad[((result[:, bad] >= 0) & (result[:, bad] <= 1)).all(axis=0)]
    allowed = sum_tolerance(list(result)) if len(bad) else EXACT
    if len(bad) and float(off[bad].max()) <= allowed:
        near = off <= allowed
        result[:, near] /= sums[near]
        return
    bad = bad[off[bad] > allowed]
    if len(bad):
        row = int(bad[0])
        raise PayoffError(
            f"The posteriors of model '{model}' do not sum to 1.",
            where=f"{place_of(table, row, column)}, sum {sums[row]:.9g}",
            why=(
                f"{counted_of(len(bad), table.rows, 'row', verbs='is/are')} off by more than "
                f"{allowed:.2g}, what the digits in the file explain."
            ),
            remedy="Save the posteriors with more digits, check that no level is missing, or leave "
            "one level out: its chance is what the others leave.",
        )
