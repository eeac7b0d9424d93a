"""Analytic bands against resampling: the half widths agree, and limits stay where they must."""

from __future__ import annotations

import numpy as np
import pytest

import payoff
from payoff.follow_up import RankedPairs
from plugins.curves.bands import concentration_band, f1_band, precision_band
from plugins.curves.ranked_lines import trace_cost

CASES, DRAWS = 4_000, 600
Z = 1.959963984540054


@pytest.fixture(scope="module")
def counts():
    return np.random.default_rng(5).poisson(1.0, (DRAWS, CASES)).astype(float)


@pytest.fixture(scope="module")
def scored():
    random = np.random.default_rng(11)
    is_event = random.random(CASES) < 0.3
    return is_event, random.normal(size=CASES) + is_event


def drawn_half(values: np.ndarray) -> np.ndarray:
    return Z * values.std(axis=0)


def shares(scored, counts, cut):
    """Found, alarms and missed of one cut-off as shares of all cases, draw by draw."""
    is_event, score = scored
    acted = score >= cut
    parts = (is_event & acted, ~is_event & acted, is_event & ~acted)
    return [counts @ part / counts.sum(axis=1) for part in parts]


@pytest.mark.parametrize("cut", [-0.5, 0.5, 1.5])
def test_precision_and_f1_are_as_wide_as_resampling_says(scored, counts, cut):
    found, alarms, missed = shares(scored, counts, cut)
    one = [part[:, None] for part in shares(scored, np.ones((1, CASES)), cut)]
    low, high = f1_band(*(part[0] for part in one), float(CASES))
    drawn = 2 * found / (2 * found + alarms + missed)
    assert 0.5 * (high - low) == pytest.approx(drawn_half(drawn), rel=0.1)
    acted = one[0][0] + one[1][0]
    low, high = precision_band(one[0][0] / acted, acted, float(CASES))
    assert 0.5 * (high - low) == pytest.approx(drawn_half(found / (found + alarms)), rel=0.1)


def test_nobody_acted_on_has_no_precision():
    low, high = precision_band(np.array([np.nan, 0.5]), np.array([0.0, 0.5]), 100.0)
    assert np.isnan([low[0], high[0]]).all()
    assert 0 < low[1] < 0.5 < high[1] < 1


def test_cost_is_as_wide_as_resampling_says(scored, counts):
    is_event, score = scored
    cuts = np.quantile(score, np.linspace(0, 1, 101))
    x = np.array([0.2, 0.5, 0.8])

    def rates(weight):
        acted = score >= cuts[:, None]
        missed = 1 - (acted & is_event) @ weight / (is_event @ weight)
        alarms = (acted & ~is_event) @ weight / (~is_event @ weight)
        return missed, alarms, x[:, None] * missed + (1 - x[:, None]) * alarms

    sample = payoff.Sample(np.where(is_event, 0, 1), score, labels=("yes", "no"))
    line = trace_cost(payoff.CurveRanking.of(sample), {})
    at = np.searchsorted(line.x, x)
    low, high = line.low[at], line.high[at]
    drawn = np.array([rates(draw)[2].min(axis=1) for draw in counts[:200]])
    assert 0.5 * (high - low) == pytest.approx(drawn_half(drawn), rel=0.2)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_concentration_is_as_wide_as_resampling_says(counts, is_weighted):
    random = np.random.default_rng(3)
    outcome = random.gamma(2.0, 2.0, CASES)
    key = outcome + random.normal(0, 3, CASES)
    weight = random.uniform(0.5, 3.0, CASES) if is_weighted else np.ones(CASES)
    grid = np.linspace(0, 1, 101)

    def curve(w):
        order = np.argsort(key)
        cases, held = np.cumsum(w[order]), np.cumsum((w * outcome)[order])
        return np.interp(grid, cases / cases[-1], held / held[-1])

    low, high = concentration_band(key, outcome, weight, grid)
    assert low[0] == high[0] == 0
    assert low[-1] == high[-1] == pytest.approx(1.0)
    drawn = drawn_half(np.array([curve(weight * draw) for draw in counts[:300]]))
    inside = slice(10, 91, 10)
    np.testing.assert_allclose(0.5 * (high - low)[inside], drawn[inside], rtol=0.2)


def test_area_of_pairs_is_as_wide_as_delong_and_resampling_say(scored, counts):
    is_event, score = scored
    order = np.argsort(score)
    early = is_event[order].astype(float)

    def pairs(weight):
        w = weight[order]
        return RankedPairs(early * w, (1 - early) * w, early * w**2, (1 - early) * w**2)

    whole = pairs(np.ones(CASES))
    later = score[~is_event]
    by_hand = (score[is_event][:, None] > later).mean()
    assert whole.area() == pytest.approx(by_hand, abs=1e-12)
    drawn = np.array([pairs(draw).area() for draw in counts])
    assert whole.deviation() == pytest.approx(drawn.std(), rel=0.1)
    nobody = RankedPairs(np.zeros(2), np.ones(2), np.zeros(2), np.ones(2))
    assert np.isnan([nobody.area(), nobody.deviation()]).all()
