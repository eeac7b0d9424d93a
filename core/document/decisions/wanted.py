"""Which classes are wanted: those in which the best decision brings more than in the others.

Colours of gain and loss follow it wherever a prediction rises or falls: what raises the chance of
a default is no gain.
"""

from __future__ import annotations

from collections.abc import Sequence

Cells = Sequence[Sequence[float]]


def wanted_rows(cells: Cells) -> tuple[bool | None, ...]:
    """Return for each row of profits whether it is wanted; None where the matrix does not say.

    A row is compared with the mean of the others: by its best decision, and where that is the same
    (blocking a fraud, passing a purchase: nothing either) by the mean over all decisions.
    """
    if len(cells) < 2 or not all(cells):
        return tuple(None for _ in cells)
    best = [max(row) for row in cells]
    mean = [sum(row) / len(row) for row in cells]
    found: list[bool | None] = []
    for place in range(len(cells)):
        gaps = [_gap(values, place) for values in (best, mean)]
        gap = next((gap for gap in gaps if gap), 0.0)
        found.append(gap > 0 if gap else None)
    return tuple(found)


def _gap(values: Sequence[float], place: int) -> float:
    others = [value for at, value in enumerate(values) if at != place]
    gap = values[place] - sum(others) / len(others)
    largest = max(map(abs, values))
    return gap if abs(gap) > 1e-12 * largest else 0.0
