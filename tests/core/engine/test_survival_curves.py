"""The job "survival": curves of groups and of a case, and a file to decide with at a horizon."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import payoff
from core.assembly.compare.survival import risk_of, survival_of
from core.document.commands import AddTrainedModel
from core.document.model import MetricChoice, Role, RoleAssignment
from core.document.studies.compare import HorizonFileArguments
from core.engine.context import JobContext
from core.engine.messages import Ask, TrainArguments
from core.questions.compare import CompareModels, Survival
from payoff.errors import PayoffError
from tests.helpers.factories.number_outcomes import (
    number_document,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    columns = survival_columns()
    data = load(engine, write_csv(tmp_path_factory.mktemp("times") / "times.csv", columns))
    document = number_document(data, "days", ("age", "smoker", "noise"))
    wanted = replace(survival_settings(), entry=None, n_trees=60)
    result = engine.run("train", TrainArguments(document=document, settings=wanted))
    return AddTrainedModel(model=result.model).apply(document)


def ask(engine, document, **more):
    name = document.models[0].name
    return engine.ask(document, Survival(model=name, **more))


def test_groups_fall_as_they_are_observed(engine, document):
    found = ask(engine, document, row=3)
    assert [group.name for group in found.groups] == [
        "lowest third",
        "middle third",
        "highest third",
    ]
    for group in found.groups:
        assert (np.diff(group.predicted[~np.isnan(group.predicted)]) <= 1e-12).all()
        predicted, observed = group.at_horizon
        assert abs(predicted - observed) < 0.12
    at = [group.at_horizon[0] for group in found.groups]
    assert at[0] > at[1] > at[2]
    assert found.brier < found.brier_constant
    assert found.auc > 0.6
    assert found.case.shape == found.times.shape
    assert 0.0 < found.case_probability < 1.0


def test_curves_read_at_the_horizon_what_is_said_of_it(engine, document):
    """The table had 62.2 % with the event where the curve was read at 38.5 % without."""
    found = ask(engine, document, row=3, horizon=183.7)
    at = list(found.times).index(183.7)
    for group in found.groups:
        assert group.at_horizon == (group.predicted[at], group.observed[at])
        assert group.low[at] <= group.observed[at] <= group.high[at]
    assert found.case_probability == 1.0 - found.case[at]


def test_groups_by_a_column_and_at_another_time(engine, document):
    found = ask(engine, document, column="smoker", horizon=200.0)
    assert {group.name for group in found.groups} == {"yes", "no"}
    by_name = {group.name: group.at_horizon[0] for group in found.groups}
    assert by_name["yes"] < by_name["no"]
    assert found.horizon == 200.0
    assert len(found.case) == 0
    with pytest.raises(PayoffError, match="values"):
        ask(engine, document, column="noise")
    with pytest.raises(PayoffError, match="no row"):
        ask(engine, document, row=10**6)


def test_chances_at_a_horizon_are_decided_with(engine, document, tmp_path):
    path = str(tmp_path / "by_200.csv")
    name = document.models[0].name
    written = engine.run(
        "horizon_file",
        HorizonFileArguments(document=document, model=name, horizon=200.0, path=path),
    )
    frame = pd.read_csv(path)
    assert len(frame) == written.rows
    known = frame.dropna(subset=[written.outcome])
    assert written.unknown > 0
    decided = payoff.decide(
        known.assign(**{written.outcome: known[written.outcome].astype(int)}),
        target=written.outcome,
        posteriors={"1": written.probability},
        weight=written.weight,
        matrix={"1": [5.0, 0.0], "0": [-2.0, 0.0]},
        decisions=["visit", "wait"],
    )
    assert 0 < decided.total < decided.best_total
    again = replace(document, data=load(engine, path))
    requested = HorizonFileArguments(document=again, model=name, horizon=200.0, path=path)
    with pytest.raises(PayoffError, match="has a column"):
        engine.run("horizon_file", requested)


def test_a_script_gives_the_same_chances(engine, document):
    frame = pd.DataFrame(survival_columns())
    model = payoff.boost(
        frame,
        target="days",
        distribution="coxph",
        event="died",
        features=["age", "smoker"],
        n_trees=30,
        interaction_depth=2,
    )
    found = model.horizon(frame, 200.0)
    np.testing.assert_allclose(found.chance, 1 - model.survival(frame, [200.0])[200.0])
    assert found.weight.sum() == pytest.approx(len(frame), rel=1e-6)
    times = payoff.boost(
        frame,
        target="days",
        distribution="aft",
        event="died",
        features=["age"],
        n_trees=5,
        distribution_params={"shape": "weibull", "scale": 0.7},
    )
    place = (np.log(200.0) - times.predict(frame)) / 0.7
    by_hand = -np.expm1(-np.exp(place))
    np.testing.assert_allclose(times.horizon(frame, 200.0).chance, by_hand, rtol=1e-12)
    with pytest.raises(PayoffError, match="predicts the time itself"):
        times.baseline_hazard()


METRICS = (
    MetricChoice(metric="survival_brier", parameters=(("time", 200.0),)),
    MetricChoice(metric="survival_auc", parameters=(("time", 200.0),)),
    MetricChoice(metric="survival_brier"),
)


def judged(engine, document):
    requested = Ask.of(replace(document, metrics=METRICS), CompareModels(resamples=20))
    return engine.run("compare.models", requested)


def _ignored(column):
    return RoleAssignment(column=column, role=Role.IGNORED)


def check_compare_and_the_window_agree(engine, document):
    """Page Compare judges a model's own chances at a time: the figures of the window are those."""
    result = judged(engine, document)
    brier, auc, later = result.cells
    found = ask(engine, document, horizon=200.0)
    assert brier.estimate.value == pytest.approx(found.brier, rel=1e-9)
    assert auc.estimate.value == pytest.approx(found.auc, rel=1e-9)
    assert "the model's own chances" in brier.estimate.note
    assert "the model's own chances" in later.estimate.note
    assert brier.estimate.low < found.brier < brier.estimate.high
    assert not any("Cox model of its risk" in text for text in result.warnings)


