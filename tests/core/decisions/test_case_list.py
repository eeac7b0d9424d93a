"""The list of cases: gaps, order, own break-evens."""

import numpy as np
import pytest

from core.decisions import DecisionWorkspace, analyse
from core.decisions.passes.case_values import values_of
from core.decisions.studies.case_list import (
    acts_above,
    against_one_for_all,
    case_list,
    order_of,
    own_break_even,
)
from payoff.errors import PayoffError
from tests.core.decisions.cases import WIDE, by_hand, mail_problem, model, posteriors


def test_gap_is_to_the_second_best_decision():
    table = posteriors(80, 3, 2)
    problem = mail_problem(table, WIDE, decisions=tuple("abcd"))
    listed = case_list(problem, model(table))
    for row, (_, _, expected, _) in enumerate(by_hand(problem, model(table))):
        ordered = sorted(expected)
        assert listed.gap[row] == pytest.approx(ordered[-1] - ordered[-2])
    missed = listed.column("missed")
    np.testing.assert_allclose(missed, listed.decided.best - listed.decided.computed)
    assert (missed >= -1e-12).all()


def test_order_has_ties_by_row_and_undefined_last():
    key = np.array([2.0, np.nan, 3.0, 2.0, -1.0])
    assert order_of(key, is_descending=True).tolist() == [2, 0, 3, 4, 1]
    assert order_of(key, is_descending=False).tolist() == [4, 0, 3, 2, 1]


def test_marked_cases_stay_in_the_list():
    table = posteriors(10, 2, 2)
    table[:, 3] = np.nan
    outcome = np.zeros(10, dtype=np.int32)
    outcome[5] = -1
    listed = case_list(mail_problem(table, outcome=outcome), model(table))
    assert listed.decided.warnings.tolist()[3] == "P"
    assert listed.decided.warnings.tolist()[5] == "U"
    assert np.isnan(listed.gap[3])
    assert np.isfinite(listed.gap[5])


def test_own_break_even_by_hand():
    """+24 and -1.6 before the case's own letter: p* = (1.6 + cost) / 25.6."""
    table = posteriors(4, 2, 1)
    cost = np.array([0.0, 1.0, 24.0, 30.0])
    problem = mail_problem(table, cost_columns={0: cost})
    wanted = (1.6 + cost) / 25.6
    np.testing.assert_allclose(own_break_even(problem), wanted)
    assert acts_above(problem)
    assert own_break_even(mail_problem(table)) is None
    wide = posteriors(4, 3, 1)
    three = mail_problem(wide, WIDE, decisions=tuple("abcd"), cost_columns={0: cost})
    assert own_break_even(three) is None


def test_the_rule_is_the_own_break_even():
    draw = np.random.default_rng(3)
    table = posteriors(2000, 2, 4)
    cost = draw.uniform(0.0, 15.0, 2000)
    problem = mail_problem(table, cost_columns={0: cost}, do_nothing="Do nothing")
    listed = case_list(problem, model(table))
    acted = listed.decided.decision == 0
    np.testing.assert_array_equal(acted, table[0] >= listed.break_even)
    workspace = DecisionWorkspace()
    analyse(problem, (model(table),), workspace=workspace)
    values = values_of(workspace.state, workspace.state.models[0])
    one = against_one_for_all(values, table[0], listed.break_even, is_above=True)
    assert one.expected_gain > 0  # own break-evens cannot promise less than one for all
    assert one.acted_share == pytest.approx(acted.mean())
    mean = listed.break_even.mean()
    at_mean = table[0] >= mean
    gain = np.where(problem.outcome == 0, 24.0, -1.6) - cost
    assert one.realised_gain == pytest.approx(gain[acted].sum() - gain[at_mean].sum())


def test_roi_needs_costs():
    table = posteriors(10, 2, 1)
    with pytest.raises(PayoffError, match="no return"):
        case_list(mail_problem(table), model(table)).column("roi")
    with_cost = mail_problem(table, cost_amounts=np.array([1.0, 0.0]))
    assert case_list(with_cost, model(table)).column("roi").shape == (10,)
