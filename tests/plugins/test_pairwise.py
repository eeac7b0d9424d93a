"""Rankings: textbook values, gbm's measures, and every swap against the measure itself."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from payoff.errors import PayoffError
from payoff.targets import check_cases
from payoff.testing import DistributionHost, check_distribution
from plugins.distributions.pairwise import METRICS, PAIRWISE
from plugins.distributions.ranking_measures import (
    best_measure,
    measure,
    prepared_sums,
    ranks_of,
    swap_cost,
)
from tests.plugins.gbm_steps import FOLDER

CODES = {name: code for code, name in enumerate(METRICS)}
GOLDEN = json.loads((FOLDER / "ranking_measures.json").read_text("utf-8"))


def ranked_value(labels, metric, max_rank=0):
    return measure(np.array(labels, dtype=float), CODES[metric], max_rank)


def host_of(label, group, metric="ndcg", max_rank=0):
    return DistributionHost(
        PAIRWISE,
        np.asarray(label, dtype=float),
        {"group": np.asarray(group, dtype=float)},
        {"metric": metric, "max_rank": max_rank},
    )


def test_textbook_values():
    """The examples of the common encyclopedia articles on nDCG, precision and reciprocal rank."""
    gain = ranked_value([3, 2, 3, 0, 1, 2], "ndcg")
    assert gain == pytest.approx(6.861126688593502, abs=1e-12)
    best = ranked_value([3, 3, 2, 2, 1, 0], "ndcg")
    assert gain / best == pytest.approx(0.9608081943, abs=1e-9)
    first, second = np.zeros(10), np.zeros(10)
    first[[0, 2, 5, 8, 9]] = 1.0
    second[[1, 4, 6]] = 1.0
    assert ranked_value(first, "map") == pytest.approx(0.6222222222, abs=1e-9)
    assert ranked_value(second, "map") == pytest.approx(0.4428571429, abs=1e-9)
    places = [ranked_value(np.eye(3)[place], "mrr") for place in (2, 1, 0)]
    assert np.mean(places) == pytest.approx(0.6111111111, abs=1e-9)
    assert ranked_value([0, 0, 1], "mrr", 2) == 0.0
    assert ranked_value([2, 0, 1], "conc") == 2.0


def test_one_group_as_deviance():
    host = host_of([10, 0, 0, 1, 5], np.zeros(5))
    score = np.array([[0.1, 0.2, 0.3, 4.0, 70.0]])
    assert 1.0 - host.deviance(score) == pytest.approx(0.6956940444, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "target", "metric", "max_rank"),
    [
        ("conc_label", "label", "conc", 0),
        ("conc_binary", "binary", "conc", 0),
        ("mrr_binary", "binary", "mrr", 0),
        ("mrr_binary_max.rank_3", "binary", "mrr", 3),
        ("map_binary", "binary", "map", 0),
        ("ndcg_label", "label", "ndcg", 0),
        ("ndcg_label_max.rank_5", "label", "ndcg", 5),
    ],
)
def test_measures_of_gbm(name, target, metric, max_rank):
    columns = {key: np.array(values) for key, values in GOLDEN["columns"].items()}
    host = host_of(columns[target], columns["group"], metric, max_rank)
    found = 1.0 - host.deviance(columns["score"][np.newaxis])
    assert found == pytest.approx(GOLDEN["expected"][name], abs=1e-12)


@settings(deadline=None, max_examples=120)
@given(
    st.lists(st.integers(0, 3), min_size=2, max_size=9),
    st.sampled_from(METRICS),
    st.integers(0, 4),
    st.randoms(use_true_random=False),
)
def test_a_swap_costs_what_the_measure_changes_by(labels, metric, max_rank, random):
    if metric in ("mrr", "map"):
        labels = [min(label, 1) for label in labels]
    max_rank = max_rank if metric in ("mrr", "ndcg") else 0
    outcome = np.array(sorted(labels, reverse=True), dtype=float)
    score = np.array([random.sample(range(len(labels)), len(labels))], dtype=float)
    rows, code = np.arange(outcome.size), CODES[metric]
    label, ranks, ranked = ranks_of(outcome, score, rows, 0, outcome.size)
    np.testing.assert_array_equal(ranked, outcome[np.argsort(-score[0])])
    sums = prepared_sums(label, ranked, code, max_rank)
    before = measure(ranked, code, max_rank)
    assert before <= best_measure(outcome, rows, 0, outcome.size, code, max_rank) or not label[0]
    for better in range(outcome.size):
        for worse in range(better + 1, outcome.size):
            if label[better] <= label[worse]:
                continue
            swapped = ranked.copy()
            places = [ranks[better] - 1, ranks[worse] - 1]
            swapped[places] = swapped[places[::-1]]
            wanted = abs(measure(swapped, code, max_rank) - before)
            found = swap_cost(label, ranks, sums, better, worse, code, max_rank, False)
            assert found == pytest.approx(wanted, abs=1e-12)


def test_gbm_overlooks_a_second_hit_between_the_two():
    outcome, score, rows = np.array([1.0, 1, 0]), np.array([[3.0, 2.0, 1.0]]), np.arange(3)
    label, ranks, ranked = ranks_of(outcome, score, rows, 0, 3)
    sums = prepared_sums(label, ranked, CODES["mrr"], 0)
    costs = [swap_cost(label, ranks, sums, 0, 2, CODES["mrr"], 0, flag) for flag in (False, True)]
    assert costs == pytest.approx([1 / 2, 2 / 3])


def lambdas_by_differences(host, score, metric):
    """Slopes of sum D log(1 + exp(F_worse - F_better)) with D held fixed."""
    label, ranks, ranked = ranks_of(host.outcome, score, np.arange(host.size), 0, host.size)
    sums = prepared_sums(label, ranked, CODES[metric], 0)
    pairs = [
        (i, j, swap_cost(label, ranks, sums, i, j, CODES[metric], 0, False))
        for i in range(host.size)
        for j in range(host.size)
        if label[i] > label[j]
    ]
    count = sum(cost > 0.0 for _, _, cost in pairs)
    best = best_measure(host.outcome, np.arange(host.size), 0, host.size, CODES[metric], 0)

    def smooth(values):
        total = sum(cost * np.logaddexp(0.0, values[j] - values[i]) for i, j, cost in pairs)
        return total / (best * count)

    steps = 1e-5 * np.eye(host.size)
    return np.array([-(smooth(score[0] + h) - smooth(score[0] - h)) / 2e-5 for h in steps])


@pytest.mark.parametrize("metric", METRICS)
def test_lambdas_are_slopes_of_the_smooth_stand_in(metric):
    outcome = np.array([1.0, 1, 1, 0, 0, 0, 0])
    if metric in ("conc", "ndcg"):
        outcome = np.array([4.0, 3, 3, 2, 1, 0, 0])
    host = host_of(outcome, np.zeros(7), metric)
    score = np.array([[0.3, -0.2, 0.9, 0.1, 1.1, -0.7, 0.5]])
    gradient, curvature = host.gradients(score)
    np.testing.assert_allclose(
        gradient[0], lambdas_by_differences(host, score, metric), rtol=1e-7, atol=1e-10
    )
    assert gradient.sum() == pytest.approx(0.0, abs=1e-12)
    assert (curvature >= 0.0).all()
    assert gradient[0, 0] > 0.0


def test_ties_never_flatter_and_groups_without_pairs_do_not_count():
    tied = host_of([1, 0, 0], [5, 5, 5], "mrr")
    assert tied.deviance(np.zeros((1, 3))) == pytest.approx(2 / 3)
    mixed = host_of([1, 0, 0, 2, 2, 3, 0, 0], [5, 5, 5, 6, 6, 7, 8, 8], "mrr")
    assert mixed.deviance(np.zeros((1, 8))) == pytest.approx(2 / 3)
    gradient, curvature = mixed.gradients(np.zeros((1, 8)))
    assert not gradient[0, 3:].any()
    assert not curvature[0, 3:].any()


def test_conc_passes_the_kit_but_for_its_steps():
    """A small step of a smooth stand-in may turn a pair the wrong way."""
    which, places = PAIRWISE.parameters
    which = replace(which, default=float(CODES["conc"]))
    sheet = check_distribution(replace(PAIRWISE, parameters=(which, places), gbm=None))
    assert {item.check for item in sheet.failures} <= {"Leaf value obeys its kind"}


@pytest.mark.parametrize(
    ("metric", "label", "weight", "words"),
    [
        ("map", [2, 0, 1, 0], [1, 1, 1, 1], "row 1"),
        ("ndcg", [2, 0, 1, 0], [1, 1, 1, 2], "row 4"),
        ("ndcg", [2, 2, 1, 1], [1, 1, 1, 1], "No group"),
        ("ndcg", [2, 2, 1, 0], [1, 1, 0, 0], "No group"),
    ],
)
def test_groups_that_cannot_be_ranked_are_refused(metric, label, weight, words):
    label, weight = np.array(label, dtype=float), np.array(weight, dtype=float)
    columns = {"group": np.array([1.0, 1, 2, 2])}
    parameters = {"metric": float(CODES[metric]), "max_rank": 0.0}
    check_cases(PAIRWISE, np.array([1.0, 0, 1, 0]), np.ones(4), parameters, columns)
    with pytest.raises(PayoffError, match=words):
        check_cases(PAIRWISE, label, weight, parameters, columns)
