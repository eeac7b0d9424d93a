"""Bounds from counts by bucket hold for every order inside the buckets, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.evaluation.ranked.ranking import DEPTH_GRID, RankedSample
from core.kernels.sorting import scores_of_keys
from core.scale.ranked.bounds import ranking_bounds, sketched_ranking
from core.scale.ranked.kernels import count_buckets
from core.scale.ranked.ranges import descending_keys, key_map

COUNTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(COUNTS, st.integers(0, 2**31), st.sampled_from(["any", "best", "worst", "tied", "coarse"]))
def test_the_figure_lies_in_its_bounds(
    counts: list[tuple[int, int]], seed: int, order: str
) -> None:
    table = np.array(counts, dtype=np.int64)
    if min(table.sum(axis=0)) == 0:
        assert ranking_bounds(table) is None
        return
    random = np.random.default_rng(seed)
    score, code = [], []
    for bucket, (events, others) in enumerate(counts):
        inside = {
            "any": random.random(events + others),
            "best": np.r_[np.full(events, 0.9), np.full(others, 0.1)],
            "worst": np.r_[np.full(events, 0.1), np.full(others, 0.9)],
            "tied": np.zeros(events + others),
            "coarse": random.integers(0, 3, events + others) / 4,
        }[order]
        score += list(len(counts) - bucket + inside)
        code += [0] * events + [1] * others
    known = RankedSample(np.array(score), np.array(code, dtype=np.int32)).summary()
    found = ranking_bounds(table)
    assert found is not None
    for bounds, value in (
        (found.area, known.auc),
        (found.ks, known.ks),
        (found.average_precision, known.average_precision),
    ):
        assert bounds[0] - 1e-12 <= value <= bounds[1] + 1e-12


@pytest.mark.parametrize("grid", [50, 100_000])
def test_a_sketch_is_the_ranking_where_each_bucket_has_one_score(grid: int) -> None:
    random = np.random.default_rng(5)
    score = random.integers(0, grid, 3_000) / grid
    code = (random.random(3_000) > score).astype(np.int32)
    keys = key_map(score)
    places = np.empty(3_000, dtype=np.uint32)
    counts = np.zeros((keys.buckets, 2), dtype=np.int64)
    limits = np.array([keys.low, keys.high, keys.shift], dtype=np.uint64)
    count_buckets(descending_keys(score), code, 0, *limits, places, counts)
    found, sample = sketched_ranking(counts, keys), RankedSample(score, code)
    known, bounds = sample.summary(), ranking_bounds(counts)
    assert found is not None
    assert bounds is not None
    if bounds.area[0] < bounds.area[1]:
        assert bounds.area[0] < found.area < bounds.area[1]
    np.testing.assert_allclose(found.area, known.auc, atol=1e-5)
    np.testing.assert_allclose(found.average_precision, known.average_precision, rtol=2e-3)
    np.testing.assert_allclose(found.ks, known.ks, rtol=2e-3)
    np.testing.assert_allclose(found.side_shares(), known.class_share, atol=2e-3)
    reached = score[np.argsort(-score, kind="stable")][
        np.minimum((DEPTH_GRID * 3_000), 2_999).astype(int)
    ]
    np.testing.assert_allclose(scores_of_keys(found.depth_keys), reached, atol=2 / grid + 8e-3)
    places_of_events = [
        np.mean(score[code == 1] < s) + np.mean(score[code == 1] == s) / 2 for s in score[code == 0]
    ]
    places_of_others = [
        np.mean(score[code == 0] > s) + np.mean(score[code == 0] == s) / 2 for s in score[code == 1]
    ]
    variance = sum(
        np.var(side, ddof=1) / len(side) for side in (places_of_events, places_of_others)
    )
    np.testing.assert_allclose(found.variance, variance, rtol=1e-3)


def test_a_sketch_wants_both_sides() -> None:
    keys = key_map(np.array([0.2, 0.4]))
    assert sketched_ranking(np.tile([1, 0], (keys.buckets, 1)), keys) is None


def test_buckets_of_one_side_leave_nothing_open() -> None:
    found = ranking_bounds(np.array([[3, 0], [0, 2], [1, 0], [0, 9]]))
    assert found is not None
    assert found.area[0] == found.area[1]
    assert found.ks[0] == found.ks[1]
    assert found.words() == "AUC 0.9545 ± 0"
