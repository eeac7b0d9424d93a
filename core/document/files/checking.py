"""What no document of this program can be like: looked at when a project is opened.

The codec sees to the kind of each value. Here stands only what would otherwise fail somewhere
inside a job, and what no saved project holds: whatever was saved opens again.
"""

from __future__ import annotations

from core.document.model import Document
from payoff.errors import PayoffError

TARGET_KINDS = ("binary", "multiclass", "interval")


def check_document(document: Document) -> None:
    """Refuse a document whose outcome is of no kind.

    Raises
    ------
    PayoffError
    """
    target = document.target
    if target is not None and target.kind not in TARGET_KINDS:
        raise PayoffError(
            "A saved value does not fit.",
            where=f"Document.target.kind, value '{target.kind[:80]}'",
            why=f"Expected one of {', '.join(TARGET_KINDS)}.",
            remedy="The file was changed by another program or is damaged; open a backup.",
        )
