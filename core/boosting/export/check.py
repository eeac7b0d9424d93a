"""Does another system score as the model does? Its output against the expected results."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data import LoadedTable, column_as_float, column_as_text, load, place_of
from core.document.files.export_folder import EXPECTED, read_contract
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError, no_such
from payoff.types import BoolArray, FloatArray, IntArray

TOLERANCE = 1e-9
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDifference:
    """A result that is not as expected.

    Attributes
    ----------
    where : str
        File, line, data row and column of the result, with its value.
    row : int
        The row of the expected results.
    expected, found : float or str
        Texts for a result that is a name, such as a decision; ``difference`` is then infinite.
    example : str
        What that row is for.
    """

    where: str
    row: int
    column: str
    example: str
    expected: float | str
    found: float | str
    difference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCheck:
    """What a comparison found.

    Attributes
    ----------
    agrees : bool
        Whether every row is there and every result within the tolerance.
    columns, not_compared : tuple of str
        Results that the file has, and those that it lacks.
    matched_by : str
        The key column, or "order".
    differing_rows : int
    largest_difference : float
        Over all results; infinite where one is missing.
    differences : tuple of RowDifference
        The first, in the order of the file; at most 20.
    worst : RowDifference or None
    examples : mapping of str to int
        Differing rows by what they are for.
    absent_rows : tuple of int
        Expected rows that the file lacks.
    """

    file: str
    folder: str
    agrees: bool
    rows: int
    columns: tuple[str, ...]
    not_compared: tuple[str, ...]
    matched_by: str
    tolerance: float
    differing_rows: int
    largest_difference: float
    differences: tuple[RowDifference, ...]
    worst: RowDifference | None
    examples: Mapping[str, int]
    absent_rows: tuple[int, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in words."""
        names = ", ".join(self.columns)
        if self.agrees:
            return (
                f"All {counted(self.rows, 'row agrees', 'rows agree')} in {names} (largest "
                "difference "
                f"{self.largest_difference:.3g}, tolerance {self.tolerance:g}).",
            )
        lines = []
        if self.absent_rows:
            shown = ", ".join(map(str, self.absent_rows[:MOST_SHOWN]))
            lines.append(f"{len(self.absent_rows):,} expected rows are not in the file: {shown}.")
        if self.differing_rows:
            lines.append(
                f"{counted_of(self.differing_rows, self.rows, 'row', verbs='differs/differ')} "
                f"in {names}."
            )
        if self.differences and self.worst is not None:
            lines += [_sentence("First", self.differences[0]), _sentence("Worst", self.worst)]
        lines += [f"{count:,} differing: {example}." for example, count in self.examples.items()]
        return tuple(lines)


def _sentence(word: str, found: RowDifference) -> str:
    return (
        f"{word}: {found.where}; expected {found.expected!r} (row {found.row} of {EXPECTED}, "
        f"{found.example})."
    )


@dataclass(frozen=True, slots=True)
class _Expected:
    keys: IntArray
    notes: tuple[str, ...]
    results: dict[str, FloatArray]
    texts: dict[str, tuple[str, ...]]  # results that are names; their place in results is empty
    key: str


def check_export(
    path: str | Path,
    folder: str | Path | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    tolerance: float = TOLERANCE,
) -> ExportCheck:
    """Compare another system's results with the expected ones, row by row.

    Parameters
    ----------
    path : str or Path
        CSV or Parquet with the key column and at least one result. Without the key rows must
        stand in the order of the expected results.
    folder : str or Path, optional
        The export folder; left out: the folder that the file lies in.
    columns : mapping of result to column of the file, optional
        Where the file calls a result otherwise.
    tolerance : float
        Largest difference that counts as agreement, times the size of the expected result where
        that is above 1.

    Raises
    ------
    PayoffError
        Naming file, line, row, column and value of what cannot be compared.
    """
    if not tolerance >= 0.0:
        raise PayoffError(f"The tolerance is {tolerance:g}.", why="It must be 0 or more.")
    place = Path(path).parent if folder is None else Path(folder)
    expected = _read_expected(place)
    table = load(str(path))
    named = _result_columns(table, expected, columns or {})
    rows, matched_by = _matched_rows(table, expected)
    compared = _Comparison(table, expected, named, rows, tolerance)
    absent = np.flatnonzero(np.bincount(rows, minlength=len(expected.keys)) == 0)
    return ExportCheck(
        file=str(path),
        folder=str(place),
        agrees=not bool(compared.is_off.any()) and len(absent) == 0,
        rows=len(expected.keys),
        columns=tuple(named),
        not_compared=tuple(name for name in expected.results if name not in named),
        matched_by=matched_by,
        tolerance=tolerance,
        differing_rows=int(compared.is_off.any(axis=0).sum()),
        largest_difference=float(compared.gap.max(initial=0.0)),
        differences=compared.first(),
        worst=compared.worst(),
        examples=compared.by_example(),
        absent_rows=tuple(expected.keys[absent].tolist()),
    )


def _read_expected(folder: Path) -> _Expected:
    contract = read_contract(folder)
    key, note = contract["key"], contract["expected"]["note"]
    with (folder / EXPECTED).open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return _Expected(
        keys=np.array([int(row[key]) for row in rows], dtype=np.int64),
        notes=tuple(row[note] for row in rows),
        results={
            output["name"]: np.array([_number(row[output["name"]]) for row in rows])
            if output.get("type") != "text"
            else np.empty(0)
            for output in contract["outputs"]
        },
        texts={
            output["name"]: tuple(row[output["name"]] for row in rows)
            for output in contract["outputs"]
            if output.get("type") == "text"
        },
        key=key,
    )


def _number(text: str) -> float:
    return float(text) if text else np.nan


