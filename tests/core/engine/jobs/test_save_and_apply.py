"""Decisions are saved for every row, and the rule is applied to other files."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from core.assembly.cases import cases_of
from core.assembly.context import table_of
from core.assembly.matrix import cost_column
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.model import OldPriorKind
from core.engine.context import JobContext
from core.engine.messages import ApplyArguments, SaveArguments
from core.questions.decide import AtDepth
from payoff.errors import PayoffError
from tests.core.engine.jobs.sums import own_profit, with_priors
from tests.helpers.factories.scored import scored_columns, write_csv


def read_csv(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def save(engine, document, path, **settings):
    arguments = SaveArguments(document=document, model="good", path=str(path), **settings)
    return engine.run("save_decisions", arguments)


def test_saved_decisions_cover_every_row(engine, document, columns, tmp_path):
    letters = ("D", "EP", "CP", "BP", "P")
    result = save(engine, document, tmp_path / "out.csv", columns=letters)
    rows = read_csv(result.path)
    assert result.rows == len(rows) == 2_000
    assert list(rows[0]) == [
        "case_id",
        "D_outcome",
        "EP_outcome",
        "CP_outcome",
        "BP_outcome",
        "P_outcomeyes",
        "P_outcomeno",
    ]
    probability = columns["p_good"]
    event = np.array(columns["outcome"]) == "yes"
    acts = probability > 0.2
    assert [row["D_outcome"] for row in rows] == np.where(acts, "Act", "Wait").tolist()
    expected = np.where(acts, 8 * probability - 2 * (1 - probability), 0.0)
    saved = np.array([float(row["EP_outcome"]) for row in rows])
    np.testing.assert_allclose(saved, expected, atol=1e-12)
    computed = np.where(acts, np.where(event, 8.0, -2.0), 0.0)
    np.testing.assert_array_equal([float(row["CP_outcome"]) for row in rows], computed)
    np.testing.assert_array_equal([float(r["BP_outcome"]) for r in rows], np.where(event, 8.0, 0))
    totals = dict(result.totals)
    assert totals["expected_total"] == pytest.approx(expected.sum())
    assert totals["realised_total"] == pytest.approx(computed.sum())


def test_the_record_says_how_to_repeat_it(engine, document, tmp_path):
    requested = with_priors(document, OldPriorKind.TRAINED_AT)
    result = save(engine, requested, tmp_path / "out.parquet")
    record = json.loads(Path(result.record_path).read_text(encoding="utf-8"))
    assert pq.read_table(result.path).num_rows == 2_000
    assert record["data"]["sha256"] == document.data.content_hash
    assert record["matrix"]["cells"] == [[8.0, 0.0], [-2.0, 0.0]]
    assert record["priors"] == [["no", 0.9], ["yes", 0.1]]
    assert record["old_priors"]["kind"] == "trained_at"
    assert record["model"] == "good"
    assert [entry["name"] for entry in record["models"]] == ["good", "rough"]
    assert record["seed"] == document.seed
    assert record["totals"] == dict(result.totals)
    assert sum(record["counts"].values()) == 2_000
    assert {"payoff", "python", "numpy", "plugin_contract"} == set(record["versions"])
    assert record["written"].endswith("+00:00")


def test_only_chosen_decisions_and_columns_are_written(engine, document, columns, tmp_path):
    result = save(
        engine,
        document,
        tmp_path / "out.csv",
        columns=("EP",),
        decisions=("Act",),
        keep_columns=("use", "cost"),
    )
    rows = read_csv(result.path)
    assert list(rows[0]) == ["use", "cost", "EP_outcome"]
    assert result.rows == len(rows) == int((columns["p_good"] > 0.2).sum())


def test_the_depth_at_the_cursor_decides(engine, document, columns, tmp_path):
    requested = replace(document, rows_used=RowUse.ALL, cursor_depth=0.1)
    result = save(engine, requested, tmp_path / "out.csv", use_cursor=True, columns=("D", "CP"))
    rows = read_csv(result.path)
    acted = np.array([row["D_outcome"] == "Act" for row in rows])
    probability = columns["p_good"]
    assert acted.sum() >= 200
    assert probability[acted].min() > probability[~acted].max()
    assert acted.sum() - np.count_nonzero(probability == probability[acted].min()) < 200
    record = json.loads(Path(result.record_path).read_text(encoding="utf-8"))
    assert record["cut_off"]["depth"] == 0.1
    reading = engine.ask(requested, AtDepth(depth=0.1))
    if acted.sum() == 200:
        assert dict(result.totals)["realised_total"] == pytest.approx(reading.profit[0])


def test_the_cursor_decides_by_advantage_where_costs_differ(engine, document, columns, tmp_path):
    revenue = replace(
        document.matrix,
        template="payoff.revenue",
        kind=MatrixKind.REVENUE,
        cells=((10.0, 0.0), (0.0, 0.0)),
        costs=(CostSpec(column="cost"), CostSpec()),
    )
    requested = replace(document, rows_used=RowUse.ALL, cursor_depth=0.05, matrix=revenue)
    result = save(
        engine, requested, tmp_path / "out.csv", use_cursor=True, columns=("D", "IC", "ROI", "EP")
    )
    rows = read_csv(result.path)
    acted = np.array([row["D_outcome"] == "Act" for row in rows])
    advantage = 10 * columns["p_good"] - columns["cost"]
    assert acted.sum() == 100
    assert advantage[acted].min() >= advantage[~acted].max()
    paid = np.array([float(row["IC_outcome"]) for row in rows])
    np.testing.assert_allclose(paid, np.where(acted, columns["cost"], 0.0))
    expected = np.array([float(row["EP_outcome"]) for row in rows])
    np.testing.assert_allclose(expected, np.where(acted, advantage, 0.0), atol=1e-12)


def test_kernels_get_arrays_of_one_kind(engine, document, columns):
    """A table's own memory is read-only: kernels would be compiled once more for it."""
    cases = cases_of(replace(document, rows_used=RowUse.ALL), JobContext(engine.workbench))
    table = table_of(document, JobContext(engine.workbench))
    cost = cost_column(table, "cost", cases, JobContext(engine.workbench))
    arrays = [cost, cases.outcome, cases.frequency, *cases.posteriors.values()]
    assert all(values.flags.writeable for values in arrays if values is not None)


