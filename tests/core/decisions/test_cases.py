"""Results per case: undefined ones are missing and marked, never dropped."""

import numpy as np
import pytest

from core.data import complete_posteriors
from core.decisions import (
    UNDECIDED,
    DecisionProblem,
    ModelScores,
    adjust_posteriors,
    case_columns,
    decide_cases,
    total_cases,
)
from core.document.decisions.matrix_model import MatrixKind
from core.kernels import limited_threads
from payoff.errors import PayoffError

from .cases import MAIL, THREE, WIDE, by_hand, consequence, mail_problem, model, posteriors


@pytest.mark.parametrize("cells", [MAIL, THREE, WIDE, MAIL[:, :1], np.vstack([WIDE, WIDE + 1])])
@pytest.mark.parametrize("kind", list(MatrixKind))
@pytest.mark.parametrize("has_costs", [False, True])
def test_each_case_as_by_hand(cells, kind, has_costs):
    table = posteriors(700, len(cells), steps=20)
    draw = np.random.default_rng(4)
    settings = {}
    if has_costs:
        settings = {
            "cost_amounts": draw.random(cells.shape[1]),
            "cost_columns": {0: draw.random(700) * 3},
        }
    problem = mail_problem(table, cells, kind=kind, **settings)
    cases = decide_cases(problem, model(table))
    hand = by_hand(problem, model(table))
    rows = range(700)
    assert cases.decision.tolist() == [case[0] for case in hand]
    assert cases.expected == pytest.approx([case[2][case[0]] for case in hand], abs=1e-12)
    own = [consequence(problem, row, hand[row][3], hand[row][0]) for row in rows]
    assert cases.computed == pytest.approx(own, abs=1e-12)
    best = [
        max(consequence(problem, row, hand[row][3], d) for d in range(cells.shape[1]))
        for row in rows
    ]
    assert cases.best == pytest.approx(best, abs=1e-12)
    assert np.all(cases.best >= cases.computed - 1e-12)
    totals = total_cases(problem, cases)
    assert totals.total == pytest.approx(problem.sense * np.sum(own))
    assert totals.best_total == pytest.approx(problem.sense * np.sum(best))
    assert totals.expected_total == pytest.approx(problem.sense * cases.expected.sum())
    if has_costs:
        assert cases.roi is not None
        assert totals.roi == pytest.approx(np.sum(own) / cases.investment.sum())
        assert totals.roi != pytest.approx(np.mean(cases.roi))


def test_undefined_cases_are_missing_and_marked():
    table = posteriors(8, 2)
    table[0, 0] = np.nan
    table[0, 1] = -0.1
    table[1, 2] = 1.5
    table[:, 3] = 0.0
    outcome = np.array([0, 1, 0, 1, -1, 0, 1, 0], dtype=np.int32)
    cost = np.full(8, 0.5)
    cost[5] = np.nan
    frequency = np.array([1, 1, 1, 1, 1, 1, 0.0, 2.5])
    problem = mail_problem(
        table, outcome=outcome, cost_columns={0: cost}, frequency=frequency, kind=MatrixKind.REVENUE
    )
    cases = decide_cases(problem, model(table))
    assert cases.warnings.tolist() == ["P", "P", "P", "P", "U", "C", "", ""]
    missing = [True, True, True, True, False, True, False, False]
    assert np.isnan(cases.expected).tolist() == missing
    assert (cases.decision == UNDECIDED).tolist() == missing
    assert np.isnan(cases.computed).tolist() == [True] * 6 + [False] * 2
    totals = total_cases(problem, cases)
    assert totals.cases == 2.5  # frequency 0 is decided, but in no statistic
    assert totals.total == pytest.approx(2.5 * cases.computed[7])
    columns = case_columns(problem, cases, "responded")
    assert columns["D_responded"][0] == ""
    assert columns["D_responded"][7] in problem.decisions
    assert set(columns) == {
        "D_responded",
        "EP_responded",
        "CP_responded",
        "BP_responded",
        "IC_responded",
        "ROI_responded",
        "_WARN_",
    }
    assert len(columns["_WARN_"]) == 8


def test_new_cases_need_no_outcome():
    table = posteriors(50, 2)
    problem = mail_problem(table, outcome=None)
    known = mail_problem(table)
    cases = decide_cases(problem, model(table))
    assert np.array_equal(cases.decision, decide_cases(known, model(table)).decision)
    assert np.isnan(cases.computed).all()
    assert set(case_columns(problem, cases, "y")) == {"D_y", "EP_y", "_WARN_"}
    with pytest.raises(PayoffError, match="no outcome"):
        total_cases(problem, cases)


def test_losses_are_positive_for_the_user_and_best_is_the_smallest():
    table = posteriors(200, 2)
    losses = mail_problem(table, np.array([[0.0, 5.0], [1.0, 0.0]]), kind=MatrixKind.LOSS)
    cases = decide_cases(losses, model(table))
    columns = case_columns(losses, cases, "y")
    assert (columns["EL_y"] >= 0).all()
    assert (columns["BL_y"] == 0).all()
    totals = total_cases(losses, cases)
    assert totals.total == pytest.approx(columns["CL_y"].sum())
    low, high = totals.intervals["total"]
    assert low < totals.total < high


