"""Columns that hold the same values under two names."""

from __future__ import annotations

import pyarrow as pa

from core.data.levels import printed
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment


def twin_warnings(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> list[str]:
    """Inputs that repeat another input, row by row."""
    alike: dict[tuple[object, ...], list[ColumnSummary]] = {}
    for column in columns:
        if found[column.name].role is Role.INPUT:
            alike.setdefault(_check_now(column), []).append(column)
    warnings = []
    for group in alike.values():
        first, *others = group
        for other in others:
            if table.column(first.name).equals(table.column(other.name)):
                words = f"'{other.name}' holds the same values as '{first.name}'"
                warnings.append(f"{words}: one of them is enough.")
    return warnings


def _check_now(column: ColumnSummary) -> tuple[object, ...]:
    """What two columns share if they are the same; cheap, and wrong for hardly any others."""
    levels = tuple((printed(level), count) for level, count in column.levels)
    return (
        column.kind,
        column.missing,
        column.distinct,
        column.minimum,
        column.maximum,
        column.mean,
        levels,
    )
