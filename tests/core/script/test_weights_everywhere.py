"""A case of weight 2 is the case twice in what ``payoff`` decides, explains and evaluates."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import payoff
from core.assembly.models.explaining import SAMPLE_ROWS, _averaged_rows
from core.boosting.explaining.influence import permutation_importance
from core.boosting.inputs import InputColumn, Inputs
from core.decisions.studies.hold_out import HoldOut
from core.script.decide.decisions import Decisions
from tests.helpers.comparing import assert_same, flat

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

Pair = Callable[[Decisions, Decisions], Any]
BY_ROW = ("rows", "text", "seconds", "cases")
"""What counts rows, and not cases."""

ANSWERS: dict[str, Pair] = {
    "total": lambda a, b: [a.total, a.average, a.expected_total, a.best_total, a.roi],
    "average": lambda a, b: a.average,
    "expected_total": lambda a, b: a.expected_total,
    "best_total": lambda a, b: a.best_total,
    "roi": lambda a, b: a.roi,
    "intervals": lambda a, b: a.intervals,
    "counts": lambda a, b: a.counts,
    "prior_weights": lambda a, b: a.prior_weights,
    "profit_chart": lambda a, b: a.profit_chart(),
    "prediction_table": lambda a, b: a.prediction_table(),
    "decision_table": lambda a, b: a.decision_table(),
    "rankings": lambda a, b: [a.rankings(), a.rankings(by="expected")],
    "thresholds": lambda a, b: a.thresholds(),
    "break_even": lambda a, b: a.break_even(others=[b]),
    "what_if": lambda a, b: a.what_if({("1", "Act"): 12.0}, others=[b]),
    "winner_map": lambda a, b: a.winner_map(("1", "Act"), ("0", "Act"), others=[b], steps=7),
    "gap": lambda a, b: a.gap(),
    "capacity": lambda a, b: [getattr(a.capacity(most_actions=30), n) for n in ("points", "free")],
    "left_on_the_table": lambda a, b: a.left_on_the_table(),
    "best_range": lambda a, b: a.best_range,
}
NOT_OF_ALL_CASES = {
    "advice",  # reads a cross-fitted figure: a row stands in one half
    "against",
    "ask",  # the window's answers
    "case_list",  # lists rows
    "cases",
    "checks",
    "document",
    "held_out",
    "hold_out",  # draws rows
    "is_of_document",
    "jensen_gap",  # of numbers, below
    "kept",
    "lacks_input",
    "made",
    "model",
    "outputs",
    "planned",
    "problem",
    "shift",
    "source",
    "table",
    "target",
    "totals",
    "warnings",
}


def weighted(seed: int, rows: int = 80) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Cases with whole weights, and each as often as it weighs."""
    draw = np.random.default_rng(seed)
    probability = np.round(draw.random(rows), 1)
    frame = pd.DataFrame(
        {
            "p": probability,
            "q": np.round(np.clip(probability + draw.normal(0, 0.2, rows), 0, 1), 1),
            "y": (draw.random(rows) < probability).astype(int),
            "w": draw.integers(0, 5, rows).astype(float),
            "c": np.round(2 * draw.random(rows), 1),
        }
    )
    frame.loc[:3, ["y", "w"]] = [[1, 4], [0, 2], [1, 1], [0, 3]]
    twice = frame.loc[np.repeat(frame.index, frame.w.astype(int))].reset_index(drop=True)
    return frame, twice


def decided(frame: pd.DataFrame, column: str, **given_: Any) -> Decisions:
    requested: dict[str, Any] = {
        "target": "y",
        "matrix": {"1": [10, 0], "0": [-5, 0]},
        "kind": "revenue",
        "decisions": ["Act", "Rest"],
        "costs": ["c", 0],
        "do_nothing": "Rest",
        "posteriors": {"1": column},
    }
    return payoff.decide(frame, **(requested | given_))


def cases_only(answer: Any) -> list[tuple[str, Any]]:
    return [(path, v) for path, v in flat(answer) if not path.endswith(BY_ROW)]


def same(first: Any, second: Any, where: str) -> None:
    one, other = cases_only(first), cases_only(second)
    assert [path for path, _ in one] == [path for path, _ in other], where
    for (path, value), (_, other_value) in zip(one, other, strict=True):
        assert_same(value, other_value, where + path)


def test_no_answer_of_decide_is_forgotten():
    frame, _ = weighted(1)
    found = decided(frame, "p", weight="w")
    public = {name for name in dir(found) if not name.startswith("_")}
    assert public == set(ANSWERS) | NOT_OF_ALL_CASES


