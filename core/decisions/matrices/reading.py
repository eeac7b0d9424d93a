"""Decision matrices read from files: what the rows are is never taken for granted.

CSV with classes or decisions in rows, SAS decision data, four named costs, JSON. Every refusal
names file, line, row, column and value.

Signs that rows and columns of a matrix may be swapped.

Matrices in JSON, and those of two classes by four named costs.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.data.levels import printed
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.files.guarded import note_read
from core.document.files.spreadsheet import is_risky
from core.document.studies.decision_files import MatrixFile, MatrixStyle, Rows
from payoff.counting import counted
from payoff.errors import PayoffError, damage_refused

_IDLE = ("do nothing", "ignore", "nothing", "wait", "pass", "refuse", "reject")


def level_key(name: str) -> str:
    """A name as it is compared: printed form, without regard to case."""
    return printed(name).strip().casefold()


def with_doubts(made: MatrixFile, known: set[str]) -> MatrixFile:
    """The matrix with every sign that rows and columns may be swapped."""
    doubts = []
    rows_known = [name for name in made.levels if level_key(name) in known]
    columns_known = [name for name in made.decisions if level_key(name) in known]
    if known and not rows_known and columns_known:
        doubts.append(
            f"“{columns_known[0]}” is a class of the outcome, but stands among the decisions."
        )
    idle_rows = [
        name
        for name, row in zip(made.levels, made.cells, strict=True)
        if name.casefold() in _IDLE and level_key(name) not in known
    ]
    if idle_rows:
        doubts.append(f"“{idle_rows[0]}” sounds like a decision, but stands among the classes.")
    zero_rows = [name for name, row in zip(made.levels, made.cells, strict=True) if not any(row)]
    has_zero_column = any(not any(column) for column in zip(*made.cells, strict=True))
    if zero_rows and not has_zero_column and made.kind is MatrixKind.PROFIT:
        doubts.append(
            f"The class “{zero_rows[0]}” brings nothing whatever is decided, as a decision "
            "that does nothing would."
        )
    both = {level_key(name) for name in made.levels} == {level_key(name) for name in made.decisions}
    if both and not made.is_stated and not _is_symmetric(made):
        doubts.append("Classes and decisions have the same names, and the file names no axes.")
    idle = next((name for name in made.decisions if name.casefold() in _IDLE), None)
    column = made.decisions.index(idle) if idle is not None else -1
    is_nothing = idle is not None and not any(row[column] for row in made.cells)
    nothing = made.do_nothing or (idle if is_nothing else None)
    acting = made.acting or next(
        (name for name in made.decisions if name != nothing), made.decisions[0]
    )
    tail = " Rows and columns may be swapped."
    return replace(
        made,
        acting=acting,
        do_nothing=nothing,
        doubts=(*made.doubts, *(text + tail for text in doubts)),
    )


def _is_symmetric(made: MatrixFile) -> bool:
    order = [
        [level_key(n) for n in made.decisions].index(level_key(level)) for level in made.levels
    ]
    return all(
        made.cells[i][order[j]] == made.cells[j][order[i]]
        for i in range(len(order))
        for j in range(i)
    )


FORMAT = "payoff-matrix"
VERSION = 1
NAMED_CELLS = {"tp": (0, 0), "fn": (0, 1), "fp": (1, 0), "tn": (1, 1)}
"""Row (positive, negative) and column (predicted positive, negative) of a named cost."""


def four_named_costs(
    path: str, values: Mapping[str, float], kind: MatrixKind | None, levels: Sequence[str]
) -> MatrixFile:
    """A matrix of two classes from tp_cost, fp_cost, fn_cost, tn_cost (or ..._benefit).

    What is not named is 0; a benefit counts against a cost of the same cell.
    """
    gains = [[0.0, 0.0], [0.0, 0.0]]
    for key, value in values.items():
        cell, _mark, word = key.partition("_")
        row, column = NAMED_CELLS[cell]
        gains[row][column] += -value if word == "cost" else value
    all_costs = all(key.endswith("cost") for key in values)
    found = kind or (MatrixKind.LOSS if all_costs else MatrixKind.PROFIT)
    sign = -1.0 if found is MatrixKind.LOSS else 1.0
    names = tuple(levels) if len(levels) == 2 else ("1", "0")
    return MatrixFile(
        path=path,
        levels=names,
        decisions=("Predicted positive", "Predicted negative"),
        cells=tuple(tuple(sign * value + 0.0 for value in row) for row in gains),
        kind=found,
        rows=Rows.ACTUAL,
        is_stated=True,
        style=MatrixStyle.PREDICTED,
        acting="Predicted positive",
        notes=(f"Four named cells (tp, fp, fn, tn); the positive class is “{names[0]}”.",),
    )


def json_of_matrix(text: str, where: str) -> Any:
    """The text of a JSON matrix as plain values.

    Raises
    ------
    PayoffError
        If it is no JSON, or a name stands twice: plain JSON would keep the last without a word.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [printed(name) for name, _ in pairs]
        doubled = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if doubled is not None:
            raise PayoffError(
                f"'{doubled}' stands twice in the decision matrix.",
                where=where,
                why="Only one of its rows could count.",
                remedy="Take one of them out, or give each its own name.",
            )
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as reason:
        raise PayoffError("The matrix is not JSON.", where=where, why=f"{reason}.") from reason


