"""What of a document a study or a result depends on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.document.model import Document

UNREAD = ("name", "cursor_depth", "report", "uplift", "experiment")
"""Fields that nothing worked out for pages Data to Explain depends on."""
COMPARED = ("metrics", "charts", "convention", "choice")
"""Fields that only page Compare shows."""
_EMPTY = Document(name="")


def leave_out(document: Document, fields: Iterable[str]) -> Document:
    """The document as if nothing were said in some of its fields."""
    empty = {name: getattr(_EMPTY, name) for name in fields}
    return replace(document, **empty)


def subject_of(document: Document) -> Document:
    """The document without what no study of its cases depends on.

    That is its name, its cursor, and what page Compare and the report show.

    A study that asks with this is not asked again when the cursor moves.
    """
    return leave_out(document, (*UNREAD, *COMPARED))
