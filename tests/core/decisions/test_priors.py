"""The prior update: the odds formula, its laws, and posteriors it cannot mend."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions import adjust_posteriors
from core.decisions.priors import SMALLEST_SUM

SHARES = st.lists(st.floats(0.01, 1.0), min_size=3, max_size=3).map(np.array)


def table(seed=1, rows=50):
    return np.ascontiguousarray(np.random.default_rng(seed).dirichlet(np.ones(3), size=rows).T)


def test_two_classes_by_the_odds():
    """odds' = odds * (pi1 / rho1) / (pi0 / rho0), the factors of a real project's score code."""
    probability = np.array([[0.01, 0.24775018, 0.9], [0.99, 0.75224982, 0.1]])
    new = adjust_posteriors(probability, np.array([0.05, 0.95]), np.array([0.24775018, 0.75224982]))
    odds = probability[0] / probability[1] * (0.05 / 0.24775018) / (0.95 / 0.75224982)
    assert new[0] == pytest.approx(odds / (1 + odds), rel=1e-14)
    assert new[0, 1] == pytest.approx(0.05)
    assert np.all(np.diff(new[0]) > 0)


@settings(deadline=None, max_examples=40)
@given(SHARES)
def test_idempotent_when_nothing_changes(shares):
    assert adjust_posteriors(table(), shares, shares) == pytest.approx(table(), abs=1e-14)


@settings(deadline=None, max_examples=40)
@given(SHARES, SHARES, SHARES)
def test_composes(first, second, third):
    once = adjust_posteriors(table(), third, first)
    twice = adjust_posteriors(adjust_posteriors(table(), second, first), third, second)
    assert twice == pytest.approx(once, abs=1e-12)
    assert once.sum(axis=0) == pytest.approx(np.ones(50))


@settings(deadline=None, max_examples=20)
@given(SHARES, SHARES, st.floats(0.01, 100))
def test_priors_need_not_sum_to_one(new, old, factor):
    assert adjust_posteriors(table(), factor * new, old) == pytest.approx(
        adjust_posteriors(table(), new, old), abs=1e-12
    )


def test_bad_posteriors_stay_missing():
    old, new = np.array([0.5, 0.5, 0.0]), np.array([0.2, 0.3, 0.5])
    probabilities = np.array(
        [
            [0.5, np.nan, 1.2, 0.0, 0.4, -0.1],
            [0.5, 0.5, -0.2, 0.0, 0.4, 0.6],
            [0.0, 0.5, 0.0, 0.0, 0.2, 0.5],
        ]
    )
    adjusted = adjust_posteriors(probabilities, new, old)
    assert np.isnan(adjusted).all(axis=0).tolist() == [False, True, True, True, True, True]
    assert adjusted[:, 0] == pytest.approx([0.4, 0.6, 0.0])


def test_a_row_is_divided_only_where_its_sum_is_large_enough():
    probabilities = np.array([[1e-26, 1e-20], [1e-26, 1e-20]])
    adjusted = adjust_posteriors(probabilities, np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    assert adjusted[:, 0].tolist() == [1e-26, 1e-26]
    assert 2e-26 < SMALLEST_SUM < 2e-20
    assert adjusted[:, 1] == pytest.approx([0.5, 0.5])
