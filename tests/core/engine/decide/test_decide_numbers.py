"""Deciding by a number in the engine: analysis, cursor, resamples, saving, another file."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.document.commands import AddTrainedModel
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.engine.messages import ApplyArguments, SaveArguments, TrainArguments
from core.questions.decide import AtDepth, Resamples, Totals
from payoff.errors import PayoffError
from tests.core.engine.decide.decide_numbers import GIFTS, gift_columns, gift_document
from tests.helpers.factories.decision_bases import read
from tests.helpers.factories.number_outcomes import (
    number_document,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture(scope="module")
def columns():
    return gift_columns()


@pytest.fixture(scope="module")
def document(engine, columns, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("gifts") / "gifts.csv", columns)
    return gift_document(load(engine, path))


def train(engine, document, wanted):
    return engine.run("train", TrainArguments(document=document, settings=wanted))


def test_the_analysis_is_that_of_plain_numbers(engine, document, columns):
    result = engine.ask(document, Totals())
    mailed = columns["guess"] > 4.0
    profit = result.models[0]
    assert profit.total.value == pytest.approx((columns["gift"] - 4.0)[mailed].sum())
    assert profit.expected_total == pytest.approx((columns["guess"] - 4.0)[mailed].sum())
    assert profit.rule_cases == mailed.sum()
    assert profit.best_total == pytest.approx(np.maximum(columns["gift"] - 4.0, 0).sum())
    assert result.rule_text == "Mail a donor when the predicted gift is above 4."
    assert result.levels == ("below 100", "100 and more")
    assert result.knots == ("0", "100")
    assert len(result.differences) == 1
    reading = engine.ask(document, AtDepth(depth=0.25))
    best = np.argsort(-columns["guess"], kind="stable")[:150]
    assert reading.profit[0] == pytest.approx((columns["gift"][best] - 4.0).sum(), abs=8)
    drawn = engine.ask(document, Resamples(depth=0.25, resamples=64))
    assert drawn.differences[0].resamples == 64


def test_rows_of_the_matrix_may_stand_in_any_order(engine, document):
    turned = replace(GIFTS, levels=("100", "0"), cells=GIFTS.cells[::-1])
    first, second = (
        engine.ask(replace(document, matrix=matrix), Totals()) for matrix in (GIFTS, turned)
    )
    assert first.models[0].total == second.models[0].total


def test_decisions_and_residuals_are_saved(engine, document, columns, tmp_path):
    matrix = replace(
        GIFTS,
        kind=MatrixKind.REVENUE,
        template="payoff.revenue",
        cells=((0.0, 0.0), (100.0, 0.0)),
        costs=(CostSpec(column="letter"), CostSpec()),
    )
    letters = ("D", "EP", "CP", "BP", "IC", "ROI", "P", "R", "I")
    saved = engine.run(
        "save_decisions",
        SaveArguments(
            document=replace(document, matrix=matrix),
            model="guess",
            path=str(tmp_path / "out.csv"),
            columns=letters,
        ),
    )
    rows = read(saved.path)
    names = ("D", "EP", "CP", "BP", "IC", "ROI", "P", "R")  # a number has no predicted class
    assert list(rows[0]) == ["donor", *(f"{name}_gift" for name in names)]
    mailed = columns["guess"] > columns["letter"]
    assert [row["D_gift"] for row in rows] == np.where(mailed, "Mail", "Leave").tolist()
    paid = np.array([float(row["IC_gift"]) for row in rows])
    realised = np.array([float(row["CP_gift"]) for row in rows])
    np.testing.assert_allclose(paid, np.where(mailed, columns["letter"], 0.0))
    np.testing.assert_allclose(realised, np.where(mailed, columns["gift"] - columns["letter"], 0.0))
    residual = np.array([float(row["R_gift"]) for row in rows])
    np.testing.assert_allclose(residual, columns["gift"] - columns["guess"], atol=1e-12)
    record = json.loads(Path(saved.record_path).read_text(encoding="utf-8"))
    assert record["matrix"]["levels"] == ["0", "100"]
    assert dict(saved.totals)["realised_total"] == pytest.approx(realised.sum())


def test_the_cursor_decides_when_saving(engine, document, columns, tmp_path):
    saved = engine.run(
        "save_decisions",
        SaveArguments(
            document=replace(document, cursor_depth=0.1),
            model="guess",
            path=str(tmp_path / "out.csv"),
            columns=("D", "EP", "CP"),
            use_cursor=True,
        ),
    )
    rows = read(saved.path)
    mailed = np.array([row["D_gift"] == "Mail" for row in rows])
    assert 60 <= mailed.sum() <= 62  # ties at the cut are all within
    assert columns["guess"][mailed].min() > columns["guess"][~mailed].max() - 1e-9
    realised = np.array([float(row["CP_gift"]) for row in rows])
    np.testing.assert_allclose(realised, np.where(mailed, columns["gift"] - 4.0, 0.0), atol=1e-9)


def test_the_rule_decides_another_file_without_outcome(engine, document, tmp_path):
    other = gift_columns(seed=9)
    del other["gift"]
    path = write_csv(tmp_path / "new.csv", other)
    applied = engine.run(
        "apply",
        ApplyArguments(document=document, model="guess", path=path, reader=ReaderSettings()),
    )
    mailed = other["guess"] > 4.0
    assert dict(applied.counts) == {"Mail": mailed.sum(), "Leave": (~mailed).sum()}
    assert applied.expected_total == pytest.approx((other["guess"] - 4.0)[mailed].sum())
    assert applied.realised_total is None
    assert applied.preview_columns == ("donor", "P_gift", "D_gift", "EP_gift")


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (replace(GIFTS, levels=("0", "many")), "knot 'many' is not a number"),
        (replace(GIFTS, levels=("0", "0.0")), "knot 0 stands twice"),
        (replace(GIFTS, levels=(), cells=()), "no knot"),
    ],
)
def test_knots_that_cannot_be_meant_are_refused(engine, document, matrix, words):
    with pytest.raises(PayoffError, match=words):
        engine.ask(replace(document, matrix=matrix), Totals())


def test_a_trained_model_of_amounts_decides_and_marks_missing_inputs(engine, tmp_path):
    columns = raw_columns()
    data = load(engine, write_csv(tmp_path / "raw.csv", columns))
    document = raw_document(data, target="amount")
    wanted = settings(distribution="gaussian", target="amount", offset=None)
    found = train(engine, document, wanted)
    document = AddTrainedModel(model=found.model).apply(document)
    cheap = replace(GIFTS, cells=((-1.0, 0.0), (99.0, 0.0)))
    document = replace(document, matrix=cheap, rows_used=RowUse.TEST)
    result = engine.ask(document, Totals())
    assert 0 < result.models[0].rule_cases < 300
    assert result.models[0].total.value > result.act_on_all
    saved = engine.run(
        "save_decisions",
        SaveArguments(
            document=document, model=found.model.name, path=str(tmp_path / "o.csv"), columns=("D",)
        ),
    )
    marks = [row["_WARN_"] for row in read(saved.path)]
    assert marks == ["M" if income is None else "" for income in columns["income"]]


def test_survival_times_are_not_decided_by_knots(engine, tmp_path):
    path = write_csv(tmp_path / "days.csv", survival_columns())
    document = number_document(load(engine, path), "days", ("age", "smoker", "noise"))
    found = train(engine, document, survival_settings())
    document = replace(AddTrainedModel(model=found.model).apply(document), matrix=GIFTS)
    with pytest.raises(PayoffError, match="survival outcome"):
        engine.ask(document, Totals())