def test_compare_judges_own_chances(engine, document):
    check_compare_and_the_window_agree(engine, document)


def spelt_out(probability, rows, now):
    """Pairs of a case with the event by then and one lasting beyond, one by one (no late entry)."""
    time, event = rows.days.to_numpy(), rows.died.to_numpy() == 1
    above = whole = 0.0
    for i in np.flatnonzero(event & (time <= now)):
        free = 1.0
        for step in np.unique(time[(time < time[i]) & ~event]):
            lost = ((time == step) & ~event).sum()
            free *= 1.0 - lost / ((time >= step).sum() - ((time == step) & event).sum())
        later = time > now
        above += ((1.0 + np.sign(probability[i] - probability[later])) / 2.0).sum() / free
        whole += later.sum() / free
    return above / whole


def test_with_strata_the_chances_at_that_time_are_ranked(engine, document):
    """Risks of two clinics stand on different baselines: their chances can be compared."""
    bare = replace(document, models=())
    wanted = replace(survival_settings(), entry=None, strata="clinic", n_trees=40)
    result = engine.run("train", TrainArguments(document=bare, settings=wanted))
    parted = AddTrainedModel(model=result.model).apply(bare)
    check_compare_and_the_window_agree(engine, parted)
    table = pd.read_csv(parted.data.path)
    rows = table[table.use == "valid"].reset_index(drop=True)
    context = JobContext(engine.workbench)
    trained = parted.trained_model(wanted.name)
    places = np.flatnonzero(table.use == "valid")
    loaded = engine.workbench.tables.table(parted.data, context)
    lasting = survival_of(loaded, parted, trained, places, np.array([200.0]), context)[:, 0]
    auc = judged(engine, parted).cells[1].estimate.value
    assert auc == pytest.approx(spelt_out(1.0 - lasting, rows, 200.0), abs=1e-9)
    by_risk = spelt_out(risk_of(loaded, trained, context)[places], rows, 200.0)
    assert abs(auc - by_risk) > 1e-3  # the baselines of the clinics differ
    drawn = replace(parted, charts=("time_auc",), metrics=METRICS[1:2])
    (chart,) = engine.ask(drawn, CompareModels(resamples=0)).charts
    curve = next(curve for curve in chart.curves if curve.model == wanted.name)
    for place in (0, 30, 59):
        now = curve.x[place]
        own = survival_of(loaded, parted, trained, places, curve.x[[place]], context)[:, 0]
        assert curve.y[place] == pytest.approx(spelt_out(1.0 - own, rows, now), abs=1e-9)


