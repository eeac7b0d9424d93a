"""The handlers on small data, in this process: numbers against plain numpy, refusals, files."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import MetricChoice, ModelSpec, OldPriorKind, OldPriors, TargetSpec
from core.engine.context import JobContext
from core.engine.jobs.assemble import cases_of
from core.engine.jobs.assemble_matrix import cost_column
from core.engine.jobs.data.tables import table_of
from core.engine.local import JobStopped, LocalEngine
from core.engine.messages import (
    ApplyArguments,
    ColumnArguments,
    CursorArguments,
    DecideArguments,
    EvaluateArguments,
    LoadArguments,
    PluginsArguments,
    PreviewArguments,
    ResampleArguments,
    RowsArguments,
    SaveArguments,
)
from core.engine.options import EngineOptions
from core.engine.process import standard_handlers
from core.engine.wire import EngineRole
from core.engine.workbench import Workbench
from payoff.errors import PayoffError
from tests.core.engine.samples import scored_columns, scored_document, write_csv


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("engine")


@pytest.fixture(scope="module")
def engine(home):
    plugins = home / "plugins"
    plugins.mkdir()
    return LocalEngine(
        EngineOptions(plugin_folder=str(plugins), quarantine_path=str(home / "quarantine.json"))
    )


@pytest.fixture(scope="module")
def columns():
    return scored_columns()


@pytest.fixture(scope="module")
def loaded(home, engine, columns):
    path = write_csv(home / "scored.csv", columns)
    return engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))


@pytest.fixture
def document(loaded):
    return scored_document(loaded.data)


def used(columns, use="validation"):
    return np.array([value == use for value in columns["use"]])


def own_profit(columns, rows, model="p_good"):
    """Total profit of each case's own decision: act where 8 p - 2 (1 - p) > 0, that is p > 0.2."""
    acts = columns[model][rows] > 0.2
    event = np.array(columns["outcome"])[rows] == "yes"
    return float(np.where(acts, np.where(event, 8.0, -2.0), 0.0).sum())


# ------------------------------------------------------------ tables


def test_preview_and_load_agree_on_columns(engine, loaded):
    preview = engine.run(
        "preview", PreviewArguments(path=loaded.data.path, reader=ReaderSettings())
    )
    assert preview.columns == loaded.data.columns
    assert loaded.data.rows == 2_000


def test_rows_and_column(engine, document, columns):
    page = engine.run("rows", RowsArguments(document=document, start=10, count=3))
    assert [row[0] for row in page.rows] == columns["case_id"][10:13]
    detail = engine.run("column", ColumnArguments(document=document, column="p_good"))
    assert detail.summary.rows == 2_000
    np.testing.assert_allclose(detail.by_level.sum(axis=1), 1.0)


def test_load_reports_progress_and_can_be_stopped(engine, loaded):
    stages = []
    arguments = LoadArguments(path=loaded.data.path, reader=ReaderSettings())
    engine.run("load", arguments, lambda fraction, stage, partial: stages.append(stage))
    assert stages
    with pytest.raises(JobStopped):
        engine.run("load", arguments, should_stop=lambda: True)


def test_a_table_is_read_again_when_it_is_no_longer_in_memory(loaded, document):
    fresh = LocalEngine(EngineOptions())
    page = fresh.run("rows", RowsArguments(document=document, start=0, count=1))
    assert page.rows[0][0] == "c000000"


def test_a_renamed_file_is_found_and_a_changed_one_is_named(home, columns):
    path = home / "moving.csv"
    write_csv(path, columns)
    first = LocalEngine(EngineOptions())
    loaded = first.run("load", LoadArguments(path=str(path), reader=ReaderSettings()))
    document = scored_document(loaded.data)
    path.rename(home / "moved.csv")
    assert LocalEngine(EngineOptions()).run("decide", DecideArguments(document=document)).models
    (home / "moved.csv").unlink()
    write_csv(path, scored_columns(seed=99))
    result = LocalEngine(EngineOptions()).run("decide", DecideArguments(document=document))
    assert "has changed" in result.warnings[0]


