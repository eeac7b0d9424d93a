"""A case of weight 2 is the case twice, in every answer that ``payoff.uplift`` gives."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import payoff
from core.kernels.draws import fill_poisson_counts, poisson_weights
from core.script.uplift.result import UpliftEvaluation
from core.uplift.ranked.curves import LOCAL_VARIANTS, VARIANTS
from tests.helpers.comparing import assert_same

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

PAIRED = [variant for variant in VARIANTS if variant not in LOCAL_VARIANTS]
NAMED = [
    "scikit_uplift_qini_auc_score",
    "scikit_uplift_uplift_auc_score",
    "causalml_auuc_score",
    "causalml_qini_score",
    "criteo_auuc",
]

Answer = Callable[[UpliftEvaluation], Any]
EXACT: dict[str, Answer] = {
    "nu": lambda u: u.nu,
    "treated": lambda u: u.treated,
    "control": lambda u: u.control,
    "curve": lambda u: [u.curve(variant, "s") for variant in VARIANTS],
    "area": lambda u: [u.area(variant, "s") for variant in VARIANTS],
    "aunuc": lambda u: [u.aunuc("s"), u.aunuc("s", "xaxis_sum")],
    "compare": lambda u: [u.compare("s", "noise", variant=variant) for variant in PAIRED],
    "criteria": lambda u: u.criteria("s"),
    "prices": lambda u: u.prices([0.0, 0.1, 0.2, 0.4], value=2.0, redemption=0.1),
    "envelope": lambda u: u.envelope("s"),
    "pehe": lambda u: u.pehe("s"),
    "named_score": lambda u: [u.named_score(name, "s") for name in NAMED if _fits(u, name)],
    "perfect_curve": lambda u: [u.perfect_curve(k) for k in ("qini", "uplift") if _fits(u, "s")],
    "uplift_at": lambda u: [
        u.uplift_at(k, "s", strategy=strategy)
        for k in (0.3, 1.0, 100)
        for strategy in ("overall", "by_group")
    ],
    "by_percentile": lambda u: [
        u.by_percentile("s", bins=bins, strategy=strategy)
        for bins in (4, 10)
        for strategy in ("overall", "by_group")
    ],
    "weighted_average": lambda u: u.weighted_average("s"),
    "treatment_balance": lambda u: u.treatment_balance("s"),
    "rate": lambda u: [u.rate("s"), u.rate("s", weighting="qini")],
    "effect": lambda u: [u.effect(), u.effect(adjusted=True)],
    "next_test": lambda u: u.next_test(0.05),
}
"""Answers that are the same to the last digit but for the order of sums."""

IN_OWN_TESTS = {
    "guard",  # its model of the columns keeps a row in one fold
    "validity",
    "choose",  # its cross-fitted gain keeps a row in one half
    "effect_by",
    "rows",  # rows of the file are counted, not cases
    "row_order",  # tools that read rows know no weights
    "experiment",
    "rankings",
    "band",  # resampled: the same but for chance
    "rates",
    "metrics",
    "ask",  # tests/core/script/test_uplift_document.py
    "document",
    "source",
}


def _fits(found: UpliftEvaluation, name: str) -> bool:
    return found.experiment.is_binary or name.startswith(("causalml", "criteo"))


def weighted(seed: int, *, is_binary: bool, rows: int = 120, least: int = 0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    score, treated = np.round(draw.random(rows), 1), draw.random(rows) < 0.45
    treated[:4] = (True, False, True, False)
    outcome = (draw.random(rows) < 0.3 + 0.3 * treated * score).astype(float)
    if not is_binary:
        outcome = np.round(draw.gamma(2, 4, rows) + 3 * treated * score)
    frame = pd.DataFrame(
        {
            "y": outcome,
            "t": treated.astype(int),
            "s": score,
            "noise": np.round(draw.random(rows), 1),
            "w": draw.integers(least, 6, rows).astype(float),
            "segment": np.where(draw.random(rows) < 0.5, "a", "b"),
            "x": draw.normal(size=rows),
            "truth": 0.2 * score,
        }
    )
    frame.loc[:3, "w"] = (5.0, 1.0, 2.0, 3.0)
    frame["e"] = np.clip(0.45 + 0.2 * frame.x, 0.005, 0.9)
    return frame


def both(
    frame: pd.DataFrame, **changes: Any
) -> tuple[UpliftEvaluation, UpliftEvaluation, pd.DataFrame]:
    """Weighted, and each row as often as it weighs."""
    requested: dict[str, Any] = {
        "outcome": "y",
        "treatment": "t",
        "scores": ["s", "noise"],
        "true_effect": "truth",
        "nu": 0.2,
        **changes,
    }
    twice = frame.loc[np.repeat(frame.index, frame.w.astype(int))].reset_index(drop=True)
    return payoff.uplift(frame, weight="w", **requested), payoff.uplift(twice, **requested), twice


def test_no_answer_is_forgotten():
    found, _, _ = both(weighted(1, is_binary=True))
    public = {name for name, _ in inspect.getmembers(found) if not name.startswith("_")}
    assert public == set(EXACT) | IN_OWN_TESTS


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("propensity", [None, "e"])
@given(seed=st.integers(0, 10_000), is_binary=st.booleans())
@settings(max_examples=6, deadline=None)
def test_weight_2_is_the_case_twice(propensity, seed, is_binary):
    frame = weighted(seed, is_binary=is_binary)
    one, other, twice = both(frame, propensity=propensity, covariates=["x", "segment"])
    for name, ask in EXACT.items():
        value = getattr(one, name)
        assert_same(ask(one), ask(other), name if callable(value) else f"{name} (attribute)")
    assert_same(one.effect_by(frame.segment), other.effect_by(twice.segment), "effect_by")
    for entry, same in zip(one.guard.checks, other.guard.checks, strict=True):
        if entry.key != "predictable":
            assert_same((entry.number, entry.p_value), (same.number, same.p_value), entry.key)
    assert_same(one.guard.balance_share, other.guard.balance_share, "guard")
    for quantity in ("gain", "incremental", "return"):
        first, second = (u.choose(quantity, value=9, contact=0.3, score="s") for u in (one, other))
        halves = ("cross_fitted", "cross_fitted_low", "cross_fitted_high")  # a row is in one half
        second = dataclasses.replace(second, **{name: getattr(first, name) for name in halves})
        assert_same(first, second, f"choose {quantity}")


def test_weights_5_and_1_in_two_segments():
    frame = pd.DataFrame(
        {
            "y": [1, 0, 0, 1, 1, 0, 0, 0],
            "t": [1, 1, 0, 0, 1, 1, 0, 0],
            "s": [0.9, 0.2, 0.4, 0.3, 0.8, 0.1, 0.5, 0.6],
            "w": [5, 1, 5, 1, 1, 1, 1, 1],
        }
    )
    found = payoff.uplift(frame, outcome="y", treatment="t", scores="s", weight="w")
    by_segment = found.effect_by(list("aaaabbbb"))
    assert [effect.effect for effect in by_segment.effects] == pytest.approx([4 / 6, 0.5])
    assert [effect.cases for effect in by_segment.effects] == [6.0, 2.0]


def test_segments_are_of_the_data_or_of_the_rows_used():
    frame = weighted(4, is_binary=True)
    frame.loc[5, "w"] = 0.0
    found, _, _ = both(frame)
    whole = found.effect_by(frame.segment)
    assert_same(whole, found.effect_by(frame.segment[frame.w > 0]), "effect_by")
    assert "of weight 0" in " ".join(found.validity)
    with pytest.raises(payoff.PayoffError, match="3 entries"):
        found.effect_by(["a", "b", "c"])


def test_tools_that_read_rows_know_no_weights():
    frame = weighted(5, is_binary=True, least=1)
    with_weights, _, _ = both(frame)
    without = payoff.uplift(frame, outcome="y", treatment="t", scores=["s", "noise"])
    assert_same(with_weights.row_order("s"), without.row_order("s"), "row_order")


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("propensity", [None, "e"])
@pytest.mark.parametrize("is_binary", [True, False])
def test_resamples_of_weighted_cases_are_those_of_the_cases_themselves(propensity, is_binary):
    frame = weighted(6, is_binary=is_binary, rows=150)
    one, other, _ = both(frame, propensity=propensity)
    errors = []
    for found in (one, other):
        rates = found.rates("s", draws=2_000)
        area = found.area("generalised", "s", draws=2_000)
        band = found.band("s", draws=2_000)
        widths = [
            rates.standard_error["autoc"],
            rates.standard_error["qini"],
            area.standard_error,
            area.standard_error_minus_random,
            float((band.low - band.low_all).mean()),
        ]
        errors.append(widths)
    assert errors[0] == pytest.approx(errors[1], rel=0.1)
    analytic = one.area("generalised", "s").standard_error
    assert errors[0][2] == pytest.approx(analytic, rel=0.25)  # multiplied draws: twice that
    figures = [found.metrics(resamples=300) for found in (one, other)]
    values = [table.value.to_numpy(dtype=float) for table in figures]
    assert values[0] == pytest.approx(values[1], nan_ok=True)
    # Figures divided by a height that may be 0, or by shares near 0, have no stable width.
    table = figures[0]
    kept = ~table.metric.isin(["auuc_score", "qini_score", "ips_local", "ips_local_stepwise"])
    spread = [(t.high - t.low).to_numpy(dtype=float)[kept] for t in figures]
    known = spread[1] > 1e-9
    assert known.sum() >= 20
    ratio = spread[0][known] / spread[1][known]
    assert 0.7 < ratio.min() <= ratio.max() < 1.4


def test_draws_of_a_row_that_stands_for_several():
    units = np.arange(20_000, dtype=np.int64)
    for mean in (0.0, 0.3, 1.0, 2.0, 5.0, 31.7, 60.0, 900.0):
        drawn = np.empty((len(units), 32))
        fill_poisson_counts(7, 3, units, np.full(len(units), mean), drawn)
        assert drawn.min() >= 0.0
        size = drawn.size
        assert abs(drawn.mean() - mean) <= 5 * (mean / size) ** 0.5
        assert abs(drawn.var() - mean) <= 5 * ((2 * mean**2 + mean) / size) ** 0.5
        if mean == 1.0:
            plain = poisson_weights(7, units, first_draw=96, draws=32)
            np.testing.assert_array_equal(drawn, plain)
        elif 0 < mean < 32:
            nothing = float((drawn == 0).mean())
            assert nothing == pytest.approx(np.exp(-mean), abs=5 * (np.exp(-mean) / size) ** 0.5)
