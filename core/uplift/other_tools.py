"""Figures of other tools, reproduced under their own names from the same sums.

scikit-uplift 0.5.1, causalml 0.18.0 and the code of Renaudin and Martin. Where a tool lets the
order of rows inside ties decide, ties share proportionally here: the figure is then about the
middle of what the tool would print over all orders, not what it happens to print.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.uplift.ranked.curves import UpliftCurve, polygon_area
from core.uplift.ranked.ranking import UpliftRanking
from payoff.errors import PayoffError
from payoff.types import FloatArray

MOST_STEPS = 20_000_000
"""Cases that causalml's figures are read at one by one; beyond, at every row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedScore:
    """A figure of another tool: who prints it, how it is made."""

    id: str
    tool: str
    label: str
    formula: str
    compute: Callable[[UpliftRanking], float]
    needs_binary: bool = False


def zero_ratio_curves(ranking: UpliftRanking) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Depth in cases, and scikit-uplift's Qini and uplift curves: 0/0 counts as 0."""
    n_t, n_c = ranking.n_t, ranking.n_c
    safe_t, safe_c = np.where(n_t > 0, n_t, 1.0), np.where(n_c > 0, n_c, 1.0)
    qini = ranking.r_t - np.where(n_c > 0, ranking.r_c * n_t / safe_c, 0.0)
    gap = np.where(n_t > 0, ranking.r_t / safe_t, 0.0) - np.where(
        n_c > 0, ranking.r_c / safe_c, 0.0
    )
    zero = np.zeros(1)
    depth = np.concatenate([zero, ranking.count])
    return depth, np.concatenate([zero, qini]), np.concatenate([zero, gap * ranking.count])


def _over_chord(x: FloatArray, y: FloatArray) -> float:
    return polygon_area(x, y) - 0.5 * float(x[-1] * y[-1])


def _require_binary(ranking: UpliftRanking, what: str) -> None:
    if not ranking.experiment.is_binary:
        values = ranking.experiment.outcome
        row = int(np.argmax((values != 0) & (values != 1)))
        raise PayoffError(
            f"{what} is defined for outcomes of 0 and 1 only.",
            where=f"row {row + 1:,}, value {values[row]:g}",
            why="It counts cases that respond.",
            remedy="Use the generalised curve, or another variant that takes sums of the outcome.",
        )


def perfect_uplift_curve(ranking: UpliftRanking) -> UpliftCurve:
    """scikit-uplift's "perfect" uplift curve, which is not always the highest one.

    It ranks treated responders and control non-responders before the others, and among those that
    are left by outcome or by arm, whichever puts fewer control responders in front.
    """
    _require_binary(ranking, "The perfect uplift curve")
    t, c, r_t, r_c = _totals(ranking)
    if r_c > t - r_t:  # the outcome is added to twice "arm equals outcome"
        blocks = [
            (r_t, 0.0, r_t, 0.0),
            (0.0, c - r_c, 0.0, 0.0),
            (0.0, r_c, 0.0, r_c),
            (t - r_t, 0.0, 0.0, 0.0),
        ]
    else:
        blocks = [
            (r_t, 0.0, r_t, 0.0),
            (0.0, c - r_c, 0.0, 0.0),
            (t - r_t, 0.0, 0.0, 0.0),
            (0.0, r_c, 0.0, r_c),
        ]
    sums = np.cumsum(np.array([block for block in blocks if block[0] + block[1] > 0]), axis=0)
    n_t, n_c, good_t, good_c = sums.T
    gap = np.where(n_t > 0, good_t / np.where(n_t > 0, n_t, 1), 0) - np.where(
        n_c > 0, good_c / np.where(n_c > 0, n_c, 1), 0
    )
    count = np.concatenate([[0.0], n_t + n_c])
    return UpliftCurve(count / count[-1], np.concatenate([[0.0], gap * (n_t + n_c)]), count)


def perfect_qini_curve(ranking: UpliftRanking, *, negative_effect: bool = True) -> UpliftCurve:
    """scikit-uplift's perfect Qini curve.

    With negative effects: treated responders first, control responders last. Without: straight up
    to the whole effect and level from there.
    """
    _require_binary(ranking, "The perfect Qini curve")
    t, c, r_t, r_c = _totals(ranking)
    total = t + c
    if not negative_effect:
        whole = r_t - r_c * t / c
        if whole < 0:
            raise PayoffError(
                "The perfect Qini curve without negative effects is undefined here.",
                why="The overall effect is negative; scikit-uplift fails on it too.",
                remedy="Allow negative effects, or change the arms round.",
            )
        count = np.array([0.0, whole, total])
        return UpliftCurve(count / total, np.array([0.0, whole, whole]), count)
    n_t, n_c = np.array([r_t, t, t]), np.array([0.0, c - r_c, c])
    height = np.array([r_t, r_t, r_t - r_c * t / c])
    count = np.concatenate([[0.0], n_t + n_c])
    return UpliftCurve(count / total, np.concatenate([[0.0], height]), count)


def _totals(ranking: UpliftRanking) -> tuple[float, float, float, float]:
    t, c = ranking.experiment.sizes
    return t, c, float(ranking.r_t[-1]), float(ranking.r_c[-1])


def qini_auc_score(ranking: UpliftRanking, *, negative_effect: bool = True) -> float:
    """scikit-uplift's ``qini_auc_score``: area over chord, divided by that of the perfect curve."""
    _require_binary(ranking, "qini_auc_score")
    depth, qini, _ = zero_ratio_curves(ranking)
    perfect = perfect_qini_curve(ranking, negative_effect=negative_effect)
    own_chord = 0.5 * float(depth[-1] * qini[-1])
    best = polygon_area(perfect.count, perfect.y) - own_chord
    return (polygon_area(depth, qini) - own_chord) / best if best else math.nan


