"""Further charts of classes: precision-recall, response, KS, Lorenz, cut-offs, benefit, cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.document.chart_kinds import SAS_EM, SKLEARN
from core.document.results import Chart, Curve
from core.evaluation.bands import LIMITS
from core.evaluation.calibration_curve import cell_calibration_curve
from core.evaluation.cases import percent
from core.evaluation.chart_bands import cost_band, f1_band, precision_band
from core.evaluation.chart_lines import baseline, no_chances_note, with_convention
from core.evaluation.intervals import effective_cases, wilson_interval
from core.evaluation.problem import ModelScores
from core.evaluation.ranking import RankedSample
from payoff.errors import PayoffError
from payoff.types import FloatArray

if TYPE_CHECKING:
    from core.evaluation.charts import ChartMaker

THRESHOLDS = 401
COST_POINTS = 201
_Z = 1.959963984540054

PRECISION_RECALL_TEXT = (
    "At each cut-off: the share of the cases above it that are '{event}' (precision, y) against "
    "the share of all '{event}' cases that are above it (recall, x). Average precision is the "
    "area of its steps. {band}"
)
RESPONSE_TEXT = (
    "Share of '{event}' cases among the best share x of the cases (cumulative response): "
    "y(x) = share found x share of '{event}' / x. {band}"
)
KS_TEXT = (
    "Share of all '{event}' cases less share of all others among the best share x of the cases. "
    "Its highest point is the Kolmogorov-Smirnov statistic. {band}"
)
LORENZ_TEXT = (
    "Cases lowest chance first: share of all '{event}' cases (y) among the lowest share x of the "
    "cases. The further below the diagonal, the more unevenly they are spread. {band}"
)
SMOOTH_TEXT = (
    "Share in which '{event}' happened, regressed on the predicted chance: logistic, natural cubic "
    "spline, 6 degrees of freedom (as calibrate.plot of R's gbm). On the diagonal the chances come "
    "true. Bands: pointwise 95 %."
)
THRESHOLD_TEXT = (
    "What acting on every case with a chance of x or more does: sensitivity = share of '{event}' "
    "cases acted on, specificity = share of others left alone, precision = share of '{event}' "
    "among those acted on, F1 = 2 precision x sensitivity / (precision + sensitivity). Bands: "
    "95 %, Wilson, of F1 by the delta method."
)
NET_BENEFIT_TEXT = (
    "Net benefit of acting on every case with a chance of x or more, where x is the chance at "
    "which acting is neither good nor bad: '{event}' cases acted on less others acted on x x / "
    "(1 - x), per case (Vickers & Elkin 2006). Above both grey lines the model is of use. Bands: "
    "95 %, normal."
)
COST_TEXT = (
    "Cost curve (Drummond & Holte 2006): expected cost of the best cut-off (y, as a share of the "
    "worst) at every mix of shares and costs (x = share of '{event}' x cost of missing one / the "
    "same plus share of others x cost of a false alarm). Below the grey triangle the model beats "
    "acting on all and on none. Bands: pointwise 95 % at that cut-off; its choice on these rows "
    "flatters a little."
)
_BAND_DRAWS = "Bands: pointwise 95 %, {draws:,} Poisson bootstrap draws."
_BAND_WILSON = "Bands: pointwise 95 % Wilson intervals."


@dataclass(frozen=True, slots=True, eq=False)
class CutOffs:
    """What acting above each of rising thresholds does; weights are prior-weighted.

    ``found`` and ``alarms``: weights of events and others at or above each threshold.
    """

    threshold: FloatArray
    found: FloatArray
    alarms: FloatArray
    events: float
    others: float

    @classmethod
    def of(cls, ranking: RankedSample, threshold: FloatArray) -> CutOffs:
        """Read a ranking at thresholds."""
        falling = ranking.thresholds
        places = np.searchsorted(-falling, -threshold, side="right")
        padded = [np.concatenate([[0.0], side]) for side in (ranking.events, ranking.others)]
        return cls(
            threshold, padded[0][places], padded[1][places],
            ranking.event_weight, ranking.others_weight,
        )  # fmt: skip


def further_chart(maker: ChartMaker, kind: str) -> Chart | None:
    """A chart of classes by its kind; None where the kind is drawn elsewhere."""
    make = _MAKERS.get(kind)
    return make(maker) if make is not None else None


# ---------------------------------------------------------------- by depth


def _effective(maker: ChartMaker) -> float:
    """The number of equally weighted cases that say as much, class by class."""
    cases = maker.cases
    return effective_cases(cases.weight) if len(cases.weight) else float(len(cases))


def _response(
    maker: ChartMaker, place: int, grid: FloatArray | None = None
) -> tuple[FloatArray, FloatArray, FloatArray | None, FloatArray | None]:
    """Depths above 0 with the share of events among the best, and its band."""
    summary = maker.rankings[place].summary
    depth = summary.depth[1:]
    share = maker.event_share
    found = summary.class_share[0][1:]
    rate = np.clip(share * found / depth, 0.0, 1.0)
    if maker.cases.priors is not None:
        low, high = maker.event_band(place)
        if low is None or high is None:
            ends: tuple[FloatArray | None, FloatArray | None] = (None, None)
        else:
            ends = (
                np.asarray(np.clip(share * low[1:] / depth, 0.0, 1.0)),
                np.asarray(np.clip(share * high[1:] / depth, 0.0, 1.0)),
            )
    else:
        ends = wilson_interval(rate, np.maximum(depth * _effective(maker), 1.0))
    if grid is None:
        return depth, rate, *ends
    read = [None if end is None else np.interp(grid, depth, end) for end in ends]
    return grid, np.interp(grid, depth, rate), read[0], read[1]


def _response_band_text(maker: ChartMaker) -> str:
    return maker.band_text() if maker.cases.priors is not None else _BAND_WILSON


def precision_recall(maker: ChartMaker) -> Chart:
    """Precision by recall, at the common depths."""
    curves = []
    is_stepped = maker.convention == SKLEARN
    for place, model in enumerate(maker.models):
        _, rate, low, high = _response(maker, place)
        recall = maker.rankings[place].summary.class_share[0][1:]
        lines = [recall, rate, low, high]
        if is_stepped:
            lines = [_stepped(values, is_x=index == 0) for index, values in enumerate(lines)]
        x, y = lines[0], lines[1]
        assert x is not None
        assert y is not None
        curves.append(Curve(model=model.name, x=x, y=y, low=lines[2], high=lines[3]))
    curves.append(baseline("random", (0.0, 1.0), (maker.event_share, maker.event_share)))
    text = PRECISION_RECALL_TEXT.format(event=maker.event, band=_response_band_text(maker))
    chart = Chart(
        kind="precision_recall", curves=tuple(curves), definition=text, variant="ties shared"
    )
    return with_convention(chart, maker.convention)


def _stepped(values: FloatArray | None, *, is_x: bool) -> FloatArray | None:
    """Points doubled into steps: the precision of a recall holds back to the recall before it."""
    if values is None:
        return None
    doubled = np.repeat(values, 2)
    return np.concatenate([[0.0], doubled[:-1]]) if is_x else doubled


def response(maker: ChartMaker) -> Chart:
    """Share of events among the best."""
    grid = maker.depth_points()
    curves = []
    for place, model in enumerate(maker.models):
        depth, rate, low, high = _response(maker, place, grid)
        curves.append(Curve(model=model.name, x=depth, y=rate, low=low, high=high))
    share = maker.event_share
    best: FloatArray = np.linspace(max(share, 1e-6), 1.0, 101)
    curves.append(baseline("random", (0.0, 1.0), (share, share)))
    ideal = np.concatenate([[0.0], best])
    curves.append(
        Curve(model="", name="best possible", x=ideal, y=share / np.maximum(ideal, share))
    )
    text = RESPONSE_TEXT.format(event=maker.event, band=_response_band_text(maker))
    chart = Chart(
        kind="response", curves=tuple(curves), definition=text, variant="cumulative response"
    )
    return with_convention(chart, maker.convention)


def ks(maker: ChartMaker) -> Chart:
    """Distance of the two groups' shares by depth."""
    curves, notes = [], []
    grid = maker.depth_points("ks", with_zero=True)
    is_binned = maker.convention == SAS_EM
    for place, model in enumerate(maker.models):
        summary = maker.rankings[place].summary
        whole = summary.class_share[0] - maker.others_share(place)
        low = high = None
        if maker.bands:
            events, others = maker.bands[place].share_draws(maker.cases.class_weight)
            ends = np.quantile(events - others, LIMITS, axis=0)
            low, high = (np.interp(grid, summary.depth, end) for end in ends)
        y = np.interp(grid, summary.depth, whole)
        curves.append(Curve(model=model.name, x=grid, y=y, low=low, high=high))
        peak = int(np.argmax(y))
        among = "of 20 bins " if is_binned else ""
        notes.append(
            f"{model.name}: furthest apart {among}at {percent(grid[peak])} ({y[peak]:.3f})."
        )
    curves.append(baseline("random", (0.0, 1.0), (0.0, 0.0)))
    band = maker.band_text() if maker.bands else ""
    chart = Chart(
        kind="ks", curves=tuple(curves), variant="found less false alarms", notes=tuple(notes),
        definition=KS_TEXT.format(event=maker.event, band=band),
    )  # fmt: skip
    return with_convention(chart, maker.convention)


