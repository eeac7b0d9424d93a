"""The winner map: point by point the program's own totals; the sampled one within its error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decisions.sensitivity.changes import cell_change, changes_of, default_range, prior_change
from core.decisions.sensitivity.winner_map import axis_of, winner_map
from core.document.decisions.matrix_model import MatrixKind
from payoff.errors import PayoffError
from tests.core.decisions.break_even import moved, noisy, totals
from tests.core.decisions.cases import MAIL, THREE, WIDE, mail_problem, model, posteriors
from tests.helpers.long_run import richest


def two_models(table, old=None):
    return (model(noisy(table, 3), "rough", old), model(noisy(table, 4, 0.1), "fine", old))


def all_totals(problem, models):
    own, fixed, _ = totals(problem, models)
    return np.append(own, fixed)


def check_points(problem, models, found, x, y, *, step=1):
    """Winner, profit and margin against totals worked out anew."""
    for j in range(0, len(y.values), step):
        for i in range(0, len(x.values), step):
            there = moved(moved(problem, x.change, x.values[i]), y.change, y.values[j])
            values = all_totals(there, models)[: len(found.names)]
            best = values.max()
            assert found.profit[j, i] == pytest.approx(best, rel=1e-9, abs=1e-7)
            assert values[found.winner[j, i]] == pytest.approx(best, rel=1e-9, abs=1e-7)
            others = np.delete(values, found.winner[j, i])
            assert found.margin[j, i] == pytest.approx(best - others.max(), abs=1e-6)


def settings():
    two = posteriors(400, 2)
    weights = np.random.default_rng(4).integers(0, 3, 400).astype(float)
    priors = np.array([0.1, 0.9])
    return {
        "mail": (mail_problem(two, do_nothing="Do nothing"), two, None),
        "loss": (mail_problem(two, -MAIL, kind=MatrixKind.LOSS), two, None),
        "three decisions": (mail_problem(two, THREE, frequency=weights), two, None),
        "priors": (mail_problem(two, priors=priors), two, np.array([0.5, 0.5])),
        "one decision": (mail_problem(two, MAIL[:, :1]), two, None),
        "ties": (mail_problem(posteriors(400, 2, steps=10)), posteriors(400, 2, steps=10), None),
    }


@pytest.mark.parametrize("name", richest(settings(), "loss", "priors", "three decisions"))
def test_every_point_is_the_programs_own_total(name):
    problem, table, old = settings()[name]
    models = (model(table, "as it is", old), *two_models(table, old))
    x, y = (
        axis_of(change, *default_range(change, problem), 9)
        for change in (cell_change(problem, 0, 0), cell_change(problem, 1, 0))
    )
    found = winner_map(problem, models, x, y)
    assert found.is_exact
    assert found.winner.shape == (9, 9)
    check_points(problem, models, found, x, y)


def test_the_prior_of_the_event_can_be_an_axis():
    problem, table, old = settings()["priors"]
    models = two_models(table, old)
    prior = prior_change(problem)
    x = axis_of(prior, 0.02, 0.6, 8)
    y = axis_of(cell_change(problem, 1, 0), -4.0, 0.0, 7)
    found = winner_map(problem, models, x, y)
    assert found.is_exact
    check_points(problem, models, found, x, y)


def test_a_constant_rule_wins_where_a_model_adds_nothing():
    problem, table, _ = settings()["mail"]
    x = axis_of(cell_change(problem, 0, 0), -10.0, 40.0, 11)
    y = axis_of(cell_change(problem, 1, 0), -30.0, 5.0, 8)
    found = winner_map(problem, two_models(table), x, y)
    assert found.names == ("rough", "fine", "Mail", "Do nothing")
    assert found.names[found.winner[0, 0]] == "Do nothing"  # it costs either way
    assert found.names[found.winner[-1, -1]] == "Mail"  # it brings money either way
    assert (found.winner < 2).any()


@pytest.mark.parametrize("kind", ["three classes", "costs by case", "not complements"])
def test_other_problems_are_worked_out_coarse_to_fine(kind):
    table = posteriors(500, 3 if kind == "three classes" else 2)
    cells = WIDE if kind == "three classes" else MAIL
    problem = mail_problem(table, cells)
    if kind == "costs by case":
        costs = np.random.default_rng(2).uniform(0, 3, 500)
        problem = replace(problem, cost_columns={0: costs})
    models = two_models(table)
    if kind == "not complements":
        models = (replace(models[0], posteriors=models[0].posteriors * [[0.9], [1.0]]), models[1])
    changes = [cell_change(problem, 0, 0), cell_change(problem, 1, 0)]
    x, y = (axis_of(change, *default_range(change, problem), 21) for change in changes)
    found = winner_map(problem, models, x, y)
    assert found.cases == 500
    assert found.error == 0.0  # every case was looked at
    assert not found.is_exact or found.checked == 0
    assert found.missed <= 0.1 * found.checked
    check_points(problem, models, found, x, y, step=5)  # coarse points are worked out in full


@pytest.mark.soak
def test_a_part_of_the_cases_is_within_the_error_it_states():
    rows = 40_000
    table = posteriors(rows, 3)
    problem = mail_problem(table, WIDE)
    models = two_models(table)
    changes = [cell_change(problem, 0, 0), cell_change(problem, 1, 3)]
    x, y = (axis_of(change, *default_range(change, problem), 11) for change in changes)
    found = winner_map(problem, models, x, y)
    assert not found.is_exact
    assert 9_000 < found.cases < 11_000
    assert found.rows.rows == rows
    assert 0 < found.error < 0.05 * found.now_profit
    for j in (0, 5, 10):
        for i in (0, 5, 10):
            there = moved(moved(problem, x.change, x.values[i]), y.change, y.values[j])
            values = all_totals(there, models)[: len(found.names)]
            margin = values[found.winner[j, i]] - values[found.second[j, i]]
            assert abs(margin - found.margin[j, i]) <= found.error


def test_the_present_point_says_what_wins_now():
    problem, table, _ = settings()["mail"]
    models = two_models(table)
    x, y = (
        axis_of(change, *default_range(change, problem), 5)
        for change in (cell_change(problem, 0, 0), cell_change(problem, 1, 0))
    )
    found = winner_map(problem, models, x, y)
    own = totals(problem, models)[0]
    assert found.now_profit == pytest.approx(own.max())
    assert found.names[found.now_winner] == models[int(np.argmax(own))].name


def test_axes_that_cannot_be_are_refused():
    problem, table, _ = settings()["priors"]
    cell, prior = cell_change(problem, 0, 0), prior_change(problem)
    with pytest.raises(PayoffError, match="empty"):
        axis_of(cell, 4.0, 4.0, 10)
    with pytest.raises(PayoffError, match="lies between 0 and 1"):
        axis_of(prior, 0.1, 1.2, 10)
    x = axis_of(cell, 0.0, 4.0, 5)
    with pytest.raises(PayoffError, match="Both axes"):
        winner_map(problem, two_models(table), x, x)


def test_every_number_has_a_range_that_holds_it():
    problem, _, _ = settings()["priors"]
    for change in changes_of(problem):
        low, high = default_range(change, problem)
        assert low < high
        assert low <= change.now <= high
