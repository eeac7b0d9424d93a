"""Interval targets: cases by hand, and the properties of decisions and totals."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions import (
    DecisionWorkspace,
    analyse,
    decide_cases,
    profit_chart,
    read_cursor,
    resample_differences,
    total_cases,
)
from core.decisions.number_targets.rule import format_value
from core.decisions.passes.cases import return_on_investment
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode
from payoff.errors import PayoffError
from tests.core.decisions import cases as classes
from tests.core.decisions.numbers import (
    GIFTS,
    KNOTS,
    NAMES,
    by_hand,
    gift_problem,
    line,
    model,
    outcomes,
    predictions,
    total_by_hand,
)

ROWS = 400


def decided(predicted, **settings):
    problem = gift_problem(predicted, **settings)
    return problem, model(predicted), decide_cases(problem, model(predicted))


# ------------------------------------------------------------------ by hand


def test_three_customers_by_hand():
    """Mail costs 0.68 and keeps the gift; knots 0 and 100. Predicted 0.50, 12 and 140."""
    predicted, actual = np.array([0.5, 12.0, 140.0]), np.array([20.0, 0.0, 200.0])
    problem, scores, cases = decided(
        predicted,
        actual=actual,
        knots=(0.0, 100.0),
        cells=np.array([[-0.68, 0.0], [99.32, 0.0]]),
        decisions=("Mail", "Do nothing"),
    )
    assert cases.decision.tolist() == [1, 0, 0]  # 0.50 does not pay 0.68
    assert cases.expected == pytest.approx([0.0, 11.32, 139.32])
    assert cases.computed == pytest.approx([0.0, -0.68, 199.32])
    assert cases.best == pytest.approx([19.32, 0.0, 199.32])
    totals = total_cases(problem, cases)
    assert totals.total == pytest.approx(198.64)
    assert totals.expected_total == pytest.approx(150.64)
    assert totals.best_total == pytest.approx(218.64)
    assert totals.counts.tolist() == [[1.0, 1.0], [1.0, 0.0]]  # bands below 100, 100 and more
    assert problem.levels == ("below 100", "100 and more")
    assert scores.posteriors.shape == (0, 3)


@pytest.mark.parametrize("kind", list(MatrixKind))
@pytest.mark.parametrize("has_own_costs", [False, True])
def test_every_case_as_by_hand(kind, has_own_costs):
    predicted = predictions(ROWS)
    draw = np.random.default_rng(3)
    problem, scores, cases = decided(
        predicted,
        kind=kind,
        frequency=draw.integers(1, 4, ROWS).astype(float),
        cost_amounts=np.array([0.5, 3.0, 0.0]),
        cost_columns={1: draw.uniform(0, 6, ROWS)} if has_own_costs else {},
    )
    wanted = by_hand(problem, scores)
    assert cases.decision.tolist() == [case[0] for case in wanted]
    for values, place in ((cases.expected, 1), (cases.computed, 2), (cases.best, 3)):
        assert values == pytest.approx([case[place] for case in wanted], abs=1e-9)
    totals = total_cases(problem, cases)
    assert totals.total == pytest.approx(problem.sense * total_by_hand(problem, scores))


def test_investment_and_return_have_the_own_cost():
    predicted = np.array([20.0, 20.0, 20.0])
    problem, _, cases = decided(
        predicted,
        actual=np.array([30.0, 2.0, 0.0]),
        knots=(0.0, 100.0),
        cells=np.array([[0.0, 0.0], [100.0, 0.0]]),
        decisions=("Mail", "Do nothing"),
        kind=MatrixKind.REVENUE,
        cost_columns={0: np.array([5.0, 2.0, 40.0])},
    )
    assert cases.decision.tolist() == [0, 0, 1]
    assert cases.investment.tolist() == [5.0, 2.0, 0.0]
    assert cases.roi[:2].tolist() == [5.0, 0.0]  # (30 - 5) / 5, (2 - 2) / 2
    assert np.isnan(cases.roi[2])  # nothing invested, nothing won
    assert total_cases(problem, cases).roi == pytest.approx(25.0 / 7.0)


def test_ties_and_rounding_go_to_the_first_decision():
    cells = np.array([[0.0, 0.0], [100.0, 100.0]])
    tolerance = 100.0 * 2.0**-41
    predicted = np.array([50.0, 50.0])
    for extra, wanted in ((0.0, 0), (tolerance / 2, 0), (3 * tolerance, 1)):
        moved = cells + np.array([0.0, extra])
        _, _, cases = decided(predicted, knots=(0, 100), cells=moved, decisions=("a", "b"))
        assert cases.decision.tolist() == [wanted, wanted]


def test_missing_prediction_outcome_and_cost_are_marked_not_dropped():
    predicted = np.array([20.0, np.nan, 20.0, 20.0, np.inf])
    _, _, cases = decided(
        predicted,
        actual=np.array([10.0, 10.0, np.nan, 10.0, 10.0]),
        cost_columns={0: np.array([1.0, 1.0, 1.0, np.nan, 1.0])},
    )
    assert cases.warnings.tolist() == ["", "P", "U", "C", "P"]
    assert np.isnan(cases.expected[[1, 3, 4]]).all()
    assert not np.isnan(cases.expected[2])  # decided, though its outcome is not known
    assert np.isnan(cases.computed[1:]).all()
    assert cases.class_decision_cases.sum() == 1.0


# ------------------------------------------------------------------ properties


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(-20, 20), st.floats(-20, 20))
def test_a_constant_added_to_every_row_moves_totals_only(seed, shift, case_shift):
    predicted = np.round(predictions(60, seed), 1) + 0.037  # off every crossing
    before, scores, cases = decided(predicted)
    costs = {d: np.full(60, case_shift) for d in range(3)}
    after = gift_problem(predicted, cells=GIFTS + shift, cost_columns=costs)
    moved = decide_cases(after, scores)
    assert np.array_equal(moved.decision, cases.decision)
    wanted = total_cases(before, cases).total + 60 * (shift - case_shift)
    assert total_cases(after, moved).total == pytest.approx(wanted, abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(-20, 20), st.floats(-20, 20), st.floats(-20, 20))
def test_any_amounts_added_to_the_rows_of_all_decisions_leave_decisions(seed, a, b, c):
    predicted = np.round(predictions(60, seed), 1) + 0.037  # off every crossing
    _, scores, cases = decided(predicted)
    after = gift_problem(predicted, cells=GIFTS + np.array([[a], [b], [c]]))
    assert np.array_equal(decide_cases(after, scores).decision, cases.decision)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.permutations(range(3)))
def test_rows_of_the_matrix_come_in_any_order(seed, order):
    predicted = predictions(50, seed)
    _, scores, cases = decided(predicted)
    mixed = gift_problem(predicted, cells=GIFTS[list(order)], knots=[KNOTS[i] for i in order])
    again = decide_cases(mixed, scores)
    assert np.array_equal(again.decision, cases.decision)
    assert np.array_equal(again.computed, cases.computed)


def test_a_loss_matrix_decides_as_the_profit_matrix_with_turned_signs():
    predicted = predictions(ROWS)
    problem, scores, cases = decided(predicted)
    turned = gift_problem(predicted, cells=-GIFTS, kind=MatrixKind.LOSS)
    again = decide_cases(turned, scores)
    assert np.array_equal(again.decision, cases.decision)
    assert total_cases(turned, again).total == pytest.approx(-total_cases(problem, cases).total)


def test_weight_two_is_the_row_twice():
    predicted, actual = predictions(80), outcomes(predictions(80))
    frequency = np.where(np.arange(80) < 20, 2.0, 1.0)
    twice = np.concatenate([np.arange(80), np.arange(20)])
    weighted = gift_problem(predicted, actual=actual, frequency=frequency)
    plain = gift_problem(predicted[twice], actual=actual[twice])
    first = analyse(weighted, (model(predicted),)).models[0]
    second = analyse(plain, (model(predicted[twice]),)).models[0]
    assert first.total.value == pytest.approx(second.total.value)
    assert first.total.low == pytest.approx(second.total.low)
    assert first.profit == pytest.approx(second.profit)
    assert first.low == pytest.approx(second.low)


# ------------------------------------------------------------------ analysis


def profit_at(problem, scores, depth):
    """Total by hand when the best ``depth`` get the acting decision, ties in proportion."""
    acting = problem.acting_index
    others = [d for d in range(len(problem.decisions)) if d != acting]
    rows = []
    for row, predicted in enumerate(scores.predicted):
        values = {d: line(problem, row, predicted, d) for d in range(len(problem.decisions))}
        rest = max(others, key=lambda d: values[d])
        actual = float(problem.actual[row])
        rows.append(
            (
                values[acting] - values[rest],
                line(problem, row, actual, acting),
                line(problem, row, actual, rest),
            )
        )
    rows.sort(key=lambda entry: -entry[0])
    inside = depth * len(rows)
    total = sum(entry[2] for entry in rows)
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end][0] == rows[start][0]:
            end += 1
        share = min(max((inside - start) / (end - start), 0.0), 1.0)
        total += share * sum(entry[1] - entry[2] for entry in rows[start:end])
        start = end
    return total


@pytest.mark.parametrize("steps", [0, 10])
def test_depth_curve_by_hand(steps):
    predicted = predictions(150, steps=steps)
    problem, scores = gift_problem(predicted), model(predicted)
    profit = analyse(problem, (scores,)).models[0]
    for place in (0, 137, 500, 801, 1000):
        assert profit.profit[place] == pytest.approx(
            profit_at(problem, scores, profit.depth[place])
        )
    space = DecisionWorkspace()
    analyse(problem, (scores,), workspace=space)
    reading = read_cursor(space, 0.137)
    assert reading.profit[0] == pytest.approx(profit_at(problem, scores, 0.137))
    assert reading.profits[0].sum() == pytest.approx(reading.profit[0])
    assert reading.counts[0].sum() == pytest.approx(150)


@pytest.mark.parametrize("mode", list(ChartMode))
def test_every_way_to_the_total_agrees(mode):
    predicted = predictions(ROWS)
    costs = np.random.default_rng(5).uniform(0, 2, ROWS)
    problem = gift_problem(predicted, cost_columns={0: costs}, frequency=costs + 0.5)
    scores = model(predicted)
    result = analyse(problem, (scores, model(predicted[::-1].copy(), "b")), chart_mode=mode)
    cases = decide_cases(problem, scores)
    totals = total_cases(problem, cases)
    first = result.models[0]
    chart = profit_chart(problem, scores)
    assert first.total.value == pytest.approx(totals.total)
    assert first.chart_end == pytest.approx(totals.total)
    assert chart["cumulative_total"][-1] == pytest.approx(totals.total)
    assert chart["expected_cumulative_total"][-1] == pytest.approx(totals.expected_total)
    assert chart["cumulative_roi"][-1] == pytest.approx(totals.roi)
    assert first.roi == pytest.approx(totals.roi)
    assert first.best_total == pytest.approx(totals.best_total)
    assert first.profits.sum() == pytest.approx(totals.total)
    assert first.counts == pytest.approx(totals.counts)
    assert result.class_weight.sum() == pytest.approx(problem.frequency.sum())
    mailed = sum(
        f * line(problem, i, y, 0)
        for i, (f, y) in enumerate(zip(problem.frequency, problem.actual, strict=True))
    )
    assert result.act_on_all == pytest.approx(mailed)


def test_paired_differences_and_resamples_know_the_models():
    predicted = predictions(ROWS)
    problem = gift_problem(predicted)
    noise = np.random.default_rng(8).normal(14, 22, ROWS)
    space = DecisionWorkspace()
    result = analyse(problem, (model(predicted), model(noise, "noise")), workspace=space)
    totals = [entry.total.value for entry in result.models]
    pair = result.differences[0]
    assert pair.estimate.value == pytest.approx(totals[0] - totals[1])
    drawn = resample_differences(space, resamples=200).differences[0]
    assert drawn.ahead > 190
    assert drawn.estimate.value == pytest.approx(pair.estimate.value)


def test_the_order_of_rows_changes_nothing():
    predicted, actual = predictions(ROWS, steps=5), outcomes(predictions(ROWS, steps=5))
    order = np.random.default_rng(4).permutation(ROWS)
    first = analyse(gift_problem(predicted, actual=actual), (model(predicted),)).models[0]
    second = analyse(
        gift_problem(predicted[order], actual=actual[order]), (model(predicted[order]),)
    ).models[0]
    assert first.profit == pytest.approx(second.profit)
    assert first.low == pytest.approx(second.low)


# ------------------------------------------------------------------ words and refusals


def test_the_rule_is_a_cut_in_the_prediction():
    predicted = predictions(50)
    problem = gift_problem(
        predicted,
        knots=(0, 100),
        cells=np.array([[-12.4, 0.0], [87.6, 0.0]]),
        decisions=("Mail", "Do nothing"),
    )
    result = analyse(problem, (model(predicted),))
    assert result.rule_text == "Mail a case when the predicted value is above 12.40."
    assert result.rule_threshold == pytest.approx(12.4)
    below = replace(problem, cells=-problem.cells)
    assert "below 12.40" in analyse(below, (model(predicted),)).rule_text


def test_the_rule_of_three_decisions_names_the_stretches():
    predicted = predictions(50)
    problem = gift_problem(
        predicted,
        cells=np.array([[-1.0, -10.0, 0.0], [9.0, 6.0, 0.0], [49.0, 70.0, 0.0]]),
    )
    reason = analyse(problem, (model(predicted),)).rule_reason
    # Mail passes 0 at 1; Call passes Mail where 9 + (y - 10) = 6 + 1.6 (y - 10): y = 15
    assert "“Do nothing” below 1, “Mail” from 1 to 15 and “Call” from 15 up" in reason


def test_a_decision_below_another_at_all_knots_may_win_beyond_them():
    """At both knots “b” is lower, but its line rises more: beyond 140 it wins."""
    predicted = predictions(50)
    cells = np.array([[5.0, 0.0], [15.0, 13.0]])
    problem = gift_problem(predicted, knots=(0, 100), cells=cells, decisions=("a", "b"))
    texts = [advice.text for advice in analyse(problem, (model(predicted),)).advice]
    assert not any("can never win" in text for text in texts)
    flat = gift_problem(
        predicted, knots=(0, 100), cells=cells - [[0, 9], [0, 9]], decisions=("a", "b")
    )
    assert not any("never win" in a.text for a in analyse(flat, (model(predicted),)).advice)
    parallel = np.array([[5.0, 0.0], [15.0, 10.0]])
    worse = gift_problem(predicted, knots=(0, 100), cells=parallel, decisions=("a", "b"))
    assert any("“b” can never win" in a.text for a in analyse(worse, (model(predicted),)).advice)


def test_predictions_off_on_average_or_beyond_the_knots_are_said():
    predicted = np.abs(predictions(ROWS))
    problem = gift_problem(predicted, actual=predicted - 9.0)
    texts = " ".join(a.text for a in analyse(problem, (model(predicted, "reg"),)).advice)
    assert "reg: predictions are too high on average" in texts
    assert "outside the knots" not in texts  # 5 in 100 may
    narrow = gift_problem(predicted, knots=(0, 10, 20), actual=predicted - 9.0)
    texts = " ".join(a.text for a in analyse(narrow, (model(predicted, "reg"),)).advice)
    assert "lie outside the knots 0 to 20" in texts
    fair = gift_problem(np.clip(predicted, 0, 50), actual=np.clip(predicted, 0, 50))
    texts = " ".join(a.text for a in analyse(fair, (model(np.clip(predicted, 0, 50)),)).advice)
    assert "not off on average by more than chance explains" in texts
    assert "outside the knots" not in texts


def test_scores_must_be_of_the_matrix_kind():
    predicted = predictions(10)
    table = classes.posteriors(10, 2)
    with pytest.raises(PayoffError, match="has posteriors"):
        decide_cases(gift_problem(predicted), classes.model(table))
    with pytest.raises(PayoffError, match="has predictions"):
        decide_cases(classes.mail_problem(table), model(predicted))


def test_bad_knots_and_cells_are_named():
    predicted = predictions(10)
    with pytest.raises(PayoffError, match="knot 10 stands twice"):
        gift_problem(predicted, knots=(0, 10, 10))
    with pytest.raises(PayoffError) as caught:
        gift_problem(predicted, cells=np.where(GIFTS == 7.0, np.nan, GIFTS))
    assert caught.value.where == "knot 10, decision Call"
    with pytest.raises(PayoffError, match="4 knots do not fit"):
        gift_problem(predicted, knots=(0, 1, 2, 3))
    with pytest.raises(PayoffError, match="Priors need classes"):
        replace(gift_problem(predicted), priors=np.array([0.1, 0.2, 0.7]))


def test_without_an_outcome_cases_are_decided_all_the_same():
    predicted = predictions(ROWS)
    problem = gift_problem(predicted, actual=None)
    cases = decide_cases(problem, model(predicted))
    known = decide_cases(gift_problem(predicted), model(predicted))
    assert np.array_equal(cases.decision, known.decision)
    assert np.isnan(cases.computed).all()
    assert not cases.marks.any()
    assert NAMES[0] in problem.decisions


@pytest.mark.parametrize(
    ("value", "text"),
    [(12.4, "12.40"), (0.68, "0.68"), (0.0625, "0.0625"), (1250.4, "1,250"), (3.0, "3")],
)
def test_values_are_written_with_the_decimals_they_need(value, text):
    assert format_value(value) == text


def test_the_return_on_a_cost_next_to_nothing_is_endless():
    found = return_on_investment(np.array([5.0, -5.0]), np.array([1e-308, 1e-308]))
    assert found.tolist() == [np.inf, -np.inf]