def lorenz(maker: ChartMaker) -> Chart:
    """Share of events among the lowest cases."""
    curves, notes = [], []
    for place, model in enumerate(maker.models):
        summary = maker.rankings[place].summary
        x, y = 1.0 - summary.depth[::-1], 1.0 - summary.class_share[0][::-1]
        low, high = maker.event_band(place)
        ends = (
            None if high is None else 1.0 - high[::-1],
            None if low is None else 1.0 - low[::-1],
        )
        curves.append(Curve(model=model.name, x=x, y=y, low=ends[0], high=ends[1]))
        notes.append(f"{model.name}: concentration {1.0 - 2.0 * float(np.trapezoid(y, x)):.3f}.")
    share = maker.event_share
    curves.append(baseline("even", (0.0, 1.0), (0.0, 1.0)))
    curves.append(baseline("best possible", (0.0, 1.0 - share, 1.0), (0.0, 0.0, 1.0)))
    return Chart(
        kind="lorenz", curves=tuple(curves), variant="lowest chances first", notes=tuple(notes),
        definition=LORENZ_TEXT.format(event=maker.event, band=maker.band_text()),
    )  # fmt: skip


# ---------------------------------------------------------------- by chance


def _saying(maker: ChartMaker) -> tuple[list[tuple[ModelScores, RankedSample]], list[str]]:
    """Models that say chances, each with its ranking, and a note for each that does not."""
    saying = [(m, maker.cases.ranked(m)) for m in maker.models if m.has_chances]
    return saying, [no_chances_note(m.name) for m in maker.models if not m.has_chances]


