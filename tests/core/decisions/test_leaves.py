"""Leaves of a tree: one decision per leaf, by amounts averaged over its (training) cases."""

from dataclasses import replace

import numpy as np
import pytest

from core.decisions import LeafCases, analyse, decide_cases, profit_chart, total_cases
from core.document.decisions.matrix_model import MatrixKind
from tests.core.decisions.cases import MAIL, mail_problem, model, outcome_of, posteriors
from tests.core.decisions.numbers import gift_problem, predictions
from tests.core.decisions.numbers import model as number_model

# Two leaves of three cases each; the chance of an event is 0.2 and 0.5.
CHANCE = np.array([0.2, 0.2, 0.2, 0.5, 0.5, 0.5])
TABLE = np.vstack([CHANCE, 1 - CHANCE])
LEAF = np.array([0, 0, 0, 1, 1, 1])
COSTS = np.array([1.0, 9.0, 2.0, 7.0, 8.0, 3.0])
OUTCOME = np.array([0, 1, 1, 0, 1, 0], dtype=np.int32)


def revenue(**settings):
    settings.setdefault("outcome", OUTCOME)
    settings.setdefault("cost_columns", {0: COSTS})
    return mail_problem(
        TABLE, cells=np.array([[20.0, 0.0], [0.0, 0.0]]), kind=MatrixKind.REVENUE, **settings
    )


def leaves(**settings):
    settings.setdefault("code", LEAF)
    return LeafCases(**settings)


def with_leaf(leaf):
    return replace(model(TABLE), leaf=leaf)


def test_a_leaf_decides_by_its_mean_cost_and_pays_the_own_one():
    """Mean costs 4 and 6: 0.2 * 20 - 4 = 0 is no better than nothing's 0 but stands first."""
    cases = decide_cases(revenue(), with_leaf(leaves()))
    assert cases.decision.tolist() == [0, 0, 0, 0, 0, 0]
    assert cases.expected == pytest.approx([0, 0, 0, 4, 4, 4])
    assert cases.investment.tolist() == COSTS.tolist()
    assert cases.computed.tolist() == [19.0, -9.0, -2.0, 13.0, -8.0, 17.0]
    assert cases.roi == pytest.approx(cases.computed / COSTS)
    alone = decide_cases(revenue(), model(TABLE))  # by the own cost
    assert alone.decision.tolist() == [0, 1, 0, 0, 0, 0]


def test_only_training_cases_are_averaged_and_frequencies_count():
    training = np.array([True, True, False, True, False, True])
    cases = decide_cases(revenue(), with_leaf(leaves(is_training=training)))
    assert cases.expected == pytest.approx([0, 0, 0, 5, 5, 5])  # 4 - 5 < 0; 10 - 5
    assert cases.decision.tolist() == [1, 1, 1, 0, 0, 0]
    frequency = np.array([3.0, 1.0, 0.0, 1.0, 1.0, 2.0])
    weighted = decide_cases(revenue(frequency=frequency), with_leaf(leaves()))
    assert weighted.expected[0] == pytest.approx(4 - (3 * 1 + 9) / 4)
    assert weighted.expected[3] == pytest.approx(10 - (7 + 8 + 2 * 3) / 4)


def test_honest_averages_what_happened():
    """Leaf 0 had one event in three: 20 / 3 - 4; leaf 1 two in three: 40 / 3 - 6."""
    cases = decide_cases(revenue(), with_leaf(leaves(is_honest=True)))
    assert cases.expected == pytest.approx([20 / 3 - 4] * 3 + [40 / 3 - 6] * 3)


def test_an_unknown_leaf_and_one_that_nothing_trained_are_marked():
    code = np.array([0, 0, -1, 1, 1, 2])
    training = np.array([True, True, True, True, True, False])
    cases = decide_cases(revenue(), with_leaf(leaves(code=code, is_training=training)))
    assert cases.warnings.tolist() == ["", "", "P", "", "", "P"]
    assert np.isnan(cases.expected[[2, 5]]).all()


def test_a_missing_own_cost_leaves_the_leafs_decision_but_no_total():
    costs = np.where(np.arange(6) == 4, np.nan, COSTS)
    cases = decide_cases(revenue(cost_columns={0: costs}), with_leaf(leaves()))
    assert cases.warnings.tolist() == ["", "", "", "", "C", ""]
    assert cases.expected[4] == pytest.approx(10 - (7 + 3) / 2)
    assert np.isnan(cases.computed[4])
    assert cases.class_decision_cases.sum() == 5.0


def test_without_costs_a_leaf_of_equal_posteriors_changes_nothing():
    table = posteriors(300, 2, steps=6)
    code = np.unique(table[0], return_inverse=True)[1].astype(np.int64)
    problem = mail_problem(table, cells=MAIL)
    plain, leafy = model(table), replace(model(table), leaf=LeafCases(code=code))
    assert np.array_equal(
        decide_cases(problem, plain).decision, decide_cases(problem, leafy).decision
    )
    first, second = (analyse(problem, (scores,)).models[0] for scores in (plain, leafy))
    assert first.profit == pytest.approx(second.profit)
    assert first.total.value == pytest.approx(second.total.value)
    assert first.low == pytest.approx(second.low)


def test_priors_correct_before_the_leaf_averages():
    table = posteriors(300, 3)
    code = np.arange(300) % 7
    priors, old = np.array([0.1, 0.3, 0.6]), np.array([0.4, 0.3, 0.3])
    cells = np.array([[5.0, 0.0], [-1.0, 0.0], [-2.0, 1.0]])
    problem = mail_problem(table, cells=cells, priors=priors, outcome=outcome_of(table))
    cases = decide_cases(problem, replace(model(table, old=old), leaf=LeafCases(code=code)))
    ratio = (priors / old)[:, None] * table
    corrected = ratio / ratio.sum(axis=0)
    wanted = [(cells.T @ corrected[:, code == leaf]).mean(axis=1).max() for leaf in range(7)]
    assert cases.expected == pytest.approx([wanted[leaf] for leaf in code])


@pytest.mark.parametrize("is_honest", [False, True])
def test_leaves_of_an_interval_target_reconcile(is_honest):
    predicted = predictions(400)
    code = (np.abs(predicted) // 9).astype(np.int64)
    costs = np.random.default_rng(2).uniform(0, 6, 400)
    problem = gift_problem(predicted, cost_columns={0: costs})
    scores = number_model(predicted, leaf=LeafCases(code=code, is_honest=is_honest))
    cases = decide_cases(problem, scores)
    for leaf in np.unique(code):
        here = code == leaf
        assert len(set(cases.decision[here].tolist())) == 1
        values = problem.actual if is_honest else predicted
        mean = problem.consequences_at(values)[:, here].mean(axis=1)
        assert cases.expected[here] == pytest.approx(mean.max())
    totals = total_cases(problem, cases)
    assert analyse(problem, (scores,)).models[0].chart_end == pytest.approx(totals.total)
    chart = profit_chart(problem, scores)
    assert chart["cumulative_total"][-1] == pytest.approx(totals.total)
    assert chart["cumulative_roi"][-1] == pytest.approx(totals.roi)
