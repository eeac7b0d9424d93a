"""What the power of a paired comparison says in plain words: for every door alike."""

from __future__ import annotations

import math

from core.document.compare.metric_words import metric_value
from core.document.plugin_results import MetricInfo
from core.document.studies.power import PairPower
from core.document.wording import (
    UNDEFINED,
    format_count,
    format_money,
    format_number,
    format_share,
    money_decimals,
)

MOST = 1e12
"""Beyond so many, cases needed are not counted out."""

WHOLE = 100.0
"""From here on amounts have no cents: they are estimates."""


def amount_words(info: MetricInfo, value: float, currency: str) -> str:
    """A difference of a figure, without its sign, with two digits that say something."""
    size = abs(value)
    if not math.isfinite(size):
        return UNDEFINED
    if info.unit == "percent":
        points = format_number(100.0 * size, _decimals(100.0 * size, info.decimals))
        return f"{points} points"
    if info.unit == "money":
        places = 0 if size >= WHOLE else _decimals(size, 2) if size < 1 else money_decimals(size)
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
    return f"{pair.first if is_first else pair.second} by {size}"


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
    head = f"{info.title}, {pair.first} against {pair.second}: "
    here = f"these {format_count(cases)} {case_words[1]}"
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
