"""Survival times and ranked lists through the engine: trained, judged, watched, explained."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from core.assembly.cases import cases_of
from core.document.commands import AddTrainedModel, SetRowsUsed
from core.document.compare.commands import SetMetrics
from core.document.data.model import RowUse
from core.document.model import MetricChoice, Role, RoleAssignment
from core.engine.context import JobContext
from core.engine.messages import Ask, TrainArguments
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.questions.explain import Distributions, Explain
from payoff.errors import PayoffError
from tests.helpers.factories.number_outcomes import (
    number_document,
    ranking_columns,
    ranking_settings,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, settings


@pytest.fixture(scope="module")
def times(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("times") / "times.csv", survival_columns())
    return number_document(load(engine, path), "days", ("age", "smoker", "noise"))


@pytest.fixture(scope="module")
def grades(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("grades") / "grades.csv", ranking_columns())
    return number_document(load(engine, path), "grade", ("match", "age", "noise"))


def train(engine, document, wanted):
    result = engine.run("train", TrainArguments(document=document, settings=wanted))
    return AddTrainedModel(model=result.model).apply(document), result


def judged(engine, document, resamples=0):
    result = engine.ask(document, CompareModels(resamples=resamples))
    return result, {(c.model, c.metric): c.estimate for c in result.cells}


def test_a_survival_model_is_judged_by_concordance(engine, times):
    document, result = train(
        engine, times, survival_settings(entry="since", strata="clinic", n_trees=40)
    )
    assert result.curves.valid[-1] < result.curves.valid[0]
    shown, cells = judged(engine, document, resamples=40)
    assert [info.metric for info in shown.metrics] == ["concordance"]
    found = cells["hazards", "concordance"]
    assert 0.62 < found.value < 0.9
    assert found.low < found.value < found.high
    predictions = cases_of(document, JobContext(engine.workbench)).predictions["hazards"]
    columns = survival_columns()
    rows = np.flatnonzero(np.array(columns["use"]) == "valid")
    assert found.value == pytest.approx(spelt_out(predictions, columns, rows), rel=1e-12)


def spelt_out(risk, columns, rows):
    """Concordance within clinics among those under observation, pair by pair."""
    time, entry = columns["days"][rows], columns["since"][rows]
    event, clinic = columns["died"][rows], columns["clinic"][rows]
    right = pairs = 0.0
    for i in np.flatnonzero(event):
        later = (time > time[i]) | ((time == time[i]) & (event == 0))
        other = later & (entry < time[i]) & (clinic == clinic[i])
        right += (risk[i] > risk[other]).sum() + 0.5 * (risk[i] == risk[other]).sum()
        pairs += other.sum()
    return right / pairs


def scored(document, *roles):
    """The document with other roles for some columns, scores of a model among them."""
    named = {entry.column for entry in roles}
    others = tuple(entry for entry in document.roles if entry.column not in named)
    return document.with_roles((*others, *roles))


def score(column, **facts):
    return RoleAssignment(column=column, role=Role.SCORE, model=column, **facts)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_score_beside_an_event_is_a_risk_without_a_trained_model(engine, times, is_reversed):
    columns = survival_columns()
    died = RoleAssignment(column="died", role=Role.EVENT)
    document = scored(times, died, score("age", is_reversed=is_reversed))
    shown, cells = judged(engine, document)
    assert [info.metric for info in shown.metrics] == ["concordance"]
    rows = np.flatnonzero(np.array(columns["use"]) == "valid")
    alike = {**columns, "since": np.full(len(columns["days"]), -1.0)}
    alike["clinic"] = np.zeros(len(columns["days"]))
    risk = np.asarray(columns["age"], dtype=float)[rows] * (-1.0 if is_reversed else 1.0)
    wanted = spelt_out(risk, alike, rows)
    assert cells["age", "concordance"].value == pytest.approx(wanted, rel=1e-12)


def test_a_score_that_says_nothing_of_a_number_costs_its_own_figures_only(engine, times):
    as_number = RoleAssignment(column="noise", role=Role.PREDICTION, model="noise")
    document = scored(times, score("age"), as_number)
    shown, cells = judged(engine, document)
    assert np.isfinite(cells["noise", "rmse"].value)
    assert not any(model == "age" for model, _ in cells)
    (warning,) = (line for line in shown.warnings if "'age'" in line)
    assert "is left out. Model 'age' has no prediction column." in warning
    with pytest.raises(PayoffError, match="Model 'age' has no prediction column"):
        judged(engine, scored(times, score("age")))


def test_late_entry_and_strata_change_the_model(engine, times):
    plain = train(engine, times, survival_settings(n_trees=5))[1]
    late = train(engine, times, survival_settings(n_trees=5, entry="since"))[1]
    apart = train(engine, times, survival_settings(n_trees=5, strata="clinic"))[1]
    assert len({entry.model.model_hash for entry in (plain, late, apart)}) == 3


def test_predicted_times_stand_beside_risks(engine, times):
    """A model of the time itself ranks the other way round; both are judged by concordance."""
    document = train(engine, times, survival_settings(n_trees=30))[0]
    mean = settings(
        name="mean", distribution="gaussian", target="days", features=("age", "smoker"), n_trees=30
    )
    document = train(engine, document, mean)[0]
    cells = judged(engine, document)[1]
    assert cells["hazards", "concordance"].value > 0.6
    assert cells["mean", "concordance"].value > 0.55


def test_rmse_is_left_out_of_survival_with_a_reason(engine, times):
    document = train(engine, times, survival_settings(n_trees=5))[0]
    document = SetMetrics(
        metrics=(MetricChoice(metric="rmse"), MetricChoice(metric="concordance"))
    ).apply(document)
    shown, cells = judged(engine, document)
    assert set(cells) == {("hazards", "concordance")}
    assert any("'RMSE' is left out" in text for text in shown.warnings)


@pytest.mark.parametrize(
    ("changes", "words", "where"),
    [
        ({"event": "age"}, "event mark is", "column age"),
        ({"entry": "days"}, "enters at", "column days"),
        ({"event": None}, "Cox survival needs a column for the role 'event'", None),
    ],
)
def test_wrong_columns_of_a_survival_model_are_named(engine, times, changes, words, where):
    features = ("smoker", "noise")
    with pytest.raises(PayoffError, match=words) as refusal:
        train(engine, times, survival_settings(features=features, **changes))
    if where is not None:
        assert where in str(refusal.value.where)


def test_a_column_of_the_training_is_no_input(engine, times):
    wanted = survival_settings(features=("age", "since"), entry="since")
    with pytest.raises(PayoffError, match="'since' cannot be an input"):
        train(engine, times, wanted)


def test_a_ranking_model_is_judged_by_ndcg(engine, grades):
    document, result = train(engine, grades, ranking_settings())
    shown, cells = judged(engine, document, resamples=40)
    assert [info.metric for info in shown.metrics] == ["ndcg", "ordered_pairs"]
    found = cells["lists", "ndcg"]
    assert found.low < found.value < found.high
    columns = ranking_columns()
    rows = np.flatnonzero(np.array(columns["use"]) == "valid")
    score = cases_of(document, JobContext(engine.workbench)).predictions["lists"]
    grade, query = columns["grade"][rows], np.array(columns["query"])[rows]
    each = [
        ndcg_score([grade[query == name]], [score[query == name]])
        for name in np.unique(query)
        if grade[query == name].max() > 0
    ]
    assert found.value == pytest.approx(np.mean(each), rel=1e-12)
    assert not result.warnings


@pytest.mark.parametrize(
    ("params", "first"),
    [
        ((("metric", "conc"),), "ordered_pairs"),
        ((("metric", "ndcg"), ("max_rank", 3.0)), "ndcg(places=3)"),
    ],
)
def test_a_ranking_is_judged_first_by_what_it_was_trained_for(engine, grades, params, first):
    wanted = ranking_settings(distribution_params=params, n_trees=5)
    shown = judged(engine, train(engine, grades, wanted)[0])[0]
    assert shown.metrics[0].metric == first


def test_lists_in_two_uses_are_warned_of(engine, grades):
    wanted = ranking_settings(group="match", features=("age",), n_trees=2)
    document = replace(grades, split=replace(grades.split, column=None, shares=(0.5, 0.25, 0.25)))
    roles = tuple(
        RoleAssignment(column=e.column, role=Role.IGNORED) if e.column == "use" else e
        for e in document.roles
    )
    result = train(engine, document.with_roles(roles), replace(wanted, group="query"))[1]
    assert any("have rows that train and rows that judge" in text for text in result.warnings)


@pytest.mark.parametrize(
    ("kind", "watch"), [("times", "concordance"), ("grades", "ndcg"), ("grades", "map")]
)
def test_early_stopping_watches_the_right_measure(engine, request, kind, watch):
    document = request.getfixturevalue(kind)
    usual = survival_settings() if kind == "times" else ranking_settings()
    wanted = replace(usual, watch=watch, n_trees=200, patience=20)
    document, result = train(engine, document, wanted)
    seen = ~np.isnan(result.curves.watched)
    best = int(np.nanargmax(result.curves.watched))
    assert seen.any()
    assert result.curves.is_higher_better
    assert result.curves.trees[best] == result.model.trees_used
    document = SetMetrics(metrics=(MetricChoice(metric=watch),)).apply(document)
    shown = judged(engine, document)[1][usual.name, watch].value
    assert shown == pytest.approx(np.nanmax(result.curves.watched), rel=1e-12)


def test_each_distribution_offers_its_own_watches(engine, times):
    result = engine.ask(times, Distributions())
    by_id = {entry.id: entry for entry in result.distributions}
    assert dict(by_id["coxph"].watches).keys() >= {"deviance", "concordance"}
    assert not dict(by_id["coxph"].watches).keys() & {"rmse", "auc", "ndcg"}
    assert dict(by_id["pairwise"].watches).keys() >= {"deviance", "ndcg", "ordered_pairs"}
    assert "rmse" in dict(by_id["gaussian"].watches)
    assert by_id["coxph"].uses == ("entry", "strata")


def test_a_time_beside_its_event_begins_with_a_survival_loss(engine, times):
    event = survival_settings().event
    roles = tuple(entry for entry in times.roles if entry.column != event)
    known = times.with_roles((*roles, RoleAssignment(column=event, role=Role.EVENT)))
    unknown = times.with_roles((*roles, RoleAssignment(column=event, role=Role.IGNORED)))
    for document, usual in ((known, "coxph"), (unknown, "gaussian")):
        offered = engine.ask(document, Distributions()).distributions
        assert [entry.id for entry in offered if entry.is_usual] == [usual]


def test_explaining_says_what_the_scale_is(engine, times, grades):
    document = train(engine, times, survival_settings(n_trees=20))[0]
    requested = Ask.of(document, Explain(model="hazards", columns=("age",), shuffles=True))
    found = engine.run("explain.model", requested)
    assert found.outputs == ("log of the relative risk",)
    by_name = {entry.column: entry for entry in found.influence}
    assert by_name["age"].shuffled > by_name["noise"].shuffled
    assert found.curves[0].y[0, -1] > found.curves[0].y[0, 0]
    document = train(engine, grades, ranking_settings(n_trees=20))[0]
    requested = Ask.of(document, Explain(model="lists", shuffles=True))
    found = engine.run("explain.model", requested)
    assert found.outputs == ("score within a list",)
    assert found.influence[0].column == "match"
    assert found.influence[0].shuffled > 0


def test_a_count_is_judged_by_its_deviance_too(engine, grades):
    wanted = settings(
        name="counts",
        distribution="tweedie",
        target="grade",
        features=("match", "age"),
        distribution_params=(("power", 1.3),),
        n_trees=10,
    )
    shown, cells = judged(engine, train(engine, grades, wanted)[0])
    assert [info.metric for info in shown.metrics] == [
        "rmse",
        "mae",
        "tweedie_deviance(power=1.3)",
    ]
    assert cells["counts", "tweedie_deviance(power=1.3)"].value > 0


def test_test_rows_are_judged_too(engine, times):
    document = train(engine, times, survival_settings(n_trees=30, cv_folds=3))[0]
    for use in (RowUse.TRAIN, RowUse.TEST):
        shown, cells = judged(engine, SetRowsUsed(rows_used=use).apply(document))
        assert cells["hazards", "concordance"].value > 0.6
        assert shown.rows.use == use


def test_scores_beside_a_column_of_lists_are_judged_as_rankings(engine, grades):
    group = ranking_settings().group
    roles = tuple(entry for entry in grades.roles if entry.column not in (group, "match"))
    score = RoleAssignment(column="match", role=Role.PREDICTION, model="by match")
    plain = SetRowsUsed(rows_used=RowUse.ALL).apply(grades.with_roles((*roles, score)))
    listed = plain.with_roles((*plain.roles, RoleAssignment(column=group, role=Role.GROUP)))
    for document, usual, metrics in (
        (plain, "gaussian", {"rmse", "mae"}),
        (listed, "pairwise", {"ndcg", "ordered_pairs"}),
    ):
        offered = engine.ask(document, Distributions()).distributions
        assert [entry.id for entry in offered if entry.is_usual] == [usual]
        shown, cells = judged(engine, document)
        assert {info.metric for info in shown.metrics} == metrics
        assert {model for model, _ in cells} == {"by match"}
    with pytest.raises(PayoffError, match=f"give '{group}' another role"):
        engine.ask(listed, Totals())


@pytest.mark.parametrize(
    ("values", "usual"), [([0, 0, 1, 3], "poisson"), ([40, 0, 93, 55], "gaussian")]
)
def test_small_counts_are_offered_as_counts_first(engine, tmp_path, values, usual):
    columns = {
        "use": ["train", "test"] * 200,
        "age": list(range(400)),
        "claims": [values[k % 4] for k in range(400)],
    }
    document = number_document(
        load(engine, write_csv(tmp_path / "claims.csv", columns)), "claims", ("age",)
    )
    offered = engine.ask(document, Distributions()).distributions
    assert [info.id for info in offered if info.is_usual] == [usual]
