"""Labels of SPSS, SAS and Stata files: beside the codes, and read where names say little."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from core.data.levels import printed
from core.data.roles.guessing import GuessedRoles, guess_roles
from core.data.roles.tool_names import tool_name
from core.data.roles.words import ASKED
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, SplitSpec, TargetSpec

_MOST_WORDS = 6  # of a label that is taken as a name: longer ones are questions of a survey
_SCORED = (Role.POSTERIOR, Role.SCORE, Role.PREDICTION)


@dataclass(frozen=True, slots=True)
class FileLabels:
    """What a file says of its columns and codes in words."""

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)

    @property
    def code_words(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Columns with the words of their codes, as a reference to the data keeps them."""
        known = ((name, self._words(name)) for name in self.values)
        return tuple((name, words) for name, words in known if words)

    def _words(self, name: str) -> tuple[tuple[str, str], ...]:
        return tuple(
            (printed(code), word.strip())
            for code, word in self.values.get(name, {}).items()
            if word and word.strip()
        )

    def beside(self, columns: tuple[ColumnSummary, ...]) -> tuple[ColumnSummary, ...]:
        """Summaries with the labels of their columns."""
        return tuple(
            replace(
                column,
                label=self.columns.get(column.name, ""),
                value_labels=self._words(column.name),
            )
            for column in columns
        )


def with_labels_of(
    labelled: tuple[ColumnSummary, ...], columns: tuple[ColumnSummary, ...]
) -> tuple[ColumnSummary, ...]:
    """Summaries made anew with the labels that columns of their names had."""
    known = {column.name: column for column in labelled}
    return tuple(
        replace(
            column, label=known[column.name].label, value_labels=known[column.name].value_labels
        )
        if column.name in known
        else column
        for column in columns
    )


def guess_labelled_roles(table: pa.Table, columns: tuple[ColumnSummary, ...]) -> GuessedRoles:
    """Guess roles as ``guess_roles`` does, by the words of the file where it has some.

    Codes with labels are looked at as the words that they stand for; where the columns' names say
    less than their labels, the labels are taken as names. What is given back speaks of the
    columns and codes of the table.

    Parameters
    ----------
    table : pyarrow.Table
    columns : tuple of ColumnSummary
        Summaries in file order, with their labels.
    """
    if not any(column.label or column.value_labels for column in columns):
        return guess_roles(table, columns)
    worded = _with_words(table, columns)
    own = guess_roles(*worded)
    names = _names_of(columns)
    if names != tuple(column.name for column in columns):
        taken = tuple(replace(c, name=n) for c, n in zip(worded[1], names, strict=True))
        by_label = guess_roles(worded[0].rename_columns(list(names)), taken)
        if _describes(by_label) > _describes(own):
            return _back(by_label, columns, names)
    return _back(own, columns, tuple(column.name for column in columns))


def _describes(guessed: GuessedRoles) -> tuple[bool, int, int, int]:
    """How much a guess found: an outcome, scores, how few doubts, other roles."""
    found = [e for e in guessed.roles if e.role not in (Role.INPUT, Role.IGNORED)]
    scored = [entry for entry in found if entry.role in _SCORED]
    return guessed.target is not None, len(scored), -len(guessed.warnings), len(found)


def _names_of(columns: tuple[ColumnSummary, ...]) -> tuple[str, ...]:
    """Short labels in the place of names, each once."""
    names: list[str] = []
    for column in columns:
        is_short = len(column.label.split()) <= _MOST_WORDS
        is_name = column.label and (is_short or ASKED.search(column.label) is not None)
        is_name = is_name and tool_name(column.name, (), "") is None  # its label says no more
        name = column.label if is_name else column.name
        others = {other.name for other in columns if other is not column}
        names.append(column.name if name in names or name in others else name)
    return tuple(names)


def _words_by_code(column: ColumnSummary) -> dict[str, str]:
    """The words of a column all of whose codes have one of their own; else empty."""
    words = dict(column.value_labels)
    codes = [code for code, _ in column.levels]
    is_whole = 0 < column.distinct == len(codes) and all(code in words for code in codes)
    found = {code: words[code] for code in codes} if is_whole else {}
    return found if len(set(found.values())) == len(found) else {}


def _with_words(
    table: pa.Table, columns: tuple[ColumnSummary, ...]
) -> tuple[pa.Table, tuple[ColumnSummary, ...]]:
    """The table and its summaries with words for codes."""
    shown: list[ColumnSummary] = []
    for place, column in enumerate(columns):
        words = _words_by_code(column)
        shown.append(_templated(column, words) if words else column)
        if words:
            coded = pc.dictionary_encode(table.column(column.name).combine_chunks())
            if isinstance(coded, pa.ChunkedArray):
                coded = coded.combine_chunks()
            forms = [words.get(printed(value), "") for value in coded.dictionary.to_pylist()]
            values = pa.DictionaryArray.from_arrays(coded.indices, pa.array(forms, pa.string()))
            table = table.set_column(place, column.name, values)
    return table, tuple(shown)


def _templated(column: ColumnSummary, words: Mapping[str, str]) -> ColumnSummary:
    levels = tuple((words[code], count) for code, count in column.levels)
    return replace(
        column, kind="text", levels=levels, minimum=None, maximum=None, mean=None, edges=()
    )


def _back(
    guessed: GuessedRoles, columns: tuple[ColumnSummary, ...], names: Iterable[str]
) -> GuessedRoles:
    """The same of the columns and codes that the table has; words of codes become labels."""
    own = dict(zip(names, columns, strict=True))
    target = guessed.target
    codes = _codes_by_word(own[target.column]) if target is not None else {}
    return replace(
        guessed,
        roles=tuple(_role_back(entry, own, codes) for entry in guessed.roles),
        target=None if target is None else _target_back(target, own[target.column].name, codes),
        split=_split_back(guessed.split, own),
    )


def _codes_by_word(column: ColumnSummary) -> dict[str, str]:
    return {word: code for code, word in _words_by_code(column).items()}


def _role_back(
    entry: RoleAssignment, own: Mapping[str, ColumnSummary], codes: Mapping[str, str]
) -> RoleAssignment:
    level = None if entry.level is None else codes.get(entry.level, entry.level)
    return replace(entry, column=own[entry.column].name, level=level)


def _target_back(target: TargetSpec, column: str, codes: Mapping[str, str]) -> TargetSpec:
    """An outcome of codes, whose labels are the file's words."""
    if not codes:
        return replace(target, column=column)
    spellings = tuple((codes[word], codes[level]) for word, level in target.spellings)
    levels = tuple(codes.get(level, level) for level in target.levels)
    return replace(target, column=column, levels=levels, labels=target.levels, spellings=spellings)


def _split_back(split: SplitSpec, own: Mapping[str, ColumnSummary]) -> SplitSpec:
    if split.together is not None:
        split = replace(split, together=own[split.together].name)
    if split.column is None:
        return split
    codes = _codes_by_word(own[split.column])
    meaning = tuple((codes.get(word, word), use) for word, use in split.meaning)
    return replace(split, column=own[split.column].name, meaning=meaning)