def test_adding_to_a_row_or_to_a_cases_costs_changes_no_decision():
    """T5 d: Total' = Total + sum of F (r - c)."""
    table = posteriors(600, 3, steps=12)
    draw = np.random.default_rng(9)
    plain = mail_problem(table, WIDE, priors=np.array([0.2, 0.3, 0.5]))
    shift = np.array([2.0, -1.0, 0.5])
    shifted = mail_problem(table, WIDE + shift[:, None], priors=plain.priors)
    first, second = decide_cases(plain, model(table)), decide_cases(shifted, model(table))
    assert np.array_equal(first.decision, second.decision)
    a, b = total_cases(plain, first), total_cases(shifted, second)
    counts = np.bincount(plain.outcome, minlength=3)
    assert b.total - a.total == pytest.approx(np.sum(shift * counts * a.prior_weights))
    costs = draw.random(600)
    burdened = mail_problem(
        table, WIDE, cost_columns=dict.fromkeys(range(4), costs), priors=plain.priors
    )
    third = decide_cases(burdened, model(table))
    assert np.array_equal(first.decision, third.decision)
    lost = np.sum(a.prior_weights[plain.outcome] * costs)
    assert total_cases(burdened, third).total == pytest.approx(a.total - lost)


def test_rows_may_stand_in_any_order_and_threads_do_not_matter():
    table = posteriors(70_000, 3)
    problem = mail_problem(table, WIDE)
    order = np.random.default_rng(0).permutation(70_000)
    cases = decide_cases(problem, model(table))
    mixed = mail_problem(table, WIDE, outcome=problem.outcome[order])
    moved = decide_cases(mixed, model(np.ascontiguousarray(table[:, order])))
    assert np.array_equal(moved.decision, cases.decision[order])
    assert np.array_equal(moved.computed, cases.computed[order])
    with limited_threads(1):
        alone = decide_cases(problem, model(table))
    assert np.array_equal(alone.class_decision_expected, cases.class_decision_expected)


def test_corrected_posteriors_are_returned_on_request():
    table = posteriors(40, 2)
    old, new = np.array([0.5, 0.5]), np.array([0.1, 0.9])
    problem = mail_problem(table, priors=new)
    cases = decide_cases(problem, model(table, old=old), with_posteriors=True)
    assert np.array_equal(cases.posteriors, adjust_posteriors(table, new, old))
    assert decide_cases(problem, model(table), with_posteriors=True).posteriors is None


def test_one_level_may_be_left_out():
    first = np.array([0.25, 0.5])
    both = complete_posteriors({"yes": first}, ("yes", "no"))
    assert both.tolist() == [[0.25, 0.5], [0.75, 0.5]]
    swapped = complete_posteriors({"yes": first}, ("no", "yes"))
    assert swapped.tolist() == [[0.75, 0.5], [0.25, 0.5]]
    three = complete_posteriors({"a": np.array([0.1]), "b": np.array([0.9])}, ("a", "b", "c"))
    assert three[2, 0] == 0.0
    with pytest.raises(PayoffError, match="no level 'x'"):
        complete_posteriors({"x": first}, ("yes", "no"))
    with pytest.raises(PayoffError, match="missing for the levels b, c"):
        complete_posteriors({"a": first}, ("a", "b", "c"))
    with pytest.raises(PayoffError, match="No posterior column"):
        complete_posteriors({}, ("a", "b"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cells": np.array([[1.0, np.nan], [0, 0]])}, "cell of the decision matrix is missing"),
        ({"cells": np.ones((3, 2))}, "3, 2"),
        ({"levels": ("a", "a")}, "stands twice"),
        ({"decisions": ("a", "a")}, "stands twice"),
        ({"levels": ()}, "has no level"),
        ({"priors": np.array([0.5, -0.5])}, "prior of 'b' is -0.5"),
        ({"priors": np.array([0.5, np.nan])}, "missing"),
        ({"priors": np.zeros(2)}, "Every prior is zero"),
        ({"priors": np.ones(3)}, "one prior per level"),
        ({"acting": "Fly"}, "no decision 'Fly'"),
        ({"do_nothing": "Fly"}, "no decision 'Fly'"),
        ({"cost_amounts": np.ones(3)}, "one cost per decision"),
        ({"cost_columns": {5: np.ones(2)}}, "no decision number 5"),
        ({"frequency": np.ones(3), "outcome": np.zeros(2, dtype=np.int32)}, "differ in length"),
        ({"outcome": np.array([0, 2], dtype=np.int32)}, "code 2"),
    ],
)
def test_impossible_problems_are_refused(change, words):
    given = {"levels": ("a", "b"), "decisions": ("act", "wait"), "cells": MAIL, **change}
    with pytest.raises(PayoffError, match=words):
        DecisionProblem(**given)


def test_models_that_do_not_fit_are_refused():
    table = posteriors(10, 2)
    problem = mail_problem(table)
    with pytest.raises(PayoffError, match="posteriors for 3 classes"):
        decide_cases(problem, model(posteriors(10, 3)))
    with pytest.raises(PayoffError, match="11 cases"):
        decide_cases(problem, model(posteriors(11, 2)))
    with pytest.raises(PayoffError, match="table of classes"):
        ModelScores(name="m", posteriors=np.zeros(3))
    with pytest.raises(PayoffError, match="trained at are missing"):
        ModelScores(name="m", posteriors=table, old_kind="trained_at")
