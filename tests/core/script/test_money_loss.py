"""``payoff.boost`` with losses in money: terms of the decision, costs per case, several classes."""

import numpy as np
import pandas as pd
import pytest

import payoff

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

MATRIX = {"1": [10.0, 0.0], "0": [-1.0, 0.0]}


@pytest.fixture(scope="module")
def mailing():
    """What tells a few stumps where the money is differs from what explains most answers."""
    random = np.random.default_rng(8)
    frame = pd.DataFrame(random.normal(size=(4000, 4)), columns=["a", "b", "c", "d"])
    score = -3.0 + np.where(frame.a > 0, 3.5 + 2 * np.sin(4 * frame.b), 0.8 * frame.d)
    frame["chance"] = 1 / (1 + np.exp(-score))
    frame["answer"] = (random.random(4000) < frame.chance).astype(int)
    frame["letter"] = random.choice([0.2, 3.0], 4000)
    frame["kind"] = np.where(frame.answer == 0, "none", np.where(frame.c > 0, "big", "small"))
    return frame


def boosted(frame, distribution="expected_profit", target="answer", **more):
    return payoff.boost(
        frame,
        target=target,
        distribution=distribution,
        features=["a", "b", "c", "d"],
        n_trees=60,
        interaction_depth=1,
        seed=3,
        **more,
    )


def test_stumps_earn_more_than_by_log_loss(mailing):
    half = mailing.head(2000)
    fresh = mailing.tail(2000)
    worth = {}
    for name, terms in (("bernoulli", None), ("expected_profit", {"matrix": MATRIX})):
        probability = boosted(half, name, decision=terms).predict(fresh, kind="response")
        assert ((probability > 0) & (probability < 1)).all()
        worth[name] = np.where(probability > 1 / 11, 11 * fresh.chance - 1, 0.0).mean()
    best = np.maximum(11 * fresh.chance - 1, 0.0).mean()
    assert worth["bernoulli"] < worth["expected_profit"] <= best


def test_costs_of_each_case_move_what_is_learned(mailing):
    plain = boosted(mailing, decision={"matrix": MATRIX})
    costly = boosted(mailing, decision={"matrix": MATRIX, "costs": ["letter", 0.0]})
    again = boosted(mailing, decision={"matrix": MATRIX, "costs": ["letter", 0.0]}, threads=1)
    one, two = (m.predict(mailing, kind="response") for m in (plain, costly))
    assert np.abs(one - two).max() > 1e-3
    np.testing.assert_array_equal(again.predict(mailing, kind="response"), two)


def test_the_currency_does_not_matter(mailing):
    cents = {level: [100.0 * cell for cell in row] for level, row in MATRIX.items()}
    one, two = (
        boosted(mailing, decision={"matrix": matrix}).predict(mailing) for matrix in (MATRIX, cents)
    )
    np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)


def test_several_classes(mailing, tmp_path):
    terms = {
        "matrix": {"big": [9.0, 1.0, 0.0], "small": [-1.0, 3.0, 0.0], "none": [-2.0, -1.0, 0.0]},
        "priors": {"big": 0.1, "small": 0.2, "none": 0.7},
    }
    model = boosted(mailing, "expected_profit_classes", "kind", decision=terms, cv_folds=2)
    assert model.classes == ("big", "none", "small")
    found = model.predict(mailing, kind="response")
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
    model.save(tmp_path / "money.payoff-model")
    again = payoff.load_model(tmp_path / "money.payoff-model")
    np.testing.assert_array_equal(again.predict(mailing, kind="response"), found)


def test_terms_that_do_not_fit_are_refused(mailing):
    for terms, words in (
        (None, "needs the terms"),
        ({"matrix": MATRIX, "cost": 3}, "no term of a decision"),
        ({"matrix": {"1": [1.0, 0.0], "2": [0.0, 0.0]}}, "no row for '0'"),
        ({"matrix": {"1": [1.0, 1.0], "0": [1.0, 1.0]}}, "Nothing is at stake"),
    ):
        with pytest.raises(payoff.PayoffError, match=words):
            boosted(mailing, decision=terms)
    holes = mailing.assign(letter=mailing.letter.where(mailing.index != 5))
    with pytest.raises(payoff.PayoffError, match="not known for every case") as refused:
        boosted(holes, decision={"matrix": MATRIX, "costs": ["letter", 0.0]})
    assert "row 6" in refused.value.where


def test_an_effect_in_a_script(mailing):
    random = np.random.default_rng(3)
    trial = mailing.assign(letter=(random.random(4000) < 0.3).astype(int))
    trial["spent"] = 5 * trial.c + trial.letter * (2 + 4 * (trial.a > 0)) + random.normal(size=4000)
    found = {}
    for name in ("uplift", "uplift_baseline"):
        model = payoff.boost(
            trial,
            target="spent",
            distribution=name,
            treatment="letter",
            features=["a", "b", "c", "d"],
            n_trees=80,
            interaction_depth=2,
            min_cases_in_node=80,
        )
        found[name] = model.predict(trial)[:, 0]
    share = trial.letter.mean()
    named = payoff.boost(
        trial.assign(share=share),
        target="spent",
        distribution="uplift",
        treatment="letter",
        propensity="share",
        features=["a", "b", "c", "d"],
        n_trees=80,
        interaction_depth=2,
        min_cases_in_node=80,
    )
    np.testing.assert_allclose(named.predict(trial)[:, 0], found["uplift"], atol=1e-10)
    effect = 2 + 4 * (trial.a > 0)
    errors = {name: np.mean((values - effect) ** 2) for name, values in found.items()}
    assert errors["uplift_baseline"] < errors["uplift"] < effect.var() + 4
    with pytest.raises(payoff.PayoffError, match="needs a column for the role 'treatment'"):
        boosted(trial, "uplift", "spent")
