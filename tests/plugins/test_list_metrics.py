"""Metrics of ranked lists: published figures, scikit-learn's, and the definitions spelt out."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, ndcg_score

from core.evaluation.binding import BoundMetric
from core.evaluation.problem import MetricRequest
from core.extensions import Registry
from payoff import PayoffError, Sample, Task
from payoff.testing import metric_value


@pytest.fixture(scope="module")
def registry():
    return Registry.discover(has_packages=False)


@pytest.fixture(scope="module")
def value(registry):
    def run(metric, cases, **parameters):
        return metric_value(registry.metric(metric), cases, parameters)

    return run


def lists(grade, score, group=None, weight=None):
    group = np.zeros(len(grade)) if group is None else np.asarray(group)
    return Sample(grade, score, weight=weight, task=Task.RANKING, roles={"group": group})


def made_up(seed, groups=12):
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 9, groups)
    group = np.repeat(np.arange(groups), sizes)
    rows = random.permutation(len(group))
    grade = random.integers(0, 4, len(group)).astype(float)
    score = np.round(grade + random.normal(0, 1.5, len(group)))  # with ties
    return grade[rows], score[rows], group[rows]


def test_published_figures(value):
    """Wikipedia, discounted cumulative gain; scikit-learn's example of dcg_score."""
    falling = [6, 5, 4, 3, 2, 1]
    assert value("ndcg", lists([3, 2, 3, 0, 1, 2], falling)) == pytest.approx(0.9608081943)
    example = lists([10, 0, 0, 1, 5], [0.1, 0.2, 0.3, 4, 70])
    assert value("ndcg", example) == pytest.approx(0.6956940444)
    tied = lists([1, 0, 0, 0, 1], [1, 0, 0, 0, 1])
    assert value("ndcg", lists([1, 0], [1, 1]), places=1) == pytest.approx(0.5)
    assert value("ndcg", tied) == pytest.approx(1.0)


def test_published_figures_of_hits(value):
    """Average precision of two lists (.6222, .4429), and places 3, 2, 1 of the first hit."""
    hits = np.zeros((2, 10))
    hits[0, [0, 2, 5, 8, 9]] = 1
    hits[1, [1, 4, 6]] = 1
    falling, group = np.tile(np.arange(10, 0, -1), 2), np.repeat([0, 1], 10)
    assert value("map", lists(hits[0], falling[:10])) == pytest.approx(0.6222222222)
    assert value("map", lists(hits.ravel(), falling, group)) == pytest.approx(0.5325396825)
    firsts = lists([0, 0, 1, 0, 1, 0, 1, 0, 0], [3, 2, 1] * 3, np.repeat([0, 1, 2], 3))
    assert value("mrr", firsts) == pytest.approx(0.6111111111)


@pytest.mark.parametrize("places", [0, 1, 3])
def test_ndcg_is_that_of_scikit_learn(value, places):
    for seed in range(8):
        grade, score, group = made_up(seed)
        wanted = [
            ndcg_score([grade[group == g]], [score[group == g]], k=places or None)
            for g in np.unique(group)
            if grade[group == g].max() > 0
        ]
        found = value("ndcg", lists(grade, score, group), places=places)
        assert found == pytest.approx(np.mean(wanted), rel=1e-12)


def test_the_steep_gain(value):
    grade, score, group = made_up(3)
    steep = value("ndcg", lists(grade, score, group), gain="2^grade - 1")
    assert steep == pytest.approx(value("ndcg", lists(2.0**grade - 1.0, score, group)))
    assert steep != pytest.approx(value("ndcg", lists(grade, score, group)))


def test_hits_and_pairs_as_spelt_out(value):
    grade, score, group = made_up(5)
    score = score + np.random.default_rng(1).permutation(len(score)) * 1e-4  # no ties
    precisions, firsts, shares = [], [], []
    for g in np.unique(group):
        label, mine = grade[group == g], score[group == g]
        better, worse = np.nonzero(label[:, None] > label[None, :])
        if len(better):
            shares.append((mine[better] > mine[worse]).mean())
        if label.max() > 0:
            precisions.append(average_precision_score(label > 0, mine))
            firsts.append(1 / (1 + np.argmax(label[np.argsort(-mine)] > 0)))
    cases = lists(grade, score, group)
    assert value("map", cases) == pytest.approx(np.mean(precisions))
    assert value("mrr", cases) == pytest.approx(np.mean(firsts))
    assert value("ordered_pairs", cases) == pytest.approx(np.mean(shares))


@pytest.mark.parametrize("metric", ["ndcg", "map", "mrr", "ordered_pairs"])
def test_a_group_of_weight_two_counts_twice(registry, value, metric):
    grade, score, group = made_up(9)
    weight = np.where(group == group[0], 2.0, 1.0)
    again = np.concatenate([np.arange(len(group)), np.flatnonzero(group == group[0])])
    twice = group[again].copy()
    twice[len(group) :] = 1000
    wanted = value(metric, lists(grade[again], score[again], twice))
    cases = lists(grade, score, group, weight)
    assert value(metric, cases) == pytest.approx(wanted)
    bound = BoundMetric(MetricRequest(spec=registry.metric(metric)))
    assert bound.compute(cases, bound.parameters) == pytest.approx(wanted)


def test_without_a_hit_there_is_no_value(value):
    assert np.isnan(value("ndcg", lists([0, 0], [1, 2])))
    with pytest.raises(PayoffError, match="grade -1 is below 0"):
        value("ndcg", lists([-1, 0], [1, 2]))
