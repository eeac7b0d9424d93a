"""One ranking as page Uplift shows it: curve on the grid, every variant, criteria, best depth.

Radcliffe's six criteria of an uplift model, as a card.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from core.decisions.ties import peak
from core.document.results import Estimate, PairedDifference
from core.document.studies.uplift import (
    Choice,
    Criteria,
    NamedFigure,
    PriceResult,
    RankingSlices,
    UpliftModelResult,
    Validity,
    VariantRow,
)
from core.document.uplift.model import UpliftSpec
from core.evaluation.ranked.ranking import DEPTH_GRID
from core.inference.normal import normal_interval, normal_reach
from core.uplift.choice import Limits, Prices, choose_depth, offer_of, price_axis
from core.uplift.other_tools import NAMED_SCORES
from core.uplift.ranked.areas import area_of, areas_of
from core.uplift.ranked.curves import LOCAL_VARIANTS, chosen_nu, curve_of
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import draw_curves, pointwise_error, uniform_reach
from core.uplift.ranked.row_order import compare_areas
from core.uplift.segments import slices_of
from payoff.errors import PayoffError
from payoff.types import FloatArray

SEGMENTS = 10


def criteria_of(
    ranking: UpliftRanking,
    *,
    depth: float = 0.5,
    nu: float = 0.0,
    training: UpliftRanking | None = None,
) -> Criteria:
    """The card of one model."""
    area = area_of(ranking, "generalised", nu=nu)
    low, high = normal_interval(area.minus_random, area.standard_error_minus_random)
    slices = slices_of(ranking, SEGMENTS)
    uplift = slices.uplift
    steps = np.diff(uplift)
    total = ranking.experiment.total
    height = np.concatenate([[0.0], ranking.signed[1] * total])
    depths = np.concatenate([[0.0], ranking.depth])
    best = peak(height)
    return Criteria(
        qini=area.minus_random,
        qini_low=low,
        qini_high=high,
        falls=int(np.sum(steps < 0)),
        steps=int(np.sum(np.isfinite(steps))),
        isotonic_gap=_isotonic_gap(slices),
        peak=float(height[best]),
        peak_depth=float(depths[best]),
        at_depth=depth,
        impact=float(np.interp(depth, depths, height)),
        agreement=_agreement(uplift, training),
        spread=float(slices.mean_score[0] - slices.mean_score[-1]),
    )


def _isotonic_gap(slices: RankingSlices) -> float:
    known = np.isfinite(slices.uplift)
    if not known.any():
        return math.nan
    weight = (slices.treated + slices.control)[known]
    values = slices.uplift[known]
    return math.sqrt(float(weight @ (values - falling_fit(values, weight)) ** 2) / weight.sum())


def falling_fit(values: FloatArray, weight: FloatArray) -> FloatArray:
    """The nearest sequence that never rises, by pooling neighbours."""
    means: list[float] = []
    weights: list[float] = []
    counts: list[int] = []
    for value, size in zip(values, weight, strict=True):
        means.append(float(value))
        weights.append(float(size))
        counts.append(1)
        while len(means) > 1 and means[-2] < means[-1]:
            both = weights[-2] + weights[-1]
            means[-2] = (means[-2] * weights[-2] + means[-1] * weights[-1]) / both
            weights[-2] = both
            counts[-2] += counts[-1]
            del means[-1], weights[-1], counts[-1]
    return np.repeat(np.array(means), counts)


def _agreement(uplift: FloatArray, training: UpliftRanking | None) -> float:
    if training is None:
        return math.nan
    other = slices_of(training, SEGMENTS).uplift
    known = np.isfinite(uplift) & np.isfinite(other)
    if known.sum() < 3 or np.ptp(uplift[known]) == 0 or np.ptp(other[known]) == 0:
        return math.nan
    return float(np.corrcoef(uplift[known], other[known])[0, 1])


PRICE_POINTS = 41

_VARIANTS = (
    ("generalised", "Net uplift, generalised", "(25), (26)", "Σ s y / N over Σ 1/(2qN)", "points"),
    ("joint_relative", "Relative, joint", "pylift", "r_T/|T| − r_C/|C|", "points"),
    ("separate_relative", "Relative, separate", "Table 1", "R_T(p)/|T| − R_C(p)/|C|", "points"),
    ("qini_joint_absolute", "Qini, joint, absolute", "scikit-uplift", "r_T − r_C n_T/n_C", "units"),
    (
        "uplift_joint_absolute",
        "Uplift, joint, absolute",
        "scikit-uplift",
        "(r_T/n_T − r_C/n_C)(n_T + n_C)",
        "units",
    ),
    (
        "qini_separate_absolute",
        "Qini, separate, absolute",
        "Table 1",
        "R_T(p) − R_C(p) |T|/|C|",
        "units",
    ),
    (
        "uplift_separate_absolute",
        "Uplift, separate, absolute",
        "older tools",
        "R_T(p) − R_C(p)",
        "units",
    ),
    ("plain", "Plain sum", "section 4.5", "Σ y (2t − 1) / N", "points"),
    ("ips_local", "Local weights, as printed", "(18)", "r_T/e(k) − r_C/(1 − e(k))", "units"),
    (
        "ips_local_stepwise",
        "Local weights, stepwise",
        "(18)",
        "Σ t y/e(i) − (1 − t) y/(1 − e(i))",
        "units",
    ),
)


def model_result(
    ranking: UpliftRanking,
    *,
    name: str,
    spec: UpliftSpec,
    guard: Validity,
    seed: int,
    draws: int,
    should_stop: Callable[[], bool],
    step: Callable[[float], None],
) -> UpliftModelResult:
    """Everything of one model; ``draws`` = 0 leaves the uniform band empty (NaN)."""
    nu = chosen_nu(ranking, spec.nu)
    total = ranking.experiment.total
    grid = DEPTH_GRID
    depth, heights = curve_corners(ranking, nu)
    offer = offer_of(ranking, prices_from(spec))
    errors = np.concatenate([[0.0], pointwise_error(ranking, nu) * total])
    y, error = np.interp(grid, depth, heights), np.interp(grid, depth, errors)
    wide = math.nan
    if draws:
        drawn = draw_curves(
            [ranking], nu=[nu], draws=draws, seed=seed, should_stop=should_stop, step=step
        )
        cuts = drawn.cuts[0]
        wide = uniform_reach(drawn.heights[0] * total, heights[cuts + 1], errors[cuts + 1], 0.95)
    if any(check.key == "overlap" and check.state == "error" for check in guard.checks):
        error = np.full_like(error, np.nan)
    area, above = area_estimates(ranking, nu)
    last = np.minimum(np.searchsorted(ranking.depth, grid, side="left"), ranking.groups - 1)
    return UpliftModelResult(
        model=name,
        area=area,
        minus_random=above,
        nu=nu,
        depth=grid,
        incremental=y,
        low=y - normal_reach() * error,
        high=y + normal_reach() * error,
        low_all=y - wide * error,
        high_all=y + wide * error,
        treated_units=np.interp(grid, depth, offer.treated_units),
        threshold=ranking.thresholds[last],
        slices=slices_of(ranking).uplift,
        criteria=criteria_of(ranking, nu=nu),
        choice=best_choice(ranking, spec, seed),
        variants=variant_rows(ranking, nu, guard),
        named=named_figures(ranking),
    )


def curve_corners(ranking: UpliftRanking, nu: float) -> tuple[FloatArray, FloatArray]:
    """Share of the cases and extra units for all at the ends of groups, from 0, (G + 1,)."""
    total = ranking.experiment.total
    depth = np.concatenate([[0.0], ranking.depth])
    heights = (ranking.signed[1] - nu * ranking.signed[2]) * total
    return depth, np.concatenate([[0.0], heights])


def prices_from(spec: UpliftSpec) -> Prices:
    """The prices a project says."""
    return Prices(value=spec.value, contact=spec.contact, redemption=spec.redemption)


def area_estimates(ranking: UpliftRanking, nu: float) -> tuple[Estimate, Estimate]:
    """The generalised area with its interval, whole and less that of chance."""
    area = area_of(ranking, "generalised", nu=nu)
    return (
        _estimate(area.area, area.standard_error),
        _estimate(area.minus_random, area.standard_error_minus_random),
    )


def _estimate(value: float, error: float) -> Estimate:
    reach = normal_reach() * error
    return Estimate(
        value=value,
        low=value - reach,
        high=value + reach,
        method="analytic standard error, ties and arm sizes included",
        holds_fixed="for this finished model",
    )


def best_choice(ranking: UpliftRanking, spec: UpliftSpec, seed: int) -> Choice:
    """The depth with the highest net gain that the limit allows."""
    limits = Limits()
    if spec.most_cases is not None:
        limits = Limits.of({"targeted": (None, float(spec.most_cases))})
    nu, has_cases = chosen_nu(ranking, spec.nu), ranking.exact_area is None
    return choose_depth(
        ranking, prices_from(spec), limits=limits, seed=seed, with_cross_fit=has_cases, nu=nu
    )


def variant_rows(ranking: UpliftRanking, nu: float, guard: Validity) -> tuple[VariantRow, ...]:
    """Every definition of one ranking's area, with its scale and whether it holds here."""
    rows = []
    by_case = LOCAL_VARIANTS if ranking.exact_area is not None else ()
    shown = [entry for entry in _VARIANTS if entry[0] not in by_case]
    areas = areas_of(ranking, [entry[0] for entry in shown], nu=nu)
    for key, name, used_by, formula, unit in shown:
        is_valid, validity = _validity(key, ranking, guard)
        rows.append(
            VariantRow(
                key=key,
                name=name,
                used_by=used_by,
                formula=formula,
                unit=unit,
                measured=areas[key],
                is_valid=is_valid,
                validity=validity,
            )
        )
    return tuple(rows)


