"""Numbers at other values: what is asked, and what each model would bring."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate, RowsNote
from core.document.studies.numbers import TriedNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWhatIf:
    """One model now, and with the numbers at other values. Amounts are profits.

    ``kept``: every case keeps its present decision; ``remade``: decisions are made again. The
    changes are differences to now on the same cases. ``moved`` cases (sum of frequencies) get
    another decision.
    """

    model: str
    now: Estimate
    kept: Estimate
    remade: Estimate
    kept_change: Estimate
    remade_change: Estimate
    moved: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioOutcome:
    """One scenario side by side with the others; ``refusal`` says why there are no totals."""

    name: str
    changes: tuple[tuple[str, str, float, float], ...]  # words, unit, now, value
    kept_model: str = ""  # the best model now
    kept: float = float("nan")  # its total, present decisions kept
    best_model: str = ""  # of the scenario, decisions made again
    remade: float = float("nan")  # its total
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfResult:
    """What tab What-if shows."""

    rows: RowsNote
    numbers: tuple[TriedNumber, ...]
    models: tuple[ModelWhatIf, ...]
    rule_text: str  # the rule at the numbers tried
    # cells of the matrix at the parameters tried, before single cells are changed
    resolved: tuple[tuple[float | str, ...], ...]
    scenarios: tuple[ScenarioOutcome, ...]
    holds_fixed: str
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChangeResult:
    """What every model's rule brings now beside what it brought with the former numbers.

    In ``models`` "now" is the former state: ``now`` its total, ``kept`` what those decisions bring
    at the present numbers, ``remade`` the present total; changes are present less former.
    """

    rows: RowsNote
    models: tuple[ModelWhatIf, ...]
    holds_fixed: str
    warnings: tuple[str, ...] = ()
