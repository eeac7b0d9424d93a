"""Bounds: published figures, properties, edges, and what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.document.experiments.results import ConditionState, Side
from core.experiments.bounds import METHODS, cases_needed, compute_error_bound, default_methods
from core.experiments.losses import LossSource
from core.inference.resampled import bootstrap_means
from payoff.errors import PayoffError

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "bounds.json").read_text("utf-8"))
VALID = [name for name, spec in METHODS.items() if spec.is_valid and not spec.needs_binary]


def losses_of(n, mean, kind):
    place = np.arange(1, n + 1)
    if kind == "narrow":
        return mean + 0.05 * (-1.0) ** (place - 1)
    k = round(mean * n)
    return (place * k // n - (place - 1) * k // n).astype(float)


@pytest.mark.parametrize("row", GOLDEN["rows"], ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_golden(row):
    figures = dict(zip(GOLDEN["columns"], row, strict=True))
    losses = losses_of(figures["n"], figures["mean"], figures["losses"])
    for method in [*VALID, "clopper_pearson"]:
        if figures[method] is not None:
            assert compute_error_bound(losses, method=method).high == pytest.approx(
                figures[method], abs=6e-7
            )


@pytest.mark.parametrize(("n", "margin"), [(100, 0.135810), (1000, 0.042947), (10000, 0.013581)])
def test_two_sided_margins_are_wider(n, margin):
    found = compute_error_bound(losses_of(n, 0.3, "binary"), method="hoeffding", side=Side.TWO)
    assert found.margin == pytest.approx(margin, abs=6e-7)
    assert found.low == pytest.approx(0.3 - margin, abs=6e-7)


def test_edges():
    none, all_of_them = np.zeros(100), np.ones(100)
    assert compute_error_bound(none, method="clopper_pearson").high == pytest.approx(1 - 0.05**0.01)
    assert compute_error_bound(all_of_them, method="clopper_pearson").high == 1.0
    assert compute_error_bound(all_of_them, method="kl").high == 1.0
    single = compute_error_bound(np.zeros(1), method="hoeffding")
    assert single.is_vacuous
    assert single.high == 1.0
    assert math.sqrt(math.log(20) / 2) == pytest.approx(1.2239, abs=1e-4)
    five = compute_error_bound(
        losses_of(1000, 0.3, "binary"), method="hoeffding", source=LossSource(chosen_among=5)
    )
    assert five.margin == pytest.approx(0.047985, abs=6e-7)
    wide = compute_error_bound(
        4 * losses_of(1000, 0.3, "binary"), method="hoeffding", loss_range=(0, 4)
    )
    assert wide.margin == pytest.approx(4 * 0.038702, abs=3e-6)


def test_cases_needed():
    assert cases_needed(0.01) == 14_979
    assert cases_needed(0.01, side=Side.TWO) == 18_445
    for method, guess in (
        ("kl", {"expected_loss": 0.1}),
        ("wilson", {"expected_loss": 0.1}),
        ("student_t", {"expected_sd": 0.2}),
        ("empirical_bernstein", {"expected_sd": 0.2}),
    ):
        n = cases_needed(0.02, method=method, **guess)
        assert 100 < n < 14_979
    with pytest.raises(PayoffError, match="depends on the loss"):
        cases_needed(0.01, method="kl")


def test_wilson_and_student_against_scipy():
    losses = losses_of(100, 0.3, "binary")
    exact = stats.binomtest(30, 100).proportion_ci(0.95, "wilson")
    found = compute_error_bound(losses, method="wilson", side=Side.TWO)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    draw = np.random.default_rng(1).random(40)
    expected = stats.t.interval(0.95, 39, draw.mean(), stats.sem(draw))
    found = compute_error_bound(draw, method="student_t", side=Side.TWO)
    assert (found.low, found.high) == pytest.approx(expected)


def test_bootstrap_of_binary_losses_is_binomial():
    losses = losses_of(100, 0.3, "binary")
    found = compute_error_bound(losses, method="bootstrap", resamples=200_000)
    assert found.high == stats.binom.ppf(0.95, 100, 0.3) / 100


def test_bca_against_scipy():
    losses = np.random.default_rng(2).beta(0.4, 4.0, size=60)
    peer = stats.bootstrap(
        (losses,), np.mean, method="BCa", n_resamples=40_000, rng=np.random.default_rng(3)
    ).confidence_interval
    found = compute_error_bound(losses, method="bca", side=Side.TWO, resamples=40_000)
    assert (found.low, found.high) == pytest.approx((peer.low, peer.high), abs=2e-3)
    plain = compute_error_bound(losses, method="bootstrap", side=Side.TWO, resamples=40_000)
    assert found.high > plain.high  # skewed to the right: the limit moves up


def test_buckets_keep_the_spread():
    losses = np.random.default_rng(4).beta(0.3, 6.0, size=50_000)
    means = bootstrap_means(losses, seed=1, resamples=4000)
    assert means.std() == pytest.approx(losses.std() / math.sqrt(50_000), rel=0.05)
    assert means.mean() == pytest.approx(losses.mean(), abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=60),
    st.sampled_from(VALID),
    st.floats(0.6, 0.999),
)
def test_properties(values, method, confidence):
    losses = np.array(values)
    found = compute_error_bound(losses, method=method, confidence=confidence)
    wider = compute_error_bound(losses, method=method, confidence=1 - (1 - confidence) / 2)
    assert losses.mean() - 1e-9 <= found.high <= wider.high + 1e-9
    assert wider.high <= 1.0
    both = compute_error_bound(losses, method=method, confidence=confidence, side=Side.TWO)
    assert both.low <= losses.mean() + 1e-9
    assert both.high >= found.high - 1e-9
    mirrored = compute_error_bound(
        1 - losses, method=method, confidence=confidence, side=Side.LOWER
    )
    assert mirrored.low == pytest.approx(1 - found.high, abs=1e-9)
    moved = compute_error_bound(
        10 * losses - 3, method=method, confidence=confidence, loss_range=(-3, 7)
    )
    assert moved.high == pytest.approx(10 * found.high - 3, abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=80))
def test_kl_is_never_worse_than_hoeffding(values):
    losses = np.array(values)
    kl = compute_error_bound(losses, method="kl").high
    assert kl <= compute_error_bound(losses, method="hoeffding").high + 1e-12


def test_conditions_are_printed():
    losses = losses_of(100, 0.3, "binary")
    found = compute_error_bound(
        losses,
        method="betting",
        source=LossSource(ids=np.arange(100), chosen_among=3, clipped=7),
    )
    words = " ".join(entry.text for entry in found.conditions)
    assert "No case counts twice" in words
    assert "7 predictions were clipped" in words
    assert "best of 3" in words
    assert "order" in words
    block = compute_error_bound(losses, method="kl", source=LossSource(one_block="one time block"))
    assert not block.is_valid
    assert any(entry.state is ConditionState.BROKEN for entry in block.conditions)


def test_one_loss_per_cluster():
    losses = np.array([0.0, 1.0, 1.0, 0.0])
    found = compute_error_bound(
        losses, method="hoeffding", source=LossSource(clusters=np.array(["b", "b", "a", "c"]))
    )
    assert found.n == 3
    assert found.mean == pytest.approx(0.5)


def test_default_methods():
    assert default_methods(np.array([0.0, 1.0]))[0] == "clopper_pearson"
    assert default_methods(np.array([0.0, 0.5]))[0] == "betting"


# ------------------------------------------------------------ bad input 109 to 111, 114


@pytest.mark.parametrize("confidence", [0, 1, -0.1, 95, 5, True])
def test_109_failure_probability(confidence):
    with pytest.raises(PayoffError, match="confidence"):
        compute_error_bound(np.zeros(5), method="kl", confidence=confidence)


def test_110_too_few_losses():
    with pytest.raises(PayoffError, match="no losses"):
        compute_error_bound(np.zeros(0), method="hoeffding")
    with pytest.raises(PayoffError, match="Empirical Bernstein needs 2"):
        compute_error_bound(np.zeros(1), method="empirical_bernstein")
    assert compute_error_bound(np.zeros(1), method="hoeffding").is_vacuous


def test_111_losses_outside_their_range():
    with pytest.raises(PayoffError, match="outside 0 to 1") as refusal:
        compute_error_bound(np.array([0.2, 1.4]), method="kl")
    assert "loss 2" in refusal.value.where
    with pytest.raises(PayoffError, match="needs the range"):
        compute_error_bound(np.array([0.2, 1.4]), method="kl", loss_range=None)
    assert compute_error_bound(np.array([0.2, 1.4]), method="student_t", loss_range=None).high > 0.8
    with pytest.raises(PayoffError, match="Clopper-Pearson is for"):
        compute_error_bound(np.array([0.2, 1.0]), method="clopper_pearson")
    with pytest.raises(PayoffError, match="not usable"):
        compute_error_bound(np.zeros(10), method="bootstrap")


def test_114_losses_that_allow_no_bound():
    losses = np.full(10, 0.5)
    for source, words in (
        (LossSource(trained_on=True), "trained the model"),
        (LossSource(pooled_splits=20), "20 pooled splits"),
        (LossSource(ids=np.array([1, 1, *range(2, 10)])), "belong to one case"),
    ):
        with pytest.raises(PayoffError, match=words):
            compute_error_bound(losses, method="hoeffding", source=source)
