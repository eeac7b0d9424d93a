"""Diagonal form, equivalent priors, the chart's threshold: the same decisions by other means."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.decisions import ModelScores, adjust_posteriors, analyse, decide_cases
from core.decisions.advice.threshold_forms import diagonal_form, thresholds_of
from core.document.model import ChartMode

from .cases import mail_problem, model, posteriors

CELLS = st.integers(-20, 20).map(float)


def decisions_by(problem, table):
    return decide_cases(problem, ModelScores(name="m", posteriors=table)).decision


@settings(max_examples=80, deadline=None)
@given(st.lists(CELLS, min_size=4, max_size=4), st.floats(0.02, 0.98))
def test_two_classes_decide_alike_by_their_diagonal(cells, prior):
    matrix = np.array(cells).reshape(2, 2)
    table = posteriors(300, 2)
    priors = np.array([prior, 1 - prior])
    problem = mail_problem(table, matrix, priors=priors)
    form = diagonal_form(problem)
    assume(form is not None)
    # p* = (d - c) / ((a - b) + (d - c)): both forms decide alike
    other = np.zeros((2, 2))
    other[[0, 1], form.right] = form.diagonal
    diagonal = mail_problem(table, other, priors=priors)
    # Chances within rounding of the cut-off may fall on either side of another sum.
    p_star = form.diagonal[1] / form.diagonal.sum()
    clear = np.abs(table[0] - p_star) > 1e-9
    assert np.array_equal(decisions_by(problem, table)[clear], decisions_by(diagonal, table)[clear])
    # ... and so do the most likely class and priors times diagonal.
    moved = adjust_posteriors(table, form.priors, priors)
    likely = form.right[moved.argmax(axis=0)]
    assert np.array_equal(likely[clear], decisions_by(problem, table)[clear])


def test_the_diagonal_of_the_source():
    form = diagonal_form(mail_problem(posteriors(10, 2), np.array([[15.0, 0.0], [-1.5, 0.0]])))
    assert form.diagonal.tolist() == [15.0, 1.5]
    assert form.subtracted.tolist() == [0.0, -1.5]
    assert form.right.tolist() == [0, 1]


def test_three_classes_need_equal_wrong_decisions():
    table = posteriors(500, 3)
    # T5 (e): diag(20, 1, 1) against priors times (20, 1, 1) with ones on the diagonal
    priors = np.array([0.1, 0.3, 0.6])
    problem = mail_problem(table, np.diag([20.0, 1.0, 1.0]) + 3.0, priors=priors)
    form = diagonal_form(problem)
    assert form.diagonal == pytest.approx([20.0, 1.0, 1.0])
    assert form.priors == pytest.approx(np.array([2.0, 0.3, 0.6]) / 2.9)
    likely = adjust_posteriors(table, form.priors, priors).argmax(axis=0)
    assert np.array_equal(likely, decisions_by(problem, table))
    uneven = np.array([[9.0, 1.0, 2.0], [0.0, 5.0, 0.0], [0.0, 0.0, 5.0]])
    assert diagonal_form(mail_problem(table, uneven)) is None


def test_columns_in_another_order_keep_their_diagonal():
    form = diagonal_form(mail_problem(posteriors(10, 2), np.array([[0.0, 15.0], [0.0, -1.5]])))
    assert form.right.tolist() == [1, 0]
    assert form.diagonal.tolist() == [15.0, 1.5]


@pytest.mark.parametrize("cells", [[[5.0, 0.0], [1.0, 0.0]], [[5.0, 5.0], [1.0, 1.0]]])
def test_a_dominated_decision_has_no_threshold_and_no_diagonal(cells):
    found = thresholds_of(mail_problem(posteriors(10, 2), np.array(cells)))
    assert found.rule is None
    assert found.diagonal is None
    assert found.dominated
    assert "no chance decides" in dict(found.reading)["Break-even"]


def test_implicit_do_nothing_is_read_off_the_chart():
    table = posteriors(4_000, 2)
    problem = mail_problem(table, np.array([[24.0], [-1.6]]))
    result = analyse(problem, (model(table),))
    found = thresholds_of(problem, result.models[0])
    assert found.is_do_nothing_implicit
    assert found.rule == pytest.approx(1.6 / 25.6)
    assert found.chart_depth == result.models[0].best_depth
    # acting at the chart's threshold is expected to bring p x 24 - (1 - p) x 1.6
    probability = found.chart_threshold
    assert found.chart_expected == pytest.approx(24 * probability - 1.6 * (1 - probability))
    assert abs(probability - found.rule) < 0.05
    assert "do not read the total" in dict(found.reading)["Two ways of working"]
    assert dict(result.threshold_reading) == dict(found.reading)


def test_firm_decisions_have_no_depth_to_read():
    table = posteriors(2_000, 2)
    problem = mail_problem(table)
    result = analyse(problem, (model(table),), chart_mode=ChartMode.FIRM)
    found = thresholds_of(problem, result.models[0], ChartMode.FIRM)
    assert np.isnan([found.chart_depth, found.chart_profit]).all()
    assert found.firm_profit == pytest.approx(result.models[0].total.value)
    assert "Never mix" in dict(found.reading)["Two ways of working"]


def test_without_outcomes_the_matrix_still_has_its_thresholds():
    problem = mail_problem(posteriors(5, 2), outcome=None)
    found = thresholds_of(problem)
    assert float(found) == pytest.approx(1.6 / 25.6)
    assert found.regions == (("Do nothing", 0.0, 1.6 / 25.6), ("Mail", 1.6 / 25.6, 1.0))
    assert np.isnan(found.firm_profit)
