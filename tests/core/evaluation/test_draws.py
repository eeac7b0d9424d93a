from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.ranked.passes import shares_at
from core.evaluation.ranked.ranking import RankedSample
from core.evaluation.ranked.rankings import (
    bin_cuts,
)
from core.inference.draws import (
    BLOCK_ROWS,
    DrawPlan,
    draw_blocks,
)
from core.kernels import limited_threads, poisson_weights
from payoff.errors import StoppedError
from tests.helpers.factories.evaluation import made_cases


def made_plan(rows: int, draws: int, *, weighted: bool = False) -> DrawPlan:
    outcome, first, second = made_cases(rows, 1, (0.2, 0.6))
    codes = np.where(outcome == 1, 0, 1).astype(np.int32)
    rng = np.random.default_rng(2)
    bins, number = [], 0
    for score in (first, np.round(second, 1)):
        ranking = RankedSample(score, codes)
        cuts = bin_cuts(ranking)
        bins.append(ranking.bins(cuts))
        number = max(number, len(cuts) + 1)
    terms = rng.normal(size=(3, rows))
    return DrawPlan(
        seed=5,
        draws=draws,
        units=np.arange(rows, dtype=np.int64) + 1000,
        codes=codes.astype(np.uint8),
        classes=2,
        weight=rng.uniform(0.5, 2.0, rows) if weighted else np.empty(0),
        bins=np.array(bins),
        bin_count=number,
        sums=3,
        contributions=lambda start, stop: terms[:, start:stop],
    )


def collected(plan: DrawPlan):
    blocks = list(draw_blocks(plan, should_stop=lambda: False, step=lambda part: None))
    counts = np.concatenate([block.counts for block in blocks], axis=-1)
    sums = np.concatenate([block.sums for block in blocks], axis=-1)
    return counts, sums


@pytest.mark.parametrize("weighted", [False, True])
def test_draws_are_what_their_weights_say(weighted):
    plan = made_plan(BLOCK_ROWS + 321, 40, weighted=weighted)
    counts, sums = collected(plan)
    drawn = poisson_weights(plan.seed, plan.units, first_draw=0, draws=64).astype(float)
    if weighted:
        drawn *= plan.weight[:, None]
    terms = plan.contributions(0, len(plan.units))
    np.testing.assert_allclose(sums, terms @ drawn, rtol=1e-9, atol=1e-7)
    for ranking in range(2):
        expected = np.zeros((plan.bin_count, 2, 64))
        np.add.at(expected, (plan.bins[ranking], plan.codes), drawn)
        np.testing.assert_allclose(counts[ranking], expected, rtol=1e-12)


def test_threads_change_nothing():
    plan = made_plan(5_000, 96, weighted=True)
    several = collected(plan)
    with limited_threads(1):
        alone = collected(plan)
    np.testing.assert_array_equal(several[0], alone[0])
    np.testing.assert_array_equal(several[1], alone[1])


def test_little_memory_changes_nothing(monkeypatch):
    plan = made_plan(3_000, 96)
    at_once = collected(plan)
    monkeypatch.setattr("core.inference.draws.ACCUMULATOR_BYTES", 1)
    np.testing.assert_array_equal(collected(plan)[0], at_once[0])


def test_stop_ends_the_draws():
    plan = made_plan(2 * BLOCK_ROWS, 32)
    requested = iter([False, True])
    with pytest.raises(StoppedError):
        list(draw_blocks(plan, should_stop=lambda: next(requested), step=lambda part: None))


def test_progress_rises_to_the_end():
    seen: list[float] = []
    list(draw_blocks(made_plan(3_000, 64), should_stop=lambda: False, step=seen.append))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)


def test_few_groups_are_kept_apart():
    outcome, probability = made_cases(5_000, 3)
    codes = np.where(outcome == 1, 0, 1).astype(np.int32)
    score = np.round(probability, 2)
    ranking = RankedSample(score, codes)
    bins = ranking.bins(bin_cuts(ranking))
    for number in np.unique(bins):
        assert len(np.unique(score[bins == number])) == 1


def test_many_groups_are_merged_whole_and_in_order():
    outcome, probability = made_cases(30_000, 4)
    codes = np.where(outcome == 1, 0, 1).astype(np.int32)
    score = np.round(probability, 4)
    ranking = RankedSample(score, codes)
    bins = ranking.bins(bin_cuts(ranking))
    assert ranking.starts.group_count > 1_100
    assert len(np.unique(bins)) <= 1_100
    order = np.argsort(-score, kind="stable")
    assert (np.diff(bins[order].astype(int)) >= 0).all()
    ties = np.diff(score[order]) == 0
    assert (np.diff(bins[order].astype(int))[ties] == 0).all()


def test_shares_at_reads_between_ends():
    rng = np.random.default_rng(0)
    along = np.cumsum(rng.uniform(0.1, 1.0, (4, 30)), axis=1)
    measured = np.cumsum(rng.uniform(0.0, 1.0, (2, 4, 30)), axis=2)
    places = np.linspace(0, 1, 17)
    out = np.empty((2, 4, 17))
    shares_at(along, measured, places, out)
    for which in range(2):
        for lane in range(4):
            x = np.concatenate([[0.0], along[lane] / along[lane, -1]])
            y = np.concatenate([[0.0], measured[which, lane] / measured[which, lane, -1]])
            np.testing.assert_allclose(out[which, lane], np.interp(places, x, y), atol=1e-12)


def test_shares_at_takes_the_upper_end_of_a_vertical_stretch():
    out = np.empty((1, 1, 3))
    shares_at(
        np.array([[0.0, 1.0, 2.0]]), np.array([[[3.0, 3.0, 4.0]]]), np.array([0.0, 0.5, 1.0]), out
    )
    np.testing.assert_allclose(out[0, 0], [0.75, 0.75, 1.0])
