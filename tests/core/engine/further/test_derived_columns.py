"""Derived columns, expressions that are tried, and rules applied to other files."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import data
from core.document.data.commands import (
    DeriveColumn,
    SetRowFilter,
    without_column,
)
from core.document.data.model import (
    DerivedColumn,
    FileRef,
    ReaderSettings,
    RowsSpec,
    RowUse,
)
from core.document.data.opening import at_paths, with_recipe
from core.document.data.results import RowsPage
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.studies.data import (
    ExpressionResult,
    MakeTableArguments,
)
from core.engine.local import LocalEngine
from core.engine.messages import (
    ApplyArguments,
    SaveArguments,
)
from core.questions.data import TableRows, TryExpression
from payoff.errors import PayoffError
from tests.core.engine.further.steps import ROWS, cases, opened, taken, write


def test_derived_columns_follow_each_other_and_are_counted(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "whole.csv")
    assert document.data is not None
    recipe = replace(
        document.data.recipe,
        derived=(
            DerivedColumn(name="odds", text="p_gbm / (1 - p_gbm)"),
            DerivedColumn(name="points", text="100 * log(odds)"),
            DerivedColumn(name="per_zero", text="age / (responded - responded)"),
            DerivedColumn(name="band", text="bands(age, 30, 50)"),
        ),
    )
    summary = engine.run("make_table", MakeTableArguments(data=with_recipe(document.data, recipe)))
    kinds = {column.name: column.kind for column in summary.columns}
    assert [kinds[name] for name in ("odds", "points", "band")] == ["number", "number", "text"]
    assert f"per_zero is missing in {ROWS} rows: division by zero." in summary.warnings
    changed = taken(document, summary, DeriveColumn)
    assert changed.data is not None
    page: RowsPage = engine.ask(changed, TableRows(start=0, count=1))
    chance, points = float(page.rows[0][3]), float(page.rows[0][6])
    assert points == pytest.approx(100 * np.log(chance / (1 - chance)))
    with pytest.raises(PayoffError, match="'points' needs 'odds'"):
        without_column(changed.data, "odds")
    assert without_column(changed.data, "band").recipe.derived == recipe.derived[:3]
    with pytest.raises(PayoffError, match="stands in the file"):
        without_column(changed.data, "age")


def test_adding_a_column_does_not_forget_which_rows_trained(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "whole.csv")
    assert document.data is not None
    derived = with_recipe(
        document.data,
        replace(document.data.recipe, derived=(DerivedColumn(name="x", text="age * 2"),)),
    )
    assert derived.content_hash != document.data.content_hash
    assert derived.rows_hash == document.data.rows_hash
    file = FileRef(path="b.csv", content_hash="1", size_bytes=1)
    recipe = replace(derived.recipe, rows=(RowsSpec(file=file, use=RowUse.TEST),))
    assert with_recipe(derived, recipe).rows_hash != derived.rows_hash
    # paths are no content
    moved = with_recipe(derived, at_paths(recipe, {"b.csv": "c.csv"}))
    assert moved.content_hash == with_recipe(derived, recipe).content_hash


def test_trying_an_expression_answers_with_a_refusal_in_words(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "whole.csv")
    good: ExpressionResult = engine.ask(document, TryExpression(text="age > 0", is_filter=True))
    assert (good.true, good.rows, good.refusal) == (ROWS, ROWS, "")
    bad = engine.ask(document, TryExpression(text="age >"))
    assert "ends too early" in bad.refusal


def test_a_rule_works_out_its_derived_columns_in_another_file(
    engine: LocalEngine, folder: Path
) -> None:
    columns = cases(1, 30, 9)
    columns["tenths"] = [float(str(value)) * 10 for value in columns.pop("p_gbm")]
    del columns["responded"]
    path = write(folder / "new.csv", columns)
    table = data.load(str(path))
    derived = (
        DerivedColumn(name="chance", text="tenths / 10"),
        DerivedColumn(name="twice", text="chance * 2"),
        DerivedColumn(name="lost", text="income / 2"),
        DerivedColumn(name="age", text="0"),
    )
    made = data.with_derived_columns(table, derived)
    assert made.columns == (*table.columns, "chance", "twice")
    assert made.data.content_hash != table.data.content_hash
    assert data.with_derived_columns(table, derived[2:]) is table


def test_applying_decides_every_row_and_says_that_the_filter_is_not_followed(
    engine: LocalEngine, folder: Path
) -> None:
    document = SetRowFilter(where="age >= 40").apply(opened(engine, folder / "whole.csv"))
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=((5.0, 0.0), (-1.0, 0.0)),
        acting="Mail",
    )
    document = replace(document, matrix=matrix, rows_used=RowUse.ALL)
    (model,) = document.models
    path = write(folder / "new.csv", cases(900, 50, 9))
    applied = engine.run(
        "apply",
        ApplyArguments(
            document=document, model=model.name, path=str(path), reader=ReaderSettings()
        ),
    )
    assert applied.rows == 50
    assert sum(count for _name, count in applied.counts) == 50
    assert any("rows where age >= 40" in text for text in applied.warnings)
    saved = engine.run(
        "save_decisions",
        SaveArguments(document=document, model=model.name, path=str(folder / "out.csv")),
    )
    kept = sum(int(str(age)) >= 40 for age in cases(1, ROWS, 5)["age"])
    assert saved.rows == kept
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == kept + 1
