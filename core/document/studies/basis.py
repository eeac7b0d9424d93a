"""A model's decisions by each case's own score, beside those averaged over quantiles or leaves."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate, RowsNote

SCORE = "score"  # each case's own prediction or chances
MEAN = "mean"  # the mean of each case's predicted distribution
SPREAD = "spread"  # consequences averaged over that distribution
LEAF = "leaf"  # the leaf's mean of what is predicted
HONEST = "honest"  # the leaf's mean of what its outcomes brought


@dataclass(frozen=True, slots=True, kw_only=True)
class BasisLine:
    """Decisions by one way. Amounts are profits, totals over the cases that count.

    ``promised`` is what this way itself promises of its decisions; ``averaged`` what the averages
    (over the distribution or the leaf) promise of the same decisions.
    """

    way: str
    promised: float
    averaged: float
    realised: Estimate
    difference: Estimate  # realised less that of the first way, paired
    changed: float  # weighted cases that the first way decides otherwise
    acted: float  # weighted cases that get the acting decision


@dataclass(frozen=True, slots=True, kw_only=True)
class BasisResult:
    """What the tab Basis shows of one model; ``used`` is the way that decides now.

    ``lines`` is empty where the model names neither quantiles nor leaves.
    """

    rows: RowsNote
    model: str
    used: str
    cases: float  # weighted cases that count
    lines: tuple[BasisLine, ...] = ()
    levels: tuple[float, ...] = ()  # of the quantiles
    leaves: int = 0
    crossed: int = 0  # cases whose quantiles had to be put in order
    tail: float = 0.0  # share of each distribution beyond the outer quantiles
    has_own_quantiles: bool = False  # the model predicts quantiles itself
    holds_fixed: str = ""