def test_case_35_a_deleted_file_is_named_and_what_is_in_memory_stays(tmp_path, columns):
    path = tmp_path / "deleted.csv"  # alone: a twin beside it would be found by content
    write_csv(path, columns)
    first = LocalEngine(EngineOptions())
    document = scored_document(
        first.run("load", LoadArguments(path=str(path), reader=ReaderSettings())).data
    )
    path.unlink()
    assert first.run("rows", RowsArguments(document=document, start=0, count=1)).rows
    with pytest.raises(PayoffError) as caught:
        LocalEngine(EngineOptions()).run("rows", RowsArguments(document=document, start=0, count=1))
    assert str(path) in str(caught.value)


# ------------------------------------------------------------ decide


def test_totals_are_those_of_the_rule(engine, document, columns):
    result = engine.run("decide", DecideArguments(document=document))
    rows = used(columns)
    assert result.rows.use == "validation"
    assert [model.model for model in result.models] == ["good", "rough"]
    for model, column in zip(result.models, ("p_good", "p_rough"), strict=True):
        assert model.total.value == pytest.approx(own_profit(columns, rows, column))
        assert model.total.low < model.total.value < model.total.high
    assert result.rule_threshold == pytest.approx(0.2)


def test_an_edited_cell_changes_the_total(engine, document, columns):
    edited = replace(document.matrix, cells=((18.0, 0.0), (-2.0, 0.0)))
    result = engine.run("decide", DecideArguments(document=replace(document, matrix=edited)))
    rows = used(columns)
    acts = columns["p_good"][rows] > 0.1
    event = np.array(columns["outcome"])[rows] == "yes"
    expected = np.where(acts, np.where(event, 18.0, -2.0), 0.0).sum()
    assert result.models[0].total.value == pytest.approx(expected)


def test_rows_of_the_matrix_follow_the_levels_not_their_place(engine, document):
    turned = replace(document.matrix, levels=("no", "yes"), cells=document.matrix.cells[::-1])
    first = engine.run("decide", DecideArguments(document=document))
    second = engine.run("decide", DecideArguments(document=replace(document, matrix=turned)))
    np.testing.assert_array_equal(first.cells, second.cells)
    assert first.models[0].total == second.models[0].total


def test_a_worded_template_gives_cells_and_reason(engine, document):
    worded = MatrixSpec(
        template="payoff.direct_mail",
        kind=MatrixKind.PROFIT,
        levels=("yes", "no"),
        decisions=(),
        cells=(),
        acting="",
        parameters=(("letter_cost", 2.0), ("response_value", 10.0)),
    )
    result = engine.run("decide", DecideArguments(document=replace(document, matrix=worded)))
    np.testing.assert_allclose(result.cells, [[8.0, 0.0], [-2.0, 0.0]])
    assert result.decisions == ("Mail", "Do nothing")
    assert result.acting == "Mail"
    assert result.rule_threshold == pytest.approx(0.2)
    assert "a letter costs" in result.rule_reason
    assert "A response brings" in result.rule_reason


def test_costs_of_columns_and_constants_count(engine, document, columns):
    revenue = replace(
        document.matrix,
        template="payoff.revenue",
        kind=MatrixKind.REVENUE,
        cells=((10.0, 0.0), (0.0, 0.0)),
        costs=(CostSpec(column="cost"), CostSpec(amount=0.25)),
    )
    result = engine.run("decide", DecideArguments(document=replace(document, matrix=revenue)))
    rows = used(columns)
    chance, cost = columns["p_good"][rows], columns["cost"][rows]
    event = np.array(columns["outcome"])[rows] == "yes"
    acts = 10 * chance - cost > -0.25
    expected = np.where(acts, 10.0 * event - cost, -0.25).sum()
    assert result.models[0].total.value == pytest.approx(expected)


def with_priors(document, kind, shares=(("yes", 0.5), ("no", 0.5))):
    models = (ModelSpec(name="good", old_priors=OldPriors(kind=kind, shares=shares)),)
    models += (
        ModelSpec(name="rough", series=1, old_priors=OldPriors(kind=OldPriorKind.CORRECTED)),
    )
    return replace(document, models=models, priors=(("no", 0.9), ("yes", 0.1)))


