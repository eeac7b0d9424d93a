"""``payoff.evaluate`` of folders and batches: the figures of the table in memory, and refusals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import payoff
from core.document.data.model import MissingOutcomesError
from core.scale.evaluation import passes, run
from core.scale.sources import PlannedTask
from payoff.errors import PayoffError
from tests.core.scale.parts import digits, scored_cases, write_parts, write_text_parts

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 270_000
FEW, GROUP = 27_000, 2_000
SCORES = ["first", "second"]
EXACT = ["auc", "gini", "ks", "lift_at", "captured_at", "accuracy", "average_precision"]
ROUNDED = ["log_loss", "brier"]


@pytest.fixture(scope="module")
def cases() -> pa.Table:
    return scored_cases(ROWS)


@pytest.fixture(scope="module")
def folder(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(cases, tmp_path_factory.mktemp("seven") / "parts", 7)


@pytest.fixture(scope="module")
def few(few_rows_are_held: None) -> pa.Table:
    """For what is the same with any number of rows that is read in pieces."""
    return scored_cases(FEW)


@pytest.fixture(scope="module")
def few_folder(few: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(few, tmp_path_factory.mktemp("few") / "parts", 7, GROUP)


@pytest.fixture(scope="module")
def few_in_pieces(few_folder: Path) -> payoff.Evaluation:
    return evaluated(few_folder)


@pytest.fixture(scope="module")
def in_pieces(folder: Path) -> payoff.Evaluation:
    return evaluated(folder)


@pytest.fixture(scope="module")
def in_memory(cases: pa.Table) -> payoff.Evaluation:
    return evaluated(cases)


def evaluated(data: Any, **more: Any) -> payoff.Evaluation:
    requested = {"metrics": [*EXACT, *ROUNDED], "resamples": 32, **more}
    return payoff.evaluate(data, outcome="outcome", scores=SCORES, **requested)


def test_figures_are_those_of_the_table_in_memory(
    in_pieces: payoff.Evaluation, in_memory: payoff.Evaluation
) -> None:
    for metric in EXACT:
        for score in SCORES:
            assert in_pieces.value(metric, score) == in_memory.value(metric, score), metric
            assert in_pieces.interval(metric, score) == pytest.approx(
                in_memory.interval(metric, score), rel=1e-12
            )
    for metric in ROUNDED:
        for score in SCORES:
            assert in_pieces.value(metric, score) == pytest.approx(
                in_memory.value(metric, score), rel=1e-13
            )
            assert in_pieces.interval(metric, score) == pytest.approx(
                in_memory.interval(metric, score), rel=1e-11
            )
    resampled = ("ks", "lift_at", "captured_at", "average_precision")
    for metric in resampled:  # draws are counts: not a digit moves
        assert in_pieces.interval(metric, "first") == in_memory.interval(metric, "first")
    assert in_pieces.figures.rows.rows == ROWS
    assert in_pieces.figures.no_model == in_memory.figures.no_model


def test_pairs_are_those_of_the_table_in_memory(
    in_pieces: payoff.Evaluation, in_memory: payoff.Evaluation
) -> None:
    for metric in (*EXACT, *ROUNDED):
        ours, theirs = (payoff.compare(e, *SCORES, metric) for e in (in_pieces, in_memory))
        assert ours.difference == pytest.approx(theirs.difference, rel=1e-11)
        # Places in 65,536 cells: the error of a difference of areas within 1 in 10,000.
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-4)
        assert ours.method == theirs.method
        assert ours.probability == theirs.probability


def test_one_set_of_digits_for_all_parts(
    few: pa.Table, few_in_pieces: payoff.Evaluation, tmp_path: Path
) -> None:
    known = digits(few_in_pieces)
    for parts, group in ((1, 100), (2, 7_000), (64, 100_000)):
        other = write_parts(few, tmp_path / f"{parts}", parts, group)
        assert digits(evaluated(other, memory="0.6 GB")) == known, parts


def test_batches_and_text_are_the_same_rows(
    few: pa.Table, few_in_pieces: payoff.Evaluation, tmp_path: Path
) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield from few.to_batches(max_chunksize=3_101)

    known = digits(few_in_pieces)
    assert digits(evaluated(batches())) == known
    assert digits(evaluated(batches)) == known
    assert digits(evaluated(write_text_parts(few, tmp_path / "text", 3))) == known


def test_a_file_within_memory(
    few: pa.Table, few_in_pieces: payoff.Evaluation, tmp_path: Path
) -> None:
    pq.write_table(few, tmp_path / "all.parquet", row_group_size=FEW)
    found = evaluated(tmp_path / "all.parquet", memory="500 MB")
    assert digits(found) == digits(few_in_pieces)
    assert "0.5 GB of memory" in found.warnings[0]


def test_filters_and_outcomes_that_are_missing(cases: pa.Table, tmp_path: Path) -> None:
    outcome = cases.column("outcome").to_pylist()
    outcome[5] = outcome[200_000] = None
    gaps = cases.set_column(0, "outcome", pa.array(outcome))
    parts = write_parts(gaps, tmp_path / "gaps", 3)
    with pytest.raises(MissingOutcomesError, match="2 of 270,000 rows") as refusal:
        evaluated(parts)
    assert "part-00000.parquet, data row 6" in refusal.value.where
    assert "part-00002.parquet, data row 20,001" in refusal.value.where
    chosen = {"missing_outcomes": "leave_out", "rows": 'region = "N" or first > 0.1'}
    ours, theirs = evaluated(parts, **chosen), evaluated(gaps, **chosen)
    for metric in EXACT:
        assert ours.value(metric, "first") == theirs.value(metric, "first")
        assert ours.interval(metric, "second") == pytest.approx(
            theirs.interval(metric, "second"), rel=1e-12
        )
    assert dict(ours.figures.rows.dropped) == dict(theirs.figures.rows.dropped)
    assert ours.figures.rows.text == theirs.figures.rows.text


def test_numbers(cases: pa.Table, folder: Path) -> None:
    requested = {
        "outcome": "amount",
        "scores": "guess",
        "metrics": ["rmse", "mae"],
        "resamples": 32,
    }
    ours, theirs = payoff.evaluate(folder, **requested), payoff.evaluate(cases, **requested)
    for metric in ("rmse", "mae"):
        assert ours.value(metric, "guess") == pytest.approx(
            theirs.value(metric, "guess"), rel=1e-13
        )
        assert ours.interval(metric, "guess") == pytest.approx(
            theirs.interval(metric, "guess"), rel=1e-8
        )


def test_scores_in_points_rank(cases: pa.Table, folder: Path) -> None:
    requested = {"metrics": ["auc", "log_loss"], "ranks": {"first": "less"}, "resamples": 0}
    ours, theirs = evaluated(folder, **requested), evaluated(cases, **requested)
    assert ours.value("auc", "first") == theirs.value("auc", "first") < 0.5
    assert math.isnan(ours.value("log_loss", "first"))
    notes = {(c.metric, c.model): c.estimate.note for c in ours.figures.cells}
    assert "score without chances" in notes["log_loss", "first"]


def test_curves(
    cases: pa.Table, in_pieces: payoff.Evaluation, in_memory: payoff.Evaluation
) -> None:
    ours, theirs = in_pieces.curve("gains", "first"), in_memory.curve("gains", "first")
    assert np.allclose(ours["y"], np.interp(ours["x"], theirs["x"], theirs["y"]), atol=1e-12)
    assert ours["threshold"].is_monotonic_decreasing


def test_draws_follow_the_time_allowed(few_folder: Path) -> None:
    found = evaluated(few_folder, resamples=1_000, seconds=1e-9, metrics=["auc", "ks"])
    assert found.figures.resamples == 200
    assert any("200 draws in place of 1,000" in text for text in found.warnings)


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"weight": "amount"}, "pieces: weight="),
        ({"priors": {"yes": 0.1, "no": 0.9}}, "pieces: priors="),
        ({"cluster": "region"}, "pieces: cluster="),
        ({"metrics": ["mcc"]}, "read in pieces: MCC"),
        ({"memory": "much"}, "no amount of memory"),
        ({"memory": "100 MB"}, "too little"),
        ({"scratch": "/no/such/folder"}, "no such folder"),
        ({"seconds": 0}, "seconds must be above 0"),
        ({"rows": "age > 3"}, "no column"),
    ],
)
def test_what_is_not_possible_is_refused_in_words(
    few_folder: Path, more: dict[str, Any], word: str
) -> None:
    with pytest.raises(PayoffError, match=word):
        evaluated(few_folder, **more)


def test_what_needs_all_cases_is_refused_in_its_cell(few_folder: Path) -> None:
    found = evaluated(few_folder, metrics=["auc", "mcc"], resamples=0)
    note = next(c.estimate.note for c in found.figures.cells if c.metric == "mcc")
    assert "no sums over cases" in note
    for ask, words in (
        (found.chart, "roc"),
        (found.by, "region"),
        (found.shift, "other.csv"),
        (found.definitions, "r"),
    ):
        with pytest.raises(PayoffError, match="read in pieces"):
            ask(words)


def test_parts_of_other_columns_or_kinds_are_named(few: pa.Table, tmp_path: Path) -> None:
    small = few.slice(0, 1_000)
    parts = write_parts(small, tmp_path / "parts", 2)
    pq.write_table(small.drop_columns(["region"]), parts / "part-00002.parquet")
    with pytest.raises(PayoffError, match="no column 'region'") as refusal:
        evaluated(parts)
    assert "part-00002.parquet" in refusal.value.where
    other = small.set_column(4, "amount", pa.array([True] * 1_000))
    pq.write_table(other, parts / "part-00002.parquet")
    with pytest.raises(PayoffError, match="'amount' is of two kinds") as refusal:
        evaluated(parts)
    assert "part-00000.parquet: number" in refusal.value.where
    assert "part-00002.parquet: boolean" in refusal.value.where
    (parts / "part-00003.csv").write_text("a\n1\n")
    with pytest.raises(PayoffError, match="Parquet and delimited text"):
        evaluated(parts)


def test_a_damaged_part_is_named_and_evaluated_once_mended(
    few: pa.Table, few_in_pieces: payoff.Evaluation, tmp_path: Path
) -> None:
    parts = write_parts(few, tmp_path / "parts", 7, GROUP)
    hurt = parts / "part-00004.parquet"
    whole = hurt.read_bytes()
    hurt.write_bytes(whole[:5_000] + bytes(20_000) + whole[25_000:])
    with pytest.raises(PayoffError, match="cannot be read") as refusal:
        evaluated(parts)
    assert "part-00004.parquet, row group" in refusal.value.where
    hurt.write_bytes(whole)
    assert digits(evaluated(parts)) == digits(few_in_pieces)


def test_a_part_that_changes_meanwhile_is_refused(
    few: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = write_parts(few, tmp_path / "parts", 7, GROUP)
    known = passes.first_read

    def first_read(task: PlannedTask[passes.ReadPlan]) -> passes.FirstSummary:
        pq.write_table(few.slice(0, 10), parts / "part-00006.parquet")
        return known(task)

    monkeypatch.setattr(run, "first_read", first_read)
    with pytest.raises(PayoffError, match="changed") as refusal:
        evaluated(parts)
    assert "part-00006.parquet" in refusal.value.where


def test_scratch_files_go(few_folder: Path, tmp_path: Path) -> None:
    evaluated(few_folder, scratch=str(tmp_path), metrics=["auc"], resamples=0)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_value_is_named_by_file_and_row(few: pa.Table, tmp_path: Path) -> None:
    scores = few.column("first").to_numpy().copy()
    scores[20_000] = 1.5
    parts = write_parts(few.set_column(1, "first", pa.array(scores)), tmp_path / "parts", 3, GROUP)
    with pytest.raises(PayoffError, match="outside 0 to 1") as refusal:
        evaluated(parts)
    assert "part-00002.parquet, data row 2001, column first" in refusal.value.where


def test_names_of_folders_are_columns(
    few: pa.Table, few_in_pieces: payoff.Evaluation, tmp_path: Path
) -> None:
    plain = few.drop_columns(["region"])
    region = np.asarray(few["region"].to_pylist())
    for name in ("N", "S"):
        folder = tmp_path / "parts" / f"region={name}"
        write_parts(plain.filter(pa.array(region == name)), folder, 2)
    ours = evaluated(tmp_path / "parts", rows="region = 'N'")
    theirs = evaluated(few, rows="region = 'N'")
    assert ours.value("auc", "first") == theirs.value("auc", "first")
    whole = evaluated(tmp_path / "parts")
    assert whole.value("auc", "first") == few_in_pieces.value("auc", "first")
    write_parts(plain.slice(0, 10), tmp_path / "parts" / "without", 1)
    with pytest.raises(PayoffError, match="has no column 'region'"):
        evaluated(tmp_path / "parts")
    write_parts(few, tmp_path / "double" / "region=N", 1)
    with pytest.raises(PayoffError, match="its folder says 'region=N'"):
        evaluated(tmp_path / "double")
