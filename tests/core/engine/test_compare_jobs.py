"""The jobs behind page Compare: groups, shift, definitions, rows that were seen, defaults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.assembly.compare.evaluating import favoured_words
from core.document.commands import OpenData, SetSplit
from core.document.compare.commands import ChooseModel, SetCharts
from core.document.data.model import ReaderSettings, RowUse
from core.document.data.row_defaults import default_rows
from core.document.model import (
    CROSS_VALIDATION,
    Document,
    MetricChoice,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TrainedModel,
)
from core.document.report.commands import PutOnReport, TakeOffReport
from core.document.results import SeenRows
from core.document.studies.compare import ShiftSide
from core.document.uplift.commands import SetExperiment
from core.engine.local import LocalEngine
from core.engine.messages import Ask, LoadArguments
from core.engine.options import EngineOptions
from core.presentation.charts.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.view import Table, View
from core.questions.compare import CompareModels, Definitions, ErrorBounds, Segments, Shift
from core.questions.decide import Totals
from payoff.errors import PayoffError
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

METRICS = (MetricChoice(metric="auc"), MetricChoice(metric="brier"))


def regions(rows):
    return ["north" if k % 2 else ("south" if k % 50 else "isle") for k in range(rows)]


@pytest.fixture(scope="module")
def columns():
    made = scored_columns()
    rows = len(made["outcome"])
    made["age"] = np.random.default_rng(1).integers(18, 80, rows)
    made["region"] = regions(rows)
    return made


@pytest.fixture(scope="module")
def engine():
    return LocalEngine(EngineOptions(safe_mode=True))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory, engine, columns):
    path = write_csv(tmp_path_factory.mktemp("compare") / "scored.csv", columns)
    return engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))


@pytest.fixture
def document(loaded):
    made = scored_document(loaded.data, metrics=METRICS)
    inputs = [RoleAssignment(column=name, role=Role.INPUT) for name in ("age", "region")]
    return made.with_roles((*made.roles, *inputs))


def evaluate(engine, document, resamples=64):
    return engine.ask(document, CompareModels(resamples=resamples))


def estimate(result, metric, model):
    return next(c.estimate for c in result.cells if (c.metric, c.model) == (metric, model))


# ---------------------------------------------------------------- groups


def test_figures_of_a_group_are_those_of_its_rows(engine, document, columns):
    arguments = Ask.of(document, Segments(column="region", chart="gains", resamples=64))
    result = engine.run("compare.segments", arguments)
    used = np.array([use == "validation" for use in columns["use"]])
    region, event = np.array(columns["region"]), np.array(columns["outcome"]) == "yes"
    assert {segment.name for segment in result.segments} == set(region[used])
    for segment in result.segments:
        here = used & (region == segment.name)
        assert (segment.rows, segment.events) == (here.sum(), (here & event).sum())
        probability = np.array(columns["p_good"])[here]
        found = result.cell(segment.name, "good", "brier")
        assert found.value == pytest.approx(np.mean((probability - event[here]) ** 2))
        assert found.low < found.value < found.high
    assert (
        result.cell("", "good", "auc").value
        == estimate(evaluate(engine, document), "auc", "good").value
    )
    assert [c.name for c in result.chart.curves if c.model] == [s.name for s in result.segments]


def test_totals_of_groups_add_up_to_the_whole(engine, document):
    result = engine.ask(document, Segments(column="region"))
    parts = [result.cell(s.name, "good", "total_profit").value for s in result.segments]
    whole = result.cell("", "good", "total_profit").value
    decided = engine.ask(document, Totals())
    assert sum(parts) == pytest.approx(whole)
    assert whole == pytest.approx(decided.models[0].total.value)


def test_totals_of_groups_add_up_under_priors_too(engine, document):
    document = replace(document, priors=(("yes", 0.1), ("no", 0.9)))
    result = engine.ask(document, Segments(column="region"))
    parts = [result.cell(s.name, "good", "total_profit").value for s in result.segments]
    assert sum(parts) == pytest.approx(result.cell("", "good", "total_profit").value)
    plain = engine.ask(replace(document, priors=None), Segments(column="region"))
    # Statistics of fit are not prior-weighted: the same in every group.
    assert result.cell("north", "rough", "brier").value == pytest.approx(
        plain.cell("north", "rough", "brier").value
    )


def test_numbers_are_cut_and_small_groups_are_named(engine, document):
    result = engine.ask(document, Segments(column="age", groups=4))
    assert len(result.segments) == 4
    assert sum(segment.rows for segment in result.segments) == result.rows.rows
    few = engine.ask(document, Segments(column="region"))
    small = [segment for segment in few.segments if segment.note]
    many = engine.ask(document, Segments(column="age", groups=9))
    assert "9 groups" in many.warnings[0]
    assert [s.name for s in small] == [
        s.name for s in few.segments if s.rows < 100 or s.events < 30
    ]
    ids = engine.ask(document, Segments(column="case_id"))
    assert ids.segments[-1].name.endswith("other values")


# ---------------------------------------------------------------- shift


def shift(engine, document, then, now):
    arguments = Ask.of(document, Shift(then=then, now=now))
    return {entry.name: entry for entry in engine.run("compare.shift", arguments).columns}


def test_rows_are_like_themselves_and_like_other_draws(engine, document):
    same = ShiftSide(use=RowUse.ALL)
    assert {e.index for e in shift(engine, document, same, same).values()} == {0.0}
    found = shift(engine, document, ShiftSide(use=RowUse.VALIDATION), ShiftSide(use=RowUse.TEST))
    assert set(found) == {"good", "rough", "age", "region"}
    assert found["age"].verdict == "stable"
    assert found["region"].verdict == "another population"  # by the way it was made


def test_the_column_that_is_drawn_is_one_that_both_have(engine, document):
    same = ShiftSide(use=RowUse.ALL)
    answer = engine.ask(document, Shift(then=same, now=same, column="region"))
    assert answer.drawn == "region"
    with pytest.raises(PayoffError, match=r"no score or input in both .*Nearest: region"):
        engine.ask(document, Shift(then=same, now=same, column="regoin"))


def test_another_file_that_has_shifted_is_told(engine, document, columns, tmp_path):
    moved = dict(columns)
    moved["age"] = np.asarray(columns["age"]) + 25
    moved["region"] = ["east"] * len(moved["age"])
    del moved["p_rough"]
    path = write_csv(tmp_path / "next.csv", moved)
    arguments = Ask.of(document, Shift(then=ShiftSide(use=RowUse.ALL), now=ShiftSide(path=path)))
    result = engine.run("compare.shift", arguments)
    found = {entry.name: entry for entry in result.columns}
    assert found["age"].verdict == found["region"].verdict == "another population"
    assert found["good"].index == 0.0
    assert result.left_out == ("score of rough",)
    assert result.columns[0].is_score
    assert "other values" in found["region"].bins


# ---------------------------------------------------------------- honest


def test_a_model_chosen_here_is_flattered_here_and_nowhere_else(engine, document):
    chosen = ChooseModel(model="good", metric="auc").apply(document)
    result = evaluate(engine, chosen)
    (seen,) = result.seen
    assert (seen.model, seen.how) == ("good", "chosen")
    assert "good (chosen here): favoured over rough" in result.favoured
    elsewhere = evaluate(engine, replace(chosen, rows_used=RowUse.TEST))
    assert elsewhere.seen == ()
    assert elsewhere.favoured == ""


def test_who_is_favoured_is_said_in_words(document):
    seen = (
        SeenRows(model="good", how="stopped", rows=10),
        SeenRows(model="good", how="trained", rows=10),
    )
    assert "good (stopped here and trained here): favoured over rough" in favoured_words(
        document, seen
    )
    both = (*seen[:1], SeenRows(model="rough", how="stopped", rows=10))
    assert "all alike" in favoured_words(document, both)
    assert favoured_words(document, (SeenRows(model="good", how="folds", rows=9),)) == ""


def test_results_under_other_conditions_are_refused(engine, document, columns):
    scores = {"good": "p_good", "rough": "p_rough"}
    first = payoff.evaluate(columns, outcome="outcome", scores=scores, resamples=64)
    again = payoff.evaluate(columns, outcome="outcome", scores=["p_good"], resamples=64)
    assert (first.beside(first) == 0).all(axis=None)
    fewer = {name: values[:1500] for name, values in columns.items()}
    other = payoff.evaluate(fewer, outcome="outcome", scores=scores, seed=7, resamples=64)
    with pytest.raises(PayoffError, match="cannot be compared") as refusal:
        first.beside(other)
    assert refusal.value.why == (
        "Not the same: the data, the rows used, the seed of the resamples."
    )
    assert first.result.conditions == again.result.conditions


def test_the_default_rows_flatter_nobody():
    def trained(folds, choice=CROSS_VALIDATION):
        settings = TrainedModel(name="m", distribution="d", target="y", features=())
        settings = replace(settings, cv_folds=folds, choice=choice)
        return (ModelSpec(name="m", trained=settings),)

    both = SplitSpec(shares=(0.4, 0.3, 0.3))
    no_test = SplitSpec(shares=(0.6, 0.4, 0.0))
    assert default_rows(Document(split=both, models=trained(0))) is RowUse.TEST
    assert default_rows(Document(split=both)) is RowUse.ALL  # there is no model to flatter
    assert default_rows(Document(split=no_test, models=trained(5))) is RowUse.TRAIN
    assert default_rows(Document(split=no_test, models=trained(0))) is RowUse.VALIDATION
    stopped = trained(5, choice="")  # before its folds: none judges the training rows
    assert default_rows(Document(split=no_test, models=stopped)) is RowUse.VALIDATION
    assert default_rows(Document(split=SplitSpec(shares=(1.0, 0.0, 0.0)))) is RowUse.ALL
    assert default_rows(Document(split=SplitSpec(shares=(0.0, 0.0, 1.0)))) is RowUse.ALL
    of_a_column = SplitSpec(column="use", meaning=(("t", RowUse.TEST), ("x", RowUse.TO_DECIDE)))
    assert default_rows(Document(split=of_a_column)) is RowUse.TEST


def test_rows_follow_the_default_until_the_user_chooses(document):
    opened = OpenData(
        data=document.data, roles=document.roles, target=document.target, split=document.split
    ).apply(Document())
    assert opened.rows_used is RowUse.TEST
    halves = SplitSpec(shares=(0.5, 0.5, 0.0))
    assert SetSplit(split=halves).apply(opened).rows_used is RowUse.VALIDATION
    picked = replace(opened, rows_used=RowUse.ALL)
    assert SetSplit(split=halves).apply(picked).rows_used is RowUse.ALL


# ---------------------------------------------------------------- charts, report, definitions


def test_charts_wanted_come_with_the_result(engine, document):
    wanted = SetCharts(charts=("ks", "roi", "net_benefit")).apply(document)
    kinds = [chart.kind for chart in evaluate(engine, wanted).charts]
    assert {"ks", "roi", "net_benefit"} < set(kinds)
    with pytest.raises(PayoffError, match="no chart 'x y'"):
        SetCharts(charts=("x y",)).apply(document)


def test_a_curve_whose_plugin_is_gone_is_left_out_with_a_warning(engine, document):
    result = evaluate(engine, SetCharts(charts=("gains", "of_yesterday")).apply(document))
    assert "of_yesterday" not in {chart.kind for chart in result.charts}
    assert any("'of_yesterday' is left out" in text for text in result.warnings)


def test_roi_is_gain_over_cost(engine, document, columns):
    result = evaluate(engine, replace(document, charts=("roi",)))
    chart = next(chart for chart in result.charts if chart.kind == "roi")
    curve = next(c for c in chart.curves if c.model == "good")
    used = np.array([use == "validation" for use in columns["use"]])
    probability = np.array(columns["p_good"])[used]
    event = (np.array(columns["outcome"]) == "yes")[used]
    order = np.argsort(-probability, kind="stable")[: round(0.3 * used.sum())]
    gained = np.where(event[order], 8.0, -2.0).sum()
    at = np.interp(0.3, curve.x, curve.y)
    assert at == pytest.approx(gained / (2.0 * len(order)), rel=0.01)
    assert "the most that an action can lose" in chart.definition
    assert curve.low[50] < curve.y[50] < curve.high[50]


def test_report_shows_what_was_put_on_it(engine, document):
    from core.presentation.labels import Labels
    from core.questions.stamps import page_stamp
    from core.report import ReportInput, answers_about, fresh_views, render_report

    document = SetExperiment(treatment="region").apply(document)
    document = PutOnReport(kind="ks", note="Ours, not theirs.").apply(document)
    document = PutOnReport(kind="metrics").apply(document)
    document = PutOnReport(kind="uplift/qini", note="Of the trial.").apply(document)
    document = PutOnReport(kind="explain/curve").apply(document)
    line = SeriesSpec(name="gbm", series=0, x=np.array([0.0, 1.0]), y=np.array([0.0, 0.5]))
    axis = AxisSpec(label="depth of the trial", quantity="percent", low=0.0, high=1.0)
    block = View(
        key="uplift/qini",
        title="Gain of treating",
        figure="1,234",
        tables=(Table(columns=("Model", "Qini"), rows=(("gbm", "0.123"),)),),
        charts=(
            Chart(kind="qini", title="Qini", subtitle="", x_axis=axis, y_axis=axis, series=(line,)),
        ),
        made_at="2026-05-06T07:08:09+00:00",
    )
    answer, refusals = answers_about(document, engine.ask), dict[str, str]()
    kept = (replace(block, stamp=page_stamp("uplift", document)),)
    decisions = answer(Totals())
    labels = Labels.of(document, decisions)
    content = ReportInput(
        document=document,
        evaluation=answer(CompareModels()),
        decisions=decisions,
        version="1",
        kept=fresh_views(document, kept, answer, labels, refusals),
        refusals=refusals,
    )
    html = render_report(content)
    for words in ("Gain of treating", "1,234", "0.123", "Of the trial.", "depth of the trial"):
        assert words in html
    assert "before the data or the settings were changed" not in html
    changed = replace(document, uplift=replace(document.uplift, treatment="age"))
    stale = render_report(replace(content, document=changed))
    assert "Made on 2026-05-06, before the data or the settings were changed" in stale
    assert "Not made: the project keeps no figures of it" in html  # explain/curve
    assert "Where are the groups furthest apart?" in html
    assert "Ours, not theirs." in html
    assert "How many are found by depth?" not in html
    assert TakeOffReport(kind="ks").apply(document).report == document.report[1:]


def test_definitions_of_every_tool(engine, document):
    for convention, figure in (
        ("scikit-learn", "Log loss"),
        ("sas_em", "Gain, best 10 %"),
        ("r", "AUC"),
    ):
        result = engine.ask(document, Definitions(convention=convention))
        assert figure in {row.figure for row in result.rows}
        assert {row.model for row in result.rows} == {"good", "rough"}
        assert all(row.cause for row in result.rows)


# ---------------------------------------------------------------- scripts


def test_scripts_ask_the_same(columns):
    scores = {"good": "p_good", "rough": "p_rough"}
    evaluation = payoff.evaluate(columns, outcome="outcome", scores=scores, resamples=64)
    chosen = evaluation.select("auc")
    assert chosen.winner == "good"
    with pytest.raises(PayoffError, match="Nothing can be chosen"):
        evaluation.select("x")
    table = evaluation.by("region", resamples=64)
    assert set(table["region"]) == {"north", "south", "isle", "all"}
    ks = evaluation.chart("ks")
    assert ks[ks["score"] == "good"]["y"].max() == pytest.approx(
        evaluation.value("ks", "good"), abs=2e-3
    )
    assert "cause" in evaluation.definitions("sas_em").columns
    with pytest.raises(PayoffError, match="no chart 'x'"):
        evaluation.chart("x")


# ---------------------------------------------------------------- limits of the loss


def test_limits_are_of_the_loss_that_the_table_shows(engine, document):
    """Of chances corrected to the class shares, not of those that the file has."""
    shares = (("yes", 0.6), ("no", 0.4))
    old = OldPriors(kind=OldPriorKind.TRAINED_AT, shares=shares)
    models = tuple(replace(entry, old_priors=old) for entry in document.models)
    document = replace(document, models=models, priors=(("yes", 0.2), ("no", 0.8)))
    table = evaluate(engine, document)
    found = engine.ask(document, ErrorBounds())
    raw = engine.ask(replace(document, priors=None), ErrorBounds())
    for model, plain in zip(found.models, raw.models, strict=True):
        assert model.mean == pytest.approx(estimate(table, "brier", model.model).value)
        assert abs(model.mean - plain.mean) > 0.01


@pytest.mark.parametrize("loss", ["squared", "zero_one"])
def test_beside_limits_stands_the_loss_of_one_prediction_for_all(engine, document, loss):
    """It is the least mean loss of any one chance, and that of naming the larger class always."""
    found = engine.ask(document, ErrorBounds(loss=loss))
    table = evaluate(engine, document)
    share = table.class_weight[0] / table.class_weight.sum()
    grid = np.linspace(0.0, 1.0, 100_001)
    squared = (share * (1.0 - grid) ** 2 + (1.0 - share) * grid**2).min()
    least = {"squared": squared, "zero_one": min(share, 1.0 - share)}[loss]
    assert found.no_model == pytest.approx(least, abs=1e-9)


def test_a_score_without_chances_has_no_limit_of_their_loss(engine, document):
    roles = [
        replace(entry, role=Role.SCORE, level=None) if entry.column == "p_good" else entry
        for entry in document.roles
    ]
    found = engine.ask(document.with_roles(tuple(roles)), ErrorBounds())
    assert "Turn the score into chances" in found.models[0].refusal
    assert not found.models[0].bounds
    assert found.models[1].bounds
