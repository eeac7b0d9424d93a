"""Several quantiles from one model: trained, judged, saved, decided with."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from core.assembly.cases import cases_of, model_scores
from core.boosting import read_model
from core.decisions.number_targets.knots import KnotTable, expected_lines, predicted_quantiles
from core.document.commands import AddTrainedModel
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.files.codec import from_plain, to_plain
from core.document.files.project import Headline, read_project, save_project
from core.document.model import Document
from core.engine.context import JobContext
from core.engine.local import LocalEngine
from core.engine.messages import SaveArguments, TrainArguments
from core.questions.compare import CompareModels
from core.questions.explain import Distributions, Explain, OneCase, QuantileCheck
from payoff.errors import PayoffError
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings

LEVELS = (0.05, 0.275, 0.5, 0.725, 0.95)
STOCK = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("0", "2", "6"),
    decisions=("Few", "Many"),
    cells=((1.0, -2.0), (2.0, 2.0), (2.0, 7.0)),
    acting="Many",
    do_nothing="Few",
)


@pytest.fixture(scope="module")
def untrained(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("raw") / "raw.csv", raw_columns(2_000))
    return replace(raw_document(load(engine, path), "amount"), matrix=STOCK)


@pytest.fixture(scope="module")
def document(engine, untrained):
    wanted = settings(
        distribution="multi_quantile", target="amount", distribution_params=(("quantiles", 5),)
    )
    result = engine.run("train", TrainArguments(document=untrained, settings=wanted))
    return AddTrainedModel(model=result.model).apply(untrained)


@pytest.fixture(scope="module")
def judged(engine, document):
    test_rows = replace(document, rows_used=RowUse.TEST)
    return engine.ask(test_rows, QuantileCheck(model="trees"))


def test_it_is_offered_with_its_levels(engine, untrained):
    offered = engine.ask(untrained, Distributions())
    found = {info.id: info for info in offered.distributions}
    info = found["multi_quantile"]
    assert info.fits
    assert info.predicts_quantiles
    assert [(p.name, p.default) for p in info.parameters] == [("quantiles", 9), ("lowest", 0.05)]
    assert not found["quantile"].predicts_quantiles


def test_ranges_hold_about_as_many_fresh_outcomes_as_they_say(judged):
    np.testing.assert_allclose(judged.levels, LEVELS)
    assert judged.is_fresh
    assert judged.rows.rows == 500
    assert not judged.notes  # test rows flatter nobody
    np.testing.assert_allclose(judged.below, LEVELS, atol=0.12)
    assert (judged.below_low < judged.below).all()
    assert (judged.below < judged.below_high).all()
    assert [(r.low_level, r.high_level) for r in judged.ranges] == [(0.05, 0.95), (0.275, 0.725)]
    wide, narrow = judged.ranges
    assert wide.wanted == pytest.approx(0.9)
    assert wide.held_low < wide.held < wide.held_high
    assert (wide.held, wide.width) > (narrow.held, narrow.width)


def test_the_fan_rises_with_the_level_and_with_the_median(judged):
    assert judged.fan.shape == (5, len(judged.share))
    assert (np.diff(judged.fan, axis=0) >= 0.0).all()
    assert (np.diff(judged.fan[2]) >= 0.0).all()
    assert judged.share[0] == pytest.approx(0.005)  # the middle of 1 % of the cases
    assert len(judged.outcome) == len(judged.outcome_share) == 400
    assert np.corrcoef(judged.outcome_share, judged.outcome)[0, 1] > 0.2


def test_coverage_is_counted_on_the_quantiles_of_the_model_file(engine, document, judged):
    rows = replace(document, rows_used=RowUse.TEST)
    cases = cases_of(rows, JobContext(engine.workbench))
    trained = document.trained_model("trees")
    path = engine.workbench.model_store.path(trained.model_hash)
    model = read_model(path, engine.registry.distribution)
    assert model.output_names == ("q0.05", "q0.275", "q0.5", "q0.725", "q0.95")
    values = cases.spreads["trees"].values
    assert (np.diff(values, axis=0) >= 0.0).all()
    np.testing.assert_allclose((cases.target <= values).mean(axis=1), judged.below)
    inside = (cases.target >= values[0]) & (cases.target <= values[4])
    assert judged.ranges[0].held == pytest.approx(inside.mean())
    np.testing.assert_allclose(cases.predictions["trees"], cases.spreads["trees"].mean)


def test_metrics_of_quantiles_are_in_the_table(engine, document):
    found = engine.ask(document, CompareModels(resamples=0))
    cells = {cell.metric: cell.estimate.value for cell in found.cells}
    assert 0.0 < cells["crps"] < cells["mae"]  # a distribution says more than its mean


def test_decisions_average_over_the_distribution(engine, document):
    cases = cases_of(document, JobContext(engine.workbench))
    (scores,) = model_scores(document, cases)
    np.testing.assert_array_equal(scores.quantiles.levels, LEVELS)
    table = KnotTable(np.array([0.0, 2.0, 6.0]), np.array(STOCK.cells))
    wanted = expected_lines(table, predicted_quantiles(np.array(LEVELS), scores.quantiles.values))
    flat = table.at(scores.predicted)
    assert np.abs(wanted - flat).max() > 0.1  # where lines bend, the mean is not enough


def test_saved_cases_have_a_column_for_each_quantile(engine, document, tmp_path):
    path = tmp_path / "scored.csv"
    engine.run(
        "save_decisions",
        SaveArguments(document=document, model="trees", path=str(path), columns=("D", "EP", "P")),
    )
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2_000
    names = [f"P_amount_q{level:g}" for level in LEVELS]
    values = np.array([[float(row[name]) for name in names] for row in rows])
    assert (np.diff(values, axis=1) >= 0.0).all()
    spread = predicted_quantiles(np.array(LEVELS), values.T)
    table = KnotTable(np.array([0.0, 2.0, 6.0]), np.array(STOCK.cells))
    best = expected_lines(table, spread).max(axis=0)
    np.testing.assert_allclose([float(row["EP_amount"]) for row in rows], best, rtol=1e-6)


def test_one_case_and_its_curves_name_the_quantile(engine, document):
    explained = engine.ask(document, Explain(model="trees", columns=("age",)))
    assert explained.outputs[2] == "amount, 0.5 quantile"
    assert (np.diff(explained.curves[0].y, axis=0) >= 0.0).all()
    case = engine.ask(document, OneCase(model="trees", row=3, output=4))
    assert case.outputs[case.output] == "amount, 0.95 quantile"
    assert case.decision in STOCK.decisions


def test_a_model_of_one_number_has_no_ranges(engine, untrained):
    wanted = settings(distribution="gaussian", target="amount", n_trees=5)
    result = engine.run("train", TrainArguments(document=untrained, settings=wanted))
    plain = AddTrainedModel(model=result.model).apply(untrained)
    with pytest.raises(PayoffError, match="predicts no quantiles"):
        engine.ask(plain, QuantileCheck(model="trees"))


def test_rows_that_trained_it_do_not_judge_it(engine, document):
    every = replace(document, rows_used=RowUse.ALL)
    found = engine.ask(every, QuantileCheck(model="trees"))
    assert found.rows.rows == 1_000
    assert "1,000 of them did not train it" in found.rows.text
    alone = replace(document, rows_used=RowUse.TRAIN)
    flattered = engine.ask(alone, QuantileCheck(model="trees"))
    assert not flattered.is_fresh
    assert any("flatter" in note for note in flattered.notes)


def answers_of(engine, document, folder):
    """Predicted quantiles (5, cases), and the saved file of scores and decisions."""
    cases = cases_of(document, JobContext(engine.workbench))
    path = folder / "decided.csv"
    engine.run(
        "save_decisions",
        SaveArguments(document=document, model="trees", path=str(path), columns=("D", "EP", "P")),
    )
    return cases.spreads["trees"].values, path.read_bytes()


def test_a_saved_project_brings_model_quantiles_and_decisions_back(engine, document, tmp_path):
    before, decided = answers_of(engine, document, tmp_path)
    assert from_plain(Document, to_plain(document)) == document
    path = save_project(tmp_path / "kept", document, Headline(), engine.workbench.model_store)
    other = LocalEngine()  # another session: an empty shelf, nothing read yet
    opened = read_project(path, other.workbench.model_store).document
    assert opened == document
    assert opened.trained_model("trees").distribution == "multi_quantile"
    after, decided_again = answers_of(other, opened, tmp_path)
    np.testing.assert_array_equal(after, before)
    assert decided_again == decided
    made = {row["D_amount"] for row in csv.DictReader(decided.decode().splitlines())}
    assert made == set(STOCK.decisions)
