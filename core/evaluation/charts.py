"""The charts of page Compare on the common grid of depths, with bands once resamples are there."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.document.chart_kinds import PAYOFF
from core.document.results import Chart, Curve, ModelDepths
from core.evaluation.bands import BandDraws
from core.evaluation.calibration import CalibrationGroups, calibration_verdict, group_count
from core.evaluation.calibration_conventions import groups_as
from core.evaluation.cases import Cases
from core.evaluation.chart_lines import baseline, no_chances_note, with_convention
from core.evaluation.charts_classes import further_chart
from core.evaluation.plugin_curves import PluginCurves
from core.evaluation.problem import USUAL_OF_CLASSES, ModelScores
from core.evaluation.rankings import ModelRankings
from payoff.types import FloatArray

BIN_WIDTHS = (0.04, 0.02, 0.01, 0.005)
_FEWEST_BINS = 20

CALIBRATION_TEXT = (
    "Cases are cut into up to {groups} groups of equal size by predicted chance; equal chances "
    "stay together. x = mean chance of a group, y = share in which '{event}' happened; on the "
    "diagonal the chances come true. Bands: 95 % Wilson intervals of each share."
)
SCORES_TEXT = (
    "Share of the cases of each class by predicted chance of '{event}', in bins of {width}, each "
    "point at the middle of its bin."
)
_BAND_TEXT = "Bands: pointwise 95 %, {draws:,} Poisson bootstrap draws{fixed}."
_NO_BAND_TEXT = "Bands follow with the resamples."


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

    def __init__(self, cases: Cases, rankings: list[ModelRankings], curves: PluginCurves) -> None:
        self.cases = cases
        self.curves = curves
        self.rankings = rankings
        self.models: tuple[ModelScores, ...] = cases.problem.models
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

    @property
    def event_share(self) -> float:
        """Weighted share of the event."""
        return float(self.cases.class_weight[0] / self.cases.class_weight.sum())

    def band_text(self) -> str:
        """What the bands are, in one sentence."""
        if not self.bands:
            return _NO_BAND_TEXT
        fixed = self.cases.holds_fixed()
        return _BAND_TEXT.format(draws=self.bands[0].kept, fixed=f", {fixed}" if fixed else "")

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

    @property
    def convention(self) -> str:
        """Whose definitions are followed."""
        return self.cases.problem.convention

    def charts(self) -> tuple[Chart, ...]:
        """ROC, gains, lift, calibration, score distribution, and the further ones wanted."""
        further = [kind for kind in self.cases.problem.charts if kind not in USUAL_OF_CLASSES]
        made = (self._chart(kind) for kind in (*USUAL_OF_CLASSES, *further))
        return tuple(chart for chart in made if chart is not None)

    def _chart(self, kind: str) -> Chart | None:
        """A chart by its kind: of a plugin, or of this room."""
        if kind in self.curves:
            return self.curves.chart(kind, event=self.event)
        own = {"calibration": lambda: self.calibration, "score_distribution": lambda: self.scores}
        return own[kind]() if kind in own else further_chart(self, kind)

    def others_share(self, place: int) -> FloatArray:
        """Share of all other classes among the best, on the grid."""
        weight = self.cases.class_weight[1:]
        shares = np.nan_to_num(self.rankings[place].summary.class_share[1:])
        return np.asarray(weight @ shares / weight.sum())

    def event_band(self, place: int) -> tuple[FloatArray | None, FloatArray | None]:
        """Limits of the share of events found at the common depths; None without draws."""
        if not self.bands:
            return None, None
        low, high = self._class_bands[place]
        return low[0], high[0]

    @cached_property
    def calibration(self) -> Chart:
        """Mean chance against what happened, in groups of equal size."""
        number = group_count(len(self.cases))
        curves, notes = [], []
        for model, ranking in zip(self.models, self.rankings, strict=True):
            if not model.has_chances:
                notes.append(no_chances_note(model.name))
                continue
            groups = self._groups(model, ranking)
            curves.append(
                Curve(
                    model=model.name, x=groups.chance, y=groups.share, low=groups.low,
                    high=groups.high,
                )
            )  # fmt: skip
            notes.append(calibration_verdict(model.name, groups))
        curves.append(baseline("exact", (0.0, 1.0), (0.0, 1.0)))
        chart = Chart(
            kind="calibration",
            curves=tuple(curves),
            definition=CALIBRATION_TEXT.format(event=self.event, groups=number),
            variant="groups of equal size",
            notes=tuple(notes),
        )
        return with_convention(chart, self.convention)

    def _groups(self, model: ModelScores, ranking: ModelRankings) -> CalibrationGroups:
        """Calibration groups as the convention cuts them."""
        if self.convention == PAYOFF:
            return ranking.calibration
        is_event = (self.cases.codes == 0).astype(np.float64)
        chance = self.cases.chances(model)[0]
        made = groups_as(self.convention, chance, is_event, self.cases.prior_weight)
        return made or ranking.calibration

    @cached_property
    def scores(self) -> Chart:
        """Histogram of the event's chance within each class."""
        saying = [model for model in self.models if model.has_chances]
        notes = [no_chances_note(m.name) for m in self.models if not m.has_chances]
        chances = [self.cases.chances(model)[0] for model in saying]
        width = _bin_width(chances) if chances else BIN_WIDTHS[0]
        bins = round(1.0 / width)
        centre: FloatArray = (np.arange(bins, dtype=np.float64) + 0.5) * width
        weight = self.cases.weight if len(self.cases.weight) else None
        curves = []
        for model, chance in zip(saying, chances, strict=True):
            place = np.minimum((chance * bins).astype(np.int64), bins - 1)
            cell = self.cases.codes.astype(np.int64) * bins + place
            counts = np.bincount(cell, weights=weight, minlength=bins * self.cases.class_count)
            for level, row in zip(self.cases.levels, counts.reshape(-1, bins), strict=True):
                whole = row.sum()
                share: FloatArray = np.asarray(row / whole if whole > 0 else np.zeros(bins))
                curves.append(Curve(model=model.name, x=centre, y=share, name=level))
        return Chart(
            kind="score_distribution",
            curves=tuple(curves),
            definition=SCORES_TEXT.format(event=self.event, width=f"{width:g}"),
            variant="share within each class",
            notes=tuple(notes),
        )


def _bin_width(chances: list[FloatArray]) -> float:
    """The widest bin that still puts 20 bins below the highest 0.5 % of chances."""
    top = max(float(np.partition(c, int(0.995 * (len(c) - 1)))[int(0.995 * (len(c) - 1))])
              for c in chances)  # fmt: skip
    return next((width for width in BIN_WIDTHS if top / width >= _FEWEST_BINS), BIN_WIDTHS[-1])
