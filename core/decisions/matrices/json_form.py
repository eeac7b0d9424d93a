"""Matrices in JSON, and those of two classes by four named costs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from core.data.levels import printed
from core.decisions.matrices.import_warnings import with_doubts
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.studies.decision_files import MatrixFile, MatrixStyle, Rows
from payoff.counting import counted
from payoff.errors import PayoffError

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
