"""Cases 70 to 80 of the catalogue of bad input: survival times and counts.

Numbers stand in the names; the figures of 75, 76 and 78 are in
``tests/plugins/test_metric_figures.py`` too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.assembly.context import table_of
from core.assembly.models.task import check_intervals, is_monotone, time_warnings
from core.document.model import Role, RoleAssignment
from core.engine.context import JobContext
from core.engine.messages import TrainArguments
from core.evaluation import EvaluationProblem, JudgedScores, assess
from payoff.errors import PayoffError
from tests.helpers.factories.evaluation import note, request
from tests.helpers.factories.number_outcomes import (
    number_document,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, settings


def opened(engine, folder, changes=None, target="days", features=("age", "smoker", "noise")):
    columns = {**survival_columns(), **(changes or {})}
    path = write_csv(folder / "times.csv", columns)
    return number_document(load(engine, path), target, features)


def trained(engine, document, **changes):
    arguments = TrainArguments(document=document, settings=survival_settings(**changes))
    return engine.run("train", arguments)


def refused(engine, document, **changes):
    with pytest.raises(PayoffError) as refusal:
        trained(engine, document, **changes)
    return refusal.value


def problem(time, event, risk, **extras):
    time = np.asarray(time, dtype=float)
    return EvaluationProblem(
        kind="survival",
        models=(JudgedScores(name="m", prediction=np.asarray(risk, dtype=float)),),
        metrics=(),
        rows=note(len(time)),
        target=time,
        resamples=0,
        extras={"time": time, "event": np.asarray(event, dtype=float), **extras},
    )


def test_70_a_time_below_zero(engine, tmp_path):
    days = survival_columns()["days"].copy()
    days[5] = -3.0
    refusal = refused(engine, opened(engine, tmp_path, {"days": days}))
    assert "line 7" in refusal.where


def test_71_a_time_of_zero_is_said_with_two_ways_out():
    (described,) = time_warnings(problem([0.0, 2.0, 3.0], [1, 0, 1], [1.0, 2.0, 0.0]))
    assert described.startswith("1 case has the time 0, the first in")
    assert "row filter (time > 0)" in described
    assert "the smallest time seen, 2, by a derived column" in described
    assert time_warnings(problem([1.0, 2.0, 3.0], [1, 0, 1], [1.0, 2.0, 0.0])) == ()


def test_71_a_time_of_zero_does_not_train_and_two_ways_out_are_named(engine, tmp_path):
    days = survival_columns()["days"].copy()
    days[8] = 0.0
    refusal = refused(engine, opened(engine, tmp_path, {"days": days}))
    assert "line 10" in refusal.where
    assert "Leave cases out that end at 0, or give them the smallest time" in str(refusal)


@pytest.mark.parametrize(("mark", "words"), [(2.0, "as in R"), (3.0, "Mend the column")])
def test_72_events_coded_otherwise(engine, tmp_path, mark, words):
    marks = np.where(survival_columns()["died"] == 1, mark, 1.0)
    refusal = refused(engine, opened(engine, tmp_path, {"died": marks}))
    assert "event mark is" in refusal.what
    assert words in refusal.remedy or mark == 3.0  # training names what is meant only


def test_73_no_event_one_event_and_a_missing_mark(engine, tmp_path):
    name = survival_settings().event
    none = np.zeros(len(survival_columns()[name]), dtype=int)
    assert "event" in str(refused(engine, opened(engine, tmp_path, {name: none})))
    missing = [str(value) for value in survival_columns()[name]]
    missing[4] = ""
    refusal = refused(engine, opened(engine, tmp_path, {name: missing}))
    assert "missing" in refusal.what
    assert "line 6" in refusal.where


def test_73_a_single_event_is_said():
    (described,) = time_warnings(problem([1.0, 2.0, 3.0], [0, 1, 0], [1.0, 0.0, 2.0]))
    assert described.startswith("One event only, in ")
    assert "rests on this case" in described
    assert time_warnings(problem([1.0, 2.0, 3.0], [1, 1, 0], [1.0, 2.0, 0.0])) == ()


def figure(metric, time, event, risk, **parameters):
    """One metric of the table: its title, value and note."""
    zeros = np.zeros(len(time))
    requested = replace(
        problem(time, event, risk, entry=zeros, strata=zeros),
        metrics=(request(metric, **parameters),),
    )
    result = assess(requested, with_charts=False)
    (info,), (cell,) = result.metrics, result.cells
    return info.title, cell.estimate.value, cell.estimate.note


@pytest.fixture
def lung(engine, tmp_path):
    """Rows of patients who come back: an id, where a row begins and where it ends."""
    columns = {
        "patient": ["a", "a", "b", "b"],
        "start": [0.0, 5.0, 0.0, 4.0],
        "days": [5.0, 9.0, 6.0, 8.0],
        "x": [1.0, 2.0, 3.0, 4.0],
    }
    document = number_document(
        load(engine, write_csv(tmp_path / "back.csv", columns)), "days", ("x",)
    )
    roles = (
        RoleAssignment(column="patient", role=Role.ID),
        RoleAssignment(column="start", role=Role.ENTRY),
    )
    table = table_of(document, JobContext(engine.workbench))
    return table, replace(document, roles=(*document.roles, *roles)), columns


def test_74_rows_that_overlap_or_end_before_they_begin(lung):
    table, document, columns = lung
    rows = np.arange(4)
    time, entry = (np.array(columns[name]) for name in ("days", "start"))
    with pytest.raises(PayoffError, match="'patient' overlap") as refusal:
        check_intervals(table, document, rows, time, entry)
    assert "line 5" in refusal.value.where
    assert "line 4" in refusal.value.where
    check_intervals(table, document, rows[:2], time[:2], entry[:2])  # touching is no overlap
    entry = np.array([0.0, 9.0, 0.0, 6.0])
    with pytest.raises(PayoffError, match="enters at 9 and ends at 9") as refusal:
        check_intervals(table, document, rows, time, entry)
    assert "line 3" in refusal.value.where
    assert document.target.column in refusal.value.where


def test_75_no_comparable_pair_is_undefined_and_says_so():
    _, value, described = figure("concordance", [3.0, 4.0], [0, 1], [1.0, 2.0])
    assert np.isnan(value)
    assert described.startswith("No pair can be compared")


@pytest.mark.parametrize(("ties", "words"), [(0.0, "Breslow"), (1.0, "Efron")])
def test_76_all_times_tied_has_a_likelihood_and_names_the_rule(ties, words):
    risk = np.array([1.0, 2.0, 3.0])
    title, value, _ = figure("cox_log_likelihood", [5.0] * 3, [1, 1, 1], risk, ties=ties)
    assert words in title
    whole = np.exp(risk).sum() * np.array([1.0, 1.0 - ties / 3.0, 1.0 - 2.0 * ties / 3.0])
    assert value == pytest.approx(risk.sum() - np.log(whole).sum(), rel=1e-12)


def test_77_risks_in_the_exact_order_of_the_events():
    time, event = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 1.0, 0.0, 1.0])
    (described,) = time_warnings(problem(time, event, [4.0, 3.0, 1.0, 2.0]))
    assert "infinite" in described
    assert "not converge" in described
    assert time_warnings(problem(time, event, [3.0, 4.0, 1.0, 2.0])) == ()
    assert time_warnings(problem(time, event, np.ones(4))) == ()  # ties say nothing


def test_77_monotone_within_strata_only():
    time = np.array([1.0, 2.0, 1.0, 2.0])
    event = np.ones(4, dtype=bool)
    risk, strata = np.array([2.0, 1.0, 9.0, 8.0]), np.array([0.0, 0.0, 1.0, 1.0])
    assert is_monotone(time, event, strata, risk)
    assert not is_monotone(time, event, np.zeros(4), risk)


def test_78_events_where_none_is_uncensored_do_not_count_and_the_end_is_said():
    time, event = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 0, 1, 0, 0, 0]
    _, value, described = figure("uno_concordance", time, event, [6.0, 1.0, 5.0, 2.0, 3.0, 4.0])
    assert "Events up to time 3 count" in described
    assert value == 1.0
    # Everyone is censored at 2: beyond, the weight of an event would be infinite.
    time, event, risk = [1.0, 2.0, 2.0, 3.0], [1, 0, 0, 1], [1.0, 2.0, 3.0, 0.0]
    entry = np.array([0.0, 0.0, 0.0, 2.5])
    zeros = np.zeros(4)
    requested = problem(time, event, risk, entry=entry, strata=zeros)
    result = assess(replace(requested, metrics=(request("uno_concordance"),)), with_charts=False)
    assert "Events up to time 1 count" in result.cells[0].estimate.note


def test_79_counts_below_zero_not_whole_and_offsets_unknown(engine, tmp_path):
    columns = raw_columns(rows=200)
    wanted = settings(distribution="poisson", target="count", features=("amount",))

    def attempt(changes, **more):
        path = write_csv(tmp_path / "counts.csv", {**columns, **changes})
        document = number_document(load(engine, path), "count", ("amount",))
        arguments = TrainArguments(document=document, settings=replace(wanted, **more))
        return engine.run("train", arguments)

    count = columns["count"].astype(float)
    count[10:40] = 1.5
    assert any("no whole numbers" in text for text in attempt({"count": count}).warnings)
    count = columns["count"].astype(float)
    count[10] = -1.0
    with pytest.raises(PayoffError, match="-1") as refusal:
        attempt({"count": count})
    assert "line 12" in refusal.value.where
    exposure = np.zeros(200)
    for value, words in (("", "missing"), ("-inf", "inf")):
        texts = [str(v) for v in exposure]
        texts[8] = value
        with pytest.raises(PayoffError, match=words) as refusal:
            attempt({"exposure": texts}, offset="exposure")
        assert "line 10" in refusal.value.where


def test_80_dates_are_no_times(engine, tmp_path):
    dates = [f"2024-01-{1 + i % 28:02d}" for i in range(len(survival_columns()["days"]))]
    document = opened(engine, tmp_path, {"days": dates})
    refusal = refused(engine, document)
    assert "date" in str(refusal)
    assert refusal.remedy


def test_80_times_in_two_units_are_asked_about():
    random = np.random.default_rng(4)
    days, event = random.uniform(300.0, 900.0, 60), np.arange(60) % 2
    risk = random.normal(size=60)
    assert time_warnings(problem(days, event, risk)) == ()
    mixed = np.where(np.arange(60) % 3 == 0, days / 365.25, days)
    (described,) = time_warnings(problem(mixed, event, risk))
    assert described.startswith("20 times are at most 2")
    assert "in two units" in described
    lone = days.copy()
    lone[0] = 1.0  # one case that ended early is no second unit
    assert time_warnings(problem(lone, event, risk)) == ()
    skewed = random.exponential(100.0, 500)
    assert time_warnings(problem(skewed, np.ones(500), random.normal(size=500))) == ()
