"""Capacity and budget: by hand, and against linear programs and every choice of small cases."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from core.decisions import DecisionWorkspace, analyse
from core.decisions.passes.case_values import values_of
from core.document.decisions.matrix_model import MatrixKind
from core.document.results import RowsNote
from payoff.errors import PayoffError
from tests.core.decisions.cases import (
    THREE,
    capacity_of,
    mail_problem,
    model,
    outcome_of,
    posteriors,
)

NOTE = RowsNote(use="all", text="all rows", rows=0)


def state_of(problem, *scores):
    workspace = DecisionWorkspace()
    analyse(problem, scores, workspace=workspace)
    return workspace.state


def within(problem, scores, **limits):
    return capacity_of(state_of(problem, scores), **limits).points[0]


def by_linear_program(problem, scores, use_actions, use_money, most_actions, most_money):
    """The best expected total when cases may be split, by an independent solver."""
    values = values_of(state_of(problem, scores), state_of(problem, scores).models[0])
    decisions, count = values.expected.shape
    weight = values.weight
    rows, limits = [], []
    for use, limit in ((use_actions, most_actions), (use_money, most_money)):
        if limit is not None:
            wide = np.broadcast_to(np.asarray(use, dtype=float), (count, decisions))
            rows.append((weight[:, None] * wide).ravel())
            limits.append(limit)
    solved = linprog(
        -(weight * values.expected).T.ravel(),
        A_ub=rows,
        b_ub=limits,
        A_eq=np.kron(np.eye(count), np.ones(decisions)),
        b_eq=np.ones(count),
        bounds=(0, 1),
    )
    assert solved.success
    return -solved.fun, -solved.ineqlin.marginals


def test_five_letters_by_hand():
    """Chances .5, .3, .2, .1, .05 at +24 and -1.6: a letter earns 25.6 p - 1.6."""
    probability = np.array([0.1, 0.5, 0.05, 0.3, 0.2])
    table = np.ascontiguousarray(np.vstack([probability, 1 - probability]))
    outcome = np.array([1, 0, 1, 1, 0], dtype=np.int32)  # rows 2 and 5 respond
    problem = mail_problem(table, outcome=outcome, do_nothing="Do nothing")
    point = within(problem, model(table), most_actions=2)
    assert point.expected == pytest.approx((25.6 * 0.5 - 1.6) + (25.6 * 0.3 - 1.6))
    assert point.profit.value == pytest.approx(24.0 - 1.6)  # one responds, one does not
    assert point.action_price == pytest.approx(25.6 * 0.2 - 1.6)  # the third letter
    assert point.binding == "actions"
    assert point.depth == pytest.approx(0.4)
    assert point.money == pytest.approx(3.2)  # no cost is given: the most a letter can lose
    half = within(problem, model(table), most_actions=2.5)
    assert half.expected == pytest.approx(point.expected + 0.5 * (25.6 * 0.2 - 1.6))
    free = within(problem, model(table))
    assert free.binding == "none"
    assert free.actions == 4.0  # 0.05 lies below 6.25 %
    assert free.action_price == 0.0


def test_the_curve_is_the_profit_chart_up_to_the_rule():
    table = posteriors(3000, 2, 5, steps=40)  # with ties
    problem = mail_problem(table, priors=np.array([0.1, 0.9]), do_nothing="Do nothing")
    scores = model(table, old=np.array([0.5, 0.5]))
    workspace = DecisionWorkspace()
    result = analyse(problem, (scores,), workspace=workspace)
    chart = result.models[0]
    curve = capacity_of(workspace.state).curves[0]
    size = float(result.class_weight.sum())
    inside = curve.capacity <= chart.rule_depth * size
    wanted = workspace.state.models[0].curve.points(np.ascontiguousarray(curve.capacity / size))
    assert inside.sum() > 20
    np.testing.assert_allclose(curve.profit[inside], wanted.profit[inside], rtol=1e-9)
    np.testing.assert_allclose(curve.expected[inside], wanted.expected[inside], rtol=1e-9)
    np.testing.assert_allclose(
        (curve.low[inside], curve.high[inside]), np.array(wanted.limits)[:, inside], rtol=1e-6
    )
    assert curve.saturation == pytest.approx(chart.rule_depth * size)
    assert curve.profit[-1] == pytest.approx(chart.total.value)
    assert (np.diff(curve.price[inside]) <= 1e-12).all()  # every further letter earns less


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("most_actions", "most_money"), [(10, None), (None, 20.0), (10, 15.0), (7.3, 11.1)]
)
def test_three_decisions_as_a_linear_program(seed, most_actions, most_money):
    table = posteriors(60, 2, seed)
    problem = mail_problem(
        table, THREE, do_nothing="Do nothing", cost_amounts=np.array([1.0, 3.0, 0.0])
    )
    scores = model(table)
    point = within(problem, scores, most_actions=most_actions, most_money=most_money)
    best, prices = by_linear_program(
        problem, scores, [1, 1, 0], [1, 3, 0], most_actions, most_money
    )
    assert point.expected == pytest.approx(best, rel=1e-9)
    if most_actions is not None:
        assert point.actions <= most_actions + 1e-9
    if most_money is not None:
        assert point.money <= most_money + 1e-9
    if point.binding == "both" and most_actions != int(most_actions):  # else prices are a range
        assert (point.action_price, point.money_price) == pytest.approx(tuple(prices), rel=1e-6)


@pytest.mark.parametrize("limits", [(None, 25.0), (12, 25.0), (12, 9.0)])
def test_costs_by_case_as_a_linear_program(limits):
    draw = np.random.default_rng(4)
    table = posteriors(50, 3, 4)
    cells = np.array([[15.0, 9.0, 0.0], [-1.5, 4.0, 0.0], [2.0, -3.0, 0.0]])
    cost = draw.uniform(0.2, 3.0, 50)
    problem = mail_problem(
        table,
        cells,
        decisions=("Mail", "Call", "Do nothing"),
        do_nothing="Do nothing",
        cost_columns={0: cost, 1: 0.5 * cost},
        frequency=draw.uniform(0.5, 2.0, 50),
    )
    point = within(problem, model(table), most_actions=limits[0], most_money=limits[1])
    use = np.column_stack([cost, 0.5 * cost, np.zeros(50)])
    best, _ = by_linear_program(problem, model(table), [1, 1, 0], use, *limits)
    assert point.expected == pytest.approx(best, rel=1e-9)
    assert sum(count for _, count in point.counts) == pytest.approx(problem.frequency.sum())


def test_no_whole_choice_is_better():
    """All 3^7 choices of decisions: none within the budget beats the split optimum."""
    table = posteriors(7, 2, 11)
    problem = mail_problem(
        table, THREE, do_nothing="Do nothing", cost_amounts=np.array([1.0, 2.5, 0.0])
    )
    values = values_of(state_of(problem, model(table)), state_of(problem, model(table)).models[0])
    price = np.array([1.0, 2.5, 0.0])
    best = max(
        float(values.expected[list(choice), range(7)].sum())
        for choice in itertools.product(range(3), repeat=7)
        if price[list(choice)].sum() <= 5.0
    )
    point = within(problem, model(table), most_money=5.0)
    assert point.expected >= best - 1e-9
    step = float(values.expected.max() - values.expected.min())
    assert point.expected <= best + step  # they part in one fractional step


def test_a_price_per_action_turns_money_into_letters():
    table = posteriors(200, 2, 3)
    problem = mail_problem(table, do_nothing="Do nothing")
    by_money = within(problem, model(table), most_money=50.0, price=2.5)
    by_letters = within(problem, model(table), most_actions=20)
    assert by_money.expected == pytest.approx(by_letters.expected)
    assert by_money.money_price == pytest.approx(by_letters.action_price / 2.5)


def test_without_a_do_nothing_acting_is_the_only_action():
    table = posteriors(100, 2, 6)
    cells = np.array([[5.0, -3.0], [-1.0, 2.0]])
    problem = mail_problem(table, cells, decisions=("Treat", "Wait"))
    result = capacity_of(state_of(problem, model(table)), most_actions=3)
    assert result.acting == ("Treat",)
    assert result.points[0].actions == pytest.approx(3.0)
    alone = mail_problem(table, np.array([[5.0], [-1.0]]), decisions=("Treat",))
    counts = dict(within(alone, model(table), most_actions=3).counts)
    assert counts == {"Treat": pytest.approx(3.0), "Do nothing": pytest.approx(97.0)}


def test_neither_row_order_nor_doubled_rows_matter():
    """Permuted rows, and weight 2 against the row twice: the same curve."""
    table = posteriors(120, 2, 8, steps=10)
    outcome = outcome_of(table)
    problem = mail_problem(table, THREE, outcome=outcome, do_nothing="Do nothing")
    wanted = capacity_of(state_of(problem, model(table)), most_actions=31.5)
    order = np.random.default_rng(1).permutation(120)
    moved = np.ascontiguousarray(table[:, order])
    shuffled = mail_problem(moved, THREE, outcome=outcome[order], do_nothing="Do nothing")
    found = capacity_of(state_of(shuffled, model(moved)), most_actions=31.5)
    assert found.points[0].profit.value == pytest.approx(wanted.points[0].profit.value)
    np.testing.assert_allclose(found.curves[0].profit, wanted.curves[0].profit, atol=1e-8)
    twice = np.ascontiguousarray(np.repeat(table, 2, axis=1))
    doubled = mail_problem(twice, THREE, outcome=outcome.repeat(2), do_nothing="Do nothing")
    weighted = mail_problem(
        table, THREE, outcome=outcome, do_nothing="Do nothing", frequency=np.full(120, 2.0)
    )
    points = [
        capacity_of(state_of(entry, model(probabilities)), most_actions=50).points[0]
        for entry, probabilities in ((doubled, twice), (weighted, table))
    ]
    assert points[0].profit.value == pytest.approx(points[1].profit.value)
    assert points[0].profit.high == pytest.approx(points[1].profit.high)
    assert points[0].expected == pytest.approx(points[1].expected)


def test_losses_are_minus_profits():
    table = posteriors(90, 2, 9)
    gains = np.array([[24.0, 3.0, 0.0], [-1.6, -0.4, 0.0]])
    names = ("Mail", "Call", "Do nothing")
    profit = mail_problem(table, gains, decisions=names, do_nothing="Do nothing")
    loss = mail_problem(
        table, -gains, decisions=names, do_nothing="Do nothing", kind=MatrixKind.LOSS
    )
    one, other = (within(entry, model(table), most_actions=20) for entry in (profit, loss))
    assert one.profit == other.profit
    assert one.action_price == other.action_price


def test_refusals():
    table = posteriors(20, 2, 1)
    problem = mail_problem(table, do_nothing="Do nothing")
    with pytest.raises(PayoffError, match="no limit"):
        within(problem, model(table), most_actions=-1)
    expensive = mail_problem(
        table, np.array([[5.0, 1.0], [-1.0, 2.0]]), cost_amounts=np.array([4.0, 1.0])
    )
    with pytest.raises(PayoffError, match="cannot be kept"):
        within(expensive, model(table), most_money=5.0)
    empty = mail_problem(table, outcome=np.ones(20, dtype=np.int32), priors=np.array([0.1, 0.9]))
    with pytest.raises(PayoffError, match="prior is above zero"):
        within(empty, model(table), most_actions=5)
