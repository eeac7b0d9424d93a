"""Further charts of classes by chance: smooth calibration, cut-offs, net benefit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.document.results import Chart, Curve
from core.evaluation.calibration_curve import cell_calibration_curve
from core.evaluation.chart_bands import f1_band, precision_band
from core.evaluation.chart_lines import baseline, no_chances_note
from core.evaluation.intervals import effective_cases
from core.evaluation.problem import ModelScores
from core.evaluation.ranking import RankedSample
from payoff.curves import wilson_interval
from payoff.errors import PayoffError
from payoff.types import FloatArray

if TYPE_CHECKING:
    from core.evaluation.charts import ChartMaker

THRESHOLDS = 401
_Z = 1.959963984540054

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


def _effective(maker: ChartMaker) -> float:
    """The number of equally weighted cases that say as much, class by class."""
    cases = maker.cases
    return effective_cases(cases.weight) if len(cases.weight) else float(len(cases))


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


_MAKERS: dict[str, Callable[[ChartMaker], Chart]] = {
    "smooth_calibration": smooth_calibration,
    "threshold": threshold,
    "net_benefit": net_benefit,
}
