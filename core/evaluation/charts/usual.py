"""The charts of page Compare on the common grid of depths, with bands once resamples are there.

What the shared cursor reads where the outcome is a number: cases by falling prediction.

Curves for scripts: every end of a group of equal scores, nothing thinned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.document.results import ChartData, ModelDepths
from core.evaluation.cases import JudgedCases
from core.evaluation.charts.plugin_curves import BandDraws, PluginCurves
from core.evaluation.problem import USUAL_OF_CLASSES, JudgedScores
from core.evaluation.ranked.ranking import DEPTH_GRID, GRID_POINTS, RankedSample
from core.evaluation.ranked.rankings import ModelRankings
from core.kernels import run_rows
from payoff.errors import PayoffError, no_such
from payoff.smooth_calibration import calibration_curve
from payoff.types import FloatArray


class ChartMaker:
    """Builds charts and depths of a ranked problem.

    Parameters
    ----------
    cases : Cases
    rankings : list of ModelRankings
        One per model.
    curves : PluginCurves
        The curves that plugins draw.
    """

    def __init__(
        self,
        cases: JudgedCases,
        rankings: list[ModelRankings],
        curves: PluginCurves,
    ) -> None:
        self.cases = cases
        self.curves = curves
        self.rankings = rankings
        self.models: tuple[JudgedScores, ...] = cases.problem.models
        self.bands: list[BandDraws] = []
        self._class_bands: list[tuple[FloatArray, FloatArray]] = []

    def use_bands(self, bands: list[BandDraws]) -> None:
        """Draw bands from now on: one set of draws per model."""
        self.bands = bands
        self._class_bands = [band.class_share_band() for band in bands]
        self.curves.use_bands(bands)

    def whole_band(self, name: str, model: str) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """x and the simultaneous 95 % limits of a curve; None where there are no draws of it."""
        place = next((k for k, entry in enumerate(self.models) if entry.name == model), None)
        if place is None or not self.bands or name not in ("roc", "gains", "lift"):
            return None
        summary, band = self.rankings[place].summary, self.bands[place]
        if name == "roc":
            alarms = np.clip(self.others_share(place), 0.0, 1.0)
            return alarms, *band.whole_sensitivity_band(alarms, summary.class_share[0])
        low, high = band.whole_share_band(summary.class_share[0])
        if name == "gains":
            return summary.depth, low, high
        depth = summary.depth[1:]
        return depth, low[1:] / depth, high[1:] / depth

    @property
    def event(self) -> str:
        """The event in the user's word."""
        problem = self.cases.problem
        if len(problem.labels) == len(problem.levels):
            return problem.labels[problem.event_code]
        return self.cases.levels[0]

    def depths(self) -> tuple[ModelDepths, ...]:
        """What the shared cursor reads, model by model."""
        found = []
        for place, (model, ranking) in enumerate(zip(self.models, self.rankings, strict=True)):
            summary = ranking.summary
            low = high = np.full_like(summary.class_share, np.nan)
            if self.bands:
                low, high = self._class_bands[place]
            found.append(
                ModelDepths(
                    model=model.name,
                    depth=summary.depth,
                    cases=summary.cases,
                    threshold=summary.threshold,
                    class_share=summary.class_share,
                    class_share_low=low,
                    class_share_high=high,
                )
            )
        return tuple(found)

    def charts(self) -> tuple[ChartData, ...]:
        """ROC, gains, lift, calibration, score distribution, and the further ones wanted."""
        additional = [kind for kind in self.cases.problem.charts if kind not in USUAL_OF_CLASSES]
        return tuple(
            self.curves.chart(kind, event=self.event)
            for kind in (*USUAL_OF_CLASSES, *additional)
            if kind in self.curves
        )

    def others_share(self, place: int) -> FloatArray:
        """Share of all other classes among the best, on the grid."""
        weight = self.cases.class_weight[1:]
        shares = np.nan_to_num(self.rankings[place].summary.class_share[1:])
        return np.asarray(weight @ shares / weight.sum())


def number_depths(cases: JudgedCases) -> tuple[ModelDepths, ...]:
    """What the shared cursor reads of every model: highest predictions first, no classes."""
    grid = DEPTH_GRID
    weight = cases.weight if len(cases.weight) else np.ones(len(cases))
    none = np.empty((0, GRID_POINTS))
    found = []
    for model in cases.problem.models:
        prediction = np.ascontiguousarray(cases.fitted_probabilities(model)[0])
        order = np.argsort(-prediction, kind="stable")
        running = np.concatenate([[0.0], np.cumsum(weight[order])])
        running /= running[-1]
        rows = np.interp(grid, running, np.arange(len(order) + 1, dtype=np.float64))
        last = np.clip(np.ceil(rows - 1e-9).astype(np.int64) - 1, 0, len(order) - 1)
        found.append(
            ModelDepths(
                model=model.name,
                depth=grid,
                cases=rows,
                threshold=prediction[order][last],
                class_share=none,
                class_share_low=none,
                class_share_high=none,
            )
        )
    return tuple(found)


RANKED_CURVES = ("roc", "gains", "lift", "precision_recall")
CURVE_NAMES = (*RANKED_CURVES, "calibration", "smooth_calibration")


@dataclass(frozen=True, slots=True, eq=False)
class FullCurve:
    """Columns of a curve, one length.

    Attributes
    ----------
    x, y : float64 arrays
    low, high : float64 arrays
        Pointwise 95 % limits, read off the screen's 1,001 points; NaN without them.
    threshold : float64 array
        Score at which a point is reached, inf at the start; NaN for calibrations.
    whole_low, whole_high : float64 arrays
        95 % limits that hold for the whole curve at once (ROC, gains and lift); empty without.
    """

    x: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray
    threshold: FloatArray
    whole_low: FloatArray = field(default_factory=lambda: np.empty(0))
    whole_high: FloatArray = field(default_factory=lambda: np.empty(0))


