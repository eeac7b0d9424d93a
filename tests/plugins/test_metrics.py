"""Worked numbers of the metrics: published, from scikit-learn, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as peer

from core.extensions import Registry
from payoff import PayoffError, Sample
from payoff.testing import metric_value
from tests.plugins.published import A, B, binary, numbers


@pytest.fixture(scope="module")
def registry():
    return Registry.discover(has_packages=False)


@pytest.fixture(scope="module")
def value(registry):
    def run(metric, sample, **parameters):
        return metric_value(registry.metric(metric), sample, parameters)

    return run


@pytest.mark.parametrize(
    ("metric", "data", "wanted"),
    [
        ("auc", A, 0.75),
        ("auc", B, 0.7916666667),
        ("gini", B, 2 * 0.7916666667 - 1),
        ("brier", B, 0.2005),
        ("log_loss", B, 0.5740690671),
        ("brier", ([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 0.0375),
        ("log_loss", ([1, 0, 0, 1], [0.9, 0.1, 0.2, 0.65]), 0.21616187468057912),
        ("bernoulli_deviance", ([1, 0, 0, 1], [0.9, 0.1, 0.2, 0.65]), 2 * 0.21616187468057912),
    ],
)
def test_published_numbers_of_chances(value, metric, data, wanted):
    assert value(metric, binary(*data)) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "outcome", "prediction", "wanted"),
    [
        ("poisson_deviance", [2, 0, 1, 4], [0.5, 0.5, 2, 2], 1.4260151319598084),
        (
            "poisson_deviance",
            [18, 17, 15, 20, 10, 20, 25, 13, 12],
            [21, 40 / 3, 47 / 3] * 3,
            5.129141077 / 9,
        ),
        (
            "poisson_deviance",  # the same counts by their mean: the null deviance
            [18, 17, 15, 20, 10, 20, 25, 13, 12],
            [150 / 9] * 9,
            10.58144586 / 9,
        ),
        ("gamma_deviance", [2, 0.5, 1, 4], [0.5, 0.5, 2, 2], 1.0568528194400546),
        ("gaussian_deviance", [3, -0.5, 2, 7], [2.5, 0, 2, 8], 0.375),
        ("laplace_deviance", [3, -0.5, 2, 7], [2.5, 0, 2, 8], 0.5),
        ("mae", [3, -0.5, 2, 7], [2.5, 0, 2, 8], 0.5),
        ("rmse", [3, -0.5, 2, 7], [2.5, 0, 2, 8], math.sqrt(0.375)),
    ],
)
def test_published_numbers_of_numbers(value, metric, outcome, prediction, wanted):
    assert value(metric, numbers(outcome, prediction)) == pytest.approx(wanted, abs=1e-9)


SPRAYS = (
    (10, 7, 20, 14, 14, 12, 10, 23, 17, 20, 14, 13),
    (11, 17, 21, 11, 16, 14, 17, 17, 19, 21, 7, 13),
    (0, 1, 7, 2, 3, 1, 2, 1, 3, 0, 1, 4),
    (3, 5, 12, 6, 4, 3, 5, 5, 5, 5, 2, 4),
    (3, 5, 3, 5, 3, 6, 1, 1, 3, 2, 6, 4),
    (11, 9, 15, 22, 15, 16, 13, 10, 26, 26, 24, 13),
)
"""Insects left by spray, 72 plots: R's data set InsectSprays (Beall 1942)."""


def test_the_deviances_of_a_published_trial_of_sprays(value):
    """R 4.2.2, glm(count ~ spray, poisson): residual deviance 98.32866302, null 409.0411927."""
    counts = np.array(SPRAYS, dtype=float)
    by_spray = np.repeat(counts.mean(axis=1), 12)
    whole = np.full(72, counts.mean())
    for fitted, deviance in ((by_spray, 98.32866302), (whole, 409.0411927)):
        found = value("poisson_deviance", numbers(counts.ravel(), fitted))
        assert 72 * found == pytest.approx(deviance, rel=1e-9)


def test_lift_and_captured_share_tied_cases_in_proportion(value):
    assert value("lift_at", binary(*B), depth=0.2) == pytest.approx(1.6666666667, abs=1e-9)
    # Rows 6 and 7 of B (0-based, from the top) have the score 0.35 and hold one event together.
    gains = [value("captured_at", binary(*B), depth=k / 10) for k in range(1, 11)]
    wanted = np.array([1, 2, 3, 3, 4, 4.5, 5, 5.5, 6, 6]) / 6
    np.testing.assert_allclose(gains, wanted, atol=1e-12)


def test_area_under_the_gains_curve_follows_from_the_auc(value):
    """(1 - share) x AUC + share / 2, by the trapezoid over different scores of B."""
    sample = binary(*B)
    depth = np.insert(sample.cumulative("all") / 10, 0, 0.0)
    gain = np.insert(sample.cumulative("event") / 6, 0, 0.0)
    area = float(((gain[1:] + gain[:-1]) / 2 * np.diff(depth)).sum())
    assert area == pytest.approx(0.4 * value("auc", sample) + 0.3, abs=1e-12)
    assert area == pytest.approx(0.6166666667, abs=1e-9)