def test_losses_are_written_as_losses(engine, document, columns, tmp_path):
    loss = replace(
        document.matrix,
        template="payoff.loss",
        kind=MatrixKind.LOSS,
        cells=((0.0, 8.0), (2.0, 0.0)),
    )
    result = save(
        engine,
        replace(document, matrix=loss),
        tmp_path / "out.csv",
        columns=("D", "EP", "CP", "BP"),
    )
    assert result.columns == (
        "case_id",
        "D_outcome",
        "EL_outcome",
        "CL_outcome",
        "BL_outcome",
    )
    acts = columns["p_good"] > 0.2
    event = np.array(columns["outcome"]) == "yes"
    lost = np.where(acts, np.where(event, 0.0, 2.0), np.where(event, 8.0, 0.0))
    assert dict(result.totals)["realised_total"] == pytest.approx(lost.sum())


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"columns": ("X",)}, "no column 'X'"),
        ({"columns": ()}, "No column is chosen"),
        ({"decisions": ("Fly",)}, "no decision 'Fly'"),
        ({"keep_columns": ("nowhere",)}, "no column 'nowhere'"),
    ],
)
def test_wrong_choices_write_nothing(engine, document, tmp_path, settings, what):
    with pytest.raises(PayoffError, match=what):
        save(engine, document, tmp_path / "out.csv", **settings)
    assert list(tmp_path.iterdir()) == []


def test_the_data_are_never_overwritten(engine, document):
    with pytest.raises(PayoffError, match="overwrite the data"):
        save(engine, document, Path(document.data.path))


def test_a_rule_needs_no_outcome(engine, document, tmp_path):
    fresh = scored_columns(rows=500, seed=11)
    del fresh["outcome"], fresh["use"]
    path = write_csv(tmp_path / "new.csv", fresh)
    request = SaveArguments(document=document, model="good", path=str(tmp_path / "out.csv"))
    result = engine.run(
        "apply",
        ApplyArguments(
            document=document, model="good", path=path, reader=ReaderSettings(), save=request
        ),
    )
    acts = fresh["p_good"] > 0.2
    assert result.rows == 500
    assert dict(result.counts) == {"Act": int(acts.sum()), "Wait": int((~acts).sum())}
    assert result.realised_total is None
    expected = np.where(acts, 10 * fresh["p_good"] - 2, 0.0).sum()
    assert result.expected_total == pytest.approx(expected)
    assert result.preview_columns == ("case_id", "P_outcomeyes", "D_outcome", "EP_outcome")
    assert result.preview.rows[0][0] == "c000000"
    saved = read_csv(result.saved.path)
    assert list(saved[0]) == ["case_id", "D_outcome", "EP_outcome"]
    assert len(saved) == 500
    assert dict(result.saved.totals).keys() == {"expected_total"}


def test_a_rule_on_a_file_with_outcome_also_names_what_was_realised(engine, document, tmp_path):
    fresh = scored_columns(rows=300, seed=12)
    path = write_csv(tmp_path / "new.csv", fresh)
    result = engine.run(
        "apply",
        ApplyArguments(document=document, model="good", path=path, reader=ReaderSettings()),
    )
    assert result.saved is None
    assert result.realised_total == pytest.approx(own_profit(fresh, np.ones(300, dtype=bool)))


def test_a_file_without_the_rules_columns_is_refused(engine, document, tmp_path):
    fresh = scored_columns(rows=50)
    del fresh["p_good"]
    path = write_csv(tmp_path / "new.csv", fresh)
    with pytest.raises(PayoffError, match="p_good"):
        engine.run(
            "apply",
            ApplyArguments(document=document, model="good", path=path, reader=ReaderSettings()),
        )
