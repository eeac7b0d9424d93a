"""Whether two sets of rows are alike: scores and inputs, by the population stability index."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.document.data.model import ReaderSettings, RowUse
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftSide:
    """One of the two: rows of the project by their use, or those of another file."""

    use: RowUse = RowUse.ALL
    path: str = ""  # empty: the project's own data
    reader: ReaderSettings = field(default_factory=ReaderSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShift:
    """One score or input in both sets.

    ``verdict``: "stable", "too few cases", "shifted", "another population". ``noise``: what the
    index stays below in 95 % of samples of one population. Shares of the cases per bin, the last
    bin of inputs being missing values where there are any.
    """

    name: str
    is_score: bool
    index: float
    noise: float
    verdict: str
    bins: tuple[str, ...]
    then: FloatArray
    now: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftResult:
    """Scores first, then inputs, the largest index first."""

    then_text: str
    now_text: str
    then_rows: int
    now_rows: int
    columns: tuple[ColumnShift, ...]
    left_out: tuple[str, ...]  # columns that only one of the two has
    warnings: tuple[str, ...] = ()  # scores that come about in another way on one side
    drawn: str = ""  # the score or input that was asked for; empty: the first
    seconds: float