def _result_columns(
    table: LoadedTable, expected: _Expected, columns: Mapping[str, str]
) -> dict[str, str]:
    """Result -> column of the file, for the results that the file has."""
    results = ", ".join(expected.results)
    for name, column in columns.items():
        if name not in expected.results:
            raise no_such("result", name, expected.results)
        table.require_column(column)
    named = {name: columns.get(name, name) for name in expected.results}
    found = {name: column for name, column in named.items() if column in table.columns}
    if not found:
        raise PayoffError(
            "The file has none of the results.",
            where=table.path,
            why=f"Its columns are: {', '.join(table.columns[:12])}. The results are: {results}.",
            remedy="Say which column holds which result: --column score=YOUR_COLUMN.",
        )
    return found


def _matched_rows(table: LoadedTable, expected: _Expected) -> tuple[IntArray, str]:
    """For each row of the file the place among the expected rows."""
    if expected.key not in table.columns:
        if table.rows != len(expected.keys):
            raise PayoffError(
                f"The file has {counted(table.rows, 'row')}, and "
                f"{counted(len(expected.keys), 'is expected', 'are expected')}.",
                where=table.path,
                why=f"It has no column '{expected.key}' to tell which rows they are.",
                remedy=f"Write the column '{expected.key}' of {EXPECTED} along with the results.",
            )
        return np.arange(table.rows), "order"
    keys = column_as_float(table, expected.key, role="key")
    order = np.argsort(expected.keys)
    place = order[
        np.searchsorted(expected.keys[order], np.nan_to_num(keys)).clip(0, len(order) - 1)
    ]
    unknown = expected.keys[place] != keys
    if unknown.any():
        row = int(np.argmax(unknown))
        raise PayoffError(
            "The file has a row that is not expected.",
            where=place_of(table, row, expected.key, f"{keys[row]:g}"),
            why=f"{EXPECTED} has the rows {expected.keys.min()} to {expected.keys.max()}.",
        )
    first = np.unique(place, return_index=True)[1]
    twice = np.setdiff1d(np.arange(table.rows), first)
    if len(twice):
        row = int(twice[0])
        raise PayoffError(
            "A row stands in the file twice.",
            where=place_of(table, row, expected.key, f"{keys[row]:g}"),
        )
    return place, f"column {expected.key}"


class _Comparison:
    """Results C by rows R of the file, against what is expected for them.

    Attributes
    ----------
    gap : float64 (C, R)
        Size of the difference; infinite where the result is missing.
    is_off : bool (C, R)
        Whether it is above the tolerance.
    """

    def __init__(
        self,
        table: LoadedTable,
        expected: _Expected,
        named: Mapping[str, str],
        rows: IntArray,
        tolerance: float,
    ) -> None:
        self._table, self._expected, self._named, self._rows = table, expected, named, rows
        pairs = [self._compare(name, column) for name, column in named.items()]
        self.gap: FloatArray = np.stack([gap for gap, _limit in pairs])
        self.is_off: BoolArray = self.gap > np.stack([limit for _gap, limit in pairs]) * tolerance

    def _compare(self, name: str, column: str) -> tuple[FloatArray, FloatArray]:
        """Differences of one result, and the size that the tolerance is multiplied by."""
        if name in self._expected.texts:
            found = column_as_text(self._table, column)
            wanted = [self._expected.texts[name][row] for row in self._rows.tolist()]
            is_same = [a.strip() == b for a, b in zip(found, wanted, strict=True)]
            return np.where(is_same, 0.0, np.inf), np.ones(len(found))
        numbers = column_as_float(self._table, column, role=f"result '{name}'")
        expected = self._expected.results[name][self._rows]
        with np.errstate(invalid="ignore"):
            gap = np.abs(numbers - expected)
        gap[np.isnan(gap)] = np.inf
        is_same = (numbers == expected) | (np.isnan(numbers) & np.isnan(expected))
        gap[is_same] = 0.0  # infinite or missing, and expected so
        return gap, np.maximum(1.0, np.nan_to_num(np.abs(expected), posinf=1.0))

    def first(self) -> tuple[RowDifference, ...]:
        """The first differences in the order of the file."""
        rows, places = np.nonzero(self.is_off.T)
        pairs = zip(places[:MOST_SHOWN].tolist(), rows[:MOST_SHOWN].tolist(), strict=True)
        return tuple(self._difference(place, row) for place, row in pairs)

    def worst(self) -> RowDifference | None:
        """The largest difference of those above the tolerance."""
        if not self.is_off.any():
            return None
        place, row = np.unravel_index(
            np.argmax(np.where(self.is_off, self.gap, -1.0)), self.gap.shape
        )
        return self._difference(int(place), int(row))

    def by_example(self) -> dict[str, int]:
        """Differing rows by what they are for, most first."""
        rows = self._rows[self.is_off.any(axis=0)]
        return dict(Counter(self._expected.notes[row] for row in rows.tolist()).most_common())

    def _difference(self, place: int, row: int) -> RowDifference:
        name, column = list(self._named.items())[place]
        expected_row = int(self._rows[row])
        found: float | str
        wanted: float | str
        if name in self._expected.texts:
            found = shown = column_as_text(self._table, column)[row]
            wanted, difference = self._expected.texts[name][expected_row], np.inf
        else:
            found = float(column_as_float(self._table, column)[row])
            wanted = float(self._expected.results[name][expected_row])
            shown, difference = "" if np.isnan(found) else repr(found), found - wanted
        return RowDifference(
            where=place_of(self._table, row, column, shown),
            row=int(self._expected.keys[expected_row]),
            column=name,
            example=self._expected.notes[expected_row],
            expected=wanted,
            found=found,
            difference=difference,
        )
