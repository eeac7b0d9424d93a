"""Capacity, case list, gap, what was left, swap sets and hold-outs of ``payoff.decide``."""

import json

import numpy as np
import pandas as pd
import pytest

import main
import payoff

MATRIX = {"1": [24.0, 0.0], "0": [-1.6, 0.0]}
NAMES = ["Mail", "Do nothing"]


@pytest.fixture(scope="module")
def frame():
    draw = np.random.default_rng(4)
    probability = draw.beta(1.2, 12, 3000)
    rough = np.clip(probability * np.exp(draw.normal(0, 0.7, 3000)), 0.0, 1.0)
    outcome = (draw.random(3000) < probability).astype(int)
    return pd.DataFrame({"y": outcome, "p": probability, "q": rough})


def decided(frame, column="p", matrix=MATRIX, **settings):
    return payoff.decide(
        frame,
        matrix=matrix,
        decisions=NAMES,
        target="y",
        posteriors={"1": column},
        do_nothing="Do nothing",
        **settings,
    )


def test_capacity(frame):
    found = decided(frame).capacity(most_actions=300).points[0]
    best = frame.sort_values("p", ascending=False).head(300)
    assert found.profit.value == pytest.approx(np.where(best.y == 1, 24.0, -1.6).sum())
    assert found.expected == pytest.approx((25.6 * best.p - 1.6).sum())
    expensive = decided(frame, costs=[2.0, 0.0]).capacity(most_money=100.0).points[0]
    assert expensive.actions == pytest.approx(50.0)


def test_case_list(frame):
    listed = decided(frame).case_list("gap", descending=False, most=10)
    wanted = (25.6 * frame.p - 1.6).abs().sort_values().head(10)
    np.testing.assert_allclose(listed["gap"], wanted)
    np.testing.assert_array_equal(listed["row"], wanted.index + 1)
    mailed = decided(frame).case_list(decision="Mail")
    assert (mailed["chance"] >= 1.6 / 25.6).all()
    with pytest.raises(payoff.PayoffError, match="sorted"):
        decided(frame).case_list("colour")


def test_gap_and_what_was_left(frame):
    result = decided(frame)
    gap, left = result.gap(), result.left_on_the_table()
    assert gap.rule_realised == pytest.approx(result.total)
    assert gap.rule_expected == pytest.approx(result.expected_total)
    assert left.to_numpy().sum() == pytest.approx(result.best_total - result.total)
    assert left.loc["0", "Mail"] == pytest.approx(
        1.6 * ((frame.p >= 0.0625) & (frame.y == 0)).sum()
    )
    low, high = result.best_range
    assert 0 <= low < high <= 1


def test_swap_set_and_both_ways_to_compare(frame):
    one, two = decided(frame), decided(frame, "q")
    swap = payoff.swap_set(one, two)
    mails = [(frame[column] >= 0.0625).to_numpy() for column in ("p", "q")]
    assert swap.group("both").cases == (mails[0] & mails[1]).sum()
    assert swap.group("first").cases == (mails[0] & ~mails[1]).sum()
    at_rule = one.against(two)
    assert at_rule.estimate.value == pytest.approx(one.total - two.total)
    assert swap.difference == at_rule
    same = one.against(two, depth=0.2)
    chart = [result.capacity(most_actions=600).points[0].profit.value for result in (one, two)]
    assert same.estimate.value == pytest.approx(chart[0] - chart[1])


def test_swap_set_of_two_matrices(frame):
    """A letter that costs twice as much mails fewer; the money is counted by the matrix named."""
    cheap, expensive = decided(frame), decided(frame, matrix={"1": [22.4, 0.0], "0": [-3.2, 0.0]})
    swap = payoff.swap_set(cheap, expensive)
    assert swap.group("second").cases == 0
    only = frame[(frame.p >= 0.0625) & (frame.p < 0.125)]
    assert swap.group("first").cases == len(only)
    assert swap.difference.estimate.value == pytest.approx(np.where(only.y == 1, 24.0, -1.6).sum())
    judged = payoff.swap_set(cheap, expensive, judge="second")
    assert judged.difference.estimate.value == pytest.approx(
        np.where(only.y == 1, 22.4, -3.2).sum()
    )
    assert judged.second in judged.judged_by


def test_swap_sets_that_cannot_be(frame):
    one = decided(frame)
    with pytest.raises(payoff.PayoffError, match="same cases"):
        payoff.swap_set(one, decided(frame.head(100)))
    with pytest.raises(payoff.PayoffError, match="different outcomes"):
        payoff.swap_set(one, decided(frame.assign(y=1 - frame.y)))
    with pytest.raises(payoff.PayoffError, match="not known"):
        payoff.swap_set(one, one, judge="third")
    other = payoff.decide(
        frame, matrix=MATRIX, decisions=["Call", "Rest"], target="y", posteriors={"1": "p"}
    )
    with pytest.raises(payoff.PayoffError, match="no decision 'Call'"):
        payoff.swap_set(one, other)


def test_hold_out(frame):
    result = decided(frame)
    kept, held = result.hold_out(0.1, seed=5)
    table = kept.table
    out = table["HOLDOUT_y"] == 1
    assert out.sum() == held.held == round(0.1 * held.chosen)
    assert (table.loc[out, "D_y"] == "Do nothing").all()
    assert kept.total == pytest.approx(result.table.loc[~out, "CP_y"].sum())
    assert held.forgone == pytest.approx(result.table.loc[out, "EP_y"].sum())


def test_hold_out_of_the_verb(frame, tmp_path):
    data, out, answer = (tmp_path / name for name in ("d.csv", "o.csv", "a.json"))
    frame.to_csv(data, index=False)
    arguments = ["decide", str(data), "--matrix", json.dumps(MATRIX), "--target", "y"]
    arguments += ["--posterior", "1=p", "--decisions", "Mail,Rest", "--hold-out", "0.2"]
    arguments += ["--hold-out-seed", "3", "--out", str(out), "--json", str(answer)]
    assert main.main(arguments) == 0
    reported = json.loads(answer.read_text("utf-8"))["hold_out"]
    written = pd.read_csv(out)
    assert written["HOLDOUT_y"].sum() == reported["held_out"] == round(0.2 * reported["chosen"])
    assert (written.loc[written["HOLDOUT_y"] == 1, "D_y"] == "Rest").all()
    assert reported["seed"] == 3
    assert 0 < reported["smallest_effect"] < reported["event_rate_expected"]
    assert main.main([*arguments[:-8], "--hold-out", "2"]) == 2
