"""What of a document belongs together: looked at when a project is opened, once for every page.

The codec sees to the kind of each value. Here stands only what no document of this program can be
like, and what would otherwise fail somewhere inside a job: whatever was saved opens again.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.document.decisions.matrix_model import MatrixSpec
from core.document.model import Document
from payoff.errors import PayoffError

TARGET_KINDS = ("binary", "multiclass", "interval")

Fact = tuple[str, bool, str]


def check_document(document: Document) -> None:
    """Refuse a document whose values contradict each other.

    Raises
    ------
    PayoffError
        Naming the first that does.
    """
    for where, is_sound, why in _facts(document):
        if not is_sound:
            raise PayoffError(
                "A saved value does not fit.",
                where=where,
                why=why,
                remedy="The file was changed by another program or is damaged; open a backup.",
            )


def _facts(document: Document) -> Iterator[Fact]:
    """Places of the document, whether they are sound, and what is asked of them."""
    target = document.target
    if target is not None:
        known = ", ".join(TARGET_KINDS)
        where = f"Document.target.kind, value '{target.kind[:80]}'"
        yield where, target.kind in TARGET_KINDS, f"Expected one of {known}."
    if document.matrix is not None:
        yield from _facts_of_matrix(document.matrix)


def _facts_of_matrix(matrix: MatrixSpec) -> Iterator[Fact]:
    where = "Document.matrix"
    count = len(matrix.decisions)
    is_whole = len(matrix.cells) == len(matrix.levels)
    is_whole = is_whole and all(len(row) == count for row in matrix.cells)
    yield f"{where}.cells", is_whole, "It has a row for each level and a cell for each decision."
    yield f"{where}.costs", len(matrix.costs) in (0, count), "There is a cost for each decision."
