"""payoff.boost: names, refusals, and what comes back."""

import numpy as np
import pandas as pd
import pytest

import payoff


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "age": random.uniform(20, 70, n).round(),
            "income": random.gamma(2.0, 1000.0, n),
            "town": random.choice(["Bern", "Basel", "Genf"], n),
            "weight": random.uniform(0.5, 2.0, n),
            "exposure": random.uniform(-0.5, 0.5, n),
        }
    )
    score = 0.05 * (frame.age - 45) + (frame.town == "Genf")
    frame["bought"] = np.where(random.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")
    frame["count"] = random.poisson(np.exp(score / 3 + frame.exposure))
    frame.loc[::10, "income"] = np.nan
    return frame


INPUTS = ["age", "income", "town"]


def boost(table, **more):
    chosen = {"target": "bought", "distribution": "bernoulli", "features": INPUTS, "n_trees": 15}
    return payoff.boost(table, **(chosen | more))


def test_model_has_the_promised_face(table, tmp_path):
    model = boost(table, interaction_depth=3, train_fraction=0.8, cv_folds=3, weight="weight")
    assert model.classes == ("no", "yes")
    assert isinstance(model.initial_score, float)
    for curve in (
        model.train_deviance,
        model.valid_deviance,
        model.oob_improvement,
        model.cv_deviance,
    ):
        assert curve.shape == (15,)
        assert np.isfinite(curve).all()
    assert sum(model.relative_influence().values()) == pytest.approx(100.0)
    assert list(model.cv_predictions.columns) == ["fold", "link"]
    assert len(model.cv_predictions) == 320
    probability = model.predict(table, kind="response")
    np.testing.assert_allclose(probability, 1 / (1 + np.exp(-model.predict(table))), rtol=1e-12)
    assert np.average(probability[:320], weights=table.weight[:320]) == pytest.approx(
        model.boosted.old_priors[1], abs=0.03
    )
    curve = model.partial_dependence("town")
    assert list(curve.columns) == ["town", "value"]
    assert curve.town[curve.value.argmax()] == "Genf"
    surface = model.partial_dependence(["age", "town"], method="brute")
    assert len(surface) == 300
    assert 0.0 <= model.interaction(["age", "town"]) <= 1.0
    model.save(tmp_path / "m")
    again = payoff.load_model(tmp_path / "m")
    np.testing.assert_array_equal(again.predict(table), model.predict(table))
    with pytest.raises(payoff.PayoffError, match="without its data"):
        again.interaction(["age", "town"])


def test_unknown_levels_are_told(table):
    model = boost(table)
    new = table.head(4).assign(town=["Bern", "Zug", None, "Zug"])
    assert model.unseen_levels(new) == {"town": {"Zug": 2}}
    assert np.isfinite(model.predict(new)).all()


def test_offset_is_added_on_request(table):
    model = boost(table, target="count", distribution="poisson", offset="exposure")
    plain, full = model.predict(table), model.predict(table, add_offset=True)
    np.testing.assert_allclose(full - plain, table.exposure, atol=1e-12)


def test_continued_training(table):
    whole = boost(table, n_trees=20)
    half = boost(table, n_trees=10).continue_training(10)
    np.testing.assert_array_equal(half.predict(table), whole.predict(table))


def test_gbm_compatible_ordered_and_monotone(table):
    levels = {"town": {"ordered": ["Bern", "Basel", "Genf"]}}
    model = boost(table, levels=levels, gbm_compatible=True, monotone={"age": 1})
    assert model.boosted.columns[2].is_ordered
    curve = model.partial_dependence("age")
    assert (np.diff(curve.value) >= -1e-12).all()


def test_several_scores(table):
    model = boost(table, target="town", distribution="multinomial", features=["age", "income"])
    assert model.predict(table, kind="response").shape == (400, 3)
    assert len(model.initial_score) == 3


def changed(table, **columns):
    return table.assign(**columns)


@pytest.mark.parametrize(
    ("change", "settings", "match"),
    [
        ({"bought": "yes"}, {}, "always|one class"),
        ({"count": -1}, {"target": "count", "distribution": "poisson"}, "-1.*row 1"),
        ({"income": np.nan}, {"features": ["income"]}, "tells the training rows apart"),
        ({"age": 3.0}, {"features": ["age"]}, "tells the training rows apart"),
        ({"weight": -1.0}, {"weight": "weight"}, "-1"),
        ({"exposure": np.nan}, {"offset": "exposure"}, "offset"),
        ({"bought": [None] + ["yes", "no"] * 199 + ["no"]}, {}, "missing value.*data row 1"),
        (
            {"count": 0.0},
            {"target": "count", "distribution": "coxph", "event": "age", "features": ["town"]},
            "row 1",
        ),
        (
            {"age": 0.0},
            {"target": "income", "distribution": "coxph", "event": "age", "features": ["town"]},
            "missing|event",
        ),
        ({}, {"min_cases_in_node": 200}, "too few training rows"),
        ({}, {"cv_folds": 300}, "folds"),
        ({}, {"distribution": "unheard"}, "unheard"),
        ({}, {"features": ["nothing"]}, "no column 'nothing'"),
        ({}, {"monotone": {"nothing": 1}}, "no input column"),
        ({}, {"monotone": {"age": 2}}, "monotone"),
        ({}, {"missing": "drop"}, "learned_side"),
        ({}, {"bag_fraction": 0.0}, "bag_fraction"),
        ({}, {"n_trees": 0}, "n_trees"),
        ({}, {"train_fraction": 0.001}, "no training rows"),
        ({}, {"early_stopping": 5}, "no rows to stop by"),
        ({}, {"target": "town", "features": ["age"]}, "3 classes"),
        ({}, {"target": "town"}, "cannot be an input"),
    ],
)
def test_bad_input_is_refused_in_words(table, change, settings, match):
    with pytest.raises(payoff.PayoffError, match=match):
        boost(changed(table, **change), **settings)