def _thresholds(maker: ChartMaker, rankings: list[RankedSample]) -> FloatArray:
    """Rising thresholds up to the chance that the best 0.5 % have, the highest of all models."""
    del maker
    top = 0.02
    for ranking in rankings:
        depth = ranking.group_depth
        place = int(np.searchsorted(depth, 0.005 * depth[-1]))
        top = max(top, float(ranking.thresholds[min(place, len(depth) - 1)]))
    return np.linspace(0.0, min(top, 0.99), THRESHOLDS)


def smooth_calibration(maker: ChartMaker) -> Chart:
    """What happened, regressed on the chance."""
    saying, notes = _saying(maker)
    cases, curves = maker.cases, []
    is_event = (cases.codes == 0).astype(np.float64)
    weight = cases.prior_weight if cases.is_weighted or cases.factor is not None else None
    for model, _ in saying:
        try:
            smooth = cell_calibration_curve(cases.chances(model)[0], is_event, weight)
        except PayoffError as refusal:
            notes.append(f"{model.name}: {refusal}")
            continue
        curves.append(
            Curve(
                model=model.name, x=smooth.predicted, y=smooth.observed, low=smooth.low,
                high=smooth.high,
            )
        )  # fmt: skip
    curves.append(baseline("exact", (0.0, 1.0), (0.0, 1.0)))
    return Chart(
        kind="smooth_calibration", curves=tuple(curves), notes=tuple(notes),
        definition=SMOOTH_TEXT.format(event=maker.event), variant="natural spline, 6 df",
    )  # fmt: skip


def _share_band(values: FloatArray, number: float) -> tuple[FloatArray, FloatArray]:
    return wilson_interval(values, np.full(len(values), max(number, 1.0)))