@pytest.mark.parametrize("priors", [None, {"1": 0.3, "0": 0.7}])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_weight_2_is_the_case_twice_in_every_decision(priors, seed):
    frame, twice = weighted(seed)
    one = [decided(frame, column, weight="w", priors=priors) for column in ("p", "q")]
    other = [decided(twice, column, priors=priors) for column in ("p", "q")]
    for name, ask in ANSWERS.items():
        same(ask(*one), ask(*other), name)
    for depths in ((None, None), (0.3, 0.3)):
        swaps = [
            payoff.swap_set(*pair, first_depth=depths[0], second_depth=depths[1])
            for pair in (one, other)
        ]
        same(*swaps, f"swap_set at {depths}")


def test_a_hold_out_forgoes_what_its_cases_promise():
    frame, _ = weighted(3)
    kept, held = decided(frame, "p", weight="w").hold_out(0.5, seed=2)
    assert isinstance(held, HoldOut)
    gap = (kept.table.PLANNED_EP_y - kept.table.EP_y).to_numpy()
    assert held.forgone == pytest.approx(float(frame.w.to_numpy() @ gap))


def test_explanations_over_cases_count_weights():
    draw = np.random.default_rng(4)
    rows = 300
    x, z = np.round(draw.normal(size=(2, rows)), 1)
    frame = pd.DataFrame({"x": x, "z": z, "y": x + x * z + draw.normal(size=rows)})
    frame["w"] = draw.integers(1, 6, rows).astype(float)
    twice = frame.loc[np.repeat(frame.index, frame.w.astype(int))].reset_index(drop=True)
    model = payoff.boost(
        frame,
        target="y",
        distribution="gaussian",
        features=["x", "z"],
        weight="w",
        n_trees=40,
        interaction_depth=3,
    )
    grid = {"x": [-1.0, 0.0, 1.5]}
    brute = model.partial_dependence("x", grid=grid, method="brute")
    other = model.partial_dependence("x", grid=grid, method="brute", data=twice.drop(columns="w"))
    np.testing.assert_allclose(brute.value, other.value, rtol=1e-12)
    given_ = model.partial_dependence("x", grid=grid, method="brute", data=frame)
    np.testing.assert_allclose(given_.value, other.value, rtol=1e-12)
    strength = model.interaction(["x", "z"])
    assert strength == pytest.approx(model.interaction(["x", "z"], data=twice.drop(columns="w")))
    plain = model.interaction(["x", "z"], data=frame.drop(columns="w"))
    assert abs(strength - plain) > 1e-6  # weights matter here


def test_a_shuffled_column_meets_cases_by_their_weight():
    column = InputColumn(name="x", levels=())
    values = np.array([0.0, 1.0])
    inputs = Inputs((column,), (values,))
    weight = np.array([3.0, 1.0])

    def mean(shuffled: Inputs) -> float:
        return float(weight @ np.asarray(shuffled.arrays[0]) / weight.sum())

    rise = permutation_importance(inputs, mean, 4_000, 1, weight)
    # of four copies one is 1, whoever asks: the mean stays; drawn by row it would be 0.5
    assert rise.mean() == pytest.approx(0.0, abs=0.02)


def test_averages_of_the_window_run_over_cases():
    rows = np.arange(5)
    weight = np.array([2.0, 0.0, 1.0, 3.0, 1.0])
    assert _averaged_rows(rows, weight, 1).tolist() == [0, 0, 2, 3, 3, 3, 4]
    many = np.arange(2 * SAMPLE_ROWS)
    heavy = np.where(many < SAMPLE_ROWS, 3.0, 1.0)
    drawn = _averaged_rows(many, heavy, 1)
    assert len(drawn) == SAMPLE_ROWS
    assert (drawn < SAMPLE_ROWS).mean() == pytest.approx(0.75, abs=0.05)


def test_frequencies_of_evaluate_are_cases():
    frame, twice = weighted(7, rows=150)
    requested: dict[str, Any] = {"outcome": "y", "scores": ["p", "q"], "resamples": 200}
    one = payoff.evaluate(frame[frame.w > 0], weight="w", weight_kind="frequency", **requested)
    other = payoff.evaluate(twice, **requested)
    cells = [
        {(cell.metric, cell.model): cell.estimate.value for cell in found.result.cells}
        for found in (one, other)
    ]
    assert len(cells[0]) >= 10
    assert cells[0] == pytest.approx(cells[1], rel=1e-9, abs=1e-12, nan_ok=True)


def test_what_is_compared_is_a_dataclass_or_a_table():
    frame, _ = weighted(2)
    found = decided(frame, "p", weight="w")
    assert dataclasses.is_dataclass(payoff.swap_set(found, found))
