"""What the two studies of boosting show: error by iterations, and what each rule keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.document.experiments.results import (
    SHRINKAGE,
    IterationResult,
    RuleOutcome,
    ShrinkageCurve,
)
from core.document.wording import NumberText, format_count, format_number, format_share
from core.presentation.charts.chart import AsideSpec, AxisSpec, Chart, PointsSpec, SeriesSpec
from core.presentation.labels import Labels
from core.presentation.view import Table, View
from payoff.counting import counted, counted_of

_ABOVE_FIRST = 0.02  # room above the first deviance, as a share of the fall
_BELOW_LEAST = 0.05
_HALF = 0.3  # half of the width that a rule's median takes


def study_title(study: str) -> str:
    """What a study of boosting is called."""
    if study == SHRINKAGE:
        return "Shrinkage against iterations"
    return "Which rule finds the number of iterations?"


def iterations(answer: IterationResult, labels: Labels) -> View:
    """The draws so far: a chart of each data set, or one of all rules, and their table."""
    del labels
    names = dict.fromkeys(curve.data for curve in answer.curves)
    charts = [
        shrinkage_chart(tuple(curve for curve in answer.curves if curve.data == name))
        for name in names
    ]
    if any(len(rule.share) for rule in answer.rules):
        charts.append(rules_chart(answer.rules))
    is_shrinkage = answer.study == SHRINKAGE
    table = shrinkage_table(answer.curves) if is_shrinkage else rules_table(answer.rules)
    done = counted_of(answer.done, answer.wanted, "draw", "draws of data", verbs="is/are")
    return View(
        key=answer.study,
        title=study_title(answer.study),
        sentences=(f"{done} done.",),
        tables=(replace(table, name=study_title(answer.study)),),
        charts=tuple(charts),
    )


def shrinkage_chart(curves: tuple[ShrinkageCurve, ...]) -> Chart:
    """Deviance of fresh cases by iterations, a line for each shrinkage, with bands over draws."""
    trees = np.arange(1.0, len(curves[0].deviance) + 1.0)
    first = max(float(curve.deviance[0]) for curve in curves)
    least = min(float(curve.deviance.min()) for curve in curves)
    fall = (first - least) or 1.0
    draws = curves[0].draws
    words = "one draw" if draws == 1 else f"mean of {counted(draws, 'draw')}, 95 % bands"
    return Chart(
        kind="shrinkage_iterations",
        title=curves[0].data,
        subtitle=words,
        x_axis=AxisSpec(
            label="iterations",
            quantity="number",
            low=0.0,
            high=float(len(trees)),
            counts=("iteration", "iterations"),
        ),
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


def rules_chart(rules: tuple[RuleOutcome, ...]) -> Chart:
    """Share of the best rule's gain by rule: a point for each data set, the median with limits."""
    shares = np.concatenate([rule.share for rule in rules])
    low = max(-1.0, float(shares.min()) - 0.05)
    return Chart(
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
        asides=_rule_asides(rules),
    )


def _rule_asides(rules: tuple[RuleOutcome, ...]) -> tuple[AsideSpec, ...]:
    """What is read of a rule."""
    places = np.arange(len(rules), dtype=np.float64)
    described: dict[str, Sequence[str]] = {
        "median": [f"{format_share(r.median)} ({_span(r.low, r.high)})" for r in rules],
        "middle half": [_span(r.quarter, r.three_quarters) for r in rules],
        "mean iterations": [format_count(round(r.trees)) for r in rules],
    }
    return tuple(
        AsideSpec(name=name, x=places, texts=tuple(texts)) for name, texts in described.items()
    )


def _median_line(place: int, rule: RuleOutcome) -> SeriesSpec:
    has_limits = np.isfinite(rule.low)
    return SeriesSpec(
        name=rule.method,
        series=place,
        x=np.array([place - _HALF, place + _HALF]),
        y=np.full(2, rule.median),
        low=np.full(2, rule.low) if has_limits else None,
        high=np.full(2, rule.high) if has_limits else None,
        is_chosen=True,
        dash=(),
    )


def _points(place: int, rule: RuleOutcome) -> PointsSpec:
    """Points side by side, so that equal ones are seen."""
    count = len(rule.share)
    aside = 0.16 * (np.arange(count) - (count - 1) / 2) / max(1, count - 1)
    return PointsSpec(name=rule.method, series=place, x=place + aside, y=rule.share, size=5.0)


def _span(low: float, high: float) -> NumberText:
    return NumberText(f"{format_share(low)} – {format_share(high)}", low, high)


def _count_span(low: float, high: float) -> NumberText:
    return NumberText(f"{format_count(low)} – {format_count(high)}", low, high)


def shrinkage_table(curves: tuple[ShrinkageCurve, ...]) -> Table:
    """A row for each data set and shrinkage: the best iteration and the deviance there."""
    columns = (
        "Data",
        "Shrinkage",
        "Best iteration",
        "over draws",
        "Deviance there",
        "95 % limits",
    )
    rows = []
    for curve in curves:
        last = len(curve.deviance)
        best: str = format_count(round(curve.best))
        if curve.best >= last:
            best = f"not yet at {format_count(last)}"
        limits: str = "–"
        if curve.draws > 1:
            low, high = curve.least_low, curve.least_high
            words = f"{format_number(low, 4)} – {format_number(high, 4)}"
            limits = NumberText(words, low, high)
        rows.append(
            (
                curve.data,
                NumberText(f"{curve.shrinkage:g}", curve.shrinkage),
                best,
                _count_span(curve.best_low, curve.best_high),
                format_number(curve.least, 4),
                limits,
            )
        )
    return Table(columns=columns, rows=tuple(rows), right=tuple(range(1, 6)))


def rules_table(rules: tuple[RuleOutcome, ...]) -> Table:
    """A row for each rule: the median with its limits, the middle half, the iterations."""
    columns = (
        "Rule",
        "Median share of the best",
        "95 % limits",
        "Middle half",
        "Mean iterations",
    )
    rows = tuple(
        (
            rule.method,
            format_share(rule.median),
            _span(rule.low, rule.high),
            _span(rule.quarter, rule.three_quarters),
            format_count(round(rule.trees)),
        )
        for rule in rules
    )
    return Table(columns=columns, rows=rows, right=tuple(range(1, 5)))
