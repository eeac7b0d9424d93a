"""What treating the best brings, by depth, with the lines that it is judged by."""

from __future__ import annotations

import math

import numpy as np

from core.document.decisions.chosen_depth import SAME
from core.document.studies.uplift import (
    UpliftModelResult,
    UpliftResult,
)
from core.presentation.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.uplift.words import UpliftWords
from core.presentation.view import View
from payoff.types import FloatArray

WHOLE, LIMITS, OTHER_ROWS = "whole", "limits", "rows"
"""Of the curve: bands of the whole curve, perfect and maximal lines, rows of another use."""


def curve(
    answer: UpliftResult, model: UpliftModelResult, words: UpliftWords, options: tuple[str, ...]
) -> View:
    """Extra units of the outcome if the best n % are treated, one ranking in front."""
    chart = curve_chart(answer, model, words, options)
    return View(
        title=chart.title,
        subtitle=chart.subtitle,
        charts=(chart,),
        notes=(*chart.notes, chart.definition),
    )


def curve_title(words: UpliftWords) -> str:
    """What the chart of the gain is called."""
    return f"Extra {words.units} if the best n % are treated"


def curve_chart(
    answer: UpliftResult, model: UpliftModelResult, words: UpliftWords, options: tuple[str, ...]
) -> Chart:
    """The chart of every ranking's gain by depth."""
    is_whole = WHOLE in options
    series = tuple(
        curve_line(
            entry,
            series=words.series_of(entry.model),
            is_whole=is_whole,
            is_chosen=entry is model,
        )
        for entry in answer.models
    )
    grey, notes = _grey_lines(answer, model, options)
    lines = [line for s in series for line in (s.y, s.low, s.high) if line is not None]
    low, high = tight_extent([*lines, *(entry.y for entry in grey)])
    bands = f"bands {'whole curve' if is_whole else 'each depth'}, 95 %"
    return Chart(
        kind="uplift",
        title=curve_title(words),
        subtitle=f"{answer.rows.text}, {bands}",
        x_axis=AxisSpec(
            label=f"share of {words.cases} treated, highest predicted uplift first",
            quantity="percent",
            low=0.0,
            high=1.0,
            first_word="best cases",
            last_word="all",
        ),
        y_axis=AxisSpec(label=f"Extra {words.units}", quantity="number", low=low, high=high),
        series=series,
        baselines=(*_plain_lines(float(model.incremental[-1])), *grey),
        definition=(
            "Down to a depth, what the treated bring more than the control cases, were all of "
            "these cases treated: the sum of outcomes, each divided by the chance of its arm, "
            "treated less control. Cases of equal score share a straight line."
        ),
        variant=f"generalised, formulas (25) and (26); {bands.replace('bands', 'bands:', 1)}",
        notes=notes,
        rows_text=answer.rows.text,
        headroom=10,
        box_corner="bottom right",
    )


def curve_line(
    model: UpliftModelResult, *, series: int = 0, is_whole: bool = False, is_chosen: bool = False
) -> SeriesSpec:
    """A ranking's gain by depth, exact at its best depth, which lies between drawn points."""
    is_wide = is_whole and bool(np.isfinite(model.low_all).any())
    low, high = (model.low_all, model.high_all) if is_wide else (model.low, model.high)
    best, x = model.choice.depth, model.depth
    lines = [x, model.incremental, low, high]
    if math.isfinite(best) and 0.0 < best < 1.0 and np.abs(x - best).min() >= SAME:
        place = int(np.searchsorted(x, best))
        exact = (best, model.choice.incremental, *(np.interp(best, x, y) for y in (low, high)))
        lines = [np.insert(y, place, at) for y, at in zip(lines, exact, strict=True)]
    return SeriesSpec(
        name=model.model,
        series=series,
        x=lines[0],
        y=lines[1],
        low=lines[2],
        high=lines[3],
        is_chosen=is_chosen,
    )


def gained_at(model: UpliftModelResult, depth: float) -> float:
    """Extra units at a depth, as the chart draws them."""
    line = curve_line(model)
    return float(np.interp(depth, line.x, line.y))


def _plain_lines(end: float) -> tuple[BaselineSpec, BaselineSpec]:
    """Treating at random, and treating nobody."""
    ends = np.array([0.0, 1.0])
    return (
        BaselineSpec(name="at random", x=ends, y=np.array([0.0, end]), label_at=0.4, side="below"),
        BaselineSpec(
            name="nobody",
            x=ends,
            y=np.zeros(2),
            is_dashed=False,
            label_at=1.0,
            side="below",
            needs_margin=True,
        ),
    )


def _grey_lines(
    answer: UpliftResult, model: UpliftModelResult, options: tuple[str, ...]
) -> tuple[tuple[BaselineSpec, ...], tuple[str, ...]]:
    """Lines that are asked for, and what each of them is."""
    lines, notes = [], []
    for entry in answer.references if LIMITS in options else ():
        is_perfect = entry.key == "perfect"
        lines.append(
            BaselineSpec(
                name="perfect" if is_perfect else "maximal, nobody put off",
                x=entry.depth,
                y=entry.incremental,
                is_dashed=False,
                label_at=0.5 if is_perfect else 0.62,
            )
        )
        notes.append(curve_note(entry.key))
    other = model.other
    if OTHER_ROWS in options and other is not None:
        lines.append(
            BaselineSpec(
                name=f"{model.model} on {row_use_name(other.use)}",
                x=other.depth,
                y=other.incremental,
                is_dashed=False,
                label_at=0.72,
                side="below",
                needs_margin=True,
            )
        )
        notes.append(curve_note(other.use))
    return tuple(lines), tuple(notes)


def row_use_name(use: str) -> str:
    """Rows of a use: training rows, validation rows, test rows."""
    names = {"train": "training rows", "validation": "validation rows", "test": "test rows"}
    return names[use]


def curve_note(key: str) -> str:
    """What a grey line is."""
    if key == "perfect":
        return (
            "Perfect: treated with the outcome first, control cases with it last. It reads the "
            "outcome, so no model reaches it; scikit-uplift's perfect Qini curve times N / |T|."
        )
    if key == "maximal":
        return (
            "Maximal: what is to be expected at best if the treatment puts nobody off. Those whom "
            "it moves are as large a share as the effect of all, and come first; scikit-uplift's "
            "negative_effect=False, on depths of both arms."
        )
    return (
        f"On {row_use_name(key)}: the same ranking there, scaled to as many cases. Tight "
        "validation (Radcliffe) is where both curves agree."
    )


def tight_extent(lines: list[FloatArray]) -> tuple[float, float]:
    """Ends of the axis that hold all lines; a dip of 3 % below zero earns no room of its own."""
    values = np.concatenate([line[np.isfinite(line)] for line in lines] or [np.zeros(1)])
    low, high = min(0.0, float(values.min(initial=0.0))), float(values.max(initial=0.0))
    if high <= low:
        return -1.0, 1.0
    return (low if low < -0.03 * high else 0.0), max(high, 0.0)
