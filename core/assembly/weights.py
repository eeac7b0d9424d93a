"""What a weight says, and what that means for intervals.

A frequency of 3 stands for three equal cases that were seen: such rows are counted three times, and
every interval comes out as if they stood in the file three times. A sampling weight of 3 is one
case that was seen: it counts three times in a value and once as a draw.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.document.model import Document, Role, WeightKind
from core.document.results import RowsNote
from payoff.counting import counted
from payoff.groups import effective_cases
from payoff.types import FloatArray, IntArray

MOST_CASES = 20_000_000


@dataclass(frozen=True, slots=True, eq=False)
class CountedCases:
    """The rows used, each as often as it counts.

    Attributes
    ----------
    rows : (m,) int64
        Rising; with a frequency a row stands in it as often as that says.
    frequency : (m,) float64 or None
        Weights that stay weights.
    """

    rows: IntArray
    frequency: FloatArray | None
    note: RowsNote
    warnings: tuple[str, ...] = ()
    is_repeated: bool = False


def counted_cases(
    document: Document, rows: IntArray, weight: FloatArray | None, note: RowsNote
) -> CountedCases:
    """Rows as cases, by what the document says its weight means."""
    if weight is None:
        return CountedCases(rows, None, note)
    chosen = np.ascontiguousarray(weight[rows])
    entry = next(entry for entry in document.roles if entry.role is Role.WEIGHT)
    if entry.weight_kind is None:
        return CountedCases(rows, chosen, note)
    if entry.weight_kind is WeightKind.SAMPLING:
        return CountedCases(rows, chosen, note, _sampling_warning(entry.column, chosen))
    total = float(chosen.sum())
    is_whole = bool(np.all(chosen == np.floor(chosen)))
    if not is_whole or total > MOST_CASES:
        why = "it has fractions" if not is_whole else f"it stands for {counted(total, 'case')}"
        warning = (
            f"'{entry.column}' is called a frequency, but {why}: its rows are weighted and not "
            "counted so often."
        )
        return CountedCases(rows, chosen, note, (warning,))
    text = f"{note.text}, standing for {counted(total, 'case')}"
    repeated = np.repeat(rows, chosen.astype(np.int64))
    return CountedCases(repeated, None, replace(note, text=text), is_repeated=True)


def is_sampled(document: Document) -> bool:
    """Whether a document's weight is a sampling weight."""
    entry = next((entry for entry in document.roles if entry.role is Role.WEIGHT), None)
    return entry is not None and entry.weight_kind is WeightKind.SAMPLING


def cluster_warnings(document: Document) -> tuple[str, ...]:
    """That intervals of money do not know clusters."""
    column = document.column_of(Role.CLUSTER)
    if column is None:
        return ()
    return (
        f"Rows with the same '{column}' belong together. Intervals of metrics draw them together; "
        "those of totals take rows as independent and may be too narrow.",
    )


def _sampling_warning(column: str, weight: FloatArray) -> tuple[str, ...]:
    """Exact intervals of money know frequencies only; how much too narrow they are, by Kish."""
    spread = float((weight**2).sum() / weight.sum()) if weight.sum() > 0 else 1.0
    if spread <= 1.05:
        return ()
    effective = effective_cases(weight)
    return (
        f"'{column}' is a sampling weight: {counted(len(weight), 'case says', 'cases say')} "
        f"as much as {effective:,.0f} "
        "of equal weight. Intervals from resamples and of metrics know this; those of totals that "
        f"are called exact take it as a frequency and are too narrow, by about {spread**0.5:.2f}.",
    )