def test_against_scikit_learn_with_weights_and_ties(value):
    random = np.random.default_rng(7)
    happened = random.integers(0, 2, 400)
    probability = np.round(np.clip(0.3 * happened + random.uniform(0.1, 0.6, 400), 0, 1), 2)
    weight = random.uniform(0.1, 3.0, 400)
    sample = binary(happened, probability, weight)
    fpr, tpr, _ = peer.roc_curve(happened, probability, sample_weight=weight)
    wanted = {
        "auc": peer.roc_auc_score(happened, probability, sample_weight=weight),
        "average_precision": peer.average_precision_score(
            happened, probability, sample_weight=weight
        ),
        "log_loss": peer.log_loss(happened, probability, sample_weight=weight),
        "brier": peer.brier_score_loss(happened, probability, sample_weight=weight),
        "accuracy": peer.accuracy_score(happened, probability >= 0.5, sample_weight=weight),
        "ks": float(np.abs(tpr - fpr).max()),
    }
    for metric, answer in wanted.items():
        assert value(metric, sample) == pytest.approx(answer, rel=1e-12), metric


def test_several_classes_against_scikit_learn(value):
    random = np.random.default_rng(8)
    outcome = random.integers(0, 3, 300)
    raw = random.uniform(0.1, 1.0, (3, 300)) + 0.6 * (np.arange(3)[:, None] == outcome)
    probabilities = raw / raw.sum(axis=0)
    weight = random.uniform(0.5, 2.0, 300)
    sample = Sample(outcome, prediction=probabilities, labels=("a", "b", "c"), weight=weight)
    plain = Sample(outcome, prediction=probabilities, labels=("a", "b", "c"))
    assert value("macro_auc", plain) == pytest.approx(
        peer.roc_auc_score(outcome, probabilities.T, multi_class="ovr"), rel=1e-12
    )
    assert value("log_loss", sample) == pytest.approx(
        peer.log_loss(outcome, probabilities.T, sample_weight=weight), rel=1e-12
    )
    assert value("accuracy", sample) == pytest.approx(
        peer.accuracy_score(outcome, probabilities.argmax(axis=0), sample_weight=weight), rel=1e-12
    )
    hits = np.arange(3)[:, None] == outcome
    brier = np.average(((probabilities - hits) ** 2).sum(axis=0), weights=weight)
    assert value("brier", sample) == pytest.approx(brier, rel=1e-12)


def test_an_impossible_chance_that_came_true_is_infinite(value):
    assert value("log_loss", binary([1, 0], [0.0, 0.2])) == math.inf
    assert value("bernoulli_deviance", binary([1, 0], [0.0, 0.2])) == math.inf
    assert value("log_loss", binary([1, 0], [1.0, 0.0])) == 0.0


def test_a_prediction_without_a_deviance_is_refused_with_its_row(value):
    with pytest.raises(PayoffError, match="row 2") as refused:
        value("poisson_deviance", numbers([1, 0, 2], [0.5, 0.0, 1.0]))
    assert "above 0" in refused.value.why


def test_one_class_only_is_undefined(value):
    sample = binary([1, 1], [0.2, 0.9])
    for metric in ("auc", "gini", "ks"):
        assert math.isnan(value(metric, sample))
    assert value("average_precision", sample) == 1.0


def test_threshold_of_accuracy(value):
    sample = binary([1, 0, 1, 0], [0.3, 0.2, 0.9, 0.6])
    assert value("accuracy", sample) == 0.5
    assert value("accuracy", sample, threshold=0.25) == 0.75


def test_profit_is_the_mean_and_the_total_of_consequences(value):
    sample = Sample(
        [0, 1, 1],
        [0.3, 0.2, 0.1],
        labels=("yes", "no"),
        weight=[1.0, 2.0, 1.0],
        roles={"consequences": [24.0, -1.6, np.nan]},
    )
    average = (24.0 - 3.2) / 3.0
    assert value("average_profit", sample) == pytest.approx(average)
    assert value("total_profit", sample) == pytest.approx(average * 4.0)


def test_the_column_title_says_the_depth(registry):
    from core.extensions import metric_info

    metric = registry.metric("lift_at")
    assert metric_info(metric).title == "Lift, best 2\N{NO-BREAK SPACE}%"
    info = metric_info(metric, {"depth": 0.125}, key="lift_at(depth=0.125)")
    assert info.title == "Lift, best 12.5\N{NO-BREAK SPACE}%"
    assert info.metric == "lift_at(depth=0.125)"
    assert info.parameters[0].name == "depth"


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(1, 9), st.integers(0, 3)), min_size=2, max_size=40
    )
)
def test_swapping_the_classes_mirrors_the_auc(cases):
    from plugins.metrics.ranking import AUC, GINI, KS

    happened, tenths, weight = map(np.array, zip(*cases, strict=True))
    there = binary(happened, tenths / 10, weight)
    back = binary(1 - happened, tenths / 10, weight)
    straight, mirrored = metric_value(AUC, there), metric_value(AUC, back)
    np.testing.assert_allclose(straight, 1.0 - mirrored, atol=1e-12)
    np.testing.assert_allclose(metric_value(GINI, there), -metric_value(GINI, back), atol=1e-12)
    np.testing.assert_allclose(metric_value(KS, there), metric_value(KS, back), atol=1e-12)
    bent = binary(happened, (tenths / 10) ** 3, weight)
    np.testing.assert_allclose(metric_value(AUC, bent), straight, atol=1e-12)