def _validity(key: str, ranking: UpliftRanking, guard: Validity) -> tuple[bool, str]:
    """Whether a definition may be read on these data, in a few words."""
    experiment = ranking.experiment
    share, total = experiment.share, experiment.total
    is_half = abs(share - 0.5) < 2 * math.sqrt(0.25 / total)
    if key == "generalised":
        if guard.state == "error":
            return False, "needs a chance per case"
        return True, "yes, any shares"
    if experiment.has_propensity or guard.state == "error":
        return False, "no: not one chance for all"
    if key in ("plain", "uplift_separate_absolute"):
        return is_half, "yes, half and half" if is_half else "only at exactly 50 %"
    if key.startswith("ips_local"):
        return True, "yes, needs no weights here"
    scales = {
        "qini_joint_absolute": experiment.sizes[0],
        "qini_separate_absolute": experiment.sizes[0],
        "uplift_joint_absolute": total,
    }
    scale = scales.get(key)
    return True, "yes, same scale" if scale is None else f"yes, × {scale:,.0f}"


def named_figures(ranking: UpliftRanking) -> tuple[NamedFigure, ...]:
    """What other tools would print for this ranking; they go case by case."""
    if ranking.exact_area is not None:
        return ()
    figures = []
    for entry in NAMED_SCORES:
        note, value = "", math.nan
        try:
            value = entry.compute(ranking)
        except PayoffError as refusal:
            note = str(refusal)
        figures.append(
            NamedFigure(
                tool=entry.tool, name=entry.label, value=value, formula=entry.formula, note=note
            )
        )
    for key, label, _, formula, _ in _VARIANTS[:5]:
        area = curve_of(ranking, key).area
        figures.append(
            NamedFigure(tool="Payoff", name=f"{label}, area", value=area, formula=formula)
        )
    return tuple(figures)


