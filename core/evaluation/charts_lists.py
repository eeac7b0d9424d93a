"""Charts of lists (rankings): precision, recall and nDCG in the first k places."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from core.document.chart_kinds import PAYOFF
from core.document.results import Chart, Curve
from core.evaluation.cases import Cases
from core.evaluation.problem import ModelScores
from payoff.types import FloatArray, IntArray

MOST_PLACES = 20
_Z = 1.959963984540054
_BAND = (
    "Cases of equal score share their places evenly. Lists weigh the mean weight of their cases. "
    "Bands: 95 %, normal, over {lists:,} lists."
)
PRECISION_TEXT = (
    "Share of the first k places (x) of a list that hold a case with a grade above 0, mean over "
    "lists; a list shorter than k counts its missing places as misses. "
)
RECALL_TEXT = (
    "Share of a list's cases with a grade above 0 that stand in the first k places (x), mean over "
    "lists; lists without any are left out. "
)
NDCG_TEXT = (
    "Gains of the first k places (x), each divided by log2(1 + place), over the same in the best "
    "order, mean over lists; gain = grade (linear, as scikit-learn); lists without a grade above 0 "
    "are left out (scikit-learn counts them as 0). "
)

ByList = Callable[[FloatArray, FloatArray, int], FloatArray | None]


def list_charts(cases: Cases) -> tuple[Chart, ...]:
    """The charts wanted for graded lists; none without a column of lists."""
    column = cases.problem.extras.get("group")
    if column is None:
        return ()
    lists = np.unique(column, return_inverse=True)[1].astype(np.int64)
    found = []
    for kind in cases.problem.charts:
        known = _KINDS.get(kind)
        if known is not None:
            found.append(_chart(cases, lists, kind, *known))
    return tuple(found)


def _chart(cases: Cases, lists: IntArray, kind: str, by_list: ByList, text: str) -> Chart:
    order = np.argsort(lists, kind="stable")
    starts = np.append(np.flatnonzero(np.diff(lists[order], prepend=-1)), len(order))
    most = int(min(MOST_PLACES, np.diff(starts).max()))
    x: FloatArray = np.arange(1, most + 1, dtype=np.float64)
    curves, counted = [], 0
    for model in cases.problem.models:
        values, weights = _values(cases, model, order, starts, by_list, most)
        counted = len(values)
        if not counted:
            continue
        mean = weights @ values / weights.sum()
        error = np.sqrt((weights**2) @ (values - mean) ** 2) / weights.sum()
        curves.append(
            Curve(
                model=model.name, x=x, y=mean, low=np.clip(mean - _Z * error, 0.0, 1.0),
                high=np.clip(mean + _Z * error, 0.0, 1.0),
            )
        )  # fmt: skip
    return Chart(
        kind=kind, curves=tuple(curves), definition=text + _BAND.format(lists=counted),
        variant="linear gains" if kind == "ndcg_at" else "",
        notes=() if cases.problem.convention == PAYOFF else ("Places are shared on ties.",),
    )  # fmt: skip


def _values(
    cases: Cases, model: ModelScores, order: IntArray, starts: IntArray, by_list: ByList, most: int
) -> tuple[FloatArray, FloatArray]:
    """(lists, places) values of every list that counts, and the weights of these lists."""
    grade = np.asarray(cases.outcome, dtype=np.float64)
    prediction = cases.fit_chances(model)[0]
    weight = cases.weight if len(cases.weight) else np.ones(len(cases))
    values, weights = [], []
    for first, last in pairwise(starts):
        rows = order[first:last]
        found = by_list(grade[rows], prediction[rows], most)
        if found is not None:
            values.append(found)
            weights.append(float(weight[rows].mean()))
    return np.array(values), np.array(weights)


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


_KINDS: dict[str, tuple[ByList, str]] = {
    "precision_at": (precision_at, PRECISION_TEXT),
    "recall_at": (recall_at, RECALL_TEXT),
    "ndcg_at": (ndcg_at, NDCG_TEXT),
}