def is_read_off_its_chart(name: str) -> bool:
    """Whether a curve is what its chart shows: groups, not ends of equal scores."""
    return name == "calibration"


WholeBand = tuple[FloatArray, FloatArray, FloatArray] | None


def full_curve(
    cases: JudgedCases,
    name: str,
    model: JudgedScores,
    chart: ChartData | None,
    whole: WholeBand = None,
) -> FullCurve:
    """Every point of a curve.

    Parameters
    ----------
    chart : ChartData or None
        The thinned chart of that name, whose band is interpolated.
    whole : (x, low, high) or None
        A band that holds for the whole curve, to be interpolated too.

    Raises
    ------
    PayoffError
        For an unknown name, or a target without classes.
    """
    if name not in CURVE_NAMES:
        raise no_such("curve", name, CURVE_NAMES, listed="Known curves")
    if not cases.has_classes:
        raise PayoffError(f"The curve '{name}' needs a target with classes.")
    if "calibration" in name and not model.has_probabilities:
        raise PayoffError(
            f"'{model.name}' is a score without chances: nothing can come true.",
            remedy="Turn the score into chances first.",
        )
    if is_read_off_its_chart(name):
        return _calibration(model, chart)
    if name == "smooth_calibration":
        return _smooth_calibration(cases, model)
    x, y, threshold = _points(cases.ranked(model), name)
    low, high = _band(chart, model.name, x)
    if whole is None:
        return FullCurve(x, y, low, high, threshold)
    ends = (np.interp(x, whole[0], whole[1]), np.interp(x, whole[0], whole[2]))
    return FullCurve(x, y, low, high, threshold, *ends)


def _points(ranking: RankedSample, name: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """x, y and threshold in arrays of their own; ROC and gains begin where nobody is reached."""
    begin = 1 if name in ("roc", "gains") else 0
    count, whole = len(ranking.events), ranking.event_weight + ranking.others_weight

    def laid_out(values: Callable[[slice], FloatArray], first: float = 0.0) -> FloatArray:
        points = np.empty(begin + count)
        points[:begin] = first

        def fill(start: int, stop: int) -> None:
            points[begin + start : begin + stop] = values(slice(start, stop))

        run_rows(fill, (), count)
        return points

    def found(groups: slice) -> FloatArray:
        return ranking.events[groups] / ranking.event_weight

    def depth(groups: slice) -> FloatArray:
        return ranking.depth_of(groups) / whole

    x, y = {
        "roc": (lambda groups: ranking.others[groups] / ranking.others_weight, found),
        "gains": (depth, found),
        "lift": (depth, lambda groups: found(groups) / depth(groups)),
        "precision_recall": (
            found,
            lambda groups: ranking.events[groups] / ranking.depth_of(groups),
        ),
    }[name]
    return laid_out(x), laid_out(y), laid_out(ranking.threshold_of, np.inf)


def curve_at_depths(
    name: str, depth: FloatArray, shares: FloatArray, event_share: float, threshold: FloatArray
) -> FullCurve:
    """A curve of a ranking at some depths, without a band.

    Parameters
    ----------
    name : one of ``RANKED_CURVES``
    depth : (M,) float64
        Rising from 0.
    shares : (2, M) float64
        Shares of events and of others within each depth.
    event_share : float
        Of all cases.
    threshold : (M,) float64
    """
    begin = 0 if name in ("roc", "gains") else 1
    depth, found, alarms = depth[begin:], shares[0, begin:], shares[1, begin:]
    if name == "roc":
        x, y = alarms, found
    elif name == "gains":
        x, y = depth, found
    elif name == "lift":
        x, y = depth, found / depth
    else:
        x, y = found, found * event_share / depth
    return FullCurve(x, y, *_no_band(x), threshold[begin:])


def _band(chart: ChartData | None, model: str, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    curve = next((c for c in chart.curves if c.model == model), None) if chart else None
    if curve is None or curve.low is None or curve.high is None:
        return _no_band(x)
    return np.interp(x, curve.x, curve.low), np.interp(x, curve.x, curve.high)


def _no_band(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Limits that are not known at any point; arrays of their own: a script may write into them."""
    band = np.empty((2, len(x)))

    def fill(start: int, stop: int) -> None:
        band[:, start:stop] = np.nan

    run_rows(fill, (), len(x))
    return band[0], band[1]


def _calibration(model: JudgedScores, chart: ChartData | None) -> FullCurve:
    curve = next((c for c in chart.curves if c.model == model.name), None) if chart else None
    if curve is None or curve.low is None or curve.high is None:
        raise PayoffError("The calibration curve was not made.", remedy="Evaluate with charts.")
    shown = (curve.x, curve.y, curve.low, curve.high, np.full(len(curve.x), np.nan))
    return FullCurve(*map(np.array, shown))  # its own: a script may write into its table


def _smooth_calibration(cases: JudgedCases, model: JudgedScores) -> FullCurve:
    is_event = (cases.codes == 0).astype(np.float64)
    weight = cases.prior_weight if cases.is_weighted or cases.factor is not None else None
    smooth = calibration_curve(cases.probabilities(model)[0], is_event, weight)
    nowhere = np.full(len(smooth.predicted), np.nan)
    return FullCurve(smooth.predicted, smooth.observed, smooth.low, smooth.high, nowhere)
