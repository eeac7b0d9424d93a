"""Whether numbers rank an event as its chances would, against it, or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.levels import printed
from core.data.probabilities import decimals_of
from core.data.profile.summary import as_float
from core.data.roles.names import has_word, split_score_name
from core.data.roles.words import MODELLED_WORDS, PREDICTION_WORDS, RATIO_WORDS, RISK_WORDS
from core.document.data.results import ColumnSummary
from core.document.model import TargetSpec
from payoff.types import BoolArray, FloatArray

PREVIEW_ROWS = 50_000
_RANKED_ROWS = 5_000
_FIRST_ROWS = 1_000  # that show of most columns that they are no places
_SURE = 3.0  # standard errors by which scores must run against the event to be read so
_FEWEST_GROUPS, _IN_GROUP, _FEWEST_PLACED = 3, 4, 20  # groups, cases in each and in all
_MOSTLY = 0.99  # of the rows, for a column to name the class with the highest chance
_SOME = 0.05  # of the rows, for shares among per cent; and of the ROC area that it costs
_VERY_CLEAR = 0.7  # ROC area from which points show that a column of two values is the outcome
CLEAR = 0.6  # ROC area from which a column of numbers from 0 to 1 is taken as a chance


def looks_like_probability(
    table: pa.Table, column: ColumnSummary, outcome: str, event: str
) -> bool:
    """Whether numbers from 0 to 1 rank the event and are about as large as it is frequent.

    Numbers up to 100 are percentages where the name says chance. What is called a rate or a ratio
    is none: an interest rate ranks defaults just so.

    Parameters
    ----------
    table : pyarrow.Table
    column : ColumnSummary
        Its values.
    outcome, event : str
        The outcome's column and the printed form of its event; two classes.
    """
    low, high = column.minimum, column.maximum
    one = 100.0 if high is not None and high > 1.0 and _may_be_in_percent(column, outcome) else 1.0
    is_number = column.kind == "number" or (column.kind == "integer" and one > 1.0)
    if not is_number or low is None or high is None or low < 0.0 or high > one:
        return False
    if 0 <= column.distinct <= 10 or has_word(column.name, RATIO_WORDS):
        return False
    probability, is_event = with_events(table, column.name, outcome, event)
    area = _area(probability, is_event)
    share = float(is_event.mean()) if len(is_event) else 0.0
    is_as_large = len(probability) > 0 and is_near(float(probability.mean()) / one, share)
    return bool(area is not None and area >= CLEAR and is_as_large)


def _may_be_in_percent(column: ColumnSummary, outcome: str) -> bool:
    """Whether numbers up to 100 may be chances: by a sign of percent, or words for a model."""
    if split_score_name(column.name, (), outcome) is not None or "%" in column.name:
        return True
    return has_word(column.name, (*PREDICTION_WORDS, *MODELLED_WORDS, *RISK_WORDS))


def could_be_probability(
    table: pa.Table,
    column: ColumnSummary,
    outcome: ColumnSummary,
    guess_event: Callable[[dict[str, int], str], tuple[str, str]],
) -> bool:
    """Whether numbers look like chances of either of an outcome's two values.

    Parameters
    ----------
    table : pyarrow.Table
    column : ColumnSummary
        The numbers'.
    outcome : ColumnSummary
        Of two values.
    guess_event : callable
        (rows by value, name) to the value that would be the event, and why.
    """
    event, _ = guess_event(dict(outcome.levels), outcome.name)
    return any(
        looks_like_probability(table, column, outcome.name, level)
        for level in sorted((level for level, _ in outcome.levels), key=lambda v: v != event)
    )


def is_place(table: pa.Table, column: ColumnSummary, score: str) -> bool:
    """Whether a column is a case's place by a score: its rank, or one of a few groups.

    Groups are three or more that never mix in the order of the score, each of many cases and fewer
    than half as many as there are scores: of what alone makes a score, there are as many values.

    Parameters
    ----------
    table : pyarrow.Table
    column : ColumnSummary
        Of numbers or texts.
    score : str
        A column of numbers.
    """
    if column.kind not in ("number", "integer", "text") or not column.distinct >= _FEWEST_GROUPS:
        return False
    if _in_order(*_side_by_side(table, column, score, _FIRST_ROWS), column) is None:
        return False  # most columns; of wide tables there are many
    scores, places = _side_by_side(table, column, score)
    groups, levels = len(np.unique(places)), len(np.unique(scores))
    if groups < _FEWEST_GROUPS or len(scores) < _FEWEST_PLACED:
        return False
    ordered = _in_order(scores, places, column)
    are_few = 2 * groups < levels and _IN_GROUP * groups <= len(scores)
    return ordered is not None and (are_few or (column.kind != "text" and _are_even(ordered)))


def _in_order(scores: FloatArray, places: FloatArray, column: ColumnSummary) -> FloatArray | None:
    """Values in the order of a score where they never mix: numbers rise or fall, texts are blocks.

    None where they do. Cases of one score are in whatever order fits.
    """
    ways = (1.0,) if column.kind == "text" else (1.0, -1.0)
    for way in ways:
        ordered = places[np.lexsort((way * places, scores))]
        steps = np.diff(ordered)
        if column.kind == "text":
            is_so = int(np.count_nonzero(steps)) < len(np.unique(places))
        else:
            is_so = bool((steps * way >= 0.0).all())
        if is_so:
            return ordered
    return None


def is_cut(table: pa.Table, column: ColumnSummary, score: str) -> bool:
    """Whether two values are those above and below one point of a score, some cases each."""
    if column.distinct != 2:
        return False
    if _in_order(*_side_by_side(table, column, score, _FIRST_ROWS), column) is None:
        return False
    scores, values = _side_by_side(table, column, score)
    if np.unique(values, return_counts=True)[1].min(initial=len(values)) < _IN_GROUP:
        return False
    order = np.lexsort((values, scores))
    return int(np.count_nonzero(np.diff(values[order]))) == 1


def are_highest(table: pa.Table, column: str, chances: dict[str, str]) -> bool:
    """Whether a column names the class with the highest chance, but for ties.

    Parameters
    ----------
    table : pyarrow.Table
    column : str
    chances : dict
        A class in printed form -> the column of its chances.
    """
    values = table.column(column).slice(0, PREVIEW_ROWS).to_pylist()
    parts = [as_float(table.column(name).slice(0, PREVIEW_ROWS)) for name in chances.values()]
    place = {level: at for at, level in enumerate(chances)}
    named = np.array([place.get(printed(value), -1) for value in values], dtype=np.int64)
    known = (named >= 0) & ~np.isnan(np.sum(parts, axis=0))
    if int(known.sum()) < _FEWEST_PLACED:
        return False
    high = np.max(parts, axis=0)[known]
    own = np.stack(parts)[named[known], np.flatnonzero(known)]
    return bool((own >= high).mean() >= _MOSTLY)


def _side_by_side(
    table: pa.Table, column: ColumnSummary, score: str, rows: int = PREVIEW_ROWS
) -> tuple[FloatArray, FloatArray]:
    """Scores of the first rows and the values of a column beside them, texts by their codes."""
    values = table.column(column.name).slice(0, rows)
    scores = as_float(table.column(score).slice(0, rows))
    if column.kind in ("number", "integer"):
        places = as_float(values)
    else:
        coded = pc.dictionary_encode(values.cast(pa.string())).combine_chunks()
        places = np.asarray(pc.fill_null(coded.indices.cast(pa.float64()), np.nan), np.float64)
    known = ~np.isnan(scores) & ~np.isnan(places)
    return scores[known], places[known]


def ranks_clearly(table: pa.Table, column: str, outcome: ColumnSummary) -> bool:
    """Whether numbers, of any size, tell two values of another column apart, either way round."""
    area = _area(*with_events(table, column, outcome.name, printed(outcome.levels[0][0])))
    return area is not None and max(area, 1.0 - area) >= _VERY_CLEAR


def _are_even(ordered: FloatArray) -> bool:
    """Whether numbers rise or fall by equal steps, but for one place and their own rounding."""
    step = (ordered[-1] - ordered[0]) / (len(ordered) - 1)
    even = ordered[0] + step * np.arange(len(ordered))
    rounding = 0.5 * 10.0 ** -decimals_of(ordered)
    return bool(step and np.abs(ordered - even).max() <= abs(step) + rounding)


def class_area(table: pa.Table, column: str, outcome: str, level: str) -> float:
    """The area under the ROC curve of numbers for one class against all others; 0.5 if undecided.

    Parameters
    ----------
    table : pyarrow.Table
    column : str
        Of numbers.
    outcome, level : str
        The outcome's column, of any number of classes, and the printed form of the class.
    """
    area = _area(*with_events(table, column, outcome, level))
    return 0.5 if area is None else area


def agreement(table: pa.Table, first: str, second: str) -> float:
    """How far two columns of classes agree beyond chance, Cohen's kappa, in the first rows."""
    columns = [table.column(name).slice(0, PREVIEW_ROWS) for name in (first, second)]
    pairs = [
        (printed(one), printed(other))
        for one, other in zip(*(column.to_pylist() for column in columns), strict=True)
        if one is not None and other is not None
    ]
    if not pairs:
        return 0.0
    ones, others = (Counter(side) for side in zip(*pairs, strict=True))
    by_chance = sum(ones[level] * others[level] for level in ones) / len(pairs) ** 2
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    return (agreed - by_chance) / (1.0 - by_chance) if by_chance < 1.0 else 0.0


