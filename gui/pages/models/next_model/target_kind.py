"""A column of a few whole numbers may be taken as classes or as a number: grades, counts."""

from __future__ import annotations

from core.document.commands import SetTarget
from core.document.data.results import ColumnSummary
from core.document.decisions.starting_matrix import starting_matrix
from core.document.model import TargetSpec
from gui.pages.data.targets import MOST_CLASSES, target_of

CLASSES, NUMBER = "classes", "number"


def has_two_readings(column: ColumnSummary | None) -> bool:
    """Whether a column could be classes as well as a number."""
    if column is None or column.kind not in ("integer", "number"):
        return False
    return 2 <= column.distinct <= MOST_CLASSES


def read_as(column: ColumnSummary, kind: str) -> SetTarget | None:
    """The command that takes the outcome as classes or as a number; None where it cannot be."""
    target = (
        target_of(column) if kind == CLASSES else TargetSpec(column=column.name, kind="interval")
    )
    if kind == CLASSES and not target.levels:
        return None
    return SetTarget(target=target, matrix=starting_matrix(target, (column,)))
