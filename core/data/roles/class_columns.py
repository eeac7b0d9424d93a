"""Sets of columns that hold the chances of every class, known by levels in names and sums of 1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.data.levels import printed
from core.data.probabilities import sum_tolerance
from core.data.profile.summary import as_float
from core.data.roles.names import has_word, is_outcome_words
from core.data.roles.ranking import PREVIEW_ROWS, are_highest
from core.data.roles.tool_names import Meaning, tool_name
from core.data.roles.words import CONFIDENCE_WORDS, LABEL_WORDS, PREDICTION_WORDS, SCORE_WORDS
from core.document.data.events import fold
from core.document.data.results import ColumnSummary

_MOST_WORDS = 4  # of a level in a column's name
SAID = (*SCORE_WORDS, *CONFIDENCE_WORDS, "pred")
_SURE_WORDS = (*SCORE_WORDS, *CONFIDENCE_WORDS)
_BEHIND = (*SCORE_WORDS, "scores", *CONFIDENCE_WORDS, *PREDICTION_WORDS)


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
    labels = labels_beside(columns)  # say of which class a chance is
    shares = [c for c in columns if may_be_share(c) and bare_of_sureness(c.name) not in labels]
    if len(shares) < 2:
        return ()
    named = _by_part_of_name(shares)
    all_found = [
        tuple(_sets_of(table, outcome, named)) or _of_program(table, outcome, shares)
        for outcome in columns
        if 2 <= outcome.distinct == len(outcome.levels)
    ]
    most = max(map(len, all_found), default=0)
    best = [found for found in all_found if most and len(found) == most]
    follows = [any(_is_chosen(table, one) for one in found) for found in best]
    return next((f for f, is_made in zip(best, follows, strict=True) if not is_made), ()) or next(
        iter(best), ()
    )


def _is_chosen(table: pa.Table, found: ClassColumns) -> bool:
    """Whether the levels are the classes that the chances choose: "predict" beside the outcome."""
    return are_highest(table, found.outcome, dict(found.columns))


def labels_beside(columns: tuple[ColumnSummary, ...]) -> dict[str, ColumnSummary]:
    """Columns of a few classes called label or class, by the rest of their names: "probs_0".

    Such as stand beside a chance of the same rest, which is then that of the class in the row.
    """
    scored = {bare_of_sureness(c.name) for c in columns if has_word(c.name, _SURE_WORDS)} - {""}
    named = {
        bare_of_sureness(column.name): column
        for column in columns
        if has_word(column.name, LABEL_WORDS) and 1 <= column.distinct == len(column.levels)
    }
    return {rest: column for rest, column in named.items() if rest in scored}


def bare_of_sureness(name: str) -> str:
    """A folded name without words for a class and for how sure a model is of it."""
    said = (*LABEL_WORDS, *_SURE_WORDS)
    return "_".join(part for part in fold(name).split("_") if part not in said)


def _by_part_of_name(shares: list[ColumnSummary]) -> dict[str, list[tuple[str, str]]]:
    """A level that a name may begin or end with -> the rest of the name, and the column."""
    named: dict[str, list[tuple[str, str]]] = {}
    for column in shares:
        words = fold(re.sub("=+", " ", column.name)).split("_")  # "Probability:Class=1"
        while len(words) > 1 and words[-1] in _BEHIND:  # "readmitted_True_PREDICTION"
            words.pop()
        for count in range(1, min(_MOST_WORDS, len(words)) + 1):
            ends = {("_".join(words[-count:]), "_".join(words[:-count]))}
            ends.add(("_".join(words[:count]), "_".join(words[count:])))
            for level, rest in ends:
                named.setdefault(level, []).append((rest, column.name))
    return named


def may_be_share(column: ColumnSummary) -> bool:
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
            yield ClassColumns(
                outcome.name, _model_name(model, columns, outcome.name), pairs, one > 1.0
            )


def _of_program(
    table: pa.Table, outcome: ColumnSummary, shares: list[ColumnSummary]
) -> tuple[ClassColumns, ...]:
    """The sets whose names a program makes of the outcome's name and its levels: signs and all."""
    forms = tuple(printed(form) for form, _ in outcome.levels)
    groups: dict[str, dict[str, str]] = {}
    for column in shares:
        known = tool_name(column.name, forms, outcome.name)
        says = known is not None and known.names_target and known.level is not None
        if known is not None and says and known.meaning is Meaning.CHANCE:
            groups.setdefault(known.model, {}).setdefault(str(known.level), column.name)
    found = []
    for model, members in groups.items():
        one = _sums_to(table, list(members.values())) if len(members) == len(forms) else 0.0
        if one:
            pairs = tuple((form, members[form]) for form in forms)
            found.append(ClassColumns(outcome.name, model, pairs, one > 1.0))
    return tuple(found)


def _sums_to(table: pa.Table, names: list[str]) -> float:
    """1 or 100 where the columns sum to it in every row, by their own digits; else 0.

    Columns of 0 and 1 alone say which class a case is of: they are none of its chances.
    """
    parts = [as_float(table.column(name).slice(0, PREVIEW_ROWS)) for name in names]
    sums = np.sum(parts, axis=0)
    sums = sums[~np.isnan(sums)]
    is_dummy = all(np.isin(part[~np.isnan(part)], (0.0, 1.0, 100.0)).all() for part in parts)
    for one in (1.0, 100.0) if len(sums) and not is_dummy else ():
        allowed = one * max(1e-4, sum_tolerance([part / one for part in parts]))
        if float(np.abs(sums - one).max()) <= allowed:
            return one
    return 0.0


def _model_name(folded: str, names: list[str], outcome: str) -> str:
    """The model's name as the columns write it, without words that say chance, or the outcome."""
    parts = [part for part in folded.split("_") if part and part not in (*SAID, "class")]
    if is_outcome_words("_".join(parts), outcome):
        return ""
    raw = names[0]
    words = [word for word in _words(raw) if fold(word) in parts]
    return " ".join(words)


def _words(name: str) -> list[str]:
    for joint in "_.-()[]":
        name = name.replace(joint, " ")
    return name.split()


__all__ = ["SAID", "ClassColumns", "find_class_columns", "may_be_share"]
