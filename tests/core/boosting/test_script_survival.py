"""payoff.boost for survival and ranking, from data frames and files as a user gives them."""

import numpy as np
import pandas as pd
import pytest

import payoff


def survival_data(rows=900, seed=4):
    """Cases of three clinics with hazards of their own, some entering late, some censored."""
    random = np.random.default_rng(seed)
    age = random.uniform(30, 80, rows).round(1)
    dose = random.choice(["low", "high"], rows)
    clinic = random.choice(["Bern", "Basel", "Genf"], rows)
    risk = np.exp(0.05 * (age - 55) - 0.8 * (dose == "high"))
    base = pd.Series(clinic).map({"Bern": 1.0, "Basel": 3.0, "Genf": 0.3}).to_numpy()
    months = (random.exponential(1.0 / (0.02 * base * risk)) + 0.01).round(3)
    entry = np.where(random.random(rows) < 0.3, random.uniform(0, 12, rows), 0.0).round(2)
    follow_up = entry + random.uniform(1, 60, rows).round(2)
    frame = pd.DataFrame(
        {
            "age": age,
            "dose": dose,
            "clinic": clinic,
            "entered": entry,
            "months": np.minimum(months, follow_up),
            "died": months <= follow_up,
            "true_risk": risk,
        }
    )
    frame.loc[::15, "age"] = np.nan
    return frame[frame.months > frame.entered].reset_index(drop=True)


COX = {
    "target": "months",
    "distribution": "coxph",
    "event": "died",
    "entry": "entered",
    "strata": "clinic",
    "features": ["age", "dose"],
    "n_trees": 60,
    "interaction_depth": 2,
    "shrinkage": 0.1,
}


@pytest.fixture(scope="module")
def frame():
    return survival_data()


@pytest.fixture(scope="module")
def model(frame):
    return payoff.boost(frame, **COX)


def test_survival_finds_the_risks(frame, model):
    score = model.predict(frame)
    assert np.corrcoef(score, np.log(frame.true_risk))[0, 1] > 0.85
    assert np.diff(model.train_deviance).mean() < 0
    curve = model.partial_dependence("age")
    assert curve.value.iloc[-1] - curve.value.iloc[0] > 0.8
    by_dose = model.partial_dependence("dose").set_index("dose").value
    assert by_dose["low"] - by_dose["high"] > 0.4


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_gives_the_model_of_the_frame(frame, model, tmp_path, suffix):
    path = tmp_path / f"cases.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    from_file = payoff.boost(str(path), **COX)
    np.testing.assert_array_equal(from_file.predict(frame), model.predict(frame))


def test_strata_entry_and_ties_matter(frame, model):
    usual = model.predict(frame)
    for change in ({"strata": None}, {"entry": None}, {"distribution_params": {"ties": "efron"}}):
        whole = (
            frame.assign(months=np.ceil(frame.months)) if "distribution_params" in change else frame
        )
        other = payoff.boost(whole, **(COX | change))
        assert not np.allclose(other.predict(frame), usual)


def test_baseline_hazard_and_survival_of_each_stratum(frame, model, tmp_path):
    hazard = model.baseline_hazard([12.0, 24.0])
    assert list(hazard.columns) == ["time", "hazard", "stratum"]
    at_a_year = hazard[hazard.time == 12.0].set_index("stratum").hazard
    assert at_a_year["Basel"] > 1.5 * at_a_year["Bern"] > 2.0 * at_a_year["Genf"]
    jumps = model.baseline_hazard(cumulative=False)
    steps = model.baseline_hazard()
    inside = (steps.stratum == "Bern").to_numpy()
    np.testing.assert_allclose(jumps.hazard[inside].cumsum(), steps.hazard[inside])
    probability = model.survival(frame, [0.0, 12.0, 24.0, 1e6])
    assert probability.shape == (len(frame), 4)
    assert (probability[0.0] == 1.0).all()
    assert (probability[24.0] <= probability[12.0]).all()
    assert probability[1e6].isna().all()  # beyond what anyone was followed for
    # Of those followed for a year from the start, as many last as the curves say.
    known = frame[(frame.entered == 0) & ((frame.months >= 12) | frame.died)]
    lasted = (known.months > 12).mean()
    assert model.survival(known, [12.0])[12.0].mean() == pytest.approx(lasted, abs=0.06)
    model.save(tmp_path / "m.payoffmodel")
    again = payoff.load_model(tmp_path / "m.payoffmodel")
    with pytest.raises(payoff.PayoffError, match="without its data"):
        again.survival(frame, [12.0])
    found = again.survival(frame, [12.0], training_data=frame)
    np.testing.assert_array_equal(found[12.0], probability[12.0])


