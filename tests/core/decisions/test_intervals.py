"""Variances and p-values by closed forms."""

import numpy as np
import pytest

from core.decisions.uncertainty.intervals import total_variance


def test_two_equal_classes_by_hand():
    """Class 1: 2 and 4 (weight 3); class 2: 0, 0, 6 (weight 0.5)."""
    weights, cases = np.array([3.0, 0.5]), np.array([2.0, 3.0])
    value, square = np.array([6.0, 6.0]), np.array([20.0, 36.0])
    assert total_variance(weights, cases, value, square, True) == pytest.approx(
        9 * (20 - 36 / 2) + 0.25 * (36 - 36 / 3)
    )
    free = total_variance(np.ones(2), cases, value, square, False)
    assert free == pytest.approx(56 - 144 / 5)


def test_equal_cases_have_no_variance_left_from_rounding():
    count, value = 3.0e6, 0.1
    sums = np.array([count * value]), np.array([count * value**2 * (1 + 1e-15)])
    assert total_variance(np.ones(1), np.array([count]), *sums, True) == 0.0
    assert total_variance(np.ones(1), np.array([count]), *sums, False) == 0.0


def test_empty_classes_add_nothing():
    empty = total_variance(np.array([1.0, 0.0]), np.array([4.0, 0.0]), *np.zeros((2, 2)), True)
    assert empty == 0.0
