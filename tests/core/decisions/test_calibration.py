"""Scores become chances: scikit-learn's figures, cross-fitting, what no map may do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import base, calibration, isotonic, model_selection

from core.decisions.calibration import (
    cross_fit,
    fit_map,
    log_odds,
    pool_violators,
    probability_by,
    stratified_folds,
)
from core.document.model import CalibrationMethod
from payoff.errors import PayoffError

LOGISTIC, ISOTONIC, BANDS = (
    CalibrationMethod.LOGISTIC,
    CalibrationMethod.ISOTONIC,
    CalibrationMethod.BANDS,
)
NUMBER = np.arange(60)
POINTS = np.round(300 + 10 * ((NUMBER * 37) % 60) / 2 + NUMBER % 7, 1)
EVENT = ((NUMBER * 53 + 11) % 97) < (POINTS - 280) / 4.5
ONE = np.ones(60)
WEIGHT = 1.0 + NUMBER % 3
ASKED = np.array([250.0, 333.3, 400.0, 512.5, 700.0])


# scikit-learn 1.9.1, sklearn.calibration._sigmoid_calibration(score, event, sample_weight): -a, -b
@pytest.mark.parametrize(
    ("weight", "slope", "intercept"),
    [
        (ONE, 0.010036438809282832, -5.160953125416037),
        (WEIGHT, 0.009141939634177828, -4.758789769634408),
    ],
)
def test_logistic_is_scikit_learns_sigmoid(weight, slope, intercept):
    fitted = fit_map(POINTS, EVENT, weight, LOGISTIC)
    assert fitted.slope == pytest.approx(slope, rel=1e-7)
    assert fitted.intercept == pytest.approx(intercept, rel=1e-7)


# scikit-learn 1.9.1, IsotonicRegression(out_of_bounds="clip").fit(score, event, weight).predict
@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (ONE, [0.0, 0.0, 0.23076923076923078, 0.5, 0.8333333333333334]),
        (WEIGHT, [0.0, 0.0, 0.27104377104377103, 0.5, 0.75]),
    ],
)
def test_isotonic_is_scikit_learns(weight, expected):
    fitted = fit_map(POINTS, EVENT, weight, ISOTONIC)
    assert probability_by(fitted, ISOTONIC, ASKED) == pytest.approx(expected, abs=1e-14)


def test_isotonic_keeps_the_ends_of_level_stretches():
    fitted = fit_map(POINTS, EVENT, ONE, ISOTONIC)
    # X_thresholds_ and y_thresholds_ of scikit-learn 1.9.1
    assert fitted.scores == (300, 334, 338, 365, 372, 395, 406, 460, 467, 532, 539, 566, 570, 600)
    assert fitted.probabilities[2:8] == pytest.approx([1 / 7, 1 / 7, 1 / 6, 1 / 6, 4 / 13, 4 / 13])


@pytest.mark.parametrize(("method", "ours"), [("sigmoid", LOGISTIC), ("isotonic", ISOTONIC)])
def test_map_of_all_rows_is_calibrated_classifiers(method, ours):
    class Points(base.ClassifierMixin, base.BaseEstimator):
        """A classifier whose decision function is its only input."""

        def fit(self, inputs, outcome):
            self.classes_ = np.unique(outcome)
            return self

        def predict(self, inputs):
            return self.classes_[(inputs[:, 0] > 450).astype(int)]

        def decision_function(self, inputs):
            return inputs[:, 0]

    fold = stratified_folds(EVENT, 5, 20261)
    judge = calibration.CalibratedClassifierCV(
        Points(), method=method, cv=model_selection.PredefinedSplit(fold), ensemble=False
    ).fit(POINTS[:, None], EVENT.astype(int))
    expected = judge.predict_proba(ASKED[:, None])[:, 1]
    fitted = cross_fit(POINTS, EVENT, ONE, ours)
    assert probability_by(fitted.final, ours, ASKED) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("name", "ours"), [("sigmoid", LOGISTIC), ("isotonic", ISOTONIC)])
def test_cross_fitted_chances_are_scikit_learns_of_the_other_folds(name, ours):
    fitted = cross_fit(POINTS, EVENT, WEIGHT, ours)
    for number in range(5):
        here = fitted.fold == number
        score, event, weight = POINTS[~here], EVENT[~here].astype(float), WEIGHT[~here]
        if name == "sigmoid":
            judge = calibration._SigmoidCalibration().fit(score, event, weight)
        else:
            judge = isotonic.IsotonicRegression(out_of_bounds="clip").fit(score, event, weight)
        assert fitted.probability[here] == pytest.approx(judge.predict(POINTS[here]), abs=1e-7)


@pytest.mark.parametrize("method", list(CalibrationMethod))
def test_no_row_has_a_say_in_its_own_chance(method):
    first = cross_fit(POINTS, EVENT, ONE, method)
    for row in (4, 17, 22):
        # A row that becomes a thousand rows moves the chances of other folds, never its own fold's.
        weight = ONE.copy()
        weight[row] = 1000.0
        moved = cross_fit(POINTS, EVENT, weight, method)
        same_fold = first.fold == first.fold[row]
        # 1e-9: the logistic fit ends within that of its optimum, wherever it starts
        assert moved.probability[same_fold] == pytest.approx(first.probability[same_fold], abs=1e-9)
        assert np.abs(moved.probability[~same_fold] - first.probability[~same_fold]).max() > 0.01


def test_cross_fitted_chances_differ_from_the_final_map_and_repeat_with_the_seed():
    fitted = cross_fit(POINTS, EVENT, ONE, ISOTONIC, seed=1)
    again = cross_fit(POINTS, EVENT, ONE, ISOTONIC, seed=1)
    other = cross_fit(POINTS, EVENT, ONE, ISOTONIC, seed=2)
    naive = probability_by(fitted.final, ISOTONIC, POINTS)
    assert np.array_equal(fitted.probability, again.probability)
    assert not np.array_equal(fitted.probability, other.probability)
    assert ((naive - EVENT) ** 2).mean() < ((fitted.probability - EVENT) ** 2).mean()


def test_folds_hold_both_classes_alike():
    fold = stratified_folds(EVENT, 5, 7)
    for wanted in (EVENT, ~EVENT):
        counts = np.bincount(fold[wanted], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert np.bincount(fold).tolist() == [12] * 5


@pytest.mark.parametrize("method", list(CalibrationMethod))
def test_weight_two_is_the_row_twice(method):
    weight = 1.0 + (NUMBER % 2)
    twice = np.repeat(NUMBER, weight.astype(int))
    bands = {"bands": 2}
    heavy = fit_map(POINTS, EVENT, weight, method, **bands)
    doubled = fit_map(POINTS[twice], EVENT[twice], np.ones(len(twice)), method, **bands)
    assert probability_by(heavy, method, ASKED) == pytest.approx(
        probability_by(doubled, method, ASKED)
    )


def test_bands_hold_the_share_that_was_observed():
    score = np.repeat(np.arange(10.0), 100)
    event = (np.arange(1000) % 100) < 5 * (1 + np.repeat(np.arange(10), 100) // 2)
    fitted = fit_map(score, event, np.ones(1000), BANDS, bands=5)
    assert fitted.scores == (1.5, 3.5, 5.5, 7.5)
    assert fitted.probabilities == pytest.approx([0.05, 0.10, 0.15, 0.20, 0.25])
    assert probability_by(fitted, BANDS, np.array([-9.0, 1.5, 99.0])) == pytest.approx(
        [0.05, 0.1, 0.25]
    )


@pytest.mark.parametrize("method", list(CalibrationMethod))
def test_a_missing_score_has_no_chance(method):
    fitted = fit_map(POINTS, EVENT, ONE, method)
    assert np.isnan(probability_by(fitted, method, np.array([np.nan]))).all()


def test_a_falling_score_gets_the_same_chances_turned_round():
    rising = fit_map(POINTS, EVENT, ONE, ISOTONIC)
    falling = fit_map(-POINTS, EVENT, ONE, ISOTONIC, is_falling=True)
    assert probability_by(falling, ISOTONIC, -ASKED) == pytest.approx(
        probability_by(rising, ISOTONIC, ASKED)
    )


def test_logistic_of_log_odds_mends_chances_that_are_too_sure():
    draw = np.random.default_rng(5)
    line = draw.normal(-1.0, 1.0, 20_000)
    event = draw.random(20_000) < 1 / (1 + np.exp(-line))
    too_sure = 1 / (1 + np.exp(-3.0 * line))
    fitted = fit_map(log_odds(too_sure), event, np.ones(20_000), LOGISTIC)
    assert fitted.slope == pytest.approx(1 / 3, rel=0.05)
    assert abs(fitted.intercept) < 0.05


def test_scores_all_equal_get_the_smoothed_share():
    fitted = fit_map(np.full(60, 7.0), EVENT, ONE, LOGISTIC)
    assert fitted.slope == 0.0
    assert probability_by(fitted, LOGISTIC, ASKED) == pytest.approx((EVENT.sum() + 1) / 62)


def test_perfect_separation_stays_below_certainty():
    fitted = fit_map(POINTS, POINTS > 450, ONE, LOGISTIC)
    probability = probability_by(fitted, LOGISTIC, POINTS)
    assert np.isfinite([fitted.slope, fitted.intercept]).all()
    assert 0.0 < probability.min() < probability.max() < 1.0


def test_one_class_and_too_many_folds_are_refused():
    with pytest.raises(PayoffError, match="one class only"):
        fit_map(POINTS, np.zeros(60, dtype=bool), ONE, LOGISTIC)
    with pytest.raises(PayoffError, match="30 folds") as refusal:
        cross_fit(POINTS, EVENT, ONE, BANDS, folds=30)
    assert "22 cases" in refusal.value.why


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 4)), min_size=1, max_size=40),
)
def test_pooling_is_the_nearest_sequence_that_never_falls(pairs):
    values, weight = (np.array(part, dtype=float) for part in zip(*pairs, strict=True))
    pooled = pool_violators(values, weight)
    assert (np.diff(pooled) >= -1e-9).all()
    # The max-min formula of isotonic regression, worked out by brute force.
    size = len(values)
    for place in range(size):
        best = max(
            min(
                np.average(values[low : high + 1], weights=weight[low : high + 1])
                for high in range(place, size)
            )
            for low in range(place + 1)
        )
        assert pooled[place] == pytest.approx(best, abs=1e-9)
