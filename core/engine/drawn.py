"""What of a document a job draws."""

from __future__ import annotations

from dataclasses import replace

from core.document.model import Document
from core.engine.messages import Ask
from core.questions.compare import Segments


def drawn_document(arguments: object) -> Document | None:
    """The document that a job looks at, with the one chart that "By column" draws among its own."""
    document = getattr(arguments, "document", None)
    if not isinstance(document, Document):
        return None
    question = arguments.question if isinstance(arguments, Ask) else None
    if isinstance(question, Segments) and question.chart:
        return replace(document, charts=(*document.charts, question.chart))
    return document