def is_near(mean: float, share: float, within: float = 2.0) -> bool:
    """Whether chances of this mean may be those of an event of this share, by a factor."""
    return share / within <= mean <= within * share


def are_log_odds(table: pa.Table, column: str, outcome: str, event: str) -> bool:
    """Whether numbers of both signs rank the event, and as log odds are as large as it is frequent.

    Parameters
    ----------
    table : pyarrow.Table
    column : str
        Of numbers.
    outcome, event : str
        The outcome's column and the printed form of its event; two classes.
    """
    values, is_event = with_events(table, column, outcome, event)
    area = _area(values, is_event)
    if area is None or area < CLEAR or not values.min() < 0.0 < values.max():
        return False
    chance = 1.0 / (1.0 + np.exp(-np.clip(values, -50.0, 50.0)))
    return is_near(float(chance.mean()), float(is_event.mean()))


def mixes_scales(table: pa.Table, column: str, outcome: str, event: str) -> bool:
    """Whether chances in per cent rank the event far better with their shares times 100."""
    values, is_event = with_events(table, column, outcome, event, PREVIEW_ROWS)
    are_shares = (values > 0.0) & (values <= 1.0)
    if not _SOME <= float(are_shares.mean()) <= 1.0 - _SOME if len(values) else True:
        return False
    area, scaled = (
        _area(numbers, is_event) for numbers in (values, np.where(are_shares, 100 * values, values))
    )
    return area is not None and scaled is not None and scaled >= max(CLEAR, area + _SOME)


