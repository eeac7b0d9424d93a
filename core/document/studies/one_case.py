"""One case explained: what each input adds, the decision, and what would change it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePart:
    """What one input adds to the score of the case."""

    column: str
    value: str  # as it stands in the data; empty = missing
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """The smallest change of one input alone that brings another decision."""

    column: str
    old: str
    new: str
    decision: str
    passed: float  # share of the cases with values in between; NaN for levels
    prediction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OneCaseResult:
    """What page Explain shows of one case. ``base`` + all amounts (+ offset) = ``score``."""

    model: str
    row: int
    rows: int  # of the table
    name: str  # the case's id as it stands in the data, or "Row 12"
    outputs: tuple[str, ...]
    output: int
    base: float
    score: float
    base_prediction: float  # what is predicted of a case of which nothing is known
    prediction: float
    is_chance: bool
    parts: tuple[CasePart, ...]  # largest first, the offset among them
    outcome: str = ""  # as it is known; empty where it is not
    decision: str = ""  # by the rule or the cut-off; empty where there is none
    no_decision: str = ""  # why there is none
    changes: tuple[CaseChange, ...] = ()  # the smallest first
    tried_rows: int = 0  # rows whose values were tried; all of the table, or a draw
