"""The mark of a kernel leaves the function as it is."""

import numpy as np
import pytest

import payoff
from payoff.formula_kernels import PARAMETER_TUPLES
from payoff.kernels import CHUNK_ROWS


@pytest.mark.parametrize("shape", ["elementwise", "by_group", "whole", "helper"])
def test_a_marked_function_is_the_function_itself(shape):
    def double(value):
        return 2 * value

    marked = payoff.kernel(shape=shape)(double)
    assert marked is double
    assert marked(4) == 8
    assert payoff.kernel_mark(marked).shape == shape


def test_an_unmarked_function_is_no_kernel():
    assert not payoff.is_kernel(len)
    assert payoff.kernel_mark(len) is None


def test_an_unknown_shape_is_refused():
    with pytest.raises(payoff.PayoffError, match="elementwise, by_group"):
        payoff.kernel(shape="round")


def test_chunks_are_fixed():
    assert CHUNK_ROWS == 65_536


@pytest.mark.parametrize("count", range(len(PARAMETER_TUPLES)))
def test_parameters_of_a_formula_are_handed_over_in_their_order(count):
    assert PARAMETER_TUPLES[count](np.arange(1.0, 1.0 + count)) == tuple(range(1, 1 + count))
