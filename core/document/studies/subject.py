"""What of a document a study depends on."""

from __future__ import annotations

from dataclasses import replace

from core.document.compare.chart_kinds import PAYOFF
from core.document.model import Document
from core.document.uplift.model import UpliftSpec


def subject_of(document: Document) -> Document:
    """The document without what no study of its cases depends on.

    That is its name, its cursor, and what page Compare and the report show.

    A study that asks with this is not asked again when the cursor moves.
    """
    return replace(
        document,
        name="",
        cursor_depth=None,
        metrics=(),
        charts=(),
        convention=PAYOFF,
        report=(),
        choice=None,
        uplift=UpliftSpec(),
        experiment=None,
    )