def from_json(
    path: str, text: str, rows: Rows | None, kind: MatrixKind | None, levels: Sequence[str]
) -> MatrixFile:
    """A matrix from the text of a JSON file."""
    record = json_of_matrix(text, path)
    if isinstance(record, dict) and record and all(isinstance(v, list) for v in record.values()):
        record = {"levels": list(record), "cells": list(record.values())}
    if isinstance(record, dict) and any(key.partition("_")[0] in NAMED_CELLS for key in record):
        values = {
            key: _json_number(path, value, key)
            for key, value in record.items()
            if key.partition("_")[0] in NAMED_CELLS
        }
        return four_named_costs(path, values, kind, levels)
    if not isinstance(record, dict) or "cells" not in record:
        raise PayoffError(
            "This JSON holds no matrix.",
            where=path,
            why="It has no 'cells', nor a row of numbers per class.",
            remedy='Write {"1": [24, 0], "0": [-1.6, 0]}.',
        )
    return _from_record(path, record, rows, kind)


def _from_record(
    path: str, record: Mapping[str, Any], rows: Rows | None, kind: MatrixKind | None
) -> MatrixFile:
    if record.get("version", VERSION) > VERSION:
        raise PayoffError("The matrix was written by a newer version of the program.", where=path)
    names = [printed(name) for name in record.get("levels", [])]
    table = record["cells"]
    width = max((len(row) for row in table), default=0)
    decisions = [str(name) for name in record.get("decisions", range(1, width + 1))]
    said = _rows_of_record(path, record)
    meant = rows or said or Rows.ACTUAL
    down, across = (names, decisions) if meant is Rows.ACTUAL else (decisions, names)
    if len(table) != len(down) or any(len(row) != len(across) for row in table):
        raise PayoffError(
            "The matrix has a hole.",
            where=path,
            why=f"{counted(len(down), 'row')} ({', '.join(down)}) by "
            f"{counted(len(across), 'column')} "
            f"({', '.join(across)}) are needed.",
        )
    numbers = tuple(
        tuple(
            _json_number(path, value, f"row {down[i]}, column {across[j]}")
            for j, value in enumerate(row)
        )
        for i, row in enumerate(table)
    )
    cells = numbers if meant is Rows.ACTUAL else tuple(zip(*numbers, strict=True))
    words = "actual classes" if meant is Rows.ACTUAL else "decisions"
    made = MatrixFile(
        path=path,
        levels=tuple(names),
        decisions=tuple(decisions),
        cells=cells,
        kind=kind or _kind_of_record(path, record),
        rows=meant,
        is_stated=rows is not None or said is not None,
        style=MatrixStyle.JSON,
        acting=str(record.get("acting") or ""),
        do_nothing=record.get("do_nothing"),
        costs=tuple(
            CostSpec(column=cost)
            if isinstance(cost, str)
            else CostSpec(amount=_json_number(path, cost, "costs"))
            for cost in record.get("costs") or ()
        ),
        priors=_shares_of_record(path, record, "priors"),
        old_priors=_shares_of_record(path, record, "old_priors"),
        notes=(f"JSON: the rows are the {words}.",),
    )
    return with_doubts(made, set())


def _rows_of_record(path: str, record: Mapping[str, Any]) -> Rows | None:
    if "rows" not in record:
        return None
    if record["rows"] not in list(Rows):
        raise PayoffError(
            "The file does not say what its rows are.",
            where=f"{path}, rows, value {record['rows']!r}",
            remedy="Write 'actual' or 'decided'.",
        )
    return Rows(record["rows"])


def _kind_of_record(path: str, record: Mapping[str, Any]) -> MatrixKind:
    kind = record.get("kind", "profit")
    if kind not in list(MatrixKind):
        raise PayoffError(
            "The file has an unknown kind of matrix.",
            where=f"{path}, kind, value {kind!r}",
            why="There are: profit, loss, revenue.",
        )
    return MatrixKind(kind)


