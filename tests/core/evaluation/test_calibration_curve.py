"""The smooth calibration curve: R's figures, ranges, weights, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import payoff
from payoff.smooth_calibration import (
    Band,
    Family,
    calibration_curve,
    cell_calibration_curve,
)

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "calibration" / "curves.json").read_text("utf-8")
)
SHOWN = np.array([1, 2, 20, 60, 100, 140, 180, 199, 200]) - 1  # points that the file keeps
COLUMNS = {
    "bernoulli": ("p", "event"),
    "poisson": ("mu", "count"),
    "gaussian": ("x", "number"),
}


def arrays(family):
    return tuple(np.array(GOLDEN[name], dtype=float) for name in COLUMNS[family])


@pytest.mark.parametrize("family", COLUMNS)
def test_curve_and_band_are_those_of_gbm(family):
    found = calibration_curve(*arrays(family), family=Family(family), band=Band.GBM)
    fit, error = np.array(GOLDEN[f"{family}_fit"]), np.array(GOLDEN[f"{family}_se"])
    np.testing.assert_allclose(found.predicted[SHOWN], GOLDEN[f"{family}_x"], rtol=1e-12)
    np.testing.assert_allclose(found.observed[SHOWN], fit, rtol=1e-7)
    low, high = fit - 2 * error, fit + 2 * error
    if family != "gaussian":
        low = np.maximum(low, 0.0)
    if family == "bernoulli":
        high = np.minimum(high, 1.0)
    np.testing.assert_allclose(found.low[SHOWN], low, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.high[SHOWN], high, rtol=1e-6)


@pytest.mark.parametrize("family", COLUMNS)
def test_the_usual_band_is_made_on_the_link_scale(family):
    found = calibration_curve(*arrays(family), family=Family(family))
    link, error = np.array(GOLDEN[f"{family}_link"]), np.array(GOLDEN[f"{family}_link_se"])
    inverse = {
        "gaussian": lambda f: f,
        "poisson": np.exp,
        "bernoulli": lambda f: 1 / (1 + np.exp(-f)),
    }[family]
    np.testing.assert_allclose(found.low[SHOWN], inverse(link - 1.959963985 * error), rtol=1e-6)
    np.testing.assert_allclose(found.high[SHOWN], inverse(link + 1.959963985 * error), rtol=1e-6)


def test_weights_shape_the_curve_and_their_scale_does_not_matter():
    x, number = arrays("gaussian")
    weight = np.array(GOLDEN["weight"], dtype=float)
    found = calibration_curve(x, number, weight, family=Family.GAUSSIAN)
    # Knots stand at shares of the rows, as in R.
    np.testing.assert_allclose(found.observed[SHOWN], GOLDEN["gaussian_weighted_fit"], rtol=1e-7)
    scaled = calibration_curve(x, number, 10 * weight, family=Family.GAUSSIAN)
    np.testing.assert_allclose(scaled.low, found.low, rtol=1e-9)


def test_true_chances_lie_in_the_band():
    random = np.random.default_rng(1)
    inside = []
    for _ in range(40):
        probability = random.uniform(0.05, 0.6, 800)
        found = calibration_curve(probability, (random.random(800) < probability).astype(float))
        inside.append(((found.low <= found.predicted) & (found.predicted <= found.high)).mean())
    assert 0.9 < np.mean(inside) < 0.99


@pytest.mark.parametrize("values", [2, 3, 5])
def test_few_different_predictions(values):
    random = np.random.default_rng(2)
    probability = random.integers(1, values + 1, 500) / (values + 1)
    event = (random.random(500) < probability).astype(float)
    found = calibration_curve(probability, event)
    for level in np.unique(probability):
        place = np.argmin(np.abs(found.predicted - level))
        if abs(found.predicted[place] - level) < 1e-9:
            assert found.observed[place] == pytest.approx(
                event[probability == level].mean(), abs=0.05
            )
    assert np.all(found.low <= found.high)


def test_perfectly_parted_outcomes_stay_in_range():
    probability = np.linspace(0.01, 0.99, 200)
    found = calibration_curve(probability, (probability > 0.5).astype(float))
    assert np.all((found.low >= 0) & (found.high <= 1) & np.isfinite(found.observed))


@pytest.mark.parametrize(
    ("predicted", "outcome", "match"),
    [
        ([0.5, 0.5], [0, 1], "same prediction"),
        ([0.1, 0.5], [1, 1], "always 1"),
        ([0.1, 0.5], [0, 2], "row 2"),
        ([0.1, np.nan], [0, 1], "row 2"),
        ([], [], "no cases"),
    ],
)
def test_refusals(predicted, outcome, match):
    with pytest.raises(payoff.PayoffError, match=match):
        calibration_curve(np.array(predicted, dtype=float), np.array(outcome, dtype=float))


def test_an_evaluation_has_it_beside_its_groups():
    random = np.random.default_rng(3)
    probability = random.uniform(0.02, 0.7, 2000)
    data = {"p": probability, "y": (random.random(2000) < probability).astype(int)}
    judged = payoff.evaluate(data, outcome="y", scores="p", intervals=False)
    smooth, groups = judged.curve("smooth_calibration", "p"), judged.curve("calibration", "p")
    assert list(smooth.columns) == list(groups.columns)
    at_groups = np.interp(groups.x, smooth.x, smooth.y)
    assert np.abs(at_groups - groups.y).max() < 0.1
    own = calibration_curve(probability, np.asarray(data["y"], dtype=float))
    np.testing.assert_allclose(smooth.low, own.low)


def test_many_cases_are_fitted_in_cells_and_look_the_same():
    rng = np.random.default_rng(12)
    probability = np.clip(rng.beta(0.6, 6.0, 60_000), 1e-5, 0.99)
    outcome = (rng.random(60_000) < probability**1.1).astype(float)
    whole, cells = (
        calibration_curve(probability, outcome),
        cell_calibration_curve(probability, outcome),
    )
    inner = whole.predicted < np.quantile(probability, 0.999)
    np.testing.assert_allclose(cells.observed[inner], whole.observed[inner], atol=5e-4)
    width = (whole.high - whole.low)[inner]
    np.testing.assert_allclose((cells.high - cells.low)[inner], width, rtol=0.02, atol=1e-5)
    twice = cell_calibration_curve(probability, outcome, np.full(60_000, 2.0))
    np.testing.assert_allclose(twice.high, cells.high, atol=1e-9)
