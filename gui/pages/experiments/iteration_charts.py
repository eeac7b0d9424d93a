"""The figures of the two studies of boosting: error by iterations, and what each rule keeps."""

from __future__ import annotations

import numpy as np

from core.document.studies.iterations import RuleOutcome, ShrinkageCurve
from core.document.wording import format_count, format_number, format_share
from gui.pages.experiments.charts import LossChart
from gui.plots.spec import (
    AxisSpec,
    ChartSpec,
    CursorState,
    PointsSpec,
    ReadingLine,
    SeriesSpec,
)
from payoff.counting import counted

_ABOVE_FIRST = 0.02  # room above the first deviance, as a share of the fall
_BELOW_LEAST = 0.05
_HALF = 0.3  # half of the width that a rule's median takes
_THROUGH: tuple[float, ...] = ()


class ShrinkageChart(LossChart):
    """Deviance of fresh cases by iterations, a line for each shrinkage, with bands over draws."""

    def show_curves(self, curves: tuple[ShrinkageCurve, ...]) -> None:
        """Show the curves of one data set; none empties the chart."""
        self._curves = curves
        self.refresh()

    _curves: tuple[ShrinkageCurve, ...] = ()

    def make_spec(self) -> ChartSpec | None:
        curves = self._curves
        if not curves:
            return None
        trees = np.arange(1.0, len(curves[0].deviance) + 1.0)
        first = max(float(curve.deviance[0]) for curve in curves)
        least = min(float(curve.deviance.min()) for curve in curves)
        fall = (first - least) or 1.0
        draws = curves[0].draws
        words = "one draw" if draws == 1 else f"mean of {counted(draws, 'draw')}, 95 % bands"
        return ChartSpec(
            kind="shrinkage_iterations",
            title=curves[0].data,
            subtitle=words,
            x_axis=AxisSpec(label="iterations", quantity="number", low=0.0, high=float(len(trees))),
            y_axis=AxisSpec(
                label="deviance of fresh cases",
                quantity="number",
                low=least - _BELOW_LEAST * fall,
                high=first + _ABOVE_FIRST * fall,
            ),
            series=tuple(
                SeriesSpec(
                    name=f"shrinkage {curve.shrinkage:g}",
                    series=place,
                    x=trees,
                    y=curve.deviance,
                    low=curve.low if draws > 1 else None,
                    high=curve.high if draws > 1 else None,
                )
                for place, curve in enumerate(curves)
            ),
            definition=(
                "As many fresh cases as train judge after each iteration; every draw has data of "
                "its own. Bands: Student's limits of the mean over draws."
            ),
            headroom=8,
        )

    def make_state(self, depth: float) -> CursorState | None:
        if not self._curves:
            return None
        last = len(self._curves[0].deviance)
        tree = min(last, max(1, round(self.loss_at(depth))))
        lines = tuple(
            ReadingLine(
                name=f"shrinkage {curve.shrinkage:g}",
                value=format_number(float(curve.deviance[tree - 1]), 4),
                series=place,
                is_hidden=f"shrinkage {curve.shrinkage:g}" in self.hidden,
            )
            for place, curve in enumerate(self._curves)
        )
        head = f"iteration {format_count(tree)}"
        return CursorState(x=float(tree), head=head, note="", lines=lines)


class RulesChart(LossChart):
    """Share of the best rule's gain by rule: a point for each data set, the median with limits."""

    _rules: tuple[RuleOutcome, ...] = ()

    def show_rules(self, rules: tuple[RuleOutcome, ...]) -> None:
        """Show other outcomes; none empties the chart."""
        self._rules = rules
        self.refresh()

    def make_spec(self) -> ChartSpec | None:
        rules = self._rules
        if not any(len(rule.share) for rule in rules):
            return None
        shares = np.concatenate([rule.share for rule in rules])
        low = max(-1.0, float(shares.min()) - 0.05)
        return ChartSpec(
            kind="rules_iterations",
            title="What each rule keeps",
            subtitle="share of the best rule's gain; the line is the median, with 95 % limits",
            x_axis=AxisSpec(
                label="rule that chooses the iterations",
                quantity="number",
                low=-0.5,
                high=len(rules) - 0.5,
                words=tuple(rule.method for rule in rules),
            ),
            y_axis=AxisSpec(
                label="share of the best", quantity="percent", low=low, high=1.0, last_tick=1.0
            ),
            series=tuple(_median_line(place, rule) for place, rule in enumerate(rules)),
            points=tuple(_points(place, rule) for place, rule in enumerate(rules)),
            definition=(
                "The fall of the deviance of judging cases against a constant, over that of the "
                "best of the four rules in the same draw; a point is the mean over a data set's "
                "draws. Limits of the median: data sets and their draws drawn anew."
            ),
            headroom=8,
        )

    def make_state(self, depth: float) -> CursorState | None:
        rules = self._rules
        if not rules:
            return None
        place = min(len(rules) - 1, max(0, round(self.loss_at(depth))))
        rule = rules[place]
        values = (
            ("median", f"{format_share(rule.median)} ({_limits(rule)})"),
            ("middle half", _span(rule.quarter, rule.three_quarters)),
            ("mean iterations", format_count(round(rule.trees))),
        )
        lines = tuple(
            ReadingLine(name=name, value=value, series=place, dash=_THROUGH)
            for name, value in values
        )
        return CursorState(x=float(place), head=rule.method, note="", lines=lines)


def _median_line(place: int, rule: RuleOutcome) -> SeriesSpec:
    x = np.array([place - _HALF, place + _HALF])
    has_limits = np.isfinite(rule.low)
    return SeriesSpec(
        name=rule.method,
        series=place,
        x=x,
        y=np.full(2, rule.median),
        low=np.full(2, rule.low) if has_limits else None,
        high=np.full(2, rule.high) if has_limits else None,
        is_chosen=True,
        dash=_THROUGH,
    )


def _points(place: int, rule: RuleOutcome) -> PointsSpec:
    """Points side by side, so that equal ones are seen."""
    count = len(rule.share)
    aside = 0.16 * (np.arange(count) - (count - 1) / 2) / max(1, count - 1)
    return PointsSpec(name=rule.method, series=place, x=place + aside, y=rule.share, size=5.0)


def _limits(rule: RuleOutcome) -> str:
    return _span(rule.low, rule.high)


def _span(low: float, high: float) -> str:
    return f"{format_share(low)} – {format_share(high)}"