def test_survival_refusals(frame, model):
    with pytest.raises(payoff.PayoffError, match=r"no stratum 'Zug'.*data row 1"):
        model.survival(frame.head(3).assign(clinic="Zug"), [1.0])
    with pytest.raises(payoff.PayoffError, match="event times only"):
        model.baseline_hazard([1.0], cumulative=False)
    plain = payoff.boost(frame, target="months", distribution="gaussian", features=["age"])
    with pytest.raises(payoff.PayoffError, match="no survival model"):
        plain.baseline_hazard()
    with pytest.raises(payoff.PayoffError, match="no calibration curve"):
        model.calibration_curve(frame)


def test_cross_validated_survival_goes_on(frame):
    half = payoff.boost(frame, **(COX | {"n_trees": 20, "cv_folds": 3, "strata": "clinic"}))
    assert np.isfinite(half.cv_deviance).all()
    whole = payoff.boost(frame, **(COX | {"n_trees": 40}))
    np.testing.assert_array_equal(half.continue_training(20).predict(frame), whole.predict(frame))


# ---------------------------------------------------------------- ranking


def ranking_data(queries=120, seed=6):
    """Lists of 4 to 12 pages with grades 0 to 3; the names of queries are texts."""
    random = np.random.default_rng(seed)
    parts = []
    for query in range(queries):
        size = random.integers(4, 13)
        x, y = random.normal(size=size), random.normal(size=size)
        level = random.normal()  # what all pages of a query share says nothing about order
        grade = np.clip(np.round(1.2 + x + 0.7 * (y > 0) + random.normal(0, 0.4, size)), 0, 3)
        parts.append(
            pd.DataFrame({"query": f"q{query:03d}", "x": x + level, "y": y, "grade": grade})
        )
    return pd.concat(parts, ignore_index=True)


def mean_ndcg(frame, score):
    found = []
    for _, rows in frame.assign(score=score).groupby("query"):
        discount = 1 / np.log2(np.arange(len(rows)) + 2)
        best = np.sort(rows.grade)[::-1] @ discount
        if best > 0 and rows.grade.nunique() > 1:
            found.append(rows.sort_values("score", ascending=False).grade @ discount / best)
    return np.mean(found)


RANK = {
    "target": "grade",
    "distribution": "pairwise",
    "group": "query",
    "features": ["x", "y"],
    "n_trees": 60,
    "interaction_depth": 3,
}


@pytest.mark.parametrize("metric", ["ndcg", "conc", "map", "mrr"])
def test_ranking_learns_the_order(metric):
    frame = ranking_data()
    if metric in ("map", "mrr"):
        frame["grade"] = (frame.grade >= 2).astype(int)
    model = payoff.boost(frame, **RANK, distribution_params={"metric": metric})
    new = ranking_data(seed=7)
    blind = mean_ndcg(new, np.zeros(len(new)))
    assert mean_ndcg(new, model.predict(new)) > blind + 0.06
    assert model.train_deviance[-1] < model.train_deviance[0]


def test_rows_of_a_group_need_not_stand_together():
    frame = ranking_data()
    place = frame.groupby("query").cumcount()  # first pages of all queries, then second ones ...
    mixed = frame.iloc[np.argsort(place, kind="stable")]
    assert mixed["query"].iloc[0] != mixed["query"].iloc[1]
    settings = RANK | {"bag_fraction": 1.0}
    together = payoff.boost(frame, **settings).predict(frame)
    apart = payoff.boost(mixed, **settings).predict(frame)
    np.testing.assert_allclose(apart, together, rtol=1e-6, atol=1e-9)