def ranks_against(table: pa.Table, column: str, outcome: str, event: str) -> bool:
    """Whether numbers are clearly lower where the event happened.

    Parameters
    ----------
    table : pyarrow.Table
    column : str
        Of numbers.
    outcome, event : str
        The outcome's column and the printed form of its event; two classes.
    """
    area = _area(*with_events(table, column, outcome, event))
    return area is not None and area <= 1.0 - CLEAR


def is_less_likely(table: pa.Table, column: str, target: TargetSpec) -> bool:
    """Whether events have lower scores, by more than chance would have it, in the first rows."""
    event = printed(target.levels[0])
    score, is_event = with_events(table, column, target.column, event, PREVIEW_ROWS)
    area = _area(score, is_event)
    if area is None:
        return False
    count, others = int(is_event.sum()), int((~is_event).sum())
    error = np.sqrt((count + others + 1) / (12.0 * count * others))
    return bool(area < 0.5 - _SURE * error)


def with_events(
    table: pa.Table, column: str, outcome: str, event: str, rows: int = _RANKED_ROWS
) -> tuple[FloatArray, BoolArray]:
    """The numbers of the first rows where the outcome is known, and which are events."""
    values = as_float(table.column(column).slice(0, rows))
    coded = pc.dictionary_encode(table.column(outcome).slice(0, rows)).combine_chunks()
    codes = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
    events = np.array([printed(form) == event for form in coded.dictionary.to_pylist()], dtype=bool)
    known = ~np.isnan(values) & (codes >= 0)
    return values[known], events[codes[known]]


def _area(probability: FloatArray, is_event: BoolArray) -> float | None:
    """The area under the ROC curve; None with fewer than five cases of a class."""
    count, others = int(is_event.sum()), int((~is_event).sum())
    if min(count, others) < 5:
        return None
    rank = np.empty(len(probability))
    order = np.argsort(probability, kind="stable")
    _, first, sizes = np.unique(probability[order], return_index=True, return_counts=True)
    rank[order] = np.repeat(first + (sizes + 1) / 2.0, sizes)
    return float((rank[is_event].sum() - count * (count + 1) / 2.0) / (count * others))
