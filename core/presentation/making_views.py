"""From an answer to its view: by the function that the question names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from core.document.files.codec import from_plain, to_plain
from core.document.report.renamed import Renaming
from core.document.report.renaming import kind_renamed
from core.presentation.labels import Labels
from core.presentation.view import View
from core.questions.question import Question, questions

_FORMER = tuple(
    (re.compile(pattern), name)  # entries that were named by where they stood on a page
    for pattern, name in (
        (r"decide/cases/chart0$", "decide/case_cloud"),
        (r"experiments/(losses \w+|violins|summary|granted)$", r"experiments/run \1"),
        (r"explain/(?!model |one_case )(?:(?:influence|pair) )?(.+)$", r"explain/model \1"),
        (r"models/(?:ranges|coverage) (.+)$", r"models/quantiles \1"),
        (r"uplift/(validity|curve|variants|criteria)$", r"uplift/page \1"),
        (r"uplift/(?:total|depths|prices)$", "uplift/page gain"),
        (r"uplift/order$", "uplift/row_order"),
    )
)
_POSITION = re.compile(r"([a-z]+/[a-z_]+)/(?:chart|table)\d+$")


def show(question: Question[Any], answer: object, labels: Labels, part: str = "") -> View:
    """Return what is shown of an answer, with the question that it answers.

    Parameters
    ----------
    question : Question
        One whose facts name a view.
    answer : object
        Of the question's answer type.
    labels : Labels
    part : str, optional
        Which of its views, where an answer has several: what the key says behind the question.
    """
    module, _, name = question.facts.view.partition(":")
    view: View = getattr(import_module(module), name)(answer, replace(labels, part=part))
    key = f"{entry_key(type(question))} {view.key or part}".rstrip()
    return replace(view, key=key, asked=json.dumps(to_plain(question), sort_keys=True))


def entry_key(record: type[Question[Any]]) -> str:
    """Return how the report names a question: "decide/capacity"."""
    return record.facts.key.replace(".", "/")


def part_of(kind: str) -> str:
    """Return which view of an answer an entry is: what its key says behind the question."""
    return kind.partition(" ")[2]


def by_question(kind: str) -> str:
    """Return how the report names an entry today: once parts of a tab were named by position."""
    for pattern, name in _FORMER:
        if pattern.match(kind):
            return pattern.sub(name, kind)
    found = _POSITION.match(kind)
    if found is None:
        return kind
    record = questions().get(found[1].replace("/", "."))
    return found[1] if record is not None and record.facts.view else kind


def after_renaming(view: View, renaming: Renaming, models: Sequence[str]) -> View:
    """Return an entry whose question names what has got another name since.

    Its words stay, for they were made under the former name.

    Parameters
    ----------
    view : View
    renaming : Renaming
    models : sequence of str
        The names of all models before.
    """
    requested = json.dumps(_renamed(json.loads(view.asked), renaming)) if view.asked else ""
    is_model = renaming.field == "model"
    key = kind_renamed(view.key, renaming.former, renaming.name, models) if is_model else view.key
    return replace(view, key=key, asked=requested)


def _renamed(plain: object, renaming: Renaming) -> object:
    """A plain record in which every field that holds the former name holds the new one."""
    if isinstance(plain, list):
        return [_renamed(entry, renaming) for entry in plain]
    if not isinstance(plain, dict):
        return plain
    held = (renaming.field, renaming.former)
    return {
        key: renaming.name if (key, value) == held else _renamed(value, renaming)
        for key, value in plain.items()
    }


def question_of_entry(kind: str, view: View | None) -> Question[Any] | None:
    """Return the question behind an entry of the report.

    Parameters
    ----------
    kind : str
        The entry's key.
    view : View or None
        The entry as it is kept, which says what was asked; without one the question stands as it
        is when nothing is said.

    Returns
    -------
    question or None
        None where the entry is no question's, or its question cannot be told.
    """
    record = questions().get(kind.partition(" ")[0].replace("/", "."))
    if record is None or not record.facts.view:
        return None
    try:
        return from_plain(record, json.loads(view.asked)) if view and view.asked else record()
    except (TypeError, ValueError):  # a question that must be given something, an unread line
        return None
