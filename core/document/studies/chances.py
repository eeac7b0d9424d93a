"""Turning scores into chances: what is asked, and what each way would give."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import ChancesSpec
from core.document.results import Estimate, RowsNote
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ChancesOption:
    """Chances by one way, judged on the rows of the fit by folds that do not contain them.

    ``spec`` None: the chances as they stand in the file. ``brier`` and ``log_loss``: lower is
    better. ``said`` and ``seen``: mean chance and observed share of the event in groups of equal
    size, with Wilson limits.
    """

    spec: ChancesSpec | None
    brier: Estimate
    log_loss: Estimate
    said: FloatArray
    seen: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ChancesResult:
    """What each way would give; ``best`` is the way with the smallest log loss."""

    model: str
    rows: RowsNote
    options: tuple[ChancesOption, ...]
    best: int
    area: float  # share of pairs of an event and another case that the score puts right
    warnings: tuple[str, ...] = ()
