"""What scripts may say to ``payoff.evaluate``: clusters, weights, survival, lists, quantiles."""

import numpy as np
import pandas as pd
import pytest

import payoff
from payoff import PayoffError
from tests.helpers.factories.evaluation import made_cases


def frame(rows=400):
    outcome, good, bad = made_cases(rows, 5, (0.2, 1.5))
    return {
        "y": np.where(outcome == 1, "yes", "no"),
        "good": good,
        "bad": bad,
        "copies": np.arange(rows) % 3 + 1,
        "customer": np.arange(rows) // 4,
    }


def test_clusters_and_frequency_weights():
    scores = {"a": "good", "b": "bad"}
    settings = {"outcome": "y", "scores": scores, "metrics": ["auc", "mcc"], "resamples": 100}
    plain = payoff.evaluate(frame(), weight="copies", **settings)
    often = payoff.evaluate(frame(), weight="copies", weight_kind="frequency", **settings)
    assert often.value("mcc", "a") == pytest.approx(plain.value("mcc", "a"), abs=1e-12)
    low, high = often.interval("auc", "a")
    wide = plain.interval("auc", "a")
    assert high - low < wide[1] - wide[0]
    grouped = payoff.evaluate(frame(), cluster="customer", **settings)
    assert "by cluster" in grouped.result.cells[0].estimate.method
    pair = payoff.compare(grouped, "a", "b", "mcc")
    assert pair.low < pair.difference < pair.high
    assert pair.p_adjusted == pytest.approx(pair.p_value)
    assert pair.ahead.startswith("ahead in")
    curve = grouped.curve("gains", "a")
    assert (curve["whole_low"] <= curve["y"] + 1e-9).all()


def test_survival_times_without_a_trained_model():
    random = np.random.default_rng(3)
    risk = random.normal(size=300)
    time, censored = random.exponential(np.exp(-risk)), random.exponential(2.0, 300)
    data = {
        "time": np.minimum(time, censored),
        "died": (time <= censored).astype(int),
        "risk": risk,
        "s1": np.exp(-np.exp(risk)),
        "wrong": (time <= censored) + 1,
    }
    settings = {"outcome": "time", "scores": {"m": "risk"}, "resamples": 60}
    metrics = ["concordance", "uno_concordance", ("survival_brier", {"time": 1.0})]
    judged = payoff.evaluate(
        data, columns={"event": "died"}, metrics=metrics, survival={"m": {1.0: "s1"}}, **settings
    )
    assert 0.7 < judged.value("concordance", "m") < 0.9
    brier = next(cell for cell in judged.result.cells if cell.metric.startswith("survival_brier"))
    assert "own chances" in brier.estimate.note
    assert brier.estimate.low < brier.estimate.value < brier.estimate.high
    turned = payoff.evaluate(
        data, columns={"event": "died"}, metrics=["concordance"], predicts="time", **settings
    )
    backward = 1 - judged.value("concordance", "m")
    assert turned.value("concordance", "m") == pytest.approx(backward, abs=1e-12)
    with pytest.raises(PayoffError, match="event mark is 2") as refused:
        payoff.evaluate(data, columns={"event": "wrong"}, metrics=["concordance"], **settings)
    assert "subtract 1" in refused.value.remedy
    with pytest.raises(PayoffError, match="no role 'died'"):
        payoff.evaluate(data, columns={"died": "event"}, metrics=["concordance"], **settings)


def test_lists_and_quantiles():
    random = np.random.default_rng(4)
    grade = random.integers(0, 4, 200)
    data = {"grade": grade, "score": grade + random.normal(0, 1, 200), "list": np.arange(200) // 10}
    settings = {"outcome": "grade", "scores": {"m": "score"}, "columns": {"group": "list"}}
    metrics = ["ndcg", ("precision_at", {"places": 3}), "err"]
    judged = payoff.evaluate(data, metrics=metrics, resamples=60, **settings)
    assert len(judged.table) == 3
    low, high = judged.interval("err", "m")
    assert low < judged.value("err", "m") < high
    number = random.normal(10, 2, 200)
    data = {
        "y": number,
        "m": np.full(200, 10.0),
        "low": np.full(200, 7.5),
        "high": np.full(200, 12.5),
    }
    judged = payoff.evaluate(
        data,
        outcome="y",
        scores="m",
        metrics=["crps", "interval_coverage", "r2"],
        resamples=60,
        quantiles={"m": {0.1: "low", 0.5: "m", 0.9: "high"}},
    )
    assert 0.7 < judged.value("interval_coverage", "m") < 0.9
    assert judged.value("r2", "m") == pytest.approx(0.0, abs=0.05)


def test_bad_chances_are_named():
    """Perfect scores, one score for all, an infinite log loss: said, never hidden."""
    data = frame(60)
    happened = data["y"] == "yes"
    data["leak"], data["flat"] = np.where(happened, 0.9, 0.1), np.full(60, 0.3)
    data["never"] = np.where(np.arange(60) == np.argmax(happened), 0.0, 0.5)
    scores = {"leak": "leak", "flat": "flat", "never": "never"}
    judged = payoff.evaluate(
        data,
        outcome="y",
        scores=scores,
        metrics=["auc", "log_loss", "ks", "calibration_slope"],
        intervals=False,
    )
    assert any("leak is perfect" in warning for warning in judged.warnings)
    assert any("scores of flat are equal" in warning for warning in judged.warnings)
    assert judged.value("ks", "flat") == 0.0
    assert judged.value("log_loss", "never") == np.inf
    notes = {(cell.metric, cell.model): cell.estimate.note for cell in judged.result.cells}
    assert f"row {int(np.argmax(happened)) + 1}" in notes["log_loss", "never"]
    assert "exactly 0" in notes["calibration_slope", "never"]


def test_an_outcome_of_one_class_is_refused_for_what_it_is():
    table = {"y": [1] * 20, "p": np.linspace(0.1, 0.9, 20)}
    with pytest.raises(payoff.PayoffError, match="The outcome 'y' is '1' in every row"):
        payoff.evaluate(table, outcome="y", scores="p")


def test_a_difference_on_few_events_says_so():
    random = np.random.default_rng(8)
    outcome = np.where(np.arange(150) < 7, "yes", "no")
    data = {"y": outcome} | {name: random.random(150) for name in ("a", "b")}
    found = payoff.evaluate(data, outcome="y", event="yes", scores=["a", "b"], metrics=["auc"])
    assert "Only 7 cases" in payoff.compare(found, "a", "b", "auc").note
    assert "Only 7 cases" in found.result.cells[0].estimate.note


@pytest.mark.parametrize("first", [0, 30_000])
def test_scores_are_called_perfect_or_equal_by_all_rows_not_by_the_first(first):
    happened = np.arange(40_000) % 2
    leak, flat = np.where(happened, 0.9, 0.1), np.full(40_000, 0.3)
    data = pd.DataFrame({"y": happened, "leak": leak, "flat": flat, "late": leak, "bent": flat})
    data.loc[first + 1, "late"] = 0.05  # an event below all others
    data.loc[first, "bent"] = 0.4
    scores = ["leak", "flat", "late", "bent"]
    judged = payoff.evaluate(data, outcome="y", scores=scores, metrics=["auc"], intervals=False)
    named = {name for name in scores if any(f"{name} is perfect" in w for w in judged.warnings)}
    equal = {name for name in scores if any(f"of {name} are equal" in w for w in judged.warnings)}
    assert (named, equal) == ({"leak"}, {"flat"})