def test_folds_keep_groups_together(tmp_path):
    frame = ranking_data()
    path = tmp_path / "lists.csv"
    frame.to_csv(path, index=False)
    model = payoff.boost(path, **(RANK | {"cv_folds": 4, "train_fraction": 0.8, "n_trees": 15}))
    folds = model.cv_predictions.fold
    queries = frame["query"][: len(folds)]
    assert (folds.groupby(queries.to_numpy()).nunique() == 1).all()
    assert np.isfinite(model.valid_deviance).all()


@pytest.mark.parametrize(
    ("change", "settings", "match"),
    [
        ({}, {"group": None}, "group"),
        ({"query": "one", "grade": 1}, {}, "No group has two.*column query"),
        ({"grade": -1.0}, {}, r"-1.*data row 1, column grade"),
        ({}, {"distribution_params": {"metric": "map"}}, "map.*column grade"),
        ({"query": None}, {}, "missing value.*column query"),
    ],
)
def test_ranking_refusals(change, settings, match):
    with pytest.raises(payoff.PayoffError, match=match):
        payoff.boost(ranking_data(20).assign(**change), **(RANK | settings))


def test_uneven_weights_of_a_group_are_named():
    frame = ranking_data(20)
    frame["w"] = 1.0
    frame.loc[1, "w"] = 2.0
    with pytest.raises(payoff.PayoffError, match=r"differ.*data row 2, column w"):
        payoff.boost(frame, **RANK, weight="w")


# ---------------------------------------------------------------- calibration


def test_calibration_of_rows_that_did_not_train():
    random = np.random.default_rng(8)
    x = random.normal(size=2400)
    happened = random.random(2400) < 1 / (1 + np.exp(-1.5 * x))
    frame = pd.DataFrame({"x": x, "y": np.where(happened, "yes", "no")})
    model = payoff.boost(
        frame,
        target="y",
        distribution="bernoulli",
        n_trees=80,
        interaction_depth=2,
        train_fraction=0.5,
    )
    curve = model.calibration_curve()
    assert list(curve.columns) == ["predicted", "observed", "low", "high"]
    assert ((curve.low <= curve.predicted) & (curve.predicted <= curve.high)).mean() > 0.6
    other = model.calibration_curve(level="no")
    np.testing.assert_allclose(other.observed[::-1], 1 - curve.observed, atol=1e-6)
    scored = frame[1200:].assign(p=model.predict(frame[1200:], kind="response"))
    same = payoff.calibration_curve(scored, outcome="y", predicted="p", event="yes")
    np.testing.assert_allclose(same.observed, curve.observed, rtol=1e-9)
    whole = payoff.boost(frame, target="y", distribution="bernoulli", n_trees=2)
    with pytest.raises(payoff.PayoffError, match="All rows trained it"):
        whole.calibration_curve()
    with pytest.raises(payoff.PayoffError, match=r"data row 3, column p"):
        payoff.calibration_curve(
            {"y": [0, 1, 1], "p": [0.1, 0.2, None]}, outcome="y", predicted="p"
        )


def test_calibration_of_counts_and_of_several_classes():
    random = np.random.default_rng(9)
    x = random.normal(size=1500)
    frame = pd.DataFrame(
        {"x": x, "n": random.poisson(np.exp(0.6 * x)), "k": np.digitize(x, [-0.5, 0.5])}
    )
    counts = payoff.boost(
        frame, target="n", distribution="poisson", features=["x"], train_fraction=0.5
    )
    curve = counts.calibration_curve()
    assert (curve.low >= 0).all()
    assert np.corrcoef(curve.predicted, curve.observed)[0, 1] > 0.9
    classes = payoff.boost(
        frame,
        target="k",
        distribution="multinomial",
        features=["x"],
        train_fraction=0.5,
        n_trees=20,
    )
    assert classes.calibration_curve(level=2).observed.between(0, 1).all()
    with pytest.raises(payoff.PayoffError, match="No class is named"):
        classes.calibration_curve()
