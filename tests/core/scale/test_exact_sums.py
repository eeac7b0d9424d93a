"""Exact sums against ``fractions``: every exponent, cancellation, carries, any tree of merges."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.scale.exact_sums import (
    STRIP,
    add_products,
    add_terms,
    exact_value,
    merge_sums,
    nearest_double,
    new_sums,
    rounded_value,
)

SLOW = [HealthCheck.too_slow]  # a busy machine
FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


def summed(terms: NDArray[np.float64]) -> NDArray[np.int64]:
    sums = new_sums()
    assert add_terms(np.ascontiguousarray(terms, dtype=np.float64), sums) == 0
    return sums


@settings(max_examples=300, deadline=None, suppress_health_check=SLOW)
@given(st.lists(FINITE, max_size=60))
def test_the_sum_is_exact(terms: list[float]) -> None:
    found = exact_value(summed(np.array(terms)))
    assert found == sum((Fraction(term) for term in terms), Fraction(0))


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(st.lists(FINITE, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_any_order_and_any_tree_of_merges_give_one_value(
    terms: list[float], random: Random
) -> None:
    truth = summed(np.array(terms)).tolist()
    shuffled = terms[:]
    random.shuffle(shuffled)
    pieces = [summed(np.array([term])) for term in shuffled]
    while len(pieces) > 1:
        first = pieces.pop(random.randrange(len(pieces)))
        second = pieces.pop(random.randrange(len(pieces)))
        pieces.append(merge_sums(first, second))
    assert rounded_value(pieces[0]) == rounded_value(np.array(truth))
    assert exact_value(pieces[0]) == exact_value(np.array(truth))


def test_every_exponent_and_subnormals() -> None:
    random = np.random.default_rng(3)
    terms = np.concatenate(
        [
            [sign * math.ldexp(1.0 + random.random(), power) for sign in (1, -1)]
            for power in range(-1074, 1023)
        ]
    )
    random.shuffle(terms)
    assert exact_value(summed(terms)) == sum((Fraction(term) for term in terms), Fraction(0))
    assert rounded_value(summed(np.array([5e-324, 5e-324]))) == 1e-323
    assert rounded_value(summed(np.full(3, 1.7976931348623157e308))) == math.inf


def test_pairs_that_cancel_leave_what_is_small() -> None:
    random = np.random.default_rng(4)
    large = random.standard_normal(5_000) * 10.0 ** random.uniform(0, 200, 5_000)
    terms = np.concatenate([large, -large, [1e-30]])
    random.shuffle(terms)
    assert rounded_value(summed(terms)) == 1e-30 == math.fsum(terms)


@pytest.mark.parametrize("size", [1, STRIP - 1, STRIP, STRIP + 1, 100_003])
def test_equal_to_fsum_over_parts_in_any_order(size: int) -> None:
    random = np.random.default_rng(size)
    terms = np.round(random.lognormal(3, 1.5, size), 2) * random.choice([-1, 1], size)
    truth = math.fsum(terms)
    for parts in (1, 2, 7, 64):
        whole = new_sums()
        for piece in np.array_split(random.permutation(terms), parts):
            whole = merge_sums(whole, summed(piece))
        assert rounded_value(whole) == truth


def test_many_merges_of_full_windows_carry() -> None:
    sums = summed(np.full(4 * STRIP, 4_294_967_295.0))
    whole, truth = sums, exact_value(sums)
    for _ in range(40):  # 2^40 times as much: without carries a window of 64 bits would overflow
        whole, truth = merge_sums(whole, whole), 2 * truth
    assert exact_value(whole) == truth


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
@given(
    st.lists(
        st.tuples(
            st.floats(-1e100, 1e100, allow_nan=False), st.floats(-1e100, 1e100, allow_nan=False)
        ),
        max_size=40,
    )
)
def test_products_are_exact(pairs: list[tuple[float, float]]) -> None:
    kept = [(a, b) for a, b in pairs if all(x == 0 or abs(x) > 1e-100 for x in (a, b))]
    first, second = (np.array([pair[side] for pair in kept], dtype=float) for side in (0, 1))
    sums = new_sums()
    assert add_products(first, second, sums) == 0
    assert exact_value(sums) == sum((Fraction(a) * Fraction(b) for a, b in kept), Fraction(0))


def test_what_is_not_finite_is_counted() -> None:
    sums = new_sums()
    assert add_terms(np.array([1.0, math.inf, math.nan]), sums) == 2
    assert not sums.any()
    assert add_products(np.array([1e300, 1.0]), np.array([1.0, math.nan]), sums) == 2


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
@given(st.integers(-(10**40), 10**40), st.integers(1, 10**40))
def test_the_nearest_double_is_pythons(above: int, below: int) -> None:
    assert nearest_double(Fraction(above, below)) == above / below