def _shares_of_record(
    path: str, record: Mapping[str, Any], key: str
) -> tuple[tuple[str, float], ...]:
    shares = record.get(key) or {}
    return tuple(
        (printed(level), _json_number(path, share, f"{key}, level {level}"))
        for level, share in shares.items()
    )


def _json_number(path: str, value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PayoffError(
            "A cell is not a finite number.", where=f"{path}, {where}, value {value!r}"
        )
    return float(value)


COST_ROW = "COST OF THE DECISION"
LARGEST_BYTES = 4_000_000

_SAS_NUMBERS = ("COUNT", "DATAPRIOR", "TRAINPRIOR", "DECPRIOR")
_DOWN, _ACROSS = ("down", "rows", "row"), ("across", "columns", "column")
_ACTUAL = ("actual", "true", "real", "class", "outcome", "happens")
_DECIDED = ("decision", "decided", "predicted", "prediction", "action")


@dataclass(frozen=True, slots=True)
class _Grid:
    """A table of texts with its place in the file: ``lines[i]`` is the line of row i."""

    path: str
    corner: str
    columns: tuple[str, ...]
    names: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    decimal: str


def read_matrix_file(
    path: str,
    *,
    rows: Rows | None = None,
    kind: MatrixKind | None = None,
    levels: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> MatrixFile:
    """Read a decision matrix.

    Parameters
    ----------
    path : str
        CSV (comma, semicolon or tab) or JSON.
    rows : Rows, optional
        What the rows are; left out = as the file says, else found out by the levels.
    kind : MatrixKind, optional
        How the numbers are meant; left out = as the file says, else profit.
    levels, labels : sequence of str, optional
        Levels of the outcome and the user's words for them: help to tell rows from columns.

    Raises
    ------
    PayoffError
        Naming file, line, row, column and value of what cannot be read.
    """
    with damage_refused("The matrix could not be read.", where=path):
        return _read(path, _text_of(path), rows, kind, levels, labels)


def _read(
    path: str,
    text: str,
    rows: Rows | None,
    kind: MatrixKind | None,
    levels: Sequence[str],
    labels: Sequence[str],
) -> MatrixFile:
    if text.lstrip().startswith(("{", "[")):
        return from_json(path, text, rows, kind, levels)
    grid = _grid(path, text)
    named = _named_cells(grid)
    if named is not None:
        return _from_four(grid, named, kind, levels)
    heads = {name.strip().upper() for name in grid.columns}
    if heads & {"DATAPRIOR", "TRAINPRIOR", "DECPRIOR"}:
        return _from_sas(grid, kind)
    return _from_grid(grid, rows, kind, {level_key(word) for word in (*levels, *labels)})


def _text_of(path: str) -> str:
    place = Path(path)
    try:
        size = place.stat().st_size
        note_read(place)
        content = place.read_bytes() if size <= LARGEST_BYTES else b""
    except OSError as reason:
        raise PayoffError(
            "The matrix could not be read.", where=path, why=f"{reason.strerror or reason}."
        ) from reason
    if size > LARGEST_BYTES:
        raise PayoffError(
            "This file is too large for a decision matrix.",
            where=path,
            why=f"It has {size / 1e6:,.1f} MB.",
            remedy="Open it as data instead.",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    if "\x00" in text or not text.strip():
        raise PayoffError(
            "The file holds no matrix.",
            where=path,
            why="It is empty." if not text.strip("\x00 \r\n\t") else "It is no text file.",
            remedy="Save the matrix as CSV or JSON.",
        )
    return text


# ---------------------------------------------------------------- tables of text


def _records(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Lines that hold something, cut; each with its line number."""
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        return [
            (reader.line_num, [_unguarded(entry.strip()) for entry in record])
            for record in reader
            if any(entry.strip() for entry in record)
        ]
    except csv.Error as reason:
        raise PayoffError(
            "The file is no table.", where=f"line {reader.line_num}", why=f"{reason}."
        ) from reason


def _delimiter(text: str) -> str:
    """The mark that cuts all lines into equally many cells, else the most frequent one."""
    first = text.lstrip().splitlines()[0]
    marks = sorted(",;\t", key=first.count, reverse=True)
    for mark in marks:
        widths = {len(record) for _line, record in _records(text, mark)}
        if len(widths) == 1 and widths != {1}:
            return mark
    return marks[0]


def _grid(path: str, text: str) -> _Grid:
    delimiter = _delimiter(text)
    records = _records(text, delimiter)
    (first_line, head), body = records[0], records[1:]
    while len(head) > 1 and not head[-1]:
        head.pop()
    if not body or len(head) < 2:
        raise PayoffError(
            "The file holds no matrix.",
            where=f"{path}, line {first_line}",
            why="A first line with names and a line per row are needed.",
        )
    for line, record in body:
        while len(record) > len(head) and not record[-1]:
            record.pop()
        if len(record) != len(head):
            raise PayoffError(
                "A row of the matrix is not as long as the first line.",
                where=f"{path}, line {line}, row {record[0]}",
                why=f"It has {counted(len(record), 'cell')}, the first line has {len(head)}.",
            )
    grid = _Grid(
        path=path,
        corner=head[0],
        columns=tuple(head[1:]),
        names=tuple(record[0] for _line, record in body),
        texts=tuple(tuple(record[1:]) for _line, record in body),
        lines=tuple(line for line, _record in body),
        decimal="," if delimiter != "," else ".",
    )
    _check_names(grid)
    return grid


def _check_names(grid: _Grid) -> None:
    for what, names in (("row", grid.names), ("column", grid.columns)):
        seen: set[str] = set()
        for place, name in enumerate(names):
            line = grid.lines[place] if what == "row" else "1"
            if not name or level_key(name) in seen:
                raise PayoffError(
                    f"A {what} has no name." if not name else f"Two {what}s are called '{name}'.",
                    where=f"{grid.path}, line {line}, {what} {place + 1}",
                    remedy=f"Each {what} needs a name of its own.",
                )
            seen.add(level_key(name))


def _unguarded(entry: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from taking a text for a formula."""
    return entry[1:] if entry[:1] == "'" and is_risky(entry[1:]) else entry


def _number(grid: _Grid, row: int, column: int) -> float:
    text = grid.texts[row][column]
    bare = text.replace("\u2212", "-").replace("\u00a0", "").replace(" ", "")
    if grid.decimal == "," and "," in bare and "." not in bare:
        bare = bare.replace(",", ".")
    try:
        value = float(bare)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PayoffError(
            "A cell of the matrix is empty." if not text else "A cell is not a finite number.",
            where=f"{grid.path}, line {grid.lines[row]}, row {grid.names[row]}, "
            f"column {grid.columns[column]}, value {text!r}",
            remedy="Every cell needs a number, with a point or (between semicolons) a comma.",
        )
    return value


def _numbers(grid: _Grid) -> tuple[tuple[float, ...], ...]:
    return tuple(
        tuple(_number(grid, row, column) for column in range(len(grid.columns)))
        for row in range(len(grid.names))
    )


# ---------------------------------------------------------------- classes or decisions in rows


def _from_grid(
    grid: _Grid, rows: Rows | None, kind: MatrixKind | None, known: set[str]
) -> MatrixFile:
    said, said_kind = _axes_said(grid.corner), _kind_said(grid.corner)
    costs: tuple[float, ...] = ()
    decided_down = Rows.DECIDED in (rows, said if rows is None else None)
    if grid.names[-1].upper() == COST_ROW and not decided_down:
        costs = _numbers(grid)[-1]
        grid = replace(grid, names=grid.names[:-1], texts=grid.texts[:-1], lines=grid.lines[:-1])
        if not grid.names:
            raise PayoffError("The matrix has costs only.", where=grid.path)
    meant, notes = _meant(grid, rows, said, known)
    cells, names, columns = _numbers(grid), grid.names, grid.columns
    if meant is Rows.DECIDED:
        cells = tuple(zip(*cells, strict=True))
        names, columns = columns, names
    found_kind = kind or said_kind
    if found_kind is None:
        notes.append("The file does not say whether the numbers are profits or losses: profits.")
    made = MatrixFile(
        path=grid.path,
        levels=tuple(printed(name) for name in names),
        decisions=columns,
        cells=cells,
        kind=found_kind or MatrixKind.PROFIT,
        rows=meant,
        is_stated=rows is not None or said is not None,
        style=MatrixStyle.PREDICTED if meant is Rows.DECIDED else MatrixStyle.CSV,
        costs=tuple(CostSpec(amount=cost) for cost in costs),
        notes=tuple(notes),
    )
    return with_doubts(made, known)


def _meant(
    grid: _Grid, rows: Rows | None, said: Rows | None, known: set[str]
) -> tuple[Rows, list[str]]:
    """What the rows stand for, with the sentence that says so."""
    words = {
        Rows.ACTUAL: "Rows are what really happens, columns are what is decided",
        Rows.DECIDED: "Rows are what is decided, columns are what really happens",
    }
    if rows is not None:
        return rows, [f"{words[rows]}: as you said."]
    if said is not None:
        return said, [f"{words[said]}: the file says so (“{grid.corner}”)."]
    down = sum(level_key(name) in known for name in grid.names)
    across = sum(level_key(name) in known for name in grid.columns)
    if across > down:
        return Rows.DECIDED, [f"{words[Rows.DECIDED]}: the columns are named after the classes."]
    if down > across:
        return Rows.ACTUAL, [f"{words[Rows.ACTUAL]}: the rows are named after the classes."]
    return Rows.ACTUAL, [f"{words[Rows.ACTUAL]}: taken so, as the file does not say."]


def _axes_said(corner: str) -> Rows | None:
    """What the corner of a file says of its axes: "ACTUAL down, DECISION across"."""
    words = corner.casefold().replace("\\", " ").replace("/", " ").replace("|", " ")
    words = words.replace(",", " ").replace(":", " ")
    parts = words.split()
    actual = next((i for i, word in enumerate(parts) if word in _ACTUAL), None)
    decided = next((i for i, word in enumerate(parts) if word.rstrip("s") in _DECIDED), None)
    if actual is None and decided is None:
        return None
    if actual is not None and decided is not None:
        return Rows.ACTUAL if actual < decided else Rows.DECIDED
    is_across = any(word in _ACROSS for word in parts) and not any(w in _DOWN for w in parts)
    return Rows.ACTUAL if (actual is not None) != is_across else Rows.DECIDED


def _kind_said(corner: str) -> MatrixKind | None:
    words = corner.casefold()
    if "cost" in words:
        return MatrixKind.LOSS
    return next((kind for kind in MatrixKind if kind.value in words), None)


# ---------------------------------------------------------------- four named costs


def _named_cells(grid: _Grid) -> dict[str, str] | None:
    """Column names tp_cost, fp_cost, fn_cost, tn_cost of a one-line file, by their cell."""
    heads = (grid.corner, *grid.columns)
    found = {}
    for head in heads:
        cell, _mark, word = head.casefold().replace(" ", "_").partition("_")
        if cell in NAMED_CELLS and word in ("cost", "benefit", "profit"):
            found[f"{cell}_{word}"] = head
    return found if len(grid.names) == 1 and len(found) >= 2 else None


def _from_four(
    grid: _Grid, named: Mapping[str, str], kind: MatrixKind | None, levels: Sequence[str]
) -> MatrixFile:
    heads = (grid.corner, *grid.columns)
    whole = replace(grid, columns=heads, names=("1",), texts=((grid.names[0], *grid.texts[0]),))
    values = {key: _number(whole, 0, heads.index(head)) for key, head in named.items()}
    return four_named_costs(grid.path, values, kind, levels)


# ---------------------------------------------------------------- SAS decision data


def _from_sas(grid: _Grid, kind: MatrixKind | None) -> MatrixFile:
    heads = [name.strip().upper() for name in grid.columns]
    places = [i for i, head in enumerate(heads) if head not in _SAS_NUMBERS]
    decisions = tuple(grid.columns[i] for i in places)
    if not decisions:
        raise PayoffError(
            "The decision data have no decision.",
            where=f"{grid.path}, line 1",
            why=f"Beside {grid.corner} there are only {', '.join(grid.columns)}.",
        )
    cells = tuple(
        tuple(_number(grid, row, column) for column in places) for row in range(len(grid.names))
    )
    notes = [
        "SAS decision data: a row per target value (what really happens), a column per decision."
    ]
    if kind is None:
        notes.append("The type stands in SAS's decision metadata, not here: taken as profit.")
    levels = tuple(printed(name) for name in grid.names)
    shares = {
        head: tuple(
            (level, _number(grid, row, heads.index(head))) for row, level in enumerate(levels)
        )
        for head in ("DATAPRIOR", "TRAINPRIOR", "DECPRIOR")
        if head in heads and all(row[heads.index(head)] for row in grid.texts)
    }
    made = MatrixFile(
        path=grid.path,
        levels=levels,
        decisions=decisions,
        cells=cells,
        kind=kind or MatrixKind.PROFIT,
        rows=Rows.ACTUAL,
        is_stated=True,
        style=MatrixStyle.SAS,
        priors=shares.get("DECPRIOR", ()),
        old_priors=shares.get("TRAINPRIOR", ()),
        notes=tuple(notes),
    )
    return with_doubts(made, set())
