"""Answers of the engine that tests of page Data share."""

from __future__ import annotations

from dataclasses import replace

from core.document.data.model import DataRecipe
from core.document.data.opening import with_recipe
from core.document.data.results import ColumnSummary, RowsPage
from tests.helpers.factories.loaded_file import COLUMNS, make_summary


def answer(engine, kind: str, result: object) -> None:
    engine.answer(engine.last(kind).job, result)


def some_rows(count: int, total: int) -> RowsPage:
    rows = tuple(tuple(f"{n}" for _ in COLUMNS) for n in range(count))
    return RowsPage(start=0, rows=rows, numbers=tuple(range(7, 7 + count)), total=total)


def made_summary(recipe: DataRecipe, *names: str):
    summary = make_summary(rows=100_000)
    data = with_recipe(summary.data, recipe)
    columns = tuple(
        ColumnSummary(name=name, kind="number", rows=100_000, missing=0, distinct=9)
        for name in names
    )
    roles = tuple(replace(summary.roles[1], column=name) for name in names)
    return replace(
        summary,
        data=replace(data, columns=(*summary.data.columns, *names)),
        columns=(*summary.columns, *columns),
        roles=(*summary.roles, *roles),
        warnings=("3 of 100,000 rows have no partner in outcomes.csv.",),
    )
