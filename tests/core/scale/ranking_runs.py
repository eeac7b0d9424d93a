"""Ranks arrays by spilling, cut in any way; for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.scale.ranked.ranges import KeyMap, RankingCounts, key_map, sort_range, spill
from core.scale.ranked.ranking import StreamedRanking, put_together, range_tasks

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


def ranked_by_spilling(
    scores: Floats,
    codes: Codes,
    folder: Path,
    *,
    parts: int = 1,
    seed: int = 0,
    keys: KeyMap | None = None,
    held: int = 1 << 20,
    shares: tuple[float, ...] = (0.02, 0.1),
) -> StreamedRanking:
    """The ranking of scores by the class 0, cut into shuffled parts."""
    random = np.random.default_rng(seed)
    keys = keys or key_map(scores[:200_000])
    whole: RankingCounts | None = None
    pieces = list(zip(np.array_split(scores, parts), np.array_split(codes, parts), strict=True))
    for place in random.permutation(parts):
        score, code = (np.ascontiguousarray(side) for side in pieces[place])
        path = folder / f"{parts}-{seed}-{place}-{held}-{keys.shift}"
        found = spill(score, code, 0, keys, str(path), f"part {place}")
        if whole is None:
            whole = found
        else:
            whole.merge(found)
    assert whole is not None
    points = np.array(shares)
    tasks = list(range_tasks(0, whole, keys, points, held))
    ranges = [sort_range(tasks[place]) for place in random.permutation(len(tasks))]
    sides = whole.counts.sum(axis=0)
    return put_together(ranges, (int(sides[0]), int(sides[1])), points)
