"""The losses beyond gbm through ``payoff.boost``: names, order, ranges, money."""

import numpy as np
import pandas as pd
import pytest

import payoff
from tests.helpers.shared_data import SHARED


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
        frame,
        target=target,
        distribution=distribution,
        features=["a", "b", "c"],
        n_trees=60,
        interaction_depth=3,
        seed=3,
        **more,
    )


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
        cases,
        matrix={8.0: [-2.0, 0.0], 14.0: [4.0, 0.0]},
        decisions=["mail", "skip"],
        target="gift",
        quantiles={float(name[1:]): name for name in names},
    )
    assert (decided.counts.sum() > 0).all()
    assert 0 < decided.total < decided.best_total


def test_grades_in_the_order_given(gifts):
    model = boosted(gifts, "grade", "ordinal", levels={"grade": ["low", "middle", "high"]})
    assert model.classes == ("low", "middle", "high")
    probabilities = model.predict(gifts, kind="response")
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, atol=1e-12)
    mean = probabilities @ [0.0, 1.0, 2.0]
    assert np.corrcoef(mean, gifts.gift)[0, 1] > 0.8


def test_times_with_spans(gifts):
    model = boosted(
        gifts,
        "time",
        "aft",
        event="seen",
        upper="latest",
        distribution_params={"shape": "lognormal", "scale": 0.3},
    )
    assert model.roles["upper"] == "latest"
    times = model.predict(gifts, kind="response")
    assert np.corrcoef(np.log(times), gifts.a)[0, 1] > 0.8
    with pytest.raises(payoff.PayoffError, match="happened between"):
        boosted(gifts.assign(latest=0.001), "time", "aft", event="seen", upper="latest")


def test_a_model_explains_its_cases(gifts):
    model = boosted(gifts, "gift", "gaussian")
    parts = model.contributions(gifts)
    assert list(parts.columns) == ["a", "b", "c", "base"]
    np.testing.assert_allclose(parts.sum(axis=1), model.predict(gifts), atol=1e-10)
    pairs = model.contribution_interactions(gifts.head(20))
    np.testing.assert_allclose(pairs.sum(axis=2), parts[["a", "b", "c"]].head(20), atol=1e-10)
    lines = model.ice("a", gifts.head(30), grid=[-1.0, 0.0, 1.0])
    assert lines.shape == (30, 3)
    moved = gifts.head(30).assign(a=1.0)
    np.testing.assert_allclose(lines[1.0], model.predict(moved), atol=1e-12)
    centred = model.ice("a", gifts.head(30), grid=[-1.0, 0.0, 1.0], centred=True)
    assert not centred[-1.0].any()


def test_the_smallest_change_is_the_smallest_of_all_values(gifts):
    model = boosted(gifts, "gift", "gaussian")
    before = model.predict(gifts)
    row = int(np.argmin(np.abs(before - 9.0)))
    cutoff = 10.0 if before[row] < 10.0 else 8.0
    found = model.smallest_changes(gifts, row, cutoff)
    assert "a" in found.input.tolist()
    change = found[found.input == "a"].iloc[0]
    tried = pd.concat([gifts.iloc[[row]]] * len(gifts)).assign(a=gifts.a.to_numpy())
    flips = (model.predict(tried) >= cutoff) != (before[row] >= cutoff)
    own = gifts.a[row]
    closest = gifts.a[flips].iloc[np.argmin([_between(gifts.a, own, x) for x in gifts.a[flips]])]
    assert _between(gifts.a, own, change.new) == _between(gifts.a, own, closest)
    assert change.new in gifts.a[flips].to_numpy()


def _between(values, one, two):
    return int(((values > min(one, two)) & (values < max(one, two))).sum())


@pytest.mark.shared_data
def test_quantiles_cover_real_house_values():
    """HMEQ: half the rows train, and the others lie below each quantile as often as it says."""
    frame = pd.read_csv(SHARED / "hmeq" / "hmeq.csv").dropna(subset=["VALUE"])
    frame = frame.sample(frac=1.0, random_state=4).reset_index(drop=True)
    half = len(frame) // 2
    model = payoff.boost(
        frame.head(half),
        target="VALUE",
        distribution="multi_quantile",
        distribution_params={"quantiles": 5, "lowest": 0.1},
        features=["LOAN", "MORTDUE", "YOJ", "CLAGE", "CLNO"],
        n_trees=120,
        interaction_depth=4,
        min_cases_in_node=20,
        seed=3,
    )
    fresh = frame.iloc[half:]
    found = model.predict(fresh, kind="response")
    below = (fresh.VALUE.to_numpy()[:, None] <= found).mean(axis=0)
    np.testing.assert_allclose(below, [0.1, 0.3, 0.5, 0.7, 0.9], atol=0.04)
