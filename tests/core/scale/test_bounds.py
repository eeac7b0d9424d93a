"""Bounds from counts by bucket hold for every order inside the buckets, ties included."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.evaluation.ranked.ranking import RankedSample
from core.scale.ranked.bounds import ranking_bounds

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


def test_buckets_of_one_side_leave_nothing_open() -> None:
    found = ranking_bounds(np.array([[3, 0], [0, 2], [1, 0], [0, 9]]))
    assert found is not None
    assert found.area[0] == found.area[1]
    assert found.ks[0] == found.ks[1]
    assert found.words() == "AUC 0.9545 ± 0"
