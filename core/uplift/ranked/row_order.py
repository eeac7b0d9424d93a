"""Row-order audit: how far figures that let row order decide inside ties could move on this file.

Where scores tie, tools that add up row by row read whatever order the file has. Each figure is
recomputed over seeded shuffles of the rows inside ties and over the two orders that put all that
looks like an effect first or last. Figures at the ends of groups (ours) do not move.

Two rankings on the same cases, compared case by case.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.document.results import Estimate, PairedDifference
from core.document.studies.uplift import OrderRange, RowTies
from core.inference.normal import CONFIDENCE, normal_interval, two_sided_p_value
from core.uplift.experiment import make_experiment
from core.uplift.other_tools import causalml_auuc_score, causalml_qini_score
from core.uplift.ranked.areas import area_of, influence
from core.uplift.ranked.curves import curve_of
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.segments import uplift_at
from payoff.types import BoolArray, FloatArray, IntArray

SHUFFLES = 100
MOST_SHUFFLED_ROWS = 20_000_000  # rows times shuffles
FEWEST_SHUFFLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAudit:
    """How many cases tie, and what each figure could be."""

    ties: RowTies
    ranges: tuple[OrderRange, ...]


RowFigure = Callable[[FloatArray, BoolArray], float]


def _filled(values: FloatArray) -> FloatArray:
    known = np.isfinite(values)
    places = np.arange(len(values), dtype=np.float64)
    return np.asarray(np.interp(places, places[known], values[known]))


def _sums(outcome: FloatArray, treated: BoolArray) -> tuple[FloatArray, ...]:
    values = (treated, ~treated, outcome * treated, outcome * ~treated)
    return tuple(np.concatenate([[0.0], np.cumsum(v, dtype=np.float64)]) for v in values)


def _gain_by_row(outcome: FloatArray, treated: BoolArray) -> float:
    n_t, n_c, r_t, r_c = _sums(outcome, treated)
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = r_t / n_t - r_c / n_c
    lift[0] = 0.0
    return float(np.mean(_filled(lift) * np.arange(len(lift))))


def _qini_by_row(outcome: FloatArray, treated: BoolArray) -> float:
    n_t, n_c, r_t, r_c = _sums(outcome, treated)
    with np.errstate(divide="ignore", invalid="ignore"):
        height = r_t - r_c * n_t / n_c
    height[0] = 0.0
    height = _filled(height)
    return float(np.mean(height) - 0.5 * height[-1])


def _area_by_row(outcome: FloatArray, treated: BoolArray) -> float:
    n_t, n_c, r_t, r_c = _sums(outcome, treated)
    x = 0.5 * (n_t / n_t[-1] + n_c / n_c[-1])
    y = r_t / n_t[-1] - r_c / n_c[-1]
    return float(0.5 * np.sum((y[1:] + y[:-1]) * np.diff(x)) - 0.5 * y[-1])


def _best_third(outcome: FloatArray, treated: BoolArray) -> float:
    cut = int(0.3 * len(outcome))
    y, t = outcome[:cut], treated[:cut]
    if not t.any() or t.all():
        return float("nan")
    return float(y[t].mean() - y[~t].mean())


_FIGURES: tuple[tuple[str, str, RowFigure, Callable[[UpliftRanking], float]], ...] = (
    (
        "causalml",
        "auuc_score(normalize=False)",
        _gain_by_row,
        lambda ranking: causalml_auuc_score(ranking, normalize=False),
    ),
    (
        "causalml",
        "qini_score(normalize=False)",
        _qini_by_row,
        lambda ranking: causalml_qini_score(ranking, normalize=False),
    ),
    ("scikit-uplift", "uplift_at_k(k=0.3)", _best_third, lambda ranking: uplift_at(ranking, 0.3)),
    (
        "row by row",
        "net uplift (AUNUC)",
        _area_by_row,
        lambda ranking: area_of(ranking, "generalised").minus_random,
    ),
)


def audit_row_order(
    ranking: UpliftRanking, *, shuffles: int = SHUFFLES, seed: int = 20261
) -> OrderAudit:
    """Recompute figures of row-by-row tools over orders of the rows inside ties.

    Case weights and propensities are left out, as those tools do. Of large files fewer shuffles
    are made.
    """
    experiment, order = ranking.experiment, ranking.order
    outcome = experiment.outcome[order]
    treated = experiment.treated[order] > 0
    sizes = np.diff(ranking.ends, prepend=0)
    group = np.repeat(np.arange(ranking.groups), sizes)
    plain = UpliftRanking(make_experiment(experiment.outcome, experiment.treated), ranking.score)
    rows, tied = len(order), int(sizes[sizes > 1].sum())
    count = 0
    if tied:
        affordable = MOST_SHUFFLED_ROWS // rows
        count = min(shuffles, max(FEWEST_SHUFFLES, affordable))
    orders = _orders(outcome, treated, group, count, seed)
    found = np.array(
        [[figure(outcome[o], treated[o]) for _, _, figure, _ in _FIGURES] for o in orders]
    )
    spread = found if not count else found[3:]
    return OrderAudit(
        ties=RowTies(tied=tied, cases=rows, groups=ranking.groups, shuffles=count),
        ranges=tuple(
            OrderRange(
                tool=tool,
                name=name,
                exact=exact(plain),
                as_filed=float(found[0, place]),
                low=float(np.min(spread[:, place])),
                high=float(np.max(spread[:, place])),
                worst=float(np.min(found[:, place])),
                best=float(np.max(found[:, place])),
            )
            for place, (tool, name, _, exact) in enumerate(_FIGURES)
        ),
    )


def _orders(
    outcome: FloatArray, treated: BoolArray, group: IntArray, shuffles: int, seed: int
) -> list[IntArray]:
    """Orders of ranked rows: as filed, what looks like an effect last and first, and shuffles."""
    looks = np.where(treated, outcome, -outcome)
    found = [np.arange(len(group))]
    if not shuffles:
        return found
    found += [np.lexsort((looks, group)), np.lexsort((-looks, group))]
    random = np.random.default_rng(seed)
    found += [np.argsort(group + random.random(len(group))) for _ in range(shuffles)]
    return found


def compare_areas(
    first: UpliftRanking,
    second: UpliftRanking,
    *,
    names: tuple[str, str] = ("first", "second"),
    variant: str = "generalised",
    nu: tuple[float, float] = (0.0, 0.0),
    confidence: float = CONFIDENCE,
) -> PairedDifference:
    """Area of the first less the second with the standard error of sd(psi_A - psi_B)/sqrt(N).

    Two rankings alike in every case differ by 0, with a p-value of 1.
    """
    gap = influence(first, variant, nu=nu[0]) - influence(second, variant, nu=nu[1])
    value = curve_of(first, variant, nu=nu[0]).area - curve_of(second, variant, nu=nu[1]).area
    experiment = first.experiment
    error = math.sqrt(float(experiment.frequency @ gap**2)) / experiment.total
    low, high = normal_interval(value, error, confidence)
    return PairedDifference(
        first=names[0],
        second=names[1],
        metric="aunuc" if variant == "generalised" else variant,
        estimate=Estimate(value=value, low=low, high=high, method="paired, analytic"),
        p_value=two_sided_p_value(value / error) if error > 0 else 1.0,
        standard_error=error,
    )