def threshold(maker: ChartMaker) -> Chart:
    """Sensitivity, specificity, precision and F1 of every cut-off."""
    saying, notes = _saying(maker)
    grid = _thresholds(maker, [ranking for _, ranking in saying])
    curves = []
    share = maker.event_share
    for model, ranking in saying:
        at = CutOffs.of(ranking, grid)
        sensitivity, specificity = at.found / at.events, 1.0 - at.alarms / at.others
        acted = at.found + at.alarms
        precision = np.divide(at.found, acted, out=np.full(len(grid), np.nan), where=acted > 0)
        total = precision + sensitivity
        with np.errstate(invalid="ignore", divide="ignore"):
            f1 = 2.0 * precision * sensitivity / total
        whole, effective = at.events + at.others, _effective(maker)
        missed = (at.events - at.found) / whole
        sides = (
            ("sensitivity", sensitivity, _share_band(sensitivity, share * effective)),
            ("specificity", specificity, _share_band(specificity, (1.0 - share) * effective)),
            ("precision", precision, precision_band(precision, acted / whole, effective)),
            ("F1", f1, f1_band(at.found / whole, at.alarms / whole, missed, effective)),
        )
        for name, values, (low, high) in sides:
            curves.append(Curve(model=model.name, name=name, x=grid, y=values, low=low, high=high))
    return Chart(
        kind="threshold", curves=tuple(curves), notes=tuple(notes),
        definition=THRESHOLD_TEXT.format(event=maker.event), variant="acted on at or above",
    )  # fmt: skip


def net_benefit(maker: ChartMaker) -> Chart:
    """Net benefit of acting above every chance."""
    saying, notes = _saying(maker)
    grid = _thresholds(maker, [ranking for _, ranking in saying])
    odds = grid / (1.0 - grid)
    share, number = maker.event_share, _effective(maker)
    curves = []
    for model, ranking in saying:
        at = CutOffs.of(ranking, grid)
        whole = at.events + at.others
        found, alarms = at.found / whole, at.alarms / whole
        benefit = found - alarms * odds
        spread = _Z * np.sqrt(np.maximum(found + alarms * odds**2 - benefit**2, 0.0) / number)
        curves.append(
            Curve(model=model.name, x=grid, y=benefit, low=benefit - spread, high=benefit + spread)
        )
    curves.append(Curve(model="", name="act on all", x=grid, y=share - (1.0 - share) * odds))
    curves.append(baseline("act on none", (0.0, float(grid[-1])), (0.0, 0.0)))
    return Chart(
        kind="net_benefit", curves=tuple(curves), notes=tuple(notes),
        definition=NET_BENEFIT_TEXT.format(event=maker.event), variant="Vickers & Elkin",
    )  # fmt: skip


def cost(maker: ChartMaker) -> Chart:
    """The best cut-off's expected cost at every mix of shares and costs."""
    x: FloatArray = np.linspace(0.0, 1.0, COST_POINTS)
    curves = []
    for place, model in enumerate(maker.models):
        missed = 1.0 - maker.rankings[place].summary.class_share[0]
        alarms = np.clip(maker.others_share(place), 0.0, 1.0)
        lines = np.outer(x, missed) + np.outer(1.0 - x, alarms)
        best = lines.argmin(axis=1)
        number = _effective(maker)
        low, high = cost_band(
            x, missed[best], alarms[best],
            maker.event_share * number, (1.0 - maker.event_share) * number,
        )  # fmt: skip
        curves.append(Curve(model=model.name, x=x, y=lines.min(axis=1), low=low, high=high))
    curves.append(baseline("all or none", (0.0, 0.5, 1.0), (0.0, 0.5, 0.0)))
    return Chart(
        kind="cost", curves=tuple(curves), variant="lower envelope",
        definition=COST_TEXT.format(event=maker.event),
    )  # fmt: skip


_MAKERS: dict[str, Callable[[ChartMaker], Chart]] = {
    "precision_recall": precision_recall,
    "response": response,
    "ks": ks,
    "lorenz": lorenz,
    "smooth_calibration": smooth_calibration,
    "threshold": threshold,
    "net_benefit": net_benefit,
    "cost": cost,
}