def test_a_class_that_never_trained_cannot_be_weighted_up(engine, document):
    shares = (("yes", 0.0), ("no", 1.0))
    asked = with_priors(document, OldPriorKind.TRAINED_AT, shares)
    with pytest.raises(PayoffError, match=r"prior of 'yes' is .*, but no training row"):
        engine.run("decide", DecideArguments(document=asked))


def test_only_models_with_known_shares_are_corrected(engine, document, columns):
    result = engine.run(
        "decide", DecideArguments(document=with_priors(document, OldPriorKind.TRAINED_AT))
    )
    rows = used(columns)
    chance = columns["p_good"][rows]
    corrected = chance * 0.2 / (chance * 0.2 + (1 - chance) * 1.8)
    event = np.array(columns["outcome"])[rows] == "yes"
    weight = np.where(event, 0.1 * len(event) / event.sum(), 0.9 * len(event) / (~event).sum())
    as_it_stands = columns["p_rough"][rows]
    for model, chance in zip(result.models, (corrected, as_it_stands), strict=True):
        expected = (weight * np.where(chance > 0.2, np.where(event, 8.0, -2.0), 0.0)).sum()
        assert model.total.value == pytest.approx(expected)
    assert result.class_weight.sum() == pytest.approx(rows.sum())


def test_unknown_shares_are_warned_of_and_not_corrected(engine, document):
    result = engine.run(
        "decide", DecideArguments(document=with_priors(document, OldPriorKind.UNKNOWN, ()))
    )
    corrected = engine.run(
        "decide", DecideArguments(document=with_priors(document, OldPriorKind.CORRECTED, ()))
    )
    assert result.models[0].total == corrected.models[0].total
    assert any("'good'" in text and "not corrected" in text for text in result.warnings)


def test_known_shares_without_priors_change_nothing_and_say_so(engine, document):
    asked = replace(with_priors(document, OldPriorKind.TRAINED_AT), priors=None)
    result = engine.run("decide", DecideArguments(document=asked))
    plain = engine.run("decide", DecideArguments(document=document))
    assert result.models[0].total == plain.models[0].total
    assert any("no priors are given" in text for text in result.warnings)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"data": None}, "No data is open."),
        ({"target": None}, "No column is named as the outcome."),
        ({"matrix": None}, "No decision matrix is set."),
        ({"priors": (("yes", 0.5),)}, "The priors do not fit the outcome's levels."),
        ({"models": ()}, "No model is known."),
        ({"target": TargetSpec(column="cost", kind="interval")}, "has no prediction column"),
    ],
)
def test_what_is_missing_is_named(engine, document, change, what):
    with pytest.raises(PayoffError, match=what):
        engine.run("decide", DecideArguments(document=replace(document, **change)))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"levels": ("yes", "maybe")}, "do not fit the outcome's levels"),
        ({"cells": ((1.0, 2.0), (1.0,))}, "differ in length"),
        ({"cells": ((1.0,), (2.0,))}, "columns for 2 decisions"),
        ({"costs": (CostSpec(),)}, "1 costs for 2 decisions"),
        ({"costs": (CostSpec(column="nowhere"), CostSpec())}, "no column 'nowhere'"),
        ({"costs": (CostSpec(column="use"), CostSpec())}, "use"),
        ({"template": "org.nobody"}, "no decision matrix 'org.nobody'"),
        ({"cells": ((float("nan"), 0.0), (1.0, 0.0))}, "missing"),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused(engine, document, change, what):
    matrix = replace(document.matrix, **change)
    with pytest.raises(PayoffError, match=what):
        engine.run("decide", DecideArguments(document=replace(document, matrix=matrix)))


def test_cursor_reads_the_document_it_is_asked_about(engine, document, columns):
    first = engine.run("cursor", CursorArguments(document=document, depth=1.0))
    rows = used(columns)
    event = (np.array(columns["outcome"]) == "yes")[rows]
    assert first.profit[0] == pytest.approx(8 * event.sum() - 2 * (~event).sum())
    assert first.cases[0] == rows.sum()
    doubled = replace(document.matrix, cells=((16.0, 0.0), (-4.0, 0.0)))
    second = engine.run(
        "cursor", CursorArguments(document=replace(document, matrix=doubled), depth=1.0)
    )
    assert second.profit[0] == pytest.approx(2 * first.profit[0])
    third = engine.run("cursor", CursorArguments(document=document, depth=0.0))
    assert third.profit[0] == pytest.approx(0.0)


