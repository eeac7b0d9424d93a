"""A project whose data are parts: what the window asks of it, beside the same rows in memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.assembly.pieces.opened import Pieces
from core.document.data.model import MissingOutcomes, MissingOutcomesError, RowUse
from core.document.model import Document, Role, SplitSpec
from core.document.results import EvaluationResult
from core.document.studies.data import TableOrder
from core.engine.context import JobContext
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from core.questions.data import ColumnByClass, RowsWithoutOutcome, TableRows
from core.questions.decide import AtDepth, Totals, WhatIf
from core.scale.reading import OutcomeSummary
from payoff.errors import PayoffError
from tests.core.scale.parts import scored_cases, write_parts, write_text_parts
from tests.core.scale.projects import loaded, project, whole

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 270_000
FEW, GROUP = 27_000, 2_000


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine(EngineOptions(safe_mode=True))


@pytest.fixture(scope="module")
def cases() -> pa.Table:
    return scored_cases(ROWS)


@pytest.fixture(scope="module")
def few(few_rows_are_held: None, cases: pa.Table) -> pa.Table:
    """For what is the same with any number of rows that is read in pieces."""
    return cases.slice(0, FEW)


@pytest.fixture(scope="module")
def folder(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(cases, tmp_path_factory.mktemp("parts") / "scored", 5, 20_000)


def test_page_data_counts_all_rows(engine: LocalEngine, folder: Path, cases: pa.Table) -> None:
    summary = loaded(engine, folder)
    document = project(summary)
    assert (summary.data.rows, summary.parts) == (ROWS, 5)
    assert [m.name for m in document.models] == ["first", "second"]
    known = {entry.name: entry for entry in summary.columns}
    outcomes = cases.column("outcome").to_pylist()
    assert dict(known["outcome"].levels) == {k: outcomes.count(k) for k in ("yes", "no")}
    amounts = cases.column("amount").to_numpy()
    assert (known["amount"].minimum, known["amount"].maximum) == (amounts.min(), amounts.max())
    for start in (0, 53_995, ROWS - 3):  # within a part, over two of them, at the end
        page = engine.ask(document, TableRows(start=start, count=10))
        assert [row[0] for row in page.rows] == outcomes[start : start + 10]
    assert engine.ask(document, ColumnByClass(column="first")).levels == ("yes", "no")


def test_parts_are_told_apart_by_what_they_hold(
    engine: LocalEngine, folder: Path, cases: pa.Table, tmp_path: Path
) -> None:
    first = loaded(engine, folder).data
    same = loaded(engine, write_parts(cases, tmp_path / "same", 5, 20_000)).data
    other = loaded(engine, write_parts(cases.slice(1), tmp_path / "other", 5, 20_000)).data
    assert same.content_hash == first.content_hash != other.content_hash


def test_an_outcome_that_every_row_has_is_known_since_the_parts_were_opened(
    engine: LocalEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = project(loaded(engine, folder))
    monkeypatch.delattr(Pieces, "outcome")
    assert engine.ask(document, CompareModels(resamples=0)).rows.rows == ROWS


def test_compare_is_that_of_the_rows_in_memory(
    engine: LocalEngine, folder: Path, cases: pa.Table, tmp_path: Path
) -> None:
    question = CompareModels(resamples=64)
    there = engine.ask(project(loaded(engine, folder)), question)
    here = engine.ask(whole(engine, cases, tmp_path), question)
    memory = {(cell.metric, cell.model): cell.estimate for cell in here.cells}
    assert {(c.metric, c.model) for c in there.cells} == set(memory)
    for cell in there.cells:
        own, known = cell.estimate, memory[cell.metric, cell.model]
        assert own is not None
        assert known is not None
        found = own.value, own.low, own.high
        assert np.allclose(found, (known.value, known.low, known.high), rtol=1e-6, atol=0)
    drawn = {chart.kind: chart for chart in there.charts if chart.curves}
    assert list(drawn) == ["roc", "gains", "lift"]
    undrawn = [chart for chart in there.charts if not chart.curves]
    assert "calibration" in {chart.kind for chart in undrawn}
    assert all("all cases at once" in chart.notes[0] for chart in undrawn)
    for chart in (entry for entry in here.charts if entry.kind in drawn):
        for line, other in zip(drawn[chart.kind].curves, chart.curves, strict=True):
            for side in ("x", "y", "low", "high"):
                ours, theirs = getattr(line, side), getattr(other, side)
                assert (ours is None) == (theirs is None)
                assert ours is None or np.allclose(ours, theirs, rtol=1e-9, equal_nan=True)
    assert np.allclose(there.depths[0].threshold, here.depths[0].threshold)


def test_figures_and_curves_of_the_rows_so_far_come_while_the_rest_is_read(
    engine: LocalEngine, folder: Path
) -> None:
    early: list[EvaluationResult] = []
    question = CompareModels(resamples=64)
    document = project(loaded(engine, folder))

    def keep(_fraction: float | None, _stage: str, partial: EvaluationResult | None) -> None:
        if partial is not None:
            early.append(partial)

    whole_answer = engine.ask(document, question, keep)
    *sketches, sorted_answer = early
    read = [answer.rows.rows for answer in sketches]
    assert 2 <= len(read) < 5
    assert all(2 * before <= now < ROWS for before, now in pairwise(read))
    for answer in sketches:
        assert answer.warnings[0].startswith(f"So far {answer.rows.rows:,} of {ROWS:,} rows")
        assert answer.rows.text.endswith(f"{answer.rows.rows:,} of {ROWS:,}")
        assert [chart.kind for chart in answer.charts] == [c.kind for c in whole_answer.charts]
        for cell, known in zip(answer.cells, whole_answer.cells, strict=True):
            width = cell.estimate.high - cell.estimate.low  # nan where only draws tell
            away = abs(cell.estimate.value - known.estimate.value)
            assert away < (0.05 * known.estimate.value if np.isnan(width) else width)
    assert sorted_answer.warnings == whole_answer.warnings
    for cell, known in zip(sorted_answer.cells, whole_answer.cells, strict=True):
        assert cell.estimate.value == known.estimate.value


def test_decide_is_that_of_the_rows_in_memory(
    engine: LocalEngine, folder: Path, cases: pa.Table, tmp_path: Path
) -> None:
    parts = project(loaded(engine, folder))
    memory = whole(engine, cases, tmp_path)
    there, here = engine.ask(parts, Totals()), engine.ask(memory, Totals())
    assert there.rule_text == here.rule_text
    for own, known in zip(there.models, here.models, strict=True):
        assert own.model == known.model
        assert own.best_depth == known.best_depth
        for name in ("total", "average"):
            ours, theirs = getattr(own, name), getattr(known, name)
            assert np.allclose(
                (ours.value, ours.low, ours.high), (theirs.value, theirs.low, theirs.high)
            )
        assert np.allclose(own.profit, known.profit)
        assert np.allclose(own.low, known.low)
    ours = engine.ask(parts, AtDepth(depth=0.1234))
    assert ours.depth == 0.123
    theirs = engine.ask(memory, AtDepth(depth=0.123))
    assert np.allclose(ours.profit, theirs.profit)
    assert np.allclose(ours.class_cases, theirs.class_cases)


def test_a_column_says_which_rows_are_used(
    engine: LocalEngine, few: pa.Table, folder: Path, tmp_path: Path
) -> None:
    use = np.where(np.arange(FEW) % 3 == 0, "train", "test")
    marked = few.append_column("use", pa.array(use))
    split = SplitSpec(column="use", meaning=(("train", RowUse.TRAIN), ("test", RowUse.TEST)))

    def on_test(document: Document) -> Document:
        return replace(document, split=split, rows_used=RowUse.TEST)

    parts = on_test(project(loaded(engine, write_parts(marked, tmp_path / "p", 3, GROUP))))
    memory = on_test(whole(engine, marked, tmp_path))
    there, here = engine.ask(parts, Totals()), engine.ask(memory, Totals())
    assert there.rows.rows == here.rows.rows == FEW - FEW // 3
    assert np.isclose(there.models[0].total.value, here.models[0].total.value)
    shown = engine.ask(parts, CompareModels(resamples=0))
    assert shown.rows.rows == there.rows.rows
    by_lot = replace(project(loaded(engine, folder)), rows_used=RowUse.TEST)
    with pytest.raises(PayoffError, match="by lot"):
        engine.ask(by_lot, CompareModels())


def test_missing_outcomes_wait_for_a_word(
    engine: LocalEngine, few: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[OutcomeSummary] = []
    look = Pieces.outcome

    def keep(pieces: Pieces, document: Document, most_levels: int) -> OutcomeSummary:
        looks.append(look(pieces, document, most_levels))
        return looks[-1]

    monkeypatch.setattr(Pieces, "outcome", keep)
    outcome = [
        None if row in (7, 20_000) else v for row, v in enumerate(few["outcome"].to_pylist())
    ]
    table = few.set_column(0, "outcome", pa.array(outcome))
    document = project(loaded(engine, write_text_parts(table, tmp_path / "texts", 3)))
    gaps = engine.ask(document, RowsWithoutOutcome())
    assert (gaps.rows, gaps.total) == (2, FEW)
    assert "part-00000.csv, data row 8;" in gaps.words
    with pytest.raises(MissingOutcomesError):
        engine.ask(document, Totals())
    left_out = replace(document, missing_outcomes=MissingOutcomes.LEAVE_OUT)
    assert engine.ask(left_out, Totals()).rows.rows == FEW - 2
    assert engine.ask(left_out, CompareModels(resamples=0)).rows.rows == FEW - 2
    assert [found.missing for found in looks] == [2], "all rows are looked at once"


def test_numbers_that_are_none_are_missing_cells(
    engine: LocalEngine, cases: pa.Table, tmp_path: Path
) -> None:
    amounts = cases["amount"].to_numpy().astype(float).copy()
    amounts[[3, ROWS - 1]] = np.nan
    place = cases.column_names.index("amount")
    table = cases.set_column(place, "amount", pa.array(amounts))
    summary = loaded(engine, write_parts(table, tmp_path / "numbers", 2, 20_000))
    assert {entry.name: entry.missing for entry in summary.columns if entry.missing} == {
        "amount": 2
    }


def test_an_infinite_number_is_refused_with_its_place(
    engine: LocalEngine, cases: pa.Table, tmp_path: Path
) -> None:
    amounts = cases["amount"].to_numpy().astype(float).copy()
    amounts[ROWS - 2] = -np.inf
    place = cases.column_names.index("amount")
    table = cases.set_column(place, "amount", pa.array(amounts))
    folder = write_parts(table, tmp_path / "numbers", 2, 20_000)
    with pytest.raises(PayoffError, match="infinite") as refusal:
        loaded(engine, folder)
    row = ROWS - ROWS // 2 - 1
    assert str(folder / f"part-00001.parquet, data row {row:,}, column amount") in str(
        refusal.value
    )


def _weighted(document: Document) -> Document:
    roles = [replace(r, role=Role.WEIGHT) if r.column == "amount" else r for r in document.roles]
    return document.with_roles(tuple(roles))


REFUSED: dict[str, tuple[Any, Any, str]] = {
    "a question of all cases": (lambda d: d, WhatIf(), "looks at all cases"),
    "rows in an order": (
        lambda d: d,
        TableRows(order=TableOrder(sort="amount")),
        "sorting and searching rows",
    ),
    "weights": (_weighted, CompareModels(), "metrics with weights"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_all_cases_is_refused_in_words(
    engine: LocalEngine, folder: Path, name: str
) -> None:
    change, question, words = REFUSED[name]
    with pytest.raises(PayoffError, match=words) as refusal:
        engine.ask(change(project(loaded(engine, folder))), question)
    assert refusal.value.remedy


def test_no_column_is_read_as_a_whole_by_anybody(engine: LocalEngine, folder: Path) -> None:
    document = project(loaded(engine, folder))
    assert document.data is not None
    table = engine.workbench.tables.table(document.data, JobContext(engine.workbench))
    with pytest.raises(PayoffError, match="as a whole"):
        table.require_column("first")


def test_what_lies_on_disk_goes_with_the_session(
    cases: pa.Table, folder: Path, tmp_path: Path
) -> None:
    session = tmp_path / "session"
    session.mkdir()
    engine = LocalEngine(EngineOptions(safe_mode=True, store_folder=str(session)))
    loaded(engine, folder)
    (held,) = session.glob("payoff-parts-*")
    loaded(engine, write_parts(cases.slice(0, 300), tmp_path / "few", 2))
    assert list(session.glob("payoff-parts-*")) == [held]  # few rows are in memory: none of theirs


def test_one_large_file_is_read_as_a_folder_of_it(
    engine: LocalEngine, cases: pa.Table, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "large.parquet"
    pq.write_table(cases, path, row_group_size=20_000)
    document = project(loaded(engine, path))
    assert document.data is not None
    assert document.data.is_in_parts
    there, here = (
        engine.ask(document, Totals()),
        engine.ask(project(loaded(engine, folder)), Totals()),
    )
    assert [m.total for m in there.models] == [m.total for m in here.models]


def test_few_rows_are_one_table_and_answer_everything(
    engine: LocalEngine, cases: pa.Table, tmp_path: Path
) -> None:
    summary = loaded(engine, write_parts(cases.slice(0, 3_000), tmp_path / "few", 3))
    document = project(summary)
    assert summary.parts == 3
    assert not summary.data.is_in_parts
    assert engine.ask(document, Totals()).rows.rows == 3_000
    assert WhatIf.why_not(document) is None
    ordered = engine.ask(document, TableRows(order=TableOrder(sort="amount"), count=1))
    assert float(ordered.rows[0][4]) == cases.slice(0, 3_000)["amount"].to_numpy().min()
