"""The records that questions take in their fields."""

from __future__ import annotations

from collections.abc import Mapping

from core.document.scripts.form import records_within
from core.questions.question import question_fields, questions


def question_records() -> Mapping[str, type]:
    """Return name -> record, of all that a field of a question holds."""
    found: dict[str, type] = {}
    for record in questions().values():
        for _, hint, _, _ in question_fields(record):
            found |= {part.__name__: part for part in records_within(hint)}
    return dict(sorted(found.items()))
