"""What is shown of the ways to turn a model's scores into chances."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.decisions.words import METHOD_WORDS
from core.document.model import ChanceMethod
from core.document.results import Estimate
from core.document.studies.compare import ChancesOption, ChancesResult
from core.document.wording import NumberText, format_interval, format_number, format_share
from core.presentation.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.labels import Labels
from core.presentation.table import Cell, Table
from core.presentation.view import View

_SERIES = {None: 3, ChanceMethod.LOGISTIC: 0, ChanceMethod.ISOTONIC: 1, ChanceMethod.BANDS: 2}
_WAYS = {
    None: "as they stand in the file",
    ChanceMethod.LOGISTIC: "logistic: a smooth curve",
    ChanceMethod.ISOTONIC: "isotonic: any rising curve",
    ChanceMethod.BANDS: "by bands: the share in each",
}


def ways_to_chances(answer: ChancesResult, labels: Labels) -> View:
    """Every way with how true its chances come, and a chart of each; the best one first."""
    del labels  # ways have their own names
    said = (
        f"Fitted to the outcomes of {answer.rows.text}. Each of these rows gets "
        "its chance from folds that "
        "do not contain it; new cases get theirs from the curve that all rows made. The "
        f"score puts {format_share(answer.area)} of the pairs right."
    )
    title = f"Chances from scores, {answer.model}"
    parts = tuple(
        View(title=title, sentences=(said,), charts=(_fitted_chart(answer, place),))
        for place in range(len(answer.options))
    )
    return View(
        key=answer.model,
        title=title,
        sentences=(said,),
        tables=(
            Table(
                columns=("Way", "Log loss", "Brier score", ""),
                rows=tuple(
                    _way_row(option, is_best=place == answer.best)
                    for place, option in enumerate(answer.options)
                ),
                name="Ways to chances",
            ),
        ),
        charts=parts[answer.best].charts,
        notes=answer.warnings,
        by_row=parts,
    )


def _method(option: ChancesOption) -> ChanceMethod | None:
    return option.spec.method if option.spec is not None else None


def _way_row(option: ChancesOption, *, is_best: bool) -> tuple[Cell, ...]:
    figures = (_figure_cell(value, is_best=is_best) for value in (option.log_loss, option.brier))
    mark = Cell(text="comes true best" if is_best else "", role="quiet", is_left=True)
    return (Cell(text=_WAYS[_method(option)], is_left=True), *figures, mark)


def _figure_cell(estimate: Estimate, *, is_best: bool) -> Cell:
    """A value with its interval; the reason where it has none."""
    text, ends = format_number(estimate.value, 4), (estimate.low, estimate.high)
    if math.isfinite(estimate.value):
        text = NumberText(f"{text}  ({format_interval(*ends, 4)})", estimate.value, *ends)
    return Cell(text=text, is_bold=is_best, exact=estimate.note)


def _fitted_chart(answer: ChancesResult, chosen: int) -> Chart:
    """Groups of cases by chance; on the diagonal chances come true. All by other folds."""
    top = max(float(np.max([o.said.max(), o.seen.max()])) for o in answer.options)
    end = min(1.0, 1.08 * max(top, 0.01))
    axis = AxisSpec(label="chance said", quantity="percent", low=0.0, high=end)
    return Chart(
        kind="fitted chances",
        title="Do the chances come true?",
        subtitle="cross-fitted, ten groups of equal size",
        x_axis=axis,
        y_axis=replace(axis, label="share that happened"),
        series=tuple(
            _way_line(option, is_chosen=place == chosen)
            for place, option in enumerate(answer.options)
        ),
        baselines=(BaselineSpec(name="exact", x=np.array([0.0, end]), y=np.array([0.0, end])),),
        definition=(
            "Each case has its chance from folds that do not contain it. Cases are cut into "
            "ten groups of equal size by it; equal chances stay together. The band of the "
            "chosen way: 95 % Wilson intervals."
        ),
        rows_text=answer.rows.text,
        headroom=10,
        box_corner="top left",
        rests_at=max(float(option.said.min()) for option in answer.options),
    )


def _way_line(option: ChancesOption, *, is_chosen: bool) -> SeriesSpec:
    method = _method(option)
    return SeriesSpec(
        name=METHOD_WORDS[method] if method is not None else "as they stand",
        series=_SERIES[method],
        x=option.said,
        y=option.seen,
        low=option.low if is_chosen else None,
        high=option.high if is_chosen else None,
        is_chosen=is_chosen,
    )