def test_resamples_are_paired_and_repeatable(engine, document):
    arguments = ResampleArguments(document=document, depth=0.3, resamples=200)
    first = engine.run("resample", arguments)
    again = engine.run("resample", arguments)
    assert first.resamples == 200
    assert first.differences == again.differences
    difference = first.differences[0]
    assert (difference.first, difference.second) == ("good", "rough")
    assert 0 <= difference.ahead <= 200


# ------------------------------------------------------------ evaluate


def test_a_partial_result_comes_first(engine, document):
    partials = []

    def note(fraction, stage, partial):
        if partial is not None:
            partials.append(partial)

    wanted = tuple(MetricChoice(metric=name) for name in ("auc", "log_loss", "total_profit"))
    asked = replace(document, metrics=wanted)
    result = engine.run("evaluate", EvaluateArguments(document=asked, resamples=50), note)
    assert partials
    assert partials[0].resamples == 0
    assert result.resamples == 50
    assert {cell.metric for cell in result.cells} == {"auc", "log_loss", "total_profit"}
    metrics = {(cell.metric, cell.model): cell.estimate.value for cell in result.cells}
    decided = engine.run("decide", DecideArguments(document=document))
    for model in decided.models:
        assert metrics["total_profit", model.model] == pytest.approx(model.total.value)


def metric_of(result, metric):
    return next(
        cell.estimate.value
        for cell in result.cells
        if (cell.metric, cell.model) == (metric, "good")
    )


def test_fit_is_judged_at_the_class_shares_of_the_rows(engine, document, columns):
    rows = used(columns)
    happened = np.array(columns["outcome"])[rows] == "yes"
    share = happened.mean()
    asked = with_priors(document, OldPriorKind.TRAINED_AT)  # trained at halves
    result = engine.run("evaluate", EvaluateArguments(document=asked, resamples=0))
    chance = columns["p_good"][rows]
    odds = chance / (1 - chance) * share / (1 - share)
    judged = odds / (1 + odds)
    log_loss = -np.mean(np.where(happened, np.log(judged), np.log(1 - judged)))
    assert metric_of(result, "log_loss") == pytest.approx(log_loss, rel=1e-12)
    assert result.class_weight[0] / result.class_weight.sum() == pytest.approx(0.1)


def test_fit_needs_no_correction_on_rows_like_those_of_the_training(engine, document, columns):
    share = float((np.array(columns["outcome"])[used(columns)] == "yes").mean())
    shares = (("yes", share), ("no", 1 - share))
    asked = with_priors(document, OldPriorKind.TRAINED_AT, shares)
    plain = engine.run("evaluate", EvaluateArguments(document=document, resamples=0))
    corrected = engine.run("evaluate", EvaluateArguments(document=asked, resamples=0))
    for metric in ("log_loss", "brier", "auc"):
        assert metric_of(corrected, metric) == pytest.approx(metric_of(plain, metric), rel=1e-12)


def test_metrics_that_are_not_there_or_do_not_fit_are_left_out(engine, document):
    asked = replace(
        document,
        metrics=(
            MetricChoice(metric="auc"),
            MetricChoice(metric="org.nobody.metric"),
            MetricChoice(metric="rmse"),
        ),
    )
    result = engine.run("evaluate", EvaluateArguments(document=asked, resamples=0))
    assert {cell.metric for cell in result.cells} == {"auc"}
    assert any("org.nobody.metric" in text for text in result.warnings)
    assert any("RMSE" in text for text in result.warnings)


def test_evaluation_can_be_stopped(engine, document):
    calls = []

    def stop():
        calls.append(1)
        return len(calls) > 12

    with pytest.raises(JobStopped):
        engine.run("evaluate", EvaluateArguments(document=document), should_stop=stop)


