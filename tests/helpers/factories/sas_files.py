"""Writes sas7bdat files for tests: readstat, which pyreadstat brings along, can write them too.

pyreadstat offers no function for it, so the library's own functions are called (readstat.h). Where
a wheel hides them, ``can_write_sas`` is False and tests that need it are passed over.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat._readstat_writer as library

_STRING, _DOUBLE = 0, 5
_COMPRESS_ROWS = 1
_Writer = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
_DAYS = {"DATE9": 86_400.0, "DATETIME20": 1.0}


@cache
def _readstat() -> ctypes.CDLL | None:
    """The library with the types of what is called, or None where its functions are hidden."""
    try:
        found = ctypes.CDLL(library.__file__)
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        for name, answer, arguments in (
            ("readstat_writer_init", pointer, []),
            ("readstat_set_data_writer", ctypes.c_int, [pointer, _Writer]),
            ("readstat_writer_set_compression", ctypes.c_int, [pointer, ctypes.c_int]),
            ("readstat_add_variable", pointer, [pointer, text, ctypes.c_int, ctypes.c_size_t]),
            ("readstat_variable_set_format", None, [pointer, text]),
            ("readstat_begin_writing_sas7bdat", ctypes.c_int, [pointer, pointer, ctypes.c_long]),
            ("readstat_begin_row", ctypes.c_int, [pointer]),
            ("readstat_insert_string_value", ctypes.c_int, [pointer, pointer, text]),
            ("readstat_insert_double_value", ctypes.c_int, [pointer, pointer, ctypes.c_double]),
            ("readstat_insert_missing_value", ctypes.c_int, [pointer, pointer]),
            (
                "readstat_insert_tagged_missing_value",
                ctypes.c_int,
                [pointer, pointer, ctypes.c_char],
            ),
            ("readstat_end_row", ctypes.c_int, [pointer]),
            ("readstat_end_writing", ctypes.c_int, [pointer]),
            ("readstat_writer_free", None, [pointer]),
        ):
            function = getattr(found, name)
            function.restype, function.argtypes = answer, arguments
    except (OSError, AttributeError):
        return None
    return found


def can_write_sas() -> bool:
    """Whether this machine's pyreadstat lets its writer be called."""
    return _readstat() is not None


def write_sas(path: Path, cases: pd.DataFrame, *, is_compressed: bool = False) -> Path:
    """Write a frame as a SAS data set.

    Numbers, dates and times (as SAS counts them, with their formats) and texts; a cell such as
    ``".A"`` in a column of numbers is the special missing value of that letter.
    """
    readstat = _readstat()
    assert readstat is not None
    content = bytearray()

    def take(start: int, count: int, _context: int) -> int:
        content.extend(ctypes.string_at(start, count))
        return count

    keep = _Writer(take)
    writer = readstat.readstat_writer_init()
    _check(readstat.readstat_set_data_writer(writer, keep))
    if is_compressed:
        _check(readstat.readstat_writer_set_compression(writer, _COMPRESS_ROWS))
    columns = [_add_column(readstat, writer, name, cases[name]) for name in cases]
    _check(readstat.readstat_begin_writing_sas7bdat(writer, None, len(cases)))
    for row in cases.itertuples(index=False):
        _check(readstat.readstat_begin_row(writer))
        for (variable, insert), cell in zip(columns, row, strict=True):
            _check(insert(writer, variable, cell))
        _check(readstat.readstat_end_row(writer))
    _check(readstat.readstat_end_writing(writer))
    readstat.readstat_writer_free(writer)
    path.write_bytes(content)
    return path


Insert = Callable[[int, int, Any], int]


def _add_column(
    readstat: ctypes.CDLL, writer: int, name: str, values: pd.Series[Any]
) -> tuple[int, Insert]:
    """Declare a column; how its cells are written."""
    if pd.api.types.is_datetime64_any_dtype(values):
        has_times = bool((values.dropna() != values.dropna().dt.normalize()).any())
        form = "DATETIME20" if has_times else "DATE9"
        variable = readstat.readstat_add_variable(writer, name.encode(), _DOUBLE, 8)
        readstat.readstat_variable_set_format(variable, form.encode())
        start = pd.Timestamp("1960-01-01")

        def insert_time(to: int, column: int, cell: Any) -> int:
            if pd.isna(cell):
                return int(readstat.readstat_insert_missing_value(to, column))
            count = (cell - start).total_seconds() / _DAYS[form]
            return int(readstat.readstat_insert_double_value(to, column, count))

        return variable, insert_time
    is_text = any(isinstance(cell, str) and cell[:1] != "." for cell in values)
    if is_text:
        width = max(1, *(len(str(cell).encode()) for cell in values.fillna("")))
        variable = readstat.readstat_add_variable(writer, name.encode(), _STRING, width)

        def insert_text(to: int, column: int, cell: Any) -> int:
            text = "" if pd.isna(cell) else str(cell)
            return int(readstat.readstat_insert_string_value(to, column, text.encode()))

        return variable, insert_text
    variable = readstat.readstat_add_variable(writer, name.encode(), _DOUBLE, 8)

    def insert_number(to: int, column: int, cell: Any) -> int:
        if isinstance(cell, str):
            return int(readstat.readstat_insert_tagged_missing_value(to, column, cell[1].encode()))
        if cell is None or math.isnan(cell):
            return int(readstat.readstat_insert_missing_value(to, column))
        return int(readstat.readstat_insert_double_value(to, column, float(cell)))

    return variable, insert_number


def _check(code: int) -> None:
    if code:
        raise ValueError(f"readstat answers {code}")
