"""Row filters, separate files as uses, rows in common, looking at rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.document.commands import OpenData
from core.document.data.commands import (
    AddRows,
    SetRowFilter,
    SetSharedIds,
)
from core.document.data.model import (
    ReaderSettings,
    RowsSpec,
    RowUse,
    SharedIds,
)
from core.document.data.opening import with_recipe
from core.document.data.results import RowsPage
from core.document.model import Role
from core.document.studies.data import (
    MakeTableArguments,
    Overlap,
    TableOrder,
)
from core.engine.local import LocalEngine
from core.engine.messages import Ask, LoadArguments
from core.questions.compare import CompareModels
from core.questions.data import RowsInCommon, TableRows
from payoff.errors import PayoffError
from tests.core.engine.further.steps import ROWS, auc, cases, change, look, opened, write


def test_a_row_filter_is_followed_and_named(engine: LocalEngine, folder: Path) -> None:
    document = opened(engine, folder / "whole.csv")
    filtered = SetRowFilter(where=' age >= 40 and region == "N" ').apply(document)
    value, text, rows = auc(engine, filtered)
    kept = {key: [] for key in cases(1, 1, 5)}  # type: dict[str, list[object]]
    for row in zip(*cases(1, ROWS, 5).values(), strict=True):
        if int(str(row[1])) >= 40 and row[2] == "N":
            for key, cell in zip(kept, row, strict=True):
                kept[key].append(cell)
    by_hand = auc(engine, opened(engine, write(folder / "kept.csv", kept)))
    assert value == pytest.approx(by_hand[0], abs=1e-12)
    assert rows == by_hand[2] == len(kept["age"])
    assert 'where age >= 40 and region == "N"' in text
    with pytest.raises(PayoffError, match="not there: 'income'"):
        SetRowFilter(where="income > 3").apply(document)


def test_a_filter_stays_for_next_months_file_and_goes_where_its_columns_are_gone(
    engine: LocalEngine, folder: Path
) -> None:
    document = SetRowFilter(where="age >= 40").apply(opened(engine, folder / "whole.csv"))
    summary = engine.run(
        "load", LoadArguments(path=str(folder / "scores.csv"), reader=ReaderSettings())
    )
    parts = {"roles": summary.roles, "target": None, "split": summary.split}
    assert OpenData(data=summary.data, **parts).apply(document).split.where == "age >= 40"
    other = engine.run(
        "load", LoadArguments(path=str(folder / "outcomes.csv"), reader=ReaderSettings())
    )
    parts = {"roles": other.roles, "target": None, "split": other.split}
    assert OpenData(data=other.data, **parts).apply(document).split.where == ""


def test_separate_files_become_row_uses(engine: LocalEngine, tmp_path: Path) -> None:
    train = write(tmp_path / "train.csv", cases(1, 200, 7))
    test = cases(151, 100, 8)  # ids 151 to 200 are in both
    for key, values in cases(1, 200, 7).items():
        test[key][:5] = values[10:15]  # and five rows of train once more
    write(tmp_path / "test.csv", test)
    document = opened(engine, train)
    found = look(engine, document, tmp_path / "test.csv")
    assert document.data is not None
    recipe = replace(
        document.data.recipe,
        own_use=RowUse.TRAIN,
        rows=(RowsSpec(file=found.file, use=RowUse.TEST),),
    )
    document = change(engine, document, with_recipe(document.data, recipe), AddRows)
    assert document.split.column == "row_use"
    assert document.column_of(Role.ROW_USE) == "row_use"
    assert document.rows_used is RowUse.TEST  # there are no validation rows
    asked = Ask.of(document, CompareModels(resamples=0))
    with pytest.raises(PayoffError, match="have the id of a training row") as caught:
        engine.run("compare.models", asked)
    assert "column customer_id, data rows 11 and 201, value '00011'" in caught.value.where
    assert caught.value.why.startswith("50 of 100 rows do")
    apart = SetSharedIds(shared_ids=SharedIds.LEAVE_OUT).apply(document)
    result = engine.run("compare.models", replace(asked, document=apart))
    assert result.rows.rows == 50
    assert ("'customer_id' stands in training rows too", 50) in result.rows.dropped
    counted = SetSharedIds(shared_ids=SharedIds.COUNT).apply(document)
    assert engine.run("compare.models", replace(asked, document=counted)).rows.rows == 100
    everything = replace(document, rows_used=RowUse.ALL)  # training rows too, as was asked for
    assert engine.run("compare.models", replace(asked, document=everything)).rows.rows == 300
    told = engine.run("make_table", MakeTableArguments(data=document.data)).warnings
    assert told[0] == (
        "Overlap: 50 test rows have the 'customer_id' of a training row (first: rows 11 and 201). "
        "They flatter what was trained on those rows."
    )
    assert told[1].startswith("Overlap: 5 test rows repeat all values of a training row")
    overlap: Overlap = engine.ask(document, RowsInCommon())
    lines = {(line.what, *line.uses): line for line in overlap.lines}
    # five were put over ids 151 to 155, so 45 of these and the five are in both
    assert lines["id", "train", "test"].rows == 50
    assert lines["row", "train", "test"].rows == 5
    assert lines["row", "train", "test"].first == (11, 201)
    assert overlap.id_column == "customer_id"


def test_rows_in_common_within_one_file_are_told_when_it_is_opened(
    engine: LocalEngine, tmp_path: Path
) -> None:
    columns = cases(1, 60, 7)
    columns["use"] = ["train"] * 30 + ["test"] * 30
    for key in ("customer_id", "age", "region", "p_gbm", "responded"):
        columns[key][40] = columns[key][2]
    path = write(tmp_path / "one.csv", columns)
    summary = engine.run("load", LoadArguments(path=str(path), reader=ReaderSettings()))
    told = [text for text in summary.warnings if text.startswith("Overlap")]
    assert len(told) == 2
    assert all("first: rows 3 and 41" in text for text in told)


def test_a_fault_in_a_further_file_is_named_by_its_own_line(
    engine: LocalEngine, tmp_path: Path
) -> None:
    train = write(tmp_path / "train.csv", cases(1, 50, 7))
    bad = cases(51, 50, 8)
    bad["p_gbm"][3] = 1.5
    document = opened(engine, train)
    found = look(engine, document, write(tmp_path / "test.csv", bad))
    assert document.data is not None
    recipe = replace(document.data.recipe, rows=(RowsSpec(file=found.file, use=RowUse.TEST),))
    document = change(engine, document, with_recipe(document.data, recipe), AddRows)
    document = document.with_roles(
        tuple(
            replace(entry, role=Role.POSTERIOR, model="gbm", level="1", is_percent=False)
            if entry.column == "p_gbm"
            else entry
            for entry in document.roles
        )
    )
    with pytest.raises(PayoffError) as caught:
        auc(engine, document)
    assert "test.csv, line 5, data row 4, column p_gbm" in caught.value.where


def test_rows_are_sorted_searched_and_filtered_for_looking_only(
    engine: LocalEngine, folder: Path
) -> None:
    document = SetRowFilter(where="age >= 40").apply(opened(engine, folder / "whole.csv"))

    def page(**order: object) -> RowsPage:
        return engine.ask(document, TableRows(start=0, count=500, order=TableOrder(**order)))

    ages = [int(row[1]) for row in page(sort="age").rows]
    assert ages == sorted(ages)
    assert [int(row[1]) for row in page(sort="age", is_falling=True).rows] == ages[::-1]
    first = page(sort="age")
    assert first.rows[0][0] == f"{first.numbers[0]:05d}"
    assert page(only_used=True).total == sum(age >= 40 for age in ages)
    assert page(search="0007").total == 11  # 00007 and 00070 to 00079
    assert page(search="s", only_used=True).total == sum(
        row[2] == "S" and int(row[1]) >= 40 for row in page().rows
    )
    assert page().total == ROWS
