"""Rows of a file that are no cases: totals, notes, units, what a person leaves out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.table import RowPlaces
from core.document.data.model import ReaderSettings
from payoff.counting import counted
from payoff.errors import PayoffError

_LOOKED_AT = 5  # rows at the end
_FEWEST_ROWS = 5  # above them, before anything at the end is taken for totals
_TOTAL = re.compile(
    r"(?:grand |sub|overall )?total(?:s|e|aux|en|en?wert)?(?: général| general)?|summen?|sum|somme|"
    r"gesamt(?:summe|ergebnis|zahl|betrag)?|insgesamt|zwischensumme|totaal|suma|"
    r"average|mean|mittelwert|durchschnitt|moyenne|ø|σ|all|alle|ensemble|count|anzahl|nombre",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:source|quelle|note|notes|hinweis|anmerkung|remarque|legend|legende|stand|as of|exported|"
    r"export|created|erstellt|généré|printed|report|page|seite|confidential|vertraulich)\b.*|"
    r"[©*†].*|\(?[\d.,' ]+ (?:rows?|records?|zeilen|datensätze|lignes|enregistrements)\b.*|"
    r"end of .*|n ?= ?\d+.*",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:anzahl|count|nombre|number|rows|zeilen|lignes|n)\s*[:=]\s*[\d.,' \u00a0]+", re.IGNORECASE
)
_UNIT = re.compile(
    r"[(\[]?(?:in )?(?:€|\$|£|eur|usd|gbp|chf|t€|k€|tsd\.? ?(?:€|eur)|mio\.? ?(?:€|eur)|%|percent|"
    r"prozent|years?|jahre?|months?|monate?|days?|tage?|ans|mois|jours|ja/nein|j/n|yes/no|y/n|"
    r"oui/non|0/1|1/0|text|datum|date|number|anzahl|nombre|points?|punkte)[)\]]?",
    re.IGNORECASE,
)
_SAME = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRows:
    """Which rows of a file are rows of its table.

    ``left_out`` are the others, from 0 as they stand in the file; ``words`` says why.
    """

    left_out: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    decimal: str = "."

    def take(self, table: pa.Table) -> pa.Table:
        """The table as if the rows that are left out had never been in the file.

        A column that was text because of them alone is one of numbers.
        """
        if not self.left_out:
            return table
        taken = self._without(table)
        for at, name in enumerate(table.column_names):
            words = [_cell(table.column(at)[row].as_py()) for row in self.left_out]
            if any(isinstance(word, str) for word in words):
                taken = taken.set_column(at, name, _retyped(taken.column(at), self.decimal))
        return taken

    def take_columns(self, columns: dict[str, pa.ChunkedArray]) -> dict[str, pa.ChunkedArray]:
        """Columns of texts without the rows that are left out."""
        if not self.left_out or not columns:
            return columns
        table = self._without(pa.table(columns))
        return {name: table.column(name) for name in columns}

    def _without(self, table: pa.Table) -> pa.Table:
        edges = [-1, *self.left_out, table.num_rows]
        pieces = [table.slice(a + 1, b - a - 1) for a, b in pairwise(edges)]
        return pa.concat_tables([piece for piece in pieces if piece.num_rows])

    def in_settings(self, settings: ReaderSettings) -> ReaderSettings:
        """The settings that leave the same rows out again."""
        rows = tuple(row + 1 for row in self.left_out)
        return settings if settings.left_out == rows else replace(settings, left_out=rows)

    def places(self, places: RowPlaces) -> RowPlaces:
        """Where the rows that are kept stand in the file."""
        return replace(places, left_out=self.left_out) if self.left_out else places


def _retyped(values: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray:
    """A column of texts as numbers, where every cell is a plain one."""
    text = values.cast(pa.string())
    if decimal != ".":
        if pc.any(pc.match_substring(text, ".")).as_py():
            return values
        text = pc.replace_substring(text, decimal, ".")
    for kind in (pa.int64(), pa.float64()):
        try:
            return pc.cast(text, kind)
        except pa.ArrowInvalid:
            continue
    return values


def choose_rows(
    table: pa.Table, settings: ReaderSettings, path: str, line: Callable[[int], str]
) -> KeptRows:
    """Find the rows that are left out: those that the settings name, else totals at the end.

    Parameters
    ----------
    table : pyarrow.Table
        As read, before its columns are settled.
    settings : ReaderSettings
        ``left_out`` names data rows from 1; None = find out.
    path : str
        What messages call the file.
    line : callable
        Words for the place of a row (from 0).

    Raises
    ------
    PayoffError
        For a row that there is not, or where no row would be left.
    """
    decimal = settings.decimal or "."
    if settings.left_out is not None:
        reported = _as_reported(table.num_rows, settings.left_out, path)
        return replace(reported, decimal=decimal)
    totals = [*_row_at_start(table), *_rows_at_end(table)]
    if not totals:
        return KeptRows()
    places = ", ".join(f"{line(row)} ('{label}')" if label else line(row) for row, label in totals)
    count = counted(len(totals), "row holds", "rows hold")
    is_left = "is" if len(totals) == 1 else "are"
    words = f"{count} totals, notes or units and {is_left} left out: {places}."
    left_out = tuple(row for row, _ in totals)
    return KeptRows(left_out=left_out, words=(words,), decimal=decimal)


def _as_reported(rows: int, reported: tuple[int, ...], path: str) -> KeptRows:
    """The rows that the settings name."""
    wanted = sorted(set(reported))
    if wanted and not 1 <= wanted[0] <= wanted[-1] <= rows:
        wrong = wanted[0] if wanted[0] < 1 else wanted[-1]
        raise PayoffError(
            f"There is no data row {wrong} to leave out.",
            where=path,
            why=f"The file has {counted(rows, 'data row')}.",
            remedy="Name data rows from 1 on.",
        )
    if rows and len(wanted) == rows:
        raise PayoffError("All rows are to be left out.", where=path)
    return KeptRows(left_out=tuple(row - 1 for row in wanted))


def _row_at_start(table: pa.Table) -> list[tuple[int, str]]:
    """The first row, where it holds the totals of those below, or the units of its columns."""
    if table.num_rows < _FEWEST_ROWS + 1 or table.num_columns < 2:
        return []
    cells = [_cell(column.slice(0, 1).to_pylist()[0]) for column in table.columns]
    filled = [(at, cell) for at, cell in enumerate(cells) if cell is not None]
    words = [(at, cell) for at, cell in filled if isinstance(cell, str)]
    below = table.slice(1)
    units = [(at, cell) for at, cell in words if _UNIT.fullmatch(cell)]
    if len(units) == len(filled) >= 1 and all(
        not _occurrences(below.column(at), cell, below.num_rows) for at, cell in units
    ):
        return [(0, ", ".join(cell for _, cell in units))]
    for at, cell in words:
        if not _TOTAL.fullmatch(cell.rstrip(" :")):
            continue
        is_alone = not _occurrences(below.column(at), cell, below.num_rows)
        is_sum = _adds_up(below, cells, below.num_rows)
        if is_alone and (is_sum or 2 * len(filled) <= len(cells)):
            return [(0, cell)]
    return []


def _rows_at_end(table: pa.Table) -> list[tuple[int, str]]:
    """Totals, notes and blank rows at the end, in file order, each with its label."""
    count = table.num_rows
    if count < _FEWEST_ROWS + 1 or table.num_columns < 2:
        return []
    start = max(_FEWEST_ROWS, count - _LOOKED_AT)
    end = table.slice(start).to_pydict()
    cells = [[_cell(end[name][at]) for name in end] for at in range(count - start)]
    found: list[tuple[int, str]] = []
    for at in range(len(cells) - 1, -1, -1):
        label = _label_of(table, cells[at], start + at, found)
        if label is None:
            break
        found.append((start + at, label))
    while found and found[-1][1] == "" and _is_blank(cells[found[-1][0] - start]):
        found.pop()  # blank rows at the end of the table itself are cases without any value
    return found[::-1]


def _cell(value: object) -> object:
    """A cell's value; blank text and NaN are nothing."""
    if isinstance(value, str):
        return value.strip() or None
    return None if isinstance(value, float) and math.isnan(value) else value


