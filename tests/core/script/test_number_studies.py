"""Break-even, winner map, what-if and a prior's range from scripts, on the same small campaign."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import payoff
from payoff.errors import PayoffError


def campaign() -> pd.DataFrame:
    draw = np.random.default_rng(7)
    latent = draw.normal(size=4000)
    probability = 1 / (1 + np.exp(-(1.3 * latent - 2.2)))
    rough = 1 / (1 + np.exp(-(0.6 * latent + 0.6 * draw.normal(size=4000) - 2.2)))
    outcome = (draw.random(4000) < probability).astype(int)
    return pd.DataFrame({"y": outcome, "p": probability, "q": rough})


def decided(column: str = "p", **changes: Any) -> Any:
    given: dict[str, Any] = {
        "matrix": {1: [24.0, 0.0], 0: [-1.6, 0.0]},
        "decisions": ["Mail", "Do nothing"],
        "target": "y",
        "posteriors": {1: column},
        "do_nothing": "Do nothing",
    }
    return payoff.decide(campaign(), **{**given, **changes})


def test_the_break_even_value_put_back_gives_equal_totals() -> None:
    good, rough = decided("p"), decided("q")
    table = good.break_even(others=[rough])
    assert list(table.index)[:2] == ["Mail, 1", "Do nothing, 1"]
    row = table.loc["Mail, 1"]
    assert row["now"] == 24.0
    assert row["never_from"] == 0.0
    at = row["beaten_below"]
    assert row["beaten_below_by"] == "Do nothing"
    step = 1e-6
    for value, pays in ((at + step, True), (at - step, False)):
        matrix = {1: [value, 0.0], 0: [-1.6, 0.0]}
        best = max(decided(c, matrix=matrix).total for c in ("p", "q"))
        assert (best > 1e-9) is pays


def test_decisions_kept_give_straight_lines() -> None:
    good, rough = decided("p"), decided("q")
    row = good.break_even(others=[rough], is_kept=True).loc["Mail, 0"]
    assert np.isnan(row["rule_below"])
    value = row["zero_below"]
    counts = good.counts["Mail"]
    assert 24.0 * counts["1"] + value * counts["0"] == pytest.approx(0.0, abs=1e-6)


def test_the_map_agrees_with_totals_at_its_points() -> None:
    good, rough = decided("p"), decided("q")
    found = good.winner_map(
        (1, "Mail"), (0, "Mail"), x_range=(2.0, 40.0), y_range=(-6.0, -0.5), steps=6, others=[rough]
    )
    assert found.is_exact
    assert found.winner.shape == (6, 6)
    for x in found.profit.columns[::2]:
        for y in found.profit.index[::2]:
            matrix = {1: [x, 0.0], 0: [y, 0.0]}
            totals = [decided(c, matrix=matrix).total for c in ("p", "q")]
            everybody = (
                24.0 * 0 + x * (campaign()["y"] == 1).sum() + y * (campaign()["y"] == 0).sum()
            )
            best = max(*totals, everybody, 0.0)
            assert found.profit.loc[y, x] == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert set(found.winner.to_numpy().ravel()) <= {"p", "q", "Mail for all", "Do nothing for all"}


def test_what_if_keeps_decisions_and_makes_them_again() -> None:
    good = decided("p")
    row = good.what_if({(0, "Mail"): -3.0}).loc["p"]
    counts = good.counts
    assert row["now"] == pytest.approx(good.total)
    assert row["kept"] == pytest.approx(24.0 * counts["Mail"]["1"] - 3.0 * counts["Mail"]["0"])
    again = decided("p", matrix={1: [24.0, 0.0], 0: [-3.0, 0.0]})
    assert row["remade"] == pytest.approx(again.total)
    assert row["remade_change_low"] < row["remade_change"] < row["remade_change_high"]
    assert row["cases_moved"] == abs(good.counts["Mail"].sum() - again.counts["Mail"].sum())


def test_losses_stay_losses() -> None:
    loss = decided("p", matrix={1: [-24.0, 0.0], 0: [1.6, 0.0]}, kind="loss")
    row = loss.what_if({(0, "Mail"): 3.0}).loc["p"]
    assert row["now"] == pytest.approx(loss.total)
    assert row["kept_change"] > 0  # dearer letters lose more
    assert loss.break_even().loc["Mail, 1", "never_from"] == 0.0


def test_costs_and_priors_are_numbers_too() -> None:
    given = {"costs": [1.6, 0.0], "kind": "revenue", "matrix": {1: [25.6, 0.0], 0: [0.0, 0.0]}}
    expensive = decided("p", priors={1: 0.05, 0: 0.95}, **given)
    table = expensive.what_if({"Mail": 2.0, "prior": 0.1})
    again = decided("p", priors={1: 0.1, 0: 0.9}, **{**given, "costs": [2.0, 0.0]})
    assert table.loc["p", "remade"] == pytest.approx(again.total)
    kinds = set(expensive.break_even()["kind"])
    assert kinds == {"cell", "cost", "prior"}


def test_a_range_of_the_prior_widens_the_interval() -> None:
    narrow = decided("p", priors={1: 0.05, 0: 0.95})
    wide = decided("p", priors={1: 0.05, 0: 0.95}, prior_range=(0.04, 0.06))
    assert wide.total == narrow.total
    assert wide.intervals["total"][0] < narrow.intervals["total"][0]
    assert wide.intervals["total"][1] > narrow.intervals["total"][1]


@pytest.mark.parametrize("number", [(2, "Mail"), (1, "Call"), "Post", ("a", "b", "c"), 5])
def test_a_number_that_is_not_there_is_refused(number: Any) -> None:
    with pytest.raises(PayoffError, match="no number"):
        decided("p").what_if({number: 1.0})


def test_other_refusals() -> None:
    with pytest.raises(PayoffError, match="same name"):
        decided("p").break_even(others=[decided("p")])
    with pytest.raises(PayoffError, match="No priors"):
        decided("p").what_if({"prior": 0.1})
    with pytest.raises(PayoffError, match="No number"):
        decided("p").what_if({})
