"""Hold-outs: who is kept out, what that costs, and what it could show."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from core.decisions import UNDECIDED, decide_cases, total_cases
from core.decisions.studies.hold_out import hold_out, smallest_effect
from payoff.errors import PayoffError
from tests.core.decisions.cases import THREE, mail_problem, model, posteriors


def held(problem, scores, share, seed=7):
    decided = decide_cases(problem, scores, with_posteriors=True)
    return decided, hold_out(problem, scores, decided, share=share, seed=seed)


def test_a_tenth_of_the_chosen_does_nothing():
    table = posteriors(1000, 2, 1)
    problem = mail_problem(table, THREE, do_nothing="Do nothing")
    decided, found = held(problem, model(table), 0.1)
    chosen = decided.decision != 2
    assert found.chosen == chosen.sum()
    assert found.held == round(0.1 * chosen.sum()) == found.is_held.sum()
    assert chosen[found.is_held].all()
    assert (found.decided.decision[found.is_held] == 2).all()
    kept = ~found.is_held
    np.testing.assert_array_equal(found.decided.decision[kept], decided.decision[kept])
    np.testing.assert_array_equal(found.decided.expected[kept], decided.expected[kept])
    assert found.decided.expected[found.is_held] == pytest.approx(0.0)
    assert found.decided.computed[found.is_held] == pytest.approx(0.0)
    assert found.forgone == pytest.approx(decided.expected[found.is_held].sum())
    assert found.event_rate == pytest.approx(table[0][chosen].mean())
    total = total_cases(problem, found.decided).total
    assert total == pytest.approx(decided.computed[kept].sum())


def test_the_seed_draws_the_same_cases_again():
    table = posteriors(500, 2, 2)
    problem = mail_problem(table, do_nothing="Do nothing")
    one, again, other = (held(problem, model(table), 0.2, seed)[1] for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.is_held, again.is_held)
    assert (one.is_held != other.is_held).any()


def test_without_a_do_nothing_the_best_other_decision_is_taken():
    table = posteriors(300, 2, 5)
    cells = np.array([[5.0, -3.0, 1.0], [-1.0, 2.0, 0.5]])
    cost = np.random.default_rng(1).uniform(0.0, 1.0, 300)
    problem = mail_problem(
        table, cells, decisions=("Treat", "Wait", "Call"), cost_columns={2: cost}
    )
    decided, found = held(problem, model(table), 0.3)
    here = found.is_held
    assert (decided.decision[here] == 0).all()
    expected = np.array([cells[:, d] @ table for d in (1, 2)])
    expected[1] -= cost
    np.testing.assert_array_equal(found.decided.decision[here], 1 + expected.argmax(axis=0)[here])
    np.testing.assert_allclose(found.decided.expected[here], expected.max(axis=0)[here])
    assert found.decided.investment[here].sum() == pytest.approx(
        cost[here & (found.decided.decision == 2)].sum()
    )


def test_a_single_decision_leaves_the_kept_out_undecided_and_idle():
    table = posteriors(50, 2, 6)
    problem = mail_problem(table, np.array([[5.0], [-1.0]]), decisions=("Mail",))
    _, found = held(problem, model(table), 0.4)
    assert found.held == 20
    assert (found.decided.decision[found.is_held] == UNDECIDED).all()
    assert (found.decided.expected[found.is_held] == 0).all()
    assert math.isfinite(total_cases(problem, found.decided).total)


@pytest.mark.parametrize("share", [-0.1, 0.95, math.nan])
def test_shares_that_are_none_are_refused(share):
    table = posteriors(20, 2, 1)
    with pytest.raises(PayoffError, match="no share"):
        held(mail_problem(table), model(table), share)


def test_the_smallest_effect_has_the_power_it_says():
    """The power of the test at the effect found, by the normal distribution, is 80 %."""
    rate, acted, kept = 0.17, 3884, 431
    effect = smallest_effect(rate, acted, kept)
    other = rate - effect
    mean = (acted * rate + kept * other) / (acted + kept)
    null = math.sqrt(mean * (1 - mean) * (1 / acted + 1 / kept))
    spread = math.sqrt(rate * (1 - rate) / acted + other * (1 - other) / kept)
    power = norm.sf((norm.ppf(0.975) * null - effect) / spread)
    assert power == pytest.approx(0.80, abs=1e-9)


def test_equal_groups_by_hand():
    """Fleiss: .25 against .40 needs 152 in each group, uncorrected, two-sided 5 %, power 80 %."""
    assert smallest_effect(0.40, 152, 152) == pytest.approx(0.15, abs=0.001)
    assert smallest_effect(0.40, 150, 150) > 0.15


def test_too_few_to_show_anything():
    assert math.isnan(smallest_effect(0.05, 100, 3))
    assert math.isnan(smallest_effect(0.05, 100, 0))
