"""The same models judged on two sets of rows."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import EvaluationResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSetsResult:
    """Every figure on both sets of rows; ``names`` are what these are called in the project."""

    names: tuple[str, str]
    first: EvaluationResult
    second: EvaluationResult
