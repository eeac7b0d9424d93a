"""Losses without spread: approximate bounds that read their error from it are refused."""

import numpy as np
import pytest

import payoff
from payoff import PayoffError


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("method", ["student_t", "bootstrap", "bca"])
@pytest.mark.parametrize("sided", ["upper", "two"])
def test_losses_that_are_all_alike_are_refused(value, method, sided):
    with pytest.raises(PayoffError, match="all losses are the same"):
        payoff.error_bound(np.full(50, value), method=method, sided=sided)


@pytest.mark.parametrize(
    "method", ["hoeffding", "kl", "empirical_bernstein", "clopper_pearson", "wilson"]
)
def test_other_bounds_of_no_error_are_above_0(method):
    low, high = payoff.error_bound(np.zeros(50), method=method)
    assert high > 0.01
    assert low <= 0.0


@pytest.mark.parametrize("method", ["prpl_eb", "betting"])
def test_bounds_by_bets_of_no_error_are_above_0(method):
    assert payoff.error_bound(np.zeros(50), method=method)[1] > 0.01


def test_an_unknown_bound_names_the_nearest():
    with pytest.raises(PayoffError, match="Nearest: student_t"):
        payoff.error_bound(np.zeros(5), method="studentt")