# ------------------------------------------------------------ save and apply


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
    chance = columns["p_good"]
    event = np.array(columns["outcome"]) == "yes"
    acts = chance > 0.2
    assert [row["D_outcome"] for row in rows] == np.where(acts, "Act", "Wait").tolist()
    expected = np.where(acts, 8 * chance - 2 * (1 - chance), 0.0)
    saved = np.array([float(row["EP_outcome"]) for row in rows])
    np.testing.assert_allclose(saved, expected, atol=1e-12)
    computed = np.where(acts, np.where(event, 8.0, -2.0), 0.0)
    np.testing.assert_array_equal([float(row["CP_outcome"]) for row in rows], computed)
    np.testing.assert_array_equal([float(r["BP_outcome"]) for r in rows], np.where(event, 8.0, 0))
    totals = dict(result.totals)
    assert totals["expected_total"] == pytest.approx(expected.sum())
    assert totals["realised_total"] == pytest.approx(computed.sum())


def test_the_record_says_how_to_repeat_it(engine, document, tmp_path):
    asked = with_priors(document, OldPriorKind.TRAINED_AT)
    result = save(engine, asked, tmp_path / "out.parquet")
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
    asked = replace(document, rows_used=RowUse.ALL, cursor_depth=0.1)
    result = save(engine, asked, tmp_path / "out.csv", use_cursor=True, columns=("D", "CP"))
    rows = read_csv(result.path)
    acted = np.array([row["D_outcome"] == "Act" for row in rows])
    chance = columns["p_good"]
    assert acted.sum() >= 200
    assert chance[acted].min() > chance[~acted].max()
    assert acted.sum() - np.count_nonzero(chance == chance[acted].min()) < 200
    record = json.loads(Path(result.record_path).read_text(encoding="utf-8"))
    assert record["cut_off"]["depth"] == 0.1
    reading = engine.run("cursor", CursorArguments(document=asked, depth=0.1))
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
    asked = replace(document, rows_used=RowUse.ALL, cursor_depth=0.05, matrix=revenue)
    result = save(
        engine, asked, tmp_path / "out.csv", use_cursor=True, columns=("D", "IC", "ROI", "EP")
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


# ------------------------------------------------------------ plugins and the store


def test_plugins_are_listed_with_metrics_and_templates(engine):
    result = engine.run("plugins", PluginsArguments())
    assert {entry.state for entry in result.plugins} == {"active"}
    assert {"auc", "brier"} <= {entry.metric for entry in result.metrics}
    assert {"payoff.profit", "payoff.credit"} <= {entry.template for entry in result.templates}


def test_warming_up_runs_every_step_and_leaves_third_parties_alone(home):
    options = EngineOptions(quarantine_path=str(home / "quarantine.json"))
    main = Workbench(options, role=EngineRole.MAIN)
    steps = list(main.warm_up_steps(standard_handlers))
    assert len(steps) > 3
    for _, step in steps:
        step()
    third = Workbench(options, role=EngineRole.PLUGINS)
    for _, step in third.warm_up_steps(standard_handlers):
        step()
    assert main.has_registry
    assert not third.has_registry


def test_finished_results_come_from_the_store(home, document, loaded):
    folder = home / "store"
    partials = []

    def note(fraction, stage, partial):
        partials.append(stage)

    arguments = EvaluateArguments(document=document, resamples=50)
    first = LocalEngine(EngineOptions(store_folder=str(folder))).run("evaluate", arguments)
    engine = LocalEngine(EngineOptions(store_folder=str(folder)))
    again = engine.run("evaluate", arguments, note)
    assert partials == [], "a finished result was computed again"
    assert [cell.estimate for cell in again.cells] == [cell.estimate for cell in first.cells]
    renamed = replace(document, name="Other name", cursor_depth=0.3)
    engine.run("evaluate", replace(arguments, document=renamed), note)
    assert partials == [], "the name or the cursor made a result stale"
    for file in folder.iterdir():
        file.write_bytes(b"damaged")
    mended = engine.run("evaluate", arguments, note)
    assert partials
    assert mended.cells[0].estimate == first.cells[0].estimate
