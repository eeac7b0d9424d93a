"""The sample: one sort, cumulative weights at the ends of ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from payoff import PayoffError, Sample, Task

OUTCOME = [0, 1, 1, 0, 1]  # code 0 is the event
SCORE = [0.2, 0.9, 0.2, 0.9, 0.5]


@pytest.fixture
def sample():
    return Sample(OUTCOME, SCORE, weight=[1, 2, 3, 4, 5], labels=("yes", "no"))


def test_order_is_descending_and_ties_keep_their_rows(sample):
    assert sample.order.tolist() == [1, 3, 4, 0, 2]
    assert sample.order.dtype == np.uint32
    assert sample.group_ends.tolist() == [2, 3, 5]


def test_cumulative_weights_by_role(sample):
    assert sample.cumulative("all").tolist() == [6, 11, 15]
    assert sample.cumulative("event").tolist() == [4, 4, 5]
    assert sample.cumulative("others").tolist() == [2, 7, 10]
    assert sample.cumulative("yes").tolist() == sample.cumulative("event").tolist()


def test_cumulative_of_a_further_column():
    sample = Sample(OUTCOME, SCORE, labels=("yes", "no"), roles={"consequences": [1, 2, 3, 4, 5.5]})
    assert sample.cumulative("consequences").tolist() == [6, 11.5, 15.5]


def test_cumulative_outcome_of_numbers():
    sample = Sample([1.5, 2.5], [0.1, 0.2])
    assert sample.task is Task.REGRESSION
    assert sample.cumulative("outcome").tolist() == [2.5, 4.0]


def test_precomputed_order_is_taken_as_it_is():
    order, ends = np.array([1, 0], dtype=np.uint32), np.array([2], dtype=np.int64)
    sample = Sample([0, 1], [0.3, 0.4], labels=("a", "b"), order=order, group_ends=ends)
    assert sample.order.tolist() == [1, 0]
    assert sample.cumulative("all").tolist() == [2]


def test_other_weights_keep_the_order(sample):
    again = sample.reweighted([1, 0, 1, 0, 1])
    assert np.shares_memory(again.order, sample.order)
    assert again.cumulative("all").tolist() == [0, 1, 3]
    assert again.class_weight.tolist() == [1, 2]


def test_one_level_against_the_rest():
    probabilities = np.array([[0.2, 0.1, 0.5], [0.5, 0.7, 0.2], [0.3, 0.2, 0.3]])
    sample = Sample([0, 1, 2], prediction=probabilities, labels=("a", "b", "c"))
    assert sample.task is Task.MULTICLASS
    rest = sample.against_rest(1)
    assert rest.outcome.tolist() == [1, 0, 1]
    assert rest.score.tolist() == [0.5, 0.7, 0.2]


def test_arrays_are_read_only(sample):
    for name in ("outcome", "score", "posteriors", "weight", "order", "group_ends"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(sample, name)[0] = 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"outcome": [0, 1], "score": [0.1]}, "2 outcomes"),
        ({"outcome": [0, 1], "score": [0.1, np.nan]}, "missing"),
        ({"outcome": [0, 1], "score": [0.1, 0.2], "weight": [1, -1]}, "weight -1"),
        ({"outcome": [0, 1], "score": [0.1, 0.2], "weight": [1]}, "1 weight"),
        ({"outcome": [0, 1]}, "needs a score"),
        ({"outcome": [[0, 1]], "score": [0.1, 0.2]}, "one column"),
        ({"outcome": [0, 2], "score": [0.1, 0.2], "labels": ("a", "b")}, "code 2"),
        ({"outcome": [0, -1], "score": [0.1, 0.2], "labels": ("a", "b")}, "code -1"),
        ({"outcome": [0.0, 1], "score": [0.1, 0.2], "roles": {"cost": [1.0]}}, "'cost'"),
    ],
)
def test_wrong_input_is_refused(arguments, words):
    with pytest.raises(PayoffError, match=words):
        Sample(**arguments)


def test_an_unknown_role_is_refused_with_the_known_ones(sample):
    with pytest.raises(PayoffError, match="event, others, yes, no"):
        sample.cumulative("treatment")


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 5), st.floats(0.0, 3.0)),
        min_size=1,
        max_size=30,
    ),
    st.randoms(use_true_random=False),
)
def test_row_order_never_matters(cases, random):
    shuffled = list(cases)
    random.shuffle(shuffled)

    def cumulated(rows):
        outcome, score, weight = map(list, zip(*rows, strict=True))
        sample = Sample(outcome, score, weight=weight, labels=("a", "b"))
        return sample.cumulative("event"), sample.cumulative("others")

    for first, second in zip(cumulated(cases), cumulated(shuffled), strict=True):
        np.testing.assert_allclose(first, second, atol=1e-12)
