"""The first places of a ranked list: precision, recall and nDCG; tied cases share theirs."""

from __future__ import annotations

import numpy as np

from payoff.types import FloatArray


def shared_places(gain: FloatArray, score: FloatArray) -> FloatArray:
    """Gains by place, best score first; cases of equal score share theirs evenly. (n,)"""
    place = np.unique(-score, return_inverse=True)[1]
    mean = np.bincount(place, weights=gain) / np.bincount(place)
    return np.asarray(mean[np.sort(place)], dtype=np.float64)


def _padded(values: FloatArray, most: int) -> FloatArray:
    whole: FloatArray = np.zeros(most)
    whole[: min(most, len(values))] = values[:most]
    return whole


def precision_at(grade: FloatArray, score: FloatArray, most: int) -> FloatArray:
    """Share of hits in the first 1 to ``most`` places."""
    hits = _padded(shared_places((grade > 0).astype(np.float64), score), most)
    return np.asarray(np.cumsum(hits) / np.arange(1, most + 1))


def recall_at(grade: FloatArray, score: FloatArray, most: int) -> FloatArray | None:
    """Share of all hits in the first places; None without a hit."""
    is_hit = (grade > 0).astype(np.float64)
    if not is_hit.any():
        return None
    return np.asarray(np.cumsum(_padded(shared_places(is_hit, score), most)) / is_hit.sum())


def ndcg_at(grade: FloatArray, score: FloatArray, most: int) -> FloatArray | None:
    """nDCG of the first places with linear gains; None without a grade above 0."""
    if not (grade > 0).any():
        return None
    discount = 1.0 / np.log2(np.arange(2, most + 2))
    ours = np.cumsum(_padded(shared_places(grade, score), most) * discount)
    best = np.cumsum(_padded(np.sort(grade)[::-1], most) * discount)
    return np.asarray(ours / best)
