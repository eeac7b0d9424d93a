"""Curves of lists (rankings): precision, recall and nDCG in the first k places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np

import payoff
from payoff.counting import counted
from payoff.curves import CurveLine
from payoff.intervals import NORMAL_95
from payoff.places import ndcg_at, precision_at, recall_at
from payoff.types import FloatArray, IntArray
from plugins.curves.parts import WHOLE, curve_spec

MOST_PLACES = 20
_SHARED = (
    "Cases of equal score share their places evenly. Lists weigh the mean weight of their cases."
)

ByList = Callable[[FloatArray, FloatArray, int], FloatArray | None]


def _lists(sample: payoff.Sample) -> tuple[IntArray, IntArray]:
    """Rows by list, and where each list starts and ends among them."""

    def made() -> tuple[IntArray, IntArray]:
        lists = np.unique(sample.roles["group"], return_inverse=True)[1]
        order = np.argsort(lists, kind="stable")
        starts = np.flatnonzero(np.diff(lists[order], prepend=-1))
        return order.astype(np.int64), np.append(starts, len(order)).astype(np.int64)

    return sample.kept("places lists", made)


def by_place(sample: payoff.Sample, parameters: payoff.Parameters, by_list: ByList) -> CurveLine:
    """Mean over lists of a figure of the first places, with its normal limits.

    Raises
    ------
    PayoffError
        Where no list counts.
    """
    del parameters
    order, starts = _lists(sample)
    most = int(min(MOST_PLACES, np.diff(starts).max(initial=0)))
    values, weights = [], []
    for first, last in pairwise(starts):
        rows = order[first:last]
        grade = np.asarray(sample.outcome[rows], dtype=np.float64)
        found = by_list(grade, sample.score[rows], most)
        if found is not None:
            values.append(found)
            weights.append(float(sample.weight[rows].mean()))
    if not values:
        raise payoff.PayoffError("No list has a case with a grade above 0.")
    table, weight = np.array(values), np.array(weights)
    mean = weight @ table / weight.sum()
    error = np.sqrt((weight**2) @ (table - mean) ** 2) / weight.sum()
    return CurveLine(
        x=np.arange(1, most + 1, dtype=np.float64),
        y=mean,
        low=np.clip(mean - NORMAL_95 * error, 0.0, 1.0),
        high=np.clip(mean + NORMAL_95 * error, 0.0, 1.0),
        method=f"normal, over {counted(len(values), 'list')}",
    )


def _place_curve(
    name: str,
    label: str,
    question: str,
    by_list: ByList,
    *,
    text: str,
    formula: str,
    reference: str,
    variant: str = "",
) -> payoff.EvaluationMetric:
    return curve_spec(
        name,
        label,
        payoff.CurveAxes(
            question=question,
            x="first places of a list",
            y=label,
            axis=payoff.CurveAxis.VALUE,
            x_unit=payoff.NumberUnit.PLAIN,
            y_ends=WHOLE,
            variant=variant,
        ),
        help=f"{text} {_SHARED}",
        formula=formula,
        reference=reference,
        inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS, payoff.Input.GROUP),
        tasks=(payoff.Task.RANKING,),
        form=payoff.MetricForm.GENERAL,
        unit=payoff.ResampleUnit.GROUP,
        weights=payoff.WeightMeaning.GROUP,
        value_range=(0.0, 1.0),
        compute=partial(by_place, by_list=by_list),
    )


PRECISION_AT = _place_curve(
    "precision_at",
    "precision at k",
    "How many of the first places are right?",
    precision_at,
    text=(
        "Share of the first k places (x) of a list that hold a case with a grade above 0, mean "
        "over lists; a list shorter than k counts its missing places as misses."
    ),
    formula="hits in the first k places / k",
    reference="Manning, Raghavan & Schuetze, Introduction to Information Retrieval, 2008, 8.4",
)
RECALL_AT = _place_curve(
    "recall_at",
    "recall at k",
    "How many are found in the first places?",
    recall_at,
    text=(
        "Share of a list's cases with a grade above 0 that stand in the first k places (x), mean "
        "over lists; lists without any are left out."
    ),
    formula="hits in the first k places / hits of the list",
    reference="Manning, Raghavan & Schuetze, Introduction to Information Retrieval, 2008, 8.4",
)
NDCG_AT = _place_curve(
    "ndcg_at",
    "nDCG at k",
    "How good is the order of the first places?",
    ndcg_at,
    text=(
        "Gains of the first k places (x), each divided by log2(1 + place), over the same in the "
        "best order, mean over lists; gain = grade (linear, as scikit-learn); lists without a "
        "grade above 0 are left out (scikit-learn counts them as 0)."
    ),
    formula="DCG of the first k places / DCG of the best order",
    reference="Jarvelin & Kekalainen, Cumulated gain-based evaluation, ACM TOIS 20, 2002",
    variant="linear gains",
)

LIST_CURVES = (NDCG_AT, PRECISION_AT, RECALL_AT)
