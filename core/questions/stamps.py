"""The stamps of pages: they tell whether an entry of the report is of the present document.

A stamp is made of the view of what the page shows, and kept in project files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.document.files.codec import to_plain
from core.document.model import Document
from core.document.report.commands import page_of
from core.document.views import (
    COMPARE_PAGE,
    DECIDE_PAGE,
    REPORT_PAGE,
    UPLIFT_PAGE,
    DocumentView,
    placeless,
)
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.questions.question import Question, questions
from core.questions.uplift import Uplift

_LEARNED = "models/learning "
"""Entries that show how one model learned: nothing else of a project changes that."""


def stamp_of(value: object) -> str:
    """A short mark of plain records: the same for the same content."""
    text = json.dumps(to_plain(value), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, eq=False)
class _This:
    """One document, told from others by being it: comparing contents takes as long as a stamp."""

    document: Document

    def __hash__(self) -> int:
        return id(self.document)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and other.document is self.document


def page_stamp(page: str, document: Document) -> str:
    """The stamp of what a page shows of a document; empty where it can show nothing."""
    return _page_stamp(page, _This(document))


@lru_cache(maxsize=32)  # of the last few documents: each is frozen, and so are its stamps
def _page_stamp(page: str, this: _This) -> str:
    document = this.document
    if page in _SHOWN:
        return stamp_of(_SHOWN[page](placeless(document)))
    view, question = _VIEWS.get(page, (REPORT_PAGE, None))
    if question is not None and question.why_not(document) is not None:
        return ""
    return stamp_of(view.key(document))


def can_have_entry(kind: str, document: Document) -> bool:
    """Whether a project has what an entry of the report is made of: what its question needs."""
    record = questions().get(kind.partition(" ")[0].replace("/", "."))
    if record is not None:
        return record.why_not(document) is None
    return bool(page_stamp(page_of(kind), document))


def entry_stamp(kind: str, document: Document) -> str:
    """The stamp of an entry of the report: that of its page, but for what is of one model alone."""
    model = kind.removeprefix(_LEARNED)
    if model == kind:
        return page_stamp(page_of(kind), document)
    trained = document.trained_model(model)
    return "" if trained is None else stamp_of(trained)


def is_of_document(stamp: str, kind: str, document: Document) -> bool:
    """Whether an entry with this stamp is of a document; older projects keep the page's."""
    known = (entry_stamp(kind, document), page_stamp(page_of(kind), document))
    return bool(stamp) and stamp in known


def _models(document: Document) -> object:
    return (document.data, document.target, document.split, document.roles, document.models)


def _explain(document: Document) -> object:
    return (_models(document), document.rows_used, document.seed)


def _experiments(document: Document) -> object:
    return document.experiment or ()


_VIEWS: Mapping[str, tuple[DocumentView, type[Question[Any]] | None]] = {
    "compare": (COMPARE_PAGE, CompareModels),
    "decide": (DECIDE_PAGE, Totals),
    "uplift": (UPLIFT_PAGE, Uplift),
}
_SHOWN: Mapping[str, Callable[[Document], object]] = {
    "models": _models,
    "explain": _explain,
    "experiments": _experiments,
}
