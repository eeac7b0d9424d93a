"""``payoff ask``: every question of the program on the command line, made from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.document.files.codec import to_plain
from core.document.model import Document
from core.questions.question import first_line, question_named, questions
from core.questions.texts import question_from_words
from core.script.projects import Project
from payoff.counting import counted
from payoff.types import AnyArray

Plain = dict[str, Any]


def ask_in_words(project: Project, key: str, words: Mapping[str, Sequence[str]]) -> Any:
    """Return the answer to a question whose fields are given in words.

    Raises
    ------
    PayoffError
        If there is no such question, a field cannot be read, or the project refuses it.
    """
    return project.ask(question_from_words(question_named(key), words, project.document))


def questions_of(document: Document | None) -> list[Plain]:
    """Return key, title and help of every question, and why it cannot be asked of a project."""
    found = []
    for key, record in questions().items():
        line: Plain = {"question": key, "title": record.facts.title, "help": first_line(record)}
        if document is not None:
            refusal = record.why_not(document)
            line["can_be_asked"] = refusal is None
            line["why_not"] = "" if refusal is None else str(refusal)
        found.append(line)
    return found


def plain_answer(answer: object) -> Plain:
    """Return an answer as JSON takes it, arrays as lists."""
    plain: Plain = to_plain(answer, lambda values: to_plain(np.asarray(values).tolist()))
    return plain


def answer_as_tables(answer: object) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the figures of an answer, then each of its lists, as a table with its name."""
    figures: Plain = {}
    lists: dict[str, pd.DataFrame] = {}
    for name, value in _fields(answer):
        if _is_list_of_records(value):
            lists[name] = pd.DataFrame([dict(_flat(entry)) for entry in value])
        elif isinstance(value, np.ndarray):
            lists[name] = _array_table(value)
        else:
            figures |= dict(_flat_field(name, value))
    yield "", pd.DataFrame({"value": figures.values()}, index=list(figures))
    yield from lists.items()


def _array_table(values: AnyArray) -> pd.DataFrame:
    """An array as a table: of more than two dimensions, a line for each place in all but the last.

    >>> _array_table(np.zeros((2, 3, 4))).shape
    (6, 4)
    """
    if values.ndim <= 2:
        return pd.DataFrame(values)
    places = pd.MultiIndex.from_product([range(count) for count in values.shape[:-1]])
    return pd.DataFrame(values.reshape(-1, values.shape[-1]), index=places)


def _fields(answer: object) -> Iterator[tuple[str, Any]]:
    assert is_dataclass(answer)
    for item in fields(answer):
        yield item.name, getattr(answer, item.name)


def _is_list_of_records(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and is_dataclass(value[0])


def _flat(record: object) -> Iterator[tuple[str, Any]]:
    for name, value in _fields(record):
        yield from _flat_field(name, value)


def _flat_field(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A field as cells of one line: records inside it field by field, long arrays by their size."""
    if is_dataclass(value):
        for inner, part in _flat(value):
            yield f"{name}.{inner}", part
    elif isinstance(value, np.ndarray):
        yield name, counted(value.size, "number")
    elif isinstance(value, tuple):
        yield name, "; ".join(str(entry) for entry in value)
    else:
        yield name, value
