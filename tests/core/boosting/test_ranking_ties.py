"""Rankings: tied rows in any order, weights by group as gbm(), and sizes a loss cannot take."""

import numpy as np
import pytest

import payoff
from payoff import PayoffError


def lists(measure, seed=1, groups=24, size=10):
    random = np.random.default_rng(seed)
    rows = groups * size
    x = random.normal(size=rows)
    most = 1 if measure in ("mrr", "map") else 3
    grade = np.clip(np.round(x + random.normal(size=rows)), 0, most)
    return {
        "g": np.repeat(np.arange(groups), size),
        "x": x,
        "z": random.integers(0, 4, rows).astype(float),
        "y": grade,
    }


def ranked(data, measure, **changes):
    usual = {
        "target": "y",
        "group": "g",
        "features": ["x", "z"],
        "distribution": "pairwise",
        "distribution_params": {"metric": measure},
        "n_trees": 8,
        "shrinkage": 0.3,
        "interaction_depth": 2,
        "min_cases_in_node": 5,
        "bag_fraction": 1.0,
    }
    return payoff.boost(data, **{**usual, **changes})


@pytest.mark.parametrize("is_gbm", [False, True])
@pytest.mark.parametrize("measure", ["conc", "mrr", "map", "ndcg"])
def test_the_order_of_tied_rows_changes_nothing(measure, is_gbm):
    data = lists(measure)
    wanted = ranked(data, measure, gbm_compatible=is_gbm).predict(data)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(wanted))
        moved = {name: column[order] for name, column in data.items()}
        found = np.empty_like(wanted)
        found[order] = ranked(moved, measure, gbm_compatible=is_gbm).predict(moved)
        assert found == pytest.approx(wanted, abs=1e-12)


def test_influence_is_that_of_weights_which_sum_to_the_number_of_groups():
    """As ``gbm()`` scales them: w times groups over the sum of the groups' weights."""
    data = lists("ndcg")
    weight = 1.0 + data["g"] % 3
    first = np.unique(data["g"], return_index=True)[1]
    even = ranked({**data, "w": weight * 7.0}, "ndcg", weight="w").relative_influence(scaled=False)
    scaled = weight * len(first) / weight[first].sum()
    same = ranked({**data, "w": scaled}, "ndcg", weight="w").relative_influence(scaled=False)
    plain = ranked(data, "ndcg").relative_influence(scaled=False)
    ones = ranked({**data, "w": np.full(240, 3.0)}, "ndcg", weight="w")
    assert even == pytest.approx(same, rel=1e-9)
    assert ones.relative_influence(scaled=False) == pytest.approx(plain, rel=1e-9)


def test_influence_of_uneven_groups_follows_groups_not_rows():
    """Groups of 4 and 12 rows: weights by rows would be scaled by another number."""
    sizes = np.array([4, 12] * 12)
    data = lists("ndcg", groups=int(sizes.sum()) // 10 + 1)
    data = {name: column[: sizes.sum()] for name, column in data.items()}
    data["g"] = np.repeat(np.arange(len(sizes)), sizes)
    weight = np.repeat(np.where(sizes == 4, 3.0, 1.0), sizes)
    first = np.unique(data["g"], return_index=True)[1]
    found = ranked({**data, "w": weight}, "ndcg", weight="w")
    trainer = found.boosted.trainer
    assert trainer.weight[first].sum() == pytest.approx(len(sizes), rel=1e-12)


TOO_SMALL = ("gaussian", "tdist", "expectile", "huber", "poisson", "negative_binomial", "uplift")
TOO_LARGE = ("gaussian", "tdist", "expectile", "poisson", "uplift")
ANY_SIZE = ("laplace", "quantile", "gamma", "tweedie")


def sized(size, distribution):
    random = np.random.default_rng(5)
    x = random.normal(size=300)
    data = {"x": x, "y": np.exp(x + 0.3 * random.normal(size=300)) * size}
    settings = {"target": "y", "distribution": distribution, "n_trees": 5, "bag_fraction": 1.0}
    if distribution == "uplift":
        data["t"] = random.integers(0, 2, 300)
        settings["treatment"] = "t"
    return data, settings


@pytest.mark.parametrize(
    ("distribution", "size"),
    [*((name, 1e-200) for name in TOO_SMALL), *((name, 1e200) for name in TOO_LARGE)],
)
def test_outcomes_whose_squares_vanish_or_overflow_are_refused(distribution, size):
    data, settings = sized(size, distribution)
    with pytest.raises(PayoffError, match="cannot tell outcomes of this size apart") as refused:
        payoff.boost(data, **settings)
    assert "Divide the outcome by" in refused.value.remedy


@pytest.mark.parametrize(
    ("distribution", "size"),
    [
        *((name, size) for name in ANY_SIZE for size in (1e-200, 1e200)),
        *((name, 1e200) for name in ("huber", "negative_binomial")),
    ],
)
def test_losses_without_squares_learn_outcomes_of_any_size(distribution, size):
    data, settings = sized(size, distribution)
    found = payoff.boost(data, **settings)
    predicted, rising = found.predict(data), np.argsort(data["x"])
    assert predicted[rising[:60]].max() < predicted[rising[-60:]].min()
    assert np.isfinite(found.train_deviance).all()


def test_a_constant_model_that_is_right_is_not_refused():
    x = np.arange(100.0)
    rare = {"x": x, "y": (x >= 98).astype(float)}
    settings = {"target": "y", "n_trees": 3, "bag_fraction": 1.0, "min_cases_in_node": 5}
    quantile = {"distribution": "quantile", "distribution_params": {"alpha": 0.9}}
    assert payoff.boost(rare, **quantile, **settings).n_trees == 3
    shifted = {"x": x, "y": x, "o": x}
    assert payoff.boost(shifted, distribution="gaussian", offset="o", **settings).n_trees == 3


def test_weights_that_cannot_be_added_up_are_refused():
    x = np.arange(100.0)
    refusals = {
        1e300: r"'w' is too large.*data row 1",
        1e-300: "too small or too large to be added up",
    }
    for size, words in refusals.items():
        data = {"x": x, "y": x % 7, "w": np.full(100, size)}
        with pytest.raises(PayoffError, match=words):
            payoff.boost(data, target="y", weight="w", distribution="gaussian", n_trees=2)
