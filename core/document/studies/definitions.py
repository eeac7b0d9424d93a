"""The same figures as another tool defines them, with the cause of each difference."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionRow:
    """One figure of one model by both definitions; NaN where a tool gives none."""

    figure: str
    model: str
    ours: float
    theirs: float
    decimals: int
    cause: str  # why they differ; "the same" where they do not
    ours_words: str = ""  # Payoff's name and rule
    theirs_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionsResult:
    """Figures side by side."""

    convention: str
    rows: tuple[DefinitionRow, ...]
    seconds: float