@pytest.mark.parametrize("shape", ["lognormal", "loglogistic", "weibull"])
def test_times_that_are_predicted_have_chances_too(engine, document, shape, tmp_path):
    wanted = survival_settings(
        distribution="aft",
        entry=None,
        strata=None,
        n_trees=40,
        distribution_params=(("shape", shape), ("scale", 0.8)),
    )
    bare = replace(document, models=())
    result = engine.run("train", TrainArguments(document=bare, settings=wanted))
    timed = AddTrainedModel(model=result.model).apply(bare)
    found = ask(engine, timed, row=3, horizon=200.0)
    assert shape in found.origin
    assert (found.case[0], found.notes) == (1.0, ())
    at = [group.at_horizon[0] for group in found.groups]
    assert at[0] > at[1] > at[2]  # the lowest third by risk lasts longest
    assert found.brier < found.brier_constant
    assert found.auc > 0.6
    path = str(tmp_path / "by_200.csv")
    name = timed.models[0].name
    engine.run(
        "horizon_file",
        HorizonFileArguments(
            document=timed,
            model=name,
            horizon=200.0,
            path=path,
        ),
    )
    check_compare_and_the_window_agree(engine, timed)
    assert pd.read_csv(path).chance_by_200[3] == pytest.approx(found.case_probability, rel=1e-9)


def test_late_entry_counts_from_the_entry_on(engine, document, tmp_path):
    wanted = survival_settings(n_trees=40, entry="since")
    bare = replace(document, models=())
    result = engine.run("train", TrainArguments(document=bare, settings=wanted))
    late = AddTrainedModel(model=result.model).apply(bare)
    found = ask(engine, late, row=3, horizon=300.0)
    assert "entered late" in found.notes[0]
    assert len(found.notes) == 1
    assert found.brier < found.brier_constant
    assert found.auc > 0.6
    for group in found.groups:
        assert abs(group.at_horizon[0] - group.at_horizon[1]) < 0.12
    check_compare_and_the_window_agree(engine, late)
    path = str(tmp_path / "late.csv")
    written = engine.run(
        "horizon_file",
        HorizonFileArguments(
            document=late,
            model=late.models[0].name,
            horizon=300.0,
            path=path,
        ),
    )
    frame = pd.read_csv(path).dropna(subset=[written.outcome])
    used = frame[frame[written.weight] > 0]
    assert used[written.weight].sum() == pytest.approx(found.rows.rows, rel=1e-9)
    timed = engine.run(
        "train",
        TrainArguments(document=bare, settings=survival_settings(distribution="aft", n_trees=5)),
    )
    roles = (*bare.roles, RoleAssignment(column="since", role=Role.ENTRY))
    known = bare.with_roles(tuple(role for role in roles if role != _ignored("since")))
    found = ask(engine, AddTrainedModel(model=timed.model).apply(known))
    assert "no account of late entry" in found.notes[1]


def test_other_models_have_no_chances_over_time(engine, document):
    with pytest.raises(PayoffError, match="no chances over time"):
        engine.ask(document, Survival(model="none"))


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_cursor_reads_a_risk_in_its_own_points(engine, tmp_path, is_reversed):
    columns = survival_columns()
    sign = -1.0 if is_reversed else 1.0
    columns["xb"] = sign * (0.05 * columns["age"] + 1.0)
    data = load(engine, write_csv(tmp_path / "times.csv", columns))
    document = number_document(data, "days", ("smoker",))
    risk = RoleAssignment(column="xb", role=Role.SCORE, model="xb", is_reversed=is_reversed)
    kept = tuple(entry for entry in document.roles if entry.column not in ("xb", "died"))
    died = RoleAssignment(column="died", role=Role.EVENT)
    found = engine.ask(document.with_roles((*kept, died, risk)), CompareModels())
    (depths,) = found.depths
    xb = np.sort(sign * np.asarray(columns["xb"]))[::-1]
    for depth in (0.1, 0.5, 0.9):
        place = int(np.argmin(np.abs(depths.depth - depth)))
        wanted = sign * xb[round(depth * len(xb)) - 1]
        assert depths.threshold[place] == pytest.approx(wanted, abs=0.15)
