"""What of a document a job draws."""

from __future__ import annotations

from dataclasses import replace

from core.document.model import Document
from core.document.studies.segments import SegmentsArguments


def drawn_document(arguments: object) -> Document | None:
    """The document that a job looks at, with the one chart that "By column" draws among its own."""
    document = getattr(arguments, "document", None)
    if not isinstance(document, Document):
        return None
    if isinstance(arguments, SegmentsArguments) and arguments.chart:
        return replace(document, charts=(*document.charts, arguments.chart))
    return document
