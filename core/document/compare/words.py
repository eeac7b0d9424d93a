"""The words of page Compare for every door.

How figures of metrics are written: values, differences and intervals, for window and report.

How rows of the data are called, and what a model has seen of them.

What the power of a paired comparison says in plain words: for every door alike.
"""

from __future__ import annotations

import math

from core.document.data.model import RowUse
from core.document.data.row_defaults import has_fold_rows
from core.document.model import Document
from core.document.plugin_results import MetricInfo
from core.document.results import SeenRows
from core.document.studies.compare import PairPower
from core.document.wording import (
    UNDEFINED,
    NumberText,
    estimate_decimals,
    format_count,
    format_interval,
    format_money,
    format_number,
    format_share,
    name_in_text,
)
from payoff.counting import counted

POINTS = " points"
"""Of a difference of percentages."""


def metric_value(info: MetricInfo, value: float) -> NumberText:
    """A metric's value in its unit and decimals."""
    if info.unit == "percent":
        return format_share(value, info.decimals)
    if info.unit == "money":
        return format_money(value, "", decimals=info.decimals)
    return format_number(value, info.decimals)


def signed_metric(info: MetricInfo, value: float) -> NumberText:
    """A difference of a metric, with its sign; of percentages in points."""
    text = difference_size(info, value)
    return NumberText(f"+{text}" if value > 0 else text, value)


def difference_size(info: MetricInfo, value: float) -> NumberText:
    """A difference of a metric: 3.9 % less 2.0 % is 1.9 points."""
    if info.unit == "percent":
        return NumberText(format_number(100 * value, info.decimals) + POINTS, value)
    return metric_value(info, value)


def difference_interval(info: MetricInfo, low: float, high: float) -> NumberText:
    """An interval of a difference: "0.012 to 0.032", "2.1 to 5.7 points"."""
    if info.unit == "percent":
        words = format_interval(100 * low, 100 * high, info.decimals) + POINTS
        return NumberText(words, low, high)
    return metric_interval(info, low, high)


def metric_interval(info: MetricInfo, low: float, high: float) -> NumberText:
    """An interval of a metric: "0.012 to 0.032"."""
    if info.unit == "percent":
        words = f"{format_number(100 * low, info.decimals)} to {metric_value(info, high)}"
        return NumberText(words, low, high)
    return format_interval(low, high, info.decimals)


_USES = {
    RowUse.TRAIN: "Training",
    RowUse.VALIDATION: "Validation",
    RowUse.TEST: "Test",
    RowUse.TO_DECIDE: "To decide",
    RowUse.ALL: "All rows",
}
_HOW = {
    "trained": "flattering: trained here",
    "stopped": "flattering: stopped here",
    "chosen": "flattering: chosen here",
    "folds": "judged by folds that did not see them",
    "fitted": "chances cross-fitted here",
}


def use_words(use: RowUse, document: Document | None = None) -> str:
    """A use of rows, as the selector says it; training rows judged by folds say so."""
    if use is RowUse.TRAIN and document is not None and has_fold_rows(document):
        return "Out-of-fold (training)"
    return _USES[use]


def flattering_words(
    model: str, seen: tuple[SeenRows, ...], *, only_flattering: bool = True
) -> str:
    """What a model has seen of the rows it is judged on: "flattering: stopped here"."""
    found = [
        f"{_HOW[entry.how]} ({counted(entry.rows, 'row')})"
        for entry in seen
        if entry.model == model and (entry.is_flattering or not only_flattering)
    ]
    return ", ".join(found)


MOST = 1e12
"""Beyond so many, cases needed are not counted out."""


def amount_words(info: MetricInfo, value: float, currency: str) -> str:
    """A difference of a figure, without its sign, with two digits that say something."""
    size = abs(value)
    if not math.isfinite(size):
        return UNDEFINED
    if info.unit == "percent":
        points = format_number(100.0 * size, _decimals(100.0 * size, info.decimals))
        return f"{points} points"
    if info.unit == "money":
        places = _decimals(size, 2) if size < 1 else estimate_decimals(size)
        return format_money(size, currency, decimals=places)
    return (
        metric_value(info, size)
        if size == 0
        else format_number(size, _decimals(size, info.decimals))
    )


def _decimals(size: float, usual: int) -> int:
    """The usual decimals, more where they would leave fewer than two digits."""
    if size == 0:
        return usual
    return max(usual, min(12, 1 - math.floor(math.log10(size))))


def needed_words(pair: PairPower) -> str:
    """How many cases a difference needs: "9,120", or that no number of them is enough."""
    needed = pair.cases_needed
    if math.isnan(needed):
        return UNDEFINED
    return format_count(needed) if needed < MOST else "over a trillion"


def lead_words(pair: PairPower, info: MetricInfo, currency: str) -> str:
    """Who is ahead in the observed figures, and by how much."""
    value = pair.observed.value
    if not math.isfinite(value):
        return UNDEFINED
    size = amount_words(info, value, currency)
    if value == 0:
        return "no difference"
    if info.direction == "none":
        return size
    is_first = (value > 0) is (info.direction == "higher")
    return f"{name_in_text(pair.first if is_first else pair.second)} by {size}"


def power_sentences(
    pair: PairPower,
    info: MetricInfo,
    *,
    cases: int,
    power: float,
    currency: str,
    case_words: tuple[str, str],
) -> str:
    """What the cases could show of two models, and how many would show the difference asked for."""
    head = f"{info.title}, {name_in_text(pair.first)} against {name_in_text(pair.second)}: "
    here = f"these {counted(cases, *case_words)}"
    if math.isnan(pair.smallest):
        return f"{head}{pair.observed.note}"
    limit = amount_words(info, pair.smallest, currency)
    text = f"{head}with {here} a difference of less than {limit} would usually go unnoticed."
    if pair.difference == 0:
        return f"{text} They show none."
    requested = amount_words(info, pair.difference, currency)
    more = f"about {needed_words(pair)} such {case_words[1]}"
    if not math.isnan(pair.power):
        found = format_share(pair.power, 0)
        text += f" One of {requested} would be found with a chance of {found}"
        return f"{text}; to find it with a chance of {format_share(power, 0)} takes {more}."
    text += f" The one observed is {requested}"
    if pair.cases_needed > cases:
        return f"{text}: if it is real, {more} would usually show it."
    return f"{text}, more than that."
