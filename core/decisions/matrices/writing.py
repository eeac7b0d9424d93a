"""Decision matrices written to files, with both axes named in the file itself."""

from __future__ import annotations

import json
from pathlib import Path

from core.decisions.matrices.reading import COST_ROW, FORMAT, VERSION
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.files.guarded import write_file
from core.document.files.spreadsheet import csv_text
from core.document.studies.decision_files import MatrixFile, MatrixStyle, Rows
from payoff.errors import PayoffError

AXES = {
    MatrixStyle.CSV: "ACTUAL down, DECISION across",
    MatrixStyle.PREDICTED: "PREDICTED down, ACTUAL across",
    MatrixStyle.SAS: "a row per target value, a column per decision",
    MatrixStyle.JSON: "rows: actual, columns: decisions",
}
"""What a file of each style says of its axes."""


def write_matrix_file(path: str, matrix: MatrixFile, style: MatrixStyle) -> str:
    """Write a matrix; returns what the file says of its axes.

    Raises
    ------
    PayoffError
        If the style cannot hold the matrix (costs by case, a decision named as a column of SAS
        decision data), or the file cannot be written.
    """
    texts = {
        MatrixStyle.CSV: _plain_csv,
        MatrixStyle.PREDICTED: _predicted_csv,
        MatrixStyle.SAS: _sas_csv,
        MatrixStyle.JSON: _json,
    }
    content = texts[style](matrix).encode("utf-8")
    write_file(path, content)
    return AXES[style]


def style_of(path: str) -> MatrixStyle:
    """The style that a file's ending asks for."""
    return MatrixStyle.JSON if Path(path).suffix.lower() == ".json" else MatrixStyle.CSV


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _plain_csv(matrix: MatrixFile) -> str:
    corner = f"{AXES[MatrixStyle.CSV]}, {matrix.kind.value}"
    rows = [[corner, *matrix.decisions]]
    for level, cells in zip(matrix.levels, matrix.cells, strict=True):
        rows.append([level, *map(_number, cells)])
    if matrix.costs:
        rows.append([COST_ROW, *map(_number, _constant_costs(matrix))])
    return csv_text(rows)


def _constant_costs(matrix: MatrixFile) -> list[float]:
    for decision, cost in zip(matrix.decisions, matrix.costs, strict=True):
        if cost.column is not None:
            raise PayoffError(
                f"The cost of “{decision}” stands in the column '{cost.column}'.",
                why="Only JSON holds costs that differ from case to case.",
                remedy="Export as JSON.",
            )
    return [cost.amount for cost in matrix.costs]


def _net_cells(matrix: MatrixFile) -> list[list[float]]:
    """Cells with constant costs in them, for files that cannot hold costs."""
    if not matrix.costs:
        return [list(row) for row in matrix.cells]
    sign = 1.0 if matrix.kind is MatrixKind.LOSS else -1.0
    costs = _constant_costs(matrix)
    return [[v + sign * cost for v, cost in zip(row, costs, strict=True)] for row in matrix.cells]


def _predicted_csv(matrix: MatrixFile) -> str:
    """Decisions down; kind "loss" is written as cost, so that the file says what it holds."""
    word = "cost" if matrix.kind is MatrixKind.LOSS else "profit"
    cells = _net_cells(matrix)
    rows = [[f"{AXES[MatrixStyle.PREDICTED]}, {word}", *matrix.levels]]
    for place, decision in enumerate(matrix.decisions):
        rows.append([decision, *(_number(row[place]) for row in cells)])
    return csv_text(rows)


def _sas_csv(matrix: MatrixFile) -> str:
    taken = {"COUNT", "DATAPRIOR", "TRAINPRIOR", "DECPRIOR"}
    clash = next((name for name in matrix.decisions if name.upper() in taken), None)
    if clash is not None:
        raise PayoffError(
            f"A decision called '{clash}' cannot stand in SAS decision data.",
            remedy="Rename it first.",
        )
    cells = _net_cells(matrix)
    priors, old = dict(matrix.priors), dict(matrix.old_priors)
    rows = [["TARGET", "COUNT", "DATAPRIOR", "TRAINPRIOR", "DECPRIOR", *matrix.decisions]]
    for level, row in zip(matrix.levels, cells, strict=True):
        shares = [_number(table[level]) if level in table else "" for table in (old, priors)]
        rows.append([level, "", "", *shares, *map(_number, row)])
    return csv_text(rows)


def _json(matrix: MatrixFile) -> str:
    record = {
        "format": FORMAT,
        "version": VERSION,
        "rows": Rows.ACTUAL.value,
        "axes": "each row is what really happens, each column is what is decided",
        "kind": matrix.kind.value,
        "levels": list(matrix.levels),
        "decisions": list(matrix.decisions),
        "cells": [list(row) for row in matrix.cells],
        "acting": matrix.acting,
        "do_nothing": matrix.do_nothing,
        "costs": [_cost(cost) for cost in matrix.costs],
        "priors": dict(matrix.priors),
        "old_priors": dict(matrix.old_priors),
    }
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _cost(cost: CostSpec) -> float | str:
    return cost.amount if cost.column is None else cost.column
