"""Columns of a further file, from the document to numbers and back."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter

from core.document.data.commands import (
    AddColumns,
)
from core.document.data.model import (
    RowUse,
)
from core.document.data.opening import roles_beside, with_join
from core.document.files.project import Headline, pack_project, unpack_project
from core.document.history import History
from core.document.model import Role
from core.document.studies.data import (
    JoinReport,
    MakeTableArguments,
)
from core.engine.local import LocalEngine
from core.questions.compare import CompareModels
from core.questions.data import TryJoin
from payoff.errors import PayoffError
from tests.core.engine.further.steps import (
    ROWS,
    auc,
    cases,
    look,
    opened,
    outcome_join,
    with_outcome,
    write,
)


def test_an_outcome_joined_onto_scores_gives_the_numbers_of_the_whole_file(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "scores.csv")
    assert document.target is None
    found = look(engine, document, folder / "outcomes.csv")
    report: JoinReport = engine.ask(document, TryJoin(join=outcome_join(found.file)))
    assert (report.matched, report.by_zeros) == (0, ROWS)  # 00001 is 1 once zeros do not count
    document = with_outcome(engine, folder)
    assert document.target is not None
    assert document.target.column == "responded"
    assert document.column_of(Role.POSTERIOR) == "p_gbm"
    assert auc(engine, document) == auc(engine, opened(engine, folder / "whole.csv"))


def test_a_project_keeps_the_recipe_and_opens_again(engine: LocalEngine, folder: Path) -> None:
    document = with_outcome(engine, folder)
    before = auc(engine, document)
    again = unpack_project(pack_project(document, Headline())).document
    assert again == document
    assert auc(LocalEngine(), again) == before


def test_a_workbook_is_joined_like_any_other_file(engine: LocalEngine, folder: Path) -> None:
    document = opened(engine, folder / "scores.csv")
    book = xlsxwriter.Workbook(str(folder / "outcomes.xlsx"))
    sheet = book.add_worksheet()
    for at, line in enumerate((folder / "outcomes.csv").read_text("utf-8").splitlines()):
        sheet.write_row(at, 0, [int(cell) if at else cell for cell in line.split(",")])
    book.close()
    found = look(engine, document, folder / "outcomes.xlsx")
    assert found.file.reader.format == "excel"
    assert found.columns == look(engine, document, folder / "outcomes.csv").columns


def test_a_moved_second_file_is_found_and_said(engine: LocalEngine, folder: Path) -> None:
    document = with_outcome(engine, folder)
    before = auc(engine, document)
    (folder / "outcomes.csv").rename(folder / "renamed.csv")
    fresh = LocalEngine()
    assert auc(fresh, document) == before
    result = fresh.ask(document, CompareModels(resamples=0))
    assert any("outcomes.csv was found at" in text for text in result.warnings)


def test_a_changed_second_file_is_said_and_a_lost_one_refused(
    engine: LocalEngine, folder: Path
) -> None:
    document = with_outcome(engine, folder)
    other = cases(1, ROWS, 6)
    write(
        folder / "outcomes.csv",
        {"id": [int(str(v)) for v in other["customer_id"]], "responded": other["responded"]},
    )
    fresh = LocalEngine()
    result = fresh.ask(replace(document, rows_used=RowUse.ALL), CompareModels(resamples=0))
    assert any("outcomes.csv has changed" in text for text in result.warnings)
    (folder / "outcomes.csv").unlink()
    with pytest.raises(PayoffError, match="further file") as caught:
        auc(LocalEngine(), document)
    assert "outcomes.csv" in caught.value.where


def test_undo_takes_a_join_back(engine: LocalEngine, folder: Path) -> None:
    document = opened(engine, folder / "scores.csv")
    history = History(document)
    found = look(engine, document, folder / "outcomes.csv")
    assert document.data is not None
    made = with_join(document.data, outcome_join(found.file, ignores_zeros=True))
    summary = engine.run("make_table", MakeTableArguments(data=made))
    history.execute(
        AddColumns(
            data=summary.data,
            roles=roles_beside(document, summary),
            target=summary.target,
            split=document.split,
        )
    )
    assert "responded" in (history.document.data or document.data).columns
    assert history.undo() == document


def test_a_copied_project_finds_both_files_beside_it(engine: LocalEngine, folder: Path) -> None:
    document = with_outcome(engine, folder)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    for name in ("scores.csv", "outcomes.csv"):
        shutil.move(folder / name, elsewhere / name)
    assert document.data is not None
    there = replace(document, data=replace(document.data, path=str(elsewhere / "scores.csv")))
    assert auc(LocalEngine(), there)[2] == ROWS
