"""Exposures of counts (years insured, hours run), told from their logarithms by their values."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.document.data.results import ColumnSummary

_NAMED = re.compile(
    r"exposure|exposition|jahreseinheit|risikojahr|policy.?years?|earned.?years?|"
    r"(?:vehicle|insured|person|car).?years?|(?:personen|policen|fahrzeug)jahre?|"
    r"ann[ée]es?.(?:police|risque)"
)
_MONEY = re.compile(r"amount|betrag|montant|default|ead|loan|credit|kredit")
_LARGEST_LOG = 14.0  # of a million


class ExposureKind(StrEnum):
    """What an exposure's numbers are."""

    PLAIN = "plain"
    LOGARITHM = "logarithm"


def exposure_kind(column: ColumnSummary) -> ExposureKind | None:
    """Return whether a column is an exposure or its logarithm; None where it is neither.

    Parameters
    ----------
    column : ColumnSummary
        Its name must speak of an exposure. Values below 0 are logarithms: no case is watched for
        less than no time.
    """
    name, low, high = column.name.casefold(), column.minimum, column.maximum
    if not _NAMED.search(name) or _MONEY.search(name) or low is None or high is None:
        return None
    if column.kind not in ("integer", "number") or 0 <= column.distinct <= 2:
        return None
    if low >= 0.0:
        return ExposureKind.PLAIN
    return ExposureKind.LOGARITHM if high <= _LARGEST_LOG else None


def exposure_words(column: ColumnSummary) -> str:
    """Say what an exposure is good for; empty for other columns.

    Parameters
    ----------
    column : ColumnSummary
    """
    kind = exposure_kind(column)
    if kind is None:
        return ""
    span = f"{column.minimum:.4g} to {column.maximum:.4g}"
    if kind is ExposureKind.LOGARITHM:
        return f"the logarithm of an exposure, by its values {span}: the offset of a count"
    zeros = "; rows with 0 were never watched" if column.minimum == 0.0 else ""
    return f"an exposure, not its logarithm, by its values {span}: an offset needs the log{zeros}"