def _is_blank(cells: list[object]) -> bool:
    return all(cell is None for cell in cells)


def _label_of(
    table: pa.Table, cells: list[object], row: int, below: list[tuple[int, str]]
) -> str | None:
    """What a row at the end calls itself; None where it may be a case."""
    filled = [cell for cell in cells if cell is not None]
    if not filled:
        return ""
    words = [(at, cell) for at, cell in enumerate(cells) if isinstance(cell, str)]
    labels = [(at, cell) for at, cell in words if _is_label(cell)]
    if len(filled) == 1 and words and table.num_columns > 2 and _NOTE.fullmatch(words[0][1]):
        return words[0][1]
    is_sum = _adds_up(table, cells, row)
    if labels:
        at, label = labels[0]
        is_sparse = 2 * len(filled) <= len(cells)
        is_alone = _occurrences(table.column(at), label, row) == 0
        return label if is_alone and (is_sum or is_sparse) else None
    is_bare = not words and is_sum and 2 * len(filled) <= len(cells)
    return "" if is_bare else None


def _is_label(cell: str) -> bool:
    """Whether a cell names totals, or counts rows: "Summe:", "Anzahl: 200"."""
    return bool(_TOTAL.fullmatch(cell.rstrip(" :")) or _COUNT.fullmatch(cell))


def _occurrences(column: pa.ChunkedArray, label: str, row: int) -> int:
    """How often a label stands in the rows above: a class is no label of totals."""
    above = column.slice(0, row).cast(pa.string())
    return int(pc.sum(pc.equal(pc.utf8_trim_whitespace(above), label)).as_py() or 0)


def _adds_up(table: pa.Table, cells: list[object], row: int) -> bool:
    """Whether a number of the row is the sum or mean of those above."""
    for name, cell in zip(table.column_names, cells, strict=True):
        kind = table.column(name).type
        if cell is None or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            continue
        above = table.column(name).slice(0, row).cast(pa.float64(), safe=False).to_numpy()
        above = above[~np.isnan(above)]
        with np.errstate(over="ignore"):
            total, number = float(np.sum(above)), float(str(cell))
        if not len(above) or not total or not math.isfinite(total):
            continue
        mean = total / len(above)
        step = 0.5 if pa.types.is_integer(kind) else 0.005
        near_sum = abs(number - total) <= max(_SAME * abs(total), step)
        near_mean = abs(number - mean) <= _SAME * abs(mean) + 1e-4
        if near_sum or (near_mean and np.ptp(above) > 0):
            return True
    return False
