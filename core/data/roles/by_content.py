"""Roles that the contents of columns show: chances of classes, the outcome that they are of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.levels import printed
from core.data.probabilities import sum_tolerance
from core.data.profile.summary import as_float
from core.data.roles.words import RATIO_WORDS, fold, has_word
from core.document.data.results import ColumnSummary

_LOOK_ROWS = 50_000
_RANKED_ROWS = 5_000
_MOST_CLASSES = 20
_MOST_WORDS = 4  # of a level in a column's name
_CLEAR = 0.6  # ROC area from which a column of numbers from 0 to 1 is taken as a chance
_SCORE_WORDS = ("p", "prob", "probability", "proba", "score", "posterior", "pred", "chance", "pd")


@dataclass(frozen=True, slots=True)
class ClassColumns:
    """The chances of one model: a column for each level of an outcome."""

    outcome: str
    model: str
    columns: tuple[tuple[str, str], ...]  # (level, column)
    is_percent: bool


def find_class_columns(
    table: pa.Table, columns: tuple[ColumnSummary, ...]
) -> tuple[ClassColumns, ...]:
    """Sets of columns named by the levels of one column, that sum to 1 (or 100) in every row.

    Parameters
    ----------
    table : pyarrow.Table
    columns : tuple of ColumnSummary
        Summaries in file order.

    Returns
    -------
    tuple of ClassColumns
        Of the one outcome that most of them speak of; empty where there is none.
    """
    shares = [entry for entry in columns if _may_be_share(entry)]
    if len(shares) < 2:
        return ()
    named = _by_part_of_name(shares)
    best: tuple[ClassColumns, ...] = ()
    for outcome in columns:
        if 2 <= outcome.distinct <= _MOST_CLASSES and len(outcome.levels) == outcome.distinct:
            found = tuple(_sets_of(table, outcome, named))
            if len(found) > len(best):
                best = found
    return best


def _by_part_of_name(shares: list[ColumnSummary]) -> dict[str, list[tuple[str, str]]]:
    """A level that a name may begin or end with -> the rest of the name, and the column."""
    named: dict[str, list[tuple[str, str]]] = {}
    for column in shares:
        words = fold(column.name).split("_")
        for count in range(1, min(_MOST_WORDS, len(words)) + 1):
            ends = {("_".join(words[-count:]), "_".join(words[:-count]))}
            ends.add(("_".join(words[:count]), "_".join(words[count:])))
            for level, rest in ends:
                named.setdefault(level, []).append((rest, column.name))
    return named


def _may_be_share(column: ColumnSummary) -> bool:
    """Numbers from 0 to 1, or to 100."""
    low, high = column.minimum, column.maximum
    is_number = column.kind in ("number", "integer") and low is not None and high is not None
    return bool(is_number and low is not None and high is not None and 0.0 <= low <= high <= 100.0)


def _sets_of(
    table: pa.Table, outcome: ColumnSummary, named: dict[str, list[tuple[str, str]]]
) -> Iterable[ClassColumns]:
    """The sets named by the levels of one column."""
    levels = {fold(printed(form)): printed(form) for form, _ in outcome.levels}
    if len(levels) < len(outcome.levels) or not all(level in named for level in levels):
        return
    groups: dict[str, dict[str, str]] = {}
    for folded, level in levels.items():
        for model, column in named[folded]:
            if column != outcome.name:
                groups.setdefault(model, {}).setdefault(level, column)
    for model, members in groups.items():
        if len(members) < len(levels):
            continue
        columns = [members[level] for level in levels.values()]
        one = _sums_to(table, columns)
        if one:
            pairs = tuple((level, members[level]) for level in levels.values())
            yield ClassColumns(outcome.name, _model_name(model, columns), pairs, one > 1.0)


def _sums_to(table: pa.Table, names: list[str]) -> float:
    """1 or 100 where the columns sum to it in every row, by their own digits; else 0."""
    parts = [as_float(table.column(name).slice(0, _LOOK_ROWS)) for name in names]
    sums = np.sum(parts, axis=0)
    sums = sums[~np.isnan(sums)]
    for one in (1.0, 100.0) if len(sums) else ():
        allowed = one * max(1e-4, sum_tolerance([part / one for part in parts]))
        if float(np.abs(sums - one).max()) <= allowed:
            return one
    return 0.0


def _model_name(folded: str, names: list[str]) -> str:
    """The model's name as the columns write it, without words that say chance."""
    parts = [part for part in folded.split("_") if part and part not in _SCORE_WORDS]
    raw = names[0]
    words = [word for word in _words(raw) if fold(word) in parts]
    return " ".join(words)


def _words(name: str) -> list[str]:
    for joint in "_.-()[]":
        name = name.replace(joint, " ")
    return name.split()


def looks_like_chance(table: pa.Table, column: ColumnSummary, outcome: str, event: str) -> bool:
    """Whether numbers from 0 to 1 rank the event and are about as large as it is frequent.

    What is called a rate or a ratio is none: an interest rate ranks defaults just so.

    Parameters
    ----------
    table : pyarrow.Table
    column : ColumnSummary
        Its values.
    outcome, event : str
        The outcome's column and the printed form of its event; two classes.
    """
    low, high = column.minimum, column.maximum
    if column.kind != "number" or low is None or high is None or low < 0.0 or high > 1.0:
        return False
    if 0 <= column.distinct <= 10 or has_word(column.name, RATIO_WORDS):
        return False
    values = as_float(table.column(column.name).slice(0, _RANKED_ROWS))
    coded = pc.dictionary_encode(table.column(outcome).slice(0, _RANKED_ROWS)).combine_chunks()
    codes = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
    events = np.array([printed(form) == event for form in coded.dictionary.to_pylist()], dtype=bool)
    known = ~np.isnan(values) & (codes >= 0)
    is_event = events[codes[known]]
    chance = values[known]
    count, others = int(is_event.sum()), int((~is_event).sum())
    if min(count, others) < 5:
        return False
    rank = np.empty(len(chance))
    order = np.argsort(chance, kind="stable")
    _, first, sizes = np.unique(chance[order], return_index=True, return_counts=True)
    rank[order] = np.repeat(first + (sizes + 1) / 2.0, sizes)
    area = (rank[is_event].sum() - count * (count + 1) / 2.0) / (count * others)
    share = count / len(chance)
    is_near = 0.5 * share <= float(chance.mean()) <= 2.0 * share
    return bool(area >= _CLEAR and is_near)