def differences_of(
    rankings: Mapping[str, UpliftRanking], models: tuple[UpliftModelResult, ...]
) -> tuple[PairedDifference, ...]:
    """The first model's area less every other's, on the same cases."""
    if len(models) < 2 or any(ranking.exact_area for ranking in rankings.values()):
        return ()
    first, nu = models[0], {entry.model: entry.nu for entry in models}
    return tuple(
        compare_areas(
            rankings[first.model],
            rankings[other.model],
            names=(first.model, other.model),
            nu=(nu[first.model], nu[other.model]),
        )
        for other in models[1:]
    )


def prices_of(rankings: Mapping[str, UpliftRanking], spec: UpliftSpec) -> PriceResult | None:
    """The price axis from 0 to beyond the present price; None without a model."""
    if not rankings:
        return None
    highest = _highest_price(rankings, spec)
    contacts: FloatArray = np.linspace(0.0, highest, PRICE_POINTS)
    nu = [chosen_nu(ranking, spec.nu) for ranking in rankings.values()]
    axis = price_axis(list(rankings.values()), prices_from(spec), contacts, nu)
    return PriceResult(models=tuple(rankings), axis=axis)


def _highest_price(rankings: Mapping[str, UpliftRanking], spec: UpliftSpec) -> float:
    """Where the axis ends: the best tenth's worth of effect, at least twice the present price."""
    best = 0.0
    for ranking in rankings.values():
        effect = slices_of(ranking).uplift
        known = effect[np.isfinite(effect)]
        best = max(best, float(known.max(initial=0.0)) * spec.value)
    wanted = max(best, 2.0 * spec.contact)
    if wanted <= 0:
        return 1.0
    scale = 10.0 ** math.floor(math.log10(wanted))
    return math.ceil(wanted / scale * 2) / 2 * scale
