"""The losses beyond gbm through ``payoff.boost``: names, order, ranges, money."""

import numpy as np
import pandas as pd
import pytest

import payoff


@pytest.fixture(scope="module")
def gifts():
    random = np.random.default_rng(11)
    frame = pd.DataFrame(random.uniform(-1, 1, (1500, 3)), columns=["a", "b", "c"])
    frame["gift"] = 10 + 5 * frame.a + np.exp(frame.b) * random.normal(size=1500)
    frame["grade"] = np.where(frame.gift < 8, "low", np.where(frame.gift < 12, "middle", "high"))
    frame["time"] = np.exp(0.2 * frame.a + 0.3 * random.normal(size=1500))
    frame["seen"] = (random.random(1500) < 0.7).astype(int)
    frame["latest"] = np.where(random.random(1500) < 0.3, frame.time * 1.5, 0.0)
    return frame


def boosted(frame, target, distribution, **more):
    return payoff.boost(
        frame, target=target, distribution=distribution, features=["a", "b", "c"], n_trees=60,
        interaction_depth=3, seed=3, **more,
    )  # fmt: skip


def test_quantiles_of_one_model_are_decided_with(gifts, tmp_path):
    model = boosted(gifts, "gift", "multi_quantile", distribution_params={"quantiles": 5})
    found = model.predict(gifts, kind="response")
    assert found.shape == (1500, 5)
    assert (np.diff(found, axis=1) >= 0).all()
    curve = model.partial_dependence("a", grid={"a": [0.0, 1.0]})
    assert list(curve.columns) == ["a", *(f"value_{n}" for n in model.boosted.output_names)]
    model.save(tmp_path / "model.payoff-model")
    again = payoff.load_model(tmp_path / "model.payoff-model")
    np.testing.assert_array_equal(again.predict(gifts, kind="response"), found)
    names = model.boosted.output_names
    cases = pd.DataFrame(found, columns=list(names)).assign(gift=gifts.gift)
    decided = payoff.decide(
        cases, matrix={8.0: [-2.0, 0.0], 14.0: [4.0, 0.0]}, decisions=["mail", "skip"],
        target="gift", quantiles={float(name[1:]): name for name in names},
    )  # fmt: skip
    assert (decided.counts.sum() > 0).all()
    assert 0 < decided.total < decided.best_total


def test_grades_in_the_order_given(gifts):
    model = boosted(gifts, "grade", "ordinal", levels={"grade": ["low", "middle", "high"]})
    assert model.classes == ("low", "middle", "high")
    chances = model.predict(gifts, kind="response")
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, atol=1e-12)
    mean = chances @ [0.0, 1.0, 2.0]
    assert np.corrcoef(mean, gifts.gift)[0, 1] > 0.8


def test_times_with_spans(gifts):
    model = boosted(
        gifts, "time", "aft", event="seen", upper="latest",
        distribution_params={"shape": "lognormal", "scale": 0.3},
    )  # fmt: skip
    assert model.roles["upper"] == "latest"
    times = model.predict(gifts, kind="response")
    assert np.corrcoef(np.log(times), gifts.a)[0, 1] > 0.8
    with pytest.raises(payoff.PayoffError, match="happened between"):
        boosted(gifts.assign(latest=0.001), "time", "aft", event="seen", upper="latest")
