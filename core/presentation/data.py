"""What page Data shows of one column: facts, frequent values, and its values by outcome."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from core.document.data.results import ColumnDetail, ColumnSummary
from core.document.wording import NBSP, NumberText, format_count, format_number, format_share
from core.presentation.charts.chart import AxisSpec, BarsSpec, Chart
from core.presentation.labels import Labels, word_with_code
from core.presentation.view import Table, View
from payoff.types import FloatArray

SHOWN_LEVELS = 5
FREQUENT = 0.005  # of the rows: below this a value is not worth naming
_MARGIN = 0.84  # of a bin that its bars take
_BELOW = "below "
_LEVEL, _LINE = 0.65, 17  # of the highest bar, below which a corner is free; pixels

KIND_WORDS: dict[str, str] = {
    "integer": "whole number",
    "number": "number",
    "text": "text",
    "boolean": "yes or no",
    "date": "date",
}


def column_by_class(answer: ColumnDetail, labels: Labels) -> View:
    """A column at a glance, and how its values lie in each class of the outcome."""
    column = answer.summary
    facts = Table(columns=("Fact", "Value"), rows=column_facts(column), right=(1,), name="Facts")
    frequent = frequent_levels(column)
    levels = Table(
        columns=("Most frequent", "Rows", "Share"), rows=frequent, right=(1, 2), name="Values"
    )
    return View(
        key=column.name,
        title=column.name,
        tables=(facts, levels) if frequent else (facts,),
        charts=(_class_chart(answer, labels),),
    )


# ---------------------------------------------------------------- by outcome


def _class_chart(answer: ColumnDetail, labels: Labels) -> Chart:
    """For each bin the share of each class that falls into it."""
    shares = np.nan_to_num(np.atleast_2d(np.asarray(answer.by_level, dtype=float)))
    names = tuple(labels.level(level) for level in answer.levels)
    width = _MARGIN / max(1, len(names))
    places = np.arange(len(answer.bins), dtype=np.float64)
    words = f"Shares, by {labels.outcome}" if labels.levels else "All rows"
    return Chart(
        kind="column by class",
        title=f"{words}, where {labels.where}" if labels.where else words,
        subtitle="",
        x_axis=AxisSpec(
            label="",
            quantity="number",
            low=-0.5,
            high=len(answer.bins) - 0.5,
            words=_bin_words(labels.values(answer.summary.name, answer.bins)),
        ),
        y_axis=AxisSpec(
            label="", quantity="percent", low=0.0, high=float(shares.max(initial=0.0)) or 1.0
        ),
        bars=tuple(
            BarsSpec(
                name=name,
                series=-1 if (at, len(names)) == (1, 2) else at,  # one other class is grey
                x=places,
                y=shares[at],
                offset=(at - (len(names) - 1) / 2) * width,
                width=0.94 * width,
            )
            for at, name in enumerate(names)
        ),
        definition=(
            "Within each class of the outcome, the share of its cases that falls into each "
            "group of values. Bars that differ between the classes show that the column "
            "tells them apart."
        ),
        variant="height = cases of the class in the group ÷ cases of the class",
        headroom=_headroom(shares),
        rests_at=0.0,
    )


def _headroom(shares: FloatArray) -> int:
    """Pixels above the bars: where they leave no corner to the read-out, it stands above them."""
    highest = shares.max(axis=0, initial=0.0)
    side = -(-2 * len(highest) // 5)
    least = min(highest[:side].max(initial=0.0), highest[len(highest) - side :].max(initial=0.0))
    is_level = least > _LEVEL * highest.max(initial=0.0)
    return 10 + (_LINE * (len(shares) + 1) if is_level else 0)


def _bin_words(bins: tuple[str, ...]) -> tuple[str, ...]:
    """Bins of numbers with as many decimals as tell their ends apart; others as named."""
    if not bins or not bins[0].startswith(_BELOW):
        return bins
    try:
        cuts = [float(bins[0].removeprefix(_BELOW))]
        cuts += [float(words.partition(" to ")[2]) for words in bins[1:-1]]
    except ValueError:
        return bins
    span = cuts[-1] - cuts[0]
    decimals = max(0, min(6, 2 - math.floor(math.log10(span)))) if span > 0 else 2
    ends = [format_number(cut, decimals) for cut in cuts]
    middle = (f"{low} to {high}" for low, high in pairwise(ends))
    return f"{_BELOW}{ends[0]}", *middle, f"{ends[-1]} and more"


# ---------------------------------------------------------------- at a glance


def column_facts(column: ColumnSummary) -> tuple[tuple[str, str], ...]:
    """Captions and values that describe a column."""
    distinct = "many" if column.distinct < 0 else format_count(column.distinct)
    missing = NumberText(
        f"{format_count(column.missing)} ({format_share(missing_share(column))})", column.missing
    )
    facts = [("In words", column.label)] if column.label else []
    facts += [
        ("Kind", KIND_WORDS.get(column.kind, column.kind)),
        ("Different values", distinct),
        ("Missing", missing),
    ]
    if column.mean is not None:
        facts += [
            ("Mean", value_words(column.mean)),
            ("Standard deviation", value_words(column.standard_deviation)),
        ]
    if column.minimum is not None and column.maximum is not None:
        ends = column.minimum, column.maximum
        span = f"{value_words(ends[0])}{NBSP}…{NBSP}{value_words(ends[1])}"
        facts.append(("Smallest … largest", NumberText(span, *ends)))
    return tuple(facts)


def frequent_levels(column: ColumnSummary) -> tuple[tuple[str, str, str], ...]:
    """The most frequent values with rows and share; none where none is worth naming."""
    if not column.levels:
        return ()
    is_listed = 0 <= column.distinct <= len(column.levels)
    if not is_listed and column.levels[0][1] < FREQUENT * column.rows:
        return ()
    rows = max(1, column.rows)
    return tuple(
        (code_words(column, level) or "(empty)", format_count(count), format_share(count / rows))
        for level, count in column.levels[:SHOWN_LEVELS]
    )


def code_words(column: ColumnSummary, code: str) -> str:
    """A code with the file's word for it: "North (1)"."""
    return word_with_code(dict(column.value_labels).get(code, ""), code)


def missing_share(column: ColumnSummary) -> float:
    """Share of rows without a value."""
    return column.missing / column.rows if column.rows else 0.0


def missing_words(column: ColumnSummary) -> str:
    """ "no gaps", "2.1 % missing"."""
    return f"{format_share(missing_share(column))} missing" if column.missing else "no gaps"


def value_words(value: float | None) -> str:
    """A value of a column at a glance, with about four digits."""
    if value is None:
        return ""
    size = abs(value)
    if size >= 1000 or float(value).is_integer():
        return format_number(value, 0)
    return format_number(value, 4 if size < 0.1 else 3 if size < 10 else 1)