def uplift_auc_score(ranking: UpliftRanking) -> float:
    """scikit-uplift's ``uplift_auc_score``; above 1 where "perfect" is not the highest curve."""
    _require_binary(ranking, "uplift_auc_score")
    depth, _, uplift = zero_ratio_curves(ranking)
    perfect = perfect_uplift_curve(ranking)
    best = _over_chord(perfect.count, perfect.y)
    return _over_chord(depth, uplift) / best if best else math.nan


def _case_by_case(ranking: UpliftRanking) -> tuple[FloatArray, ...]:
    """Sums after 0, 1, ... N cases, ties in proportion: what causalml has row by row.

    Weights that are no whole numbers have no single cases: as many steps as there are rows.
    """
    total = ranking.experiment.total
    steps = int(total) if total == int(total) and total <= MOST_STEPS else len(ranking)
    k = np.linspace(0.0, total, steps + 1)
    ends = np.concatenate([[0.0], ranking.count])
    sums = (ranking.n_t, ranking.n_c, ranking.r_t, ranking.r_c)
    return (k, *(np.interp(k, ends, np.concatenate([[0.0], values])) for values in sums))


def _filled(values: FloatArray) -> FloatArray:
    """Undefined heights on the straight line between their neighbours, 0 at the start."""
    values[0] = 0.0
    known = np.isfinite(values)
    places = np.arange(len(values))
    return np.asarray(np.interp(places, places[known], values[known]))


def causalml_lift(ranking: UpliftRanking) -> tuple[FloatArray, FloatArray]:
    """causalml's ``get_cumlift``: cases, and the difference of the means among the best."""
    k, n_t, n_c, r_t, r_c = _case_by_case(ranking)
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = r_t / n_t - r_c / n_c
    return k, _filled(lift)


def _causalml_gain(ranking: UpliftRanking) -> FloatArray:
    k, lift = causalml_lift(ranking)
    return lift * k


def _causalml_qini_curve(ranking: UpliftRanking) -> FloatArray:
    _, n_t, n_c, r_t, r_c = _case_by_case(ranking)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _filled(r_t - r_c * n_t / n_c)


def _normalised(values: FloatArray, normalize: bool) -> FloatArray:
    if not normalize:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(values / abs(values[-1]))


def causalml_auuc_score(ranking: UpliftRanking, *, normalize: bool = True) -> float:
    """causalml's ``auuc_score``: mean height of the cumulative gain, 0 at the start included."""
    return float(np.mean(_normalised(_causalml_gain(ranking), normalize)))


def causalml_qini_score(ranking: UpliftRanking, *, normalize: bool = True) -> float:
    """causalml's ``qini_score`` of one model: mean height of the curve less that of its chord."""
    values = _normalised(_causalml_qini_curve(ranking), normalize)
    return float(np.mean(values) - np.mean(np.linspace(0.0, values[-1], len(values))))


def criteo_auuc(ranking: UpliftRanking, *, nu: float = 0.0) -> float:
    """``AUUC_ConstantRatio`` of the authors' code: N/2 times AUNUC at the share of the treated."""
    experiment = ranking.experiment
    t, c = experiment.sizes
    x = 0.5 * (ranking.n_t / t + ranking.n_c / c)
    y = (ranking.r_t - nu * ranking.n_t) / t - (ranking.r_c - nu * ranking.n_c) / c
    zero = np.zeros(1)
    area = polygon_area(np.concatenate([zero, x]), np.concatenate([zero, y]))
    return experiment.total / 2.0 * area


NAMED_SCORES: tuple[NamedScore, ...] = (
    NamedScore(
        id="scikit_uplift_qini_auc_score",
        tool="scikit-uplift 0.5.1",
        label="qini_auc_score",
        formula="(area of r_T − r_C n_T/n_C − chord) ÷ (perfect area − chord), over cases",
        compute=qini_auc_score,
        needs_binary=True,
    ),
    NamedScore(
        id="scikit_uplift_uplift_auc_score",
        tool="scikit-uplift 0.5.1",
        label="uplift_auc_score",
        formula="(area of (r_T/n_T − r_C/n_C) k − chord) ÷ (perfect area − chord), over cases",
        compute=uplift_auc_score,
        needs_binary=True,
    ),
    NamedScore(
        id="causalml_auuc_score",
        tool="causalml 0.18.0",
        label="auuc_score",
        formula="mean of (r_T/n_T − r_C/n_C) k over k = 0 ... N, divided by |last value|",
        compute=causalml_auuc_score,
    ),
    NamedScore(
        id="causalml_auuc_score_plain",
        tool="causalml 0.18.0",
        label="auuc_score(normalize=False)",
        formula="mean of (r_T/n_T − r_C/n_C) k over k = 0 ... N",
        compute=lambda ranking: causalml_auuc_score(ranking, normalize=False),
    ),
    NamedScore(
        id="causalml_qini_score",
        tool="causalml 0.18.0",
        label="qini_score",
        formula="mean of r_T − r_C n_T/n_C less the mean of its chord, divided by |last value|",
        compute=causalml_qini_score,
    ),
    NamedScore(
        id="causalml_qini_score_plain",
        tool="causalml 0.18.0",
        label="qini_score(normalize=False)",
        formula="mean of r_T − r_C n_T/n_C less the mean of its chord",
        compute=lambda ranking: causalml_qini_score(ranking, normalize=False),
    ),
    NamedScore(
        id="criteo_auuc",
        tool="code of Renaudin and Martin",
        label="AUUC_ConstantRatio",
        formula="N/2 × AUNUC at the share of the treated, nu = 0",
        compute=criteo_auuc,
    ),
)
