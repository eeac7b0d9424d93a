"""What files of SAS, SPSS and Stata have in common: labels, special missing values, batches."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from payoff import Found, OpenedTable, PayoffError, ReadRequest, column_from_cells
from payoff.counting import counted

_BATCH = 50_000
_BATCH_CELLS = 20_000_000  # of a table of many columns: fewer rows at a time
_MONTHS = {"%tm": 1, "%tq": 3, "%th": 6}
"""Months in a unit of Stata's formats of months, quarters and halves of years."""
Read = Callable[..., tuple[Mapping[str, list[Any]], Any]]
Labels = Mapping[str, Mapping[Any, str]]


def open_table(
    request: ReadRequest, read: Read, program: str, notes: list[str], **options: Any
) -> OpenedTable:
    """Open a file with one of pyreadstat's functions.

    Parameters
    ----------
    request : ReadRequest
    read : function of pyreadstat
    program : str
        "SAS", "SPSS" or "Stata", for messages.
    notes : list of str
        Warnings so far; more are added.
    options
        Further arguments of ``read``.
    """
    options = {"output_format": "dict", **options}
    if request.encoding:
        options["encoding"] = request.encoding
    _, meta = _call(request, read, program, metadataonly=True, **options)
    columns = tuple(meta.column_names)
    if not columns or not all(isinstance(name, str) for name in columns):
        raise PayoffError(
            "The file has no columns." if not columns else "A column of the file has no name.",
            where=request.path,
            remedy="It may be damaged: export it again.",
        )
    labels: Labels = {name: dict(found) for name, found in meta.variable_value_labels.items()}
    has_count = isinstance(meta.number_rows, int) and meta.number_rows >= 0
    rows = meta.number_rows if has_count else None
    if rows == 0:
        raise PayoffError("The file has columns and no data rows.", where=request.path)
    months = {name: _MONTHS.get(_format_of(meta, name), 0) for name in columns}
    text = {name for name in columns if meta.readstat_variable_types.get(name) == "string"}
    return OpenedTable(
        columns=columns,
        batches=_batches(request, read, program, options, columns, text, months, labels, notes),
        rows=rows,
        found=_label_finding(labels, request),
        notes=notes,
        labels=_words_of(meta),
        value_labels={} if request.use_labels else labels,
    )


def _format_of(meta: Any, name: str) -> str:
    return str((getattr(meta, "original_variable_types", None) or {}).get(name, ""))[:3]


def _as_days(cells: list[Any], months: int) -> list[Any]:
    """Months, quarters or halves since January 1960 as their first days; others as they are."""
    if not months:
        return cells
    return [
        datetime.date(1960 + int(cell) * months // 12, int(cell) * months % 12 + 1, 1)
        if isinstance(cell, int | float) and -23_000 < cell * months < 90_000
        else cell
        for cell in cells
    ]


def _words_of(meta: Any) -> dict[str, str]:
    """What the file calls its columns in words, where it says more than their names."""
    described = {name: (label or "").strip() for name, label in meta.column_names_to_labels.items()}
    return {name: label for name, label in described.items() if label and label != name}


def _call(
    request: ReadRequest, read: Read, program: str, **options: Any
) -> tuple[Mapping[str, list[Any]], Any]:
    """Read, with faults in the user's words."""
    try:
        return read(request.path, **options)
    except PayoffError:
        raise
    except Exception as error:  # what the library raises on a damaged file is not written down
        raise PayoffError(
            f"The {program} file cannot be read.",
            where=request.path,
            why=f"{str(error).strip() or type(error).__name__}.",
            remedy="It may be damaged, cut off or locked: export it again.",
        ) from None


def _label_finding(labels: Labels, request: ReadRequest) -> tuple[Found, ...]:
    """Say which columns have labels, and that codes are kept unless asked."""
    if not labels:
        return ()
    name, first = next(iter(labels.items()))
    shown = ", ".join(f"{_code(code)} = {label}" for code, label in list(first.items())[:3])
    reason = (
        f"{counted(len(labels), 'column has', 'columns have')} labels for their codes "
        f"({name}: {shown})"
    )
    value = "yes" if request.use_labels else "no"
    return (Found(setting="use_labels", value=value, reason=reason),)


def _code(code: object) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _batches(
    request: ReadRequest,
    read: Read,
    program: str,
    options: Mapping[str, Any],
    columns: tuple[str, ...],
    text: set[str],
    months: Mapping[str, int],
    labels: Labels,
    notes: list[str],
) -> Iterator[list[np.ndarray[Any, Any]]]:
    """Rows some thousand at a time; special missing values are counted and told at the end."""
    special: dict[str, Counter[str]] = {}
    start = 0
    most = max(1, min(_BATCH, _BATCH_CELLS // len(columns)))
    while not request.should_stop():
        wanted = most if request.first_rows is None else min(most, request.first_rows - start)
        if wanted <= 0:
            break
        cells, _ = _call(request, read, program, row_offset=start, row_limit=wanted, **options)
        count = len(next(iter(cells.values()), []))
        if not count:
            break
        yield [
            _column(
                _as_days(cells[name], months[name]),
                is_text=name in text,
                labels=labels.get(name),
                special=special.setdefault(name, Counter()),
                request=request,
            )
            for name in columns
        ]
        start += count
        if count < wanted:
            break
    for name, counts in special.items():
        if counts:
            notes.append(special_note(name, counts))


def special_note(name: str, counts: Mapping[str, int]) -> str:
    """Say which special missing values a column has."""
    shown = ", ".join(f".{letter} ({count:,})" for letter, count in sorted(counts.items()))
    return f"Column '{name}' has special missing values {shown}: read as missing."


def _column(
    cells: list[Any],
    *,
    is_text: bool,
    labels: Mapping[Any, str] | None,
    special: Counter[str],
    request: ReadRequest,
) -> np.ndarray[Any, Any]:
    """One column of a batch."""
    if not is_text:
        letters = [cell for cell in cells if isinstance(cell, str)]
        if letters:
            special.update(letter.strip().upper() for letter in letters)
            cells = [None if isinstance(cell, str) else cell for cell in cells]
    if labels and request.use_labels:
        cells = [labels.get(cell, cell) if cell is not None else None for cell in cells]
    marks = request.missing_marks if is_text else ("",)
    cells = [_plain(cell) for cell in cells]
    return column_from_cells(cells, marks)


def _plain(cell: Any) -> Any:
    """A cell as the contract knows it: times of day and spans as text, NaN as missing."""
    if isinstance(cell, float) and np.isnan(cell):
        return None
    if isinstance(cell, datetime.time | datetime.timedelta):
        return str(cell)
    return cell
