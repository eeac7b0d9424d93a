"""The charts of page Compare on the common grid of depths, with bands once resamples are there."""

from __future__ import annotations

import numpy as np

from core.document.results import ChartData, ModelDepths
from core.evaluation.cases import JudgedCases
from core.evaluation.charts.bands import BandDraws
from core.evaluation.charts.plugin_curves import PluginCurves
from core.evaluation.problem import USUAL_OF_CLASSES, JudgedScores
from core.evaluation.rankings import ModelRankings
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
