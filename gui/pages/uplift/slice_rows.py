"""Rows of the tab Slices of page Uplift: equal slices, their balance, and RATE. No widgets."""

from __future__ import annotations

import math

from core.document.studies.uplift_further import (
    ModelSlices,
    RankingSlices,
    RateFigure,
    SlicesResult,
)
from core.document.wording import format_count, format_interval, format_number, format_p_value
from gui.pages.decide.figure_table import Figure, FigureRows
from gui.pages.uplift.words import UpliftWords, points
from payoff.counting import counted
from payoff.intervals import NORMAL_95


def slice_rows(result: SlicesResult, model: str, words: UpliftWords) -> FigureRows:
    """A row a slice, best first, then the weighted average and the rank-weighted effects."""
    entry = slices_of(result, model)
    header = (
        "Slice",
        "Share %",
        "Band, 95 %",
        "Treated",
        "Control",
        "Uplift",
        "Error",
    )
    if entry is None:
        return FigureRows(header=header, rows=())
    rows = [_slice_row(entry, place, words) for place in range(len(entry.slices.uplift))]
    rows.append(_average_row(entry.slices, words))
    rows += [_rate_row(figure, result, words) for figure in entry.rates]
    return FigureRows(header=header, rows=tuple(rows))


def slices_of(result: SlicesResult, model: str) -> ModelSlices | None:
    """The slices of one model; None where it is not among them."""
    return next((entry for entry in result.models if entry.model == model), None)


def _slice_row(entry: ModelSlices, place: int, words: UpliftWords) -> tuple[Figure, ...]:
    slices, balance = entry.slices, entry.balance
    treated, control = slices.treated[place], slices.control[place]
    low, high = balance.low[place], balance.high[place]
    share, uplift = float(balance.share[place]), float(slices.uplift[place])
    error = float(slices.standard_error[place])
    is_inside = bool(low <= share <= high)
    name = format_count(place + 1)
    if place in (0, len(slices.uplift) - 1):
        name += f" ({'best' if place == 0 else 'last'})"
    exact = (
        f"{format_count(treated)} treated, {format_count(control)} control; mean score "
        f"{slices.mean_score[place]:.4g}"
    )
    is_clear = math.isfinite(uplift) and abs(uplift) > NORMAL_95 * error
    effect = uplift_interval(uplift, error, words)
    return (
        Figure(text=name, is_left=True, exact=exact),
        Figure(
            text=f"{'' if is_inside else '⚠ '}{points(share, 1)}",
            role="text" if is_inside else "loss",
            exact=exact,
        ),
        Figure(text=format_interval(100 * low, 100 * high, 1), role="quiet", exact=exact),
        Figure(text=_mean(float(slices.rate_treated[place]), words), exact=exact),
        Figure(text=_mean(float(slices.rate_control[place]), words), role="quiet", exact=exact),
        Figure(text=_level(uplift, words), is_bold=is_clear, exact=effect),
        Figure(text=_level(error, words), role="quiet", exact=effect),
    )


def _average_row(slices: RankingSlices, words: UpliftWords) -> tuple[Figure, ...]:
    exact = "Uplift of the slices, weighted by their treated cases; "
    exact += uplift_interval(slices.weighted_average, slices.weighted_error, words)
    return _further(
        "Weighted average", exact, slices.weighted_average, slices.weighted_error, words
    )


def _rate_row(figure: RateFigure, result: SlicesResult, words: UpliftWords) -> tuple[Figure, ...]:
    rate = figure.rate
    exact = f"{figure.tool}: {figure.formula}; "
    exact += (
        f"{uplift_interval(rate.value, rate.standard_error, words)}, "
        f"{format_p_value(rate.p_value)}; Poisson resamples: {format_count(result.draws)}"
    )
    return _further(f"RATE: {figure.name}", exact, rate.value, rate.standard_error, words)


def _further(
    name: str, exact: str, value: float, error: float, words: UpliftWords
) -> tuple[Figure, ...]:
    """A row of an effect alone: share, band and both arms stay blank."""
    return (
        Figure(text=name, is_left=True, exact=exact),
        *[Figure(text="")] * 4,
        Figure(text=_level(value, words), is_bold=abs(value) > NORMAL_95 * error, exact=exact),
        Figure(text=_level(error, words), role="quiet", exact=exact),
    )


def _level(value: float, words: UpliftWords) -> str:
    return points(value) if words.is_binary else format_number(value, 3)


def _mean(value: float, words: UpliftWords) -> str:
    return points(value, 1) if words.is_binary else format_number(value, 2)


def uplift_interval(value: float, error: float, words: UpliftWords) -> str:
    """ "1.20 (95 %: 0.31 to 2.09)" in the units of the page."""
    scale, decimals = (100.0, 2) if words.is_binary else (1.0, 3)
    ends = format_interval(
        scale * (value - NORMAL_95 * error), scale * (value + NORMAL_95 * error), decimals
    )
    return f"{_level(value, words)} (95 %: {ends})"


def slice_words(result: SlicesResult, model: str, words: UpliftWords) -> str:
    """RATE with its error, and whether a slice leaves its band, in words."""
    entry = slices_of(result, model)
    if entry is None:
        return ""
    autoc = entry.rates[0].rate
    said = [
        "RATE (AUTOC): {}, standard error {}, {}.".format(
            _level(autoc.value, words) + (f" {'points'}" if words.is_binary else ""),
            _level(autoc.standard_error, words),
            format_p_value(autoc.p_value),
        )
    ]
    balance = entry.balance
    outside = int(((balance.share < balance.low) | (balance.share > balance.high)).sum())
    if outside:
        said.append(f"The share treated leaves its band in {counted(outside, 'slice')}.")
    return " ".join((*said, *result.warnings))
